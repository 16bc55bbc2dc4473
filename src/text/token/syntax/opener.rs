//! Openers: what begins a comment or a string, and where it does.

use super::{breaks_word, in_identifier};

/// A line comment, block comment or string that begins with `open`.
#[derive(Debug)]
pub(in crate::token) struct Opener {
    /// The opening bytes, from the first that is not a word byte.
    pub(in crate::token) open: &'static str,
    /// Word bytes that must precede `open` (`R` of `R"(`).
    pub(super) prefix: &'static str,
    /// Whole words of which one must precede `open`, if there are any.
    pub(super) behind: Vec<&'static str>,
    /// Where it is recognised.
    pub(super) place: OpenerPlace,
    /// What it opens.
    pub(in crate::token) kind: OpenerKind,
}

/// Where an opener is recognised.
#[derive(Clone, Copy, Debug)]
pub(in crate::token) enum OpenerPlace {
    Anywhere,
    /// As the first byte of a line.
    FirstColumn,
    /// With only blanks before it on its line.
    LineStart,
    /// After white space or one of `;&|()`, as in shells.
    Detached,
    /// Where an operand is expected, and not before white space: there `/` does not divide.
    Operand,
}

/// What an opener opens.
#[derive(Clone, Copy, Debug)]
pub(in crate::token) enum OpenerKind {
    /// A comment to the end of the line.
    Line,
    /// The block comment with this number.
    Block(u8),
    /// The string with this number.
    Str(u8),
    /// Nothing.
    Plain,
    /// Nothing, and the next character opens nothing.
    Escape,
}

impl Opener {
    /// Whether it stands between `before` and `rest`, which begins with its first byte. `resumed`: a token stands before.
    #[inline]
    pub(super) fn matches(&self, before: &[u8], rest: &[u8], resumed: bool) -> bool {
        let open = self.open.as_bytes();
        // Most openers that are tried are wrong in the second byte.
        (open.len() == 1 || rest.get(1) == open.get(1) && rest.starts_with(open))
            && !breaks_word(self.open, rest, in_identifier)
            && (self.prefix.is_empty() || before.ends_with(self.prefix.as_bytes()))
            && (self.behind.is_empty() || self.is_behind_word(before))
            && self.place.matches(before, &rest[open.len()..], resumed)
    }

    fn is_behind_word(&self, before: &[u8]) -> bool {
        if !before.last().is_some_and(in_identifier) {
            return false;
        }
        let word = last_word(before);
        self.behind.iter().any(|allowed| allowed.as_bytes() == word)
    }

    /// Whether it opens a comment.
    pub(in crate::token) fn opens_comment(&self) -> bool {
        matches!(self.kind, OpenerKind::Line | OpenerKind::Block(_))
    }
}

impl OpenerPlace {
    fn matches(self, before: &[u8], behind: &[u8], resumed: bool) -> bool {
        let opens_line = |before: &[u8]| match before.last() {
            Some(&byte) => byte == b'\n',
            None => !resumed,
        };
        match self {
            Self::Anywhere => true,
            Self::FirstColumn => opens_line(before),
            Self::LineStart => {
                let blank = |b: &u8| *b == b' ' || *b == b'\t';
                let blanks = before.iter().rev().take_while(|b| blank(b)).count();
                opens_line(&before[..before.len() - blanks])
            }
            Self::Detached => before.last().is_none_or(|b| b.is_ascii_whitespace() || b";&|()".contains(b)),
            Self::Operand => {
                behind.first().is_some_and(|b| !b.is_ascii_whitespace()) && expects_operand(before)
            }
        }
    }
}

/// The identifier at the end of a text.
fn last_word(before: &[u8]) -> &[u8] {
    // Words of the table are short: the start of a long one does not matter.
    let length = before.iter().rev().take(16).take_while(|byte| in_identifier(byte)).count();
    &before[before.len() - length..]
}

/// Words that an operand follows.
const BEFORE_OPERANDS: [&[u8]; 23] = [
    b"and", b"await", b"case", b"delete", b"do", b"elsif", b"else", b"grep", b"if", b"in", b"map", b"not",
    b"of", b"or", b"return", b"split", b"throw", b"typeof", b"unless", b"until", b"when", b"while", b"yield",
];

/// Whether an operand follows `before`. A token holds all punctuation behind its lexeme, so what stands before
/// punctuation is known also where lexing was resumed.
fn expects_operand(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    match before {
        [] => true,
        [.., b'+', b'+'] | [.., b'-', b'-'] => false,
        [.., b'=', b'>'] => true,
        [.., b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'{' | b'}' | b';'] => true,
        [.., b'+' | b'-' | b'*' | b'%' | b'~' | b'^'] => true,
        [.., last] if in_identifier(last) => BEFORE_OPERANDS.contains(&last_word(before)),
        _ => false,
    }
}
