//! How soon a change of the folder is visible and durable, seen through a session as a front end sees it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use dupi::corpus::Corpus;
use dupi::index::manifest::Manifest;
use dupi::index::snapshot::Snapshot;
use dupi::session::{Options, Phase, Progress, Request, Session, Update, View, Watch};
use dupi::storage::Folder;

use crate::support::page::figure;

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session on a corpus whose index is complete.
pub struct Live {
    session: Session,
    updates: Receiver<(Instant, Update)>,
    home: Folder,
}

/// When a change was committed, and when it stood in the rows.
pub struct Seen {
    pub durable: Duration,
    pub visible: Duration,
}

impl Live {
    /// Opens a session and waits until it follows the folder.
    pub fn open(corpus: &Path, home: PathBuf) -> Self {
        let (sender, updates) = channel();
        let home = Folder::new(home);
        let options = Options::new(home.clone());
        let corpus = Corpus::resolve(&[corpus.to_owned()]).unwrap();
        let session = Session::start(corpus, options, move |update| {
            drop(sender.send((Instant::now(), update)));
        });
        session.send(Request::Rows(View { wanted: 1000, ..View::default() }));
        let live = Self { session, updates, home };
        live.wait("a session that follows the folder", |update| match update {
            Update::Progress(Progress { phase: Phase::Idle, watching: Watch::Events, .. }) => Some(()),
            _ => None,
        });
        live.quiet();
        live
    }

    /// Changes the folder and waits until that is seen.
    pub fn change(&self, change: impl FnOnce()) -> Seen {
        self.quiet();
        let before = Manifest::read(&self.home).unwrap().generation;
        change();
        let started = Instant::now();
        let written = SystemTime::now();
        let visible = self.wait("rows of the next generation", |update| match update {
            Update::Rows(listing) if listing.generation > before && listing.rows.len() >= 1000 => Some(()),
            _ => None,
        });
        let manifest = fs::metadata(self.home.at("manifest.json")).unwrap().modified().unwrap();
        let durable = manifest.duration_since(written).unwrap_or_default();
        Seen { durable, visible: visible - started }
    }

    /// Brings so many documents into the folder, and waits until the rows have them all.
    pub fn burst(&self, more: i64, change: impl FnOnce()) -> Duration {
        self.quiet();
        let before = Snapshot::open(&self.home).unwrap().totals().documents;
        change();
        let started = Instant::now();
        let mut generation = None;
        let seen = self.wait("all of a burst", |update| match update {
            Update::Progress(progress) if progress.documents as i64 == before as i64 + more => {
                generation.get_or_insert(progress.generation);
                None
            }
            Update::Rows(listing) if generation.is_some_and(|known| listing.generation >= known) => Some(()),
            _ => None,
        });
        seen - started
    }

    /// Ends the session.
    pub fn close(self) {
        self.session.stop();
    }

    fn wait(&self, what: &str, mut is_it: impl FnMut(&Update) -> Option<()>) -> Instant {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (at, update) = self.updates.recv_timeout(left).unwrap_or_else(|_| panic!("no {what}"));
            if is_it(&update).is_some() {
                return at;
            }
        }
    }

    /// Takes in what is still told, until nothing is.
    fn quiet(&self) {
        while self.updates.recv_timeout(Duration::from_millis(600)).is_ok() {}
    }
}

/// Prints the figures of changes in a folder that may be written to.
pub fn figures(corpus: &Path, home: PathBuf) {
    let live = Live::open(corpus, home);
    let file = corpus.join("dupi-figures-probe.c");
    let text = probe(corpus);
    let mut seen: Vec<Seen> = (0..9)
        .map(|number| live.change(|| fs::write(&file, format!("{text}\n/* {number} */\n")).unwrap()))
        .collect();
    let median = |of: fn(&Seen) -> Duration, seen: &mut Vec<Seen>| {
        seen.sort_by_key(of);
        of(&seen[seen.len() / 2]).as_secs_f64() * 1e3
    };
    let (durable, visible) = (median(|seen| seen.durable, &mut seen), median(|seen| seen.visible, &mut seen));
    figure!(
        "| one file of 20 KB changed: durable · visible in the rows, median of 9 | {durable:.0} ms · {visible:.0} ms |"
    );
    live.change(|| fs::remove_file(&file).unwrap());
    let old = big_file(corpus);
    let whole = fs::read(&old).unwrap();
    let seen = live.change(|| fs::write(&old, &whole[..whole.len() - 7]).unwrap());
    figure!(
        "| a file of the bulk build changed: durable · visible | {:.0} ms · {:.0} ms |",
        seen.durable.as_secs_f64() * 1e3,
        seen.visible.as_secs_f64() * 1e3
    );
    live.change(|| fs::write(&old, &whole).unwrap());
    let folder = corpus.join("dupi-figures-burst");
    fs::create_dir(&folder).unwrap();
    let time = live.burst(5000, || {
        for number in 0..5000 {
            fs::write(folder.join(format!("{number}.c")), format!("{text}\n/* {number} */\n")).unwrap();
        }
    });
    figure!(
        "| 5,000 files of 20 KB written at once, to the last of the rows | {:.2} s |",
        time.as_secs_f64()
    );
    live.burst(-5000, || fs::remove_dir_all(&folder).unwrap());
    live.close();
}

/// Some 20 KB of the corpus.
fn probe(corpus: &Path) -> String {
    let text = fs::read(big_file(corpus)).unwrap();
    String::from_utf8_lossy(&text).chars().take(20_000).collect()
}

/// The first file of 20 to 40 KB.
fn big_file(folder: &Path) -> PathBuf {
    fn look(folder: &Path) -> Option<PathBuf> {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
        entries
            .retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
        entries.sort();
        entries.into_iter().find_map(|path| match path.is_dir() {
            true => look(&path),
            false => {
                let size = fs::metadata(&path).ok()?.len();
                (20_000..40_000).contains(&size).then_some(path)
            }
        })
    }
    look(folder).expect("a file of 20 to 40 KB")
}
