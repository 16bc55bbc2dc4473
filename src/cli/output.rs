//! What a verb says: its rows or a sentence on standard output, messages on standard error, and its outcome.
//!
//! Formats for other programs are exact, and so are their names and texts. On a terminal nobody but a person reads them:
//! there they are [`printable`] like everything else, whatever the format.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;
use std::process::ExitCode;

use super::args::FormatArgs;
use super::error::CliError;
use dupi_base::corpus::Unread;
use dupi_base::storage::{printable, uncommanded};
use dupi_index::index::snapshot::Snapshot;
use dupi_report::{Report, ReportRow, ReportSettings, TEXT};

/// The result of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The verb did what was requested.
    Done,
    /// Nothing was found.
    Nothing,
    /// The user left the screen without choosing what it was to print.
    Cancelled,
}

impl Outcome {
    /// The result of an answer. An error names the files that could not be read, if there are any.
    pub(super) fn from_answer(is_empty: bool, unread: &Unread) -> Result<Self, CliError> {
        match unread.take_message() {
            Some(sentence) => Err(CliError::Unread(sentence)),
            None => Ok(if is_empty { Self::Nothing } else { Self::Done }),
        }
    }
}

/// Tells what an index lacks of its corpus.
///
/// # Errors
/// [`CliError::Unread`] if no document could be read.
pub(super) fn tell_lack(snapshot: &Snapshot) -> Result<(), CliError> {
    match snapshot.lack() {
        Some(lack) if lack.is_failure => return Err(CliError::Unread(lack.sentence)),
        Some(lack) => tell(lack.sentence),
        None => {}
    }
    Ok(())
}

/// Prints an error in the arguments, or the help they ask for. An error is printed without colours, because it may quote
/// file names, and escape sequences in these must not reach the terminal.
pub(super) fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let _ = write!(io::stderr().lock(), "{}", uncommanded(&printable(&error.render().to_string())));
    ExitCode::from(2)
}

/// Writes a message to standard error. A failure to write it is ignored.
pub(super) fn tell(sentence: impl Display) {
    let _ = writeln!(io::stderr().lock(), "dupi-tui: {}", uncommanded(&printable(&sentence.to_string())));
}

/// A report on standard output.
pub(super) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    report: Box<dyn Report>,
    /// Whether the format is for other programs, and standard output is a terminal.
    is_for_terminal: bool,
}

impl Output {
    /// Begins a report whose rows are no findings.
    pub(super) fn begin(format: &FormatArgs<false>) -> Result<Self, CliError> {
        Self::begin_on(format, Path::new(""))
    }

    /// Prints all rows of a list that are no findings.
    pub(super) fn list(
        format: &FormatArgs<false>,
        rows: impl IntoIterator<Item = impl ReportRow>,
    ) -> Result<Outcome, CliError> {
        let is_empty = Self::begin(format)?.all(rows)?;
        Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
    }

    /// Begins a report on documents below a folder.
    pub(super) fn begin_on<const FINDINGS: bool>(
        format: &FormatArgs<FINDINGS>,
        base: &Path,
    ) -> Result<Self, CliError> {
        let (style, links) = (format.style(), format.links(base));
        let settings = ReportSettings { style, links, ..ReportSettings::below(base) };
        let mut begun = Self {
            writer: BufWriter::new(io::stdout().lock()),
            report: (format.format.report)(&settings),
            // Text is printable already, and has colours.
            is_for_terminal: format.format != TEXT && io::stdout().is_terminal(),
        };
        begun.write(|report, out| report.begin(out))?;
        Ok(begun)
    }

    /// Adds a row.
    pub(super) fn row(&mut self, row: &dyn ReportRow) -> Result<(), CliError> {
        self.write(|report, out| report.row(row, out))
    }

    /// Adds rows and ends the report. Returns whether there were none.
    pub(super) fn all(mut self, rows: impl IntoIterator<Item = impl ReportRow>) -> Result<bool, CliError> {
        let mut is_empty = true;
        for row in rows {
            is_empty = false;
            self.row(&row)?;
        }
        self.end()?;
        Ok(is_empty)
    }

    /// Ends the report, and sends out what is still held back.
    pub(super) fn end(mut self) -> Result<(), CliError> {
        self.write(|report, out| report.end(out))?;
        self.writer.flush().map_err(CliError::Output)
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut dyn Report, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        let report = &mut *self.report;
        let written = if self.is_for_terminal {
            let mut exact = Vec::new();
            write(report, &mut exact).and_then(|()| self.writer.write_all(for_terminal(&exact).as_bytes()))
        } else {
            write(report, &mut self.writer)
        };
        written.map_err(CliError::Output)
    }
}

/// What a terminal shows of text for other programs.
fn for_terminal(exact: &[u8]) -> String {
    printable(&String::from_utf8_lossy(exact).replace("\r\n", "\n"))
}

/// Prints lines for people that are not rows, and so have no other format.
pub(super) fn say(lines: &str) -> Result<(), CliError> {
    print_bytes(uncommanded(&printable(lines)).as_bytes())
}

/// Prints text for other programs, byte by byte, unless standard output is a terminal.
pub(super) fn print_exact(text: &str) -> Result<(), CliError> {
    match io::stdout().is_terminal() {
        true => say(text),
        false => print_bytes(text.as_bytes()),
    }
}

/// Prints names of files, which need not be text, byte by byte.
pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(CliError::Output)
}
