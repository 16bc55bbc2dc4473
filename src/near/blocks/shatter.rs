//! The file of a block: each document is read once.

use std::collections::HashSet;
use std::path::PathBuf;

use super::block_file::{BlockFile, write};
use super::error::BlockError;
use super::making::{made, wanted};
use super::plan::BlockPlan;
use super::tally::write_counts;
use crate::document::Document;
use crate::documents::Made;
use crate::error::NearError;
use dupi_base::corpus::{self, SkipReason};
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::current::CurrentFiles;

/// Makes the file of a block, and returns its path. If it is there already, nothing is done. If the plan is bounded, all
/// features are in it, and [`bound`](super::bound) makes the file that is compared.
///
/// # Errors
/// [`BlockError::Unread`] or [`BlockError::UnreadFiles`] if a document is away or cannot be read, and when the block needs
/// more memory than there is.
pub fn shatter(plan: &BlockPlan, block: u32, tick: &Tick) -> Result<PathBuf, NearError> {
    let part = plan.part(block)?;
    let raw = plan.raw();
    let path = plan.folder.at(&raw.block_name(block));
    let is_counted = !plan.is_bounded() || plan.folder.at(&plan.counts_name(block)).exists();
    if is_counted && BlockFile::open(&raw, block).is_ok() {
        return Ok(path);
    }
    let wanted = wanted(plan.snapshot, plan.settings);
    let made = made(&part, wanted.as_ref(), plan.settings, tick)?;
    check_read(&part, wanted.as_ref(), &made, plan.settings.memory)?;
    write(&raw, block, &made)?;
    if plan.is_bounded() {
        write_counts(plan, block, &made)?;
    }
    Ok(path)
}

/// Refuses a block without a document that this machine does not see. What is no text any more is left out, as it is
/// everywhere.
fn check_read<T>(
    part: &Snapshot,
    wanted: Option<&HashSet<DocumentId>>,
    made: &Made<(Document, T)>,
    memory: u64,
) -> Result<(), BlockError> {
    let check_noted =
        || part.unread().take_message().map_or(Ok(()), |sentence| Err(BlockError::UnreadFiles(sentence)));
    // What can be read a moment later is not in the block.
    check_noted()?;
    let read: HashSet<FileId> = made.documents.iter().map(|(id, _)| part.file_of(*id)).collect();
    let manifest = part.manifest();
    let is_wanted = |id: DocumentId| wanted.is_none_or(|wanted| wanted.contains(&id));
    let files = CurrentFiles::new(part, memory);
    let mut bytes = Vec::new();
    for file in part.texts().filter(|&file| !read.contains(&file) && files.holds(file, is_wanted)) {
        let path = manifest.corpus.absolute(part.path(file));
        if let Err(reason) = corpus::read(&path, manifest.rules.max_filesize, &mut bytes)
            && (reason.is_refusal() || reason == SkipReason::Vanished)
        {
            return Err(BlockError::Unread { path, reason });
        }
        let mut is_back = false;
        files.read(file, &mut bytes, is_wanted, |_| is_back = true);
        if is_back {
            return Err(BlockError::Unread { path, reason: SkipReason::Vanished });
        }
    }
    check_noted()
}
