//! Whatever happens to the disk, the index opens at a committed generation and answers right, and no taboo
//! decision is lost: every operation of a build, an update, a merge and a decision fails once in every way,
//! or is the last before a crash that keeps any part of what was not synced.

#[path = "support/faulty.rs"]
mod faulty;
#[path = "support/naive.rs"]
mod naive;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use dupi::blot::{Recipe, RecipeChoice};
use dupi::corpus::Corpus;
use dupi::index::IndexError;
use dupi::index::manifest::{self, Manifest};
use dupi::index::snapshot::Snapshot;
use dupi::session::open::{Opened, bring_up_to_date};
use dupi::session::update::{UpdateError, Updater};
use dupi::session::{Options, Phase, Request, Session, Update, View, Watch, today};
use dupi::storage::{Folder, OsDisk};
use dupi::taboo::{Entry, TabooList};
use dupi::token::TokenMode;
use faulty::{Fault, FaultyDisk, Op, Platter};
use naive::{Documents, Silent, expected, ranked, text};
use xxhash_rust::xxh3::xxh3_64;

/// Commits of the story: so many that segments are merged.
const COMMITS: u32 = 12;

fn recipe() -> Recipe {
    Recipe { tokens: TokenMode::Words, ..Recipe::default() }
}

/// A corpus that changes in a fixed way, and everything that ever stood in it.
struct Story {
    place: tempfile::TempDir,
    /// What a file of this name and hash held.
    ever: HashMap<(String, u64), Vec<u8>>,
}

