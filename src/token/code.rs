//! Source code: each lexeme together with the operators and brackets that follow it is one token.
//!
//! A lexeme is a maximal run of letters, digits, marks and `_`, case-sensitive. If punctuation were separate
//! tokens, the most frequent tiles of real code would be `) ; } if (`. Attached, a tile has k meaningful lexemes,
//! with half the tokens and half the index, and equality is as exact. White space between a lexeme and its
//! punctuation is ignored; a comment ends the token. Punctuation without a lexeme before it (at the start, after a
//! comment) is a token of its own.
//!
//! Strings are lexed like code, so that long copied text in strings is found, except that comment openers in them
//! are ignored. The text of a comment gives the same tokens as [`Words`](super::Words), so a licence has the same
//! tokens in the comments of any language.
//!
//! Invariant: the next tokens depend only on the text from the last token's end and on the [`LexState`].

use xxhash_rust::xxh3::xxh3_64;

use super::class::Class;
use super::mode::{MAX_DEPTH, Mode};
use super::syntax::{HIGH, OpenerKind, SPACE, SPECIAL, Syntax, WORD, breaks_word};
use super::words::{CaseFolder, char_at};
use super::{Comments, Language, LexState, Lexer, Token, swar};

/// The lexer of source code.
#[derive(Clone, Debug)]
pub struct Code<'t> {
    text: &'t str,
    syntax: &'static Syntax,
    comments: Comments,
    /// A token stands before the start of the text.
    resumed: bool,
    /// The next byte to read, and the mode there.
    at: usize,
    mode: Mode,
    /// The state after the last token.
    state: LexState,
    folder: CaseFolder,
    /// A buffer for a token without the white space inside it.
    dense: Vec<u8>,
}

/// The meaning of punctuation at a position.
enum Punctuation {
    /// This many bytes belong to the token.
    Bytes(usize),
    /// A comment opens here.
    Comment,
}

impl<'t> Code<'t> {
    /// Lexes `text` (shorter than 4 GiB), starting in `state`. Without a language there are neither comments nor
    /// strings.
    pub fn new(text: &'t str, language: Option<Language>, comments: Comments, state: LexState) -> Self {
        let (mode, resumed) = Mode::decode(state);
        Self {
            text,
            syntax: Language::syntax(language),
            comments,
            resumed,
            at: 0,
            mode,
            state,
            folder: CaseFolder::default(),
            dense: Vec::new(),
        }
    }

    #[inline]
    fn class(&self, byte: u8) -> u8 {
        self.syntax.classes[usize::from(byte)]
    }

    /// The next token of code or of a string; `None` if a comment begins or the text ends.
    #[inline]
    fn lexeme(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        loop {
            let class = self.class(*bytes.get(self.at)?);
            if class & SPACE != 0 {
                self.white_space(bytes[self.at]);
                self.at += 1;
            } else if class & SPECIAL != 0 && self.opens_comment() {
                return None;
            } else if class & HIGH != 0 {
                let c = char_at(self.text, self.at)?;
                if !Class::of(c).is_space() {
                    break;
                }
                self.at += c.len_utf8();
            } else {
                break;
            }
        }
        let start = self.at;
        self.at = self.lexeme_end(start);
        Some(self.attach(start))
    }

    /// Attaches the punctuation that follows the lexeme from `start` to `self.at`.
    #[inline]
    fn attach(&mut self, start: usize) -> Token {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        let mut mode = self.mode;
        let mut dense = false;
        while let Some(&byte) = bytes.get(self.at) {
            let class = self.class(byte);
            let taken = match class {
                0 => 1,
                _ if class & WORD != 0 => break,
                _ if class & SPACE != 0 => {
                    self.white_space(byte);
                    self.at += 1;
                    continue;
                }
                _ if class & HIGH != 0 => {
                    let Some(c) = char_at(self.text, self.at) else {
                        break;
                    };
                    let class = Class::of(c);
                    if class.is_space() {
                        self.at += c.len_utf8();
                        continue;
                    }
                    if class.is_letter() || class.is_mark() {
                        break;
                    }
                    match self.punctuation(self.at) {
                        Punctuation::Bytes(len) => len.max(c.len_utf8()),
                        Punctuation::Comment => break,
                    }
                }
                _ => match self.punctuation(self.at) {
                    Punctuation::Bytes(len) => len,
                    Punctuation::Comment => break,
                },
            };
            if self.at > end && !dense {
                dense = true;
                self.dense.clear();
                self.dense.extend_from_slice(&bytes[start..end]);
            }
            let from = self.at;
            self.at += taken;
            if dense {
                self.dense.extend_from_slice(&bytes[from..self.at]);
            }
            end = self.at;
            mode = self.mode;
        }
        self.state = mode.encode();
        Token {
            hash: xxh3_64(if dense { &self.dense } else { &bytes[start..end] }),
            start: start as u32,
            end: end as u32,
        }
    }

