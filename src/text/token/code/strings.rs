//! Strings of source code: where they open, where they close, and the code in their holes.

use super::super::class::Class;
use super::super::folding;
use super::super::mode::{MAX_DEPTH, Mode};
use super::super::syntax::{HIGH, Opener, OpenerKind, SPACE, StringSyntax, WORD, brackets};
use super::super::words::char_at;
use super::here::{self, MOST_TAG, hash, tag_of};
use super::{Code, Punctuation};

/// A longer string is not folded; nor is one that nothing closes, unless its line does.
pub(super) const MOST_FOLDED: usize = 1 << 16;

impl Code<'_> {
    /// Reads the punctuation at `at`, which may open or close a string or open a comment.
    pub(super) fn punctuation(&mut self, at: usize) -> Punctuation {
        match self.mode {
            Mode::Str { which, fence, .. } => Punctuation::Bytes(self.in_string(at, which, fence)),
            _ => self.in_code(at),
        }
    }

    /// The length of punctuation in a string.
    fn in_string(&mut self, at: usize, which: u8, fence: u32) -> usize {
        let string = &self.syntax.strings[usize::from(which)];
        let rest = &self.text.as_bytes()[at..];
        if let Some(hole) = string.hole
            && rest.starts_with(hole.as_bytes())
        {
            if hole.len() == 1 && rest.get(1) == rest.first() {
                return 2;
            }
            if let (Some(outer), 0) = (self.outer.entered(which), fence) {
                (self.outer, self.mode) = (outer, Mode::Code);
                return hole.len();
            }
        }
        if string.escapes && rest[0] == b'\\' {
            let continued = rest.get(1).is_some_and(|b| b"\r\n".contains(b));
            self.mode = Mode::Str { which, continued, fence };
            return if rest.get(1).is_some_and(|b| self.is_mark(*b)) { 2 } else { 1 };
        }
        if string.here.is_some() {
            return 1;
        }
        let (length, fence) = string.step(rest, fence);
        self.mode = match fence {
            Some(fence) => Mode::Str { which, continued: false, fence },
            None => Mode::Code,
        };
        length
    }

    /// Reads punctuation of code.
    fn in_code(&mut self, at: usize) -> Punctuation {
        let bytes = self.text.as_bytes();
        if let Some(length) = self.hole_bracket(bytes[at]) {
            return Punctuation::Bytes(length);
        }
        if let Some(opener) = self.syntax.opener(bytes, at, self.resumed) {
            let length = opener.open.len();
            return match opener.kind {
                OpenerKind::Line | OpenerKind::Block(_) if self.opens_comment(at, opener) => {
                    Punctuation::Comment
                }
                OpenerKind::Line | OpenerKind::Block(_) | OpenerKind::Plain => Punctuation::Bytes(length),
                OpenerKind::Escape => {
                    let escaped = bytes.get(at + length).is_some_and(|b| self.is_mark(*b));
                    Punctuation::Bytes(length + usize::from(escaped))
                }
                OpenerKind::Str(which) => self.open_string(at, which, opener),
            };
        }
        if self.syntax.chars && bytes[at] == b'\'' {
            if self.folding.literals
                && let Some(end) = folding::character_end(self.text, at)
            {
                return Punctuation::Literal(end - at);
            }
            return Punctuation::Bytes(match &bytes[at + 1..] {
                [b'\\', escaped, ..] if self.is_mark(*escaped) => 3,
                [c, b'\'', ..] if self.is_mark(*c) => 3,
                _ => 1,
            });
        }
        Punctuation::Bytes(1)
    }

    /// Opens a string, a tagged one only with its tag. A here-document begins with the next line.
    fn open_string(&mut self, at: usize, which: u8, opener: &Opener) -> Punctuation {
        let bytes = self.text.as_bytes();
        let string = &self.syntax.strings[usize::from(which)];
        let mut length = opener.open.len();
        let mut fence = 0;
        if let Some(has_blanks) = string.here {
            if let Some(here) = tag_of(bytes, at, at + length, has_blanks) {
                self.outer = self.outer.with_here(Some((which, here)));
            }
            return Punctuation::Bytes(length);
        }
        if let Some((open_end, _)) = string.tag {
            let tag = string.tag(&bytes[at + length..]);
            if !bytes[at + length + tag.len()..].starts_with(open_end.as_bytes()) {
                return Punctuation::Bytes(1);
            }
            length += tag.len() + open_end.len();
            fence = tag_hash(tag);
        }
        self.mode = Mode::Str { which, continued: false, fence };
        if self.folding.literals
            && let Some(end) = self.folded_end(at + length)
        {
            return Punctuation::Literal(end - at);
        }
        Punctuation::Bytes(length)
    }

    /// Counts the brackets of the innermost hole, and leaves it behind the last one.
    fn hole_bracket(&mut self, byte: u8) -> Option<usize> {
        let hole = self.outer.hole()?;
        let (open, close) = brackets(self.syntax.strings[usize::from(hole.which)].hole?);
        if byte == open {
            self.outer = self.outer.with_brackets(hole.brackets + 1);
        } else if byte == close && hole.brackets > 0 {
            self.outer = self.outer.with_brackets(hole.brackets - 1);
        } else if byte == close {
            self.outer = self.outer.left();
            self.mode = Mode::Str { which: hole.which, continued: false, fence: 0 };
        } else {
            return None;
        }
        Some(1)
    }

    /// The end of a line, at `self.at`: it closes most strings, and here-documents begin and end there.
    #[cold]
    #[inline(never)]
    pub(super) fn end_line(&mut self) {
        let is_end = |fence| here::is_end(&self.text.as_bytes()[self.at + 1..], fence);
        if let Mode::Str { which, continued, fence } = self.mode {
            let string = &self.syntax.strings[usize::from(which)];
            let goes_on = if string.here.is_some() { !is_end(fence) } else { continued || string.multi_line };
            if goes_on {
                self.mode = Mode::Str { which, continued: false, fence };
                return;
            }
            self.mode = Mode::Code;
        }
        if self.mode == Mode::Code {
            while let Some(hole) = self.outer.hole()
                && !self.syntax.strings[usize::from(hole.which)].multi_line
            {
                self.outer = self.outer.left();
            }
            if let Some((which, fence)) = self.outer.here() {
                self.outer = self.outer.with_here(None);
                if !here::is_end(&self.text.as_bytes()[self.at + 1..], fence) {
                    self.mode = Mode::Str { which, continued: false, fence };
                }
            }
        }
    }

    /// The end of a string that is folded, whose text begins at `at`: behind what closes it, or else the end of its line.
    /// `None` if nothing closes it.
    fn folded_end(&mut self, mut at: usize) -> Option<usize> {
        let (before, bytes) = ((self.at, self.mode, self.outer), self.text.as_bytes());
        let most = at + MOST_FOLDED;
        let is_inside = |code: &Self| code.mode != Mode::Code || code.outer.depth() > before.2.depth();
        while is_inside(self) && at < most {
            let Some(&byte) = bytes.get(at) else { break };
            let class = self.class(byte);
            if class & SPACE != 0 {
                self.at = at;
                self.white_space(byte);
                if !is_inside(self) {
                    break;
                }
                at += 1;
            } else if class & WORD != 0 {
                at = self.lexeme_end(at);
            } else if class & HIGH != 0 {
                let c = char_at(self.text, at)?;
                let length = match self.punctuation(at) {
                    Punctuation::Bytes(length) | Punctuation::Literal(length)
                        if !Class::from_char(c).is_letter() && !Class::from_char(c).is_space() =>
                    {
                        length
                    }
                    _ => 1,
                };
                at += length.max(c.len_utf8());
            } else {
                at += match self.punctuation(at) {
                    Punctuation::Bytes(length) | Punctuation::Literal(length) => length,
                    Punctuation::Comment => 1,
                };
            }
        }
        let is_closed = !is_inside(self) || self.ends_with_line(at);
        self.at = before.0;
        (self.mode, self.outer) = if is_closed { (Mode::Code, before.2) } else { (before.1, before.2) };
        is_closed.then_some(at)
    }

    /// Whether the text ends at `at` in a string that a line break would close.
    fn ends_with_line(&self, at: usize) -> bool {
        let is_of_line = |which: u8| !self.syntax.strings[usize::from(which)].multi_line;
        at >= self.text.len()
            && match self.mode {
                Mode::Str { which, .. } => is_of_line(which),
                _ => self.outer.hole().is_some_and(|hole| is_of_line(hole.which)),
            }
    }

    /// Whether a byte is neither of a word nor white space.
    fn is_mark(&self, byte: u8) -> bool {
        self.syntax.classes[usize::from(byte)] & (WORD | SPACE | HIGH) == 0
    }
}

