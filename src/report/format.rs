//! What a format of output is, and what a row tells to it: its fields to programs, its text to people, and the finding that it is
//! to formats of other tools.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::finding::Finding;
use crate::hyperlink::Hyperlinks;
use crate::style::Style;

/// A report while it is written: `begin` once, `row` for each row, `end` once. Nothing is flushed. A format for programs
/// writes fields as they are; one for people makes texts [printable](dupi_base::storage::printable).
pub trait Report {
    /// Writes what stands before the first row.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
    /// Writes a row, or keeps what it needs of it for the end.
    fn row(&mut self, row: &dyn ReportRow, out: &mut dyn Write) -> io::Result<()> {
        let none = || io::Error::other("the format has no form for such a row; use the format json");
        self.finding(&row.finding().ok_or_else(none)?, out)
    }
    /// The same for a finding. A format that writes all rows has `row` instead.
    fn finding(&mut self, _finding: &Finding, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
    /// Writes what is still held back, and what stands behind the last row.
    fn end(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// For whom a report is written.
#[derive(Clone, Debug, Default)]
pub struct ReportSettings {
    /// The folder of the corpus as other programs reach it: empty when it is the current folder. Formats that other
    /// programs open files from write paths below it; the others write paths relative to the corpus.
    pub base: PathBuf,
    /// How text for people looks.
    pub style: Style,
    /// The links of the places in it.
    pub links: Hyperlinks,
}

impl ReportSettings {
    /// The settings for a corpus with such a base: other programs reach it from the current folder if it lies there.
    pub fn below(base: &Path) -> Self {
        let here = std::env::current_dir().ok();
        let base = here.and_then(|here| base.strip_prefix(here).ok()).unwrap_or(base).to_owned();
        Self { base, ..Self::default() }
    }
}

/// A format of output.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name, as `--format` takes it.
    pub name: &'static str,
    /// How the names of files end to which the screen exports rows in this format, without the first dot; `None` if the
    /// screen does not export in it.
    pub ending: Option<&'static str>,
    /// What it is, for people.
    pub about: &'static str,
    /// Whether it writes only rows that are [findings](Finding).
    pub is_of_findings: bool,
    /// Whether it needs the text of each copy that differs from the representative.
    pub needs_texts: bool,
    /// Makes a report in this format, of which nothing is written yet.
    pub report: fn(&ReportSettings) -> Box<dyn Report>,
}

impl Format {
    /// A format that writes only rows that are findings.
    pub(super) const fn of_findings(
        name: &'static str,
        ending: Option<&'static str>,
        about: &'static str,
        report: fn(&ReportSettings) -> Box<dyn Report>,
    ) -> Self {
        Self { name, ending, about, is_of_findings: true, needs_texts: false, report }
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

/// A row of a report. Each verb has a type of rows, whose serialized fields are its JSON; a format writes every one of them.
pub trait ReportRow: Fields {
    /// The row for people.
    fn reading(&self) -> Reading;

    /// The row as a finding, if it is one.
    fn finding(&self) -> Option<Finding<'_>> {
        None
    }
}

/// The fields of a row for programs.
pub trait Fields {
    /// The fields as a JSON value in one line.
    ///
    /// # Errors
    /// When a field cannot be serialized.
    fn json(&self) -> serde_json::Result<String>;
}

impl Reading {
    /// A line of a table: each column with its heading and its cell.
    pub(super) fn cells<const N: usize>(columns: [(&'static str, &dyn Display); N]) -> Self {
        let (headings, cells) =
            columns.map(|(heading, cell)| (heading, cell.to_string())).into_iter().unzip();
        Self::Cells { headings, cells }
    }
}

impl<T: Serialize> Fields for T {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// A row for people. What it holds is not yet made printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// One line or more, each with its line end.
    Lines(String),
    /// A line of a table.
    Cells {
        /// The headings of the columns; one that begins with `>` is over numbers.
        headings: Vec<&'static str>,
        /// A cell a column.
        cells: Vec<String>,
    },
}
