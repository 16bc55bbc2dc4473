//! Comments of source code: from their opener to what closes them.

use super::super::mode::{MAX_DEPTH, Mode};
use super::super::syntax::{HIGH, OpenerKind, SPECIAL, WORD, breaks_word};
use super::super::words::char_at;
use super::super::{Comments, Token};
use super::Code;

impl Code<'_> {
    /// Enters the comment that opens at `self.at`.
    pub(super) fn enter_comment(&mut self) {
        let bytes = self.text.as_bytes();
        if let Some(opener) = self.syntax.opener(bytes, self.at, self.resumed) {
            match opener.kind {
                OpenerKind::Line => self.mode = Mode::Line,
                OpenerKind::Block(which) => self.mode = Mode::Block { which, depth: 1 },
                OpenerKind::Str(_) => return,
            }
            self.at += opener.open.len();
        }
    }

    /// The next word of a comment; `None` if the comment is closed or the text ends.
    pub(super) fn comment(&mut self) -> Option<Token> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
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
                    let start = self.at;
                    self.at = word.end;
                    if self.comments == Comments::Keep {
                        self.state = self.mode.encode();
                        return Some(word.token(start));
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
