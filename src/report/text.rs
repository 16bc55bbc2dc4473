//! Text for people: lines, or a table when the rows have columns. Control characters are replaced by pictures, so
//! that no text of a document commands the terminal.

use std::io::{self, Write};

use super::format::{Format, Report};
use super::readable::{Readable, Reading};
use super::row::ReportRow;
use super::table::table;
use crate::storage::printable;

/// Text for people.
pub const FORMAT: Format = Format {
    name: "text",
    about: "lines and tables for people",
    ending: None,
    report: || Box::<Text>::default(),
};

/// Columns are as wide as their widest cell, so the lines of a table are held back until it ends.
#[derive(Default)]
struct Text {
    headings: &'static [&'static str],
    held: Vec<Vec<String>>,
}

impl Text {
    fn write_table(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.held);
        out.write_all(printable(&table(self.headings, &rows)).as_bytes())
    }
}

impl Report for Text {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, row: &ReportRow, out: &mut dyn Write) -> io::Result<()> {
        match row.reading() {
            Reading::Lines(lines) => {
                self.write_table(out)?;
                out.write_all(printable(&lines).as_bytes())
            }
            Reading::Cells { headings, cells } => {
                if headings != self.headings {
                    self.write_table(out)?;
                    self.headings = headings;
                }
                self.held.push(cells);
                Ok(())
            }
        }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write_table(out)
    }
}
