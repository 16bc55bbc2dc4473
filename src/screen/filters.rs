//! The history of filters, which `↑` in the filter prompt recalls, the newest first; and the thread that saves and deletes
//! named filters, because that waits for a lock and for the disk.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use dupi_base::config::SavedFilters;
use dupi_base::storage::Folder;

/// The largest number of kept filters.
const MOST: usize = 50;

/// Earlier filters, the newest first, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterHistory {
    filters: Vec<String>,
}

/// How far a line has gone back from its typed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryWalk {
    /// The text that was typed; it comes back below the newest filter.
    typed: String,
    /// The number of steps back.
    steps: usize,
}

impl FilterHistory {
    /// Saved filters, the newest first.
    pub fn new(saved: Vec<String>) -> Self {
        let mut history = Self::default();
        saved.iter().rev().for_each(|filter| history.add(filter));
        history
    }

    /// Adds a filter as the newest one.
    pub fn add(&mut self, filter: &str) {
        let filter = filter.trim();
        if !filter.is_empty() {
            self.filters.retain(|other| other != filter);
            self.filters.insert(0, filter.to_owned());
            self.filters.truncate(MOST);
        }
    }

    /// The filters, the newest first.
    pub fn filters(&self) -> &[String] {
        &self.filters
    }

    /// The text one step away from that of a line, to older or to newer filters, with the walk from there; `None` at
    /// either end. A filter that equals the typed text is passed over.
    pub fn step(
        &self,
        walk: Option<&HistoryWalk>,
        text: &str,
        is_older: bool,
    ) -> Option<(String, HistoryWalk)> {
        let from = walk.cloned().unwrap_or_else(|| HistoryWalk { typed: text.to_owned(), steps: 0 });
        let steps = if is_older { from.steps + 1 } else { from.steps.checked_sub(1)? };
        let mut earlier = self.filters.iter().filter(|filter| *filter != from.typed.trim());
        let text = match steps {
            0 => from.typed.clone(),
            _ => earlier.nth(steps - 1)?.clone(),
        };
        Some((text, HistoryWalk { steps, ..from }))
    }
}

/// A filter to save under a name, or, without a text, a name to delete.
type SaveJob = (String, Option<String>);

/// The thread that saves filters.
pub(crate) struct FilterStore {
    jobs: Sender<SaveJob>,
    thread: JoinHandle<()>,
}

impl FilterStore {
    /// Starts the thread; filters are saved in this folder.
    pub(crate) fn start(user: Option<Folder>, tell: impl Fn(FilterOutcome) + Send + 'static) -> Self {
        let (jobs, inbox) = channel::<SaveJob>();
        let thread = thread::spawn(move || {
            for (name, text) in inbox {
                // All requests are carried out, even when the user quits.
                tell(keep(user.as_ref(), &name, text.as_deref()));
            }
        });
        Self { jobs, thread }
    }

    /// Requests that a filter is saved or deleted. Does not block.
    pub(crate) fn send(&self, name: String, text: Option<String>) {
        let _ = self.jobs.send((name, text));
    }

    /// Waits until all requests are carried out.
    pub(crate) fn stop(self) {
        drop(self.jobs);
        if self.thread.join().is_err() {
            tracing::error!("the thread that keeps filters had panicked");
        }
    }
}

/// Saves or deletes a filter.
pub(crate) fn keep(user: Option<&Folder>, name: &str, text: Option<&str>) -> FilterOutcome {
    let Some(user) = user else {
        let sentence = "There is no home folder to keep filters in; set HOME.".to_owned();
        return FilterOutcome { saved: None, sentence };
    };
    let (saved, said) = match text {
        Some(text) => {
            (SavedFilters::save(user, name, text), format!("Saved: @{name} in a filter stands for it."))
        }
        None => (SavedFilters::remove(user, name).map(|(left, _)| left), format!("@{name} is forgotten.")),
    };
    match saved {
        Ok(saved) => FilterOutcome { saved: Some(Arc::new(saved)), sentence: said },
        Err(error) => FilterOutcome { saved: None, sentence: error.to_string() },
    }
}

/// The result of a write: all saved filters if it succeeded, and the message.
#[derive(Clone, Debug)]
pub(crate) struct FilterOutcome {
    /// All filters there are now; `None` when nothing could be written.
    pub saved: Option<Arc<SavedFilters>>,
    /// Says what was done, or why not.
    pub sentence: String,
}

impl FilterOutcome {
    /// Whether nothing was kept or forgotten.
    pub(crate) fn has_failed(&self) -> bool {
        self.saved.is_none()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use dupi_base::storage::Lock;

    #[test]
    fn filters_are_kept_once_and_the_oldest_go_first() {
        let mut history = FilterHistory::new((0..60).map(|number| format!("word{number}")).collect());
        assert_eq!((history.filters().len(), history.filters()[0].as_str()), (MOST, "word0"));
        history.add(" word3 ");
        history.add("  ");
        assert_eq!(history.filters()[..3], ["word3", "word0", "word1"]);
        assert_eq!(history.filters().len(), MOST);
        assert_eq!(FilterHistory::new(history.filters().to_vec()), history);
    }

    #[test]
    fn steps_lead_to_older_filters_and_back_to_the_typed_text() {
        let history = FilterHistory::new(["c", "b ", "a"].map(str::to_owned).to_vec());
        let mut walk = None;
        let mut step = |is_older| {
            let (text, next) = history.step(walk.as_ref(), "b ", is_older)?;
            walk = Some(next);
            Some(text)
        };
        assert_eq!(step(false), None);
        let texts = [true, true, true, false, false, false].map(&mut step);
        assert_eq!(texts.map(Option::unwrap_or_default), ["c", "a", "", "c", "b ", ""]);
        assert_eq!(FilterHistory::default().step(None, "", true), None);
    }

    #[test]
    fn whoever_asks_does_not_wait_for_the_lock_and_all_is_kept_at_the_end() {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path());
        let lock = Lock::take(&user, "filters.lock").unwrap().unwrap();
        let (events, inbox) = channel();
        let filter_store = FilterStore::start(Some(user.clone()), move |outcome| drop(events.send(outcome)));
        filter_store.send("a".to_owned(), Some("tokens:>5".to_owned()));
        filter_store.send("b".to_owned(), Some("tokens:>6".to_owned()));
        assert!(inbox.try_recv().is_err(), "another process holds the lock");
        drop(lock);
        filter_store.stop();
        let said: Vec<String> = inbox.try_iter().map(|outcome| outcome.sentence).collect();
        assert!(said.len() == 2 && said.iter().all(|said| said.starts_with("Saved")), "{said:?}");
        assert_eq!(SavedFilters::load(&user).unwrap().names().collect::<Vec<_>>(), ["a", "b"]);
    }
}
