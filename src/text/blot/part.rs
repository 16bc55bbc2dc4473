//! Parts of a long document. They are unblotted one by one, so that one snippet does not need a gigabyte to be
//! lexed.
//!
//! Every tile belongs to the part in which its first token starts. A part overlaps the next one by the tokens of a
//! tile minus one, so that each of its tiles lies completely within it.

use crate::token::{LexState, Token};

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
