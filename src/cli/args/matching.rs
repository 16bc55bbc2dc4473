//! How source code is compared.

use std::fmt;

use clap::{Args, ValueEnum};

use super::ignore::IgnoreArgs;
use dupi_text::token::TokenMode;

/// How source code is compared, as an option of `passages`, `like` and `review`.
#[derive(Clone, Debug, Default, Args)]
pub struct MatchArgs {
    /// How source code is compared. Other ways than exact have an index of their own beside the first, which is built when it
    /// is asked for first. They find equal runs only unless --gap is given, and consistent always does. Where fewer than 10
    /// of 25 tokens differ, as in tables of numbers, they compare as exact does. With --comments drop comments make no
    /// difference
    #[arg(long = "match", value_name = "HOW", value_enum, default_value_t)]
    pub by: Matching,
    /// What is not compared.
    #[command(flatten)]
    pub ignore: IgnoreArgs,
}

impl MatchArgs {
    /// Whether differences are asked for that this way of matching does not allow.
    pub fn contradicts(&self, gap: Option<u32>) -> bool {
        self.is_consistent() && gap.is_some_and(|gap| gap > 0)
    }

    /// Whether names must differ consistently.
    pub fn is_consistent(&self) -> bool {
        self.by == Matching::Consistent
    }
}

/// How source code is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Matching {
    /// By its lexemes as they are
    #[default]
    Exact,
    /// Names may differ
    Renamed,
    /// Names may differ, each in the one always for the same in the other
    Consistent,
    /// Numbers, characters and strings may differ
    Literals,
    /// Names and literals may differ
    Loose,
}

impl Matching {
    /// The token mode of the index; `None` for that of the corpus.
    pub fn tokens(self) -> Option<TokenMode> {
        match self {
            Self::Exact => None,
            Self::Renamed | Self::Consistent => Some(TokenMode::Renamed),
            Self::Literals => Some(TokenMode::Literals),
            Self::Loose => Some(TokenMode::Loose),
        }
    }

    /// What all names or literals are in the index, in words.
    pub fn folds(self) -> &'static str {
        match self {
            Self::Exact => "nothing is folded",
            Self::Renamed | Self::Consistent => "all names are one",
            Self::Literals => "all literals are one",
            Self::Loose => "all names are one, and all literals",
        }
    }
}

impl fmt::Display for Matching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.pad(value.as_ref().map_or("", |value| value.get_name()))
    }
}
