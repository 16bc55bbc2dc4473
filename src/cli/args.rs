//! The options that several verbs share. Parsing has no side effects; `target` resolves them.

mod format;
mod measure;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PathBufValueParser, TypedValueParser};

pub(super) use format::{FormatArgs, PlainFormatArgs};
pub(super) use measure::{
    AlikeArgs, CriteriaArgs, IgnoreArgs, KindList, MatchArgs, Matching, MeasureArgs, PathGlob,
};
pub(super) use measure::{MOST_TOKENS, share};

use super::error::CliError;
use dupi_base::config::Size;
use dupi_base::corpus::{FileChoice, Formats, WalkRules};
use dupi_base::storage::typed_path;
use dupi_text::blot::{Blotter, Profile, RecipeChoice, Selection};
use dupi_text::token::{Comments, TokenMode};

/// Spans of text are counted in 32 bits.
pub(super) const LARGEST_FILE: u64 = u32::MAX as u64;

/// Reads a path: a file name, or a path as it is printed. It may contain escapes, so that every printed path is accepted.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|given| typed_path(given.as_os_str()))
}

/// Reads a time in seconds.
pub(super) fn seconds(given: &str) -> Result<Duration, String> {
    let seconds: f64 = given.parse().map_err(|_| format!("`{given}` is not a number of seconds"))?;
    if (0.1..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("expected 0.1 to 86400 seconds".to_owned())
    }
}

/// The index that a verb queries, and how the answer is printed.
#[derive(Debug, Args)]
pub struct FindArgs<const FINDINGS: bool = true> {
    /// Which index.
    #[command(flatten)]
    pub target: TargetArgs,
    /// How to print the rows.
    #[command(flatten)]
    pub format: FormatArgs<FINDINGS>,
}

/// The same for a verb whose rows are no findings.
pub(super) type PlainFindArgs = FindArgs<false>;

/// The corpus of a verb that may be given without `-C`.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// The corpus, as with --corpus
    #[arg(value_name = "PATH", conflicts_with = "corpus", value_parser = path())]
    pub place: Option<PathBuf>,
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
    /// Whether the comments of source code are compared: keep or drop
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

impl RecipeArgs {
    /// What was asked for: single parameters before those of a profile.
    pub fn choice(&self) -> RecipeChoice {
        let selection = |window| if window <= 1 { Selection::Every } else { Selection::Winnow(window) };
        let single = RecipeChoice {
            tokens: self.tokens,
            comments: self.comments,
            k: self.k,
            blotter: self.blotter,
            selection: self.window.map(selection),
            ignored: None,
        };
        single.or(self.profile.map_or_else(RecipeChoice::default, Profile::choice))
    }
}

impl WalkArgs {
    /// The formats that were asked for; `None` if none was.
    pub fn formats(&self) -> Option<Formats> {
        let formats = Formats { jsonl: self.jsonl.clone() };
        (formats != Formats::default()).then_some(formats)
    }

    /// The rules that were asked for together with a choice of files; `None` if no option sets one.
    pub(super) fn rules(&self, files: FileChoice) -> Result<Option<WalkRules>, CliError> {
        let default = WalkRules::default();
        let FileChoice { globs, types, types_not } = files;
        let (hidden, no_ignore, follow) = (self.hidden, self.no_ignore, self.follow);
        let max_filesize = file_size(self.max_filesize)?;
        let rules = WalkRules { hidden, no_ignore, follow, globs, types, types_not, max_filesize };
        Ok((rules != default || self.max_filesize.is_some()).then_some(rules))
    }
}

/// The size beyond which files are left out.
pub(super) fn file_size(given: Option<Size>) -> Result<u64, CliError> {
    let size = given.map_or(WalkRules::default().max_filesize, |size| size.0);
    match size > LARGEST_FILE {
        true => Err(CliError::failed("--max-filesize can be at most 4 GiB (4294967295 bytes)")),
        false => Ok(size),
    }
}

/// Which files are indexed, besides the other rules.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files (the index remembers them)")]
pub struct IndexedArgs {
    /// Index only files that match, or that do not match after a leading !
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,
    /// Index only files of a type, by ripgrep's names
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub types: Vec<String>,
    /// Index no files of a type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    pub types_not: Vec<String>,
}

/// Which files of an index are looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files of the index (it stays as it is)")]
pub struct OnlyArgs {
    /// Look only at files that match, or that do not match after a leading !, as if the others were not there
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,
    /// Look only at files of a type, by ripgrep's names
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub types: Vec<String>,
    /// Look at no files of a type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    pub types_not: Vec<String>,
}

impl IndexedArgs {
    /// The files.
    pub fn choice(&self) -> FileChoice {
        choice(&self.glob, &self.types, &self.types_not)
    }
}

impl OnlyArgs {
    /// These options as words of a command line.
    pub fn words(&self) -> Vec<OsString> {
        let lists = [("--glob", &self.glob), ("--type", &self.types), ("--type-not", &self.types_not)];
        let words = |(option, values): (&'static str, &Vec<String>)| {
            let words = values.iter().map(|value| OsString::from(format!("{option}={value}")));
            words.collect::<Vec<_>>()
        };
        lists.into_iter().flat_map(words).collect()
    }

    /// The files.
    pub fn choice(&self) -> FileChoice {
        choice(&self.glob, &self.types, &self.types_not)
    }
}

fn choice(globs: &[String], types: &[String], types_not: &[String]) -> FileChoice {
    FileChoice { globs: globs.to_vec(), types: types.to_vec(), types_not: types_not.to_vec() }
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
