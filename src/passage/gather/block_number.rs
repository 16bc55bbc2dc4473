//! Which files a block has: the files of a corpus in the order of their paths are divided into blocks of similar size. The
//! division depends only on the files of the snapshot and on the number of blocks.

use std::fmt;

use serde::{Deserialize, Serialize};

use dupi_base::corpus::part;
use dupi_index::index::snapshot::{DocumentId, FileId};
use dupi_index::query::current::CurrentFiles;

/// What a file costs besides its bytes.
const PER_FILE: u64 = 1 << 10;

/// A block of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlockNumber {
    number: u32,
    of: u32,
}

/// What a block is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockIdentity {
    /// A fingerprint of the generation of the index and of the files that were chosen.
    pub(crate) index: u128,
    /// A fingerprint of everything else that decides what is gathered.
    pub(crate) search: u128,
    /// Which block of how many.
    pub(crate) block: BlockNumber,
}

impl BlockNumber {
    /// The only block.
    pub const ONLY: Self = Self { number: 0, of: 1 };

    /// The block with a number, from 0; `None` if there is none.
    pub fn new(number: u32, of: u32) -> Option<Self> {
        (number < of).then_some(Self { number, of })
    }

    /// Its number, from 0.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.of
    }

    /// Its files that hold a document that is wanted, sorted by path.
    pub(super) fn files(
        self,
        files: &CurrentFiles,
        is_wanted: impl Fn(DocumentId) -> bool + Copy,
    ) -> Vec<FileId> {
        let all = files.files(|_| true);
        let sizes: Vec<u64> = all.iter().map(|&file| files.size(file) + PER_FILE).collect();
        let own = &all[part(&sizes, self.number, self.of)];
        own.iter().copied().filter(|&file| files.holds(file, is_wanted)).collect()
    }
}

impl fmt::Display for BlockNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.number, self.of)
    }
}
