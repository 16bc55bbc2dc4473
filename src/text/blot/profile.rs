//! Profiles: named recipes for kinds of text.

use std::fmt;
use std::str::FromStr;

use super::{Blotter, RecipeChoice, Selection};
use crate::token::{TokenMode, listed};

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

/// An unknown profile name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a profile: write {names}", names = listed(Profile::ALL.map(Profile::name)))]
pub struct ParseProfileError(String);

impl Profile {
    const ALL: [Self; 4] = [Self::Default, Self::Compact, Self::Ocr, Self::Dupi];

    /// The names of all profiles with their numbers, in one line.
    pub fn help() -> String {
        listed(Self::ALL.map(|profile| {
            let RecipeChoice { k, selection, .. } = profile.choice();
            let k = k.map_or_else(String::new, |k| format!("k {k}, "));
            match selection {
                Some(Selection::Winnow(window)) => format!("{profile} ({k}window {window})"),
                Some(Selection::Every) | None => format!("{profile} ({k}every tile)"),
            }
        }))
    }

    /// The recipe parameters of the profile.
    pub fn choice(self) -> RecipeChoice {
        let (k, selection) = match self {
            Self::Default => (5, Selection::Winnow(8)),
            Self::Compact => (10, Selection::Winnow(16)),
            Self::Ocr => (4, Selection::Winnow(3)),
            Self::Dupi => (10, Selection::Every),
        };
        RecipeChoice {
            tokens: Some(if self == Self::Dupi { TokenMode::Words } else { TokenMode::Auto }),
            comments: None,
            k: Some(k),
            blotter: Some(Blotter::Ordered),
            selection: Some(selection),
            ignored: None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Compact => "compact",
            Self::Ocr => "ocr",
            Self::Dupi => "dupi",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = ParseProfileError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut profiles = Self::ALL.into_iter();
        profiles.find(|profile| profile.name() == name).ok_or_else(|| ParseProfileError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blot::Recipe;

    #[test]
    fn profiles_are_read_as_they_are_written_and_make_valid_recipes() {
        for profile in Profile::ALL {
            assert_eq!(profile.to_string().parse(), Ok(profile));
            let recipe = profile.choice().apply(Recipe::default());
            assert_eq!(recipe.validate(), Ok(()), "{profile}");
        }
        assert!("Default".parse::<Profile>().is_err());
    }

    #[test]
    fn help_and_errors_name_every_profile() {
        let error = "large".parse::<Profile>().unwrap_err().to_string();
        for profile in Profile::ALL {
            assert!(Profile::help().contains(&format!("{profile} (k ")), "{profile}");
            assert!(error.contains(profile.name()), "{profile}");
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
