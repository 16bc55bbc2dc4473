//! `unblot`: where blots stand, verified against the text.

use super::ask;
use crate::cli::args::UnblotArgs;
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::config::Settings;
use crate::query::unblot::unblot;
use crate::report::{OccurrenceRow, SnippetRow};
use crate::storage::one_line;

/// Shows the snippets of some blots.
pub fn run(args: &UnblotArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (_, snapshot) = ask(&args.find, settings)?;
    let mut output = Output::new(args.find.json);
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
            output.item(&row, text)?;
        }
    }
    output.finish()?;
    Outcome::of(printed == 0, snapshot.unread())
}

fn text(row: &SnippetRow) -> String {
    let copies = row.occurrences.iter().map(|at| format!("\t{}:{}:{}\n", at.path, at.line, at.column));
    format!(
        "{} {} copies: {}\n{}",
        row.blot,
        row.occurrences.len(),
        one_line(&row.text, 120),
        copies.collect::<String>()
    )
}
