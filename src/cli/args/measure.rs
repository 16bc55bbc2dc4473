//! What counts as a copy, and which rows are meant: options of all verbs that look for passages.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use ignore::overrides::{Override, OverrideBuilder};

use crate::cli::error::CliError;
use dupi_base::config::{Kind, ParseKindError, PassageCriteria};
use dupi_base::storage::spelled;
use dupi_index::query::filter::spelled_glob;
use dupi_ingest::Options;
use dupi_judge::search::SearchSettings;
use dupi_passage::Measure;
use dupi_text::blot::Recipe;
use dupi_text::token::{IgnoredText, PatternError, TokenMode};

/// The criteria for copies, as options of `passages` and `like`.
#[derive(Clone, Copy, Debug, Args)]
pub struct MeasureArgs {
    /// The most consecutive tokens that may differ between tokens that agree, in both copies; one alone may have up to
    /// six times as many. 0 for equal copies only [default: 8]
    #[arg(long, visible_alias = "max-gap", value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_GAP))]
    pub gap: Option<u32>,
    /// The least similarity, 0 to 1: the share of the tokens of the longer copy that agree, as shown, and of their
    /// weights, by which rare tokens count more
    /// [default: 0.6, with the profile ocr 0.4, where all names are one 0.8]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub min_overlap: Option<f32>,
    /// Measure similarity by the shorter copy instead: the one of which the larger share agrees
    #[arg(long)]
    pub one_sided: bool,
}

/// The greatest value of --min-tokens: every window of that length is hashed.
pub(crate) const MOST_TOKENS: i64 = PassageCriteria::MOST_TOKENS as i64;
/// The greatest gap: the search at each difference takes time quadratic in it.
const MOST_GAP: i64 = PassageCriteria::MOST_GAP as i64;

/// What counts as a passage, where the settings and what the screen remembers may say it too.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Passages")]
pub struct CriteriaArgs {
    /// The fewest tokens of a passage, not counting taboo text [default: 25]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: Option<u32>,
    /// The most consecutive tokens that may differ between tokens that agree; 0 for equal copies only [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_GAP))]
    pub gap: Option<u32>,
    /// The least similarity of copies, 0 to 1 [default: 0.6, with the profile ocr 0.4, where all names are one 0.8]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub min_overlap: Option<f32>,
    /// Only passages with copies in two documents or more
    #[arg(long)]
    pub across: bool,
}

impl CriteriaArgs {
    /// What was given.
    pub fn criteria(&self) -> PassageCriteria {
        let percent = |share: f32| (share * 100.0).round() as u32;
        PassageCriteria {
            min_tokens: self.min_tokens,
            gap: self.gap,
            min_overlap: self.min_overlap.map(percent),
            across: self.across.then_some(true),
        }
    }
}

/// Which passages count.
#[derive(Debug, Args)]
pub struct AlikeArgs {
    /// The fewest tokens of a passage, not counting taboo text
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike copies are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Only passages with copies in two documents or more
    #[arg(long)]
    pub across: bool,
    /// Include taboo text
    #[arg(long)]
    pub taboo: bool,
}

impl MeasureArgs {
    /// The measure for runs of at least `least` tokens in texts indexed with this recipe.
    pub fn with_least(&self, least: u32, recipe: &Recipe) -> Measure {
        let overlap = self.min_overlap.unwrap_or(Measure::usual(recipe).overlap);
        Measure { least, overlap, one_sided: self.one_sided, gap: self.gap() }
    }

    /// The same for a way of matching: where something is folded, equal runs only unless a gap is given.
    pub fn for_matching(&self, by: Matching, measure: Measure) -> Measure {
        if by == Matching::Exact {
            return measure;
        }
        let gap = self.gap.unwrap_or(0);
        // Equal runs hardly agree by chance, so less is asked of what a review compares them with.
        let usual = if gap > 0 { measure.overlap } else { Measure::default().overlap };
        Measure { gap, overlap: self.min_overlap.unwrap_or(usual), ..measure }
    }

    /// The most consecutive tokens that may differ.
    pub fn gap(&self) -> u32 {
        self.gap.unwrap_or(Measure::default().gap)
    }
}

