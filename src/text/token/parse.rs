//! Names in lists for people, and those of the comment rules: parsing and display.

use std::fmt;
use std::str::FromStr;

use super::Comments;

/// An unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not {allowed}")]
pub struct ParseTokensError {
    /// What was given.
    pub(super) given: String,
    /// The known names.
    pub(super) allowed: String,
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
            _ => Err(ParseTokensError { given: name.to_owned(), allowed: listed(["keep", "drop"]) }),
        }
    }
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
