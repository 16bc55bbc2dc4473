//! The arguments of `segment query passages`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::alike::{MOST_TOKENS, MeasureArgs};
use crate::cli::args::given::path;
use crate::cli::args::part::{AskedArgs, PartArgs};

/// What the help says after the options.
pub(super) const ABOUT: &str = "\
A block is a file with what a search for passages needs of some documents. Their files are divided into blocks in the order of \
their paths. When all blocks are made, anywhere, `dupi-tui passages --reduce DIR` with the same options prints what `dupi-tui \
passages` prints. All must see the index and the documents at the same paths.

  dupi-tui segment tally blots --index index --out blots     (prints the path of FILE)
  dupi-tui segment query passages --index index --task 0 --blocks 8 --repeated FILE --out blocks     (and 1 to 7)
  dupi-tui passages --index index --reduce blocks";

/// `segment query passages`.
#[derive(Debug, Args)]
pub struct QueryPassagesArgs {
    /// Where it has its files.
    #[command(flatten)]
    pub part: PartArgs,
    /// The number of the task, from 0: it gathers the block of this number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..999_999))]
    pub task: u32,
    /// How many blocks there are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999_999))]
    pub blocks: u32,
    /// The file of repeated blots that `segment tally blots` made with the same options, instead of looking for them in the whole
    /// index, as each task does without it. It is only checked where all text is read: of a corpus up to 256 MiB, unless --gap 0
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub repeated: Option<PathBuf>,
    /// The fewest tokens of a passage, not counting taboo text
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike copies are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Of which documents.
    #[command(flatten)]
    pub asked: AskedArgs,
}
