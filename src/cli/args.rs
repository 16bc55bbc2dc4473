//! The command line, as it is typed. Parsing has no effect; `place` gives it meaning.

mod accept;
mod filter;
mod format;
mod given;
mod index;
mod near;
mod order;
mod shares;
mod taboo;

use std::path::PathBuf;
use std::time::Duration;

pub use accept::{AcceptAddArgs, AcceptRemoveArgs, AcceptVerb};
pub use filter::{FilterListArgs, FilterRemoveArgs, FilterSaveArgs, FilterVerb};
pub use format::FormatArgs;
pub use index::{BuildArgs, FindArgs, RecipeArgs, WalkArgs};
pub use near::{AlikeArgs, LikeArgs, NearArgs, PassagesArgs, PathGlob};
pub use shares::{DocumentsArgs, FilesArgs};

use clap::{Args, Parser, Subcommand};

use crate::blot::Blot;
use crate::config::LogLevel;
use given::path;

pub use taboo::{
    HomeArgs, ListArgs, TabooAddArgs, TabooFileArgs, TabooReasonArgs, TabooRemoveArgs, TabooVerb,
};

const EXAMPLES: &str = "\
Examples:
  dupi-tui ~/corpus              look at what a folder has more than once
  dupi-tui --demo                the same with a small corpus that comes along
  dupi-tui index ~/corpus        bring its index up to date and leave
  dupi-tui extract --top 20      the blots that the most documents share
  dupi-tui like draft.txt        which documents share text with this one

Exit codes: 0 done; 1 nothing found where something was asked for; 2 wrong use or failure, or an answer that is
not whole: files could not be read, or a search left something out.";

/// Shows what is written more than once in a folder of documents, and silences what does not matter.
#[derive(Debug, Parser)]
#[command(name = "dupi-tui", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do; without a verb, the terminal UI.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// How much goes to the log file: off, error, warn, info, debug or trace [default: DUPI_LOG, RUST_LOG, or warn]
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Log")]
    pub log_level: Option<LogLevel>,
    /// The terminal UI's own arguments.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// What opens the terminal UI.
#[derive(Debug, Args)]
pub struct ScreenArgs {
    /// Folders and files to look at; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// Look at the small corpus that comes along
    #[arg(long, conflicts_with = "paths")]
    pub demo: bool,
    /// Write how long frames and keys take
    #[arg(long, value_name = "FILE", hide = true)]
    pub frame_log: Option<PathBuf>,
    /// Where and how to index.
    #[command(flatten)]
    pub build: BuildArgs,
    /// How to follow the folder.
    #[command(flatten)]
    pub watch: WatchArgs,
}

/// Everything that can be done without the terminal UI.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Build an index, or bring it up to date
    Index(IndexArgs),
    /// List repeated blots, by descending document frequency, with their documents
    Extract(ExtractArgs),
    /// List the blots of a file
    Blot(BlotArgs),
    /// Show where blots stand: their text, with documents, lines and columns
    Unblot(UnblotArgs),
    /// List whole duplicated stretches, each once with all its copies
    Passages(PassagesArgs),
    /// List the documents of which something stands elsewhere too, and what each shares the most with
    Documents(DocumentsArgs),
    /// Show folders and files by how much of them stands elsewhere too
    Files(FilesArgs),
    /// List the documents that share text with a file, best first
    Like(LikeArgs),
    /// Tell what is in an index, and how it was made
    Inspect(InspectArgs),
    /// Keep filters under names, to be asked for as @name
    #[command(subcommand, after_help = filter::language())]
    Filter(FilterVerb),
    /// Keep the list of texts that are repeated but not interesting
    #[command(subcommand)]
    Taboo(TabooVerb),
    /// Keep the list of what was reviewed and stays
    #[command(subcommand)]
    Accept(AcceptVerb),
    /// Remove the index of a corpus; its taboo list and all other decisions stay
    Clean(CleanArgs),
    /// Show where the settings are, what can be set, and what is wrong in them
    Config(ConfigArgs),
}

