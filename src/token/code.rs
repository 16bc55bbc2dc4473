//! Source code: a token is a lexeme with the operators and brackets that follow it.
//!
//! White space is forgotten, all else counts: `f(a, b)` and `f( a,b )` are the same tokens, `f[a, b]` are
//! others. Were operators and brackets tokens of their own, the most frequent tiles of real code would be
//! the likes of `) ; } if (`; attached to the lexeme before them they are as exact, and a tile of k tokens
//! has k names or numbers in it, with half the tokens and half the index.
//!
//! The text of comments is tokenised as [words](super::words), so that a licence in a C comment, in a shell
//! comment and in a file of its own agree. Strings are lexed as code is, so that text in them is found too;
//! within them no comment begins. A string whose delimiter is one quote ends with its line at the latest:
//! a stray quote, or a language that tells its strings otherwise, does no harm beyond the line.

use xxhash_rust::xxh3::xxh3_64;

use super::language::Syntax;
use super::words::{Folded, Kind, next_word};
use super::{Comments, LexState, Lexer, Token};

/// The tokens of a source file.
pub struct Code<'t> {
    text: &'t str,
    at: usize,
    syntax: &'static Syntax,
    comments: Comments,
    mode: Mode,
    /// In a block comment: where its next closing and opening delimiters are, once looked for.
    next_close: Option<usize>,
    next_open: Option<usize>,
    folded: Folded,
    lexeme: Lexeme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Code,
    Line,
    /// Which of the syntax's block comments, and how deep.
    Block(u8, u16),
    /// Which of the syntax's strings.
    String(u8),
}

impl From<LexState> for Mode {
    fn from(LexState(state): LexState) -> Self {
        let which = (state >> 8) as u8;
        match state & 0xff {
            1 => Self::Line,
            2 => Self::Block(which, (state >> 16) as u16),
            3 => Self::String(which),
            _ => Self::Code,
        }
    }
}

impl From<Mode> for LexState {
    fn from(mode: Mode) -> Self {
        Self(match mode {
            Mode::Code => 0,
            Mode::Line => 1,
            Mode::Block(which, depth) => 2 | u32::from(which) << 8 | u32::from(depth) << 16,
            Mode::String(which) => 3 | u32::from(which) << 8,
        })
    }
}

/// The state within a block comment of the syntax.
pub(super) fn in_block_comment(which: usize) -> LexState {
    Mode::Block(which as u8, 1).into()
}

impl<'t> Code<'t> {
    /// The tokens of a text that is entered in some state.
    pub fn new(text: &'t str, syntax: &'static Syntax, comments: Comments, state: LexState) -> Self {
        let mode = match Mode::from(state) {
            Mode::Block(which, _) if usize::from(which) >= syntax.block.len() => Mode::Code,
            Mode::String(which) if usize::from(which) >= syntax.strings.len() => Mode::Code,
            mode => mode,
        };
        Self {
            text,
            at: 0,
            syntax,
            comments,
            mode,
            next_close: None,
            next_open: None,
            folded: Folded::default(),
            lexeme: Lexeme::default(),
        }
    }

    /// The next word of a comment; `None` at the comment's end, with the mode set to what follows.
    fn comment_word(&mut self) -> Option<Token> {
        loop {
            let limit = match self.mode {
                Mode::Line => self.offset_of("\n", self.at),
                Mode::Block(which, _) => self.next_delimiter(which),
                Mode::Code | Mode::String(_) => return None,
            };
            if self.comments == Comments::Keep
                && let Some((token, at)) = next_word(self.text, self.at, limit, &mut self.folded)
            {
                self.at = at;
                return Some(token);
            }
            self.at = limit;
            self.pass_delimiter();
        }
    }

