//! Which files a block has: the files of a corpus in the order of their paths are divided into blocks of similar size. The
//! division depends only on the files of the snapshot and on the number of blocks.

use std::fmt;

use crate::index::snapshot::{DocumentId, FileId};
use crate::query::current::CurrentFiles;

/// What a file costs besides its bytes.
const PER_FILE: u64 = 1 << 10;

/// A block of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockNumber {
    number: u32,
    of: u32,
}

/// What a block is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::passage) struct BlockIdentity {
    /// A fingerprint of the generation of the index and of the files that were chosen.
    pub(in crate::passage) index: u128,
    /// A fingerprint of everything else that decides what is gathered.
    pub(in crate::passage) search: u128,
    /// Which block of how many.
    pub(in crate::passage) block: BlockNumber,
}

impl BlockNumber {
    /// The only block.
    pub const ONLY: Self = Self { number: 0, of: 1 };

    /// The block with a number, from 0, of so many; `None` if there is none.
    pub fn new(number: u32, of: u32) -> Option<Self> {
        (number < of).then_some(Self { number, of })
    }

    /// Its number, from 0.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many there are.
    pub fn of(self) -> u32 {
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
        let own = all.into_iter().zip(self.has(&sizes)).filter_map(|(file, is_own)| is_own.then_some(file));
        own.filter(|&file| files.holds(file, is_wanted)).collect()
    }

    /// For each of some sizes, in their order, whether it belongs to this block.
    fn has(self, sizes: &[u64]) -> impl Iterator<Item = bool> {
        let total: u64 = sizes.iter().sum();
        let mut before = 0;
        sizes.iter().map(move |size| {
            let number = u128::from(before) * u128::from(self.of) / u128::from(total.max(1));
            before += size;
            number == u128::from(self.number)
        })
    }
}

impl fmt::Display for BlockNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_file_is_in_one_block_and_blocks_follow_each_other(
            sizes in prop::collection::vec(0..9000_u64, 0..60),
            of in 1..9_u32,
        ) {
            let blocks = (0..of).map(|number| BlockNumber::new(number, of).unwrap());
            let has: Vec<Vec<bool>> = blocks.map(|block| block.has(&sizes).collect()).collect();
            let of_file = |file: usize| (0..of as usize).filter(|&block| has[block][file]).collect::<Vec<_>>();
            let numbers: Vec<Vec<usize>> = (0..sizes.len()).map(of_file).collect();
            prop_assert!(numbers.iter().all(|of_file| of_file.len() == 1));
            prop_assert!(numbers.is_sorted());
            prop_assert_eq!(BlockNumber::new(of, of), None);
        }

        #[test]
        fn blocks_of_small_files_are_of_similar_size(sizes in prop::collection::vec(1..50_u64, 800), of in 1..9_u32) {
            let total: u64 = sizes.iter().sum();
            for number in 0..of {
                let block = BlockNumber::new(number, of).unwrap();
                let own: u64 = sizes.iter().zip(block.has(&sizes)).filter(|(_, is)| *is).map(|(size, _)| size).sum();
                prop_assert!(own.abs_diff(total / u64::from(of)) <= 100);
            }
        }
    }
}
