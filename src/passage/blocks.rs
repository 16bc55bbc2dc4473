//! Searches of which the text is gathered in blocks, by processes of their own: tasks of a cluster, or of a script.
//!
//! The files of a snapshot are divided into blocks. A process writes what a search needs of the files of one, and when all
//! are there, one process reads them and searches. It finds the same as a search that gathers all text itself. What is
//! gathered of a file does not depend on the other files, only on which blots the whole index has twice; of a file that is
//! equal to another one of its block, that is noted instead; files of several blocks that are equal are joined when the
//! blocks are read.

use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::BlockError;
pub use super::gather::BlockNumber;
use super::gather::{Block, BlockIdentity, FlagsOf, Gathered, stretches_in, write_block};
use super::search::{SEARCH_VERSION, SearchScope};
use dupi_base::storage::{Folder, TEMPORARY};
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::Snapshot;
use dupi_text::token::LEXING_VERSION;

/// What the names of blocks end with.
const ENDING: &str = ".block";

/// A search of which the text is gathered in blocks.
pub struct BlockSearch<'a> {
    /// The index, as it is.
    pub snapshot: &'a Snapshot,
    /// What is read.
    pub scope: SearchScope,
    /// The flags of documents.
    pub flags_of: FlagsOf,
    /// The memory limit in bytes.
    pub memory: u64,
    /// The folder of the blocks.
    pub folder: &'a Folder,
}

impl BlockSearch<'_> {
    /// Writes a block, if it is not there yet, and returns its name. The name is derived from the index and the settings, so
    /// the same block may be written again at any time. With a file of repeated blots
    /// ([`tallied`](dupi_index::index::repeated::tallied)) the index is not scanned for them.
    ///
    /// # Errors
    /// [`BlockError::Search`] if the index cannot be read, or the file of repeated blots is not that of the snapshot; else if
    /// the block cannot be written, or a file cannot be read or is not as it was indexed.
    pub fn write(
        &self,
        repeated: Option<&Path>,
        block: BlockNumber,
        tick: &Tick,
    ) -> Result<String, BlockError> {
        let Self { snapshot, folder, .. } = *self;
        let identity = BlockIdentity { block, ..self.identity() };
        let name = name(&identity);
        let is_meant = |found: &BlockIdentity| match *found == identity {
            true => Ok(()),
            false => Err(BlockError::OtherSearch(folder.at(&name))),
        };
        if Block::open(folder, &name, snapshot, is_meant).is_ok() {
            return Ok(name);
        }
        // A task that outlives its job does not make the job's folder again.
        folder.create_in_parent()?;
        let repeated = self.scope.repeated(snapshot, repeated)?;
        let wanted = (repeated.as_ref(), self.scope.wanted, self.flags_of);
        write_block(snapshot, wanted, identity, self.memory, (folder, &name), tick)?;
        Ok(name)
    }

    /// Reads all blocks of the folder. Also returns how many files were too large to be gathered.
    ///
    /// # Errors
    /// [`BlockError`] unless all blocks of one division are there, whole, and of this snapshot and these settings.
    pub fn read(&self) -> Result<(Gathered, u64), BlockError> {
        let blocks = all(self.snapshot, self.folder, &self.identity())?;
        Ok(Gathered::of_blocks(blocks, self.memory)?)
    }

    /// What the blocks are of.
    fn identity(&self) -> BlockIdentity {
        let manifest = self.snapshot.manifest();
        let program = (env!("CARGO_PKG_VERSION"), SEARCH_VERSION, LEXING_VERSION);
        let corpus = (manifest.recipe, &manifest.formats);
        let largest = Gathered::largest(self.memory).min(manifest.rules.max_filesize);
        let scope = &self.scope;
        let search = xxh3_128(format!("{program:?} {corpus:?} {scope:?} {largest}").as_bytes());
        BlockIdentity { index: self.snapshot.fingerprint(), search, block: BlockNumber::ONLY }
    }
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
    let counts = || blocks.iter().map(|block| number(block).count());
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
    format!("{of:032x}-{:06}-of-{:06}{ENDING}", block.number(), block.count())
}