    /// Where the next delimiter is that opens or closes a block comment.
    fn next_delimiter(&mut self, which: u8) -> usize {
        let (open, close) = self.syntax.block[usize::from(which)];
        let at = self.at;
        let refreshed = |known: Option<usize>, delimiter: &str, lexer: &Self| match known {
            Some(known) if known >= at => known,
            _ => lexer.offset_of(delimiter, at),
        };
        let next_close = refreshed(self.next_close, close, self);
        self.next_close = Some(next_close);
        if !self.syntax.nested {
            return next_close;
        }
        let next_open = refreshed(self.next_open, open, self);
        self.next_open = Some(next_open);
        next_close.min(next_open)
    }

    /// Goes over the delimiter that a comment's text ends with.
    fn pass_delimiter(&mut self) {
        let Mode::Block(which, depth) = self.mode else {
            self.mode = Mode::Code;
            return;
        };
        let (open, close) = self.syntax.block[usize::from(which)];
        let rest = &self.text[self.at..];
        if rest.starts_with(close) {
            self.at += close.len();
            self.mode = if depth > 1 { Mode::Block(which, depth - 1) } else { Mode::Code };
        } else if rest.starts_with(open) {
            self.at += open.len();
            self.mode = Mode::Block(which, depth.saturating_add(1));
        } else {
            self.mode = Mode::Code;
        }
    }

    fn offset_of(&self, what: &str, from: usize) -> usize {
        self.text[from..].find(what).map_or(self.text.len(), |offset| from + offset)
    }

    /// Enters the comment that begins here, if one does.
    fn enter_comment(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let (mode, length) =
            if let Some(which) = self.syntax.block.iter().position(|pair| rest.starts_with(pair.0)) {
                (Mode::Block(which as u8, 1), self.syntax.block[which].0.len())
            } else if let Some(open) = self.syntax.line.iter().find(|open| rest.starts_with(**open)) {
                (Mode::Line, open.len())
            } else {
                return false;
            };
        self.mode = mode;
        self.at += length;
        (self.next_close, self.next_open) = (None, None);
        true
    }

    fn begins_comment(&self) -> bool {
        let rest = &self.text[self.at..];
        self.syntax.block.iter().any(|pair| rest.starts_with(pair.0))
            || self.syntax.line.iter().any(|open| rest.starts_with(*open))
    }

    /// Takes punctuation and white space up to the next lexeme, comment or the end. Returns where the
    /// last punctuation ended, when there was some.
    fn punctuation(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut end = None;
        while let Some(&byte) = bytes.get(self.at) {
            let length = match byte {
                b'\n' => {
                    if let Mode::String(which) = self.mode
                        && self.syntax.strings[usize::from(which)].1.len() == 1
                        && self.syntax.strings[usize::from(which)].1 != "`"
                    {
                        self.mode = Mode::Code;
                    }
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.at += 1;
                    continue;
                }
                b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => break,
                128.. => {
                    let Some(character) = self.text[self.at..].chars().next() else { break };
                    if Kind::of(character) != Kind::Other {
                        break;
                    }
                    if character.is_whitespace() {
                        self.at += character.len_utf8();
                        continue;
                    }
                    character.len_utf8()
                }
                _ => match self.mode {
                    Mode::String(which) => self.in_string(which, byte),
                    _ if byte == b'\'' => self.character_literal(),
                    _ if !self.syntax.may_begin(byte) => 1,
                    _ if self.begins_comment() => break,
                    _ => self.enter_string(),
                },
            };
            let until = self.text.len().min(self.at + length);
            self.lexeme.push(&bytes[self.at..until]);
            self.at = until;
            end = Some(until);
        }
        end
    }

    /// The length of what stands here in a string; leaves the string at its end.
    fn in_string(&mut self, which: u8, byte: u8) -> usize {
        let (_, close, escapes) = self.syntax.strings[usize::from(which)];
        let rest = &self.text[self.at..];
        if escapes && byte == b'\\' {
            return 1 + rest[1..].chars().next().filter(|next| *next != '\n').map_or(0, char::len_utf8);
        }
        if rest.starts_with(close) {
            self.mode = Mode::Code;
            return close.len();
        }
        1
    }

