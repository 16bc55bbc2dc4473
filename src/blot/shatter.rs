//! Document → tiles, in one pass that allocates nothing per token.

use super::blotter::{Ordered, Roll, Streams, spread};
use super::select::{Every, Select, Winnow};
use super::{Blot, Blotter, Recipe, Selection, Tile};
use crate::token::{LexState, Lexer, Token, Tokeniser, Visitor};

/// The longest tile, in tokens: the ring that holds its tokens has this fixed size.
const RING: usize = 1 << 10;

/// A stretch of a long document that can be lexed on its own. It shares its last tokens with the one
/// behind it, so that every tile lies in the part in which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it begins, in bytes of the document's text.
    pub start: u32,
    /// Where it ends (exclusive).
    pub end: u32,
    /// How lexing begins at `start`.
    pub state: LexState,
}

/// The kept tiles of a document, each with the number of the part it begins in, into `keep`.
///
/// A part is about `part_bytes` long; which tiles are kept does not depend on it. Returns the parts, at
/// least one, and the number of tokens.
pub fn shatter_parts(
    text: &str,
    tokeniser: Tokeniser,
    recipe: &Recipe,
    part_bytes: usize,
    keep: impl FnMut(u32, Tile),
) -> (Vec<Part>, u32) {
    tokeniser.lex(text, LexState::default(), Shatter { text, recipe, part_bytes, keep })
}

struct Shatter<'a, K> {
    text: &'a str,
    recipe: &'a Recipe,
    part_bytes: usize,
    keep: K,
}

impl<K: FnMut(u32, Tile)> Visitor for Shatter<'_, K> {
    type Output = (Vec<Part>, u32);

    fn visit(mut self, lexer: impl Lexer) -> Self::Output {
        let whole = Part { start: 0, end: self.text.len() as u32, state: LexState::default() };
        if self.text.len() <= self.part_bytes {
            let mut tokens = 0;
            let counted = lexer.inspect(|_| tokens += 1);
            kept_tiles_of(counted, self.recipe, |tile| (self.keep)(0, tile));
            return (vec![whole], tokens);
        }
        let mut cuts = Cuts {
            lexer,
            parts: vec![whole],
            firsts: vec![0],
            part_bytes: self.part_bytes,
            shared: self.recipe.tile_tokens() - 1,
            tokens: 0,
            last_end: 0,
        };
        // A tile begins in the last part whose first token is not behind it; tiles are kept in about the
        // order of the text, and a tile that is kept is at most a window and a tile old.
        let mut kept = Vec::new();
        kept_tiles_of(&mut cuts, self.recipe, |tile| kept.push(tile));
        for tile in kept {
            let part = cuts.firsts.partition_point(|&first| first <= tile.first) - 1;
            (self.keep)(part as u32, tile);
        }
        (cuts.parts, cuts.tokens)
    }
}

/// Passes tokens on and notes where parts begin and end.
struct Cuts<L> {
    lexer: L,
    parts: Vec<Part>,
    /// The number of each part's first token.
    firsts: Vec<u32>,
    part_bytes: usize,
    shared: u32,
    tokens: u32,
    last_end: u32,
}

impl<L: Lexer> Iterator for Cuts<L> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let state = self.lexer.state();
        let token = self.lexer.next()?;
        let count = self.parts.len();
        if token.start as usize >= count * self.part_bytes {
            let end = std::mem::replace(&mut self.parts[count - 1].end, self.last_end);
            self.parts.push(Part { start: self.last_end, end, state });
            self.firsts.push(self.tokens);
        }
        // The part before this one reaches over the tokens that its last tiles need.
        let count = self.parts.len();
        if count > 1 && self.tokens - self.firsts[count - 1] < self.shared {
            self.parts[count - 2].end = token.end;
        }
        self.tokens += 1;
        self.last_end = token.end;
        Some(token)
    }
}

/// Every tile of a text that is entered in some state, into `sink`.
pub fn every_tile(
    text: &str,
    tokeniser: Tokeniser,
    state: LexState,
    recipe: &Recipe,
    sink: impl FnMut(Tile),
) {
    struct EveryTile<'a, S>(&'a Recipe, S);
    impl<S: FnMut(Tile)> Visitor for EveryTile<'_, S> {
        type Output = ();

        fn visit(self, lexer: impl Lexer) {
            tiles_of(lexer, self.0, self.1);
        }
    }
    tokeniser.lex(text, state, EveryTile(recipe, sink));
}

/// Every tile of some tokens, into `sink`.
pub fn tiles_of(tokens: impl Iterator<Item = Token>, recipe: &Recipe, sink: impl FnMut(Tile)) {
    with_roll(tokens, recipe, Every, sink);
}

/// The tiles of some tokens that the recipe keeps, into `sink`.
pub fn kept_tiles_of(tokens: impl Iterator<Item = Token>, recipe: &Recipe, sink: impl FnMut(Tile)) {
    match recipe.selection {
        Selection::Every => with_roll(tokens, recipe, Every, sink),
        Selection::Winnow(width) => with_roll(tokens, recipe, Winnow::new(width), sink),
    }
}

fn with_roll(
    tokens: impl Iterator<Item = Token>,
    recipe: &Recipe,
    select: impl Select,
    sink: impl FnMut(Tile),
) {
    match recipe.blotter {
        Blotter::Ordered => tile(tokens, recipe, Ordered::new(recipe.k), select, sink),
        Blotter::Circular => tile(tokens, recipe, Streams::new(1), select, sink),
        Blotter::Interleaved(n) => tile(tokens, recipe, Streams::new(n), select, sink),
    }
}

#[inline]
fn tile(
    tokens: impl Iterator<Item = Token>,
    recipe: &Recipe,
    mut roll: impl Roll,
    mut select: impl Select,
    mut sink: impl FnMut(Tile),
) {
    let span = recipe.tile_tokens();
    let leaving = recipe.k * recipe.blotter.stride();
    let mut ring = [(0_u64, 0_u32); RING];
    for (number, token) in (0_u32..).zip(tokens) {
        let outgoing = if number >= leaving { ring[(number - leaving) as usize % RING].0 } else { 0 };
        ring[number as usize % RING] = (token.hash, token.start);
        let hash = spread(roll.roll(number, token.hash, outgoing));
        if let Some(first) = (number + 1).checked_sub(span) {
            let start = ring[first as usize % RING].1;
            let tile = Tile { blot: Blot::from_hash(hash), first, start, end: token.end };
            // Ordered by other bits than those that are stored, or the kept blots would crowd in a corner.
            select.push(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15), tile, &mut sink);
        }
    }
    select.finish(&mut sink);
}
