//! Events: everything that `update` reacts to.

use std::time::Instant;

use crossterm::event::{KeyEvent, MouseEvent};

use super::filter_store::FilterOutcome;
use super::highlight::Highlighted;
use super::theme::depth::Rgb;
use dupi_session::{DecisionResult, Update, WriteResult};

/// An event.
#[derive(Clone, Debug)]
pub(super) enum TuiEvent {
    /// A key was pressed.
    Key(KeyEvent),
    /// An event of the input thread, with the time at which it was read.
    Read(Instant, Box<Self>),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal was resized to these columns and lines.
    Resize(u16, u16),
    /// The update queue is no longer empty.
    UpdatesWaiting,
    /// An update of the session.
    Session(Update),
    /// Syntax colours are ready.
    Highlighted(Highlighted),
    /// A filter was saved or deleted, or that failed.
    FilterOutcome(FilterOutcome),
    /// Text was sent to the clipboard; a sentence says where.
    Copied(String),
    /// Time has passed.
    Tick,
    /// The background colour of the terminal is known.
    Background(Rgb),
    /// The process is to be suspended.
    Stop,
    /// The process is to end.
    Terminate,
    /// The process was resumed.
    Continued,
    /// The program that had the terminal has ended.
    Returned,
    /// A thread has panicked.
    Panicked,
}

impl TuiEvent {
    /// The sentence of an event that reports a failure.
    pub(super) fn failure(&self) -> Option<String> {
        match self {
            Self::Session(Update::Decided { sentence, result: DecisionResult::Failed }) => {
                Some(sentence.clone())
            }
            Self::Session(Update::Written(written @ (WriteResult::Exists(_) | WriteResult::Failed(_)))) => {
                Some(written.to_string())
            }
            Self::FilterOutcome(kept) if kept.has_failed() => Some(kept.sentence.clone()),
            _ => None,
        }
    }
}
