//! The arguments of the command line. Parsing has no side effects; `target` resolves the arguments.

mod accept;
mod alike;
mod clean;
mod completions;
mod copies;
mod exclude;
mod files;
mod filter;
mod format;
mod given;
mod history;
mod ignore;
mod index;
mod kind;
mod kinds;
mod matching;
mod method;
mod near;
mod near_part;
mod order;
mod part;
mod program;
mod review;
mod screen;
mod segment;
mod shares;
mod simhash;
mod spark;
mod taboo;

use std::path::PathBuf;
use std::time::Duration;

pub use accept::{AcceptAddArgs, AcceptRemoveArgs, AcceptVerb};
pub use alike::{AlikeArgs, CriteriaArgs, LikeArgs, MeasureArgs, PassagesArgs, PathGlob};
pub use clean::CleanArgs;
pub use completions::{CompletionsArgs, ManArgs, ShellName};
pub use copies::CopyLimit;
pub use exclude::{ExcludeAddArgs, ExcludeRemoveArgs, ExcludeVerb};
pub use files::{IndexedArgs, OnlyArgs};
pub use filter::{FilterListArgs, FilterRemoveArgs, FilterSaveArgs, FilterVerb};
pub use format::{ColorChoice, FormatArgs, PlainFormatArgs};
pub use history::HistoryArgs;
pub use ignore::IgnoreArgs;
pub use index::{BuildArgs, FindArgs, PlainFindArgs, RecipeArgs, TargetArgs, WalkArgs};
pub use kind::{KindRemoveArgs, KindSetArgs, KindVerb, WholeKindArgs};
pub use kinds::KindList;
pub use matching::{MatchArgs, Matching};
pub use method::{MethodArgs, MethodName};
pub use near::{Emit, NearArgs};
pub use near_part::{NearPartArgs, QueryNearArgs, ShatterNearArgs};
pub use part::AskedArgs;
pub use review::{FailOn, ReviewArgs};
pub use screen::{ScreenArgs, WatchArgs};
pub use segment::{
    PlanningArgs, QueryPassagesArgs, QueryVerb, SegmentAdoptArgs, SegmentBuildArgs, SegmentPlanArgs,
    SegmentVerb, ShatterBlotsArgs, ShatterVerb, TallyBlotsArgs, TallyVerb, TaskArgs,
};
pub use shares::{DocumentsArgs, FilesArgs};
pub use simhash::{NearHashesArgs, SimHashArgs, SimHashVerb};
pub use spark::{InputFormat, SparkArgs, SparkIndexArgs, SparkNearArgs, SparkPassagesArgs, SparkVerb, Split};

use clap::{Args, Parser, Subcommand};

use dupi_base::config::LogLevel;
use dupi_text::blot::Blot;
use given::path;
use screen::seconds;

pub use taboo::{
    HomeArgs, ListArgs, TabooAddArgs, TabooFileArgs, TabooListArgs, TabooReasonArgs, TabooRemoveArgs,
    TabooReportArgs, TabooVerb,
};

const EXAMPLES: &str = "\
Examples:
  dupi-tui ~/corpus              show the duplicated text of a folder
  dupi-tui --demo                the same with the built-in demo corpus
  dupi-tui index ~/corpus        bring its index up to date and exit
  dupi-tui extract --top 20      list the 20 blots with the most documents
  dupi-tui like draft.txt        list the documents that share text with this file

Exit codes: 0 success; 1 nothing was found; 2 wrong use, failure, or an incomplete answer: some files could not be read,
or the search omitted something; 130 a screen with --print was left without choosing a row.";

