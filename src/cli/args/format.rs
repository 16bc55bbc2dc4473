//! The format in which a verb prints its rows.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use crate::report::{FORMATS, Format, JSON, TEXT};

/// The format that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct FormatArgs(pub Format);

/// What is typed for it.
#[derive(Args)]
struct Typed {
    /// The format of the rows [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,
    /// Short for --format json
    #[arg(long)]
    json: bool,
}

/// A format, by its name.
fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
        .map(|given| FORMATS.iter().find(|format| format.name == given).copied().unwrap_or(TEXT))
}

impl FromArgMatches for FormatArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        match Typed::from_arg_matches(matches)? {
            Typed { format: None, json: false } => Ok(Self(TEXT)),
            Typed { format: None, json: true } => Ok(Self(JSON)),
            Typed { format: Some(format), json: true } if format != JSON => Err(Error::raw(
                ErrorKind::ArgumentConflict,
                format!("--json is short for --format json and contradicts --format {}", format.name),
            )),
            Typed { format: Some(format), .. } => Ok(Self(format)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for FormatArgs {
    fn augment_args(command: Command) -> Command {
        Typed::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Typed::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{Cli, FilterVerb, Verb};
    use clap::Parser;

    fn read(words: &str) -> Result<Format, String> {
        let line = format!("dupi-tui filter list {words}");
        match Cli::try_parse_from(line.split_whitespace()).map(|cli| cli.verb) {
            Ok(Some(Verb::Filter(FilterVerb::List(args)))) => Ok(args.format.0),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn a_format_has_a_name_and_json_a_short_form() {
        for (words, format) in [
            ("", TEXT),
            ("--format text", TEXT),
            ("--json", JSON),
            ("--format json", JSON),
            ("--json --format=json", JSON),
        ] {
            assert_eq!(read(words), Ok(format), "{words}");
        }
        for format in FORMATS {
            assert_eq!(read(&format!("--format {}", format.name)), Ok(*format));
        }
    }

    #[test]
    fn what_is_no_format_or_two_at_once_is_refused() {
        let unknown = read("--format yaml").unwrap_err();
        assert!(unknown.contains("yaml") && unknown.contains("text, json"), "{unknown}");
        let both = read("--format text --json").unwrap_err();
        assert!(both.contains("--json") && both.contains("--format text"), "{both}");
        assert!(read("--format").is_err() && read("--format json --format text").is_err());
    }

    #[test]
    fn verbs_that_print_no_rows_take_no_format() {
        for verb in ["taboo add", "accept add"] {
            for format in ["--json", "--format json"] {
                let line = format!("dupi-tui {verb} words {format}");
                let error = Cli::try_parse_from(line.split_whitespace()).unwrap_err().to_string();
                assert!(error.contains("unexpected argument"), "{line}: {error}");
            }
            let line = format!("dupi-tui {verb} words --no-update -k 7");
            assert!(Cli::try_parse_from(line.split_whitespace()).is_ok(), "{line}");
        }
    }
}
