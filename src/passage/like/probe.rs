//! A text to compare with the corpus.

use dupi_index::query::ByteSpan;
use dupi_text::blot::{Blot, Recipe, kept_tiles_of, tiles_of};
use dupi_text::token::Token;

/// A text to compare with the corpus.
pub struct Probe {
    tokens: Vec<Token>,
    /// The hashes of names, where they are folded; `None` if they are not compared.
    names: Option<Vec<u32>>,
    hashes: Vec<u64>,
    /// The blots of all its tiles, sorted and without duplicates.
    blots: Vec<Blot>,
    /// Those of the tiles that an index keeps.
    kept: Vec<Blot>,
}

impl Probe {
    /// A probe with these tokens.
    pub fn new(tokens: Vec<Token>, recipe: &Recipe) -> Self {
        let hashes = tokens.iter().map(|token| token.hash).collect();
        let (mut blots, mut kept) = (Vec::with_capacity(tokens.len()), Vec::new());
        tiles_of(tokens.iter().copied(), recipe, |tile| blots.push(tile.blot));
        kept_tiles_of(&tokens, recipe, |tile| kept.push(tile.blot));
        for blots in [&mut blots, &mut kept] {
            blots.sort_unstable();
            blots.dedup();
        }
        Self { tokens, names: None, hashes, blots, kept }
    }

    /// The same probe, of which copies have names that differ consistently. The names are those of its tokens, as hashes, or 0
    /// where none is folded.
    pub fn with_names(self, names: Vec<u32>) -> Self {
        Self { names: Some(names), ..self }
    }

    /// The hashes of names; `None` if they are not compared.
    pub fn names(&self) -> Option<&[u32]> {
        self.names.as_deref()
    }

    /// The hashes of its tokens.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The blots of all its tiles, sorted and without duplicates.
    pub fn blots(&self) -> &[Blot] {
        &self.blots
    }

    /// The blots of the tiles that an index of it keeps, sorted and without duplicates.
    pub fn kept(&self) -> &[Blot] {
        &self.kept
    }

    /// How many tokens begin before a byte of the text.
    pub fn tokens_before(&self, byte: u64) -> usize {
        self.tokens.partition_point(|token| u64::from(token.start) < byte)
    }

    /// The bytes of a range of tokens, which is not empty.
    pub fn span(&self, tokens: std::ops::Range<usize>) -> ByteSpan {
        let (first, last) = (&self.tokens[tokens.start], &self.tokens[tokens.end - 1]);
        ByteSpan { start: u64::from(first.start), end: u64::from(last.end) }
    }
}
