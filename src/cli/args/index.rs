//! The arguments that several verbs share: the index, how it is built, and which files are documents.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::format::{FormatArgs, PlainFormatArgs};
use super::given::path;
use dupi_base::config::Size;
use dupi_base::corpus::Formats;
use dupi_text::blot::{Blotter, Profile};
use dupi_text::token::{Comments, TokenMode};

/// The index that a verb queries, and how the answer is printed.
#[derive(Debug, Args)]
pub struct FindArgs {
    /// Which index.
    #[command(flatten)]
    pub target: TargetArgs,
    /// How to print the rows.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The same for a verb whose rows are no findings.
#[derive(Debug, Args)]
pub struct PlainFindArgs {
    /// Which index.
    #[command(flatten)]
    pub target: TargetArgs,
    /// How to print the rows.
    #[command(flatten)]
    pub format: PlainFormatArgs,
}

/// The corpus that a verb is about, and how its index is kept up to date.
#[derive(Debug, Args)]
pub struct TargetArgs {
    // Not clap's `env`: a value from the environment would conflict with a PATH.
    /// The corpus [env: DUPI_CORPUS] [default: .]
    #[arg(short = 'C', long, value_name = "PATH", value_parser = path())]
    pub corpus: Option<PathBuf>,
    /// Answer from the index as it is, without checking for changes
    #[arg(long, conflicts_with = "rebuild")]
    pub no_update: bool,
    /// Where and how to index.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Where an index is kept and how it is built.
#[derive(Debug, Args)]
#[command(next_help_heading = "Index")]
pub struct BuildArgs {
    /// Keep the index in this folder instead of the user's data folder
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: Option<PathBuf>,
    /// Rebuild the index
    #[arg(long)]
    pub rebuild: bool,
    /// The memory limit of indexing, and of the texts in a search for passages or similar documents [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and shatter [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Keep no sketches of documents, by which `near --method minhash` and `simhash` are fast; the index remembers this
    #[arg(long, overrides_with = "sketch")]
    pub no_sketch: bool,
    /// Keep sketches again after --no-sketch
    #[arg(long, overrides_with = "no_sketch")]
    pub sketch: bool,
    /// How documents become blots.
    #[command(flatten)]
    pub recipe: RecipeArgs,
    /// Which files are documents.
    #[command(flatten)]
    pub walk: WalkArgs,
}

/// How documents become blots.
#[derive(Debug, Args)]
#[command(next_help_heading = "Recipe (the index remembers it)")]
pub struct RecipeArgs {
    /// A named recipe; the help lists all of them.
    #[arg(long, help = Profile::help())]
    pub profile: Option<Profile>,
    /// The token mode; the help lists all of them.
    #[arg(long, value_name = "MODE", help = TokenMode::help())]
    pub tokens: Option<TokenMode>,
    /// keep or drop the comments of source code
    #[arg(long, value_name = "WHAT")]
    pub comments: Option<Comments>,
    /// Tokens per tile
    #[arg(short, value_name = "N")]
    pub k: Option<u32>,
    /// Keep the smallest of each W tiles; 1 keeps every tile
    #[arg(long, value_name = "W")]
    pub window: Option<u32>,
    /// ordered, circular, or interleaved:N
    #[arg(long, value_name = "NAME")]
    pub blotter: Option<Blotter>,
}

/// Which files are documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files (the index remembers them)")]
pub struct WalkArgs {
    /// Include files that .gitignore and similar files exclude
    #[arg(long)]
    pub no_ignore: bool,
    /// Include hidden files and folders
    #[arg(long)]
    pub hidden: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub follow: bool,
    /// Skip larger files [default: 64M]
    #[arg(long, value_name = "SIZE")]
    pub max_filesize: Option<Size>,
    /// Read each line of .jsonl and .ndjson files as a document, with the string in FIELD as its text
    #[arg(long, value_name = "FIELD", value_parser = NonEmptyStringValueParser::new())]
    pub jsonl: Option<String>,
}

impl WalkArgs {
    /// The formats that were asked for; `None` if none was.
    pub fn formats(&self) -> Option<Formats> {
        let formats = Formats { jsonl: self.jsonl.clone() };
        (formats != Formats::default()).then_some(formats)
    }
}
