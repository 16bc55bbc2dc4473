//! The arguments of `kind`. Only `set` reads the index.

use clap::{Args, Subcommand};

use super::index::TargetArgs;
use super::taboo::{HomeArgs, ListArgs};
use dupi_base::config::Kind;

/// `kind`.
#[derive(Debug, Subcommand)]
pub enum KindVerb {
    /// Set the kind of a passage, wherever its text stands, when the rules are wrong
    Set(Box<KindSetArgs>),
    /// List what was decided: the kinds of passages, and which kinds are set aside
    List(ListArgs),
    /// Remove a decision, so that the rules or the settings decide again
    Remove(KindRemoveArgs),
    /// List the passages of a kind in this corpus, whatever the settings set aside
    Show(WholeKindArgs),
    /// Set the passages of a kind aside in this corpus, whatever the settings say
    Aside(WholeKindArgs),
}

/// `kind set`.
#[derive(Debug, Args)]
pub struct KindSetArgs {
    /// The id of a passage as printed by `passages`, or the beginning of its text
    pub what: String,
    /// code, prose, comment, licence, imports, data, generated, markup or test
    pub kind: Kind,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `kind remove`.
#[derive(Debug, Args)]
pub struct KindRemoveArgs {
    /// A number from `kind list`, the id of a passage, the name of a kind, or the beginning of a text
    pub what: String,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// `kind show` and `kind aside`.
#[derive(Debug, Args)]
pub struct WholeKindArgs {
    /// code, prose, comment, licence, imports, data, generated, markup or test
    pub kind: Kind,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}