impl AlikeArgs {
    /// The settings of a search in texts indexed with this recipe, for a way of matching.
    pub(crate) fn search(&self, recipe: &Recipe, matching: &MatchArgs, options: &Options) -> SearchSettings {
        let measure = self.measure.with_least(self.min_tokens, recipe);
        SearchSettings {
            measure: self.measure.for_matching(matching.by, measure),
            across: self.across,
            consistent: matching.is_consistent(),
            memory: options.memory,
            patterns: Arc::clone(&options.patterns),
        }
    }
}

/// A glob in the syntax of `--glob`, matched against the printable spelling of paths.
#[derive(Clone, Debug)]
pub struct PathGlob(Override);

impl PathGlob {
    pub(crate) fn parse(given: &str) -> Result<Self, String> {
        let mut patterns = OverrideBuilder::new("");
        patterns.add(&spelled_glob(given)).map_err(|error| error.to_string())?;
        patterns.build().map(Self).map_err(|error| error.to_string())
    }

    /// Whether a path relative to the corpus's base matches.
    pub fn matches(&self, path: &Path) -> bool {
        !self.0.matched(&*spelled(path), false).is_ignore()
    }
}

/// A number from 0 to 1.
pub(crate) fn share(given: &str) -> Result<f32, String> {
    let share = given.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("`{given}` is not a share; write a number from 0 to 1"))
}

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
    /// The way of matching, and what is not compared.
    pub fn matching(&self) -> Result<(Matching, IgnoredText), PatternError> {
        Ok((self.by, self.ignore.ignored()?))
    }

    /// Refuses a gap where only equal runs are found.
    pub(crate) fn refuse_gap(&self, gap: Option<u32>) -> Result<(), CliError> {
        if self.is_consistent() && gap.is_some_and(|gap| gap > 0) {
            let sentence = format!("--match {} finds equal runs only; leave out --gap, or give 0", self.by);
            return Err(CliError::Failed(sentence));
        }
        Ok(())
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

/// Patterns of text that is not compared, as an option of `passages`, `like`, `review` and the screen.
#[derive(Clone, Debug, Default, Args)]
pub struct IgnoreArgs {
    /// Read text that matches this regular expression as white space: it neither divides a copy nor counts to its length. ^
    /// and $ are the bounds of a line. May be given several times. Each set of patterns has an index of its own beside the
    /// first, which is built when it is asked for first
    #[arg(long = "ignore-pattern", value_name = "REGEX", allow_hyphen_values = true, value_parser = pattern)]
    patterns: Vec<String>,
}

impl IgnoreArgs {
    /// Whether no pattern is given.
    pub fn is_none(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The patterns as they are given.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// The text that is not read.
    pub fn ignored(&self) -> Result<IgnoredText, PatternError> {
        IgnoredText::new(&self.patterns)
    }
}

fn pattern(given: &str) -> Result<String, PatternError> {
    IgnoredText::check(given).map(|()| given.to_owned())
}

/// The word for an empty list.
const NONE: &str = "none";

/// Kinds of passages, separated by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindList(pub Vec<Kind>);

impl KindList {
    /// The kinds with some names.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, ParseKindError> {
        names.into_iter().map(|name| name.trim().to_lowercase().parse()).collect::<Result<_, _>>().map(Self)
    }

    /// Reads a list of one kind or more.
    pub(crate) fn parse(given: &str) -> Result<Self, ParseKindError> {
        Self::named(given.split(','))
    }

    /// Reads a list of kinds, or `none`.
    pub(crate) fn parse_or_none(given: &str) -> Result<Self, String> {
        if given.trim().eq_ignore_ascii_case(NONE) {
            return Ok(Self(Vec::new()));
        }
        Self::parse(given).map_err(|error| format!("{error}; {NONE} stands alone"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_kinds_or_none() {
        let list = |kinds: &[Kind]| Ok(KindList(kinds.to_vec()));
        assert_eq!(KindList::parse("data, Code"), list(&[Kind::Data, Kind::Code]));
        assert!(KindList::parse("none").is_err() && KindList::parse("").is_err());
        assert_eq!(KindList::parse_or_none("none"), Ok(KindList(Vec::new())));
        assert_eq!(KindList::parse_or_none("test"), Ok(KindList(vec![Kind::Test])));
        let said = KindList::parse_or_none("none,data").unwrap_err();
        assert!(said.contains("the kinds are code, prose") && said.ends_with("none stands alone"), "{said}");
    }
}
