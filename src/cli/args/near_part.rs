//! The arguments of `segment shatter near`, `segment tally near` and `segment query near`: `near` in parts.

use clap::Args;

use super::files::OnlyArgs;
use super::method::MethodArgs;
use super::part::PartArgs;

/// What the help of `segment shatter near` says after the options.
pub(super) const SHATTER_ABOUT: &str = "\
Term-Split: --print writes batches of rows, column by column, after the number of rows; each number has 8 bytes, little-endian. A \
batch of no rows ends the stream.

  jaccard, spotsigs     document · its size · feature · how often the document has it
  minhash, simhash      document · what tells its content · band or table · bucket

A document is the number of its block, shifted left by 32 bits, plus its number in the block. Its size is the sum of how often it \
has its features. Of documents of a block that are equal only the first is there.

What documents have in common goes to `segment query near --links`.";

/// What the help of `segment query near` says after the options.
pub(super) const QUERY_ABOUT: &str = "\
The task of two blocks A and B, of which A is not the later one, has the number B (B + 1) / 2 + A.

Term-Split: --links reads batches of rows, column by column, after the number of rows, at most 1048576; each number has 8 bytes, \
little-endian. A batch of no rows ends the stream; two blocks without a link have only that.

  jaccard, spotsigs     document of A · document of B · what they have in common · sum of their sizes
  minhash, simhash      document of A · document of B · first band or table in which they share a bucket · 0

`segment shatter near --print` prints what is linked. Here a document is only its number in the block: the lower 32 bits of what \
is printed, of which the upper ones are the block. Two documents are linked once, and in one block the earlier one comes first. \
What they have in common is the sum of the smaller of their two counts of each feature.

With minhash and simhash, of equal documents of all blocks only the first is linked. With simhash only those need a link whose \
contents, as printed, differ in at most --distance bits. With minhash, a bucket of more than 256 documents links none of them \
with each other, but each with itself, and then band 0 is said.";

/// `segment shatter near`.
#[derive(Debug, Args)]
pub struct ShatterNearArgs {
    /// The number of the block, from 0
    #[arg(long, value_name = "N")]
    pub task: u32,
    /// Leave out of the block what --idf-min and --idf-max leave out, after `segment tally near`
    #[arg(long)]
    pub tallied: bool,
    /// Write the features of the block, which is made already, to standard output, for Term-Split
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
    /// Read what documents have in common from standard input, for Term-Split, instead of comparing them
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