impl Story {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let story = Self { place, ever: HashMap::new() };
        story.begin();
        story
    }

    /// Makes the corpus empty.
    fn begin(&self) {
        let _ = fs::remove_dir_all(self.corpus());
        fs::create_dir(self.corpus()).unwrap();
    }

    fn corpus(&self) -> PathBuf {
        self.place.path().join("corpus")
    }

    fn home(&self) -> PathBuf {
        self.place.path().join("index")
    }

    fn write(&mut self, name: &str, words: Vec<u8>) {
        let text = text(&words);
        fs::write(self.corpus().join(name), &text).unwrap();
        self.ever.insert((name.to_owned(), xxh3_64(text.as_bytes())), words);
    }

    /// What happens before a commit.
    fn step(&mut self, number: u32) {
        let words = |seed: u32| (0..30).map(|at| ((seed * 7 + at * at) % 11) as u8).collect();
        self.write(&format!("new{number}"), words(number));
        self.write("again", words(number + 3));
        if number.is_multiple_of(3) {
            let _ = fs::remove_file(self.corpus().join(format!("new{}", number / 2)));
        }
    }

    fn options(&self, home: Folder) -> Options {
        let choice = RecipeChoice { tokens: Some(TokenMode::Words), ..RecipeChoice::default() };
        Options {
            home,
            recipe: choice,
            rules: None,
            formats: None,
            memory: 1 << 24,
            threads: 1,
            watch: Watch::Off,
        }
    }

    fn open(&self, home: &Folder) -> Result<Box<Updater>, UpdateError> {
        let corpus = Corpus::resolve(&[self.corpus()]).unwrap();
        Ok(match self.options(home.clone()).open(&corpus)? {
            Opened::Ready(updater) | Opened::Mismatch { updater, .. } => updater,
        })
    }

    /// The whole story on some disk, up to what it refuses.
    fn play(&mut self, home: &Folder) -> Result<(), String> {
        self.begin();
        for number in 0..COMMITS {
            self.step(number);
            let mut updater = self.open(home).map_err(|error| error.to_string())?;
            bring_up_to_date(&mut updater, &Silent).map_err(|error| error.to_string())?;
            decide(home, number).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Opens what is in a folder, and compares it with what the documents that it names hold. Returns the
    /// generation; `None` where none was committed.
    fn check(&self, home: &Folder) -> Option<u64> {
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
        Some(snapshot.manifest().generation)
    }

    /// Goes on with a whole disk, and is as if nothing had happened.
    fn check_going_on(&self, home: &Folder) {
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
    }
}

fn decision(number: u32) -> Entry {
    Entry { text: format!("decision {number}"), added: today(), reason: None, language: None }
}

fn decide(home: &Folder, number: u32) -> Result<(), dupi::taboo::TabooError> {
    TabooList::edit(home, |list| list.add(decision(number))).map(drop)
}

/// How many decisions are on the list; they are the first ones without a gap.
fn decisions(home: &Folder) -> u32 {
    let list = TabooList::load(home).unwrap();
    let expected: Vec<String> =
        (0..list.entries().len() as u32).map(|number| decision(number).text).collect();
    assert_eq!(list.entries().iter().map(|entry| entry.text.clone()).collect::<Vec<_>>(), expected);
    list.entries().len() as u32
}

#[test]
fn every_operation_may_fail() {
    let mut story = Story::new();
    let whole = FaultyDisk::default();
    story.play(&Folder::on(Arc::new(whole.clone()), story.home())).unwrap();
    let log = whole.log();
    assert!(log.len() > 200, "{} operations", log.len());
    let mut complaints = BTreeSet::new();
    for (at, op) in log.iter().enumerate() {
        let short = matches!(op, Op::Write(..)).then_some(Fault::Short);
        let faults = [Fault::Error(ErrorKind::Other), Fault::Error(ErrorKind::StorageFull)];
        for fault in faults.into_iter().chain(short) {
            fs::remove_dir_all(story.home()).unwrap();
            let disk = FaultyDisk::failing(at, fault);
            let home = Folder::on(Arc::new(disk.clone()), story.home());
            let played = story.play(&home);
            // What is tried again, or only saves time, may fail unsaid.
            if let Err(complaint) = played {
                assert!(complaint.contains("cannot ") && complaint.contains("index"), "{complaint}");
                complaints.insert(complaint.split(' ').nth(1).unwrap().to_owned());
            }
            let home = Folder::new(story.home());
            let generation = story.check(&home);
            let decided = decisions(&home);
            assert!(generation.is_some() || decided == 0, "operation {at}, {fault:?}");
            story.check_going_on(&home);
            assert_eq!(decisions(&home), decided);
        }
    }
    let complaints: Vec<&str> = complaints.iter().map(String::as_str).collect();
    assert_eq!(complaints, ["create", "open", "read", "rename", "sync", "write"]);
}

#[test]
fn any_part_of_what_was_not_synced_may_be_lost() {
    let mut story = Story::new();
    let disk = FaultyDisk::default();
    story.play(&Folder::on(Arc::new(disk.clone()), story.home())).unwrap();
    let (mut platter, mut written) = (Platter::default(), HashMap::new());
    let (mut committed, mut decided) = (None, 0);
    let mut random = 7_u64;
    for op in disk.log() {
        platter.take(&op);
        // What had to last from here on.
        match &op {
            Op::Create(path, file) => drop(written.insert(path.clone(), (*file, Vec::new()))),
            Op::Write(file, bytes) => {
                written
                    .values_mut()
                    .filter(|(of, _)| of == file)
                    .for_each(|(_, all)| all.extend_from_slice(bytes));
            }
            Op::Rename(from, to) => {
                let moved = written.remove(from).unwrap();
                written.insert(to.clone(), moved);
            }
            Op::SyncFolder(folder) => {
                if let Some((_, bytes)) = written.get(&folder.join(manifest::NAME)) {
                    committed = Some(Manifest::decode(bytes, Path::new("manifest")).unwrap().generation);
                }
                if let Some((_, bytes)) = written.get(&folder.join(dupi::taboo::LIST)) {
                    decided = TabooList::parse(Path::new("list"), bytes).unwrap().entries().len() as u32;
                }
            }
            _ => {}
        }
        let questions = platter.open_questions();
        let cases = if questions <= 5 { 1_u64 << questions } else { 48 };
        for case in 0..cases {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let choice = if questions <= 5 { case } else { random >> 20 };
            // Where a write is cut when it is cut.
            let part = [1.0, 0.5, 0.99][(random >> 60) as usize % 3];
            let after = platter.crash(|number| if choice >> (number % 40) & 1 == 1 { part } else { 0.0 });
            let place = tempfile::tempdir().unwrap();
            for (path, bytes) in &after {
                fs::write(place.path().join(path.file_name().unwrap()), bytes).unwrap();
            }
            let home = Folder::new(place.path());
            assert!(story.check(&home) >= committed, "a committed generation is lost after {op:?}");
            assert!(decisions(&home) >= decided, "a decision is lost after {op:?}");
            if random >> 33 & 63 == 0 {
                story.check_going_on(&home);
            }
        }
    }
    assert!(committed.is_some() && decided == COMMITS);
}

#[test]
fn files_are_synced_before_they_are_named_and_named_before_the_manifest_names_them() {
    let mut story = Story::new();
    let disk = FaultyDisk::default();
    story.play(&Folder::on(Arc::new(disk.clone()), story.home())).unwrap();
    let mut drafts: HashMap<PathBuf, (usize, Vec<u8>, bool)> = HashMap::new();
    let (mut sealed, mut lasting) = (BTreeSet::new(), BTreeSet::new());
    for op in disk.log() {
        match op {
            Op::Create(path, file) => {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                assert!(name.starts_with("tmp-"), "{name} is written under its own name");
                drafts.insert(path, (file, Vec::new(), false));
            }
            Op::Write(file, bytes) => {
                let draft = drafts.values_mut().find(|draft| draft.0 == file).unwrap();
                draft.1.extend_from_slice(&bytes);
                draft.2 = false;
            }
            Op::Sync(file) => drafts.values_mut().find(|draft| draft.0 == file).unwrap().2 = true,
            Op::Rename(from, to) => {
                let (_, bytes, is_synced) = drafts.remove(&from).unwrap();
                assert!(is_synced, "{} is renamed before it is synced", from.display());
                let name = to.file_name().unwrap().to_str().unwrap().to_owned();
                if name == manifest::NAME {
                    let manifest = Manifest::decode(&bytes, &to).unwrap();
                    for named in manifest.segments.iter().map(|state| &state.segment).chain(&manifest.ranking)
                    {
                        assert!(lasting.contains(&named.name), "{} may not last", named.name);
                    }
                }
                sealed.insert(name);
            }
            Op::SyncFolder(_) => lasting.append(&mut sealed),
            Op::Remove(_) | Op::Look | Op::CreateFolder(_) => {}
        }
    }
    assert!(lasting.len() > 20);
}

#[test]
fn every_flipped_byte_and_every_cut_is_named_or_harmless() {
    let mut story = Story::new();
    story.step(0);
    story.step(1);
    let home = Folder::new(story.home());
    bring_up_to_date(&mut story.open(&home).unwrap(), &Silent).unwrap();
    decide(&home, 0).unwrap();
    let expected = ranked(&Snapshot::open(&home).unwrap());
    let answer = || -> Result<_, IndexError> {
        let snapshot = Snapshot::open(&home)?;
        dupi::index::ranking::Ranking::scan(&snapshot, usize::MAX)?;
        Ok(ranked(&snapshot))
    };
    let mut names: Vec<String> = dupi::storage::Disk::list(&OsDisk, home.path()).unwrap();
    names.sort();
    for name in names {
        let whole = fs::read(home.at(&name)).unwrap();
        let check = |bytes: &[u8], what: &str| {
            // A new file, as a sealed one is never written to.
            fs::remove_file(home.at(&name)).unwrap();
            fs::write(home.at(&name), bytes).unwrap();
            match answer() {
                Ok(answer) => assert_eq!(answer, expected, "{name}, {what}"),
                Err(error) => {
                    let sentence = error.to_string();
                    assert!(
                        sentence.contains(&name) && sentence.contains("--rebuild"),
                        "{name}, {what}: {sentence}"
                    );
                }
            }
            if let Err(error) = TabooList::load(&home) {
                assert!(
                    name == dupi::taboo::LIST && error.to_string().contains(&name),
                    "{name}, {what}: {error}"
                );
            }
        };
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            check(&bytes, &format!("byte {at}"));
            check(&whole[..at], &format!("cut at {at}"));
        }
        if name.ends_with(".segment") {
            fs::remove_file(home.at(&name)).unwrap();
            let sentence = answer().unwrap_err().to_string();
            assert!(sentence.contains(&name) && sentence.contains("missing"), "{sentence}");
        }
        fs::write(home.at(&name), &whole).unwrap();
    }
}

