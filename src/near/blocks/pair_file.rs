//! The pairs of two blocks in a sealed file: its head is the key of the plan, the two blocks, and the pairs.
//!
//! With MinHash, a document with itself is no pair: it shares a band with too many others to be compared with each.

use super::error::{BlockError, REMEDY};
use super::plan::{BlockPlan, Sharing};
use crate::pair::Pair;
use dupi_base::storage::sealed::{FileKind, SealedError};

const PAIRS: FileKind = FileKind { magic: b"dupi prs", version: 2, remedy: REMEDY };

/// Of each pair the distance of its first number from that of the pair before, its second number, and the similarity.
type KeptPairs = (u64, (u32, u32), Vec<(u32, u32, f32)>);

/// Writes the pairs of two blocks, which are sorted.
pub(super) fn write(plan: &BlockPlan, blocks: (u32, u32), pairs: &[Pair]) -> Result<(), BlockError> {
    let mut before = 0;
    let kept =
        pairs.iter().map(|pair| (pair.a - std::mem::replace(&mut before, pair.a), pair.b, pair.similarity));
    let head: KeptPairs = (plan.pairs_key(), blocks, kept.collect());
    Ok(PAIRS.write(&plan.folder, &plan.pairs_name(blocks), &head)?)
}

/// The pairs of two blocks, by the numbers in each.
pub(super) fn read(plan: &BlockPlan, blocks: (u32, u32)) -> Result<Vec<Pair>, BlockError> {
    let what = format!("pairs of the blocks {} and {} of {}", blocks.0, blocks.1, plan.blocks());
    let file = plan.open(&PAIRS, &plan.pairs_name(blocks), what, "segment query near")?;
    file.check()?;
    let (key, own, pairs): KeptPairs = file.value()?;
    if (key, own) != (plan.pairs_key(), blocks) {
        return Err(file.damaged("it has another name").into());
    }
    let mut before: Option<(u32, u32)> = None;
    let next = |(distance, b, similarity): (u32, u32, f32)| {
        let a = before.map_or(0, |(a, _)| a).checked_add(distance)?;
        let is_crowded = a == b && matches!(plan.sharing(), Some(Sharing::Bands { .. }));
        let is_next = before < Some((a, b)) && (a < b || is_crowded || blocks.0 != blocks.1);
        let is_similarity = similarity > 0.0 && similarity <= 1.0;
        before = Some((a, b));
        (is_next && is_similarity).then_some(Pair { a, b, similarity })
    };
    let pairs = pairs.into_iter().map(next).collect::<Option<_>>();
    pairs.ok_or_else(|| file.damaged("a pair is wrong").into())
}

/// The error of pairs that name a document that is not there.
pub(super) fn names_none(plan: &BlockPlan, blocks: (u32, u32)) -> BlockError {
    let path = plan.folder.at(&plan.pairs_name(blocks));
    SealedError::Damaged { path, detail: "it names no document", remedy: REMEDY }.into()
}
