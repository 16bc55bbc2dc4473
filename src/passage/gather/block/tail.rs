//! The end of a block, which serde describes: what the block is of, and all that was gathered besides tokens, their names and
//! spans. A stretch has its tokens and line starts behind those before.

use serde::{Deserialize, Serialize};

use super::super::block_number::{BlockIdentity, BlockNumber};
use super::super::chunk::{Chunk, GatheredFile};
use crate::numbers::Numbers;
use dupi_base::storage::sealed::{from_bytes, take_value, to_bytes};
use dupi_index::index::snapshot::DocumentId;

/// What the end of a block says besides what it is of.
#[derive(Serialize, Deserialize)]
pub(super) struct Tail<C> {
    /// How many files were skipped because of their size.
    pub(super) too_large: u64,
    /// The bits of the numbers.
    pub(super) numbers: Vec<u32>,
    pub(super) chunks: Vec<ChunkPart<C>>,
}

/// A chunk without its tokens, names and spans.
#[derive(Serialize, Deserialize)]
pub(super) struct ChunkPart<C> {
    pub(super) chunk: C,
    /// How many tokens it has.
    pub(super) tokens: usize,
    /// How many bytes their spans have.
    pub(super) spans: usize,
    /// How many of the tokens have names: all or none.
    pub(super) names: usize,
}

/// The bytes of an end.
pub(super) fn encode(
    identity: &BlockIdentity,
    too_large: u64,
    chunks: &[Chunk],
    numbers: &Numbers,
) -> Vec<u8> {
    let part = |chunk| {
        let (tokens, spans, names) = (Chunk::tokens(chunk).len(), chunk.spans().len(), chunk.names.len());
        ChunkPart { chunk, tokens, spans, names }
    };
    let (numbers, chunks) = (numbers.bits().collect(), chunks.iter().map(part).collect());
    let BlockIdentity { index, search, block } = *identity;
    to_bytes(&(index.to_le_bytes(), search.to_le_bytes(), block, Tail { too_large, numbers, chunks }))
}

/// What a block is of, and the rest of its end; `None` if the bytes are invalid.
pub(super) fn identity(mut bytes: &[u8]) -> Option<(BlockIdentity, &[u8])> {
    let (index, search, block): ([u8; 16], [u8; 16], BlockNumber) = take_value(&mut bytes)?;
    let block = BlockNumber::new(block.number(), block.count())?;
    let (index, search) = (u128::from_le_bytes(index), u128::from_le_bytes(search));
    Some((BlockIdentity { index, search, block }, bytes))
}

/// The rest of an end; `None` if the bytes are invalid, or name a document that there is not.
pub(super) fn decode(bytes: &[u8], is_document: &dyn Fn(DocumentId) -> bool) -> Option<Tail<Chunk>> {
    let mut tail: Tail<Chunk> = from_bytes(bytes)?;
    tail.chunks.iter_mut().try_for_each(|part| part.place_stretches(is_document))?;
    (tail.numbers.iter().all(|&bit| Numbers::has_bit(bit)) && has_files(&tail.chunks)).then_some(tail)
}

/// Whether each file has a number of its own below their count, and what is equal to another one is like it: a document of
/// as many tokens, of which the stretches are those of the other.
fn has_files(chunks: &[ChunkPart<Chunk>]) -> bool {
    let files = || chunks.iter().flat_map(|part| part.chunk.files.iter().map(|file| (&part.chunk, file)));
    let mut numbered: Vec<Option<(&Chunk, &GatheredFile)>> = vec![None; files().count()];
    for (chunk, file) in files() {
        match numbered.get_mut(file.number as usize) {
            Some(place @ None) => *place = Some((chunk, file)),
            _ => return false,
        }
    }
    let tokens = |(chunk, file): (&Chunk, &GatheredFile)| match &chunk.sources[file.sources.clone()] {
        [only] => Some(only.tokens),
        _ => None,
    };
    files().filter_map(|file| Some((file, file.1.same_as?))).all(|(file, number)| {
        let other = numbered.get(number as usize).copied().flatten();
        let other = other.filter(|(_, other)| other.same_as.is_none());
        file.1.stretches.is_empty()
            && tokens(file).is_some_and(|own| other.and_then(tokens).is_some_and(|tokens| tokens == own))
    })
}

impl ChunkPart<Chunk> {
    /// How many bytes of the data it has; `None` if that is impossible.
    pub(super) fn bytes(&self) -> Option<u64> {
        let fixed = self.tokens.checked_mul(8)?.checked_add(self.names.checked_mul(4)?)?;
        (fixed.checked_add(self.spans)? as u64).checked_next_multiple_of(8)
    }

