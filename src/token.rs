//! Text → tokens: normalised units with their byte spans.

pub mod code;
pub mod language;
pub mod words;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use code::Code;
use language::{Language, Syntax};
use words::Words;

/// A normalised unit of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// xxh3-64 of the normalised text; equal tokens have equal hashes.
    pub hash: u64,
    /// Where it begins, in bytes of the document's text.
    pub start: u32,
    /// Where it ends (exclusive).
    pub end: u32,
}

/// Where a lexer stands between two tokens, so that a document can be entered in its middle.
/// The default is the state at a document's beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LexState(pub u32);

/// A stream of tokens that can say how to be resumed.
pub trait Lexer: Iterator<Item = Token> {
    /// The state behind the last token: lexing the text from that token's end with this state gives the
    /// rest of the stream.
    fn state(&self) -> LexState;
}

/// How documents become tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenMode {
    /// By file name and content: `code` for source code, `words` for the rest.
    #[default]
    Auto,
    /// Folded words.
    Words,
    /// Lexemes of the file's language, exact.
    Code,
}

/// What becomes of comments in source code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comments {
    /// Their text is tokenised as words.
    #[default]
    Keep,
    /// They give no tokens.
    Drop,
}

/// How one document is tokenised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokeniser {
    /// As words.
    Words,
    /// As source code; without a language, as code that has no comments and no strings.
    Code(Option<Language>, Comments),
}

/// Something to be done with the tokens of a document, compiled for each lexer on its own.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit(self, lexer: impl Lexer) -> Self::Output;
}

impl Tokeniser {
    /// How a document of this name and text is tokenised.
    pub fn of(mode: TokenMode, comments: Comments, path: &Path, text: &str) -> Self {
        match mode {
            TokenMode::Words => Self::Words,
            TokenMode::Code => Self::Code(Language::detect(path, text), comments),
            TokenMode::Auto => match Language::detect(path, text) {
                Some(language) => Self::Code(Some(language), comments),
                None => Self::Words,
            },
        }
    }

    /// The language, when it is source code of a known one.
    pub fn language(self) -> Option<Language> {
        match self {
            Self::Words => None,
            Self::Code(language, _) => language,
        }
    }

    /// The states in which a piece that was cut out of a document may begin: in code, or in a comment.
    pub fn entry_states(self) -> Vec<LexState> {
        let blocks = match self {
            Self::Words => 0,
            Self::Code(language, _) => language.map_or(0, |language| language.syntax().block.len()),
        };
        std::iter::once(LexState::default()).chain((0..blocks).map(code::in_block_comment)).collect()
    }

    /// Lexes a text that is entered in some state.
    pub fn lex<V: Visitor>(self, text: &str, state: LexState, visitor: V) -> V::Output {
        static PLAIN: Syntax = Syntax::plain();
        match self {
            Self::Words => visitor.visit(Words::new(text)),
            Self::Code(language, comments) => {
                let syntax = language.map_or(&PLAIN, Language::syntax);
                visitor.visit(Code::new(text, syntax, comments, state))
            }
        }
    }

    /// The tokens of a text that is entered in some state.
    pub fn tokens(self, text: &str, state: LexState) -> Vec<Token> {
        struct Collect;
        impl Visitor for Collect {
            type Output = Vec<Token>;

            fn visit(self, lexer: impl Lexer) -> Vec<Token> {
                lexer.collect()
            }
        }
        self.lex(text, state, Collect)
    }
}

/// A word that names none of the choices there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is none of {choices}")]
pub struct UnknownChoice {
    /// What was given.
    pub given: String,
    /// What can be given.
    pub choices: &'static str,
}

impl fmt::Display for TokenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Words => "words",
            Self::Code => "code",
        })
    }
}

impl FromStr for TokenMode {
    type Err = UnknownChoice;

    fn from_str(given: &str) -> Result<Self, UnknownChoice> {
        match given {
            "auto" => Ok(Self::Auto),
            "words" => Ok(Self::Words),
            "code" => Ok(Self::Code),
            _ => Err(UnknownChoice { given: given.to_owned(), choices: "auto, words, code" }),
        }
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
        })
    }
}

impl FromStr for Comments {
    type Err = UnknownChoice;

    fn from_str(given: &str) -> Result<Self, UnknownChoice> {
        match given {
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            _ => Err(UnknownChoice { given: given.to_owned(), choices: "keep, drop" }),
        }
    }
}
