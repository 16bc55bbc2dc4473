//! The arguments of `passages` and `like`, and those that define copies.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ignore::overrides::{Override, OverrideBuilder};

use super::copies::CopyLimit;
use super::files::OnlyArgs;
use super::given::path;
use super::index::FindArgs;
use super::kinds::KindList;
use super::matching::{MatchArgs, Matching};
use dupi_base::config::PassageCriteria;
use dupi_base::storage::spelled;
use dupi_index::query::filter::spelled_glob;
use dupi_judge::PassageOrder;
use dupi_passage::Measure;
use dupi_text::blot::Recipe;

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
pub(super) const MOST_TOKENS: i64 = PassageCriteria::MOST_TOKENS as i64;
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

/// What marks in a source file do, below the help of `passages`.
pub(super) const ABOUT: &str = "\
In a comment, dupi:ignore-start suppresses what follows up to dupi:ignore-end or the end of the file, and dupi:ignore its line,
or the next one when only comments stand in its own. A copy with fewer than --min-tokens tokens outside of what is suppressed
is none. What is suppressed is counted, and listed by `taboo report`.";

/// `passages`.
#[derive(Debug, Args)]
pub struct PassagesArgs {
    /// The corpus, as with --corpus
    #[arg(value_name = "PATH", conflicts_with = "corpus", value_parser = path())]
    pub place: Option<PathBuf>,
    /// Which passages.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// The order of the rows: worth (bits of information saved if only one copy were kept), copies, tokens, score
    /// (tokens saved if only one copy were kept), lines (whole lines that could then be deleted), documents, spread
    /// (number of folders), path (of the representative copy) or recent (last changed first)
    #[arg(long, value_name = "BY", default_value = "worth", value_parser = order())]
    pub sort: PassageOrder,
    /// In the reverse of that order
    #[arg(long)]
    pub reverse: bool,
    /// Only the first N
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only passages with at least N copies
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_copies: usize,
    /// List at most N copies of each passage, or all [default: 5 in text on a terminal, else all]
    #[arg(long, value_name = "N|all", value_parser = CopyLimit::parse)]
    pub copies: Option<CopyLimit>,
    /// Only passages with a copy in a file whose path matches this pattern, such as `src/**`
    #[arg(long, value_name = "GLOB", value_parser = PathGlob::parse)]
    pub path: Option<PathGlob>,
    /// Only passages that pass a filter, such as `ext:c copies:>5 -path:vendor`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Only passages of these kinds: code, prose, comment, licence, imports, data, generated, markup, test
    #[arg(long, value_name = "KIND,…", value_parser = KindList::parse)]
    pub kind: Option<KindList>,
    /// Leave out passages of these kinds, or of none, unless --kind or --filter asks for them or nothing else is found
    /// [default: what `kind aside` and `kind show` say, the setting `aside`, or licence,imports,data,generated,markup]
    #[arg(long, value_name = "KIND,…|none", value_parser = KindList::parse_or_none)]
    pub aside: Option<KindList>,
    /// List all passages of a family: those that lie within, over or beside each other, of which only the one with the
    /// highest worth is listed otherwise
    #[arg(long)]
    pub members: bool,
    /// Show this many words before and after each copy
    #[arg(long, value_name = "WORDS")]
    pub context: Option<usize>,
    /// Show how each copy differs from the representative
    #[arg(long)]
    pub edits: bool,
    /// Compare the copies with the one in this document or folder: given by its path in the corpus, instead of with the
    /// representative
    #[arg(long, value_name = "PATH", value_parser = path())]
    pub base: Option<PathBuf>,
    /// Search only around what has changed since the last search, in a large corpus: what changes touch is listed, but worth is
    /// estimated, and copies with differences may be missing until all documents are searched again
    #[arg(long)]
    pub amended: bool,
    /// Search the blocks in this folder, which `segment query passages` made, instead of the documents; the index is used as
    /// it is
    #[arg(long, value_name = "DIR", conflicts_with_all = ["amended", "rebuild"], value_parser = path())]
    pub reduce: Option<PathBuf>,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `like`.
#[derive(Debug, Args)]
pub struct LikeArgs {
    /// The file; `-` is standard input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Only the best N
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// The fewest tokens of a shared run
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 12,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike the runs are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
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

/// A glob in the syntax of `--glob`, matched against the printable spelling of paths.
#[derive(Clone, Debug)]
pub struct PathGlob(Override);

impl PathGlob {
    pub(super) fn parse(given: &str) -> Result<Self, String> {
        let mut patterns = OverrideBuilder::new("");
        patterns.add(&spelled_glob(given)).map_err(|error| error.to_string())?;
        patterns.build().map(Self).map_err(|error| error.to_string())
    }

    /// Whether a path relative to the corpus's base matches.
    pub fn matches(&self, path: &Path) -> bool {
        !self.0.matched(&*spelled(path), false).is_ignore()
    }
}

/// The orders of passages, with their names and descriptions.
const ORDERS: [(&str, PassageOrder, &str); 9] = [
    ("worth", PassageOrder::Worth, "The bits of information saved if only one copy were kept"),
    ("copies", PassageOrder::Copies, "The number of copies"),
    ("tokens", PassageOrder::Tokens, "The length in tokens"),
    ("score", PassageOrder::Score, "The number of tokens saved if only one copy were kept"),
    (
        "lines",
        PassageOrder::Lines,
        "The number of whole lines that could be deleted if only one copy were kept",
    ),
    ("documents", PassageOrder::Documents, "The number of documents with a copy"),
    ("spread", PassageOrder::Spread, "The number of folders with a copy"),
    ("path", PassageOrder::Path, "The path of the representative copy, ascending"),
    ("recent", PassageOrder::Recent, "The last change of a document with a copy, the newest first"),
];

/// The parser of `--sort`.
fn order() -> impl TypedValueParser<Value = PassageOrder> {
    let names =
        PossibleValuesParser::new(ORDERS.map(|(name, _, about)| PossibleValue::new(name).help(about)));
    names.map(|given| ORDERS.iter().find(|(name, ..)| *name == given).map(|of| of.1).unwrap_or_default())
}

/// A number from 0 to 1.
pub(super) fn share(given: &str) -> Result<f32, String> {
    let share = given.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("`{given}` is not a share; write a number from 0 to 1"))
}
