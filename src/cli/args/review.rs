//! The arguments of `review`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::alike::MeasureArgs;
use super::given::path;
use super::index::FindArgs;
use super::kinds::KindList;
use super::matching::{MatchArgs, Matching};
use dupi_index::query::filter::ReviewState;

/// Examples and exit codes, below the help of `review`.
pub(super) const ABOUT: &str = "\
Examples:
  dupi-tui review                        what this branch adds since it left the main branch, uncommitted changes too
  dupi-tui review origin/main..HEAD      only what is committed
  dupi-tui review --staged               what the next commit adds; for a hook
  git diff main | dupi-tui review --patch -

What a row says: new-copy, a copy of what was there before; within-change, a text that the change adds several times;
one-more, a copy more of what was accepted; drifted, copies of which the change changed only some. Copies that were moved
are not new.

On a terminal the rows are shown on the screen, in the view review: r turns the state of a row (open, to fix, accepted,
taboo), v shows the change beside the original, b says which commits the lines come from. Elsewhere, or with --no-screen or an
option that is about the report, the report is printed.

Exit codes: 0 nothing that --fail-on names; 1 more than --max-new; 2 wrong use or failure. Of the screen: 0.";

/// `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Where the change begins: at the last common commit of HEAD and BASE, by default the main branch. It ends in the
    /// working tree, with untracked files; with `..HEAD` it ends at the last commit
    #[arg(value_name = "BASE[..HEAD]", conflicts_with_all = ["staged", "patch"])]
    pub range: Option<String>,
    /// Review what is staged for the next commit
    #[arg(long, conflicts_with = "patch")]
    pub staged: bool,
    /// Review a unified patch that is applied to the folder; `-` is standard input
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub patch: Option<PathBuf>,
    /// What makes the exit code 1 [default: new]
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
    /// Up to N rows of that are no failure [default: 0]
    #[arg(long, value_name = "N")]
    pub max_new: Option<u64>,
    /// Only new copies of a passage for which keeping one copy would save so many bits of information
    #[arg(long, value_name = "BITS")]
    pub min_worth: Option<u64>,
    /// The fewest tokens of a passage, not counting taboo text [default: 25]
    #[arg(long, visible_alias = "min-length", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub min_tokens: Option<u32>,
    /// How alike copies are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// Set these kinds aside, separated by commas, or `none` [default: as `passages` does]
    #[arg(long, value_name = "KINDS", value_parser = KindList::parse_or_none)]
    pub aside: Option<KindList>,
    /// Only rows in these states, separated by commas: open, fix (marked to be fixed on the screen), accepted, taboo
    /// [default: open,fix]
    #[arg(long = "state", value_name = "STATES", value_delimiter = ',', value_parser = states())]
    pub states: Option<Vec<ReviewState>>,
    /// Read decisions from this file too: what is accepted, and what is taboo
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub baseline: Option<PathBuf>,
    /// Write the decisions of the corpus and what is reported now to the baseline, as accepted
    #[arg(long)]
    pub update_baseline: bool,
    /// Read options from this file, such as the dupi.toml of a repository. It has base, fail-on, max-new, min-worth,
    /// min-tokens, aside, baseline and ignore-pattern
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub config: Option<PathBuf>,
    /// Say which commits the lines of the copies come from: of those that were changed, and of the first eight others of
    /// each row. This asks the program git
    #[arg(long)]
    pub blame: bool,
    /// Show the rows on the screen, also where a report is usual
    #[arg(long, conflicts_with = "no_screen")]
    pub screen: bool,
    /// Print the report, also on a terminal. It is printed too when standard output is no terminal, when CI is set, in a git
    /// hook, and with any option that is about the report
    #[arg(long)]
    pub no_screen: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

impl ReviewArgs {
    /// The first option that is about the report, if one is given.
    pub fn report_option(&self) -> Option<&'static str> {
        let is_stdin = self.patch.as_deref().is_some_and(|patch| patch.as_os_str() == "-");
        let given = [
            (self.find.format.is_given, "--format, --json, --color or --hyperlink-format"),
            (self.fail_on.is_some(), "--fail-on"),
            (self.max_new.is_some(), "--max-new"),
            (self.states.is_some(), "--state"),
            (self.baseline.is_some(), "--baseline"),
            (self.update_baseline, "--update-baseline"),
            (self.config.is_some(), "--config"),
            (self.blame, "--blame"),
            (self.matching.by != Matching::Exact, "--match"),
            (self.find.target.no_update, "--no-update"),
            (is_stdin, "--patch -"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// The states of rows by their names.
fn states() -> impl TypedValueParser<Value = ReviewState> {
    PossibleValuesParser::new(ReviewState::ALL.map(ReviewState::name))
        .map(|given| ReviewState::ALL.into_iter().find(|state| state.name() == given).unwrap_or_default())
}

/// What makes a review fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// New copies
    #[default]
    New,
    /// Copies that drifted
    Drift,
    /// Both
    Any,
    /// Nothing
    Never,
}
