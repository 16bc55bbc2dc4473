//! Reads a file, decodes it, splits it into records, shatters these and adds the result to a batch.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::xxh3_64;

use dupi_base::corpus::{self, Corpus, Encoding, Formats, FoundFile, Records, SkipReason, Skipped, Stamp};
use dupi_index::index::posting::{PartId, Posting, shard_of};
use dupi_index::index::segment::Batch;
use dupi_index::index::table::{DocumentEntry, FileEntry, PartEntry};
use dupi_text::blot::{Recipe, Tile, shatter_parts};
use dupi_text::sketch::{Sketcher, USUAL_SHINGLE};
use dupi_text::token::Tokeniser;

/// Documents longer than this are divided into parts of this many bytes.
pub(super) const PART_BYTES: usize = 1 << 20;

/// A file that was changed less than this before it is read may change again without a change of its stamp.
const TICK: Duration = Duration::from_secs(2);

/// The parameters by which files become batches.
pub(super) struct Intake<'a> {
    /// The corpus of the files.
    pub corpus: &'a Corpus,
    /// Formats of files with several documents.
    pub formats: &'a Formats,
    /// How documents become blots.
    pub recipe: &'a Recipe,
    /// The largest file that is read.
    pub max_filesize: u64,
    /// Whether documents are sketched.
    pub sketches: bool,
}

/// What a thread reads with.
#[derive(Default)]
pub(super) struct Buffers {
    bytes: Vec<u8>,
    /// Made for the first document that is sketched.
    pub(super) sketcher: Option<Sketcher>,
}

impl Intake<'_> {
    /// Adds a file to a batch, and what it skips to `skipped`. A binary file is recorded in the batch, so that it
    /// is not read again.
    pub(super) fn take(
        &self,
        found: &FoundFile,
        buffers: &mut Buffers,
        batch: &mut Batch,
        skipped: &mut Vec<Skipped>,
    ) {
        let Buffers { bytes, sketcher } = buffers;
        match corpus::read(&self.corpus.absolute(&found.path), self.max_filesize, bytes) {
            Ok(stamp) => self.take_read(&found.path, stamp, bytes, sketcher, batch, skipped),
            Err(reason) => skipped.push(Skipped::new(&found.path, reason)),
        }
    }

    /// The same for a file whose bytes were read already, with its stamp at that time.
    pub(super) fn take_read(
        &self,
        path: &Path,
        stamp: Stamp,
        bytes: &[u8],
        sketcher: &mut Option<Sketcher>,
        batch: &mut Batch,
        skipped: &mut Vec<Skipped>,
    ) {
        let skip = |reason| Skipped::new(path, reason);
        let text = match corpus::decode(bytes) {
            Ok(text) => Some(text),
            Err(SkipReason::Binary) => None,
            Err(reason) => return skipped.push(skip(reason)),
        };
        let file = batch.table.files.len() as u32;
        batch.table.files.push(FileEntry {
            path: path.as_os_str().as_bytes().to_vec(),
            stamp,
            hash: xxh3_64(bytes),
            racy: is_racy(stamp),
            binary: text.is_none(),
            guessed: text.as_ref().is_some_and(|text| text.encoding == Encoding::Windows1252),
        });
        let Some(text) = text else { return };
        let mut skipped_records = 0;
        for record in Records::split(path, &text.text, self.formats).iter(&text.text) {
            match record {
                Ok(record) => self.shatter(path, file, record.number, &record.text, sketcher, batch),
                Err(reason) => {
                    skipped_records += 1;
                    match skipped.last_mut() {
                        Some(last) if skipped_records > Skipped::LISTED => last.more += 1,
                        _ => skipped.push(skip(reason)),
                    }
                }
            }
        }
    }

    fn shatter(
        &self,
        path: &Path,
        file: u32,
        number: Option<u32>,
        text: &str,
        sketcher: &mut Option<Sketcher>,
        batch: &mut Batch,
    ) {
        let mut sketcher =
            self.sketches.then(|| sketcher.get_or_insert_with(|| Sketcher::new(USUAL_SHINGLE)));
        let tokeniser = Tokeniser::for_file(self.recipe.tokens, self.recipe.comments, path, text);
        let read = self.recipe.ignored.blanked(text);
        let base = batch.table.parts.len() as u32;
        let shards = &mut batch.shards;
        let token = |hash| {
            if let Some(sketcher) = &mut sketcher {
                sketcher.push(hash);
            }
        };
        let tile = |part, tile: Tile| {
            shards[shard_of(tile.blot)].push(Posting::new(tile.blot, PartId(base + part)));
        };
        let (parts, tokens) = shatter_parts(&read, tokeniser, self.recipe, PART_BYTES, token, tile);
        if let Some(sketcher) = sketcher {
            let sketch = sketcher.finish().map(|whole| whole.kept());
            batch.sketches.get_or_insert_default().push(sketch.as_ref());
        }
        let document = batch.table.documents.len() as u32;
        batch.table.documents.push(DocumentEntry {
            file,
            record: number.unwrap_or(0),
            key: xxh3_64(text.as_bytes()),
            tokens,
        });
        batch.table.parts.extend(parts.into_iter().map(|part| PartEntry {
            document,
            start: part.start,
            end: part.end,
            state: part.state,
        }));
    }
}

fn is_racy(stamp: Stamp) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let changed = Duration::from_nanos(u64::try_from(stamp.mtime).unwrap_or(0));
    changed + TICK > now
}
