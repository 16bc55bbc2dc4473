//! The sealed file of a block.
//!
//! ```text
//! head       magic · version · bags · key · block · blocks · documents · files too large     (64 bytes)
//! documents  segment · document · tokens · numbers · bytes · text · time · digest            (56 bytes each)
//! checksum   xxh3-64 of head and documents
//! data       of each document its numbers (8 bytes each), and of bags how often it has each (4 bytes each)
//! ```
//!
//! All numbers are little-endian. The digest is the xxh3-128 of a document's data: it tells equal documents, and what is read
//! is checked by it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::error::BlockError;
use super::making::{Kept, are_bags};
use super::plan::BlockPlan;
use crate::document::Document;
use crate::documents::Made;
use crate::features::FeatureSets;
use dupi_base::storage::StorageError;
use dupi_index::index::snapshot::DocumentId;

const MAGIC: u64 = u64::from_le_bytes(*b"dupinear");
const VERSION: u32 = 1;
const HEAD: usize = 64;
const ROW: usize = 56;
const CHECKSUM: usize = 8;
/// Bytes of data that are read at once.
const PIECE: usize = 1 << 20;

/// A document of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) document: Document,
    /// How many numbers are kept of it.
    pub(super) numbers: u32,
    /// Documents with equal data have equal ones.
    pub(super) digest: u128,
}

/// The file of a block, open. Its documents are in memory, their data is not.
pub(super) struct BlockFile {
    file: File,
    path: PathBuf,
    bags: bool,
    pub(super) rows: Vec<Row>,
    /// Where the data of each document begins, and the end.
    starts: Vec<u64>,
    /// How many files were skipped because their tokens would take too much memory.
    pub(super) too_large: u64,
}

