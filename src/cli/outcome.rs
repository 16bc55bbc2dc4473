//! The result of a successful verb.

use super::error::CliError;
use crate::corpus::Unread;

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
    pub(super) fn of(is_empty: bool, unread: &Unread) -> Result<Self, CliError> {
        match unread.take_message() {
            Some(sentence) => Err(CliError::Unread(sentence)),
            None => Ok(if is_empty { Self::Nothing } else { Self::Done }),
        }
    }
}
