//! `accept`: edits the list of accepted passages, clusters of documents and blots.

use super::args::{AcceptAddArgs, AcceptRemoveArgs, AcceptVerb, ListArgs};
use super::error::CliError;
use super::outcome::Outcome;
use super::output::{Output, say};
use super::progress::{SearchBar, Terminal, Then};
use super::target::{CorpusTarget, home_of};
use dupi_base::config::Settings;
use dupi_base::storage::{one_line, shown};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::page::DocumentReader;
use dupi_index::query::unblot::{documents_of, unblot};
use dupi_index::taboo::{
    AcceptedEntry, AcceptedId, AcceptedList, AcceptedSet, CountingEntry, KeptTexts, excerpt, today,
};
use dupi_judge::copy::OpenCopy;
use dupi_judge::kept;
use dupi_judge::passages::PassageId;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_passage::Measure;
use dupi_passage::unit::Unit;
use dupi_report::{AcceptedRow, ReportRow};
use dupi_session::{Item, cluster_of};

/// Runs a verb of `accept`.
pub(super) fn run(verb: &AcceptVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        AcceptVerb::Add(args) => add(args, settings),
        AcceptVerb::List(args) => list(args),
        AcceptVerb::Remove(args) => remove(args),
    }
}

/// Parses an id: with its kind, or only the digits of a passage; those of a cluster are of the same form.
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
    let memory = place.options.memory;
    let found = match id_of(&args.what) {
        Some(AcceptedId::Blot(blot)) => {
            let copies = documents_of(&snapshot, &snapshot.find(blot)?).len() as u64;
            let text = unblot(&snapshot, blot)?.into_iter().next().map(|snippet| snippet.text);
            let of = AcceptedId::Blot(blot);
            text.map(|text| {
                (FoundPassage { of, copies, text, texts: KeptTexts::default() }, CountingEntry::own(of))
            })
        }
        Some(AcceptedId::Cluster(id)) => cluster(&snapshot, memory, id)?,
        id => {
            let id = id.and_then(AcceptedId::passage).map(PassageId);
            let start = if id.is_some() { "" } else { &args.what };
            let found = passage(&snapshot, memory, id, start)?.map(|(found, passages)| {
                let list = AcceptedList::load(&place.options.home).unwrap_or_default();
                let former = passages.accepted(&AcceptedSet::new(&list)).entry(found.of);
                let of = found.of;
                (found, former.unwrap_or(CountingEntry::own(of)))
            });
            match (found, id) {
                // The digits that `near` prints.
                (None, Some(PassageId(id))) if !is_passage(&args.what) => cluster(&snapshot, memory, id)?,
                (found, _) => found,
            }
        }
    };
    let Some((found, former)) = found else { return Outcome::of(true, snapshot.unread()) };
    let FoundPassage { of, copies, text, texts } = found;
    let (text, reason) = (excerpt(&text), args.reason.clone());
    let words = format!("accepted {of} with {copies} copies: {}\n", one_line(&text, 100));
    let entry = AcceptedEntry { of, text, copies, fix: false, texts, added: today(), reason };
    AcceptedList::edit(&place.options.home, |list| list.accept_as([(former, entry)]))?;
    say(&words)?;
    Outcome::of(false, snapshot.unread())
}

/// Whether an id says that it is one of a passage.
fn is_passage(what: &str) -> bool {
    what.starts_with("passage:")
}

/// A cluster of documents or folders by its id, as the screen lists it.
fn cluster(
    snapshot: &Snapshot,
    memory: u64,
    id: u64,
) -> Result<Option<(FoundPassage, CountingEntry)>, CliError> {
    let bar = SearchBar::new("comparing");
    let row = cluster_of(snapshot, memory, id, &|share| {
        bar.set(share);
        Ok(())
    })?;
    drop(bar);
    let of = AcceptedId::Cluster(id);
    let found = |row: Item| {
        let (copies, text) = (row.copies().unwrap_or_default(), row.decided_text().into_owned());
        (FoundPassage { of, copies, text, texts: KeptTexts::default() }, CountingEntry::own(of))
    };
    Ok(row.map(found))
}

/// What is decided about.
pub(super) struct FoundPassage {
    /// Its id.
    pub of: AcceptedId,
    /// How many copies it has.
    pub copies: u64,
    /// Its text; the name of folders.
    pub text: String,
    /// What the decision keeps of the texts of other copies.
    pub texts: KeptTexts,
}

/// A passage by its id, or the first one whose text begins with `start`; with all passages.
pub(super) fn passage(
    snapshot: &Snapshot,
    memory: u64,
    id: Option<PassageId>,
    start: &str,
) -> Result<Option<(FoundPassage, Passages)>, CliError> {
    let measure = Measure::usual(&snapshot.manifest().recipe);
    let settings = SearchSettings { measure, memory, ..SearchSettings::default() };
    let bar = SearchBar::new("passages");
    let tick = |share| {
        bar.set(share);
        Ok(())
    };
    let passages = kept::load_or_find(snapshot, &settings, &tick)?;
    drop(bar);
    let mut reader = DocumentReader::new(snapshot);
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = folded(start);
    for passage in passages.found.iter().filter(|passage| id.is_none_or(|id| id == passage.id)) {
        // The text of one document does not name its folder.
        if id.is_none() && matches!(passage.unit, Unit::Folder(_)) {
            continue;
        }
        let copy = OpenCopy::of(snapshot, &mut reader, &passages.sources, passage);
        let Some(copy) = copy else { continue };
        if folded(copy.text()).starts_with(&start) {
            let text = match passage.unit {
                Unit::Folder(tree) => format!("{}/", shown(tree.folder(&copy.page.file.path)).text()),
                _ => copy.text().to_owned(),
            };
            let (of, copies) = (AcceptedId::Passage(passage.id.0), passage.copies.len() as u64);
            let texts = passages.copy_texts.kept(passage.id);
            return Ok(Some((FoundPassage { of, copies, text, texts }, passages)));
        }
    }
    Ok(None)
}

fn list(args: &ListArgs) -> Result<Outcome, CliError> {
    let list = AcceptedList::load(&home_of(&args.home)?)?;
    let rows = (1..).zip(list.entries()).map(|(number, entry)| {
        let AcceptedEntry { of, text, copies, fix, added, reason, .. } = entry.clone();
        let (of, added) = (of.to_string(), added.to_string());
        ReportRow::Accepted(AcceptedRow { number, of, added, copies, fix, reason, text })
    });
    Output::list(&args.format, rows)
}

fn remove(args: &AcceptRemoveArgs) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let (_, removed) = AcceptedList::edit(&home_of(&args.home)?, |list| {
        let entries = list.entries();
        let by_number =
            args.what.parse::<usize>().ok().and_then(|number| entries.get(number.checked_sub(1)?));
        let id = id_of(&args.what);
        let cluster =
            id.and_then(AcceptedId::passage).filter(|_| !is_passage(&args.what)).map(AcceptedId::Cluster);
        let by_id = || entries.iter().find(|entry| Some(entry.of) == id || Some(entry.of) == cluster);
        // What `passages` prints may be the id of another copy now.
        let id = id.and_then(AcceptedId::passage);
        let by_copy = || entries.iter().find(|entry| entry.texts.iter().any(|text| Some(text) == id));
        let by_text = || entries.iter().find(|entry| entry.text.starts_with(&args.what));
        let entry = by_number.or_else(by_id).or_else(by_copy).or_else(by_text)?.clone();
        list.take(&entry)
    })?;
    let Some(entry) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("open again: {} {}\n", entry.of, one_line(&entry.text, 100)))?;
    Ok(Outcome::Done)
}
