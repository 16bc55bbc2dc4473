//! The sealed files of blocks and of their pairs.
//!
//! The head of the file of a block has its documents. Its body has the numbers that are kept of all documents (8 bytes each),
//! and of bags then their counts (4 bytes each). The digest of a document is the xxh3-128 of its numbers and counts: it tells
//! equal documents, and what is read is checked by it.
//!
//! The file of pairs has a head only. With MinHash, a document with itself is no pair: it shares a band with too many others
//! to be compared with each.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::plan::{BlockPlan, Sharing};
use crate::error::NearError;
use crate::features::{FeatureSets, Features};
use crate::pairs::{Equal, Pair, write_features};
use dupi_base::storage::map::Scratch;
use dupi_base::storage::sealed::{FileKind, SealedFile, to_bytes};
use dupi_index::index::snapshot::DocumentId;
use dupi_index::query::documents::{Document, Made};

const REMEDY: &str = "remove it, and run its task again";
static BLOCK: FileKind = FileKind { name: "the file", magic: b"dupinear", version: 2, remedy: REMEDY };
static PAIRS: FileKind = FileKind { name: "the file", magic: b"dupipair", version: 2, remedy: REMEDY };
/// Files of features: how many documents of a block have each, or which of them count.
pub(super) static COUNTS: FileKind =
    FileKind { name: "the file", magic: b"dupispot", version: 2, remedy: REMEDY };

/// What is kept of a document: the numbers that are compared, and their counts. Without counts, each is there once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) numbers: Vec<u64>,
    pub(super) counts: Vec<u32>,
}

impl From<Vec<u64>> for Kept {
    fn from(numbers: Vec<u64>) -> Self {
        Self { numbers, counts: Vec::new() }
    }
}

impl Kept {
    pub(super) fn features(&self) -> Features<'_> {
        Features { features: &self.numbers, counts: &self.counts }
    }

    fn digest(&self, bytes: &mut Vec<u8>) -> u128 {
        write_features(self.features(), bytes);
        xxh3_128(bytes)
    }
}

/// A document of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) document: Document,
    /// How many numbers are kept of it.
    pub(super) numbers: u32,
    /// Documents with equal data have equal ones.
    pub(super) digest: u128,
}

/// The head of the file of a block.
#[derive(Serialize, Deserialize)]
struct BlockHead {
    key: u128,
    block: (u32, u32),
    are_bags: bool,
    too_large: u64,
    rows: Vec<Row>,
}

/// The file of a block, open. Its documents are in memory, their data is not.
pub(super) struct BlockFile {
    file: SealedFile,
    data: Scratch,
    pub(super) rows: Vec<Row>,
    /// Where the numbers of each document begin, and the end.
    starts: Vec<usize>,
    /// The number of files that were skipped because their tokens would take too much memory.
    pub(super) too_large: u64,
}

/// Writes the file of a block.
pub(super) fn write_block(plan: &BlockPlan, block: u32, made: &Made<Kept>) -> Result<(), NearError> {
    let mut bytes = Vec::new();
    let row = |(document, kept): &(Document, Kept)| {
        let (document, numbers) = (*document, kept.numbers.len() as u32);
        Row { document, numbers, digest: kept.digest(&mut bytes) }
    };
    let rows = made.documents.iter().map(row).collect();
    let head = BlockHead {
        key: plan.key(),
        block: (block, plan.blocks()),
        are_bags: plan.has_bags(),
        too_large: made.too_large,
        rows,
    };
    // A task that outlives its job does not make the job's folder again.
    plan.folder.create_in_parent()?;
    let mut draft = BLOCK.create(&plan.folder, &plan.block_name(block), &to_bytes(&head))?;
    let kept = || made.documents.iter().map(|(_, kept)| kept);
    kept().try_for_each(|kept| draft.write_numbers(&kept.numbers, u64::to_le_bytes))?;
    kept().try_for_each(|kept| draft.write_numbers(&kept.counts, u32::to_le_bytes))?;
    Ok(draft.seal().map(drop)?)
}

impl BlockFile {
    /// Opens the file of a block, and checks all but its data.
    pub(super) fn open(plan: &BlockPlan, block: u32) -> Result<Self, NearError> {
        let what = format!("block {block} of {}", plan.blocks());
        let file = plan.open(&BLOCK, &plan.block_name(block), what, plan.verb())?;
        let BlockHead { key, block: of, are_bags, too_large, rows } = file.value()?;
        if (key, of, are_bags) != (plan.key(), (block, plan.blocks()), plan.has_bags()) {
            return Err(file.damaged("it has another name than it was given").into());
        }
        let mut starts = vec![0];
        starts.extend(rows.iter().scan(0, |end, row| {
            *end += row.numbers as usize;
            Some(*end)
        }));
        let numbers = starts[rows.len()];
        let counts = if are_bags { numbers } else { 0 };
        if file.length() != 8 * numbers as u64 + 4 * counts as u64 {
            return Err(file.damaged("its length is wrong").into());
        }
        if rows.iter().any(|row| !is_in(plan, row.document.id)) {
            return Err(file.damaged("it has a document that the index has not").into());
        }
        let data = file.numbers(0, numbers, 4 * counts)?;
        Ok(Self { file, data, rows, starts, too_large })
    }

