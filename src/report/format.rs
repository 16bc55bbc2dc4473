//! What a format of output is.

use std::io::{self, Write};

use super::row::ReportRow;

/// A report while it is written: `begin` once, `row` for each row, `end` once. Nothing is flushed. A format for programs
/// writes fields as they are; one for people makes texts [printable](crate::storage::printable).
pub trait Report {
    /// Writes what stands before the first row.
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()>;
    /// Writes a row, or keeps what it needs of it for the end.
    fn row(&mut self, row: &ReportRow, out: &mut dyn Write) -> io::Result<()>;
    /// Writes what is still held back, and what stands behind the last row.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// A format of output.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name, as `--format` takes it.
    pub name: &'static str,
    /// How the name of a file ends to which the screen exports rows in this format, without the dot; `None` if the
    /// screen does not export in it.
    pub ending: Option<&'static str>,
    /// Makes a report in this format, of which nothing is written yet.
    pub report: fn() -> Box<dyn Report>,
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}
