//! Whatever happens to the disk, the index opens at a committed generation and answers right, and no taboo
//! decision is lost: every operation of a build, an update, a merge and a decision fails once in every way,
//! or is the last before a crash that keeps any part of what was not synced.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::ErrorKind;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::faulty::{Fault, FaultyDisk, Op, Platter};
use crate::naive::ranked;
use crate::story::{COMMITS, Story, decide, decisions};
use dupi::corpus::Corpus;
use dupi::index::IndexError;
use dupi::index::manifest::{self, Manifest};
use dupi::index::ranking::Ranking;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Silent, bring_up_to_date};
use dupi::session::{Phase, Request, Session, Update, View};
use dupi::storage::{Disk, Folder, OsDisk};
use dupi::taboo::{self, TabooList};
use tempfile::TempDir;

/// The story on a disk that refuses nothing, and what that disk was asked for.
fn whole_story(story: &mut Story) -> Vec<Op> {
    let disk = FaultyDisk::default();
    story.play(&Folder::on(Arc::new(disk.clone()), story.home()), |error| panic!("{error}"));
    disk.log()
}

/// A commit of the story: how everything stood before it, and what its disk was asked for from there on.
struct Commit {
    number: u32,
    before: TempDir,
    log: Vec<Op>,
}

/// Plays the story, each commit of it from a copy of what stood before.
fn commits(story: &mut Story) -> Vec<Commit> {
    let mut whole = whole_story(&mut Story::new()).into_iter();
    let mut play = |number| {
        let before = story.keep();
        story.go_back_to(&before);
        let disk = FaultyDisk::default();
        let home = Folder::on(Arc::new(disk.clone()), story.home());
        story.play_commits(number..number + 1, &home, |error| panic!("{error}"));
        let log = disk.log();
        // Who begins with a copy asks for what the whole story asks for.
        let kinds = |log: &[Op]| log.iter().map(mem::discriminant).collect::<Vec<_>>();
        let of_whole: Vec<Op> = whole.by_ref().take(log.len()).collect();
        assert_eq!(kinds(&log), kinds(&of_whole), "commit {number}");
        Commit { number, before, log }
    };
    let commits = (0..COMMITS).map(&mut play).collect();
    assert_eq!(whole.next(), None);
    commits
}

#[test]
fn every_operation_may_fail() {
    let mut story = Story::new();
    let commits = commits(&mut story);
    let operations: usize = commits.iter().map(|commit| commit.log.len()).sum();
    assert!(operations > 200, "{operations} operations");
    let mut complaints = BTreeSet::new();
    for (commit, at, op) in
        commits.iter().flat_map(|commit| commit.log.iter().enumerate().map(move |(at, op)| (commit, at, op)))
    {
        let faults = match op {
            Op::Write(..) => vec![Fault::Error(ErrorKind::StorageFull), Fault::Short],
            _ => vec![Fault::Error(ErrorKind::Other)],
        };
        for fault in faults {
            story.go_back_to(&commit.before);
            let disk = FaultyDisk::failing(at, fault);
            // What only saves time may fail unsaid.
            let home = Folder::on(Arc::new(disk.clone()), story.home());
            story.play_commits(commit.number..COMMITS, &home, |complaint| {
                assert!(complaint.contains("cannot ") && complaint.contains("index"), "{complaint}");
                complaints.insert(complaint.split(' ').nth(1).unwrap().to_owned());
                disk.fill(false);
            });
            let home = Folder::new(story.home());
            let number = commit.number;
            assert!(story.check(&home).is_some(), "commit {number}, operation {at}, {fault:?}");
            let decided = decisions(&home);
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
    let log = whole_story(&mut story);
    let (mut platter, mut written) = (Platter::default(), HashMap::new());
    let (mut committed, mut decided) = (None, 0);
    let mut random = 7_u64;
    for op in log {
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
                if let Some((_, bytes)) = written.get(&folder.join(taboo::LIST)) {
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
            let place = crate::tempdir().unwrap();
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
fn a_file_in_a_new_folder_lasts_with_all_folders_above_it_whatever_fails_first() {
    let write = |disk: &FaultyDisk, place: &Path| {
        let folder = Folder::on(Arc::new(disk.clone()), place.join("data/indexes/key"));
        folder.create().and_then(|()| folder.replace("file", b"whole"))
    };
    let place = crate::tempdir().unwrap();
    let disk = FaultyDisk::default();
    write(&disk, place.path()).unwrap();
    let operations = disk.log().len();
    assert!(operations > 10);
    for at in 0..=operations {
        let place = crate::tempdir().unwrap();
        let disk = FaultyDisk::failing(at, Fault::Error(ErrorKind::Other));
        if write(&disk, place.path()).is_err() {
            write(&disk, place.path()).unwrap();
        }
        let mut platter = Platter::default();
        for (_, op) in disk.log().iter().enumerate().filter(|(number, _)| *number != at) {
            platter.take(op);
        }
        let after = platter.crash(|_| 0.0);
        let file = after.get(&place.path().join("data/indexes/key/file"));
        assert_eq!(file.map(|bytes| &bytes[..]), Some(&b"whole"[..]), "operation {at}: {:?}", disk.log());
    }
}

#[test]
fn files_are_synced_before_they_are_named_and_named_before_the_manifest_names_them() {
    let mut story = Story::new();
    let log = whole_story(&mut story);
    let mut drafts: HashMap<PathBuf, (usize, Vec<u8>, bool)> = HashMap::new();
    let (mut sealed, mut lasting) = (BTreeSet::new(), BTreeSet::new());
    for op in log {
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
                    let segments = manifest.segments.iter().map(|state| &state.segment);
                    let sketches = manifest.segments.iter().filter_map(|state| state.sketches.as_ref());
                    assert_eq!(sketches.clone().count(), manifest.segments.len());
                    for named in segments.chain(sketches).chain(&manifest.ranking) {
                        assert!(lasting.contains(&named.name), "{} may not last", named.name);
                    }
                }
                sealed.insert(name);
            }
            Op::SyncFolder(_) => lasting.append(&mut sealed),
            Op::Remove(_) | Op::Link(..) | Op::Look | Op::CreateFolder(_) => {}
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
        Ranking::scan(&snapshot, usize::MAX)?;
        Ok(ranked(&snapshot))
    };
    let mut names: Vec<String> = OsDisk.list(home.path()).unwrap();
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
                assert!(name == taboo::LIST && error.to_string().contains(&name), "{name}, {what}: {error}");
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
