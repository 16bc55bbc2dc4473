//! The result of a verb that did not fail.

use super::error::CliError;
use crate::corpus::Unread;

/// What a verb came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Done,
    /// Something was asked for, and there is none.
    Nothing,
}

impl Outcome {
    /// What an answer came to: all of it, or an error that says which files could not be read for it.
    pub fn of(is_empty: bool, unread: &Unread) -> Result<Self, CliError> {
        match unread.take_message() {
            Some(sentence) => Err(CliError::Unread(sentence)),
            None => Ok(if is_empty { Self::Nothing } else { Self::Done }),
        }
    }
}
