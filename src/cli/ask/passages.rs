//! `passages`: whole duplicated stretches, each once with all its copies.

use super::ask;
use crate::cli::args::PassagesArgs;
use crate::cli::output::Output;
use crate::cli::{CliError, Outcome};
use crate::config::Settings;
use crate::passage::found::Passage;
use crate::passage::located::{Located, locate};
use crate::passage::search::{self, Passages};
use crate::query::Occurrence;
use crate::report::{CopyRow, OccurrenceRow, PassageRow, one_line};
use crate::taboo::{TabooList, TabooSet};

/// Lists passages.
pub fn run(args: &PassagesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (place, snapshot) = ask(&args.find, settings)?;
    let taboo = if args.taboo {
        TabooSet::default()
    } else {
        TabooSet::new(&TabooList::load(&place.options.home)?, &snapshot.manifest().recipe)
    };
    let wanted = search::Settings {
        min_tokens: args.min_tokens,
        gap: args.gap,
        across: args.across,
        memory: place.options.memory,
    };
    let passages = Passages::find(&snapshot, &wanted, &taboo, args.sort, &|_| Ok(()))?;
    let shown = passages.found.iter().filter(|passage| passage.copies.len() >= args.min_copies);
    let shown: Vec<&Passage> = shown.take(args.top.unwrap_or(usize::MAX)).collect();
    let located = locate(&snapshot, &passages.sources, &shown);
    let mut output = Output::new(args.find.json);
    for (passage, located) in shown.iter().zip(located) {
        output.item(&row(passage, located), text)?;
    }
    output.finish()?;
    Ok(if shown.is_empty() { Outcome::Nothing } else { Outcome::Done })
}

fn row(passage: &Passage, located: Located) -> PassageRow {
    let copy = |(number, occurrence): (usize, Occurrence)| CopyRow {
        at: OccurrenceRow::from(&occurrence),
        similarity: rounded(f64::from(passage.copies[number].similarity)),
    };
    PassageRow {
        id: passage.id.to_string(),
        tokens: passage.tokens(),
        copies: passage.copies.len(),
        documents: passage.documents,
        similarity: rounded(passage.similarity()),
        score: passage.score(),
        parent: passage.parent.map(|parent| parent.to_string()),
        text: located.text,
        occurrences: located.copies.into_iter().map(copy).collect(),
    }
}

/// A share, to four digits.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

fn text(row: &PassageRow) -> String {
    let copies = row.occurrences.iter().map(|copy| {
        let at = &copy.at;
        let similarity = if copy.similarity < 1.0 {
            format!(" ({:.0} %)", copy.similarity * 100.0)
        } else {
            String::new()
        };
        format!("\t{}:{}:{}{similarity}\n", at.path.0, at.line, at.column)
    });
    format!(
        "{} {} copies in {} documents, {} tokens: {}\n{}",
        row.id,
        row.copies,
        row.documents,
        row.tokens,
        one_line(&row.text, 120),
        copies.collect::<String>()
    )
}
