//! Messages on standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use dupi_base::storage::{printable, uncommanded};

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
