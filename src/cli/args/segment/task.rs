//! The arguments that say which documents a task has.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::given::path;
use crate::cli::args::index::RecipeArgs;
use dupi_base::config::Size;

/// The options that a plan has already.
const PLANNED: [&str; 11] = [
    "files",
    "root",
    "framed",
    "jsonl",
    "max_filesize",
    "profile",
    "tokens",
    "comments",
    "k",
    "window",
    "blotter",
];

/// The documents of a task, and how they are read.
#[derive(Debug, Args)]
pub struct TaskArgs {
    /// The documents: files below the root, absolute or relative to it; `-` reads their list from standard input
    #[arg(value_name = "FILE", value_parser = path(), required_unless_present_any = ["plan", "framed"])]
    pub files: Vec<PathBuf>,
    /// Take the documents of a task of the plan in this folder
    #[arg(long, value_name = "DIR", requires = "task", conflicts_with_all = PLANNED, value_parser = path())]
    pub plan: Option<PathBuf>,
    /// The number of the task, from 0
    #[arg(long, value_name = "N", requires = "plan")]
    pub task: Option<u32>,
    /// The folder of all documents
    #[arg(long, value_name = "DIR", required_unless_present = "plan", value_parser = path())]
    pub root: Option<PathBuf>,
    /// Read documents from standard input: length and bytes of the path, absolute or relative to the root, time of the last
    /// change in nanoseconds since 1970, length and bytes of the document; numbers are varints (LEB128)
    #[arg(long, conflicts_with = "files")]
    pub framed: bool,
    /// The memory limit; `build` makes further segments in the same folder of documents for which it has no room at once
    /// [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and shatter [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Skip larger documents [default: 64M]
    #[arg(long, value_name = "SIZE")]
    pub max_filesize: Option<Size>,
    /// Read each line of .jsonl and .ndjson files as a document, with the string in FIELD as its text
    #[arg(long, value_name = "FIELD", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub jsonl: Option<String>,
    /// How documents become blots.
    #[command(flatten)]
    pub recipe: RecipeArgs,
}
