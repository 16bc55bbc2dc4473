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
//! The rest of a comment is read in `comment`, strings in `strings`.
//!
//! Nothing that is never closed swallows text. A string ends with its line if the language has no such strings of several
//! lines, and so do the holes (`${` … `}`) of such a string. The words of any other string are tokens as they would be in
//! code, and those of a comment are words of prose; so both can go on to the end of the text, as compilers have it. A block
//! comment that would be dropped is lexed as code if nothing closes it and such comments cannot be nested. A string that
//! would be folded is not if nothing closes it within [`MOST_FOLDED`](strings::MOST_FOLDED) bytes.
//!
//! Invariant: the next tokens depend only on the text from the last token's end and on the [`LexState`].

mod comment;
mod here;
mod strings;

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::class::Class;
use super::folding::{self, IDENTIFIER, Keywords, LITERAL, keywords};
use super::mode::{Mode, Outer};
use super::syntax::{HIGH, SPACE, SPECIAL, Syntax, WORD};
use super::words::{CaseFolder, char_at};
use super::{Comments, Folding, Language, LexState, Lexer, Token, swar};

/// The meaning of punctuation at a position.
enum Punctuation {
    /// This many bytes belong to the token.
    Bytes(usize),
    /// This many bytes belong to it, a literal that is folded.
    Literal(usize),
    /// A comment opens here.
    Comment,
}

/// The lexer of source code.
#[derive(Clone, Debug)]
pub struct Code<'t> {
    text: &'t str,
    syntax: &'static Syntax,
    comments: Comments,
    folding: Folding,
    /// The words that are no identifiers, when these are folded.
    keywords: Option<&'static Keywords>,
    /// A token stands before the start of the text.
    resumed: bool,
    /// There was a token.
    has_token: bool,
    /// The next byte to read, and the mode there.
    at: usize,
    mode: Mode,
    outer: Outer,
    /// Mode and what surrounds it after the last token.
    last: (Mode, Outer),
    /// The block comments, by number, that were opened and that nothing closes.
    unclosed: u32,
    /// Behind the opener of the last block comment.
    opened: Option<usize>,
    folder: CaseFolder,
    /// A buffer for a token without the white space inside it.
    dense: Vec<u8>,
    /// The last token of code without white space and comments, and with nothing folded; empty unless anything is.
    unfolded: Vec<u8>,
}

impl<'t> Code<'t> {
    /// Lexes `text` (shorter than 4 GiB), starting in `state`. Without a language there are neither comments nor
    /// strings.
    pub fn new(text: &'t str, language: Option<Language>, comments: Comments, state: LexState) -> Self {
        let (mode, outer) = (state.mode(), state.outer());
        Self {
            text,
            syntax: Language::syntax(language),
            comments,
            folding: Folding::NONE,
            keywords: None,
            resumed: state.is_resumed(),
            has_token: state.is_resumed(),
            at: 0,
            mode,
            outer,
            last: (mode, outer),
            unclosed: 0,
            opened: None,
            folder: CaseFolder::default(),
            dense: Vec::new(),
            unfolded: Vec::new(),
        }
    }

    /// Lexes `text` with names or literals folded. Comments that are dropped do not end a token then.
    pub fn folded(
        text: &'t str,
        language: Language,
        comments: Comments,
        folding: Folding,
        state: LexState,
    ) -> Self {
        let keywords = folding.identifiers.then(|| keywords(language));
        Self { folding, keywords, ..Self::new(text, Some(language), comments, state) }
    }

    /// The bytes that the hash of the last token would be made of if nothing were folded. Its span may have a comment
    /// besides. Only of a token of code that was lexed with something folded.
    pub(super) fn unfolded(&self) -> &[u8] {
        &self.unfolded
    }

    /// Adds a part of the token to what is not folded of it. A string may have white space.
    fn add_unfolded(&mut self, part: Range<usize>) {
        let part = &self.text.as_bytes()[part];
        self.unfolded.extend(part.iter().filter(|byte| !byte.is_ascii_whitespace()));
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
            } else if class & SPECIAL != 0
                && self.mode == Mode::Code
                && self.comment_opener(self.at).is_some()
            {
                return None;
            } else if class & HIGH != 0 {
                let c = char_at(self.text, self.at)?;
                if !Class::from_char(c).is_space() {
                    break;
                }
                self.at += c.len_utf8();
            } else {
                break;
            }
        }
        let start = self.at;
        self.at = self.lexeme_end(start);
        let folded = if self.folding.is_any() { self.folded_lexeme(start) } else { None };
        Some(self.attach(start, folded))
    }

    /// What stands for the lexeme from `start` to `self.at`, if it is folded; a number ends behind its fraction.
    fn folded_lexeme(&mut self, start: usize) -> Option<u8> {
        let bytes = self.text.as_bytes();
        if self.mode != Mode::Code || self.at == start {
            return None;
        }
        if bytes[start].is_ascii_digit() {
            return self.folding.literals.then(|| {
                self.at =
                    folding::number_end(bytes, start..self.at, self.syntax.chars, |at| self.lexeme_end(at));
                LITERAL
            });
        }
        let is_name = self.keywords.is_some_and(|keywords| !keywords.contains(&bytes[start..self.at]));
        is_name.then_some(IDENTIFIER)
    }

    /// Attaches the punctuation that follows the lexeme from `start` to `self.at`, for which `folded` stands.
    #[inline]
    fn attach(&mut self, start: usize, folded: Option<u8>) -> Token {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        let mut last = (self.mode, self.outer);
        let folds = self.folding.is_any();
        if folds {
            self.unfolded.clear();
            self.add_unfolded(start..end);
        }
        let mut dense = folded.is_some();
        if let Some(folded) = folded {
            self.dense.clear();
            self.dense.push(folded);
        }
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
                    let class = Class::from_char(c);
                    if class.is_space() {
                        self.at += c.len_utf8();
                        continue;
                    }
                    if class.is_letter() || class.is_mark() {
                        break;
                    }
                    match self.punctuation(self.at) {
                        Punctuation::Bytes(len) | Punctuation::Literal(len) => len.max(c.len_utf8()),
                        Punctuation::Comment => break,
                    }
                }
                _ => match self.punctuation(self.at) {
                    Punctuation::Bytes(len) => len,
                    Punctuation::Literal(len) => {
                        if !dense {
                            dense = true;
                            self.dense.clear();
                            self.dense.extend_from_slice(&bytes[start..end]);
                        }
                        self.dense.push(LITERAL);
                        self.add_unfolded(self.at..self.at + len);
                        self.at += len;
                        end = self.at;
                        last = (self.mode, self.outer);
                        continue;
                    }
                    Punctuation::Comment if self.folding.is_any() && self.comments == Comments::Drop => {
                        self.enter_comment();
                        if self.mode != Mode::Code {
                            self.comment();
                        }
                        continue;
                    }
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
            if folds {
                self.add_unfolded(from..self.at);
            }
            end = self.at;
            last = (self.mode, self.outer);
        }
        self.last = last;
        self.has_token = true;
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
                    Some(c) if Class::from_char(c).is_letter() || Class::from_char(c).is_mark() => {
                        at += c.len_utf8();
                    }
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    /// Updates the mode for white space at `self.at`.
    #[inline]
    fn white_space(&mut self, byte: u8) {
        if byte == b'\n' && (self.mode != Mode::Code || self.outer != Outer::default()) {
            self.end_line();
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
        let state = LexState::after(self.last.0, self.last.1);
        if self.has_token { state } else { LexState::default() }
    }
}

#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod tests;
