//! The file of a block: each document is read once.

use std::collections::HashSet;
use std::path::PathBuf;

use super::files::{BlockFile, Kept, write_block};
use super::plan::BlockPlan;
use super::tally::count;
use crate::by_signatures::Signature;
use crate::error::{NearError, check_memory};
use crate::features::FeatureSets;
use crate::settings::{FeatureRule, Method, Query};
use crate::{Tick, by_fingerprints, by_signatures, identical};
use dupi_base::corpus::{self, SkipReason};
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::current::CurrentFiles;
use dupi_index::query::documents::{Document, Made, ReadDocument, map};
use dupi_text::sketch::HASHES;

/// The advice for documents that are too large for a task.
pub(super) const MORE_BLOCKS: &str = ", or divide the documents into more blocks";

/// Makes the file of a block, and returns its path. If it is there already, nothing is done. If the plan is bounded, all
/// features are in it, and [`bound`](super::bound) makes the file that is compared.
///
/// # Errors
/// [`NearError::Part`] if a document is away or cannot be read, and when the block needs
/// more memory than there is.
pub fn shatter(plan: &BlockPlan, block: u32, tick: &Tick) -> Result<PathBuf, NearError> {
    let part = plan.part(block)?;
    let raw = plan.raw();
    let path = plan.folder.at(&raw.block_name(block));
    let is_counted = !plan.is_bounded() || plan.folder.at(&plan.counts_name(block)).exists();
    if is_counted && BlockFile::open(&raw, block).is_ok() {
        return Ok(path);
    }
    let wanted = match plan.settings.method {
        Method::Identical(identity) => Some(identical::read_by(plan.snapshot, identity)),
        _ => None,
    };
    let made = made(&Query { snapshot: &part, ..plan.query(tick) }, wanted.as_ref())?;
    check_read(&part, wanted.as_ref(), &made, plan.settings.memory)?;
    write_block(&raw, block, &made)?;
    if plan.is_bounded() {
        count(plan, block, &made)?;
    }
    Ok(path)
}

/// Reads those documents of a part of a snapshot that are wanted; `None` for all of them.
fn made(query: &Query, wanted: Option<&HashSet<DocumentId>>) -> Result<Made<Kept>, NearError> {
    let Query { snapshot: part, settings, tick } = *query;
    if let Some(rule) = FeatureRule::from_method(&settings.method) {
        let needed = part.totals().tokens.saturating_mul(rule.bytes_a_token());
        check_memory(needed, settings.memory, MORE_BLOCKS)?;
        let kept = |read: &ReadDocument| {
            let sets = FeatureSets::of_one(rule.make(read.tokens), rule.is_bag());
            let own = sets.get(0);
            Kept { numbers: own.features.to_vec(), counts: own.counts.to_vec() }
        };
        return Ok(map(part, settings.memory, tick, |_| true, kept)?);
    }
    Ok(match &settings.method {
        Method::SimHash(rule) => {
            by_fingerprints::made(query, *rule)?.map(|print| Vec::from_iter(print).into())
        }
        Method::MinHash(rule) => by_signatures::made(query, *rule)?
            .map(|signature| signature.map_or(Vec::new(), |signature| numbers_of(&signature)).into()),
        _ => {
            let none = HashSet::new();
            let prints = identical::prints(query, wanted.unwrap_or(&none))?;
            let mut made = prints.map(|content| two_of(content.0).to_vec().into());
            made.documents.iter_mut().for_each(|(of, _)| *of = Document::indexed(part, of.id));
            made
        }
    })
}

/// A number in two.
fn two_of(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

/// A signature as numbers: the hash of its bag in two, and eight bytes of its hashes in each other.
fn numbers_of(signature: &Signature) -> Vec<u64> {
    let hashes = signature.hashes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
    two_of(signature.bag).into_iter().chain(hashes).collect()
}

/// The number that [`two_of`] divided; `None` of other numbers.
pub(super) fn number_of(numbers: &[u64]) -> Option<u128> {
    let &[low, high] = numbers else { return None };
    Some(u128::from(high) << 64 | u128::from(low))
}

/// The signature that [`numbers_of`] gave these numbers; `None` from other numbers.
pub(super) fn signature_of(numbers: &[u64], width: usize) -> Option<Signature> {
    let (bag, rest) = numbers.split_at_checked(2)?;
    let hashes: Box<[u8]> = rest.iter().flat_map(|number| number.to_le_bytes()).collect();
    (hashes.len() == HASHES * width).then_some(Signature { bag: number_of(bag)?, hashes })
}

/// Refuses a block without a document that this machine does not see. What is no text any more is left out, as it is
/// everywhere.
fn check_read<T>(
    part: &Snapshot,
    wanted: Option<&HashSet<DocumentId>>,
    made: &Made<T>,
    memory: u64,
) -> Result<(), NearError> {
    let check_noted =
        || part.unread().take_message().map_or(Ok(()), |sentence| Err(NearError::Part(sentence)));
    // What can be read a moment later is not in the block.
    check_noted()?;
    let read: HashSet<FileId> =
        made.documents.iter().map(|(document, _)| part.file_of(document.id)).collect();
    let manifest = part.manifest();
    let is_wanted = |id: DocumentId| wanted.is_none_or(|wanted| wanted.contains(&id));
    let files = CurrentFiles::new(part, memory);
    let mut bytes = Vec::new();
    for file in part.texts().filter(|&file| !read.contains(&file) && files.holds(file, is_wanted)) {
        let path = manifest.corpus.absolute(part.path(file));
        if let Err(reason) = corpus::read(&path, manifest.rules.max_filesize, &mut bytes)
            && (reason.is_refusal() || reason == SkipReason::Vanished)
        {
            return Err(NearError::unread(&path, &reason));
        }
        let mut is_back = false;
        files.read(file, &mut bytes, is_wanted, |_| is_back = true);
        if is_back {
            return Err(NearError::unread(&path, &SkipReason::Vanished));
        }
    }
    check_noted()
}