/// Writes the file of a block.
pub(super) fn write(plan: &BlockPlan, block: u32, made: &Made<(Document, Kept)>) -> Result<(), BlockError> {
    let bags = are_bags(plan.settings);
    let head = [&MAGIC.to_le_bytes()[..], &VERSION.to_le_bytes(), &u32::from(bags).to_le_bytes()].concat();
    let numbers = [block, plan.blocks()].map(u32::to_le_bytes).concat();
    let counts = [made.documents.len() as u64, made.too_large, 0].map(u64::to_le_bytes).concat();
    let mut bytes = [head, plan.key().to_le_bytes().to_vec(), numbers, counts].concat();
    debug_assert!(bytes.len() == HEAD, "as the head of this module says");
    let mut data = Vec::new();
    for (_, (of, kept)) in &made.documents {
        fill(&mut data, kept);
        for number in [of.id.segment, of.id.document, of.tokens, kept.numbers.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([of.bytes, of.text, of.mtime as u64].into_iter().flat_map(u64::to_le_bytes));
        bytes.extend(xxh3_128(&data).to_le_bytes());
    }
    // A task that outlives its job does not make the job's folder again.
    plan.folder.create_in_parent()?;
    let mut draft = plan.folder.draft_unique(&plan.block_name(block))?;
    let checksum = xxh3_64(&bytes);
    draft.write(&bytes)?;
    draft.write(&checksum.to_le_bytes())?;
    for (_, (_, kept)) in &made.documents {
        fill(&mut data, kept);
        draft.write(&data)?;
    }
    Ok(draft.seal()?)
}

/// The data of a document.
fn fill(data: &mut Vec<u8>, kept: &Kept) {
    data.clear();
    data.extend(kept.numbers.iter().flat_map(|number| number.to_le_bytes()));
    data.extend(kept.counts.iter().flat_map(|count| count.to_le_bytes()));
}

impl BlockFile {
    /// Opens the file of a block, and checks all but its data.
    pub(super) fn open(plan: &BlockPlan, block: u32) -> Result<Self, BlockError> {
        let name = plan.block_name(block);
        let path = plan.folder.at(&name);
        let bags = are_bags(plan.settings);
        let damaged = |detail| BlockError::Damaged { path: path.clone(), detail };
        let file = plan.folder.open(&name).map_err(|error| match error.source.kind() {
            std::io::ErrorKind::NotFound => {
                plan.missing(format!("block {block} of {}", plan.blocks()), plan.verb())
            }
            _ => error.into(),
        })?;
        let of_read = |error| BlockError::from(StorageError::of("read", &path)(error));
        let length = file.metadata().map_err(of_read)?.len();
        let mut head = [0; HEAD];
        if length < (HEAD + CHECKSUM) as u64 {
            return Err(damaged("it is too short"));
        }
        file.read_exact_at(&mut head, 0).map_err(of_read)?;
        let small = |at: usize| u32_at(&head, at);
        if u64_at(&head, 0) != MAGIC || small(8) != VERSION {
            return Err(damaged("it is no file of this version of dupi-tui"));
        }
        let is_own = u128_at(&head, 16) == plan.key() && (small(32), small(36)) == (block, plan.blocks());
        if !is_own || small(12) != u32::from(bags) {
            return Err(damaged("it has another name than it was given"));
        }
        let documents = u64_at(&head, 40);
        let room = length - (HEAD + CHECKSUM) as u64;
        let rows = documents.checked_mul(ROW as u64).filter(|&rows| rows <= room);
        let rows = rows.ok_or_else(|| damaged("it is too short"))? as usize;
        let mut bytes = vec![0; HEAD + rows + CHECKSUM];
        file.read_exact_at(&mut bytes, 0).map_err(of_read)?;
        let (checked, checksum) = bytes.split_at(HEAD + rows);
        if xxh3_64(checked) != u64_at(checksum, 0) {
            return Err(damaged("its checksum is wrong"));
        }
        let rows: Vec<Row> = checked[HEAD..].chunks_exact(ROW).map(row).collect();
        let each = if bags { 12 } else { 8 };
        let mut starts = vec![bytes.len() as u64];
        for row in &rows {
            starts.push(starts[starts.len() - 1] + u64::from(row.numbers) * each);
        }
        if starts.last() != Some(&length) {
            return Err(damaged("its length is wrong"));
        }
        if rows.iter().any(|row| !is_in(plan, row.document.id)) {
            return Err(damaged("it has a document that the index has not"));
        }
        Ok(Self { file, path, bags, rows, starts, too_large: u64_at(&head, 48) })
    }

    /// The first document of each digest, by their numbers, ascending. Documents of which nothing is kept are left out.
    pub(super) fn distinct(&self) -> Vec<u32> {
        let mut digests: Vec<(u128, u32)> = self.with_numbers().collect();
        digests.sort_unstable();
        digests.dedup_by_key(|(digest, _)| *digest);
        let mut first: Vec<u32> = digests.into_iter().map(|(_, number)| number).collect();
        first.sort_unstable();
        first
    }

    /// The digests of documents of which something is kept, with their numbers.
    pub(super) fn with_numbers(&self) -> impl Iterator<Item = (u128, u32)> + '_ {
        let rows = self.rows.iter().zip(0..).filter(|(row, _)| row.numbers > 0);
        rows.map(|(row, number)| (row.digest, number))
    }

    /// Adds the features of some documents, ascending, to those of others.
    pub(super) fn add_features(&self, numbers: &[u32], sets: &mut FeatureSets) -> Result<(), BlockError> {
        self.each(numbers, |_, kept| match self.bags {
            true => sets.add_counted(&kept.numbers, &kept.counts),
            false => sets.add_sorted(&kept.numbers),
        })
    }

    /// Passes what is kept of some documents, ascending, to `take`.
    pub(super) fn each(&self, numbers: &[u32], mut take: impl FnMut(u32, &Kept)) -> Result<(), BlockError> {
        let (mut bytes, mut begin) = (Vec::new(), 0);
        let mut kept = Kept::default();
        for (at, &number) in numbers.iter().enumerate() {
            let (start, end) = (self.starts[number as usize], self.starts[number as usize + 1]);
            if end > begin + bytes.len() as u64 || start < begin {
                // As far as the documents behind it are wanted too.
                let near = numbers[at..].iter().zip(number..).take_while(|(wanted, next)| *wanted == next);
                let ends = near.map(|(&wanted, _)| self.starts[wanted as usize + 1]);
                let until = ends.take_while(|&until| until - start <= PIECE as u64).last().unwrap_or(end);
                begin = start;
                bytes.resize((until.max(end) - start) as usize, 0);
                self.file.read_exact_at(&mut bytes, start).map_err(StorageError::of("read", &self.path))?;
            }
            let data = &bytes[(start - begin) as usize..(end - begin) as usize];
            let row = &self.rows[number as usize];
            if xxh3_128(data) != row.digest {
                return Err(BlockError::Damaged { path: self.path.clone(), detail: "its checksum is wrong" });
            }
            let (whole, counts) = data.split_at(8 * row.numbers as usize);
            kept.numbers.clear();
            kept.numbers.extend(whole.chunks_exact(8).map(|number| u64_at(number, 0)));
            kept.counts.clear();
            kept.counts.extend(counts.chunks_exact(4).map(|count| u32_at(count, 0)));
            take(number, &kept);
        }
        Ok(())
    }
}

/// Whether a snapshot has a document of this number.
fn is_in(plan: &BlockPlan, id: DocumentId) -> bool {
    let segments = plan.snapshot.segments();
    let count = segments.get(id.segment as usize).map(|live| live.segment().table().document_count());
    count.is_some_and(|count| (id.document as usize) < count)
}

fn row(bytes: &[u8]) -> Row {
    let id = DocumentId { segment: u32_at(bytes, 0), document: u32_at(bytes, 4) };
    let document = Document {
        id,
        tokens: u32_at(bytes, 8),
        bytes: u64_at(bytes, 16),
        text: u64_at(bytes, 24),
        mtime: u64_at(bytes, 32) as i64,
    };
    Row { document, numbers: u32_at(bytes, 12), digest: u128_at(bytes, 40) }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(bytes, at))
}

fn u128_at(bytes: &[u8], at: usize) -> u128 {
    u128::from_le_bytes(array(bytes, at))
}

/// Some bytes; zeros behind the end, where nothing asks for them.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
}
