//! A corpus that changes in a fixed way, with an index and decisions that follow it on any disk.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::HashMap;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use dupi::blot::{Recipe, RecipeChoice};
use dupi::index::IndexError;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Silent, UpdateError, Updater, bring_up_to_date};
use dupi::session::{Options, Watch};
use dupi::storage::Folder;
use dupi::taboo::{TabooEntry, TabooList, today};
use dupi::token::TokenMode;
use xxhash_rust::xxh3::xxh3_64;

use crate::naive::{Documents, check_sketches, expected, ranked, text};

/// Commits of the story: so many that segments are merged.
pub const COMMITS: u32 = 10;

/// Words, whatever the file's name.
pub fn recipe() -> Recipe {
    Recipe { tokens: TokenMode::Words, ..Recipe::default() }
}

/// A corpus that changes in a fixed way, and everything that ever stood in it.
pub struct Story {
    place: tempfile::TempDir,
    /// What a file of this name and hash held.
    ever: HashMap<(String, u64), Vec<u8>>,
}

impl Story {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        let place = crate::tempdir().unwrap();
        let story = Self { place, ever: HashMap::new() };
        story.begin();
        story
    }

    /// Makes the corpus empty.
    fn begin(&self) {
        let _ = fs::remove_dir_all(self.corpus());
        fs::create_dir(self.corpus()).unwrap();
    }

    /// The folder of documents.
    pub fn corpus(&self) -> PathBuf {
        self.place.path().join("corpus")
    }

    /// The folder of the index.
    pub fn home(&self) -> PathBuf {
        self.place.path().join("index")
    }

    fn write(&mut self, name: &str, words: Vec<u8>) {
        let text = text(&words);
        fs::write(self.corpus().join(name), &text).unwrap();
        self.ever.insert((name.to_owned(), xxh3_64(text.as_bytes())), words);
    }

    /// What happens before a commit.
    pub fn step(&mut self, number: u32) {
        let words = |seed: u32| (0..30).map(|at| ((seed * 7 + at * at) % 11) as u8).collect();
        self.write(&format!("new{number}"), words(number));
        self.write("again", words(number + 3));
        if number.is_multiple_of(3) {
            let _ = fs::remove_file(self.corpus().join(format!("new{}", number / 2)));
        }
    }

    /// How a session or an updater is to work on it.
    pub fn options(&self, home: Folder) -> Options {
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..RecipeChoice::default() };
        Options { recipe, memory: 1 << 24, threads: 1, watch: Watch::Off, ..Options::new(home) }
    }

    /// Opens the index for writing, or makes it.
    pub fn open(&self, home: &Folder) -> Result<Box<Updater>, UpdateError> {
        crate::naive::open(&self.options(home.clone()), self.corpus())
    }

    /// The story on some disk. What the disk refuses is told as a sentence and then tried again, as a session
    /// does; after that there is one more step.
    pub fn play(&mut self, home: &Folder, refused: impl FnMut(String)) {
        self.begin();
        self.play_commits(0..COMMITS, home, refused);
    }

    /// Some commits of the story, where it stands before the first of them.
    pub fn play_commits(&mut self, commits: Range<u32>, home: &Folder, mut refused: impl FnMut(String)) {
        let mut steps = commits.end;
        for number in commits {
            if number == steps {
                return;
            }
            self.step(number);
            while let Err(error) = self.update(home) {
                refused(error.to_string());
                steps = number + 2;
            }
            while let Err(error) = decide(home, number) {
                refused(error.to_string());
                steps = number + 2;
            }
        }
    }

    /// Keeps how the corpus and the index stand now.
    pub fn keep(&self) -> tempfile::TempDir {
        let kept = crate::tempdir().unwrap();
        copy_folder(self.place.path(), kept.path());
        kept
    }

    /// Makes the corpus and the index what they were.
    pub fn go_back_to(&self, kept: &tempfile::TempDir) {
        for folder in [self.corpus(), self.home()] {
            let _ = fs::remove_dir_all(folder);
        }
        copy_folder(kept.path(), self.place.path());
    }

    fn update(&self, home: &Folder) -> Result<(), UpdateError> {
        let mut updater = self.open(home)?;
        let updated = bring_up_to_date(&mut updater, &Silent);
        if updated.is_err() {
            // Whatever it is that failed: what is on the disk is whole, and stays so when the writer goes on.
            let committed = self.check(&Folder::new(self.home()));
            updater.writer().sweep();
            assert_eq!(self.check(&Folder::new(self.home())), committed);
            if bring_up_to_date(&mut updater, &Silent).is_ok() {
                let generation = self.check(&Folder::new(self.home()));
                assert_eq!(generation, Some(updater.snapshot().manifest().generation));
            }
        }
        updated
    }

    /// Opens what is in a folder, and compares it with what the documents that it names hold. Returns the
    /// generation; `None` where none was committed.
    pub fn check(&self, home: &Folder) -> Option<u64> {
        let snapshot = match Snapshot::open(home) {
            Ok(snapshot) => snapshot,
            Err(IndexError::Absent(_)) => return None,
            Err(error) => panic!("{error}"),
        };
        let documents: Documents = snapshot
            .files()
            .map(|file| {
                let name = snapshot.path(file).display().to_string();
                let hash = snapshot.file(file).hash;
                (name.clone(), self.ever[&(name, hash)].clone())
            })
            .collect();
        assert_eq!(ranked(&snapshot), expected(&documents, &recipe()));
        check_sketches(&snapshot, &documents);
        Some(snapshot.manifest().generation)
    }

    /// Goes on with a whole disk, and is as if nothing had happened.
    pub fn check_going_on(&self, home: &Folder) {
        let mut updater = self.open(home).unwrap();
        bring_up_to_date(&mut updater, &Silent).unwrap();
        let names = fs::read_dir(self.corpus())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let words = |name: &String| {
            let hash = xxh3_64(&fs::read(self.corpus().join(name)).unwrap());
            self.ever[&(name.clone(), hash)].clone()
        };
        let documents: Documents = names.map(|name| (name.clone(), words(&name))).collect();
        assert_eq!(ranked(updater.snapshot()), expected(&documents, &recipe()));
        check_sketches(updater.snapshot(), &documents);
    }
}

/// The decision with this number.
pub fn decision(number: u32) -> TabooEntry {
    TabooEntry { text: format!("decision {number}"), added: today(), reason: None, language: None }
}

/// Takes the decision with this number.
pub fn decide(home: &Folder, number: u32) -> Result<(), dupi::taboo::TabooError> {
    TabooList::edit(home, |list| list.add(decision(number))).map(drop)
}

/// How many decisions are on the list; they are the first ones without a gap.
pub fn decisions(home: &Folder) -> u32 {
    let list = TabooList::load(home).unwrap();
    let expected: Vec<String> =
        (0..list.entries().len() as u32).map(|number| decision(number).text).collect();
    assert_eq!(list.entries().iter().map(|entry| entry.text.clone()).collect::<Vec<_>>(), expected);
    list.entries().len() as u32
}

/// Copies what a folder holds, with the times of files.
fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let copy = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&copy).unwrap();
            copy_folder(&entry.path(), &copy);
        } else {
            fs::copy(entry.path(), &copy).unwrap();
            let copy = File::options().write(true).open(copy).unwrap();
            copy.set_modified(entry.metadata().unwrap().modified().unwrap()).unwrap();
        }
    }
}
