//! The mode of the code lexer (in code, in a string, in a comment), what surrounds it, and their encoding as a [`LexState`].

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
        /// What else its end depends on: how many brackets or parts are open, or the hash of its tag.
        fence: u32,
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

/// Deeper nesting is counted as this: a depth or a fence must fit into a [`LexState`].
pub(super) const MAX_DEPTH: u32 = (1 << 20) - 1;

/// What surrounds a mode: the strings in whose holes the code stands (`${` … `}`), and the here-document that begins with
/// the next line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outer(u64);

/// A string with a hole in which the code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hole {
    /// The number of the string in the syntax.
    pub(super) which: u8,
    /// How many brackets are open in the hole.
    pub(super) brackets: u32,
}

/// A level of holes: the number of its string from 1, and the brackets.
const LEVEL: u32 = 12;
const BRACKETS: u32 = 6;
/// Deeper holes are read as text of their string.
const LEVELS: u32 = 3;
const LEVEL_MASK: u64 = (1 << LEVEL) - 1;
const HOLES_MASK: u64 = (1 << (LEVELS * LEVEL)) - 1;
const HERE_SHIFT: u32 = LEVELS * LEVEL;
const FENCE: u32 = 20;
/// Strings of a language, so that their numbers fit.
pub(super) const MAX_STRINGS: usize = (1 << (LEVEL - BRACKETS)) - 2;

impl Outer {
    /// The innermost hole.
    #[inline]
    pub(super) fn hole(self) -> Option<Hole> {
        let level = self.0 & LEVEL_MASK;
        (level != 0).then(|| Hole {
            which: (level >> BRACKETS) as u8 - 1,
            brackets: (level & ((1 << BRACKETS) - 1)) as u32,
        })
    }

    /// This with one more hole; `None` if there are too many.
    pub(super) fn entered(self, which: u8) -> Option<Self> {
        let holes = self.0 & HOLES_MASK;
        if holes >> ((LEVELS - 1) * LEVEL) != 0 {
            return None;
        }
        let level = (u64::from(which) + 1) << BRACKETS;
        Some(Self(self.0 & !HOLES_MASK | holes << LEVEL | level))
    }

    /// This without the innermost hole.
    pub(super) fn left(self) -> Self {
        Self(self.0 & !HOLES_MASK | (self.0 & HOLES_MASK) >> LEVEL)
    }

    /// This with other brackets in the innermost hole.
    pub(super) fn with_brackets(self, brackets: u32) -> Self {
        let most = (1 << BRACKETS) - 1;
        Self(self.0 & !u64::from(most) | u64::from(brackets.min(most)))
    }

    /// How many holes there are.
    pub(super) fn depth(self) -> u32 {
        (u64::BITS - (self.0 & HOLES_MASK).leading_zeros()).div_ceil(LEVEL)
    }

    /// The here-document that begins with the next line: the number of its string, and its fence.
    #[inline]
    pub(super) fn here(self) -> Option<(u8, u32)> {
        let here = self.0 >> HERE_SHIFT;
        (here != 0).then(|| ((here >> FENCE) as u8 - 1, (here as u32) & MAX_DEPTH))
    }

    /// This with such a here-document, or none.
    pub(super) fn with_here(self, here: Option<(u8, u32)>) -> Self {
        let bits = here.map_or(0, |(which, fence)| (u64::from(which) + 1) << FENCE | u64::from(fence));
        Self(self.0 & HOLES_MASK | bits << HERE_SHIFT)
    }
}

/// Set in every state but the one at a document's beginning: the text before may be on the same line.
const AFTER_TOKEN: u32 = 1 << 2;
const CONTINUED: u32 = 1 << 3;
const WHICH_SHIFT: u32 = 4;
const DEPTH_SHIFT: u32 = 12;

impl Mode {
    /// This mode in 32 bits.
    fn encode(self) -> u32 {
        match self {
            Self::Code => 0,
            Self::Str { which, continued, fence } => {
                1 | u32::from(which) << WHICH_SHIFT
                    | if continued { CONTINUED } else { 0 }
                    | fence << DEPTH_SHIFT
            }
            Self::Line => 2,
            Self::Block { which, depth } => 3 | u32::from(which) << WHICH_SHIFT | depth << DEPTH_SHIFT,
        }
    }

