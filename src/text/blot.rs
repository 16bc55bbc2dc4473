//! Fingerprinting: tokens become tiles, tiles become blots, and a selection of the tiles is kept.
//!
//! [`shatter()`] gives the kept tiles of a document, [`shatter_parts`] those of a long document by parts,
//! [`every_tile`] all tiles of a text or of a part. A [`Recipe`] has the parameters.

mod blotter;
mod recipe;
mod select;
mod shatter;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::token::{Comments, IgnoredText, TokenMode};

pub use recipe::{Profile, RecipeError};
pub use shatter::{Part, every_tile, kept_tiles_of, shatter, shatter_parts, tiles_of};

/// How many bits of a tile's fingerprint the index keeps. Among 20 million distinct tiles about a dozen pairs
/// collide by chance; every collision is detected when the text is read.
pub const BLOT_BITS: u32 = 44;

/// The fingerprint of a tile, below 2^[`BLOT_BITS`]. Written as eleven hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Blot(u64);

impl Blot {
    /// Keeps the upper bits of a 64-bit fingerprint.
    pub fn from_hash(hash: u64) -> Self {
        Self(hash >> (u64::BITS - BLOT_BITS))
    }

    /// A blot from a number of [`Blot::get`]; `None` if it has too many bits.
    pub fn new(value: u64) -> Option<Self> {
        (value >> BLOT_BITS == 0).then_some(Self(value))
    }

    /// The number, below 2^[`BLOT_BITS`].
    pub fn get(self) -> u64 {
        self.0
    }
}

/// k consecutive tokens of one document (with `interleaved(n)`, k of every n-th), fingerprinted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its fingerprint.
    pub blot: Blot,
    /// The number of its first token, counted from the start of lexing.
    pub first: u32,
    /// The first byte of its first token in the document's text.
    pub start: u32,
    /// The end of its last token in the document's text (exclusive).
    pub end: u32,
}

/// How the token hashes of a tile are combined to one fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blotter {
    /// XOR of the k hashes: independent of order, and equal tokens cancel each other.
    Circular,
    /// n circular streams: a tile is k of every n-th token and spans (k − 1)·n + 1.
    Interleaved(u32),
    /// Cyclic polynomial: rotate, then XOR.
    #[default]
    Ordered,
}

/// Which tiles are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Selection {
    /// All.
    Every,
    /// The smallest of each w consecutive tiles, by a separate hash (robust winnowing).
    Winnow(u32),
}

/// The parameters that determine a document's blots. The blots of two indexes are comparable only if their recipes
/// are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// How documents become tokens.
    pub tokens: TokenMode,
    /// How comments in source code are treated.
    pub comments: Comments,
    /// Tokens per tile.
    pub k: u32,
    /// How a tile is fingerprinted.
    pub blotter: Blotter,
    /// Which tiles are kept.
    pub selection: Selection,
    /// What of the text is not read. Recipes of older programs do not say it.
    #[serde(default, skip_serializing_if = "IgnoredText::is_none")]
    pub ignored: IgnoredText,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            tokens: TokenMode::Auto,
            comments: Comments::Keep,
            k: 5,
            blotter: Blotter::Ordered,
            selection: Selection::Winnow(8),
            ignored: IgnoredText::default(),
        }
    }
}

/// The requested parameters of a [`Recipe`]; the others are those of the index, or the defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecipeChoice {
    /// How documents become tokens.
    pub tokens: Option<TokenMode>,
    /// How comments in source code are treated.
    pub comments: Option<Comments>,
    /// Tokens per tile.
    pub k: Option<u32>,
    /// How a tile is fingerprinted.
    pub blotter: Option<Blotter>,
    /// Which tiles are kept.
    pub selection: Option<Selection>,
    /// What of the text is not read.
    pub ignored: Option<IgnoredText>,
}

// Parsing and display of blots, blotters and selections: `0a1b2c3d4e5`, `interleaved(2)`, `winnow(8)`.

/// Hexadecimal digits of a blot.
const DIGITS: usize = BLOT_BITS as usize / 4;

/// A text that is not a blot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBlotError {
    /// The text is empty.
    #[error("the blot is empty: write 1 to {DIGITS} hexadecimal digits")]
    Empty,
    /// It has more digits than a blot.
    #[error("`{0}` is too long for a blot, which has at most {DIGITS} hexadecimal digits")]
    TooLong(String),
    /// A character is not a hexadecimal digit.
    #[error("`{given}` is not a blot: {found:?} is not a hexadecimal digit")]
    NotADigit {
        /// What was given.
        given: String,
        /// Its first invalid character.
        found: char,
    },
}

impl fmt::Display for Blot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0DIGITS$x}", self.0)
    }
}

