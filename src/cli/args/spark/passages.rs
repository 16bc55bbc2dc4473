//! The arguments of `spark passages`.

use std::path::PathBuf;

use clap::Args;

use super::submit::SparkArgs;
use crate::cli::args::alike::PassagesArgs;
use crate::cli::args::given::path;

/// What the help says after the options.
pub(super) const ABOUT: &str = "\
The index is brought up to date as `passages` does. Each task gathers the text of a block of documents in which passages can \
occur; this program searches it, within --memory, and prints what `passages` prints. The executors must see the index, the \
documents and the folder of --work at the same paths as this machine, and run as the same user. All tasks read the generation of \
the index that the job was planned for: the job fails if another program, such as an open screen, finds changed documents and \
updates the index before the last task is done.";

/// `spark passages`.
#[derive(Debug, Args)]
pub struct SparkPassagesArgs {
    /// What `passages` takes.
    #[command(flatten)]
    pub passages: PassagesArgs,
    /// How Spark is used.
    #[command(flatten)]
    pub spark: SparkArgs,
    /// How many tasks [default: one for each 64 MiB]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999_999), help_heading = "Spark")]
    pub tasks: Option<u32>,
    /// A folder for the blocks, which are removed at the end [default: beside the index]
    #[arg(long, value_name = "DIR", value_parser = path(), help_heading = "Spark")]
    pub work: Option<PathBuf>,
}
