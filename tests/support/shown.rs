//! A session that shows the passages of a folder.
#![allow(dead_code, reason = "each test program uses a part")]

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use dupi::corpus::Corpus;
use dupi::session::{
    DecisionResult, Item, Listing, Options, Preview, Request, Session, Subject, Update, View,
};
use dupi::storage::Folder;

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A session that shows the passages of a folder.
pub struct Shown {
    /// Holds the corpus, and the index beside it.
    pub place: tempfile::TempDir,
    session: Option<Session>,
    updates: Receiver<Update>,
    passed: RefCell<Passed>,
}

/// What came while another update was waited for: the list and the sentence of a decision come in either order.
#[derive(Default)]
struct Passed {
    sentences: Vec<(String, DecisionResult)>,
    /// The newest list that came while a sentence was waited for.
    listing: Option<Arc<Listing>>,
}

impl Shown {
    pub fn new<N: AsRef<str>>(files: &[(N, String)]) -> Self {
        let place = crate::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        let (_, updates) = channel();
        let mut shown = Self { place, session: None, updates, passed: RefCell::default() };
        for (name, text) in files {
            shown.write(name.as_ref(), text);
        }
        shown.open();
        shown
    }

    /// Opens a session, after the last one has ended.
    pub fn open(&mut self) {
        self.open_at(Subject::Passages);
    }

    /// Opens a session with another view first.
    pub fn open_at(&mut self, of: Subject) {
        self.close();
        let (sender, updates) = channel();
        let options = Options {
            memory: 1 << 24,
            threads: 1,
            user: Some(Folder::new(self.place.path().join("user"))),
            ..Options::new(Folder::new(self.place.path().join("index")))
        };
        let corpus = Corpus::resolve(&[self.place.path().join("corpus")]).unwrap();
        self.session = Some(Session::start(corpus, options, move |update| drop(sender.send(update))));
        self.updates = updates;
        self.passed = RefCell::default();
        self.show(of);
    }

    /// Ends the session; the folder stays.
    pub fn close(&mut self) {
        if let Some(session) = self.session.take() {
            session.stop();
        }
    }

    /// Asks for the rows of a view.
    pub fn show(&self, of: Subject) {
        self.ask(Request::Rows(View { of, wanted: 100, ..View::default() }));
    }

    /// A path beside the corpus.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.place.path().join("corpus").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn ask(&self, request: Request) {
        self.session.as_ref().unwrap().send(request);
    }

    pub fn wait<T>(&self, what: &str, mut wanted: impl FnMut(Update) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut said = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(update) = self.updates.recv_timeout(left) else {
                panic!("waited for {what}; meanwhile it was said: {said:#?}");
            };
            if let Update::Decided { sentence, .. } | Update::Notice(sentence) = &update {
                said.push(sentence.clone());
            }
            let sentence = match &update {
                Update::Decided { sentence, result } => Some((sentence.clone(), *result)),
                _ => None,
            };
            if let Some(found) = wanted(update) {
                return found;
            }
            self.passed.borrow_mut().sentences.extend(sentence);
        }
    }

    /// Passages with so many copies each.
    pub fn rows(&self, copies: &[u64]) -> Arc<Listing> {
        self.listing(&format!("passages with {copies:?} copies"), |listing| {
            let shown: Vec<u64> = listing.rows.iter().filter_map(Item::copies).collect();
            shown == copies
        })
    }

    /// The sentence that says what a decision did.
    pub fn said(&self, start: &str) -> String {
        self.decided(start).0
    }

    /// The sentence that says what a decision did, and what became of it.
    pub fn decided(&self, start: &str) -> (String, DecisionResult) {
        let is_it = |sentence: &str| sentence.starts_with(start);
        let passed = &self.passed;
        let number = passed.borrow().sentences.iter().position(|(sentence, _)| is_it(sentence));
        if let Some(number) = number {
            return passed.borrow_mut().sentences.remove(number);
        }
        self.wait(&format!("`{start}…`"), |update| match update {
            Update::Decided { sentence, result } if is_it(&sentence) => Some((sentence, result)),
            Update::Rows(listing) => {
                passed.borrow_mut().listing = Some(listing);
                None
            }
            _ => None,
        })
    }

    /// A listing that is as wanted.
    pub fn listing(&self, what: &str, is_it: impl Fn(&Listing) -> bool) -> Arc<Listing> {
        let is_it = |listing: &Listing| !listing.is_provisional && listing.complete && is_it(listing);
        let passed = self.passed.borrow_mut().listing.take();
        if let Some(listing) = passed.filter(|listing| is_it(listing)) {
            return listing;
        }
        self.wait(what, |update| match update {
            Update::Rows(listing) => is_it(&listing).then_some(listing),
            _ => None,
        })
    }

    /// A preview that is as wanted.
    pub fn preview(&self, what: &str, is_it: impl Fn(&Preview) -> bool) -> Arc<Preview> {
        self.wait(what, |update| {
            let Update::Preview(preview) = update else { return None };
            is_it(&preview).then_some(preview)
        })
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.close();
    }
}

/// So many words, which stand nowhere else.
pub fn words(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ")
}