    /// The first document of each digest, by their numbers, ascending. Documents of which nothing is kept are left out.
    pub(super) fn distinct(&self) -> Vec<u32> {
        Equal::of_digests(self.with_numbers().collect()).distinct
    }

    /// The digests of documents of which something is kept, with their numbers.
    pub(super) fn with_numbers(&self) -> impl Iterator<Item = (u128, u32)> + '_ {
        let rows = self.rows.iter().zip(0..).filter(|(row, _)| row.numbers > 0);
        rows.map(|(row, number)| (row.digest, number))
    }

    /// Adds the features of some documents to those of others.
    pub(super) fn add_features(&self, numbers: &[u32], sets: &mut FeatureSets) -> Result<(), NearError> {
        self.each(numbers.iter().copied(), |_, kept| sets.add_sorted(kept.features()))
    }

    /// Passes what is kept of some documents to `take`.
    pub(super) fn each(
        &self,
        numbers: impl IntoIterator<Item = u32>,
        mut take: impl FnMut(u32, Kept),
    ) -> Result<(), NearError> {
        let mut bytes = Vec::new();
        for number in numbers {
            let own = self.starts[number as usize]..self.starts[number as usize + 1];
            let counts = self.data.bytes().as_chunks().0.get(own.clone()).unwrap_or_default();
            let kept = Kept {
                numbers: self.data.numbers()[own].to_vec(),
                counts: counts.iter().map(|count| u32::from_le_bytes(*count)).collect(),
            };
            if kept.digest(&mut bytes) != self.rows[number as usize].digest {
                return Err(self.file.damaged("it does not agree with its checksum").into());
            }
            take(number, kept);
        }
        Ok(())
    }

    /// Passes what is kept of each document to `take`, and then frees the memory.
    pub(super) fn all(&self, mut take: impl FnMut(Document, Kept)) -> Result<(), NearError> {
        self.each(0..self.rows.len() as u32, |number, kept| take(self.rows[number as usize].document, kept))?;
        self.data.rest();
        Ok(())
    }
}

/// Whether a snapshot has a document of this number.
fn is_in(plan: &BlockPlan, id: DocumentId) -> bool {
    let segments = plan.snapshot.segments();
    let count = segments.get(id.segment as usize).map(|live| live.segment().table().document_count());
    count.is_some_and(|count| (id.document as usize) < count)
}

/// The key of the pairs of two blocks, and the pairs by the numbers in each.
type PairsHead = (u64, (u32, u32), Vec<Pair>);

/// Writes the pairs of two blocks, which are sorted.
pub(super) fn write_pairs(
    plan: &BlockPlan,
    blocks: (u32, u32),
    pairs: Vec<Pair>,
) -> Result<PathBuf, NearError> {
    let name = plan.pairs_name(blocks);
    let head: PairsHead = (plan.pairs_key(), blocks, pairs);
    PAIRS.write(&plan.folder, &name, &head)?;
    Ok(plan.folder.at(&name))
}

/// The pairs of two blocks, by the numbers in each, which are below the `lengths` of the blocks.
pub(super) fn read_pairs(
    plan: &BlockPlan,
    blocks: (u32, u32),
    lengths: [u32; 2],
) -> Result<Vec<Pair>, NearError> {
    let what = format!("pairs of the blocks {} and {} of {}", blocks.0, blocks.1, plan.blocks());
    let file = plan.open(&PAIRS, &plan.pairs_name(blocks), what, "segment query near")?;
    let (key, of, pairs): PairsHead = file.value()?;
    if (key, of) != (plan.pairs_key(), blocks) {
        return Err(file.damaged("it has another name").into());
    }
    let has_crowds = matches!(plan.sharing(), Some(Sharing::Bands { .. }));
    let is_pair = |pair: &Pair| {
        let is_two = pair.a < pair.b || pair.a == pair.b && has_crowds || blocks.0 != blocks.1;
        is_two
            && pair.a < lengths[0]
            && pair.b < lengths[1]
            && pair.similarity > 0.0
            && pair.similarity <= 1.0
    };
    let are_sorted = pairs.is_sorted_by(|before, next| (before.a, before.b) < (next.a, next.b));
    if !are_sorted || !pairs.iter().all(is_pair) {
        return Err(file.damaged("a pair is wrong").into());
    }
    Ok(pairs)
}
