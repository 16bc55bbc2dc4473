use super::*;
use crate::index::posting::PartId;
use crate::index::stream::ShardStream;
use crate::index::table::{DocumentEntry, FileEntry, PartEntry};
use dupi_base::corpus::Stamp;
use dupi_text::token::LexState;

fn batch(path: &str, hashes: &[u64]) -> Batch {
    let mut batch = Batch::default();
    let stamp = Stamp { size: 10, mtime: 0 };
    batch.table.files.push(FileEntry {
        path: path.into(),
        stamp,
        hash: 0,
        racy: false,
        binary: false,
        guessed: false,
    });
    batch.table.documents.push(DocumentEntry { file: 0, record: 0, key: 1, tokens: 4 });
    batch.table.parts.push(PartEntry { document: 0, start: 0, end: 10, state: LexState::default() });
    for &hash in hashes {
        let blot = Blot::from_hash(hash);
        batch.shards[posting::shard_of(blot)].push(Posting::new(blot, PartId(0)));
    }
    batch
}

#[test]
fn a_sealed_segment_has_its_postings_and_rows() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let batches = vec![batch("a", &[1 << 30, 1 << 30, u64::MAX]), batch("b", &[1 << 30])];
    let name = seal_batches(&folder, "1.segment", batches).unwrap();
    let segment = Segment::open(&folder, &name).unwrap();
    let mut block = PostingBlock::default();
    let places = segment.find(Blot::from_hash(1 << 30), &mut block).unwrap();
    assert_eq!(places, [PartRef::new(PartId(0), true), PartRef::new(PartId(1), false)]);
    assert!(segment.find(Blot::from_hash(1 << 40), &mut block).unwrap().is_empty());
    assert_eq!(segment.table().path(1), std::path::Path::new("b"));
    assert_eq!(segment.tokens(), 8);
    assert_eq!(segment.counts(), RunCounts { blots: 2, postings: 3 });
}

#[test]
fn every_flipped_byte_and_every_cut_is_noticed() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let name = seal_batches(&folder, "1.segment", vec![batch("a", &[3 << 30, 7 << 50])]).unwrap();
    let path = folder.at(&name.name);
    let whole = std::fs::read(&path).unwrap();
    let answer = |name: &SegmentName| -> Result<Vec<PartRef>, IndexError> {
        let segment = Segment::open(&folder, name)?;
        let mut all = Vec::new();
        for shard in 0..SHARDS {
            let mut stream = ShardStream::new(&segment, shard);
            while let Some(block) = stream.advance_block()? {
                (0..block.len()).for_each(|list| all.extend_from_slice(block.places(list)));
            }
        }
        Ok(all)
    };
    let expected = answer(&name).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        // The trailer is not checked: it is only for people and tools that look at the file.
        match answer(&name) {
            Ok(places) => assert!(places == expected && at >= whole.len() - TRAILER, "byte {at}"),
            Err(error) => assert!(error.to_string().contains("1.segment"), "{error}"),
        }
    }
    for length in 0..whole.len() {
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(answer(&name).is_err(), "{length}");
        let shorter = SegmentName { length: length as u64, ..name.clone() };
        assert!(answer(&shorter).is_err(), "{length}");
    }
}
