//! Whatever happens to the disk while segments become an index, either that index or the one before it is there and whole.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dupi::index::IndexError;
use dupi::index::snapshot::Snapshot;
use dupi::index::stream::verify;
use dupi::ingest::segments::{Adopted, Adoption};
use dupi::storage::{Disk, Folder, OsDisk};

use crate::faulty::{Fault, FaultyDisk, Op, Platter};
use crate::support::Home;

/// How many documents the index before has, and how many the new one.
const BEFORE: u64 = 1;
const AFTER: u64 = 4;

/// An index in `../index`, and segments that are to replace it.
fn story() -> (Home, Adopted) {
    let home = Home::new();
    for number in 0..AFTER {
        home.write(&format!("{number}.txt"), "What was written once and then again and again. ".repeat(9));
    }
    home.stdout(&["index", "--index", "../index", "0.txt"]);
    for number in 0..AFTER {
        let file = format!("{number}.txt");
        home.stdout(&["segment", "build", "--root", ".", "--out", "../segments", &file]);
    }
    let from = vec![home.at("../segments")];
    let adoption = Adoption { from, root: None, plan: None, replace: true, threads: 1 };
    let adopted = adoption.check().unwrap();
    (home, adopted)
}

/// The files of the index before.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let names = OsDisk.list(folder).unwrap().into_iter();
    names.map(|name| (folder.join(&name), fs::read(folder.join(&name)).unwrap())).collect()
}

fn put(files: &BTreeMap<PathBuf, Vec<u8>>, folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for (path, bytes) in files {
        fs::write(folder.join(path.file_name().unwrap()), bytes).unwrap();
    }
}

/// How many documents the index has; all of it is read.
fn whole(folder: &Folder) -> Result<u64, IndexError> {
    let snapshot = Snapshot::open(folder)?;
    for live in snapshot.segments() {
        verify(live.segment())?;
    }
    Ok(snapshot.totals().documents)
}

#[test]
fn every_operation_of_a_join_may_fail() {
    let (home, adopted) = story();
    let before = files(&home.at("../index"));
    let place = home.at("../faulty");
    let mut complaints = Vec::new();
    for at in 0.. {
        for fault in [ErrorKind::Other, ErrorKind::StorageFull] {
            let _ = fs::remove_dir_all(&place);
            put(&before, &place);
            let disk = FaultyDisk::failing(at, Fault::Error(fault));
            let joined = adopted.join(&Folder::on(Arc::new(disk.clone()), &place));
            let index = Folder::new(&place);
            let documents = whole(&index).unwrap();
            if at >= disk.log().len() {
                assert_eq!((joined.is_ok(), documents), (true, AFTER));
                complaints.dedup();
                assert!(complaints.len() > 3 && at > 20, "{at}: {complaints:?}");
                return;
            }
            match joined {
                // A link that is refused is a copy instead.
                Ok(_) => assert_eq!(documents, AFTER, "operation {at}"),
                Err(error) => {
                    assert!([BEFORE, AFTER].contains(&documents), "operation {at}: {documents}");
                    complaints.push(error.to_string().split(' ').take(2).collect::<Vec<_>>().join(" "));
                }
            }
            adopted.join(&index).unwrap();
            assert_eq!(whole(&index).unwrap(), AFTER, "operation {at}");
        }
    }
}

#[test]
fn a_crash_during_a_join_leaves_the_index_before_or_the_new_one() {
    let (home, adopted) = story();
    let before = files(&home.at("../index"));
    let place = home.at("../faulty");
    put(&before, &place);
    let disk = FaultyDisk::default();
    adopted.join(&Folder::on(Arc::new(disk.clone()), &place)).unwrap();
    let mut platter = Platter::default();
    for (path, bytes) in &before {
        platter.hold(place.join(path.file_name().unwrap()), bytes.clone());
    }
    let after_crash = |platter: &Platter, choice: u64| {
        let after = platter.crash(|number| (choice >> (number % 40) & 1) as f64);
        let of_index = |(path, _): &(PathBuf, _)| path.parent() == Some(place.as_path());
        let crashed = crate::tempdir().unwrap();
        put(&after.into_iter().filter(of_index).collect(), crashed.path());
        whole(&Folder::new(crashed.path())).unwrap()
    };
    let (mut random, mut least) = (7_u64, BEFORE);
    for op in disk.log() {
        if let Op::Link(from, _) = &op {
            // Segments were sealed before, and last.
            platter.hold(from.clone(), fs::read(from).unwrap());
        }
        platter.take(&op);
        for case in 0..20 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let choice = if case == 0 { u64::MAX } else { random >> 20 };
            let documents = after_crash(&platter, choice);
            assert!([BEFORE, AFTER].contains(&documents) && documents >= least, "{documents} after {op:?}");
        }
        // What lasts now lasts from here on.
        least = least.max(after_crash(&platter, 0));
    }
    assert_eq!(least, AFTER);
}