    /// The length of the opening delimiter that stands here, having entered its string; 1 when none does.
    fn enter_string(&mut self) -> usize {
        let rest = &self.text[self.at..];
        let Some(which) = self.syntax.strings.iter().position(|string| rest.starts_with(string.0)) else {
            return 1;
        };
        self.mode = Mode::String(which as u8);
        self.syntax.strings[which].0.len()
    }

    /// A quote in quotes opens no string.
    fn character_literal(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        match rest {
            [b'\'', b'\\', quote, b'\'', ..] if !quote.is_ascii_alphanumeric() => 4,
            [b'\'', quote, b'\'', ..] if quote.is_ascii_punctuation() && *quote != b'\'' => 3,
            _ if self.syntax.may_begin(b'\'') => self.enter_string(),
            _ => 1,
        }
    }

    /// Where the lexeme that begins here ends.
    fn lexeme_end(&self) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'_' || byte.is_ascii_alphanumeric() {
                at += 1;
            } else if byte.is_ascii() {
                break;
            } else {
                match self.text[at..].chars().next() {
                    Some(character) if Kind::of(character) != Kind::Other => at += character.len_utf8(),
                    _ => break,
                }
            }
        }
        at
    }
}

impl Lexer for Code<'_> {
    fn state(&self) -> LexState {
        self.mode.into()
    }
}

impl Iterator for Code<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            if let Some(token) = self.comment_word() {
                return Some(token);
            }
            self.lexeme.clear();
            if let Some(end) = self.punctuation_alone() {
                return Some(end);
            }
            let start = self.at;
            let end = self.lexeme_end();
            if end == start {
                if self.at >= self.text.len() {
                    return None;
                }
                self.enter_comment();
                continue;
            }
            self.lexeme.push(&self.text.as_bytes()[start..end]);
            self.at = end;
            let end = self.punctuation().unwrap_or(end);
            return Some(Token { hash: self.lexeme.hash(), start: start as u32, end: end as u32 });
        }
    }
}

impl Code<'_> {
    /// Punctuation that follows no lexeme, at the beginning of a text or behind a comment, is its own token.
    fn punctuation_alone(&mut self) -> Option<Token> {
        let from = self.at;
        let end = self.punctuation()?;
        let blank = self.text[from..end].len() - self.text[from..end].trim_start().len();
        Some(Token { hash: self.lexeme.hash(), start: (from + blank) as u32, end: end as u32 })
    }
}

/// The bytes that make a token: a lexeme and its punctuation, without the white space between them.
struct Lexeme {
    short: [u8; Self::SHORT],
    length: usize,
    spill: Vec<u8>,
}

impl Default for Lexeme {
    fn default() -> Self {
        Self { short: [0; Self::SHORT], length: 0, spill: Vec::new() }
    }
}

impl Lexeme {
    const SHORT: usize = 64;

