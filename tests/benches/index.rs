//! How fast an index is sorted, written, merged, opened and read, on postings that are made up here from a seed. What a change
//! and a question cost is among the figures of `tests/figures`.
//!
//! Run with `cargo bench --bench index`.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test program: it is its own crate, and fails by a panic"
)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use dupi::blot::{Blot, Recipe};
use dupi::corpus::{Corpus, Formats, Stamp, WalkRules};
use dupi::index::manifest::Manifest;
use dupi::index::posting::{PartId, Posting, SHARDS, shard_of, sort_and_fold};
use dupi::index::ranking::Ranking;
use dupi::index::segment::{Batch, Segment, seal_batches};
use dupi::index::snapshot::Snapshot;
use dupi::index::stream::ShardStream;
use dupi::index::table::{DocumentEntry, FileEntry, PartEntry};
use dupi::index::writer::{Commit, IndexWriter};
use dupi::storage::Folder;
use dupi::token::LexState;
use tempfile::tempdir;

/// Postings of a batch, and documents that they stand in.
const POSTINGS: u64 = 1 << 20;
const DOCUMENTS: u32 = 4000;

fn main() {
    divan::main();
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// A batch as shattering leaves it: nine blots of ten stand once.
fn batch(seed: u64) -> Batch {
    let mut random = Random(seed);
    let mut batch = Batch::with_room(POSTINGS as usize);
    for document in 0..DOCUMENTS {
        let path = format!("{seed}/{document}").into_bytes();
        let stamp = Stamp { size: 1000, mtime: 0 };
        batch.table.files.push(FileEntry {
            path,
            stamp,
            hash: 0,
            racy: false,
            binary: false,
            guessed: false,
        });
        let key = random.next();
        batch.table.documents.push(DocumentEntry { file: document, record: 0, key, tokens: 1000 });
        batch.table.parts.push(PartEntry { document, start: 0, end: 1000, state: LexState::default() });
    }
    for posting in 0..POSTINGS {
        let hash = if random.below(10) == 0 { random.below(9999) << 45 } else { random.next() };
        let blot = Blot::from_hash(hash);
        let part = PartId((posting * u64::from(DOCUMENTS) / POSTINGS) as u32);
        batch.shards[shard_of(blot)].push(Posting::new(blot, part));
    }
    batch
}

fn folder() -> (tempfile::TempDir, Folder) {
    let place = tempdir().unwrap();
    let folder = Folder::new(place.path());
    (place, folder)
}

/// An index of some batches, one segment each.
fn writer(folder: &Folder, segments: u64) -> IndexWriter {
    let corpus = Corpus { base: "/".into(), roots: vec!["/".into()] };
    let manifest = Manifest::empty(corpus, WalkRules::default(), Formats::default(), Recipe::default());
    let mut writer = IndexWriter::create(folder, manifest).unwrap();
    for seed in 1..=segments {
        writer.commit(Commit { batches: vec![batch(seed)], ..Commit::default() }).unwrap();
    }
    writer
}

#[divan::bench]
fn sort(bencher: Bencher) {
    let pieces: Vec<(u32, Vec<Posting>)> =
        (1..=32).map(|seed| (0, batch(seed).shards.swap_remove(0))).collect();
    let count: usize = pieces.iter().map(|(_, piece)| piece.len()).sum();
    bencher.counter(ItemsCount::new(count)).bench_local(|| sort_and_fold(black_box(&pieces)));
}

#[divan::bench(sample_count = 10)]
fn write(bencher: Bencher) {
    let (_place, folder) = folder();
    bencher
        .counter(ItemsCount::new(POSTINGS))
        .with_inputs(|| vec![batch(1)])
        .bench_local_values(|batches| seal_batches(&folder, "1.segment", batches).unwrap());
}

#[divan::bench(sample_count = 10)]
fn merge(bencher: Bencher) {
    let (_place, folder) = folder();
    let mut writer = writer(&folder, 8);
    bencher
        .counter(ItemsCount::new(8 * POSTINGS))
        .with_inputs(|| writer.plan_merge().unwrap())
        .bench_local_values(|plan| drop(plan.run(&|| false).unwrap()));
}

#[divan::bench]
fn open(bencher: Bencher) {
    let (_place, folder) = folder();
    drop(writer(&folder, 4));
    bencher.bench_local(|| Snapshot::open(&folder).unwrap());
}

#[divan::bench(sample_count = 10)]
fn scan(bencher: Bencher) {
    let (_place, folder) = folder();
    let writer = writer(&folder, 6);
    bencher
        .counter(ItemsCount::new(6 * POSTINGS))
        .bench_local(|| Ranking::scan(writer.snapshot(), usize::MAX).unwrap());
}

/// Every posting list of a segment, read by one thread.
#[divan::bench(sample_count = 10)]
fn walk(bencher: Bencher) {
    let (_place, folder) = folder();
    let name = seal_batches(&folder, "1.segment", vec![batch(1), batch(2)]).unwrap();
    let segment = Segment::open(&folder, &name).unwrap();
    bencher.counter(ItemsCount::new(2 * POSTINGS)).bench_local(|| {
        for shard in 0..SHARDS {
            let mut stream = ShardStream::new(&segment, shard);
            while let Some(block) = stream.advance_block().unwrap() {
                black_box(block);
            }
        }
    });
}

#[divan::bench]
fn find(bencher: Bencher) {
    let (_place, folder) = folder();
    let writer = writer(&folder, 6);
    let mut random = Random(7);
    bencher.bench_local(|| writer.snapshot().find(Blot::from_hash(random.below(9999) << 45)).unwrap());
}

/// What a segment costs to open and to check.
#[divan::bench]
fn open_segment(bencher: Bencher) {
    let (_place, folder) = folder();
    let name = seal_batches(&folder, "1.segment", vec![batch(1)]).unwrap();
    bencher.bench_local(|| Segment::open(&folder, &name).unwrap());
}