/// Shows the duplicated text in a folder of documents, and hides what does not matter.
#[derive(Debug, Parser)]
#[command(name = "dupi-tui", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do; without a verb, the terminal UI.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// The level of the log file: off, error, warn, info, debug or trace [default: DUPI_LOG, RUST_LOG, or warn]
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Log")]
    pub log_level: Option<LogLevel>,
    /// The terminal UI's own arguments.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// The verbs: everything that works without the terminal UI.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Build an index or bring it up to date
    Index(IndexArgs),
    /// List repeated blots, by descending document frequency, with their documents
    Extract(ExtractArgs),
    /// List the blots of a file
    Blot(BlotArgs),
    /// Show where blots occur: their text, with documents, lines and columns
    Unblot(UnblotArgs),
    /// List passages: maximal duplicated stretches, each once with all its copies
    #[command(after_help = alike::ABOUT)]
    Passages(PassagesArgs),
    /// List the documents with duplicated text, and the document that each shares the most with
    Documents(DocumentsArgs),
    /// Show folders and files by their duplicated share
    Files(FilesArgs),
    /// List the documents that share text with a file, best first
    Like(LikeArgs),
    /// Review a change: which copies are new with it, and which did it change on one side only; for people and as a gate
    #[command(after_help = review::ABOUT)]
    Review(Box<ReviewArgs>),
    /// Show the duplicated share and the worth of a repository, commit by commit
    #[command(after_help = history::ABOUT)]
    History(Box<HistoryArgs>),
    /// List documents that are the same or similar as wholes, as clusters or pairs; with --method identical also folders.
    /// All text counts, taboo text too
    #[command(after_help = near::ABOUT)]
    Near(NearArgs),
    /// Show what is in an index, and how it was built
    Inspect(InspectArgs),
    /// Edit the saved filters, which are used as @name
    #[command(subcommand, after_help = filter::language())]
    Filter(FilterVerb),
    /// Edit the taboo list: texts that are duplicated but not interesting
    #[command(subcommand)]
    Taboo(TabooVerb),
    /// Edit the list of accepted passages and blots
    #[command(subcommand)]
    Accept(AcceptVerb),
    /// Correct the kinds of passages, and choose which kinds are set aside in a corpus
    #[command(subcommand)]
    Kind(KindVerb),
    /// Edit the list of files and folders that are left out of a corpus
    #[command(subcommand)]
    Exclude(ExcludeVerb),
    /// Make SimHashes of texts, and find near ones in a list of hashes
    #[command(subcommand, name = "simhash", after_help = simhash::ABOUT)]
    SimHash(SimHashVerb),
    /// Build an index in parts, on several machines: divide a corpus into tasks, build their segments, join them
    #[command(subcommand, after_help = segment::ABOUT)]
    Segment(SegmentVerb),
    /// Run on Apache Spark, on this machine or a cluster
    #[command(subcommand, after_help = spark::ABOUT)]
    Spark(SparkVerb),
    /// Remove the index of a corpus; its taboo list and all other decisions stay
    Clean(CleanArgs),
    /// Print what a shell completes the arguments of this program from
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all verbs to a folder
    Man(ManArgs),
    /// Show the path of the settings file and whether it has problems, or the default settings
    Config(ConfigArgs),
    /// Print the help of a verb, a chapter of the guide, the keys, or all verbs
    Help(HelpArgs),
}

/// `index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// Folders and files to index; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// Follow the folder until interrupted
    #[arg(long)]
    pub watch: bool,
    /// With --watch: check for changes every SECONDS instead of using file events
    #[arg(long, value_name = "SECONDS", requires = "watch", value_parser = seconds)]
    pub poll: Option<Duration>,
    /// Print nothing except errors
    #[arg(short, long)]
    pub quiet: bool,
    /// How to print the summary.
    #[command(flatten)]
    pub format: PlainFormatArgs,
    /// Where and how to index.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which files are indexed.
    #[command(flatten)]
    pub indexed: IndexedArgs,
}

