//! Gathers texts that are given as token hashes, without documents and byte spans.

use super::super::numbers::Numbers;
use super::chunk::GatheredFile;
use super::{Chunk, Gathered, TokenStretch};
use dupi_index::index::search::SearchError;

impl Gathered {
    /// Some texts, each a stretch of the document with the given number. They have no sources, spans or lines.
    ///
    /// # Errors
    /// When they have too many tokens.
    pub fn of_tokens<'t>(texts: impl IntoIterator<Item = (u32, &'t [u64])>) -> Result<Self, SearchError> {
        Self::of(texts.into_iter().map(chunk).collect(), Numbers::default())
    }

    /// The same with the hashes of names where these are folded, as [`Gathered::read`] has them.
    pub fn of_named_tokens<'t>(
        texts: impl IntoIterator<Item = (u32, &'t [u64], &'t [u32])>,
    ) -> Result<Self, SearchError> {
        let named = |(document, tokens, names): (u32, &[u64], &[u32])| Chunk {
            names: names.to_vec(),
            ..chunk((document, tokens))
        };
        Self::of(texts.into_iter().map(named).collect(), Numbers::default())
    }
}

fn chunk((document, tokens): (u32, &[u64])) -> Chunk {
    let len = tokens.len() as u32;
    let stretch = TokenStretch { document, base: 0, first: 0, len, chunk: 0, at: 0, spans: 0, lines: 0 };
    let mut chunk = Chunk { stretches: vec![stretch], tokens: tokens.to_vec(), ..Chunk::default() };
    chunk.add_file([0; 3], GatheredFile::default());
    chunk
}

#[cfg(test)]
impl Gathered {
    /// Some texts, each a stretch of a document of its own, of which some tokens are numbers.
    pub fn of_texts(texts: &[Vec<u64>], numbers: &[u64]) -> Self {
        let chunks = texts.iter().map(|tokens| chunk((0, tokens))).collect();
        Self::of(chunks, Numbers::of(numbers)).unwrap()
    }
}
