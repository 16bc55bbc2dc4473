//! Messages on standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::storage::printable;

/// Says what is wrong with the arguments, or prints the help that they ask for. They may be names of files, so
/// what is wrong is quoted without colours: they could not be told from what the names hold.
pub fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let _ = write!(io::stderr().lock(), "{}", printable(&error.render().to_string()));
    ExitCode::from(2)
}

/// Writes a sentence to standard error; when nobody reads it, the exit code has to do.
pub fn tell(sentence: impl Display) {
    let _ = writeln!(io::stderr().lock(), "dupi-tui: {}", printable(&sentence.to_string()));
}
