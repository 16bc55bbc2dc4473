//! The arguments of `segment`.

mod passages;
mod shatter;
mod tally;
mod task;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::files::IndexedArgs;
use super::given::path;
use super::index::{RecipeArgs, WalkArgs};
use super::near_part::{self, NearPartArgs, QueryNearArgs, ShatterNearArgs};
pub use passages::QueryPassagesArgs;
pub use shatter::ShatterBlotsArgs;
pub use tally::TallyBlotsArgs;
pub use task::TaskArgs;

/// What the help says after the verbs.
pub(super) const ABOUT: &str = "\
Each verb is a function from files to files, for Spark, make or ssh: `dupi-tui spark` runs them on a cluster.

  dupi-tui segment plan ~/corpus --tasks 8 --out plan
  dupi-tui segment build --plan plan --task 0 --out segments     (and 1 to 7, anywhere)
  dupi-tui segment adopt segments --plan plan --index index
  dupi-tui --index index ~/corpus

A segment lies in a folder of its own. It is written under a temporary name and then renamed; its name is derived from its \
input, so a task may run twice. Segments have paths relative to the root: with --root the index is that of the same files \
elsewhere.

Similar documents of an index, in two blocks:

  dupi-tui segment shatter near --index index --blocks 2 --task 0 --out parts     (and 1)
  dupi-tui segment query near --index index --blocks 2 --task 0 --out parts       (and 1 and 2)
  dupi-tui near --index index --reduce parts";

/// `segment`.
#[derive(Debug, Subcommand)]
pub enum SegmentVerb {
    /// Divide a corpus into tasks of similar size, in a folder
    Plan(Box<SegmentPlanArgs>),
    /// Build the segment of a task, of files, or of documents in standard input
    Build(Box<SegmentBuildArgs>),
    /// Make of a part of the documents what a search in parts compares
    #[command(subcommand)]
    Shatter(ShatterVerb),
    /// Sum up what only all parts together tell
    #[command(subcommand)]
    Tally(TallyVerb),
    /// Gather or compare the documents of blocks of an index, for a search that another process ends
    #[command(subcommand)]
    Query(QueryVerb),
    /// Check segments and join them into one index, without rewriting them
    Adopt(SegmentAdoptArgs),
}

/// `segment query`.
#[derive(Debug, Subcommand)]
pub enum QueryVerb {
    /// Gather the text of a block in which passages can occur
    #[command(after_help = passages::ABOUT)]
    Passages(Box<QueryPassagesArgs>),
    /// Find the similar documents of two blocks, with the methods jaccard and spotsigs, and with --links also minhash and simhash:
    /// of N blocks N (N + 1) / 2 tasks
    #[command(after_help = near_part::QUERY_ABOUT)]
    Near(Box<QueryNearArgs>),
}

/// `segment shatter`.
#[derive(Debug, Subcommand)]
pub enum ShatterVerb {
    /// The features, signatures or fingerprints of a block of documents, for `near --reduce`: --blocks tasks
    #[command(after_help = near_part::SHATTER_ABOUT)]
    Near(Box<ShatterNearArgs>),
    /// Print the blots of the documents of a task, of files, or of documents in standard input
    #[command(after_help = shatter::ABOUT)]
    Blots(Box<ShatterBlotsArgs>),
}

/// `segment tally`.
#[derive(Debug, Subcommand)]
pub enum TallyVerb {
    /// Which spot signatures count by --idf-min and --idf-max, after `segment shatter near` of all blocks: one task
    Near(Box<NearPartArgs>),
    /// Which blots are repeated in an index, in a file for `segment query passages --repeated`: one task
    #[command(after_help = tally::ABOUT)]
    Blots(Box<TallyBlotsArgs>),
}

/// Which documents an index will have, how they become blots, and into how many tasks they are divided.
#[derive(Debug, Args)]
pub struct PlanningArgs {
    /// How many tasks; a small corpus may have fewer [default: one for each 64 MiB]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999_999))]
    pub tasks: Option<u32>,
    /// Keep no sketches of documents, by which `near --method minhash` and `simhash` are fast; the index remembers this
    #[arg(long, help_heading = "Index")]
    pub no_sketch: bool,
    /// How documents become blots.
    #[command(flatten)]
    pub recipe: RecipeArgs,
    /// Which files are documents.
    #[command(flatten)]
    pub walk: WalkArgs,
    /// Which files are indexed.
    #[command(flatten)]
    pub indexed: IndexedArgs,
}

/// `segment plan`.
#[derive(Debug, Args)]
pub struct SegmentPlanArgs {
    /// Folders and files to index; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// A new or empty folder for the plan, outside of the corpus
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// The folder of the index that the segments are for: what is left out of it by `exclude` is left out of the tasks
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path(), help_heading = "Index")]
    pub index: Option<PathBuf>,
    /// What is planned.
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// `segment build`.
#[derive(Debug, Args)]
pub struct SegmentBuildArgs {
    /// Of which documents.
    #[command(flatten)]
    pub task: TaskArgs,
    /// The folder in which the folder of the segment is made, outside of the corpus; its path is printed
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// Keep no sketches of documents
    #[arg(long, conflicts_with = "plan")]
    pub no_sketch: bool,
}

/// `segment adopt`.
#[derive(Debug, Args)]
pub struct SegmentAdoptArgs {
    /// Folders of segments, or folders that hold such folders; `-` reads their list from standard input
    #[arg(value_name = "DIR", required = true, value_parser = path())]
    pub from: Vec<PathBuf>,
    /// Fail unless every document of the plan in this folder is in a segment
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub plan: Option<PathBuf>,
    /// The folder of the documents, if it is another than when the segments were built; roots that were planned below that
    /// one are taken below this one
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub root: Option<PathBuf>,
    /// Make the index in this folder instead of the user's data folder
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: Option<PathBuf>,
    /// Replace an existing index
    #[arg(long)]
    pub rebuild: bool,
    /// Threads that check [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}