/// `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// The corpus, as with --corpus
    #[arg(value_name = "PATH", conflicts_with = "corpus", value_parser = path())]
    pub place: Option<PathBuf>,
    /// Only blots with a document frequency at or above mean + SIGMA · standard deviation
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    pub sigma: Option<f64>,
    /// Only blots with at least N documents
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_docs: u32,
    /// Only the first N
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only blots that pass a filter, such as `ext:c docs:>5 -path:vendor`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Print only the blots, one per line
    #[arg(short, long)]
    pub blots_only: bool,
    /// Include taboo text
    #[arg(long)]
    pub taboo: bool,
    /// Which index.
    #[command(flatten)]
    pub find: PlainFindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `blot`.
#[derive(Debug, Args)]
pub struct BlotArgs {
    /// The file; `-` is standard input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Print the start and end of each tile in bytes
    #[arg(long)]
    pub offsets: bool,
    /// Which index's recipe.
    #[command(flatten)]
    pub find: PlainFindArgs,
}

/// `unblot`.
#[derive(Debug, Args)]
pub struct UnblotArgs {
    /// The blots, as `extract` and `blot` print them
    #[arg(required = true, value_name = "BLOT")]
    pub blots: Vec<Blot>,
    /// Include texts that occur only once
    #[arg(long)]
    pub all: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// The corpus, as with --corpus
    #[arg(value_name = "PATH", conflicts_with = "corpus", value_parser = path())]
    pub place: Option<PathBuf>,
    /// List the skipped files, with the reasons
    #[arg(long)]
    pub skipped: bool,
    /// Which index.
    #[command(flatten)]
    pub find: PlainFindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `config`.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct ConfigArgs {
    /// Print the path of the settings file, whether it exists or not
    #[arg(long)]
    pub path: bool,
    /// Print a settings file with all settings and their defaults
    #[arg(long)]
    pub default: bool,
    /// Print the problems in the settings file, with line and column
    #[arg(long)]
    pub check: bool,
}

/// `help`.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A topic such as filters, keys or all, or the words of a verb
    #[arg(value_name = "TOPIC")]
    pub words: Vec<String>,
}

fn finite(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{given}` is not a number"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_its_help_has_the_exit_codes() {
        Cli::command().debug_assert();
        assert!(Cli::command().render_help().to_string().contains("the search omitted something"));
    }

    #[test]
    fn a_path_alone_opens_the_screen_and_a_verb_does_not() {
        let cli = Cli::try_parse_from(["dupi-tui", "some/folder", "-k", "7"]).unwrap();
        assert!(cli.verb.is_none());
        assert_eq!((cli.screen.paths, cli.screen.build.recipe.k), (vec!["some/folder".into()], Some(7)));
        let cli = Cli::try_parse_from(["dupi-tui", "index", "a", "b"]).unwrap();
        assert!(matches!(cli.verb, Some(Verb::Index(args)) if args.paths.len() == 2));
    }

    #[test]
    fn the_log_level_may_be_given_with_and_without_a_verb() {
        for args in [
            &["dupi-tui", "--log-level", "debug", "some/folder"][..],
            &["dupi-tui", "index", "a", "--log-level", "debug"],
            &["dupi-tui", "taboo", "list", "--log-level=debug"],
        ] {
            assert_eq!(Cli::try_parse_from(args).unwrap().log_level, Some(LogLevel::Debug), "{args:?}");
        }
    }

    #[test]
    fn errors_in_arguments_are_reported() {
        for (args, word) in [
            (&["dupi-tui", "unblot", "xyz"][..], "is not a blot"),
            (&["dupi-tui", "--profile", "big"], "default, compact, ocr or dupi"),
            (&["dupi-tui", "--poll", "0"], "seconds"),
            (&["dupi-tui", "--log-level", "loud"], "is not a log level"),
            (&["dupi-tui", "extract", "--sigma", "inf"], "not a number"),
            (&["dupi-tui", "--jsonl", ""], "value is required"),
            (&["dupi-tui", "--memory", "lots"], "is not a size"),
        ] {
            let error = Cli::try_parse_from(args).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