    fn decode(bits: u32) -> Self {
        let which = (bits >> WHICH_SHIFT) as u8;
        match bits & 3 {
            0 => Self::Code,
            1 => Self::Str { which, continued: bits & CONTINUED != 0, fence: bits >> DEPTH_SHIFT },
            2 => Self::Line,
            _ => Self::Block { which, depth: bits >> DEPTH_SHIFT },
        }
    }
}

/// The state of a lexer between two tokens, so that lexing can start in the middle of a document. The default is
/// the state at a document's beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LexState {
    /// The mode of the code lexer.
    mode: u32,
    /// What language the text is embedded in or goes over to, of a document with several.
    pub(super) embedded: u32,
    /// The strings and here-documents around it.
    outer: Outer,
}

impl LexState {
    /// The state after a token in a mode.
    pub(super) fn after(mode: Mode, outer: Outer) -> Self {
        Self { mode: mode.encode() | AFTER_TOKEN, outer, embedded: 0 }
    }

    pub(super) fn mode(self) -> Mode {
        Mode::decode(self.mode)
    }

    pub(super) fn outer(self) -> Outer {
        self.outer
    }

    /// The same state, with what tells the embedded language.
    pub(super) fn with_embedded(self, embedded: u32) -> Self {
        Self { embedded, ..self }
    }

    /// Whether a token stands before.
    pub(super) fn is_resumed(self) -> bool {
        self.mode & AFTER_TOKEN != 0
    }

    /// Whether the last token is in a comment.
    pub fn is_in_comment(self) -> bool {
        matches!(self.mode(), Mode::Line | Mode::Block { .. })
    }

    /// Whether the next character is in a string.
    pub fn is_in_string(self) -> bool {
        matches!(self.mode(), Mode::Str { .. })
    }

    /// The state in 32 bits; `None` of a state that needs more. Parts of a document begin only where it does not.
    pub fn short(self) -> Option<u32> {
        (self.outer == Outer::default() && self.embedded == 0).then_some(self.mode)
    }

    /// The state that [`short`](Self::short) gave.
    pub fn from_short(mode: u32) -> Self {
        Self { mode, ..Self::default() }
    }
}

/// The state inside a block comment of the syntax.
pub(super) fn in_block_comment(which: usize) -> LexState {
    LexState::after(Mode::Block { which: which as u8, depth: 1 }, Outer::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_comes_back_from_its_state() {
        let modes = [
            Mode::Code,
            Mode::Line,
            Mode::Str { which: 255, continued: true, fence: MAX_DEPTH },
            Mode::Str { which: 0, continued: false, fence: 0 },
            Mode::Block { which: 7, depth: MAX_DEPTH },
        ];
        for mode in modes {
            let state = LexState::after(mode, Outer::default());
            assert_eq!((state.mode(), state.is_resumed()), (mode, true));
            assert_eq!(state.short().map(LexState::from_short), Some(state));
        }
        let first = LexState::default();
        assert_eq!((first.mode(), first.is_resumed()), (Mode::Code, false));
    }

    #[test]
    fn holes_are_a_stack_beside_a_here_document() {
        let here = Some((MAX_STRINGS as u8, MAX_DEPTH));
        let one = Outer::default().with_here(here).entered(MAX_STRINGS as u8).unwrap().with_brackets(2);
        let three = one.entered(3).and_then(|two| two.entered(0)).unwrap();
        assert_eq!([three.depth(), three.left().depth(), one.depth(), one.left().depth()], [3, 2, 1, 0]);
        assert_eq!(three.entered(1), None);
        assert_eq!(three.hole(), Some(Hole { which: 0, brackets: 0 }));
        assert_eq!(three.left().left(), one);
        assert_eq!(one.hole(), Some(Hole { which: MAX_STRINGS as u8, brackets: 2 }));
        assert_eq!((one.here(), one.with_here(None).here()), (here, None));
        assert_eq!(one.left().with_here(None), Outer::default());
        assert_eq!(one.with_brackets(1000).hole().map(|hole| hole.brackets), Some(63));
        assert_eq!(LexState::after(Mode::Code, one).short(), None);
    }
}