/// `index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// Folders and files to index; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// Stay, and follow the folder until interrupted
    #[arg(long)]
    pub watch: bool,
    /// With --watch: look again every so many seconds instead of being told by the system
    #[arg(long, value_name = "SECONDS", requires = "watch", value_parser = seconds)]
    pub poll: Option<Duration>,
    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
    /// How to print the summary.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Where and how to index.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// Only blots with a document frequency at or above mean + SIGMA · standard deviation
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    pub sigma: Option<f64>,
    /// Only blots that stand in at least so many documents
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_docs: u32,
    /// Only the first so many
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only blots that pass a filter, such as `ext:c docs:>5 -path:vendor`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Only the blots, one a line
    #[arg(short, long)]
    pub blots_only: bool,
    /// Also what is taboo
    #[arg(long)]
    pub taboo: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `blot`.
#[derive(Debug, Args)]
pub struct BlotArgs {
    /// The file; `-` is standard input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Also where each tile stands: bytes from and to
    #[arg(long)]
    pub offsets: bool,
    /// Which index's recipe.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `unblot`.
#[derive(Debug, Args)]
pub struct UnblotArgs {
    /// The blots, as `extract` and `blot` print them
    #[arg(required = true, value_name = "BLOT")]
    pub blots: Vec<Blot>,
    /// Also texts that stand only once
    #[arg(long)]
    pub all: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// List the files that are left out, with the reasons
    #[arg(long)]
    pub skipped: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// The corpus whose index is to go [default: .]
    #[arg(value_parser = path())]
    pub path: Option<PathBuf>,
    /// Remove all indexes whose corpus is gone
    #[arg(long, conflicts_with = "path")]
    pub gone: bool,
    // Not by clap's `env`: what it finds there would contradict PATH and --gone as if it had been typed.
    /// The folder of the index, when it is kept elsewhere [env: DUPI_INDEX]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["path", "gone"], value_parser = path())]
    pub index: Option<PathBuf>,
}

/// `config`.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct ConfigArgs {
    /// Print where the settings file is, or would be
    #[arg(long)]
    pub path: bool,
    /// Print a settings file with everything that can be set, as it is without one
    #[arg(long)]
    pub default: bool,
    /// Name what is wrong in the settings file, with line and column
    #[arg(long)]
    pub check: bool,
}

/// How to follow the folder.
#[derive(Debug, Args)]
#[command(next_help_heading = "Screen")]
pub struct WatchArgs {
    /// Do not follow the folder as it changes
    #[arg(long)]
    pub no_watch: bool,
    /// Look for changes every so many seconds, as network folders need it
    #[arg(long, value_name = "SECONDS", conflicts_with = "no_watch", value_parser = seconds)]
    pub poll: Option<Duration>,
    /// Leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,
}

fn finite(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{given}` is no number"))
}

fn seconds(given: &str) -> Result<Duration, String> {
    let seconds: f64 = given.parse().map_err(|_| format!("`{given}` is no number of seconds"))?;
    if (0.1..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("from 0.1 to 86400 seconds".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_its_exit_codes_are_told() {
        Cli::command().debug_assert();
        assert!(Cli::command().render_help().to_string().contains("a search left something out"));
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
    fn what_is_wrong_is_said() {
        for (args, word) in [
            (&["dupi-tui", "unblot", "xyz"][..], "no blot"),
            (&["dupi-tui", "--profile", "big"], "default, compact, ocr or dupi"),
            (&["dupi-tui", "--poll", "0"], "seconds"),
            (&["dupi-tui", "--log-level", "loud"], "says not what to log"),
            (&["dupi-tui", "extract", "--sigma", "inf"], "no number"),
            (&["dupi-tui", "--jsonl", ""], "value is required"),
            (&["dupi-tui", "--memory", "lots"], "no size"),
        ] {
            let error = Cli::try_parse_from(args).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
