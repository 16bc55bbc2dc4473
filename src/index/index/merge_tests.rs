use super::*;
use crate::index::manifest::Manifest;
use crate::index::posting::{Posting, shard_of};
use crate::index::segment::Batch;
use crate::index::table::FileEntry;
use crate::index::writer::{Commit, IndexWriter, is_free};
use dupi_base::corpus::{Corpus, Formats, Stamp, WalkRules};
use dupi_text::blot::{Blot, Recipe};
use dupi_text::token::LexState;

fn batch(number: u64) -> Batch {
    let mut batch = Batch::default();
    batch.table.files.push(FileEntry {
        path: number.to_string().into_bytes(),
        stamp: Stamp { size: 10, mtime: 0 },
        hash: 0,
        racy: false,
        binary: false,
        guessed: false,
    });
    batch.table.documents.push(DocumentEntry { file: 0, record: 0, key: number, tokens: 4 });
    batch.table.parts.push(PartEntry { document: 0, start: 0, end: 10, state: LexState::default() });
    let blot = Blot::from_hash(number << 40);
    batch.shards[shard_of(blot)].push(Posting::new(blot, PartId(0)));
    batch
}

fn commit(writer: &mut IndexWriter, number: u64) {
    writer.commit(Commit { batches: vec![batch(number)], ..Commit::default() }).unwrap();
}

fn empty() -> Manifest {
    let corpus = Corpus { base: "/".into(), roots: vec!["/".into()] };
    Manifest::empty(corpus, WalkRules::default(), Formats::default(), Recipe::default())
}

/// An index without documents that continues another one.
fn after(before: &Manifest) -> Manifest {
    Manifest { generation: before.generation + 1, next_file: before.next_file, ..empty() }
}

/// An index with enough segments for a merge.
fn with_segments(folder: &Folder) -> IndexWriter {
    let mut writer = IndexWriter::create(folder, empty()).unwrap();
    (0..FANOUT as u64).for_each(|number| commit(&mut writer, number));
    writer
}

#[test]
fn a_merge_excludes_other_writers_and_its_file_name_is_not_reused() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("index"));
    let mut writer = with_segments(&folder);
    let plan = writer.plan_merge().unwrap();
    let before = writer.predecessor();
    drop(writer);
    let create = || IndexWriter::create(&folder, after(&before));
    assert!(matches!(create(), Err(IndexError::Locked { .. })));
    assert!(!is_free(&folder));
    let merged = plan.run(&|| false).unwrap();
    let mut writer = create().unwrap();
    commit(&mut writer, 1);
    let name = &writer.snapshot().segments().last().unwrap().name().name;
    assert!(*name > merged.segment.name, "{name} after {}", merged.segment.name);
}

#[test]
fn a_stopped_merge_leaves_no_file() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("index"));
    let mut writer = with_segments(&folder);
    let names = || {
        let names = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let plan = writer.plan_merge().unwrap();
    assert!(matches!(plan.run(&|| true), Err(IndexError::Stopped)));
    assert_eq!(names(), before);
    let plan = writer.plan_merge().unwrap();
    writer.adopt(plan.run(&|| false).unwrap()).unwrap();
    assert_eq!(writer.snapshot().segments().len(), 1);
}

#[test]
fn no_manifest_is_written_over_an_index_that_was_removed() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("index"));
    let mut writer = with_segments(&folder);
    assert!(writer.check().is_ok());
    std::fs::remove_dir_all(folder.path()).unwrap();
    folder.create().unwrap();
    let change = Commit { batches: vec![batch(9)], ..Commit::default() };
    assert!(matches!(writer.commit(change), Err(IndexError::Lost(_))));
    assert!(matches!(Manifest::read(&folder), Err(IndexError::Absent(_))));
    // Another writer may write there and is not disturbed.
    let mut other = IndexWriter::create(&folder, after(&writer.predecessor())).unwrap();
    commit(&mut other, 1);
    assert!(matches!(writer.check(), Err(IndexError::Lost(_))));
    assert!(other.check().is_ok());
}

#[test]
fn a_snapshot_reads_only_the_manifest_until_there_is_a_newer_generation() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("index"));
    let mut writer = with_segments(&folder);
    let snapshot = Snapshot::open(&folder).unwrap();
    // A segment that is opened again is found damaged.
    let first = folder.at(&snapshot.segments()[0].name().name);
    let bytes = std::fs::read(&first).unwrap();
    std::fs::remove_file(&first).unwrap();
    std::fs::write(&first, vec![0; bytes.len()]).unwrap();
    assert!(snapshot.newer().unwrap().is_none());
    commit(&mut writer, 100);
    let newer = snapshot.newer().unwrap().unwrap();
    assert_eq!(newer.segments().len(), FANOUT + 1);
    assert!(Snapshot::open(&folder).is_err());
}
