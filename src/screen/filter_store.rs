//! Saves and deletes named filters on a thread of its own, because that waits for a lock and for the disk.

mod outcome;

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use super::event::TuiEvent;
use dupi_base::config::SavedFilters;
use dupi_base::storage::Folder;
pub(super) use outcome::FilterOutcome;

/// A filter to save under a name, or, without a text, a name to delete.
type SaveJob = (String, Option<String>);

/// The thread that saves filters.
pub(super) struct FilterStore {
    jobs: Sender<SaveJob>,
    thread: JoinHandle<()>,
}

impl FilterStore {
    /// Starts the thread; filters are saved in this folder.
    pub(super) fn start(user: Option<Folder>, events: Sender<TuiEvent>) -> Self {
        let (jobs, inbox) = channel::<SaveJob>();
        let thread = thread::spawn(move || {
            for (name, text) in inbox {
                // All requests are carried out, even when the user quits.
                let _ = events.send(TuiEvent::FilterOutcome(keep(user.as_ref(), &name, text.as_deref())));
            }
        });
        Self { jobs, thread }
    }

    /// Requests that a filter is saved or deleted. Does not block.
    pub(super) fn send(&self, name: String, text: Option<String>) {
        let _ = self.jobs.send((name, text));
    }

    /// Waits until all requests are carried out.
    pub(super) fn stop(self) {
        drop(self.jobs);
        if self.thread.join().is_err() {
            tracing::error!("the thread that keeps filters had panicked");
        }
    }
}

/// Saves or deletes a filter.
pub(super) fn keep(user: Option<&Folder>, name: &str, text: Option<&str>) -> FilterOutcome {
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use dupi_base::storage::Lock;

    #[test]
    fn whoever_asks_does_not_wait_for_the_lock_and_all_is_kept_at_the_end() {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path());
        let lock = Lock::take(&user, "filters.lock").unwrap().unwrap();
        let (events, inbox) = channel();
        let filter_store = FilterStore::start(Some(user.clone()), events);
        filter_store.send("a".to_owned(), Some("tokens:>5".to_owned()));
        filter_store.send("b".to_owned(), Some("tokens:>6".to_owned()));
        assert!(inbox.try_recv().is_err(), "another process holds the lock");
        drop(lock);
        filter_store.stop();
        let said: Vec<String> = inbox
            .try_iter()
            .map(
                |event| if let TuiEvent::FilterOutcome(kept) = event { kept.sentence } else { String::new() },
            )
            .collect();
        assert!(said.len() == 2 && said.iter().all(|said| said.starts_with("Saved")), "{said:?}");
        assert_eq!(SavedFilters::load(&user).unwrap().names().collect::<Vec<_>>(), ["a", "b"]);
    }
}
