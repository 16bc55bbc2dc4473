//! The command line: its verbs, and options that may stand before their verb.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error, FromArgMatches, Parser, Subcommand};
use tracing::level_filters::LevelFilter;

use super::accept::AcceptVerb;
use super::blots::{BlotArgs, ExtractArgs, UnblotArgs};
use super::config::ConfigArgs;
use super::exclude::ExcludeVerb;
use super::filter::{self, FilterVerb};
use super::help::{self, CompletionsArgs, HelpArgs, ManArgs};
use super::history::{self, HistoryArgs};
use super::index::{CleanArgs, IndexArgs, InspectArgs};
use super::kind::KindVerb;
use super::like::LikeArgs;
use super::near::{self, NearArgs};
use super::passages::{self, PassagesArgs};
use super::review::{self, ReviewArgs};
use super::screen::ScreenArgs;
use super::segment::{self, SegmentVerb};
use super::shares::{DocumentsArgs, FilesArgs};
use super::simhash::{self, SimHashVerb};
use super::spark::{self, SparkVerb};
use super::taboo::TabooVerb;
use dupi_base::config::log_level;
use dupi_index::query::filter::names::nearest;

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
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Log", value_parser = log_level)]
    pub log_level: Option<LevelFilter>,
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
    #[command(after_help = passages::ABOUT)]
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
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all verbs to a folder
    Man(ManArgs),
    /// Show the path of the settings file and whether it has problems, or the default settings
    Config(ConfigArgs),
    /// Print the help of a verb, a chapter of the guide, the keys, or all verbs
    Help(HelpArgs),
}

impl Cli {
    /// Parses a command line, which begins with the name of the program.
    pub fn read(given: &[OsString]) -> Result<Self, Error> {
        let is_short = |word: &OsString| word == "-h";
        let command = if given.iter().any(is_short) {
            help::brief(Self::command())
        } else {
            help::grouped(Self::command())
        };
        let read = command.try_get_matches_from(given);
        let read = read.and_then(|mut matches| Self::from_arg_matches_mut(&mut matches));
        let begins_with_option = given.get(1).is_some_and(|first| first.as_encoded_bytes().starts_with(b"-"));
        if !begins_with_option {
            return read;
        }
        let verbs = Self::command();
        let is_verb = |word: &OsStr| verbs.get_subcommands().any(|verb| word == verb.get_name());
        let is_done = match &read {
            // The name of a verb may be an existing folder.
            Ok(cli) => cli.screen.paths.iter().all(|path| !is_verb(path.as_os_str()) || path.exists()),
            Err(error) => matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion),
        };
        if is_done {
            return read;
        }
        let mut verbs = (2..given.len()).filter(|&at| is_verb(&given[at]));
        let turned = |at: usize| {
            let (before, from) = given[1..].split_at(at - 1);
            Self::try_parse_from([&given[..1], from, before].concat()).ok()
        };
        verbs.find_map(turned).map_or(read, Ok)
    }

    /// The verb that a word is nearly the name of, unless the word is one or a path that exists.
    pub fn verb_like(word: &OsStr) -> Option<String> {
        let word = word.to_str().filter(|word| !Path::new(word).exists())?;
        let verbs = Self::command();
        let names = || verbs.get_subcommands().map(clap::Command::get_name);
        let is_verb = names().any(|name| name == word);
        nearest(word, names()).filter(|_| !is_verb).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::taboo::TabooVerb;
    use dupi_report::JSON;

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
            assert_eq!(Cli::try_parse_from(args).unwrap().log_level, Some(LevelFilter::DEBUG), "{args:?}");
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

    fn read(words: &str) -> Result<Cli, Error> {
        Cli::read(&format!("dupi-tui {words}").split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_may_stand_before_their_verb() {
        let Some(Verb::Index(args)) = read("--index index --log-level debug index c").unwrap().verb else {
            panic!("no index")
        };
        assert_eq!((args.paths, args.build.index), (vec!["c".into()], Some("index".into())));
        let verb = read("--index d taboo list --json").unwrap().verb;
        assert!(
            matches!(verb, Some(Verb::Taboo(TabooVerb::List(args))) if args.list.format.format == JSON && args.list.home.index.is_some())
        );
        assert!(matches!(read("--json -C c passages").unwrap().verb, Some(Verb::Passages(_))));
    }

    #[test]
    fn a_mistyped_verb_is_told_from_a_path() {
        let like = |word: &str| Cli::verb_like(OsStr::new(word));
        assert_eq!(like("pasages").as_deref(), Some("passages"));
        assert_eq!(like("Docments").as_deref(), Some("documents"));
        assert_eq!((like("src"), like("nothing-alike"), like("~/corpus")), (None, None, None));
        assert_eq!(like("index"), None, "it is one");
    }

    #[test]
    fn what_stands_there_is_a_folder_or_wrong_else() {
        // A folder of this repository whose name is not a verb, and a folder that does not exist.
        assert_eq!(read("--rebuild src").unwrap().screen.paths, ["src"].map(std::path::PathBuf::from));
        assert!(read("notes clean").unwrap().verb.is_none(), "nothing is removed by a wrong order");
        assert!(read("--nonsuch passages").unwrap_err().to_string().contains("--nonsuch"));
        assert_eq!(read("--help index").unwrap_err().kind(), ErrorKind::DisplayHelp);
    }
}
