//! Queue of session updates that the main loop has not processed yet, in order.
//!
//! A new update replaces queued ones that it makes obsolete, so that the queue stays short while the loop is blocked, for
//! example by an editor. Answers and decisions are never dropped.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::event::TuiEvent;
use dupi_session::{Item, Update};

/// The queue.
#[derive(Default)]
pub(super) struct UpdateQueue {
    waiting: Mutex<VecDeque<Update>>,
}

impl UpdateQueue {
    /// The callback for the session. One event announces any number of queued updates.
    pub(super) fn listener(
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
    pub(super) fn events_of(&self, event: TuiEvent) -> impl Iterator<Item = TuiEvent> + use<> {
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
    match (older, newer) {
        (Update::Progress(_), Update::Progress(_))
        | (Update::Searching(_), Update::Searching(_))
        | (Update::Comparing(_), Update::Comparing(_))
        | (Update::Reviewing(_), Update::Reviewing(_))
        | (Update::Activity(_), Update::Activity(_))
        | (Update::Notice(_), Update::Notice(_))
        | (Update::Tried(..), Update::Tried(..))
        | (Update::Mismatch(_), Update::Mismatch(_)) => true,
        // A late answer must not replace the one that is waited for.
        (Update::Rows(older), Update::Rows(newer)) => older.view == newer.view,
        (Update::Preview(older), Update::Preview(newer)) => {
            let asked =
                |preview: &dupi_session::Preview| (preview.row.as_ref().map(Item::id), preview.current);
            asked(older) == asked(newer)
        }
        (Update::TabooPreview(older), Update::TabooPreview(newer)) => older.rows == newer.rows,
        _ => false,
    }
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
