//! Shattering: a document becomes tokens, tiles and blots in one pass.
//!
//! The loop is compiled for each lexer, blotter and selection, so that it has no dispatch per token. What takes the tiles
//! is called through a pointer, except while indexing: six loops for each caller made the program large. The loop
//! needs a few kilobytes of rings, independent of the document's length.

use super::blotter::{NARROW, Ordered, RawTile, Roll, WIDE, Xor};
use super::select::{Every, Select, Winnow};
use super::{Blot, Blotter, Recipe, Selection, Tile};
use crate::token::{LexState, Lexer, Token, Tokeniser, Visitor};

/// Passes the tiles of `text` that the recipe keeps to `sink`, in order, and returns the number of tokens.
///
/// `state` is the lexer's state at the start of the text, the default at a document's beginning. The recipe must be
/// [valid](Recipe::validate); numbers out of range are clamped.
pub fn shatter(
    text: &str,
    tokeniser: Tokeniser,
    state: LexState,
    recipe: &Recipe,
    mut sink: impl FnMut(Tile),
) -> u32 {
    tokeniser.lex(text, state, tiles_alone(recipe, text.len(), state, &mut sink)).1
}

/// Passes every tile of `text` to `sink`, in order, as [`shatter`] does with the kept tiles.
pub fn every_tile(
    text: &str,
    tokeniser: Tokeniser,
    state: LexState,
    recipe: &Recipe,
    sink: impl FnMut(Tile),
) -> u32 {
    let every = Recipe { selection: Selection::Every, ..*recipe };
    shatter(text, tokeniser, state, &every, sink)
}

/// Shatters a whole document and passes the hash of each token to `token`, and each kept tile with the number of its part
/// to `tile`.
///
/// The tiles are those of [`shatter`]. A part begins with the first token at or after each multiple of `part_bytes`
/// that is not in the previous part and before which the lexer's state is [short](LexState::short); a text of at most
/// `part_bytes` is one part. Returns the parts and the number
/// of tokens. [`every_tile`] of a part's text, started in the part's state, finds exactly the tiles whose first
/// token starts in the part, numbered from its first token.
pub fn shatter_parts(
    text: &str,
    tokeniser: Tokeniser,
    recipe: &Recipe,
    part_bytes: usize,
    token: impl FnMut(u64),
    tile: impl FnMut(u32, Tile),
) -> (Vec<Part>, u32) {
    let state = LexState::default();
    let parts = Parts::new(text.len(), part_bytes, recipe.tile_tokens(), state);
    let pass = Pass { recipe, parts, token, tile };
    tokeniser.lex(text, state, pass)
}

/// Passes the tiles that the recipe keeps of given tokens to `sink`.
pub fn kept_tiles_of(tokens: &[Token], recipe: &Recipe, mut sink: impl FnMut(Tile)) {
    tiles_alone(recipe, 0, LexState::default(), &mut sink).visit(Lexed(tokens.iter().copied()));
}

/// Passes every tile of given tokens to `sink`.
pub fn tiles_of(mut tokens: impl Iterator<Item = Token>, recipe: &Recipe, mut sink: impl FnMut(Tile)) {
    let recipe = Recipe { selection: Selection::Every, ..*recipe };
    let tokens: &mut dyn Iterator<Item = Token> = &mut tokens;
    tiles_alone(&recipe, 0, LexState::default(), &mut sink).visit(Lexed(tokens));
}

/// A lexer over given tokens.
struct Lexed<I>(I);

impl<I: Iterator<Item = Token>> Iterator for Lexed<I> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.0.next()
    }
}

impl<I: Iterator<Item = Token>> Lexer for Lexed<I> {
    fn state(&self) -> LexState {
        LexState::default()
    }
}

/// One pass over a document's tokens. It passes the hash of each token and the kept tiles, with the numbers of their parts, to
/// two functions.
struct Pass<'r, T, K> {
    recipe: &'r Recipe,
    parts: Parts,
    token: T,
    tile: K,
}

/// A pass over a text of `len` bytes, of which the tiles alone are wanted. It is one type for all callers.
fn tiles_alone<'a>(
    recipe: &'a Recipe,
    len: usize,
    state: LexState,
    sink: &'a mut dyn FnMut(Tile),
) -> Pass<'a, impl FnMut(u64), impl FnMut(u32, Tile)> {
    let parts = Parts::new(len, usize::MAX, recipe.tile_tokens(), state);
    Pass { recipe, parts, token: |_| {}, tile: move |_, tile| sink(tile) }
}

