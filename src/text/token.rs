//! Tokenisers: a text becomes tokens, normalised units with their byte spans.
//!
//! [`Words`] reads prose, [`Code`] source code, [`Embedded`] documents of several languages. A [`Tokeniser`] says which of
//! them reads a document, and [`Language`] recognises source code. Nothing here allocates per token.

mod class;
mod code;
mod distinct;
mod embedded;
mod embedded_by;
mod fingerprint;
mod folded_name;
mod folding;
mod ignored;
mod keywords;
mod language;
mod marks;
mod mode;
mod parse;
mod swar;
mod syntax;
mod tokeniser;
mod words;

use serde::{Deserialize, Serialize};

pub use code::Code;
pub use embedded::Embedded;
pub use fingerprint::fingerprint;
pub use folded_name::folded_name;
pub use folding::Folding;
pub use ignored::{IgnoredText, PatternError};
pub use language::Language;
pub use marks::{Mark, MarkKind, marks};
pub use mode::LexState;
pub use parse::{ParseTokensError, listed};
pub use tokeniser::{TokenMode, Tokeniser, Visitor};
pub use words::Words;

/// A normalised unit of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// xxh3-64 of the normalised text; equal tokens have equal hashes.
    pub hash: u64,
    /// First byte in the document's text.
    pub start: u32,
    /// End in the document's text (exclusive).
    pub end: u32,
}

/// The version of the tokens that the lexers give. An index of another version is built anew.
///
/// 2: strings with holes, tags and here-documents; embedded languages. 3: shifts that look like here-documents.
/// 4: here-documents that two brackets of a shell close.
pub const LEXING_VERSION: u32 = 4;

/// A stream of tokens that can be resumed.
pub trait Lexer: Iterator<Item = Token> {
    /// The state after the last token: lexing the text from the end of that token with this state
    /// gives the rest of the stream. (From the start of the next one too, unless a comment opens
    /// between the two.)
    fn state(&self) -> LexState;
}

/// How comments in source code are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comments {
    /// Their text is tokenised as words.
    #[default]
    Keep,
    /// They are skipped.
    Drop,
}
