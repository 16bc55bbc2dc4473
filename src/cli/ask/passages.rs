//! `passages`: whole duplicated stretches, each once with all its copies.

use std::path::Path;

use super::{accepted, ask, hidden, percent};
use crate::cli::args::{AlikeArgs, PassagesArgs};
use crate::cli::error::CliError;
use crate::cli::filter::given;
use crate::cli::messages::tell;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::cli::place::Place;
use crate::cli::progress::SearchBar;
use crate::config::Settings;
use crate::corpus::{Unread, portions};
use crate::index::snapshot::Snapshot;
use crate::passage::Order;
use crate::passage::bounds::LeftOut;
use crate::passage::choice::PassageChoice;
use crate::passage::edits::edits;
use crate::passage::found::Passage;
use crate::passage::located::locate;
use crate::passage::search::{self, Passages};
use crate::report::{EditRow, PassageRow, in_short};
use crate::session::Subject;
use crate::storage::one_line;
use crate::taboo::TabooSet;

/// Bytes that the place of a copy takes while it is printed.
const LOCATED: u64 = 256;
/// The part of the memory that what is printed next may take.
const LOCATED_SHARE: u64 = 2;

/// Lists passages.
pub fn run(args: &PassagesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let filter = given(args.filter.as_deref(), Subject::Passages)?;
    let (place, snapshot) = ask(&args.find, settings)?;
    let (taboo, accepted) = (hidden(&place, &snapshot)?, accepted(&place)?);
    let shows_taboo = args.alike.taboo || filter.wants_taboo();
    let unseen = if shows_taboo { &TabooSet::default() } else { &taboo };
    let (passages, _) = find(&place, &snapshot, &args.alike, unseen, args.sort)?;
    let is_meant = args.path.as_ref().map(|pattern| |path: &Path| pattern.matches(path));
    let choice = PassageChoice {
        filter,
        taboo: &taboo,
        accepted: &accepted,
        least: args.alike.min_tokens,
        min_copies: args.min_copies,
        path: is_meant.as_ref().map(|is_meant| is_meant as &dyn Fn(&Path) -> bool),
        order: args.sort,
        most: args.top.unwrap_or(usize::MAX),
    };
    let shown = choice.of(&snapshot, &passages);
    let mut output = Output::new(args.find.json);
    let mut is_empty = true;
    // Copies that are looked up at once take as much as their places and texts do.
    let bytes = |passage: &&Passage| {
        let text = passage.representative().end - passage.representative().start;
        passage.copies.len() as u64 * LOCATED + u64::from(text)
    };
    for some in portions(&shown, place.options.memory / LOCATED_SHARE, bytes) {
        let located = locate(&snapshot, &passages.sources, some, args.context);
        // Files may have changed since they were searched.
        for (passage, located) in some.iter().zip(located).filter(|(_, located)| located.copies.len() > 1) {
            is_empty = false;
            let edits = args.edits.then(|| edits(&snapshot, &passages.sources, passage));
            output.item(&PassageRow::new(passage, located, edits), text)?;
        }
    }
    output.finish()?;
    complete(is_empty, snapshot.unread(), passages.left_out)
}

/// What a verb comes to that told passages: whether there were none, what could not be read, and what was left out.
pub fn complete(is_empty: bool, unread: &Unread, left_out: LeftOut) -> Result<Outcome, CliError> {
    let outcome = Outcome::of(is_empty, unread);
    if left_out.is_empty() {
        return outcome;
    }
    if let Err(error) = outcome {
        tell(error);
    }
    Err(CliError::LeftOut(left_out))
}

/// Looks for the passages that count and are not taboo, and tells how far it is.
pub fn find(
    place: &Place,
    snapshot: &Snapshot,
    alike: &AlikeArgs,
    taboo: &TabooSet,
    order: Order,
) -> Result<(Passages, search::Settings), CliError> {
    let wanted = search::Settings {
        measure: alike.near.measure(alike.min_tokens, &snapshot.manifest().recipe),
        across: alike.across,
        memory: place.options.memory,
    };
    let bar = SearchBar::new("passages");
    let tick = |share| {
        bar.set(share);
        Ok(())
    };
    Ok((Passages::find(snapshot, &wanted, taboo, order, &tick)?, wanted))
}

fn text(row: &PassageRow) -> String {
    let copies = row.occurrences.iter().map(|copy| {
        let at = &copy.at;
        let alike = percent(copy.similarity);
        let context = |words: &Option<String>, mark: &str| {
            let words = words.as_ref().map(|words| format!("\t\t{mark} {}\n", one_line(words, 400)));
            words.unwrap_or_default()
        };
        let (before, after) = (context(&copy.before, "…"), context(&copy.after, "↵"));
        let edits: String = copy.edits.iter().flatten().map(edit).collect();
        format!("{before}\t{}:{}:{}{alike}\n{edits}{after}", at.path, at.line, at.column)
    });
    format!(
        "{} {} copies in {} documents, {} tokens, {} bits: {}\n{}",
        row.id,
        row.copies,
        row.documents,
        row.tokens,
        in_short(row.worth),
        one_line(&row.text, 120),
        copies.collect::<String>()
    )
}

/// As `wdiff` writes it.
fn edit(edit: &EditRow) -> String {
    let part = |open: &str, text: &str, close: &str| {
        let text = one_line(text, 200);
        if text.is_empty() { String::new() } else { format!("{open}{text}{close}") }
    };
    let (old, new) = (part("[-", &edit.instead_of, "-]"), part("{+", &edit.text, "+}"));
    format!("\t\t{}:{} {old}{new}\n", edit.line, edit.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_from_which_something_was_left_out_is_a_failure_that_says_what() {
        let unread = Unread::default();
        assert!(matches!(complete(false, &unread, LeftOut::default()), Ok(Outcome::Done)));
        let left_out = LeftOut { places: 7, ..LeftOut::default() };
        let said = complete(false, &unread, left_out).err().map(|error| error.to_string());
        let expected =
            "left out of the passages: 7 places of a text that repeats itself; what was found is told";
        assert_eq!(said.as_deref(), Some(expected));
    }
}
