//! The arguments of `segment tally blots`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::given::path;
use crate::cli::args::part::AskedArgs;

/// What the help says after the options.
pub(super) const ABOUT: &str = "\
A blot is repeated that occurs in two documents, or twice in one. Around those the tasks of `segment query passages` read the \
text, unless they read all of it.";

/// `segment tally blots`.
#[derive(Debug, Args)]
pub struct TallyBlotsArgs {
    /// The folder of the index; it is used as it is
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: PathBuf,
    /// The folder in which the file is made, outside of the corpus; its path is printed
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// Threads that read [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Of which documents.
    #[command(flatten)]
    pub asked: AskedArgs,
}
