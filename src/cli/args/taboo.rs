//! The arguments of `taboo`. Only `add` and `report` read the index; the other verbs need only the list.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::alike::{MOST_TOKENS, MeasureArgs};
use super::format::PlainFormatArgs;
use super::given::path;
use super::index::{PlainFindArgs, TargetArgs};
use dupi_text::blot::Blot;

/// `taboo`.
#[derive(Debug, Subcommand)]
pub enum TabooVerb {
    /// Hide a text: an argument, the text of a blot or a file, or standard input (`-`)
    Add(Box<TabooAddArgs>),
    /// List the hidden texts
    List(TabooListArgs),
    /// Show a text again, given its number in the list or the text itself
    Remove(TabooRemoveArgs),
    /// Write the list to a file, or to standard output (`-`)
    Export(TabooFileArgs),
    /// Add the entries of a list
    Import(TabooFileArgs),
    /// Set the reason of an entry; an empty one removes it
    Reason(TabooReasonArgs),
    /// Undo the last decision that is not undone yet, whether taken here or in the terminal UI, for this or all corpora
    Undo(HomeArgs),
    /// Redo the decision that was undone last
    Redo(HomeArgs),
    /// Report how many passages are hidden, by which texts, why and since when
    Report(Box<TabooReportArgs>),
    /// List the decisions that can be undone or redone, the oldest first
    Log(ListArgs),
}

/// `taboo reason`.
#[derive(Debug, Args)]
pub struct TabooReasonArgs {
    /// A number from `taboo list`, or a text
    pub entry: String,
    /// The reason
    pub reason: String,
    /// The list of your own, which applies to all corpora
    #[arg(long)]
    pub user: bool,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// `taboo add`.
#[derive(Debug, Args)]
pub struct TabooAddArgs {
    /// The text, or a file with the text, such as a licence; `-` reads it from standard input
    #[arg(required_unless_present_any = ["blot", "file"], conflicts_with_all = ["blot", "file"])]
    pub text: Option<String>,
    /// Hide the text of a blot
    #[arg(long, conflicts_with = "file")]
    pub blot: Option<Blot>,
    /// Hide the text of a file, such as a licence
    #[arg(long, value_parser = path())]
    pub file: Option<PathBuf>,
    /// The reason, for readers of the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Hide it in all corpora: add it to the list of your own
    #[arg(long)]
    pub user: bool,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `taboo report`.
#[derive(Debug, Args)]
pub struct TabooReportArgs {
    /// The corpus, as with --corpus
    #[arg(value_name = "PATH", conflicts_with = "corpus", value_parser = path())]
    pub place: Option<PathBuf>,
    /// The fewest tokens of a passage, not counting taboo text
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike copies are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Which index.
    #[command(flatten)]
    pub find: PlainFindArgs,
}

/// `taboo list`.
#[derive(Debug, Args)]
pub struct TabooListArgs {
    /// The list of your own, which applies to all corpora
    #[arg(long)]
    pub user: bool,
    /// Which list, and how it is printed.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `taboo log`, and the lists of other decisions.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// How to print the rows.
    #[command(flatten)]
    pub format: PlainFormatArgs,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// `taboo remove`.
#[derive(Debug, Args)]
pub struct TabooRemoveArgs {
    /// A number from `taboo list`, or a text
    pub entry: String,
    /// The list of your own, which applies to all corpora
    #[arg(long)]
    pub user: bool,
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
    /// The list of your own, which applies to all corpora
    #[arg(long)]
    pub user: bool,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// The folder of a corpus's lists: that of its index, which need not exist.
#[derive(Debug, Args)]
pub struct HomeArgs {
    /// The corpus
    #[arg(short = 'C', long, value_name = "PATH", env = "DUPI_CORPUS", default_value = ".", value_parser = path())]
    pub corpus: PathBuf,
    /// The folder of the index, when it is not in the user's data folder
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: Option<PathBuf>,
}
