//! Keeps filters for the user, and forgets them: on a thread of its own, for it waits for a lock and for the disk.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use super::event::Event;
use super::model::Model;
use crate::config::SavedFilters;
use crate::session::Request;
use crate::storage::Folder;

/// A filter that is to be kept under a name; without a text, the one of this name is to be forgotten.
type Job = (String, Option<String>);

/// What came of it: all filters that there are now, when they could be written, and what is to be said.
#[derive(Clone, Debug)]
pub struct Kept {
    saved: Option<Arc<SavedFilters>>,
    /// Says what was done, or why not.
    pub sentence: String,
}

/// The thread that keeps filters, one after the other.
pub struct Keeper {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

impl Keeper {
    /// Starts it; filters are kept in the folder of a user.
    pub fn start(user: Option<Folder>, events: Sender<Event>) -> Self {
        let (jobs, inbox) = channel::<Job>();
        let thread = thread::spawn(move || {
            for (name, text) in inbox {
                // All that was asked for is kept, also for one who leaves.
                let _ = events.send(Event::Kept(keep(user.as_ref(), &name, text.as_deref())));
            }
        });
        Self { jobs, thread }
    }

    /// Asks for a filter to be kept or forgotten. Never waits.
    pub fn send(&self, name: String, text: Option<String>) {
        let _ = self.jobs.send((name, text));
    }

    /// Waits until all is kept that was asked for.
    pub fn stop(self) {
        drop(self.jobs);
        if self.thread.join().is_err() {
            tracing::error!("the thread that keeps filters had panicked");
        }
    }
}

impl Kept {
    /// Whether nothing was kept or forgotten.
    pub fn has_failed(&self) -> bool {
        self.saved.is_none()
    }
}

/// Keeps a filter under a name, or forgets the one of this name.
pub fn keep(user: Option<&Folder>, name: &str, text: Option<&str>) -> Kept {
    let Some(user) = user else {
        let sentence = "There is no home folder to keep filters in; set HOME.".to_owned();
        return Kept { saved: None, sentence };
    };
    let (saved, said) = match text {
        Some(text) => {
            (SavedFilters::save(user, name, text), format!("Saved: @{name} in a filter stands for it."))
        }
        None => (SavedFilters::remove(user, name).map(|(left, _)| left), format!("@{name} is forgotten.")),
    };
    match saved {
        Ok(saved) => Kept { saved: Some(Arc::new(saved)), sentence: said },
        Err(error) => Kept { saved: None, sentence: error.to_string() },
    }
}

/// Takes in what came of it, and says so. Returns what is to be asked then: rows that a saved filter chose may
/// be others.
pub fn on_kept(model: &mut Model, kept: Kept) -> Option<Request> {
    model.say(kept.sentence);
    model.settings.saved = kept.saved?;
    let is_asked = model.page.list().is_some() && model.list.view.filter.contains('@');
    is_asked.then(|| model.rows_request())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::session::Subject;
    use crate::storage::Lock;
    use crate::tui::fixture::model_of;

    fn save(user: Option<&Folder>, model: &mut Model, name: &str, text: Option<&str>) -> Option<Request> {
        on_kept(model, keep(user, name, text))
    }

    #[test]
    fn rows_that_a_saved_filter_chose_are_asked_for_again_when_it_is_another_or_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path());
        let mut model = model_of(Subject::Passages, 120, 30);
        assert_eq!(save(Some(&user), &mut model, "mine", Some("tokens:>5")), None, "nobody asks for it");
        model.list.view.filter = "-@mine".into();
        for text in [Some("tokens:>9"), None] {
            let Some(Request::Rows(view)) = save(Some(&user), &mut model, "mine", text) else {
                panic!("the rows are as they were: {:?}", model.said())
            };
            assert_eq!((view.filter.as_str(), view.saved.get("mine")), ("-@mine", text));
        }
    }

    #[test]
    fn without_a_home_folder_it_is_said_why_a_filter_cannot_be_kept() {
        let mut model = model_of(Subject::Passages, 120, 30);
        assert_eq!(save(None, &mut model, "mine", Some("tokens:>5")), None);
        assert!(model.said().is_some_and(|said| said.contains("no home folder")), "{:?}", model.said());
    }

    #[test]
    fn whoever_asks_does_not_wait_for_the_lock_and_all_is_kept_at_the_end() {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path());
        let lock = Lock::take(&user, "filters.lock").unwrap().unwrap();
        let (events, inbox) = channel();
        let keeper = Keeper::start(Some(user.clone()), events);
        keeper.send("a".to_owned(), Some("tokens:>5".to_owned()));
        keeper.send("b".to_owned(), Some("tokens:>6".to_owned()));
        assert!(inbox.try_recv().is_err(), "another process holds the lock");
        drop(lock);
        keeper.stop();
        let said: Vec<String> = inbox
            .try_iter()
            .map(|event| if let Event::Kept(kept) = event { kept.sentence } else { String::new() })
            .collect();
        assert!(said.len() == 2 && said.iter().all(|said| said.starts_with("Saved")), "{said:?}");
        assert_eq!(SavedFilters::load(&user).unwrap().names().collect::<Vec<_>>(), ["a", "b"]);
    }
}
