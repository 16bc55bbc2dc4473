//! Text → tokens: normalised units with their byte spans.

use serde::{Deserialize, Serialize};

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
    /// The state before the next token: lexing the text from the end of the last token (or from the
    /// start of the next one) with this state gives the rest of the stream.
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
