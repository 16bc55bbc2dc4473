//! The arguments of `segment shatter near`, `segment tally near` and `segment query near`: `near` in parts.

use clap::Args;

use super::files::OnlyArgs;
use super::method::MethodArgs;
use super::part::PartArgs;

/// `segment shatter near`.
#[derive(Debug, Args)]
pub struct ShatterNearArgs {
    /// The number of the block, from 0
    #[arg(long, value_name = "N")]
    pub task: u32,
    /// Leave out of the block what --idf-min and --idf-max leave out, after `segment tally near`
    #[arg(long)]
    pub tallied: bool,
    /// Write the features of the block, which is made already, to standard output, for Term-Split: batches of a number of
    /// rows, then the columns document, its size, feature and count; with minhash and simhash document, what tells its
    /// content, band or table, and bucket; each number has 8 bytes, little-endian, and a batch of no rows ends the stream
    #[arg(long, conflicts_with = "tallied")]
    pub print: bool,
    /// What all parts have.
    #[command(flatten)]
    pub part: NearPartArgs,
}

/// `segment query near`.
#[derive(Debug, Args)]
pub struct QueryNearArgs {
    /// The number of the two blocks, from 0: the first with itself, the first with the second, the second with itself, the
    /// first with the third …
    #[arg(long, value_name = "N")]
    pub task: u64,
    /// Read what documents have in common from standard input, for Term-Split, instead of comparing them: batches of a number
    /// of rows, then the columns document of the one block, document of the other, what they share, and the sum of their
    /// sizes; with minhash and simhash the first band or table that they share, and 0; a batch has at most 1,048,576 rows, and
    /// one of no rows ends the stream
    #[arg(long)]
    pub links: bool,
    /// What all parts have.
    #[command(flatten)]
    pub part: NearPartArgs,
}

/// A part of `near`. All parts of a search have the same options, but for the task.
#[derive(Debug, Args)]
pub struct NearPartArgs {
    /// Where it has its files.
    #[command(flatten)]
    pub part: PartArgs,
    /// Into how many blocks the documents are divided
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9_999))]
    pub blocks: u32,
    /// How documents are compared.
    #[command(flatten)]
    pub compared: MethodArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}
