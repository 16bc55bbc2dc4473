//! Standard output: a report in the format that was asked for, or a sentence for people.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use super::args::{FormatArgs, PlainFormatArgs};
use super::error::CliError;
use crate::report::{Report, ReportRow, ReportSettings};
use crate::storage::printable;

/// A report on standard output.
pub(super) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    report: Box<dyn Report>,
}

impl Output {
    /// Begins a report whose rows are no findings.
    pub(super) fn begin(PlainFormatArgs(format): PlainFormatArgs) -> Result<Self, CliError> {
        Self::begin_on(format, Path::new(""))
    }

    /// Begins a report on documents below a folder.
    pub(super) fn begin_on(format: FormatArgs, base: &Path) -> Result<Self, CliError> {
        let settings = ReportSettings { style: format.style(), ..ReportSettings::below(base) };
        let mut begun =
            Self { writer: BufWriter::new(io::stdout().lock()), report: (format.format.report)(&settings) };
        begun.report.begin(&mut begun.writer).map_err(CliError::Output)?;
        Ok(begun)
    }

    /// Adds a row.
    pub(super) fn row(&mut self, row: &ReportRow) -> Result<(), CliError> {
        self.report.row(row, &mut self.writer).map_err(CliError::Output)
    }

    /// Ends the report, and sends out what is still held back.
    pub(super) fn end(mut self) -> Result<(), CliError> {
        self.report.end(&mut self.writer).and_then(|()| self.writer.flush()).map_err(CliError::Output)
    }
}

/// Prints lines for people that are not rows, and so have no other format.
pub(super) fn say(lines: &str) -> Result<(), CliError> {
    print_exact(&printable(lines))
}

/// Prints text for other programs, byte by byte.
pub(super) fn print_exact(text: &str) -> Result<(), CliError> {
    print_bytes(text.as_bytes())
}

/// The same for names of files, which need not be text.
pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(CliError::Output)
}
