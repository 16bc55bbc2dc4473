//! The arguments of `exclude`. `add` and `remove` bring an existing index up to date.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::given::path;
use super::index::TargetArgs;
use super::taboo::ListArgs;

/// `exclude`.
#[derive(Debug, Subcommand)]
pub enum ExcludeVerb {
    /// Leave files and folders out of the corpus from now on
    Add(Box<ExcludeAddArgs>),
    /// List the files and folders that are left out by these decisions; `inspect --skipped` lists all that are left out
    List(ListArgs),
    /// Index a file or folder again
    Remove(Box<ExcludeRemoveArgs>),
}

/// `exclude add`.
#[derive(Debug, Args)]
pub struct ExcludeAddArgs {
    /// Files and folders of the corpus, relative to the current folder or to that of the corpus
    #[arg(required = true, value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// The reason, for readers of the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `exclude remove`.
#[derive(Debug, Args)]
pub struct ExcludeRemoveArgs {
    /// A number from `exclude list`, or a path
    #[arg(value_name = "PATH", value_parser = path())]
    pub what: PathBuf,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}
