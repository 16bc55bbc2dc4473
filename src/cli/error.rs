//! The errors of verbs, with the messages that standard error shows.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

use dupi_base::corpus::SkipReason;
use dupi_base::storage::{StorageError, in_words, shown};
use dupi_ingest::UpdateError;

/// Why a verb failed. Only what some caller tells apart is a variant of its own.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Standard output.
    Output(io::Error),
    /// Bringing the index up to date.
    Update(UpdateError),
    /// A file argument cannot be read as text.
    File(String, SkipReason),
    /// Some files could not be read, so the answer may be incomplete.
    Unread(String),
    /// A signal ended the update, so there is no answer: it would be that of a part of the corpus.
    Interrupted,
    /// A wrong use of the verb, or another failure: a sentence.
    Failed(String),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write to standard output: {}", in_words(error)),
            Self::Update(error) => error.fmt(f),
            Self::File(name, reason) => write!(f, "cannot read {name}: {reason}"),
            Self::Unread(sentence) | Self::Failed(sentence) => f.write_str(sentence),
            Self::Interrupted => {
                f.write_str("interrupted; what was read is kept, and the next run continues from there")
            }
        }
    }
}

/// The errors of the library say all that a person needs. So this is no `Error` itself.
impl<E: Error> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

impl CliError {
    /// A wrong use, or another failure.
    pub(super) fn failed(sentence: impl Into<String>) -> Self {
        Self::Failed(sentence.into())
    }

    /// A file argument does not exist.
    pub(super) fn no_file(name: &str) -> Self {
        Self::Failed(format!("there is no file {name}; check the path"))
    }

    /// Standard input.
    pub(super) fn input(error: io::Error) -> Self {
        Self::Failed(format!("cannot read standard input: {}", in_words(&error)))
    }

    /// A file that is written.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| Self::Failed(format!("cannot write {}: {}", shown(path), in_words(&error)))
    }

    /// The signal handlers.
    pub(super) fn signals(error: io::Error) -> Self {
        Self::Failed(format!("cannot prepare for signals: {}", in_words(&error)))
    }

    /// A signal ended a verb that keeps nothing.
    pub(super) fn stopped() -> Self {
        Self::failed("interrupted")
    }

    /// A temporary file or folder.
    pub(super) fn temporary(error: StorageError) -> Self {
        Self::Failed(format!("{error}; the variable TMPDIR names the place for temporary files"))
    }
}
