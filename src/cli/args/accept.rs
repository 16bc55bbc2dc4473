//! The arguments of `accept`. Only `add` has to look into the index.

use clap::{Args, Subcommand};

use super::index::FindArgs;
use super::taboo::{HomeArgs, ListArgs};

/// `accept`.
#[derive(Debug, Subcommand)]
pub enum AcceptVerb {
    /// Accept a passage or a blot: it was reviewed and stays, until it gains copies
    Add(Box<AcceptAddArgs>),
    /// List what was accepted
    List(ListArgs),
    /// Open something again
    Remove(AcceptRemoveArgs),
}

/// `accept add`.
#[derive(Debug, Args)]
pub struct AcceptAddArgs {
    /// The id of a passage as `passages` prints it, a blot as blot:BLOT, or the beginning of a passage's text
    pub what: String,
    /// Why, for whoever reads the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Which corpus.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `accept remove`.
#[derive(Debug, Args)]
pub struct AcceptRemoveArgs {
    /// A number of `accept list`, an id, or the beginning of a text
    pub what: String,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}
