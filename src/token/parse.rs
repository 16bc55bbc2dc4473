//! Names of token modes and comment rules: parsing and display.

use std::fmt;
use std::str::FromStr;

use super::{Comments, TokenMode};

/// An unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not one of {allowed}")]
pub struct ParseTokensError {
    given: String,
    allowed: &'static str,
}

impl fmt::Display for TokenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Auto => "auto",
            Self::Words => "words",
            Self::Code => "code",
        })
    }
}

impl FromStr for TokenMode {
    type Err = ParseTokensError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "auto" => Ok(Self::Auto),
            "words" => Ok(Self::Words),
            "code" => Ok(Self::Code),
            _ => Err(ParseTokensError { given: name.to_owned(), allowed: "auto, words, code" }),
        }
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
        })
    }
}

impl FromStr for Comments {
    type Err = ParseTokensError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            _ => Err(ParseTokensError { given: name.to_owned(), allowed: "keep, drop" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for mode in [TokenMode::Auto, TokenMode::Words, TokenMode::Code] {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        for comments in [Comments::Keep, Comments::Drop] {
            assert_eq!(comments.to_string().parse(), Ok(comments));
        }
    }

    #[test]
    fn the_error_of_an_unknown_name_lists_the_known_ones() {
        let error = "Words".parse::<TokenMode>().expect_err("case matters");
        assert_eq!(error.to_string(), "`Words` is not one of auto, words, code");
        assert!("".parse::<Comments>().is_err());
    }
}
