//! A session that follows a folder, held against what lies in the folder.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::naive::{Documents, expected, ranked, text};
use dupi::blot::{Recipe, RecipeChoice};
use dupi::corpus::{Corpus, stamp};
use dupi::index::snapshot::Snapshot;
use dupi::session::{Activity, Options, Phase, Progress, Request, Session, Update, Watch};
use dupi::storage::Folder;
use dupi::token::TokenMode;
use xxhash_rust::xxh3::xxh3_64;

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A folder that a session follows.
pub struct Followed {
    place: tempfile::TempDir,
    roots: Vec<PathBuf>,
    session: Option<Session>,
    updates: Receiver<Update>,
    recipe: Recipe,
}

impl Followed {
    /// An empty folder.
    pub fn new() -> Self {
        let mut followed = Self::not_yet();
        followed.open();
        followed
    }

    /// A folder with a file of each of these names, of which only these files are followed.
    pub fn files(names: &[&str]) -> Self {
        let mut followed = Self::not_yet();
        for name in names {
            followed.write(name, 1);
        }
        followed.roots = names.iter().map(|name| followed.at(name)).collect();
        followed.open();
        followed
    }

    fn not_yet() -> Self {
        let place = crate::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        let (_, updates) = channel();
        let recipe = Recipe { tokens: TokenMode::Words, ..Recipe::default() };
        let roots = vec![place.path().join("corpus")];
        Self { place, roots, session: None, updates, recipe }
    }

    /// Opens a session and waits until it follows.
    pub fn open(&mut self) {
        self.start();
        self.wait("a session that follows", |progress| {
            progress.phase == Phase::Idle && progress.watching == Watch::Events
        });
    }

    /// Opens a session.
    pub fn start(&mut self) {
        self.close();
        let (sender, updates) = channel();
        let home = Folder::new(self.place.path().join("index"));
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..RecipeChoice::default() };
        let options = Options { recipe, memory: 1 << 24, threads: 1, ..Options::new(home) };
        let corpus = Corpus::resolve(&self.roots).unwrap();
        self.session = Some(Session::start(corpus, options, move |update| drop(sender.send(update))));
        self.updates = updates;
    }

    /// Ends the session; the folder stays.
    pub fn close(&mut self) {
        if let Some(session) = self.session.take() {
            session.stop();
        }
    }

    pub fn ask(&self, request: Request) {
        self.session.as_ref().unwrap().send(request);
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.place.path().join("corpus").join(name)
    }

    pub fn outside(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub fn write(&self, name: &str, seed: u8) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content(seed)).unwrap();
    }

    pub fn wait(&self, what: &str, is_it: impl Fn(&Progress) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.updates.recv_timeout(left) {
                Ok(Update::Progress(progress)) if is_it(&progress) => return,
                Ok(_) => {}
                Err(error) => panic!("waiting for {what}: {error}"),
            }
        }
    }

    /// Waits until the activity of the session is as it should be.
    pub fn told_of_activity(&self, what: &str, is_it: impl Fn(&Activity) -> bool) {
        self.ask(Request::Activity);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.updates.recv_timeout(left) {
                Ok(Update::Activity(activity)) if is_it(&activity) => return,
                Ok(_) => {}
                Err(error) => panic!("waiting for {what}: {error}"),
            }
        }
    }

    /// The newest generation.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::open(&Folder::new(self.outside("index"))).unwrap()
    }

    /// Waits until the index has what lies in the folder, and nothing else.
    pub fn check(&self, what: &str) {
        let mut documents = Documents::new();
        collect(&self.at(""), Path::new(""), &mut documents);
        let expected = expected(&documents, &self.recipe);
        self.until(what, |snapshot| {
            let is_as_read = |file| {
                let (path, row) = (self.at("").join(snapshot.path(file)), snapshot.file(file));
                stamp(&path) == Some(row.stamp)
                    && fs::read(&path).is_ok_and(|text| row.hash == xxh3_64(&text))
            };
            names(snapshot).iter().eq(documents.keys())
                && snapshot.files().all(is_as_read)
                && ranked(snapshot) == expected
        });
    }

    /// Waits until the index has these files, and nothing else.
    pub fn check_names(&self, what: &str, expected: &[&str]) {
        self.until(what, |snapshot| names(snapshot).iter().eq(expected));
    }

    /// Waits until the index is as it should be.
    pub fn until(&self, what: &str, is_so: impl Fn(&Snapshot) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let snapshot = self.snapshot();
            if is_so(&snapshot) {
                return;
            }
            let left_out = snapshot.skipped();
            assert!(Instant::now() < deadline, "{what}: {:?}, left out {left_out:?}", names(&snapshot));
            // Whatever is told next may be it; something may also have been told before.
            let _ = self.updates.recv_timeout(Duration::from_millis(20));
        }
    }
}

/// The files of an index.
pub fn names(snapshot: &Snapshot) -> BTreeSet<String> {
    snapshot.files().map(|file| snapshot.path(file).display().to_string()).collect()
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.close();
    }
}

/// Text of one length, another for each seed.
pub fn content(seed: u8) -> String {
    text(&(0..30_u32).map(|at| ((u32::from(seed) + at * at) % 10) as u8).collect::<Vec<u8>>())
}

fn collect(folder: &Path, name: &Path, documents: &mut Documents) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = name.join(entry.file_name());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, documents);
        } else {
            let text = fs::read_to_string(entry.path()).unwrap();
            let words = text.split_whitespace().map(|word| word[1..].parse().unwrap()).collect();
            documents.insert(name.display().to_string(), words);
        }
    }
}
