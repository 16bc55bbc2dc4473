//! The arguments of the verbs that tell what copies are.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ignore::overrides::{Override, OverrideBuilder};

use super::given::path;
use super::index::FindArgs;
use crate::blot::Recipe;
use crate::passage::{Measure, Order};
use crate::query::filter::for_spelling;
use crate::storage::spelled;

/// How alike copies are, as `passages` and `like` take it.
#[derive(Debug, Args)]
pub struct NearArgs {
    /// How many tokens that differ may stand between tokens that agree; 0: copies are equal
    #[arg(long, visible_alias = "max-gap", value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u32).range(..=MOST_GAP))]
    pub gap: u32,
    /// The least share of two copies that agrees, 0 to 1; rare tokens count more than frequent ones
    /// [default: 0.6, with the profile ocr 0.4]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub min_overlap: Option<f32>,
    /// Let --min-overlap be the share of the copy of which more agrees, not of both
    #[arg(long)]
    pub one_sided: bool,
}

/// The longest shortest passage: of a text that repeats itself at once, every window so long is hashed.
const MOST_TOKENS: i64 = 10_000;
/// The widest gap: what is looked for at every difference grows with its square.
const MOST_GAP: i64 = 64;

/// Which passages count.
#[derive(Debug, Args)]
pub struct AlikeArgs {
    /// The fewest tokens of a passage; what is taboo does not count
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike copies are.
    #[command(flatten)]
    pub near: NearArgs,
    /// Only passages that stand in two documents or more
    #[arg(long)]
    pub across: bool,
    /// Also what is taboo
    #[arg(long)]
    pub taboo: bool,
}

/// `passages`.
#[derive(Debug, Args)]
pub struct PassagesArgs {
    /// Which passages.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// What comes first: worth (bits of information saved if one copy were kept), copies, tokens, score (tokens saved if one copy were kept), documents, spread (over how many folders), path (of the
    /// copy that the others are compared with) or recent (what changed last)
    #[arg(long, value_name = "BY", default_value = "worth", value_parser = order())]
    pub sort: Order,
    /// Only the first so many
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only passages with at least so many copies
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_copies: usize,
    /// Only passages with a copy in a file whose path matches this pattern, such as `src/**`
    #[arg(long, value_name = "GLOB", value_parser = PathPattern::parse)]
    pub path: Option<PathPattern>,
    /// Only passages that pass a filter, such as `ext:c copies:>5 -path:vendor`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Show so many words before and after each copy
    #[arg(long, value_name = "WORDS")]
    pub context: Option<usize>,
    /// Show how each copy differs from the one that all are compared with
    #[arg(long)]
    pub edits: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `like`.
#[derive(Debug, Args)]
pub struct LikeArgs {
    /// The file; `-` is standard input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Only the best so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// The fewest tokens of a shared run
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 12,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike the runs are.
    #[command(flatten)]
    pub near: NearArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

impl NearArgs {
    /// As a measure for runs of at least `least` tokens of texts that were indexed so.
    pub fn measure(&self, least: u32, recipe: &Recipe) -> Measure {
        let overlap = self.min_overlap.unwrap_or(Measure::usual(recipe).overlap);
        Measure { least, overlap, one_sided: self.one_sided, gap: self.gap }
    }
}

/// Which paths are meant, in the syntax of `--glob`, by how they are spelled.
#[derive(Clone, Debug)]
pub struct PathPattern(Override);

impl PathPattern {
    pub(super) fn parse(given: &str) -> Result<Self, String> {
        let mut patterns = OverrideBuilder::new("");
        patterns.add(&for_spelling(given)).map_err(|error| error.to_string())?;
        patterns.build().map(Self).map_err(|error| error.to_string())
    }

    /// Whether a path relative to the corpus's base is meant.
    pub fn matches(&self, path: &Path) -> bool {
        !self.0.matched(&*spelled(path), false).is_ignore()
    }
}

/// The orders of passages: their names, and what comes first.
const ORDERS: [(&str, Order, &str); 8] = [
    ("worth", Order::Worth, "How many bits of information would be saved if one copy were kept"),
    ("copies", Order::Copies, "How many copies there are"),
    ("tokens", Order::Tokens, "How many tokens long they are"),
    ("score", Order::Score, "How many tokens would be saved if one copy were kept"),
    ("documents", Order::Documents, "In how many documents they stand"),
    ("spread", Order::Spread, "Over how many folders their copies stand"),
    ("path", Order::Path, "Where the representative stands, from a to z"),
    ("recent", Order::Recent, "When the last of their documents changed, the newest first"),
];

/// An order of passages, by its name.
fn order() -> impl TypedValueParser<Value = Order> {
    let names =
        PossibleValuesParser::new(ORDERS.map(|(name, _, about)| PossibleValue::new(name).help(about)));
    names.map(|given| ORDERS.iter().find(|(name, ..)| *name == given).map(|of| of.1).unwrap_or_default())
}

/// A number from 0 to 1.
fn share(given: &str) -> Result<f32, String> {
    let share = given.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("`{given}` is no share; write a number from 0 to 1"))
}