impl<T: FnMut(u64), K: FnMut(u32, Tile)> Visitor for Pass<'_, T, K> {
    type Output = (Vec<Part>, u32);

    fn visit<L: Lexer>(self, lexer: L) -> Self::Output {
        let k = self.recipe.k;
        match self.recipe.blotter {
            Blotter::Ordered => self.select(lexer, Ordered::new(k)),
            Blotter::Circular => self.select(lexer, Xor::<NARROW>::new(k, 1)),
            Blotter::Interleaved(n) => self.select(lexer, Xor::<WIDE>::new(k, n)),
        }
    }
}

impl<T: FnMut(u64), K: FnMut(u32, Tile)> Pass<'_, T, K> {
    fn select<L: Lexer, R: Roll>(self, lexer: L, roll: R) -> (Vec<Part>, u32) {
        match self.recipe.selection {
            Selection::Every => self.run(lexer, roll, Every),
            Selection::Winnow(w) => self.run(lexer, roll, Winnow::new(w)),
        }
    }

    fn run<L: Lexer, R: Roll, S: Select>(
        mut self,
        mut lexer: L,
        mut roll: R,
        mut selection: S,
    ) -> (Vec<Part>, u32) {
        let many = self.parts.are_many();
        let mut tokens = 0;
        loop {
            let state = if many { lexer.state() } else { LexState::default() };
            let Some(token) = lexer.next() else { break };
            if many {
                self.parts.push(tokens, token, state);
            }
            tokens += 1;
            (self.token)(token.hash);
            if let Some(tile) = roll.push(token) {
                selection.push(tile, &mut |tile| self.keep(tile));
            }
        }
        selection.finish(&mut |tile| self.keep(tile));
        (self.parts.into_parts(), tokens)
    }

    #[inline]
    fn keep(&mut self, tile: RawTile) {
        let part = self.parts.of_tile(tile.first);
        let tile =
            Tile { blot: Blot::from_hash(tile.hash), first: tile.first, start: tile.start, end: tile.end };
        (self.tile)(part, tile);
    }
}

// Parts of a long document. They are unblotted one by one, so that one snippet does not need a gigabyte to be
// lexed.
//
// Every tile belongs to the part in which its first token starts. A part overlaps the next one by the tokens of a
// tile minus one, so that each of its tiles lies completely within it.

/// A piece of a document's text that can be shattered independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its first byte: the end of the last token before it.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The lexer's state at its start.
    pub state: LexState,
    /// The number, within the document, of the first token that starts in it.
    pub first_token: u32,
}

/// Collects the parts of a document from its tokens.
pub(super) struct Parts {
    parts: Vec<Part>,
    /// Bytes per part.
    size: u64,
    /// The first byte of the next part.
    next: u64,
    /// Tokens per tile.
    tile_tokens: u32,
    /// The first part whose end is not final.
    open: usize,
    /// The part that the last tile belongs to.
    current: usize,
    /// The end of the last token.
    last_end: u32,
    text_end: u32,
}

impl Parts {
    pub(super) fn new(len: usize, size: usize, tile_tokens: u32, state: LexState) -> Self {
        let text_end = u32::try_from(len).unwrap_or(u32::MAX);
        let size = size.max(1) as u64;
        Self {
            parts: vec![Part { start: 0, end: text_end, state, first_token: 0 }],
            size,
            next: size,
            tile_tokens,
            open: 0,
            current: 0,
            last_end: 0,
            text_end,
        }
    }

    /// Whether the text has more than one part; otherwise tokens need not be pushed.
    pub(super) fn are_many(&self) -> bool {
        u64::from(self.text_end) > self.size
    }

    /// Adds token `number`; `state` is the lexer's state before it.
    pub(super) fn push(&mut self, number: u32, token: Token, state: LexState) {
        let start = u64::from(token.start);
        // An index keeps 32 bits of the state.
        if start >= self.next && state.short().is_some() {
            self.next = (start / self.size + 1) * self.size;
            if let Some(last) = self.parts.last_mut() {
                last.end = self.last_end;
            }
            self.parts.push(Part { start: self.last_end, end: self.text_end, state, first_token: number });
        }
        self.last_end = token.end;
        while let Some(next) = self.parts.get(self.open + 1) {
            // The last tile of an open part begins right before `next`.
            if number + 1 < next.first_token + self.tile_tokens {
                break;
            }
            self.open += 1;
        }
        let last = self.parts.len() - 1;
        for part in &mut self.parts[self.open..last] {
            part.end = token.end;
        }
    }

    /// The part of the tile whose first token has this number; tiles come in order.
    #[inline]
    pub(super) fn of_tile(&mut self, first: u32) -> u32 {
        while let Some(next) = self.parts.get(self.current + 1)
            && next.first_token <= first
        {
            self.current += 1;
        }
        self.current as u32
    }

    pub(super) fn into_parts(self) -> Vec<Part> {
        self.parts
    }
}

#[cfg(test)]
mod tests;
