//! The valid ranges of a recipe, and the properties that follow from it.

use std::fmt;
use std::str::FromStr;

use super::{Blotter, ParseRecipeError, Recipe, RecipeChoice, Selection};
use crate::token::{TokenMode, listed};

/// The maximal number of tokens of a tile.
pub(super) const MAX_K: u32 = 64;
/// The maximal number of interleaved streams.
pub(super) const MAX_STREAMS: u32 = 16;
/// The maximal number of tiles of a window.
pub(super) const MAX_WINDOW: u32 = 256;

/// A number in a recipe that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// k.
    #[error("k is {0}, but a tile has 1 to {MAX_K} tokens")]
    K(u32),
    /// The n of `interleaved(n)`.
    #[error("interleaved({0}) is out of range: n is 1 to {MAX_STREAMS}")]
    Streams(u32),
    /// The w of `winnow(w)`.
    #[error("winnow({0}) is out of range: w is 1 to {MAX_WINDOW}")]
    Window(u32),
}

impl Recipe {
    /// Checks that every number is in its range; the rest of the room relies on it.
    pub fn validate(&self) -> Result<(), RecipeError> {
        if !(1..=MAX_K).contains(&self.k) {
            return Err(RecipeError::K(self.k));
        }
        match (self.blotter, self.selection) {
            (Blotter::Interleaved(n), _) if !(1..=MAX_STREAMS).contains(&n) => Err(RecipeError::Streams(n)),
            (_, Selection::Winnow(w)) if !(1..=MAX_WINDOW).contains(&w) => Err(RecipeError::Window(w)),
            _ => Ok(()),
        }
    }

    /// How many consecutive tokens a tile spans.
    pub fn tile_tokens(&self) -> u32 {
        let streams = match self.blotter {
            Blotter::Interleaved(n) => n,
            Blotter::Circular | Blotter::Ordered => 1,
        };
        self.k.saturating_sub(1) * streams + 1
    }

    /// The average number of kept tiles per token in long texts.
    pub fn density(&self) -> f64 {
        match self.selection {
            Selection::Every => 1.0,
            Selection::Winnow(width) => 2.0 / (f64::from(width) + 1.0),
        }
    }

    /// The length in tokens from which a run shared by two documents always has a kept blot in both.
    pub fn guarantee(&self) -> u32 {
        let window = match self.selection {
            Selection::Every => 1,
            Selection::Winnow(w) => w,
        };
        self.tile_tokens() + window.saturating_sub(1)
    }
}

impl From<Recipe> for RecipeChoice {
    /// The choice of all parameters.
    fn from(of: Recipe) -> Self {
        Self {
            tokens: Some(of.tokens),
            comments: Some(of.comments),
            k: Some(of.k),
            blotter: Some(of.blotter),
            selection: Some(of.selection),
            ignored: Some(of.ignored),
        }
    }
}

impl RecipeChoice {
    /// This choice, completed by `other`.
    pub fn or(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.or(other.tokens),
            comments: self.comments.or(other.comments),
            k: self.k.or(other.k),
            blotter: self.blotter.or(other.blotter),
            selection: self.selection.or(other.selection),
            ignored: self.ignored.or(other.ignored),
        }
    }

    /// The recipe `to` with the chosen parameters replaced.
    pub fn apply(self, to: Recipe) -> Recipe {
        Recipe {
            tokens: self.tokens.unwrap_or(to.tokens),
            comments: self.comments.unwrap_or(to.comments),
            k: self.k.unwrap_or(to.k),
            blotter: self.blotter.unwrap_or(to.blotter),
            selection: self.selection.unwrap_or(to.selection),
            ignored: self.ignored.unwrap_or(to.ignored),
        }
    }
}

// Profiles: named recipes for kinds of text.

/// A named recipe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Finds every shared run of 12 tokens.
    #[default]
    Default,
    /// Finds every shared run of 25 tokens, with a smaller index.
    Compact,
    /// Finds every shared run of 6 tokens: for noisy text, where longer runs are rarely intact.
    Ocr,
    /// Keeps every tile of 10 words, as the program dupi did.
    Dupi,
}

impl Profile {
    /// All, with their names, the tokens of a tile, and which tiles are kept.
    const ALL: [(Self, &str, u32, Selection); 4] = [
        (Self::Default, "default", 5, Selection::Winnow(8)),
        (Self::Compact, "compact", 10, Selection::Winnow(16)),
        (Self::Ocr, "ocr", 4, Selection::Winnow(3)),
        (Self::Dupi, "dupi", 10, Selection::Every),
    ];

