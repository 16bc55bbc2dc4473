//! Searches of which the text is gathered in blocks, by processes of their own: tasks of a cluster, or of a script.
//!
//! The files of a snapshot are divided into blocks. A process writes what a search needs of the files of one ([`write()`]),
//! and when all are there, one process searches them ([`find()`]). It finds what [`Passages::find`] finds. What is gathered of
//! a file does not depend on the other files, only on which blots the whole index has twice; of a file that is equal to another
//! one of its block, that is noted instead; files of several blocks that are equal are joined when they are searched.

use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

pub use super::gather::BlockNumber;
use super::gather::{Block, BlockIdentity, Gathered, stretches_in, write_block};
use super::search::{Passages, SEARCH_VERSION, SearchScope, SearchSettings};
use super::sort::PassageOrder;
use super::{BlockError, PassageError, Tick};
use dupi_base::storage::{Folder, TEMPORARY};
use dupi_index::index::snapshot::Snapshot;
use dupi_text::token::LEXING_VERSION;

/// What the names of blocks end with.
const ENDING: &str = ".block";

/// Writes the block of a search to a folder, if it is not there yet, and returns its name. The name is derived from the
/// index and the settings, so the same block may be written again at any time. With a file of repeated blots
/// ([`tallied`](dupi_index::index::repeated::tallied)) the index is not scanned for them.
///
/// # Errors
/// [`PassageError::Index`] if the index cannot be read; [`PassageError::Block`] if the block cannot be written, or
/// a file cannot be read or is not as it was indexed; [`PassageError::Repeated`] if the file of repeated blots is not that of the
/// snapshot.
pub fn write(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    repeated: Option<&Path>,
    block: BlockNumber,
    folder: &Folder,
    tick: &Tick,
) -> Result<String, PassageError> {
    let scope = SearchScope::of(snapshot, settings);
    let identity = BlockIdentity { block, ..identity(snapshot, settings, &scope) };
    let name = name(&identity);
    let is_meant = |found: &BlockIdentity| match *found == identity {
        true => Ok(()),
        false => Err(BlockError::OtherSearch(folder.at(&name))),
    };
    if Block::open(folder, &name, snapshot, is_meant).is_ok() {
        return Ok(name);
    }
    // A task that outlives its job does not make the job's folder again.
    folder.create_in_parent().map_err(BlockError::from)?;
    let repeated = scope.repeated(snapshot, repeated)?;
    let wanted = (repeated.as_ref(), scope.wanted);
    write_block(snapshot, wanted, identity, settings.memory, (folder, &name), tick)?;
    Ok(name)
}

/// Finds the passages of a snapshot in the blocks of a folder.
///
/// # Errors
/// [`PassageError::Block`] unless all blocks of one division are there, whole, and of this snapshot and these settings.
pub fn find(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    order: PassageOrder,
    folder: &Folder,
    tick: &Tick,
) -> Result<Passages, PassageError> {
    let scope = SearchScope::of(snapshot, settings);
    let blocks = all(snapshot, folder, &identity(snapshot, settings, &scope))?;
    let gathered = Gathered::of_blocks(blocks, settings.memory)?;
    Passages::find_gathered(snapshot, settings, order, &scope, gathered, tick)
}

/// Whether a search asks which blots are repeated; else it gathers all text.
pub fn asks_for_blots(snapshot: &Snapshot, settings: &SearchSettings) -> bool {
    SearchScope::of(snapshot, settings).is_located
}

/// How many stretches of text the head of a block has, which has everything but tokens; `None` if the bytes are invalid. No
/// checksum protects these bytes.
pub fn stretches_in_head(bytes: &[u8]) -> Option<usize> {
    stretches_in(bytes)
}

/// The blocks of a folder, in order.
fn all(snapshot: &Snapshot, folder: &Folder, meant: &BlockIdentity) -> Result<Vec<Block>, BlockError> {
    let mut names = folder.names()?;
    names.retain(|name| name.ends_with(ENDING) && !name.starts_with(TEMPORARY));
    let open = |name: &String| {
        let is_meant = |found: &BlockIdentity| match () {
            () if found.index != meant.index => Err(BlockError::OtherIndex(folder.at(name))),
            () if found.search != meant.search => Err(BlockError::OtherSearch(folder.at(name))),
            () => Ok(()),
        };
        Block::open(folder, name, snapshot, is_meant)
    };
    let mut blocks = names.par_iter().map(open).collect::<Result<Vec<Block>, _>>()?;
    let number = |block: &Block| block.identity.block;
    blocks.sort_by_key(number);
    // The same block under two names.
    blocks.dedup_by_key(|block| number(block));
    let counts = || blocks.iter().map(|block| number(block).of());
    let (Some(of), Some(other)) = (counts().min(), counts().max()) else {
        return Err(BlockError::None(folder.path().to_owned()));
    };
    if of != other {
        return Err(BlockError::Mixed { folder: folder.path().to_owned(), one: of, other });
    }
    let is_there =
        |wanted: &u32| blocks.get(*wanted as usize).is_some_and(|block| number(block).number() == *wanted);
    match (0..of).find(|number| !is_there(number)) {
        Some(number) => Err(BlockError::Missing { folder: folder.path().to_owned(), number, of }),
        None => Ok(blocks),
    }
}

/// The name of a block.
fn name(BlockIdentity { index, search, block }: &BlockIdentity) -> String {
    let of = xxh3_128(&[index.to_le_bytes(), search.to_le_bytes()].concat());
    format!("{of:032x}-{:06}-of-{:06}{ENDING}", block.number(), block.of())
}

/// What the blocks of a search are of.
fn identity(snapshot: &Snapshot, settings: &SearchSettings, scope: &SearchScope) -> BlockIdentity {
    let manifest = snapshot.manifest();
    let program = (env!("CARGO_PKG_VERSION"), SEARCH_VERSION, LEXING_VERSION);
    let corpus = (manifest.recipe, &manifest.formats);
    let largest = Gathered::largest(settings.memory).min(manifest.rules.max_filesize);
    let search = xxh3_128(format!("{program:?} {corpus:?} {scope:?} {largest}").as_bytes());
    BlockIdentity { index: snapshot.fingerprint(), search, block: BlockNumber::ONLY }
}
