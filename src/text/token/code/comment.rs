//! Comments of source code: from their opener to what closes them.

use super::super::mode::{MAX_DEPTH, Mode};
use super::super::syntax::{HIGH, Opener, OpenerKind, SPECIAL, WORD, breaks_word};
use super::super::words::char_at;
use super::super::{Comments, Token};
use super::Code;

impl Code<'_> {
    /// What opens a comment at `at`, in code.
    ///
    /// In the hole of a string, a line comment opens only behind white space, and only if the string can have several
    /// lines: `f"{n:#x}"` has none.
    pub(super) fn comment_opener(&self, at: usize) -> Option<&'static Opener> {
        let bytes = self.text.as_bytes();
        let opener = self.syntax.opener(bytes, at, self.resumed).filter(|opener| opener.opens_comment())?;
        self.opens_comment(at, opener).then_some(opener)
    }

    /// Whether the opener of a comment at `at` opens one. In the hole of a string a line comment may not.
    pub(super) fn opens_comment(&self, at: usize, opener: &Opener) -> bool {
        let (Some(hole), OpenerKind::Line) = (self.outer.hole(), opener.kind) else { return true };
        let bytes = self.text.as_bytes();
        let is_behind_space = at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_whitespace());
        is_behind_space && self.syntax.strings[usize::from(hole.which)].multi_line
    }

    /// Enters the comment that opens at `self.at`; only passes over its opener if nothing closes it.
    pub(super) fn enter_comment(&mut self) {
        if let Some(opener) = self.comment_opener(self.at) {
            self.at += opener.open.len();
            self.mode = match opener.kind {
                OpenerKind::Line => Mode::Line,
                OpenerKind::Block(which) if self.unclosed & bit(which) == 0 => {
                    self.opened = Some(self.at);
                    Mode::Block { which, depth: 1 }
                }
                _ => Mode::Code,
            };
        }
    }

    /// At the end of the text, goes back to the opener of a comment that would be dropped and that nothing closes. Behind it no
    /// other is closed. One that can be nested does go on to the end of the text: others within it may be closed.
    fn end_text(&mut self) {
        if let (Mode::Block { which, .. }, Comments::Drop, Some(opened)) =
            (self.mode, self.comments, self.opened)
            && !self.syntax.blocks[usize::from(which)].nested
        {
            self.at = opened;
            self.mode = Mode::Code;
            self.unclosed |= bit(which);
        }
    }

    /// The next word of a comment; `None` if the comment is closed or the text ends.
    pub(super) fn comment(&mut self) -> Option<Token> {
        loop {
            let Some(&byte) = self.text.as_bytes().get(self.at) else {
                self.end_text();
                return None;
            };
            let class = self.class(byte);
            if byte == b'\n' && self.mode == Mode::Line {
                self.mode = Mode::Code;
                return None;
            }
            if class & SPECIAL != 0 {
                let passed = self.delimiter();
                if passed > 0 {
                    self.at += passed;
                    if self.mode == Mode::Code {
                        return None;
                    }
                    continue;
                }
            }
            if class & (WORD | HIGH) == 0 || byte == b'_' {
                self.at += 1;
                continue;
            }
            match self.folder.word(self.text, self.at) {
                Some(word) => {
                    self.at = word.end as usize;
                    if self.comments == Comments::Keep {
                        self.last = (self.mode, self.outer);
                        self.has_token = true;
                        return Some(word);
                    }
                }
                None => self.at += char_at(self.text, self.at)?.len_utf8(),
            }
        }
    }

    /// Processes a block comment's delimiter at `self.at`. Returns its length, 0 if there is none.
    fn delimiter(&mut self) -> usize {
        let Mode::Block { which, depth } = self.mode else {
            return 0;
        };
        let block = &self.syntax.blocks[usize::from(which)];
        let rest = &self.text.as_bytes()[self.at..];
        let stands = |delimiter: &str| {
            rest.starts_with(delimiter.as_bytes()) && !breaks_word(delimiter, rest, u8::is_ascii_alphanumeric)
        };
        if stands(block.close) {
            self.mode = match depth {
                ..=1 => Mode::Code,
                _ => Mode::Block { which, depth: depth - 1 },
            };
            block.close.len()
        } else if block.nested && stands(block.open) {
            let depth = MAX_DEPTH.min(depth + 1);
            self.mode = Mode::Block { which, depth };
            block.open.len()
        } else {
            0
        }
    }
}

fn bit(block: u8) -> u32 {
    1 << block.min(31)
}
