//! The mode of the code lexer (in code, in a string, in a comment) and its encoding as a [`LexState`].

use super::LexState;

/// The context of the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Code proper.
    Code,
    /// Inside a string.
    Str {
        /// The number of the string in the syntax.
        which: u8,
        /// A backslash stands right before the next line break, so the string continues on the next line.
        continued: bool,
    },
    /// In a line comment.
    Line,
    /// In a block comment.
    Block {
        /// The number of the block comment in the syntax.
        which: u8,
        /// The nesting depth, at least 1.
        depth: u32,
    },
}

/// Deeper nesting is counted as this: the depth must fit into a [`LexState`].
pub(super) const MAX_DEPTH: u32 = (1 << 20) - 1;

/// Set in every state but the one at a document's beginning: the text before may be on the same line.
const AFTER_TOKEN: u32 = 1 << 2;
const CONTINUED: u32 = 1 << 3;
const WHICH_SHIFT: u32 = 4;
const DEPTH_SHIFT: u32 = 12;

impl Mode {
    /// The state of this mode, after a token.
    pub(super) fn encode(self) -> LexState {
        let bits = match self {
            Self::Code => 0,
            Self::Str { which, continued } => {
                1 | u32::from(which) << WHICH_SHIFT | if continued { CONTINUED } else { 0 }
            }
            Self::Line => 2,
            Self::Block { which, depth } => 3 | u32::from(which) << WHICH_SHIFT | depth << DEPTH_SHIFT,
        };
        LexState(bits | AFTER_TOKEN)
    }

    /// The mode of a state, and whether a token stands before it.
    pub(super) fn decode(LexState(bits): LexState) -> (Self, bool) {
        let which = (bits >> WHICH_SHIFT) as u8;
        let mode = match bits & 3 {
            0 => Self::Code,
            1 => Self::Str { which, continued: bits & CONTINUED != 0 },
            2 => Self::Line,
            _ => Self::Block { which, depth: bits >> DEPTH_SHIFT },
        };
        (mode, bits & AFTER_TOKEN != 0)
    }
}

impl LexState {
    /// Whether the last token is in a comment.
    pub fn is_in_comment(self) -> bool {
        matches!(Mode::decode(self).0, Mode::Line | Mode::Block { .. })
    }

    /// Whether the next character is in a string.
    pub fn is_in_string(self) -> bool {
        matches!(Mode::decode(self).0, Mode::Str { .. })
    }
}

/// The state inside a block comment of the syntax.
pub(super) fn in_block_comment(which: usize) -> LexState {
    Mode::Block { which: which as u8, depth: 1 }.encode()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_comes_back_from_its_state() {
        let modes = [
            Mode::Code,
            Mode::Line,
            Mode::Str { which: 255, continued: true },
            Mode::Str { which: 0, continued: false },
            Mode::Block { which: 7, depth: MAX_DEPTH },
        ];
        for mode in modes {
            assert_eq!(Mode::decode(mode.encode()), (mode, true));
        }
        assert_eq!(Mode::decode(LexState::default()), (Mode::Code, false));
    }
}