impl StringSyntax {
    /// Passes over punctuation in a string: its length, and the fence behind it; `None` if the string is closed.
    fn step(&self, rest: &[u8], fence: u32) -> (usize, Option<u32>) {
        if self.has_class && rest[0] == b'[' {
            return (1, Some(1));
        }
        if self.has_class && rest[0] == b']' {
            return (1, Some(0));
        }
        if !rest.starts_with(self.close.as_bytes()) {
            let opens = self.nests.is_some_and(|open| open == rest[0]);
            return (1, Some(if opens { MAX_DEPTH.min(fence + 1) } else { fence }));
        }
        let length = self.close.len();
        if let Some((_, close_end)) = self.tag {
            let tag = self.tag(&rest[length..]);
            let is_own =
                tag_hash(tag) == fence && rest[length + tag.len()..].starts_with(close_end.as_bytes());
            return if is_own { (length + tag.len() + close_end.len(), None) } else { (1, Some(fence)) };
        }
        if self.doubled && rest[length..].starts_with(self.close.as_bytes()) {
            return (2 * length, Some(fence));
        }
        let fence = match fence {
            1.. if self.has_class => Some(fence),
            1.. if self.nests.is_some() => Some(fence - 1),
            0 if self.twice => Some(1),
            _ => None,
        };
        (length, fence)
    }
    /// The tag that a text begins with: a word, or a mark that is repeated.
    fn tag<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let is_of_tag = |b: &u8| match self.tag_mark {
            Some(mark) => *b == mark,
            None => b.is_ascii_alphanumeric() || *b == b'_',
        };
        &text[..text.iter().take(MOST_TAG).take_while(|b| is_of_tag(b)).count()]
    }
}

fn tag_hash(tag: &[u8]) -> u32 {
    if tag.is_empty() { 0 } else { hash(tag) }
}
