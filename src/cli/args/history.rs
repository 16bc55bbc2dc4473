//! The arguments of `history`.

use clap::Args;

use super::alike::AlikeArgs;
use super::format::PlainFormatArgs;
use super::taboo::HomeArgs;
use dupi_base::config::Size;

/// Examples, below the help of `history`.
pub(super) const ABOUT: &str = "\
Examples:
  dupi-tui history                       the main line of HEAD, from its first commit
  dupi-tui history v1.0..v2.0            from one release to another
  dupi-tui history --commits 200 --json  more of the commits, for a program

The commits are those that first parents lead to. The numbers are those that `files` and `passages` tell of a checkout of
the commit, with the decisions, the recipe and the rules that the index of the repository has now. The working tree and
that index are not touched; the files of the commits are written to a temporary folder (TMPDIR), which is removed.";

/// `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// The commits: from BASE to TIP, or all that lead to TIP [default: HEAD]
    #[arg(value_name = "[BASE..]TIP")]
    pub range: Option<String>,
    /// At most so many commits, evenly spaced, with the first and the last one
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..))]
    pub commits: u32,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// The memory limit of each search [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and shatter [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// How to print the rows.
    #[command(flatten)]
    pub format: PlainFormatArgs,
    /// Which repository, and whose decisions.
    #[command(flatten)]
    pub home: HomeArgs,
}
