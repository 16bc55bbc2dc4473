//! `accept`: edits the list of accepted passages and blots.

use super::args::{AcceptAddArgs, AcceptRemoveArgs, AcceptVerb, ListArgs};
use super::error::CliError;
use super::outcome::Outcome;
use super::output::{Output, say};
use super::progress::{SearchBar, Terminal, Then};
use super::target::{CorpusTarget, home_of};
use crate::config::Settings;
use crate::index::snapshot::Snapshot;
use crate::passage::copy::OpenCopy;
use crate::passage::passages::PassageId;
use crate::passage::search::{Passages, SearchSettings};
use crate::passage::{Measure, PassageOrder};
use crate::query::page::DocumentReader;
use crate::query::unblot::{documents_of, unblot};
use crate::report::{AcceptedRow, ReportRow};
use crate::storage::one_line;
use crate::taboo::{AcceptedEntry, AcceptedId, AcceptedList, excerpt, today};

/// Runs a verb of `accept`.
pub(super) fn run(verb: &AcceptVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        AcceptVerb::Add(args) => add(args, settings),
        AcceptVerb::List(args) => list(args),
        AcceptVerb::Remove(args) => remove(args),
    }
}

/// Parses an id: with its kind, or only the digits of a passage.
pub(super) fn id_of(what: &str) -> Option<AcceptedId> {
    what.parse().or_else(|_| format!("passage:{what}").parse()).ok()
}

/// Rejects an empty text, because every text begins with it.
pub(super) fn check(what: &str) -> Result<(), CliError> {
    if what.trim().is_empty() {
        return Err(CliError::Usage("the text is empty; give an id, or the beginning of a text".to_owned()));
    }
    Ok(())
}

fn add(args: &AcceptAddArgs, settings: &Settings) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let place = CorpusTarget::of_verb(&args.target, None, settings)?;
    let terminal = Terminal::new(true, Then::Answer).map_err(CliError::Signals)?;
    let snapshot = place.snapshot(args.target.no_update, &terminal)?;
    drop(terminal);
    let found = match id_of(&args.what) {
        Some(AcceptedId::Blot(blot)) => {
            let documents = documents_of(&snapshot, &snapshot.find(blot)?).len() as u64;
            let text = unblot(&snapshot, blot)?.into_iter().next().map(|snippet| snippet.text);
            text.map(|text| (AcceptedId::Blot(blot), documents, text))
        }
        Some(AcceptedId::Passage(id)) => passage(&snapshot, place.options.memory, Some(PassageId(id)), "")?,
        None => passage(&snapshot, place.options.memory, None, &args.what)?,
    };
    let Some((of, copies, text)) = found else { return Outcome::of(true, snapshot.unread()) };
    let entry =
        AcceptedEntry { of, text: excerpt(&text), copies, added: today(), reason: args.reason.clone() };
    let words = format!("accepted {of} with {copies} copies: {}\n", one_line(&entry.text, 100));
    AcceptedList::edit(&place.options.home, |list| list.accept([entry]))?;
    say(&words)?;
    Outcome::of(false, snapshot.unread())
}

/// A passage by its id, or the first one whose text begins with `start`.
pub(super) fn passage(
    snapshot: &Snapshot,
    memory: u64,
    id: Option<PassageId>,
    start: &str,
) -> Result<Option<(AcceptedId, u64, String)>, CliError> {
    let measure = Measure::usual(&snapshot.manifest().recipe);
    let settings = SearchSettings { measure, memory, ..SearchSettings::default() };
    let bar = SearchBar::new("passages");
    let tick = |share| {
        bar.set(share);
        Ok(())
    };
    let passages = Passages::find(snapshot, &settings, PassageOrder::default(), &tick)?;
    drop(bar);
    let mut reader = DocumentReader::new(snapshot);
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = folded(start);
    for passage in passages.found.iter().filter(|passage| id.is_none_or(|id| id == passage.id)) {
        let copy = OpenCopy::of(snapshot, &mut reader, &passages.sources, passage);
        let Some(text) = copy.map(|copy| copy.text().to_owned()) else { continue };
        if folded(&text).starts_with(&start) {
            return Ok(Some((AcceptedId::Passage(passage.id.0), passage.copies.len() as u64, text)));
        }
    }
    Ok(None)
}

fn list(args: &ListArgs) -> Result<Outcome, CliError> {
    let list = AcceptedList::load(&home_of(&args.home)?)?;
    let mut output = Output::begin(args.format)?;
    for (number, entry) in (1..).zip(list.entries()) {
        let AcceptedEntry { of, text, copies, added, reason } = entry.clone();
        let row = AcceptedRow { number, of: of.to_string(), added: added.to_string(), copies, reason, text };
        output.row(&ReportRow::Accepted(row))?;
    }
    output.end()?;
    Ok(if list.entries().is_empty() { Outcome::Nothing } else { Outcome::Done })
}

fn remove(args: &AcceptRemoveArgs) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let (_, removed) = AcceptedList::edit(&home_of(&args.home)?, |list| {
        let entries = list.entries();
        let by_number =
            args.what.parse::<usize>().ok().and_then(|number| entries.get(number.checked_sub(1)?));
        let by_id = || entries.iter().find(|entry| Some(entry.of) == id_of(&args.what));
        let by_text = || entries.iter().find(|entry| entry.text.starts_with(&args.what));
        let entry = by_number.or_else(by_id).or_else(by_text)?.clone();
        list.take(&entry)
    })?;
    let Some(entry) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("open again: {} {}\n", entry.of, one_line(&entry.text, 100)))?;
    Ok(Outcome::Done)
}
