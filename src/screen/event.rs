//! Events, which `update` reacts to, and effects, which the main loop performs after an update.
//!
//! Updates of the session wait in a queue until the main loop processes them. A new update replaces queued ones that it
//! makes obsolete, so that the queue stays short while the loop is blocked, for example by an editor. Answers and
//! decisions are never dropped.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crossterm::event::{KeyEvent, MouseEvent};

use crate::filters::FilterOutcome;
use crate::highlight::{HighlightJob, Highlighted};
use crate::theme::Rgb;
use crate::user_commands::{CommandPlace, UserCommand};
use dupi_session::{DecisionResult, Item, Preview, Request, RowPlace, Update, WriteResult};

/// An event.
#[derive(Clone, Debug)]
pub(crate) enum TuiEvent {
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
}

/// A callback that sends what it is told as an event. Once the main loop has ended, nobody listens.
pub(crate) fn teller<T>(events: &Sender<TuiEvent>, event: fn(T) -> TuiEvent) -> impl Fn(T) + Send + use<T> {
    let events = events.clone();
    move |told| drop(events.send(event(told)))
}

impl TuiEvent {
    /// The sentence of an event that reports a failure.
    pub(crate) fn failure(&self) -> Option<String> {
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

/// The queue.
#[derive(Default)]
pub(crate) struct UpdateQueue {
    waiting: Mutex<VecDeque<Update>>,
}

impl UpdateQueue {
    /// The callback for the session. One event announces any number of queued updates.
    pub(crate) fn listener(
        self: &Arc<Self>,
        events: Sender<TuiEvent>,
    ) -> impl Fn(Update) + Send + Sync + use<> {
        let queue = Arc::clone(self);
        move |update| {
            if queue.put(update) {
                let _ = events.send(TuiEvent::UpdatesWaiting);
            }
        }
    }

    /// The events that an event stands for: all queued updates, or itself.
    pub(crate) fn events_of(&self, event: TuiEvent) -> impl Iterator<Item = TuiEvent> + use<> {
        let (waiting, itself) = match event {
            TuiEvent::UpdatesWaiting => (std::mem::take(&mut *self.lock()), None),
            event => (VecDeque::new(), Some(event)),
        };
        waiting.into_iter().map(TuiEvent::Session).chain(itself)
    }

    /// Adds an update. Returns whether the queue was empty.
    fn put(&self, update: Update) -> bool {
        let mut waiting = self.lock();
        let is_first = waiting.is_empty();
        waiting.retain(|older| !is_stale(older, &update));
        waiting.push_back(update);
        is_first
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Update>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a newer update makes an older one obsolete.
fn is_stale(older: &Update, newer: &Update) -> bool {
    let is_of_one_kind = std::mem::discriminant(older) == std::mem::discriminant(newer);
    match (older, newer) {
        // A late answer must not replace the one that is waited for.
        (Update::Rows(older), Update::Rows(newer)) => older.view == newer.view,
        (Update::Preview(older), Update::Preview(newer)) => {
            let asked = |preview: &Preview| (preview.row.as_ref().map(Item::id), preview.current);
            asked(older) == asked(newer)
        }
        (Update::TabooPreview(older), Update::TabooPreview(newer)) => older.rows == newer.rows,
        (
            Update::Progress(_)
            | Update::Searching(_)
            | Update::Comparing(_)
            | Update::Reviewing(_)
            | Update::Activity(_)
            | Update::Notice(_)
            | Update::Tried(..)
            | Update::Mismatch(_),
            _,
        ) => is_of_one_kind,
        _ => false,
    }
}

/// An effect.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// Send a request to the session.
    Ask(Request),
    /// Request syntax colours of what is on the screen.
    Highlight(Vec<HighlightJob>),
    /// Open the editor.
    Edit {
        /// The file, relative to the corpus's base.
        path: PathBuf,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// Run a command of the user.
    Run {
        /// The command.
        command: Arc<UserCommand>,
        /// Where it is run.
        place: CommandPlace,
    },
    /// Quit, and print places.
    Print {
        /// The places.
        places: Vec<RowPlace>,
        /// How many of the rows had none any more.
        left_out: usize,
    },
    /// Copy text to the clipboard.
    Copy(String),
    /// Capture the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Save a filter under a name; `None` deletes it.
    SaveFilter(String, Option<String>),
    /// Suspend the process.
    Suspend,
    /// Take over the terminal again after a stop.
    Take,
    /// Redraw the whole screen.
    Redraw,
    /// Quit.
    Quit,
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::fixture::{idle, indexing, listing, model_of, preview};
    use dupi_session::Subject;

    fn taken(queue: &UpdateQueue) -> Vec<Update> {
        let session = |event| if let TuiEvent::Session(update) = event { Some(update) } else { None };
        queue.events_of(TuiEvent::UpdatesWaiting).filter_map(session).collect()
    }

    #[test]
    fn however_long_nobody_looks_only_the_newest_of_each_kind_waits() {
        let model = model_of(Subject::Passages, 120, 30);
        let row = model.list.row().unwrap();
        let (queue, (events, inbox)) = (Arc::<UpdateQueue>::default(), channel());
        let tell = queue.listener(events);
        for round in 0..1000 {
            for update in [indexing(), listing(&model, round % 30), preview(row, 0), idle()] {
                tell(update);
            }
            tell(Update::Searching(dupi_session::SearchState::At(0.5)));
            tell(Update::Activity(Arc::default()));
            tell(Update::Notice(round.to_string()));
        }
        assert_eq!(inbox.try_iter().count(), 1);
        let waited = taken(&queue);
        assert_eq!(waited.len(), 6, "{waited:?}");
        assert!(matches!(&waited[0], Update::Rows(listing) if listing.rows.len() == 9));
        assert!(matches!(&waited[5], Update::Notice(last) if last == "999"));
        tell(idle());
        assert_eq!(inbox.try_iter().count(), 1, "who looked once is told again");
    }

    #[test]
    fn decisions_and_answers_all_wait_in_their_order() {
        let model = model_of(Subject::Passages, 120, 30);
        let queue = UpdateQueue::default();
        let decided = |number: u64| Update::Decided {
            sentence: number.to_string(),
            result: dupi_session::DecisionResult::Done,
        };
        let row = model.list.row().unwrap();
        for update in [
            listing(&model, 3),
            decided(1),
            listing(&model, 2),
            Update::Text("text".into()),
            preview(row, 1),
            decided(2),
            preview(row, 0),
        ] {
            queue.put(update);
        }
        let kinds: Vec<String> = taken(&queue)
            .into_iter()
            .map(|update| match update {
                Update::Decided { sentence, .. } => sentence,
                Update::Rows(listing) => format!("{} rows", listing.rows.len()),
                Update::Preview(preview) => format!("copy {}", preview.current),
                Update::Text(text) => text,
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(kinds, ["1", "2 rows", "text", "copy 1", "2", "copy 0"]);
    }
}
