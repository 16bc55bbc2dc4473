//! The arguments of `simhash`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::given::path;
use dupi_near::simhash::SimHashSettings;
use dupi_text::sketch::{MAX_SHINGLE, USUAL_SHINGLE};
use dupi_text::token::TokenMode;

/// What the verb reads and writes, for its help.
pub(super) const ABOUT: &str = "\
A list of hashes has one decimal number of 64 bits a line. Pairs and clusters are written as JSON arrays, one a line,
sorted by their numbers: [3, 11]. `hash` makes such a list; find-all and find-clusters read any.

Examples:
  dupi-tui simhash hash -i *.txt | dupi-tui simhash find-all --distance 6
  dupi-tui simhash find-clusters --input hashes.txt --output clusters.json

Exit codes: 0 success, also if there is no pair; 2 wrong use or failure.";

/// `simhash`.
#[derive(Debug, Subcommand)]
pub enum SimHashVerb {
    /// Print the SimHash of each text
    Hash(SimHashArgs),
    /// List all pairs of hashes that differ in few bits
    FindAll(NearHashesArgs),
    /// List the clusters of hashes that such pairs connect
    FindClusters(NearHashesArgs),
}

/// `simhash hash`.
#[derive(Debug, Args)]
pub struct SimHashArgs {
    /// Files, each one text; `-` is standard input
    #[arg(short, long, value_name = "FILE", num_args = 1.., default_value = "-", value_parser = path())]
    pub input: Vec<PathBuf>,
    /// The file that the hashes are written to, in the order of the texts; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", value_parser = path())]
    pub output: PathBuf,
    /// Tokens per shingle
    #[arg(long, value_name = "K", default_value_t = USUAL_SHINGLE.get() as u16,
        value_parser = clap::value_parser!(u16).range(1..=MAX_SHINGLE as i64))]
    pub shingle: u16,
    /// The token mode; the help lists all of them.
    #[arg(long, value_name = "MODE", default_value_t, help = TokenMode::help())]
    pub tokens: TokenMode,
    /// Each line of the input is a text
    #[arg(long)]
    pub lines: bool,
}

/// `simhash find-all` and `simhash find-clusters`.
#[derive(Debug, Args)]
pub struct NearHashesArgs {
    /// The file with the hashes; `-` is standard input
    #[arg(short, long, value_name = "FILE", default_value = "-", value_parser = path())]
    pub input: PathBuf,
    /// The file that is written; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", value_parser = path())]
    pub output: PathBuf,
    /// Into how many blocks the bits are divided: more than the distance. It changes the time, not what is found
    /// [default: estimated]
    #[arg(short, long, value_name = "N")]
    pub blocks: Option<u32>,
    /// Hashes are near if at most so many of their 64 bits differ
    #[arg(short, long, value_name = "BITS", default_value_t = SimHashSettings::USUAL_DISTANCE)]
    pub distance: u32,
}
