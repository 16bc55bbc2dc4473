//! The arguments of `review`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::alike::MeasureArgs;
use super::given::path;
use super::index::FindArgs;
use super::kinds::KindList;

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

Exit codes: 0 nothing that --fail-on names; 1 more than --max-new; 2 wrong use or failure.";

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
    /// Set these kinds aside, separated by commas, or `none` [default: as `passages` does]
    #[arg(long, value_name = "KINDS", value_parser = KindList::parse_or_none)]
    pub aside: Option<KindList>,
    /// Read decisions from this file too: what is accepted, and what is taboo
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub baseline: Option<PathBuf>,
    /// Write the decisions of the corpus and what is reported now to the baseline, as accepted
    #[arg(long)]
    pub update_baseline: bool,
    /// Read options from this file, such as the dupi.toml of a repository. It has base, fail-on, max-new, min-worth,
    /// min-tokens, aside and baseline
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub config: Option<PathBuf>,
    /// Say which commits the lines of the copies come from: of those that were changed, and of the first eight others of
    /// each row. This asks the program git
    #[arg(long)]
    pub blame: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
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