impl FromStr for Blot {
    type Err = ParseBlotError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Err(ParseBlotError::Empty);
        }
        let mut value = 0;
        for found in text.chars() {
            let digit = found
                .to_digit(16)
                .ok_or_else(|| ParseBlotError::NotADigit { given: text.to_owned(), found })?;
            value = value << 4 | u64::from(digit);
        }
        if text.len() > DIGITS {
            return Err(ParseBlotError::TooLong(text.to_owned()));
        }
        Ok(Self(value))
    }
}

impl TryFrom<String> for Blot {
    type Error = ParseBlotError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Blot> for String {
    fn from(blot: Blot) -> Self {
        blot.to_string()
    }
}

/// A text that is not a blotter or selection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a {what}: write {allowed}")]
pub struct ParseRecipeError {
    given: String,
    what: &'static str,
    allowed: &'static str,
}

/// The number in `name(number)` or `name:number`.
fn argument(text: &str, name: &str) -> Option<u32> {
    let rest = text.strip_prefix(name)?;
    let number = match rest.strip_prefix(':') {
        Some(number) => number,
        None => rest.strip_prefix('(')?.strip_suffix(')')?,
    };
    number.parse().ok()
}

impl fmt::Display for Blotter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Circular => f.pad("circular"),
            Self::Interleaved(n) => f.pad(&format!("interleaved({n})")),
            Self::Ordered => f.pad("ordered"),
        }
    }
}

impl FromStr for Blotter {
    type Err = ParseRecipeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "circular" => Ok(Self::Circular),
            "ordered" => Ok(Self::Ordered),
            _ => argument(text, "interleaved").map(Self::Interleaved).ok_or_else(|| ParseRecipeError {
                given: text.to_owned(),
                what: "blotter",
                allowed: "ordered, circular or interleaved(n)",
            }),
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every => f.pad("every"),
            Self::Winnow(w) => f.pad(&format!("winnow({w})")),
        }
    }
}

impl FromStr for Selection {
    type Err = ParseRecipeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "every" => Ok(Self::Every),
            _ => argument(text, "winnow").map(Self::Winnow).ok_or_else(|| ParseRecipeError {
                given: text.to_owned(),
                what: "selection",
                allowed: "every or winnow(w)",
            }),
        }
    }
}

/// One line for people.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tokens, comments, k, blotter, selection, ignored } = self;
        write!(f, "tokens {tokens}, comments {comments}, k {k}, blotter {blotter}, selection {selection}")?;
        ignored.patterns().iter().try_for_each(|pattern| write!(f, ", without `{}`", pattern.escape_debug()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blots_are_read_as_they_are_written() {
        for value in [0, 1, 0xabc, (1 << BLOT_BITS) - 1] {
            let blot = Blot::new(value).expect("few enough bits");
            assert_eq!(blot.to_string().len(), DIGITS);
            assert_eq!(blot.to_string().parse(), Ok(blot));
        }
        assert_eq!("00ABC".parse(), Ok(Blot(0xabc)));
    }

    #[test]
    fn invalid_blots_are_explained() {
        let error = |text: &str| text.parse::<Blot>().expect_err(text);
        assert_eq!(error(""), ParseBlotError::Empty);
        assert!(matches!(error("0123456789ab"), ParseBlotError::TooLong(_)));
        assert_eq!(error("12 ").to_string(), "`12 ` is not a blot: ' ' is not a hexadecimal digit");
        assert!(matches!(error("+1"), ParseBlotError::NotADigit { found: '+', .. }));
        assert!(matches!(error("é"), ParseBlotError::NotADigit { found: 'é', .. }));
    }

    #[test]
    fn blotters_and_selections_are_read_as_they_are_written() {
        for blotter in [Blotter::Circular, Blotter::Interleaved(3), Blotter::Ordered] {
            assert_eq!(blotter.to_string().parse(), Ok(blotter));
        }
        for selection in [Selection::Every, Selection::Winnow(16)] {
            assert_eq!(selection.to_string().parse(), Ok(selection));
        }
        assert_eq!("interleaved:2".parse(), Ok(Blotter::Interleaved(2)));
        assert_eq!("winnow:4".parse(), Ok(Selection::Winnow(4)));
        for wrong in ["interleaved", "interleaved(", "interleaved(x)", "winnow(-1)", ""] {
            assert!(wrong.parse::<Blotter>().is_err() && wrong.parse::<Selection>().is_err());
        }
        assert_eq!(
            "all".parse::<Selection>().expect_err("no selection").to_string(),
            "`all` is not a selection: write every or winnow(w)"
        );
    }

    #[test]
    fn a_recipe_is_one_line() {
        assert_eq!(
            Recipe::default().to_string(),
            "tokens auto, comments keep, k 5, blotter ordered, selection winnow(8)"
        );
    }
}