#[test]
fn on_a_full_disk_a_session_shows_what_is_committed_and_goes_on_when_there_is_room() {
    let mut story = Story::new();
    story.step(0);
    story.step(1);
    let disk = FaultyDisk::default();
    let home = Folder::on(Arc::new(disk.clone()), story.home());
    bring_up_to_date(&mut story.open(&home).unwrap(), &Silent).unwrap();
    disk.fill(true);
    story.step(2);
    let (sender, updates) = channel();
    let corpus = Corpus::resolve(&[story.corpus()]).unwrap();
    let session = Session::start(corpus, story.options(home), move |update| drop(sender.send(update)));
    session.send(Request::Rows(View { wanted: 10, ..View::default() }));
    let (mut failed, mut listed) = (None, false);
    let next = || updates.recv_timeout(Duration::from_secs(30)).unwrap();
    while failed.is_none() || !listed {
        match next() {
            Update::Progress(progress) => {
                if let Phase::Failed(sentence) = progress.phase {
                    failed = Some(sentence);
                }
            }
            Update::Rows(listing) => listed |= !listing.rows.is_empty(),
            _ => {}
        }
    }
    let sentence = failed.unwrap();
    assert!(sentence.contains("make room on its disk"), "{sentence}");
    disk.fill(false);
    loop {
        if let Update::Progress(progress) = next()
            && progress.phase == Phase::Idle
            && progress.documents == 3
        {
            break;
        }
    }
    session.stop();
    story.check_going_on(&Folder::new(story.home()));
}

#[test]
fn readers_go_on_through_merges_and_a_second_writer_is_told_who_the_first_is() {
    let mut story = Story::new();
    story.step(0);
    let home = Folder::new(story.home());
    let mut updater = story.open(&home).unwrap();
    bring_up_to_date(&mut updater, &Silent).unwrap();
    let before = Snapshot::open(&home).unwrap();
    let answer = ranked(&before);
    let files: Vec<String> = before.segments().iter().map(|live| live.name().name.clone()).collect();
    for number in 1..COMMITS {
        story.step(number);
        bring_up_to_date(&mut updater, &Silent).unwrap();
    }
    assert!(files.iter().all(|name| !home.at(name).exists()), "merged away");
    assert_eq!(ranked(&before), answer);
    let Err(error) = story.open(&home) else { panic!("two writers") };
    assert!(
        error.is_locked() && error.to_string().contains(&format!("process {}", std::process::id())),
        "{error}"
    );
    drop(updater);
    story.check_going_on(&home);
}
