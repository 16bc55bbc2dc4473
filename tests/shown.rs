//! What a session shows of passages: found, followed, compared, silenced.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use dupi::corpus::Corpus;
use dupi::query::ByteSpan;
use dupi::session::{Item, Listing, Options, Preview, Request, Session, Subject, Update, View};
use dupi::storage::Folder;

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A session that shows the passages of a folder.
struct Shown {
    place: tempfile::TempDir,
    session: Option<Session>,
    updates: Receiver<Update>,
}

impl Shown {
    fn new(files: &[(&str, String)]) -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        let (sender, updates) = channel();
        let mut shown = Self { place, session: None, updates };
        for (name, text) in files {
            shown.write(name, text);
        }
        let options = Options {
            memory: 1 << 24,
            threads: 1,
            ..Options::new(Folder::new(shown.place.path().join("index")))
        };
        let corpus = Corpus::resolve(&[shown.place.path().join("corpus")]).unwrap();
        shown.session = Some(Session::start(corpus, options, move |update| drop(sender.send(update))));
        shown.ask(Request::Rows(View { of: Subject::Passages, wanted: 100, ..View::default() }));
        shown
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.place.path().join("corpus").join(name), text).unwrap();
    }

    fn ask(&self, request: Request) {
        self.session.as_ref().unwrap().send(request);
    }

    fn wait<T>(&self, what: &str, mut wanted: impl FnMut(Update) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.updates.recv_timeout(left) {
                Ok(update) => {
                    if let Some(found) = wanted(update) {
                        return found;
                    }
                }
                Err(error) => panic!("waiting for {what}: {error}"),
            }
        }
    }

    /// Passages with so many copies each.
    fn rows(&self, copies: &[u64]) -> Arc<Listing> {
        self.wait(&format!("passages with {copies:?} copies"), |update| {
            let Update::Rows(listing) = update else { return None };
            let shown: Vec<u64> = listing.rows.iter().filter_map(Item::copies).collect();
            (!listing.is_provisional && listing.complete && shown == copies).then_some(listing)
        })
    }

    fn preview(&self, what: &str, is_it: impl Fn(&Preview) -> bool) -> Arc<Preview> {
        self.wait(what, |update| {
            let Update::Preview(preview) = update else { return None };
            is_it(&preview).then_some(preview)
        })
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            session.stop();
        }
    }
}

/// So many words, which stand nowhere else.
fn words(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ")
}

fn within(text: &str, word: &str) -> ByteSpan {
    let start = text.find(word).unwrap() as u64;
    ByteSpan { start, end: start + word.len() as u64 }
}

#[test]
fn passages_follow_the_folder_and_keep_their_names() {
    let text = words("fish", 40);
    let shown = Shown::new(&[("a", format!("one {text}")), ("b", format!("two {text}"))]);
    let first = shown.rows(&[2]).rows[0].clone();
    let ask = || shown.ask(Request::Preview { row: first.clone(), current: 0 });
    ask();
    shown.preview("both copies", |preview| preview.occurrences.len() == 2 && preview.unread == 0);
    shown.write("c", &format!("three {text}"));
    let more = shown.rows(&[3]);
    assert_eq!(more.rows[0].id(), first.id());
    // It may have been told before the rows were.
    ask();
    shown.preview("the third copy", |preview| preview.occurrences.len() == 3);
    let corpus = shown.place.path().join("corpus");
    fs::rename(corpus.join("c"), corpus.join("d")).unwrap();
    shown.preview("it under its new name", |preview| {
        preview.occurrences.len() == 3 && preview.occurrences[2].path.ends_with("d")
    });
    shown.write("a", "nothing of the kind");
    shown.write("b", "nor this");
    shown.rows(&[]);
}

#[test]
fn copies_are_compared_with_the_representative() {
    let text = words("bird", 40);
    let other = text.replace("bird20 ", "raven swan ");
    let shown = Shown::new(&[("a", text.clone()), ("b", other.clone()), ("c", text.clone())]);
    let row = shown.rows(&[3]).rows[0].clone();
    let has = |preview: &Preview, path: &str| {
        preview.document.as_ref().is_some_and(|document| document.path.ends_with(path))
    };
    shown.ask(Request::Preview { row: row.clone(), current: 1 });
    let preview = shown.preview("the second copy", |preview| has(preview, "b"));
    let beside = preview.beside.as_ref().unwrap();
    assert!(preview.similarity < 1.0 && beside.at.path.ends_with("a"));
    assert_eq!(preview.differs, [ByteSpan { end: within(&other, "swan").end, ..within(&other, "raven") }]);
    assert_eq!(beside.differs, [within(&text, "bird20")]);
    let after = (within(&other, "bird21").start as u32, within(&text, "bird21").start as u32);
    assert!(beside.pairs.contains(&after));
    shown.ask(Request::Preview { row, current: 2 });
    let equal = shown.preview("the third copy", |preview| has(preview, "c"));
    assert_eq!((equal.similarity, &equal.differs[..]), (1.0, &[][..]));
}

#[test]
fn what_lies_within_a_taboo_passage_is_hidden_now_and_later() {
    let text = words("tree", 60);
    let rest = words("moss", 30);
    let shown = Shown::new(&[
        ("a", text.clone()),
        ("b", text.clone()),
        ("c", format!("one {rest}")),
        ("d", format!("two {rest}")),
        ("e", format!("three {rest}")),
    ]);
    let rows = shown.rows(&[3, 2]);
    shown.ask(Request::Taboo { rows: vec![rows.rows[1].clone()], reason: None });
    shown.wait("what it did", |update| {
        let Update::Taboo(sentence) = update else { return None };
        sentence.starts_with("Taboo: 1 passage, 2 copies, 2 documents hidden").then_some(())
    });
    assert_eq!(shown.rows(&[3]).hidden.rows, 1);
    // Some of it, and too little else to count.
    let part = text.split_whitespace().skip(10).take(30).collect::<Vec<_>>().join(" ");
    let little = words("fern", 10);
    shown.write("f", &format!("four {part} {little} end"));
    shown.write("g", &format!("five {part} {little} stop"));
    shown.write("h", &format!("six {rest}"));
    assert!(shown.rows(&[4]).hidden.rows >= 1);
    shown.ask(Request::Rows(View {
        of: Subject::Passages,
        wanted: 100,
        show_taboo: true,
        ..View::default()
    }));
    shown.wait("the taboo rows", |update| {
        let Update::Rows(listing) = update else { return None };
        let taboo = listing.rows.iter().filter(|row| row.is_taboo()).count();
        (taboo >= 1 && listing.rows.len() > taboo).then_some(())
    });
    shown.ask(Request::Undo);
    shown.wait("all of it again", |update| {
        let Update::Rows(listing) = update else { return None };
        (listing.hidden.is_empty() && listing.rows.len() > 1).then_some(())
    });
}
