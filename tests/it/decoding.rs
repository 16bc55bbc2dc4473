//! A bounded run of the fuzz targets: the seeds under `tests/fuzz/seeds`, and mutations of them that are the
//! same each time. `DUPI_SEEDS=write` makes the seeds anew, from what the program writes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::decoders::DECODERS;
use crate::naive::text;
use dupi::index::manifest;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Options, Silent, bring_up_to_date};
use dupi::judge::search::{Passages, SearchSettings};
use dupi::judge::{PassageOrder, kept};
use dupi::passage::blocks::BlockNumber;
use dupi::storage::Folder;

/// Mutations of each seed.
const MUTATIONS: u32 = 20_000;

fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/seeds")
}

/// Steele and Vigna's SplitMix.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ mixed >> 27) >> 16) as usize % n
    }
}

/// Flips, overwrites, removes, doubles or cuts.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        let end = (at + random.below(16)).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            2 => drop(bytes.drain(at..end)),
            3 => bytes[at..end].fill(0xff),
            4 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => bytes.truncate(at),
        }
    }
}

#[test]
fn no_bytes_do_harm() {
    for (name, decode) in DECODERS {
        let mut random = Random(1);
        let mut count = 0;
        for entry in fs::read_dir(seeds().join(name)).unwrap() {
            let seed = fs::read(entry.unwrap().path()).unwrap();
            decode(&seed);
            for _ in 0..MUTATIONS {
                let mut bytes = seed.clone();
                mutate(&mut bytes, &mut random);
                decode(&bytes);
            }
            count += 1;
        }
        assert!(count > 0, "{name} has no seeds");
    }
}

/// The passages of a kept file.
fn section(snapshot: &Snapshot) -> Vec<u8> {
    let settings = SearchSettings::default();
    let found = Passages::find(snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap();
    kept::save(snapshot, &settings, &found);
    let entries = fs::read_dir(snapshot.folder().path()).unwrap().map(|entry| entry.unwrap().path());
    let file = entries.into_iter().find(|path| path.extension() == Some("kept".as_ref())).unwrap();
    let bytes = fs::read(file).unwrap();
    // The section of all passages stands last, before the checksum of the body.
    let copies: usize = found.found.iter().map(|passage| passage.copies.len()).sum();
    let rows = &bytes[..bytes.len() - 8];
    let is_section = |at: &usize| kept::copies_in(&rows[*at..]) == Some(copies);
    rows[(0..rows.len()).find(is_section).unwrap()..].to_vec()
}

/// The head of the only block of a search.
fn head_of_block(snapshot: &Snapshot, place: &Path) -> Vec<u8> {
    let folder = Folder::new(place.join("blocks"));
    let settings = SearchSettings::default();
    let name = settings.in_blocks(snapshot, &folder).write(None, BlockNumber::ONLY, &|_| Ok(())).unwrap();
    let bytes = fs::read(folder.at(&name)).unwrap();
    let length = u64::from_le_bytes(*bytes[16..].first_chunk().unwrap());
    bytes[24..24 + length as usize].to_vec()
}

/// The seeds are what the program writes for a small corpus; the formats have not changed behind them.
#[test]
fn the_seeds_are_of_this_format() {
    let place = crate::tempdir().unwrap();
    let corpus = place.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    for number in 0..6_u32 {
        let words: Vec<u8> = (0..40).map(|at| ((number % 3 + at * at) % 7) as u8).collect();
        fs::write(corpus.join(format!("{number}.txt")), text(&words)).unwrap();
    }
    let home = Folder::new(place.path().join("index"));
    let options = Options { memory: 1 << 24, threads: 1, ..Options::new(home.clone()) };
    let mut updater = crate::naive::open(&options, corpus).unwrap();
    bring_up_to_date(&mut updater, &Silent).unwrap();
    let snapshot = Snapshot::open(&home).unwrap();
    let segment = snapshot.segments()[0].segment();
    let shard = (0..64).max_by_key(|&shard| segment.shard_bytes(shard)).unwrap();
    let mut blocks = Vec::new();
    segment.copy_blocks(shard, 0..segment.shard_bytes(shard) as usize, &mut blocks).unwrap();
    let parts = (segment.parts() as u16).to_le_bytes();
    let directory = segment.directory(shard);
    let mut run = vec![directory.len() as u8];
    for block in 0..directory.len() {
        run.extend_from_slice(&directory.first_key(block).to_le_bytes());
        run.extend_from_slice(&(directory.span(block).unwrap().end as u32).to_le_bytes());
    }
    run.extend_from_slice(&blocks);
    let ranking = snapshot.manifest().ranking.as_ref().unwrap();
    let sketches = snapshot.segments()[0].sketches_name().unwrap();
    let made: [(&str, Vec<u8>); 7] = [
        ("kept", section(&snapshot)),
        ("gathered", head_of_block(&snapshot, place.path())),
        ("block", [&parts[..], &blocks[4..]].concat()),
        ("run", run),
        ("table", segment.table_bytes().to_vec()),
        ("sketches", home.read(&sketches.name).unwrap().unwrap()),
        ("ranking", home.read(&ranking.name).unwrap().unwrap()),
    ];
    for (name, bytes) in made {
        let path = seeds().join(name).join("small");
        if std::env::var_os("DUPI_SEEDS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
            if name == "ranking" {
                fs::create_dir_all(seeds().join("manifest")).unwrap();
                let bytes = home.read(manifest::NAME).unwrap().unwrap();
                let text = String::from_utf8(bytes).unwrap();
                fs::write(seeds().join("manifest/small"), text.replace(place.path().to_str().unwrap(), ""))
                    .unwrap();
            }
        }
        // Times differ from run to run; lengths do not.
        assert_eq!(
            fs::read(&path).unwrap().len(),
            bytes.len(),
            "{name}: DUPI_SEEDS=write makes the seeds anew"
        );
    }
}