    #[inline]
    fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        if end <= Self::SHORT {
            self.short[self.length..end].copy_from_slice(bytes);
        } else {
            if self.length <= Self::SHORT {
                self.spill.clear();
                self.spill.extend_from_slice(&self.short[..self.length]);
            }
            self.spill.extend_from_slice(bytes);
        }
        self.length = end;
    }

    #[inline]
    fn hash(&self) -> u64 {
        if self.length <= Self::SHORT { xxh3_64(&self.short[..self.length]) } else { xxh3_64(&self.spill) }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::token::language::Language;
    use crate::token::words::Words;

    fn lexer<'t>(file: &str, text: &'t str, comments: Comments, state: LexState) -> Code<'t> {
        let language = Language::detect(Path::new(file), text).unwrap();
        Code::new(text, language.syntax(), comments, state)
    }

    fn lex<'t>(file: &str, text: &'t str, comments: Comments) -> Vec<&'t str> {
        lexer(file, text, comments, LexState::default())
            .map(|token| &text[token.start as usize..token.end as usize])
            .collect()
    }

    fn hashes(file: &str, text: &str) -> Vec<u64> {
        lexer(file, text, Comments::Keep, LexState::default()).map(|token| token.hash).collect()
    }

    #[test]
    fn operators_and_brackets_go_with_the_lexeme_before_them() {
        assert_eq!(
            lex("a.c", "if (x_1 == 0x1F)\n\treturn f(a, &b);", Comments::Keep),
            ["if (", "x_1 ==", "0x1F)", "return", "f(", "a, &", "b);"]
        );
        assert_eq!(hashes("a.c", "f(a, b);"), hashes("a.c", "f( a ,\n b ) ;"));
        assert_ne!(hashes("a.c", "f(a, b);"), hashes("a.c", "f[a, b];"));
        assert_ne!(hashes("a.c", "f(a);"), hashes("a.c", "F(a);"));
    }

    #[test]
    fn comments_are_words_or_nothing() {
        let text = "int a; /* Some TEXT, here */ b(); // and\nc;";
        assert_eq!(
            lex("a.c", text, Comments::Keep),
            ["int", "a;", "Some", "TEXT", "here", "b();", "and", "c;"]
        );
        assert_eq!(lex("a.c", text, Comments::Drop), ["int", "a;", "b();", "c;"]);
        let words: Vec<u64> = Words::new("Some text here").map(|token| token.hash).collect();
        assert_eq!(hashes("a.c", text)[2..5], words);
        assert_eq!(hashes("a.sh", "# some Text here\n"), words);
    }

    #[test]
    fn no_comment_begins_in_a_string_and_no_string_swallows_the_file() {
        assert_eq!(lex("a.c", r#"p("http://x"); q;"#, Comments::Drop), ["p(\"", "http://", "x\");", "q;"]);
        assert_eq!(lex("a.c", "p(\"a\\\"//b\");", Comments::Drop).len(), 3);
        assert_eq!(lex("a.c", "c = '\"'; // gone", Comments::Drop), ["c = '\"';"]);
        assert_eq!(lex("a.c", "it's \"open\n/* gone */ x", Comments::Drop).last(), Some(&"x"));
        assert_eq!(lex("a.rs", "fn f<'a>(x: &'a str) {} // gone", Comments::Drop).last(), Some(&"str) {}"));
    }

    #[test]
    fn nested_comments_end_where_the_outermost_does() {
        assert_eq!(lex("a.rs", "/* a /* b */ c */ d", Comments::Drop), ["d"]);
        assert_eq!(lex("a.rs", "/* a /* b */ c */ d", Comments::Keep), ["a", "b", "c", "d"]);
    }

    proptest! {
        #[test]
        fn a_text_can_be_entered_between_any_two_tokens(
            pieces in proptest::collection::vec(
                prop::sample::select(vec![
                    "a", "bc_1", " ", "\n", "(", ");", "\"", "'", "\\", "//", "/*", "*/", "# ", "é", "東", "—", "\t",
                ]),
                0..40,
            ),
            file in prop::sample::select(vec!["a.c", "a.rs", "a.py", "a.js", "a.sh"]),
            comments in prop::sample::select(vec![Comments::Keep, Comments::Drop]),
        ) {
            let text = pieces.concat();
            let whole: Vec<Token> = lexer(file, &text, comments, LexState::default()).collect();
            let mut lexing = lexer(file, &text, comments, LexState::default());
            let mut from = 0;
            for taken in 0..whole.len() {
                let rest = lexer(file, &text[from as usize..], comments, lexing.state());
                let moved: Vec<Token> =
                    rest.map(|token| Token { start: token.start + from, end: token.end + from, ..token }).collect();
                prop_assert_eq!(&moved[..], &whole[taken..]);
                from = lexing.next().map_or(0, |token| token.end);
            }
        }
    }
}
