//! A session follows its folder through everything that editors, tools and clocks do to files.

#[path = "support/naive.rs"]
mod naive;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use dupi::blot::{Recipe, RecipeChoice};
use dupi::corpus::Corpus;
use dupi::index::snapshot::Snapshot;
use dupi::session::{Options, Phase, Progress, Session, Update, Watch, Watching};
use dupi::storage::Folder;
use dupi::token::TokenMode;
use naive::{Documents, expected, ranked, text};

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A folder that a session follows.
struct Followed {
    place: tempfile::TempDir,
    session: Option<Session>,
    updates: Receiver<Update>,
    recipe: Recipe,
}

impl Followed {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        let (_, updates) = channel();
        let recipe = Recipe { tokens: TokenMode::Words, ..Recipe::default() };
        let mut followed = Self { place, session: None, updates, recipe };
        followed.open();
        followed
    }

    /// Opens a session and waits until it follows the folder.
    fn open(&mut self) {
        self.start();
        self.wait("a session that follows", |progress| {
            progress.phase == Phase::Idle && progress.watching == Watching::Events
        });
    }

    fn start(&mut self) {
        self.close();
        let (sender, updates) = channel();
        let options = Options {
            home: Folder::new(self.place.path().join("index")),
            recipe: RecipeChoice { tokens: Some(TokenMode::Words), ..RecipeChoice::default() },
            rules: None,
            formats: None,
            memory: 1 << 24,
            threads: 1,
            watch: Watch::Events,
        };
        let corpus = Corpus::resolve(&[self.at("")]).unwrap();
        self.session = Some(Session::start(corpus, options, move |update| drop(sender.send(update))));
        self.updates = updates;
    }

    fn close(&mut self) {
        if let Some(session) = self.session.take() {
            session.stop();
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().join("corpus").join(name)
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn write(&self, name: &str, seed: u8) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content(seed)).unwrap();
    }

    fn wait(&self, what: &str, is_it: impl Fn(&Progress) -> bool) {
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

    /// Waits until the index has what lies in the folder, and nothing else.
    fn check(&self, what: &str) {
        let mut documents = Documents::new();
        collect(&self.at(""), Path::new(""), &mut documents);
        let expected = expected(&documents, &self.recipe);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let snapshot = Snapshot::open(&Folder::new(self.outside("index"))).unwrap();
            let files: Vec<String> =
                snapshot.files().map(|file| snapshot.path(file).display().to_string()).collect();
            let files = BTreeMap::from_iter(files.into_iter().map(|file| (file, ())));
            if files.keys().eq(documents.keys()) && ranked(&snapshot) == expected {
                return;
            }
            assert!(Instant::now() < deadline, "{what}: {files:?} for {:?}", documents.keys());
            // Whatever is told next may be it; something may also have been told before.
            let _ = self.updates.recv_timeout(Duration::from_millis(20));
        }
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.close();
    }
}

