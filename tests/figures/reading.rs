//! How soon a document is shown, however long it is: from the request for its copy to its text, and to all that
//! is duplicated around it.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use dupi::corpus::{Corpus, WalkRules};
use dupi::session::{Item, Options, Phase, Preview, Request, Session, Subject, Update, View};
use dupi::storage::Folder;

use crate::milliseconds;
use crate::support::page::figure;

/// What is in two documents, the second one small.
const TWICE: &str = "seven figures probed the perfectly unprecedented sentence of this measurement again and \
                     again until somebody somewhere noticed that it stood in another document as well";

/// Documents of some sizes, of lines as usual or one line alone.
pub fn figures() {
    figure!(
        "| document | read and decoded | first text | with what is duplicated near | all that is looked through |"
    );
    figure!("| --- | --- | --- | --- | --- |");
    for (name, size, newline) in [
        ("10 KB", 10 << 10, '\n'),
        ("1 MB", 1 << 20, '\n'),
        ("100 MB", 100 << 20, '\n'),
        ("64 MB in one line", 64 << 20, ' '),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let corpus = folder.path().join("corpus");
        fs::create_dir(&corpus).unwrap();
        fs::write(corpus.join("a.txt"), document(size, newline)).unwrap();
        fs::write(corpus.join("b.txt"), TWICE).unwrap();
        measure(name, &corpus, folder.path().join("index").as_path());
    }
}

/// Words that hardly repeat, with the probe at the end.
fn document(size: usize, newline: char) -> String {
    let mut text = String::with_capacity(size + 200);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    while text.len() < size {
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text += &format!("{:x} ", state >> 40);
        }
        text.push(newline);
    }
    text + TWICE
}

fn measure(name: &str, corpus: &Path, index: &Path) {
    let (sender, updates) = channel();
    let options = Options {
        rules: Some(WalkRules { max_filesize: 1 << 30, ..WalkRules::default() }),
        ..Options::new(Folder::new(index))
    };
    let corpus_of = Corpus::resolve(&[corpus.to_owned()]).unwrap();
    let session = Session::start(corpus_of, options, move |update| drop(sender.send(update)));
    wait(&updates, |update| {
        matches!(update, Update::Progress(progress) if progress.phase == Phase::Idle && progress.documents == 2)
            .then_some(())
    });
    session.send(Request::Rows(View { of: Subject::Blots, wanted: 10, ..View::default() }));
    let row: Item = wait(&updates, |update| match update {
        Update::Rows(listing) if listing.complete => listing.rows.first().cloned(),
        _ => None,
    });
    let started = Instant::now();
    let text = String::from_utf8(fs::read(corpus.join("a.txt")).unwrap()).unwrap();
    let read = started.elapsed();
    let started = Instant::now();
    session.send(Request::Preview { row, current: 0 });
    let preview = |is_it: &dyn Fn(&Preview) -> bool| {
        wait(&updates, |update| match update {
            Update::Preview(preview) if is_it(&preview) => Some(started.elapsed()),
            _ => None,
        })
    };
    let first =
        preview(&|preview| preview.document.as_ref().is_some_and(|shown| shown.text.len() == text.len()));
    let near =
        preview(&|preview| preview.document.as_ref().is_some_and(|shown| !shown.duplicated.is_empty()));
    let (mut all, mut share) = (near, 0.0);
    while let Ok(update) = updates.recv_timeout(Duration::from_secs(3)) {
        if let Update::Preview(preview) = update
            && let Some(shown) = &preview.document
        {
            all = started.elapsed();
            share = (shown.examined.end - shown.examined.start) as f64 / text.len() as f64;
        }
    }
    figure!(
        "| {name} | {:.1} ms | {:.1} ms | {:.1} ms | {:.0} % in {:.0} ms |",
        milliseconds(read),
        milliseconds(first),
        milliseconds(near),
        share * 100.0,
        milliseconds(all)
    );
    session.stop();
}

fn wait<T>(updates: &Receiver<Update>, mut wanted: impl FnMut(Update) -> Option<T>) -> T {
    loop {
        let update = updates.recv_timeout(Duration::from_secs(300)).expect("the session answers");
        if let Some(found) = wanted(update) {
            return found;
        }
    }
}
