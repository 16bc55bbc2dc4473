//! Text → tokens: normalised units with their byte spans.
//!
//! [`Words`] reads prose, [`Code`] source code; a [`Tokeniser`] says which of them reads a document,
//! and [`Language`] tells source code from the rest. Nothing here allocates per token.

mod class;
mod code;
mod language;
mod mode;
mod parse;
mod swar;
mod syntax;
mod tokeniser;
mod words;

use serde::{Deserialize, Serialize};

pub use code::Code;
pub use language::Language;
pub use parse::ParseTokensError;
pub use tokeniser::{Tokeniser, Visitor};
pub use words::Words;

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
    /// The state after the last token: lexing the text from the end of that token with this state
    /// gives the rest of the stream. (From the start of the next one too, unless a comment opens
    /// between the two.)
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
