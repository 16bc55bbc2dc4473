//! The sealed file of a block. Its head has a row for each document; the body has the data of each: its numbers (8 bytes
//! each), and of bags how often it has each (4 bytes each), little-endian.
//!
//! The digest of a row is the xxh3-128 of the document's data: it tells equal documents, and what is read is checked by it.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::error::{BlockError, REMEDY};
use super::making::{Kept, are_bags};
use super::plan::BlockPlan;
use crate::document::Document;
use crate::documents::Made;
use crate::features::FeatureSets;
use dupi_base::storage::sealed::{FileKind, SealedFile, to_bytes};
use dupi_index::index::snapshot::DocumentId;

const FEATURES: FileKind = FileKind { magic: b"dupi ftr", version: 2, remedy: REMEDY };
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

/// The head of the file.
#[derive(Serialize, Deserialize)]
struct BlockHead {
    key: u128,
    /// The number of the block, and how many there are.
    block: (u32, u32),
    bags: bool,
    /// How many files were skipped because their tokens would take too much memory.
    too_large: u64,
    rows: Vec<KeptRow>,
}

/// A row as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptRow {
    document: (u32, u32),
    tokens: u32,
    bytes: u64,
    text: u64,
    mtime: i64,
    numbers: u32,
    digest: u128,
}

/// The file of a block, open. Its documents are in memory, their data is not.
pub(super) struct BlockFile {
    file: SealedFile,
    bags: bool,
    pub(super) rows: Vec<Row>,
    /// Where the data of each document begins, and the end.
    starts: Vec<u64>,
    /// How many files were skipped because their tokens would take too much memory.
    pub(super) too_large: u64,
}

/// Writes the file of a block.
pub(super) fn write(plan: &BlockPlan, block: u32, made: &Made<(Document, Kept)>) -> Result<(), BlockError> {
    let mut data = Vec::new();
    let row = |(_, (of, kept)): &(DocumentId, (Document, Kept))| {
        fill(&mut data, kept);
        KeptRow {
            document: (of.id.segment, of.id.document),
            tokens: of.tokens,
            bytes: of.bytes,
            text: of.text,
            mtime: of.mtime,
            numbers: kept.numbers.len() as u32,
            digest: xxh3_128(&data),
        }
    };
    let rows = made.documents.iter().map(row).collect();
    let (key, bags, block) = (plan.key(), are_bags(plan.settings), (block, plan.blocks()));
    let head = BlockHead { key, block, bags, too_large: made.too_large, rows };
    // A task that outlives its job does not make the job's folder again.
    plan.folder.create_in_parent()?;
    let mut file = FEATURES.create(&plan.folder, &plan.block_name(block.0), &to_bytes(&head))?;
    for (_, (_, kept)) in &made.documents {
        fill(&mut data, kept);
        file.write(&data)?;
    }
    file.seal()?;
    Ok(())
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
        let what = format!("block {block} of {}", plan.blocks());
        let file = plan.open(&FEATURES, &plan.block_name(block), what, plan.verb())?;
        let BlockHead { key, block: own, bags, too_large, rows } = file.value()?;
        if (key, own, bags) != (plan.key(), (block, plan.blocks()), are_bags(plan.settings)) {
            return Err(file.damaged("it has another name than it was given").into());
        }
        let rows: Vec<Row> = rows.into_iter().map(Row::from).collect();
        let each = if bags { 12 } else { 8 };
        let mut starts = vec![0];
        for row in &rows {
            starts.push(starts[starts.len() - 1] + u64::from(row.numbers) * each);
        }
        if starts.last() != Some(&file.length()) {
            return Err(file.damaged("its length is wrong").into());
        }
        if rows.iter().any(|row| !is_in(plan, row.document.id)) {
            return Err(file.damaged("it has a document that the index has not").into());
        }
        Ok(Self { file, bags, rows, starts, too_large })
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
                bytes = self.file.read_body(start..until.max(end))?;
            }
            let data = &bytes[(start - begin) as usize..(end - begin) as usize];
            let row = &self.rows[number as usize];
            if xxh3_128(data) != row.digest {
                return Err(self.file.damaged("its checksum is wrong").into());
            }
            let (whole, counts) = data.split_at(8 * row.numbers as usize);
            kept.numbers.clear();
            kept.numbers.extend(whole.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)));
            kept.counts.clear();
            kept.counts.extend(counts.as_chunks().0.iter().map(|count| u32::from_le_bytes(*count)));
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

impl From<KeptRow> for Row {
    fn from(kept: KeptRow) -> Self {
        let KeptRow { document: (segment, document), tokens, bytes, text, mtime, numbers, digest } = kept;
        let id = DocumentId { segment, document };
        Self { document: Document { id, tokens, bytes, text, mtime }, numbers, digest }
    }
}
