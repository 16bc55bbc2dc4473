//! Searches for passages of which the text is gathered in blocks, by processes of their own.

use std::path::Path;

use super::kind::HeadSigns;
use super::search::{Passages, SearchSettings};
use super::sort::PassageOrder;
use dupi_base::storage::Folder;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::Snapshot;
use dupi_passage::BlockError;
pub use dupi_passage::blocks::BlockNumber;
use dupi_passage::blocks::BlockSearch;

/// Writes a block to a folder, if it is not there yet, and returns its name, as [`BlockSearch::write`] does.
///
/// # Errors
/// As [`BlockSearch::write`].
pub fn write(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    repeated: Option<&Path>,
    block: BlockNumber,
    folder: &Folder,
    tick: &Tick,
) -> Result<String, BlockError> {
    search_in(snapshot, settings, folder).write(repeated, block, tick)
}

/// Finds the passages of a snapshot in the blocks of a folder.
///
/// # Errors
/// [`BlockError`] unless all blocks of one division are there, whole, and of this snapshot and these settings.
pub fn find(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    order: PassageOrder,
    folder: &Folder,
    tick: &Tick,
) -> Result<Passages, BlockError> {
    let search = search_in(snapshot, settings, folder);
    let gathered = search.read()?;
    Ok(Passages::find_gathered(snapshot, settings, order, &search.scope, gathered, tick)?)
}

/// Whether a search asks which blots are repeated; else it gathers all text.
pub fn asks_for_blots(snapshot: &Snapshot, settings: &SearchSettings) -> bool {
    settings.scope(snapshot).is_located
}

fn search_in<'a>(snapshot: &'a Snapshot, settings: &SearchSettings, folder: &'a Folder) -> BlockSearch<'a> {
    let (scope, memory) = (settings.scope(snapshot), settings.memory);
    BlockSearch { snapshot, scope, flags_of: HeadSigns::flags_of, memory, folder }
}
