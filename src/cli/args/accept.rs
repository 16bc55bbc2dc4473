//! The arguments of `accept`. Only `add` reads the index.

use clap::{Args, Subcommand};

use super::index::TargetArgs;
use super::taboo::{HomeArgs, ListArgs};

/// `accept`.
#[derive(Debug, Subcommand)]
pub enum AcceptVerb {
    /// Accept a passage, a cluster of documents or a blot: it was reviewed and stays as it is, until it gains copies
    Add(Box<AcceptAddArgs>),
    /// List the accepted passages, clusters and blots
    List(ListArgs),
    /// Remove an entry, so that it is open again
    Remove(AcceptRemoveArgs),
}

/// `accept add`.
#[derive(Debug, Args)]
pub struct AcceptAddArgs {
    /// The id of a passage as printed by `passages`, of a cluster as printed by `near` (as cluster:ID it is found sooner),
    /// a blot as blot:BLOT, or the beginning of a passage's text
    pub what: String,
    /// The reason, for readers of the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `accept remove`.
#[derive(Debug, Args)]
pub struct AcceptRemoveArgs {
    /// A number from `accept list`, an id, or the beginning of a text
    pub what: String,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}
