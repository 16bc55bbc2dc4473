//! The format in which a verb prints its rows, and its colours.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};

use dupi_base::storage;
use dupi_report::{FORMATS, Format, HyperlinkFormat, Hyperlinks, JSON, Style, TEXT};

/// The format that was asked for. Rows that are findings have any, other rows are text or JSON.
#[derive(Clone, Debug)]
pub struct FormatArgs<const FINDINGS: bool = true> {
    /// The format.
    pub format: Format,
    /// When text is coloured.
    pub color: ColorChoice,
    /// The links of the places in it.
    pub hyperlinks: HyperlinkFormat,
    /// Whether any of this was asked for.
    pub is_given: bool,
}

/// The format of rows that are no findings.
pub(crate) type PlainFormatArgs = FormatArgs<false>;

/// When text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The options of every verb that prints rows.
#[derive(Args)]
struct Typed {
    /// The format of the rows [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = formats(false))]
    format: Option<Format>,
    /// Short for --format json
    #[arg(long)]
    json: bool,
    /// When text is coloured [default: auto, on a terminal unless NO_COLOR is set]
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<ColorChoice>,
}

/// The option of verbs whose rows have places.
#[derive(Args)]
struct TypedLinks {
    /// Link each place in text on a terminal to its file, where colours are on: an address with {path}, {line}, {column}
    /// and {host}, or the name of one, as ripgrep has them
    #[arg(long, value_name = "FORMAT", long_help = hyperlink_help())]
    hyperlink_format: Option<HyperlinkFormat>,
}

/// The long help of `--hyperlink-format`.
fn hyperlink_help() -> String {
    format!(
        "Link each place in text on a terminal to its file, where colours are on: an address with {{path}}, {{line}}, \
         {{column}} and {{host}}, or the name of one, as ripgrep has them: {} [default: none]",
        HyperlinkFormat::help()
    )
}

/// The formats by their names: all, or those that write rows that are no findings.
fn formats(of_findings: bool) -> impl TypedValueParser<Value = Format> {
    let known = FORMATS.iter().filter(|format| of_findings || !format.is_of_findings);
    PossibleValuesParser::new(known.map(|format| PossibleValue::new(format.name).help(format.about)))
        .map(|given| FORMATS.iter().find(|format| format.name == given).copied().unwrap_or(TEXT))
}

impl<const FINDINGS: bool> FormatArgs<FINDINGS> {
    /// How text for people looks on standard output.
    pub fn style(&self) -> Style {
        let is_terminal = io::stdout().is_terminal();
        // https://no-color.org: set and not empty.
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_coloured = match self.color {
            ColorChoice::Auto => is_terminal && !no_color,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        let width = is_terminal.then(|| crossterm::terminal::size().ok()).flatten();
        Style {
            is_coloured,
            width: width.map(|(columns, _)| usize::from(columns)).filter(|width| *width > 0),
        }
    }

    /// The links of a report on documents below a folder: only a terminal gets any.
    pub fn links(&self, base: &Path) -> Hyperlinks {
        if self.hyperlinks.is_none() || !io::stdout().is_terminal() {
            return Hyperlinks::default();
        }
        let base = std::path::absolute(base).unwrap_or_else(|_| base.to_owned());
        Hyperlinks { format: self.hyperlinks.clone(), base, host: host() }
    }
}

/// The name of this machine, as far as it can stand in an address; empty if it is not known.
fn host() -> String {
    let known = storage::host();
    let is_of_name = |sign: char| sign.is_ascii_alphanumeric() || "-._".contains(sign);
    if known.chars().all(is_of_name) { known } else { String::new() }
}

// Derived, --json and --format json could not be given together.
impl<const FINDINGS: bool> FromArgMatches for FormatArgs<FINDINGS> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Typed { format, json, color } = Typed::from_arg_matches(matches)?;
        let links = if FINDINGS { TypedLinks::from_arg_matches(matches)?.hyperlink_format } else { None };
        let is_given = json || format.is_some() || color.is_some() || links.is_some();
        let contradicting = format.filter(|format| json && *format != JSON);
        if let Some(Format { name, .. }) = contradicting {
            let sentence = format!("--json is short for --format json and contradicts --format {name}");
            return Err(Error::raw(ErrorKind::ArgumentConflict, sentence));
        }
        let format = format.unwrap_or(if json { JSON } else { TEXT });
        let (color, hyperlinks) = (color.unwrap_or_default(), links.unwrap_or_default());
        Ok(Self { format, color, hyperlinks, is_given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        Self::from_arg_matches(matches).map(|given| *self = given)
    }
}

impl<const FINDINGS: bool> Args for FormatArgs<FINDINGS> {
    fn augment_args(command: Command) -> Command {
        let command = Typed::augment_args(command);
        if !FINDINGS {
            return command;
        }
        let any = formats(true);
        TypedLinks::augment_args(command.mut_arg("format", |format| format.value_parser(any)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::filter::FilterVerb;
    use crate::cli::program::{Cli, Verb};
    use clap::Parser;

    fn read(words: &str) -> Result<Format, String> {
        let line = format!("dupi-tui filter list {words}");
        match Cli::try_parse_from(line.split_whitespace()).map(|cli| cli.verb) {
            Ok(Some(Verb::Filter(FilterVerb::List(args)))) => Ok(args.format.format),
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
            let read = read(&format!("--format {}", format.name));
            assert_eq!(read.is_ok(), !format.is_of_findings, "a list of filters has no findings");
            let passages = Cli::try_parse_from(["dupi-tui", "passages", "--format", format.name]);
            assert!(
                matches!(passages.unwrap().verb, Some(Verb::Passages(args)) if args.find.format.format == *format)
            );
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
