//! The pairs of the documents of two blocks.

use std::collections::HashSet;
use std::path::PathBuf;

use super::files::{BlockFile, read_pairs, write_pairs};
use super::plan::BlockPlan;
use super::shatter::MORE_BLOCKS;
use crate::Tick;
use crate::error::NearError;
use crate::features::FeatureSets;
use crate::jaccard::{join, join_across};
use crate::limits::check_memory;
use crate::pairs::Pair;
use crate::threshold::Threshold;

/// The memory for a feature: itself, its count, its frequency, and its place in a prefix and in the index of prefixes.
const BYTES_A_FEATURE: u64 = 24;

/// Finds the similar documents of two blocks, of which one document is in each, or of one block, and writes them to a file,
/// of which it returns the path. If it is there already, nothing is done.
///
/// Of documents with equal features only the first one of a block is compared, and none of the later block that the earlier
/// one has too: its pairs are those of its equal there. So all pairs of documents that are the first of their kind are found.
///
/// # Errors
/// When a block is missing or damaged, and when there is not enough memory for both.
pub fn query(plan: &BlockPlan, task: u64, tick: &Tick) -> Result<PathBuf, NearError> {
    let (a, b) = BlockPlan::two_blocks(task, plan.queries())?;
    let path = plan.folder.at(&plan.pairs_name((a, b)));
    if read_pairs(plan, (a, b), [u32::MAX; 2]).is_ok() {
        return Ok(path);
    }
    let earlier = BlockFile::open(plan, a)?;
    let ours = earlier.distinct();
    let later = if a == b { None } else { Some(BlockFile::open(plan, b)?) };
    let theirs = later.as_ref().map(|later| {
        let known: HashSet<u128> = earlier.with_numbers().map(|(digest, _)| digest).collect();
        let mut theirs = later.distinct();
        theirs.retain(|&number| !known.contains(&later.rows[number as usize].digest));
        theirs
    });
    let features = |file: &BlockFile, numbers: &[u32]| {
        numbers.iter().map(|&number| u64::from(file.rows[number as usize].numbers)).sum::<u64>()
    };
    let both = later.as_ref().zip(theirs.as_deref());
    let all = features(&earlier, &ours) + both.map_or(0, |(file, numbers)| features(file, numbers));
    check_memory(all * BYTES_A_FEATURE, plan.settings.memory, MORE_BLOCKS)?;
    let mut sets = FeatureSets::default();
    earlier.add_features(&ours, &mut sets)?;
    if let Some((file, numbers)) = both {
        file.add_features(numbers, &mut sets)?;
    }
    let limit = plan.settings.pair_limit();
    let pairs = match (Threshold::new(plan.settings.rule.threshold), &theirs) {
        (None, _) => Vec::new(),
        (Some(least), None) => join(&sets, &(0..sets.len() as u32).collect::<Vec<_>>(), least, &limit, tick)?,
        (Some(least), Some(_)) => join_across(&sets, ours.len() as u32, least, &limit, tick)?,
    };
    let border = ours.len();
    let name = |place: u32| match (place as usize).checked_sub(border).zip(theirs.as_ref()) {
        Some((place, theirs)) => theirs[place],
        None => ours[place as usize],
    };
    let pairs: Vec<Pair> =
        pairs.iter().map(|pair| Pair { a: name(pair.a), b: name(pair.b), ..*pair }).collect();
    Ok(write_pairs(plan, (a, b), pairs)?)
}
