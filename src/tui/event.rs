//! Events: everything that `update` reacts to.

use std::time::Instant;

use crossterm::event::{KeyEvent, MouseEvent};

use super::filter_store::FilterOutcome;
use super::highlight::Highlighted;
use super::theme::depth::Rgb;
use crate::session::{Became, Update, Written};

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum TuiEvent {
    /// A key.
    Key(KeyEvent),
    /// One of the others, and when it was read.
    Read(Instant, Box<TuiEvent>),
    /// The mouse.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has another size: columns, lines.
    Resize(u16, u16),
    /// The session told something that waits to be taken in.
    UpdatesWaiting,
    /// What it told.
    Session(Update),
    /// Colours for a document.
    Highlighted(Highlighted),
    /// A filter was kept or forgotten, or could not be.
    FilterOutcome(FilterOutcome),
    /// Text was sent to the clipboard: a sentence that says where.
    Copied(String),
    /// Time has passed.
    Tick,
    /// The terminal tells its background.
    Background(Rgb),
    /// Somebody wants the program to stop for a while.
    Stop,
    /// Somebody wants the program to end.
    Terminate,
    /// The program was stopped and goes on.
    Continued,
    /// A thread has panicked.
    Panicked,
}

impl TuiEvent {
    /// What could not be done, in a sentence, when that is what it tells.
    pub fn failure(&self) -> Option<String> {
        match self {
            Self::Session(Update::Decided { sentence, became: Became::Failed }) => Some(sentence.clone()),
            Self::Session(Update::Written(written @ (Written::Exists(_) | Written::Failed(_)))) => {
                Some(written.to_string())
            }
            Self::FilterOutcome(kept) if kept.has_failed() => Some(kept.sentence.clone()),
            _ => None,
        }
    }
}
