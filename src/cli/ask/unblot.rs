//! `unblot`: where blots stand, verified against the text.

use super::ask;
use crate::cli::args::UnblotArgs;
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use dupi_base::config::Settings;
use dupi_index::query::unblot::unblot;
use dupi_report::{OccurrenceRow, ReportRow, SnippetRow};

/// Shows the snippets of some blots.
pub(crate) fn run(args: &UnblotArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (_, snapshot) = ask(&args.find, Some(&args.only), None, settings)?;
    let mut output = Output::begin_on(&args.find.format, &snapshot.manifest().corpus.base)?;
    let mut printed = 0;
    for &blot in &args.blots {
        for snippet in unblot(&snapshot, blot)? {
            if !args.all && snippet.occurrences.len() < 2 {
                continue;
            }
            printed += 1;
            let row = SnippetRow {
                blot: blot.to_string(),
                text: snippet.text,
                occurrences: snippet.occurrences.iter().map(OccurrenceRow::from).collect(),
            };
            output.row(&ReportRow::Snippet(row))?;
        }
    }
    output.end()?;
    Outcome::of(printed == 0, snapshot.unread())
}
