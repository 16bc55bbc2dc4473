//! Tokenisers: a text becomes tokens, normalised units with their byte spans.
//!
//! [`Words`] reads prose, [`Code`] source code, [`Embedded`] documents of several languages. A [`Tokeniser`] says which of
//! them reads a document, and [`Language`] recognises source code. Nothing here allocates per token.

mod class;
mod code;
mod distinct;
mod embedded;
mod folded_name;
mod folding;
mod ignored;
mod language;
mod marks;
mod mode;
mod swar;
mod syntax;
mod tokeniser;
mod words;

use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

pub use code::Code;
pub use embedded::Embedded;
pub use folded_name::folded_name;
pub use folding::Folding;
pub use ignored::{IgnoredText, PatternError};
pub use language::Language;
pub use marks::{Mark, MarkKind, marks};
pub use mode::LexState;
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

// The fingerprint of a run of tokens. It identifies passages, the units that they consist of, and the texts of decisions.

/// The 128-bit XXH3 hash of some tokens. A collision is so unlikely that it is not checked for.
pub fn fingerprint(tokens: &[u64]) -> u128 {
    const AT_ONCE: usize = 64;
    let mut hasher = Xxh3::new();
    let mut bytes = [0; AT_ONCE * 8];
    for some in tokens.chunks(AT_ONCE) {
        for (bytes, token) in bytes.chunks_exact_mut(8).zip(some) {
            bytes.copy_from_slice(&token.to_le_bytes());
        }
        hasher.update(&bytes[..some.len() * 8]);
    }
    hasher.digest128()
}

// Names in lists for people, and those of the comment rules: parsing and display.

/// An unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not {allowed}")]
pub struct ParseTokensError {
    given: String,
    allowed: &'static str,
}

/// Reads a name as serde does.
fn by_name<T: DeserializeOwned>(name: &str, allowed: &'static str) -> Result<T, ParseTokensError> {
    let named = T::deserialize(name.into_deserializer());
    named.map_err(|_: serde::de::value::Error| ParseTokensError { given: name.to_owned(), allowed })
}

/// Names in a sentence: `a`, `a or b`, `a, b or c`.
pub fn listed<S: AsRef<str>>(names: impl AsRef<[S]>) -> String {
    let names: Vec<&str> = names.as_ref().iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Comments {
    type Err = ParseTokensError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        by_name(name, "keep or drop")
    }
}

// What embeds other languages in a document.

/// What embeds other languages in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmbeddedBy {
    /// The tags `<script>` and `<style>`.
    Tags,
    /// Fences with an info word: three or more backquotes or tildes.
    Fences,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for comments in [Comments::Keep, Comments::Drop] {
            assert_eq!(comments.to_string().parse(), Ok(comments));
        }
    }

    #[test]
    fn the_error_of_an_unknown_name_lists_the_known_ones() {
        let error = "Keep".parse::<Comments>().expect_err("case matters");
        assert_eq!(error.to_string(), "`Keep` is not keep or drop");
        assert!("".parse::<Comments>().is_err());
    }

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(
            [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])],
            ["a", "a or b", "a, b or c"]
        );
        assert_eq!(listed::<&str>([]), "");
    }
}
