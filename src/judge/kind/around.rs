//! What the lines before say about the next one: the blocks of the table that are open, and the kind of the last line.

use super::written::GoesOn;
use dupi_base::config::Kind;

/// What the lines before say about the next one.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// The blocks of the table.
    blocks: Vec<BlockState>,
    /// The kind of the line before that was not empty, if a rule held for it.
    pub(super) after: Option<Kind>,
}

/// How it stands with a block.
#[derive(Clone, Copy, Debug, Default)]
struct BlockState {
    /// Whether the line belongs to it.
    is_within: bool,
    /// Whether it goes on in the next line.
    goes_on: bool,
    /// Open brackets.
    depth: i32,
    /// Lines since it began.
    lines: u32,
}

impl Around {
    /// Whether the line belongs to a block.
    pub(super) fn is_within(&self, block: usize) -> bool {
        self.blocks[block].is_within
    }

    /// Takes note of what a line opens and closes of blocks, given which of them it begins.
    pub(super) fn enter(
        &mut self,
        text: &str,
        blocks: impl ExactSizeIterator<Item = (GoesOn, impl Fn() -> bool)>,
    ) {
        self.blocks.resize(blocks.len(), BlockState::default());
        for (state, (goes_on, begins)) in self.blocks.iter_mut().zip(blocks) {
            state.enter(text, goes_on, begins);
        }
    }
}

impl BlockState {
    /// The most lines behind the first one.
    const LONGEST: u32 = 80;
    const LONGEST_PARAGRAPH: u32 = 8;

    fn enter(&mut self, text: &str, goes_on: GoesOn, begins: impl Fn() -> bool) {
        self.lines += 1;
        match goes_on {
            GoesOn::Brackets => {
                if !self.goes_on {
                    *self = Self { is_within: begins(), ..Self::default() };
                }
                if self.is_within {
                    self.depth += depth_of(text);
                    self.goes_on = (self.depth > 0 || text.ends_with('\\')) && self.lines <= Self::LONGEST;
                }
            }
            GoesOn::Paragraph if begins() => *self = Self { is_within: true, ..Self::default() },
            GoesOn::Paragraph => {
                self.is_within &= !text.is_empty() && self.lines <= Self::LONGEST_PARAGRAPH;
            }
            GoesOn::Same => self.is_within ^= begins(),
        }
    }
}

/// How many more brackets a text opens than it closes.
fn depth_of(text: &str) -> i32 {
    let of = |byte: u8| match byte {
        b'{' | b'(' | b'[' => 1,
        b'}' | b')' | b']' => -1,
        _ => 0,
    };
    text.bytes().map(of).sum()
}