    /// Finds the places of the stretches. `None` unless each file has its own documents, stretches and suppressed tokens, behind
    /// those before, and all lie within what there is.
    fn place_stretches(&mut self, is_document: &dyn Fn(DocumentId) -> bool) -> Option<()> {
        let Chunk { files, sources, stretches, suppressed, lines, .. } = &mut self.chunk;
        let (mut ends, mut at, mut begins, mut spans) = ([0; 3], 0_u32, 0_u32, 0);
        for file in &*files {
            for (range, end) in [&file.sources, &file.stretches, &file.suppressed].into_iter().zip(&mut ends)
            {
                (range.start == *end && *end <= range.end).then_some(())?;
                *end = range.end;
            }
            let own = sources.get(file.sources.clone())?;
            let tokens = |document: u32| {
                let number = (document as usize).checked_sub(file.sources.start)?;
                own.get(number).map(|source| source.tokens)
            };
            for stretch in stretches.get_mut(file.stretches.clone())? {
                let end = stretch.first.checked_add(stretch.len)?;
                (end <= tokens(stretch.document)? && spans <= stretch.spans).then_some(())?;
                (stretch.at, stretch.lines, spans) = (at, begins, stretch.spans);
                at = at.checked_add(stretch.len)?;
                begins = begins.checked_add(stretch.len)?.checked_add(1)?;
            }
            for of in suppressed.get(file.suppressed.clone())? {
                (of.tokens.start <= of.tokens.end && tokens(of.document).is_some()).then_some(())?;
            }
            if let Some(text) = file.text {
                (own.len() == 1 && own[0].tokens == text.tokens).then_some(())?;
            }
        }
        let is_whole = ends == [sources.len(), stretches.len(), suppressed.len()]
            && at as usize == self.tokens
            && spans as usize <= self.spans
            && lines.is_whole()
            && lines.len() == begins
            && [0, self.tokens].contains(&self.names)
            && sources.iter().all(|source| source.flags < 4 && is_document(source.id));
        is_whole.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::super::super::stretch::{SourceDocument, TokenStretch};
    use super::*;
    use dupi_base::corpus::Stamp;

    /// What a block says of a file with a document of nine tokens, of which the stretch has some.
    fn chunk(number: u32, tokens: Range<u32>) -> Chunk {
        let mut chunk =
            Chunk { tokens: vec![7; tokens.len()], spans: vec![1; tokens.len() * 2], ..Chunk::default() };
        add(&mut chunk, GatheredFile { number, ..GatheredFile::default() }, 1, Some(tokens));
        chunk
    }

    fn add(chunk: &mut Chunk, file: GatheredFile, sources: u32, stretch: Option<Range<u32>>) {
        let since = chunk.lengths();
        for document in 0..sources {
            chunk.sources.push(SourceDocument {
                id: DocumentId { segment: 0, document },
                stamp: Stamp { size: 50, mtime: 5 },
                tokens: 9,
                text: 3,
                language: None,
                flags: 0,
            });
        }
        if let Some(Range { start: first, end }) = stretch {
            (first..=end).for_each(|_| chunk.lines.push(false));
            let document = since[0] as u32;
            let len = end - first;
            chunk.stretches.push(TokenStretch {
                document,
                base: 0,
                first,
                len,
                chunk: 0,
                at: 0,
                spans: 0,
                lines: 0,
            });
        }
        chunk.add_file(since, file);
    }

    fn is_valid(chunks: &[Chunk]) -> bool {
        let identity = BlockIdentity { index: 1, search: 2, block: BlockNumber::ONLY };
        let bytes = encode(&identity, 0, chunks, &Numbers::default());
        let (_, rest) = super::identity(&bytes).unwrap();
        decode(rest, &|_| true).is_some()
    }

    #[test]
    fn a_stretch_lies_in_its_document() {
        assert!(is_valid(&[chunk(0, 2..9)]));
        assert!(!is_valid(&[chunk(0, 2..10)]));
    }

    #[test]
    fn each_file_has_a_number_of_its_own() {
        assert!(is_valid(&[chunk(1, 2..9), chunk(0, 0..9)]));
        assert!(!is_valid(&[chunk(1, 2..9), chunk(1, 0..9)]));
        assert!(!is_valid(&[chunk(0, 2..9), chunk(2, 0..9)]));
    }

    #[test]
    fn an_equal_file_is_one_document_like_that_of_another_file() {
        let with = |same_as, sources, stretch| {
            let mut first = chunk(0, 0..9);
            add(&mut first, GatheredFile { number: 1, ..GatheredFile::default() }, 2, None);
            let tokens = if stretch { 9 } else { 0 };
            let mut copy = Chunk { tokens: vec![7; tokens], spans: vec![1; tokens * 2], ..Chunk::default() };
            let file = GatheredFile { number: 2, same_as: Some(same_as), ..GatheredFile::default() };
            add(&mut copy, file, sources, stretch.then_some(0..9));
            is_valid(&[first, copy])
        };
        assert!(with(0, 1, false));
        assert!(!with(0, 1, true), "it has stretches of its own");
        assert!(!with(0, 0, false), "it has no document");
        assert!(!with(1, 1, false), "the other has two documents");
        assert!(!with(2, 1, false), "it is its own copy");
        assert!(!with(3, 1, false), "there is no such file");
    }
}
