//! The arguments of all parts of a search in an index.

use std::path::PathBuf;

use clap::Args;

use super::files::OnlyArgs;
use super::given::path;
use super::matching::MatchArgs;
use dupi_base::config::Size;

/// Where a part of a search has its index and its files, and what it may use.
#[derive(Debug, Args)]
pub struct PartArgs {
    /// The folder of the index, which all tasks see at the same path; it is used as it is
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: PathBuf,
    /// The folder for the files of all tasks, outside of the corpus, in a folder that is there; the path of the new file is
    /// printed
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// The memory limit of this process; as in a whole search, it says which files are too large to be read [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and compare [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// Which documents of an index a part of a search for passages has, and how they are compared.
#[derive(Debug, Args)]
pub struct AskedArgs {
    /// The index is itself that for the way of matching, and not the one beside which that lies
    #[arg(long, hide = true)]
    pub this_index: bool,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}