    /// The names of all profiles with their numbers, in one line.
    pub fn help() -> String {
        listed(Self::ALL.map(|(_, name, k, selection)| match selection {
            Selection::Winnow(window) => format!("{name} (k {k}, window {window})"),
            Selection::Every => format!("{name} (k {k}, every tile)"),
        }))
    }

    /// The recipe parameters of the profile.
    pub fn choice(self) -> RecipeChoice {
        let (.., k, selection) = self.row();
        RecipeChoice {
            tokens: Some(if self == Self::Dupi { TokenMode::Words } else { TokenMode::Auto }),
            comments: None,
            k: Some(k),
            blotter: Some(Blotter::Ordered),
            selection: Some(selection),
            ignored: None,
        }
    }

    fn row(self) -> (Self, &'static str, u32, Selection) {
        Self::ALL[self as usize]
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.row().1)
    }
}

impl FromStr for Profile {
    type Err = ParseRecipeError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|(_, known, ..)| *known == name);
        let unknown = || ParseRecipeError {
            given: name.to_owned(),
            what: "profile",
            allowed: "default, compact, ocr or dupi",
        };
        known.map(|(profile, ..)| profile).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blot::Recipe;
    use crate::token::TokenMode;

    fn recipe(k: u32, blotter: Blotter, selection: Selection) -> Recipe {
        Recipe { k, blotter, selection, ..Recipe::default() }
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let check = |k, blotter, selection| recipe(k, blotter, selection).validate();
        assert_eq!(Recipe::default().validate(), Ok(()));
        assert_eq!(check(64, Blotter::Interleaved(16), Selection::Winnow(256)), Ok(()));
        for k in [0, 65] {
            assert_eq!(check(k, Blotter::Ordered, Selection::Every), Err(RecipeError::K(k)));
        }
        for n in [0, 17] {
            assert_eq!(check(5, Blotter::Interleaved(n), Selection::Every), Err(RecipeError::Streams(n)));
        }
        for w in [0, 257] {
            assert_eq!(check(5, Blotter::Interleaved(2), Selection::Winnow(w)), Err(RecipeError::Window(w)));
        }
    }

    #[test]
    fn guarantees_are_those_of_the_design() {
        assert_eq!(Recipe::default().guarantee(), 12);
        assert_eq!(recipe(10, Blotter::Ordered, Selection::Winnow(16)).guarantee(), 25);
        assert_eq!(recipe(10, Blotter::Ordered, Selection::Every).guarantee(), 10);
        let interleaved = recipe(5, Blotter::Interleaved(3), Selection::Winnow(4));
        assert_eq!((interleaved.tile_tokens(), interleaved.guarantee()), (13, 16));
    }

    #[test]
    fn the_nearer_choice_wins() {
        let flags = RecipeChoice { k: Some(7), ..RecipeChoice::default() };
        let profile = RecipeChoice { k: Some(10), tokens: Some(TokenMode::Words), ..RecipeChoice::default() };
        let chosen = flags.or(profile).apply(Recipe::default());
        assert_eq!(chosen, Recipe { k: 7, tokens: TokenMode::Words, ..Recipe::default() });
    }

    #[test]
    fn profiles_are_read_as_they_are_written_and_make_valid_recipes() {
        for (profile, ..) in Profile::ALL {
            assert_eq!(profile.to_string().parse(), Ok(profile));
            let recipe = profile.choice().apply(Recipe::default());
            assert_eq!(recipe.validate(), Ok(()), "{profile}");
        }
        assert!("Default".parse::<Profile>().is_err());
    }

    #[test]
    fn help_and_errors_name_every_profile() {
        let error = "large".parse::<Profile>().unwrap_err().to_string();
        for (profile, name, ..) in Profile::ALL {
            assert!(Profile::help().contains(&format!("{profile} (k ")), "{profile}");
            assert!(error.contains(name), "{profile}");
        }
        assert!(Profile::help().starts_with("default (k 5, window 8), compact (k 10, window 16), "));
        assert!(Profile::help().ends_with(" or dupi (k 10, every tile)"));
    }

    #[test]
    fn the_default_profile_is_the_default_recipe() {
        let recipe = Profile::default().choice().apply(Recipe::default());
        assert_eq!(recipe, Recipe::default());
        let ocr = Profile::Ocr.choice().apply(Recipe::default());
        assert_eq!(ocr.guarantee(), 6);
    }
}
