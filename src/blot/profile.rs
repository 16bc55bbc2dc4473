//! Ready-made recipes, and what a recipe promises.

use std::fmt;
use std::str::FromStr;

use super::{Blotter, Recipe, RecipeChoice, Selection};
use crate::token::{TokenMode, UnknownChoice};

/// A ready-made choice of k and selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// k = 5, w = 8: every shared run of 12 tokens is found.
    Default,
    /// k = 10, w = 16: half the index; every shared run of 25 tokens is found.
    Compact,
    /// k = 4, w = 3: for noisy text; every shared run of 6 tokens is found.
    Ocr,
    /// k = 10, every tile, words: what the program dupi does.
    Dupi,
}

impl Profile {
    /// What the profile asks for.
    pub fn choice(self) -> RecipeChoice {
        let of =
            |k, selection| RecipeChoice { k: Some(k), selection: Some(selection), ..RecipeChoice::default() };
        match self {
            Self::Default => of(5, Selection::Winnow(8)),
            Self::Compact => of(10, Selection::Winnow(16)),
            Self::Ocr => of(4, Selection::Winnow(3)),
            Self::Dupi => RecipeChoice { tokens: Some(TokenMode::Words), ..of(10, Selection::Every) },
        }
    }
}

impl RecipeChoice {
    /// This choice, and where it leaves something open, another one.
    pub fn or(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.or(other.tokens),
            comments: self.comments.or(other.comments),
            k: self.k.or(other.k),
            blotter: self.blotter.or(other.blotter),
            selection: self.selection.or(other.selection),
        }
    }

    /// A recipe with what was chosen put in its place.
    pub fn apply(self, to: Recipe) -> Recipe {
        Recipe {
            tokens: self.tokens.unwrap_or(to.tokens),
            comments: self.comments.unwrap_or(to.comments),
            k: self.k.unwrap_or(to.k),
            blotter: self.blotter.unwrap_or(to.blotter),
            selection: self.selection.unwrap_or(to.selection),
        }
    }
}

impl Recipe {
    /// How many tokens a tile spans, from its first to its last.
    pub fn tile_tokens(&self) -> u32 {
        (self.k - 1) * self.blotter.stride() + 1
    }

    /// The shortest run of tokens that two documents cannot share without sharing a blot.
    pub fn guarantee(&self) -> u32 {
        match self.selection {
            Selection::Every => self.tile_tokens(),
            Selection::Winnow(width) => self.tile_tokens() + width - 1,
        }
    }

    /// Kept tiles a token, on average, in long texts.
    pub fn density(&self) -> f64 {
        match self.selection {
            Selection::Every => 1.0,
            Selection::Winnow(width) => 2.0 / (f64::from(width) + 1.0),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::Compact => "compact",
            Self::Ocr => "ocr",
            Self::Dupi => "dupi",
        })
    }
}

impl FromStr for Profile {
    type Err = UnknownChoice;

    fn from_str(given: &str) -> Result<Self, UnknownChoice> {
        match given {
            "default" => Ok(Self::Default),
            "compact" => Ok(Self::Compact),
            "ocr" => Ok(Self::Ocr),
            "dupi" => Ok(Self::Dupi),
            _ => Err(UnknownChoice { given: given.to_owned(), choices: "default, compact, ocr, dupi" }),
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tokens, comments, k, blotter, selection } = self;
        write!(f, "tokens {tokens}, comments {comments}, k {k}, blotter {blotter}, selection {selection}")
    }
}

impl fmt::Display for Blotter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Circular => f.write_str("circular"),
            Self::Interleaved(n) => write!(f, "interleaved({n})"),
            Self::Ordered => f.write_str("ordered"),
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every => f.write_str("every"),
            Self::Winnow(width) => write!(f, "winnow({width})"),
        }
    }
}
