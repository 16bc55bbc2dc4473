//! Accepts options of a verb before the verb, and parses them as if they came after it.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error, FromArgMatches, Parser};

use super::Cli;
use dupi_index::query::filter::names::nearest;

impl Cli {
    /// Parses a command line, which begins with the name of the program.
    pub fn read(given: &[OsString]) -> Result<Self, Error> {
        let is_short = |word: &OsString| word == "-h";
        let command = if given.iter().any(is_short) { Self::brief() } else { Self::grouped() };
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
    use crate::cli::args::{TabooVerb, Verb};
    use dupi_report::JSON;

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
            matches!(verb, Some(Verb::Taboo(TabooVerb::List(args))) if args.list.format.0.format == JSON && args.list.home.index.is_some())
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
