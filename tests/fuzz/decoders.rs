//! Everything that is decoded from bytes that a disk gave us, or a stranger's file: whatever the bytes are,
//! there is no panic, and no memory beyond what they are worth.
//!
//! The fuzz targets call these, and so does `tests/it/decoding.rs` with the seeds and some mutations of them.

#![allow(dead_code, reason = "each test program uses a part")]

use std::path::Path;

use dupi::corpus::{Formats, Records, decode};
use dupi::index::block::PostingBlock;
use dupi::index::manifest::Manifest;
use dupi::index::posting::PartId;
use dupi::index::ranking::Ranking;
use dupi::index::run::Directory;
use dupi::index::sketches::Sketches;
use dupi::index::table::TableView;
use dupi::judge::kept;
use dupi::passage::blocks;
use dupi::taboo::TabooList;
use xxhash_rust::xxh3::xxh3_64;

/// A decoder by its name.
pub type Decoder = (&'static str, fn(&[u8]));

/// All of them.
pub const DECODERS: [Decoder; 10] = [
    ("block", block),
    ("run", run),
    ("table", table),
    ("manifest", manifest),
    ("ranking", ranking),
    ("sketches", sketches),
    ("kept", kept),
    ("gathered", gathered),
    ("taboo", taboo),
    ("document", document),
];

/// A block behind its checksum. The first two bytes say how many parts there are.
pub fn block(bytes: &[u8]) {
    let Some((parts, body)) = bytes.split_at_checked(2) else { return };
    let parts = u32::from(u16::from_le_bytes([parts[0], parts[1]]));
    let mut block = PostingBlock::default();
    if block.decode_body(u64::MAX, body, 0, parts).is_ok() {
        for list in 0..block.len() {
            assert!(block.places(list).iter().all(|place| place.part().0 < parts));
            assert_eq!(block.find(block.key(list)), block.places(list));
        }
    }
}

/// A run: its first byte says how many entries of the directory come first.
pub fn run(bytes: &[u8]) {
    let Some((&entries, rest)) = bytes.split_first() else { return };
    let Some((directory, blocks)) = rest.split_at_checked(usize::from(entries) * 12) else { return };
    let directory = Directory::new(directory);
    let mut block = PostingBlock::default();
    for key in [0, 1 << 20, u64::MAX] {
        let _ = directory.find(blocks, key, 1000, &mut block);
    }
    for number in 0..directory.len() {
        if let Some(bytes) = directory.span(number).ok().and_then(|span| blocks.get(span)) {
            let _ = block.decode(bytes, directory.first_key(number), 1000);
        }
    }
}

/// The table of a segment, which is checked before a row is read.
pub fn table(bytes: &[u8]) {
    let Some(table) = TableView::new(bytes).filter(TableView::is_sound) else { return };
    for file in 0..table.file_count() as u32 {
        table.file(file);
        for document in table.documents_of(file) {
            table.document(document);
            for part in table.parts_of(document) {
                table.part(PartId(part));
            }
        }
    }
}

/// A manifest as it is, and its first line behind a checksum that agrees.
pub fn manifest(bytes: &[u8]) {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let sum = format!("\n{:016x}\n", xxh3_64(line));
    for bytes in [bytes, &[line, sum.as_bytes()].concat()] {
        if let Err(error) = Manifest::decode(bytes, Path::new("manifest.json")) {
            assert!(error.to_string().contains("manifest.json"));
        }
    }
}

/// A ranking behind its checksum.
pub fn ranking(bytes: &[u8]) {
    if let Some(ranking) = Ranking::decode(bytes) {
        let cut = ranking.stats.cut(2.0);
        assert!(
            ranking.entries.iter().filter(|entry| entry.documents() >= cut).count() <= ranking.entries.len()
        );
        ranking.entries.iter().for_each(|entry| assert_eq!(entry.blot().to_string().len(), 11));
    }
}

/// Sketches behind their checksum, for the six documents of the seed.
pub fn sketches(bytes: &[u8]) {
    if let Ok(sketches) = Sketches::decode(bytes, 6) {
        assert!(sketches.get(0).is_none_or(|sketch| sketch.bag != 0));
        assert!(sketches.get(6).is_none());
    }
}

/// Passages that are kept, behind their checksum. Their count comes first.
pub fn kept(bytes: &[u8]) {
    assert!(kept::copies_in(bytes).is_none_or(|copies| copies < bytes.len()));
}

/// The end of a block of gathered text, behind its checksum.
pub fn gathered(bytes: &[u8]) {
    assert!(blocks::stretches_in_head(bytes).is_none_or(|stretches| stretches < bytes.len()));
}

/// A taboo list.
pub fn taboo(bytes: &[u8]) {
    if let Ok(list) = TabooList::parse(Path::new("taboo.toml"), bytes) {
        let text = list.to_text().unwrap();
        assert_eq!(TabooList::parse(Path::new("taboo.toml"), text.as_bytes()).unwrap(), list);
    }
}

/// A file of the corpus, as text, as a mailbox and as records.
pub fn document(bytes: &[u8]) {
    let Ok(text) = decode(bytes) else { return };
    let formats = Formats::of_jsonl("text");
    for name in ["a.txt", "a.jsonl", "a.mbox"] {
        for record in Records::split(Path::new(name), &text.text, &formats).iter(&text.text).flatten() {
            let mut offsets = record.text_offsets();
            assert!(offsets.get(record.text.len()) <= text.text.len());
        }
    }
}
