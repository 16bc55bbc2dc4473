//! Fingerprinting: tokens become tiles, tiles become blots, and a selection of the tiles is kept.
//!
//! [`shatter()`] gives the kept tiles of a document, [`shatter_parts`] those of a long document by parts,
//! [`every_tile`] all tiles of a text or of a part. A [`Recipe`] has the parameters.

mod blotter;
mod parse;
mod part;
mod profile;
mod recipe;
mod select;
mod shatter;

use serde::{Deserialize, Serialize};

use crate::token::{Comments, IgnoredText, TokenMode};

pub use parse::{ParseBlotError, ParseRecipeError};
pub use part::Part;
pub use profile::{ParseProfileError, Profile};
pub use recipe::RecipeError;
pub use shatter::{Shattered, every_tile, kept_tiles_of, shatter, shatter_parts, tiles_of};

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
