//! The arguments of `taboo`. Only `add` may have to look into the index; the rest needs the list alone.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::format::FormatArgs;
use super::given::path;
use super::index::FindArgs;
use crate::blot::Blot;

/// `taboo`.
#[derive(Debug, Subcommand)]
pub enum TabooVerb {
    /// Hide a text: one that is given, that of a blot, that of a file, or standard input (`-`)
    Add(Box<TabooAddArgs>),
    /// List what is hidden
    List(ListArgs),
    /// Show a text again: by its number in the list, or the text itself
    Remove(TabooRemoveArgs),
    /// Write the list to a file, or to standard output (`-`)
    Export(TabooFileArgs),
    /// Add the entries of a list
    Import(TabooFileArgs),
    /// Say why a text is hidden, or with an empty reason no longer why
    Reason(TabooReasonArgs),
    /// Undo the last decision that is not undone yet, be it taken here or in the terminal UI
    Undo(HomeArgs),
    /// Take the decision again that was undone last
    Redo(HomeArgs),
    /// List the decisions that can be undone, or taken again, the oldest first
    Log(ListArgs),
}

/// `taboo reason`.
#[derive(Debug, Args)]
pub struct TabooReasonArgs {
    /// A number of `taboo list`, or a text
    pub entry: String,
    /// Why
    pub reason: String,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// `taboo add`.
#[derive(Debug, Args)]
pub struct TabooAddArgs {
    /// The text, or a file whose text is meant, such as a licence; `-` reads it from standard input
    #[arg(required_unless_present_any = ["blot", "file"], conflicts_with_all = ["blot", "file"])]
    pub text: Option<String>,
    /// Hide the text of a blot
    #[arg(long, conflicts_with = "file")]
    pub blot: Option<Blot>,
    /// Hide the text of a file, such as a licence
    #[arg(long, value_parser = path())]
    pub file: Option<PathBuf>,
    /// Why, for whoever reads the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Which corpus.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `taboo list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// How to print the rows.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// `taboo remove`.
#[derive(Debug, Args)]
pub struct TabooRemoveArgs {
    /// A number of `taboo list`, or a text
    pub entry: String,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// `taboo export` and `taboo import`.
#[derive(Debug, Args)]
pub struct TabooFileArgs {
    /// The file; `-` is standard output, or input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// Where a corpus's taboo list is kept: with its index, which need not be there.
#[derive(Debug, Args)]
pub struct HomeArgs {
    /// The corpus
    #[arg(short = 'C', long, value_name = "PATH", env = "DUPI_CORPUS", default_value = ".", value_parser = path())]
    pub corpus: PathBuf,
    /// The folder of the index, when it is kept elsewhere
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: Option<PathBuf>,
}
