//! Joins the blocks of a corpus. A file that is equal to one of an earlier block shares its tokens, as equal files of one block
//! do, so that the search compares them once.

use std::collections::HashMap;

use super::super::Gathered;
use super::super::chunk::{Chunk, TextPrint};
use super::Block;
use crate::numbers::Numbers;
use dupi_index::index::search::SearchError;

impl Gathered {
    /// What was gathered of some blocks, which are all blocks of a division, in order.
    pub(crate) fn of_blocks(blocks: Vec<Block>, memory: u64) -> Result<(Self, u64), SearchError> {
        let (numbers, mut chunks, mut too_large) = (Numbers::default(), Vec::new(), 0);
        let mut joined = Joined::default();
        for block in blocks {
            too_large += block.too_large;
            block.numbers.iter().for_each(|&bit| numbers.add_bit(bit));
            chunks.extend(joined.add(block.chunks));
        }
        Ok((Self::resting(chunks, numbers, memory)?, too_large))
    }
}

/// The files of the blocks so far.
#[derive(Default)]
struct Joined {
    /// How many there are.
    files: u32,
    /// The number of the first one of each text.
    texts: HashMap<TextPrint, u32>,
}

impl Joined {
    /// Numbers the files of the next block behind those before.
    fn add(&mut self, mut chunks: Vec<Chunk>) -> Vec<Chunk> {
        let first = self.files;
        let mut equal = HashMap::new();
        for file in chunks.iter_mut().flat_map(|chunk| &mut chunk.files) {
            file.number += first;
            self.files = self.files.max(file.number + 1);
            file.same_as = file.same_as.map(|number| number + first);
            let Some(text) = file.text else { continue };
            let known = *self.texts.entry(text).or_insert(file.number);
            if known < first {
                equal.insert(file.number, known);
                file.same_as = Some(known);
                file.stretches = 0..0;
            }
        }
        // What is equal to such a file is equal to the earlier one too.
        for file in chunks.iter_mut().flat_map(|chunk| &mut chunk.files) {
            file.same_as = file.same_as.map(|number| equal.get(&number).copied().unwrap_or(number));
        }
        chunks
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::chunk::GatheredFile;
    use super::*;

    /// A chunk of files with numbers and texts, one of which is that of another file of the block.
    fn chunk(files: &[(u32, Option<u128>, Option<u32>)]) -> Chunk {
        let file = |&(number, print, same_as): &(u32, Option<u128>, Option<u32>)| GatheredFile {
            number,
            text: print.map(|print| TextPrint { print, tokens: 9 }),
            same_as,
            stretches: 2..3,
            ..GatheredFile::default()
        };
        Chunk { files: files.iter().map(file).collect(), ..Chunk::default() }
    }

    #[test]
    fn a_file_that_is_equal_to_one_of_an_earlier_block_has_its_tokens() {
        let mut joined = Joined::default();
        let mut added = Vec::new();
        for block in [
            vec![chunk(&[(1, Some(8), None), (0, None, None)]), chunk(&[(2, None, Some(1))])],
            vec![chunk(&[(0, Some(8), None)]), chunk(&[(2, None, Some(0)), (1, Some(7), None)])],
            vec![chunk(&[(0, Some(7), None), (1, Some(8), None), (2, Some(6), None)])],
        ] {
            added.extend(joined.add(block));
        }
        let files = added.iter().flat_map(|chunk| &chunk.files);
        let mut files: Vec<(u32, Option<u32>, bool)> =
            files.map(|file| (file.number, file.same_as, file.stretches.is_empty())).collect();
        files.sort_unstable();
        let (own, to_second, to_fifth) = ((None, false), (Some(1), true), (Some(4), true));
        let of_equal = (Some(1), false);
        let expected = [own, own, of_equal, to_second, own, of_equal, to_fifth, to_second, own];
        let numbered: Vec<(u32, Option<u32>, bool)> =
            (0..).zip(expected).map(|(number, (same_as, is_empty))| (number, same_as, is_empty)).collect();
        assert_eq!(files, numbered);
    }
}
