//! The arguments of `segment shatter`.

use clap::Args;

use super::task::TaskArgs;

/// What the help says after the options.
pub(super) const ABOUT: &str = "\
For each document that has blots: length and bytes of its path, relative to the root; the number of its record, from 1, or 0 if \
the file is one document; the count of its blots; and of each the blot, and the number of the first token of its tile, less that \
of the blot before. Numbers are varints (LEB128). The blots are those that an index with this recipe keeps.";

/// `segment shatter blots`.
#[derive(Debug, Args)]
pub struct ShatterBlotsArgs {
    /// Of which documents.
    #[command(flatten)]
    pub task: TaskArgs,
}