    /// The end of the lexeme that begins at `at`; `at` if none begins there.
    #[inline]
    fn lexeme_end(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            while let Some(chunk) = swar::load(bytes, at) {
                let run = swar::before(swar::invert(swar::identifier(chunk)));
                at += run;
                if run < 8 {
                    break;
                }
            }
            match bytes.get(at) {
                Some(&b) if b.is_ascii_alphanumeric() || b == b'_' => at += 1,
                Some(b) if !b.is_ascii() => match char_at(self.text, at) {
                    Some(c) if Class::of(c).is_letter() || Class::of(c).is_mark() => {
                        at += c.len_utf8();
                    }
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    /// Updates the mode for white space: the end of a line closes most strings.
    #[inline]
    fn white_space(&mut self, byte: u8) {
        if let (b'\n', Mode::Str { which, continued }) = (byte, self.mode) {
            self.mode = if continued || self.syntax.strings[usize::from(which)].multi_line {
                Mode::Str { which, continued: false }
            } else {
                Mode::Code
            };
        }
    }

    /// Whether a comment opens at `self.at`; only in code.
    fn opens_comment(&self) -> bool {
        self.mode == Mode::Code
            && self
                .syntax
                .opener(self.text.as_bytes(), self.at, self.resumed)
                .is_some_and(|opener| !matches!(opener.kind, OpenerKind::Str(_)))
    }

    /// Reads the punctuation at `at`, which may open or close a string or open a comment.
    fn punctuation(&mut self, at: usize) -> Punctuation {
        let bytes = self.text.as_bytes();
        let is_mark = |b: &u8| self.syntax.classes[usize::from(*b)] & (WORD | SPACE | HIGH) == 0;
        match self.mode {
            Mode::Str { which, .. } => {
                let string = &self.syntax.strings[usize::from(which)];
                let rest = &bytes[at..];
                if string.escapes && rest[0] == b'\\' {
                    let escaped = rest.get(1).filter(|b| is_mark(b)).map_or(1, |_| 2);
                    let continued = rest.get(1).is_some_and(|b| b"\r\n".contains(b));
                    self.mode = Mode::Str { which, continued };
                    return Punctuation::Bytes(escaped);
                }
                if rest.starts_with(string.close.as_bytes()) {
                    self.mode = Mode::Code;
                    return Punctuation::Bytes(string.close.len());
                }
            }
            _ => {
                if let Some(opener) = self.syntax.opener(bytes, at, self.resumed) {
                    let OpenerKind::Str(which) = opener.kind else {
                        return Punctuation::Comment;
                    };
                    self.mode = Mode::Str { which, continued: false };
                    return Punctuation::Bytes(opener.open.len());
                }
                if self.syntax.chars && bytes[at] == b'\'' {
                    return Punctuation::Bytes(match &bytes[at + 1..] {
                        [b'\\', escaped, ..] if is_mark(escaped) => 3,
                        [c, b'\'', ..] if is_mark(c) => 3,
                        _ => 1,
                    });
                }
            }
        }
        Punctuation::Bytes(1)
    }

    /// Enters the comment that opens at `self.at`.
    fn enter_comment(&mut self) {
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
    fn comment(&mut self) -> Option<Token> {
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

impl Iterator for Code<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        loop {
            let found = match self.mode {
                Mode::Code | Mode::Str { .. } => self.lexeme(),
                Mode::Line | Mode::Block { .. } => self.comment(),
            };
            if found.is_some() || self.at >= self.text.len() {
                return found;
            }
            if self.mode == Mode::Code {
                self.enter_comment();
            }
        }
    }
}

impl Lexer for Code<'_> {
    #[inline]
    fn state(&self) -> LexState {
        self.state
    }
}

#[cfg(test)]
mod tests;
