//! The result of a successful verb.

use super::error::CliError;
use super::messages::tell;
use dupi_base::corpus::Unread;
use dupi_index::index::snapshot::Snapshot;

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
