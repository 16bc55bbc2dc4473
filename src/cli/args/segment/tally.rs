//! The arguments of `segment tally blots`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::given::path;
use crate::cli::args::part::AskedArgs;
use dupi_index::index::posting::SHARDS;

/// What the help says after the options.
pub(super) const ABOUT: &str = "\
A blot is repeated that occurs in two documents, or twice in one. Around those the tasks of `segment query passages` read the \
text, unless they read all of it.

Term-Split, for a system that sorts records: the tasks of --print count the blots of all shares of the index, which has 2^44 of them. Of each blot the counts are summed up, and it is repeated if the sum is greater than 1. The repeated ones go, sorted, to one task of --counted for each shard, which is their upper 6 bits. This verb without these options then joins the files of all shards, which takes as much memory as the new file has; a shard that has no file there is scanned.

  dupi-tui segment tally blots --index index --task 0 --tasks 8 --print             (and 1 to 7)
  dupi-tui segment tally blots --index index --shard 0 --counted --out blots        (and 1 to 63)
  dupi-tui segment tally blots --index index --out blots

Streams have batches of rows, column by column, after the number of rows; each number has 8 bytes, little-endian. The columns are the blot and its count, and to --counted the blot alone. A batch for --counted has at most 1,048,576 rows; one of no rows ends each stream.";

/// `segment tally blots`.
#[derive(Debug, Args)]
pub struct TallyBlotsArgs {
    /// The folder of the index; it is used as it is
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: PathBuf,
    /// The folder in which the file is made, outside of the corpus; its path is printed
    #[arg(long, value_name = "DIR", required_unless_present = "print", value_parser = path())]
    pub out: Option<PathBuf>,
    /// Only the blots of a shard, from 0, in a file that the same verb without this option uses
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..SHARDS as i64))]
    pub shard: Option<u8>,
    /// Read the repeated blots of the shard from standard input instead of looking for them, for Term-Split
    #[arg(long, requires = "shard")]
    pub counted: bool,
    /// Write the blots of a share of the index to standard output, with their counts, for Term-Split
    #[arg(long, requires = "task", requires = "tasks", conflicts_with_all = ["out", "shard"])]
    pub print: bool,
    /// The number of the share, from 0
    #[arg(long, value_name = "N", requires = "print")]
    pub task: Option<u32>,
    /// How many shares there are
    #[arg(long, value_name = "N", requires = "print", value_parser = clap::value_parser!(u32).range(1..=999_999))]
    pub tasks: Option<u32>,
    /// Threads that read [default: one per core]
    #[arg(short = 'j', long, value_name = "N", conflicts_with_all = ["print", "shard"],
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Of which documents.
    #[command(flatten)]
    pub asked: AskedArgs,
}
