//! Leaves out the features that too many or too few of all documents have. Each block has a list of its features and of how
//! many documents have them; these lists are merged to the list of the features that count. Both are sorted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::files::{BlockFile, COUNTS, Kept, write_block};
use super::plan::BlockPlan;
use crate::Tick;
use crate::error::NearError;
use dupi_base::storage::sealed::SealedRecords;
use dupi_index::query::documents::Made;

/// The counts of all blocks are open at once: this share of the memory is for what is read of them ahead.
const BUFFERS_SHARE: u64 = 4;
/// Bytes of a list that are read at once.
const BUFFER: usize = 1 << 18;
const LEAST_BUFFER: usize = 1 << 12;

/// Writes how many documents of a block have each feature.
pub(super) fn count(plan: &BlockPlan, block: u32, made: &Made<Kept>) -> Result<(), NearError> {
    let features = made.documents.iter().flat_map(|(_, kept)| &kept.numbers);
    let mut all: Vec<u64> = features.copied().collect();
    all.par_sort_unstable();
    let mut draft = COUNTS.create(&plan.folder, &plan.counts_name(block), &[])?;
    for same in all.chunk_by(|a, b| a == b) {
        draft.write(&same[0].to_le_bytes())?;
        draft.write(&(same.len() as u32).to_le_bytes())?;
    }
    Ok(draft.seal().map(drop)?)
}

/// The list of the features of a block, or of those that count. Their records have 12 or 8 bytes.
fn open<const N: usize>(
    plan: &BlockPlan,
    name: &str,
    verb: &'static str,
    buffer: usize,
) -> Result<SealedRecords<N>, NearError> {
    Ok(plan.open(&COUNTS, name, format!("file {name}"), verb)?.into_records(buffer)?)
}

fn open_counts(plan: &BlockPlan, block: u32, buffer: usize) -> Result<SealedRecords<12>, NearError> {
    open(plan, &plan.counts_name(block), "segment shatter near", buffer)
}

/// The next feature of a block, and in how many of its documents it is.
fn next(counts: &mut SealedRecords<12>) -> Result<Option<(u64, u32)>, NearError> {
    let record = counts.read()?;
    Ok(record.map(|[a, b, c, d, e, f, g, h, count @ ..]| {
        (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(count))
    }))
}

/// Merges the counts of all blocks, and writes which features count. Returns the path. If it is there already, nothing is
/// done.
///
/// # Errors
/// When a block is missing or damaged, or when `tick` stops it.
pub fn tally(plan: &BlockPlan, tick: &Tick) -> Result<PathBuf, NearError> {
    let path = plan.folder.at(&plan.tally_name());
    let bounds = plan.bounds().ok_or_else(|| {
        let sentence = "there is nothing to tally: neither --idf-min nor --idf-max leaves out anything";
        NearError::Part(sentence.to_owned())
    })?;
    if path.exists() {
        return Ok(path);
    }
    let raw = plan.raw();
    let mut documents = 0;
    for block in 0..plan.blocks() {
        documents += BlockFile::open(&raw, block)?.rows.len();
    }
    let each = plan.settings.memory / BUFFERS_SHARE / u64::from(plan.blocks());
    let buffer = each.clamp(LEAST_BUFFER as u64, BUFFER as u64) as usize;
    let open = |block| open_counts(plan, block, buffer);
    let mut lists = (0..plan.blocks()).map(open).collect::<Result<Vec<_>, _>>()?;
    let mut heads = BinaryHeap::new();
    for (number, list) in lists.iter_mut().enumerate() {
        heads.extend(next(list)?.map(|head| Reverse((head, number))));
    }
    let mut draft = COUNTS.create(&plan.folder, &plan.tally_name(), &[])?;
    let mut done = 0_u64;
    while let Some(&Reverse(((feature, _), _))) = heads.peek() {
        let mut frequency = 0;
        while let Some(&Reverse(((same, count), number))) = heads.peek()
            && same == feature
        {
            heads.pop();
            heads.extend(next(&mut lists[number])?.map(|head| Reverse((head, number))));
            frequency += u64::from(count);
        }
        if bounds.is_within(documents as f64, frequency as f64) {
            draft.write(&feature.to_le_bytes())?;
        }
        done += 1;
        if done.is_multiple_of(1 << 20) {
            tick(0.5)?;
        }
    }
    draft.seal()?;
    Ok(path)
}

/// Makes the file of a block without the features that do not count, and returns its path. If it is there already, nothing is
/// done.
///
/// # Errors
/// When the block or the tally is missing or damaged.
pub fn bound(plan: &BlockPlan, block: u32) -> Result<PathBuf, NearError> {
    plan.part(block)?;
    let path = plan.folder.at(&plan.block_name(block));
    if BlockFile::open(plan, block).is_ok() {
        return Ok(path);
    }
    let raw = BlockFile::open(&plan.raw(), block)?;
    let counting = counting(plan, block)?;
    let mut documents = Vec::with_capacity(raw.rows.len());
    raw.all(|document, of| {
        let counted = of.numbers.into_iter().zip(of.counts);
        let (numbers, counts) =
            counted.filter(|(feature, _)| counting.binary_search(feature).is_ok()).unzip();
        documents.push((document, Kept { numbers, counts }));
    })?;
    write_block(plan, block, &Made { documents, too_large: raw.too_large })?;
    Ok(path)
}

/// The features of a block that count, ascending.
fn counting(plan: &BlockPlan, block: u32) -> Result<Vec<u64>, NearError> {
    let mut counts = open_counts(plan, block, BUFFER)?;
    let mut tally = open::<8>(plan, &plan.tally_name(), "segment tally near", BUFFER)?;
    let mut own = next(&mut counts)?.map(|(feature, _)| feature);
    let mut kept = Vec::new();
    // Both to their ends, so that their checksums are known to be right.
    while let Some(record) = tally.read()? {
        let feature = u64::from_le_bytes(record);
        while own.is_some_and(|own| own < feature) {
            own = next(&mut counts)?.map(|(feature, _)| feature);
        }
        kept.extend(own.filter(|own| *own == feature));
    }
    while next(&mut counts)?.is_some() {}
    Ok(kept)
}
