//! Errors of the terminal UI.

use std::io;
use std::path::PathBuf;

use dupi_base::storage::{in_words, shown};

/// Why the terminal UI cannot run, or failed.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// Standard input or output is not a terminal.
    #[error("the terminal UI needs a terminal; for scripts there are verbs, see `dupi-tui --help`")]
    NoTerminal,
    /// The terminal has no cursor movement.
    #[error(
        "the terminal UI needs a terminal that moves its cursor, and TERM is dumb; \
         `dupi-tui passages`, `documents` and `files` print the same lists, see `dupi-tui --help`"
    )]
    Dumb,
    /// The terminal reported an error.
    #[error("the terminal failed: {}", in_words(.0))]
    Terminal(#[from] io::Error),
    /// The program panicked.
    #[error("a fault of the program: {message}; it left in order, and {report}")]
    Panicked {
        /// The message and location of the panic.
        message: String,
        /// The place of the report.
        report: ReportPlace,
    },
}

/// The place of a panic report, as a sentence.
#[derive(Debug)]
pub struct ReportPlace(pub Option<PathBuf>);

impl std::fmt::Display for ReportPlace {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(path) => write!(to, "a report for its developers is in {}", shown(path)),
            None => to.write_str("no report could be written"),
        }
    }
}