fn content(seed: u8) -> String {
    text(&(0..30).map(|at| (seed + at * 3) % 10).collect::<Vec<u8>>())
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

#[test]
fn files_are_followed_through_what_editors_do() {
    let followed = Followed::new();
    followed.write("a", 1);
    followed.write("b", 1);
    followed.check("two new files");
    fs::write(followed.outside("draft"), content(2)).unwrap();
    fs::rename(followed.outside("draft"), followed.at("a")).unwrap();
    followed.check("a file renamed over another");
    fs::rename(followed.at("b"), followed.at("b~")).unwrap();
    followed.write("b", 2);
    followed.check("a backup, and the file anew");
    fs::remove_file(followed.at("b~")).unwrap();
    followed.check("a file removed");
}

#[test]
fn folders_are_followed_as_they_move_come_and_go() {
    let followed = Followed::new();
    for number in 0..4 {
        followed.write(&format!("one/deep/{number}"), number);
    }
    followed.check("a folder in a folder");
    fs::rename(followed.at("one"), followed.at("two")).unwrap();
    followed.check("a folder renamed");
    followed.write("two/deep/0", 7);
    followed.check("a file changed in a renamed folder");
    fs::rename(followed.at("two/deep"), followed.outside("away")).unwrap();
    followed.check("a folder moved out");
    fs::rename(followed.outside("away"), followed.at("back")).unwrap();
    followed.check("a folder moved in");
    fs::remove_dir_all(followed.at("back")).unwrap();
    followed.check("a folder removed");
    followed.write("back/again", 3);
    followed.write("two/again", 3);
    followed.check("a folder made again");
    followed.write("back/again", 4);
    followed.check("a file changed in a folder made again");
}

#[test]
fn a_change_that_keeps_size_and_time_is_seen() {
    let mut followed = Followed::new();
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    let write = |followed: &Followed, seed: u8, time: SystemTime| {
        followed.write("a", seed);
        fs::File::options().write(true).open(followed.at("a")).unwrap().set_modified(time).unwrap();
    };
    followed.write("b", 3);
    let now = SystemTime::now();
    write(&followed, 1, now);
    followed.check("a file");
    write(&followed, 3, now);
    followed.check("changed within the same tick");
    write(&followed, 1, long_ago);
    followed.check("the clock went back");
    write(&followed, 3, long_ago);
    followed.check("another content with the same old time");
    followed.close();
    let soon = SystemTime::now() + Duration::from_secs(3600);
    write(&followed, 1, soon);
    followed.open();
    followed.check("a time that is not yet");
    followed.close();
    write(&followed, 3, soon);
    followed.open();
    followed.check("another content with the same time to come, while nobody looked");
}

#[test]
fn what_cannot_be_reached_for_a_while_keeps_its_documents() {
    let mut followed = Followed::new();
    followed.write("a", 1);
    followed.write("b", 1);
    followed.check("two files");
    followed.close();
    let documents = |followed: &Followed| {
        Snapshot::open(&Folder::new(followed.outside("index"))).unwrap().totals().documents
    };
    fs::rename(followed.at(""), followed.outside("elsewhere")).unwrap();
    assert!(Corpus::resolve(&[followed.at("")]).is_err());
    assert_eq!(documents(&followed), 2);
    fs::rename(followed.outside("elsewhere"), followed.at("")).unwrap();
    followed.open();
    fs::rename(followed.at(""), followed.outside("elsewhere")).unwrap();
    followed.wait(
        "a sentence that the folder is gone",
        |progress| matches!(&progress.phase, Phase::Failed(sentence) if sentence.contains("cannot reach")),
    );
    assert_eq!(documents(&followed), 2);
    fs::rename(followed.outside("elsewhere"), followed.at("")).unwrap();
    followed.write("c", 1);
    followed.check("the folder is back, with a new file");
}

#[test]
fn a_disk_that_is_away_takes_no_documents_with_it() {
    let mut followed = Followed::new();
    followed.write("a", 1);
    followed.write("b", 1);
    followed.check("two files");
    followed.close();
    // As it would be, had the folder been a mount point; an empty one is what a disk leaves behind.
    let root = followed.at("").canonicalize().unwrap();
    fs::write(followed.outside("index/mounted"), [root.as_os_str().as_bytes(), &[0]].concat()).unwrap();
    for name in ["a", "b"] {
        fs::rename(followed.at(name), followed.outside(name)).unwrap();
    }
    followed.start();
    followed.wait("a sentence that the disk is away", |progress| {
        matches!(&progress.phase, Phase::Failed(sentence) if sentence.contains("mount the disk again"))
    });
    assert_eq!(Snapshot::open(&Folder::new(followed.outside("index"))).unwrap().totals().documents, 2);
    for name in ["a", "b"] {
        fs::rename(followed.outside(name), followed.at(name)).unwrap();
    }
    followed.write("c", 1);
    followed.check("the disk is back, with a new file");
}
