//! `accept`: edits the list of accepted passages, clusters of documents and blots. Only `add` reads the index.

use clap::{Args, Subcommand};

use super::args::{HomeArgs, ListArgs, TargetArgs};
use super::decisions::{FoundPassage, check, id_of, is_passage, numbered, passage, remove, short};
use super::error::CliError;
use super::output::{Outcome, Output, say};
use super::progress::{SearchBar, Terminal, Then};
use super::target::{CorpusTarget, home_of};
use dupi_base::config::Settings;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::unblot::{documents_of, unblot};
use dupi_index::taboo::{
    AcceptedEntry, AcceptedId, AcceptedList, AcceptedSet, CountingEntry, KeptTexts, excerpt, today,
};
use dupi_judge::passages::PassageId;
use dupi_report::AcceptedRow;
use dupi_session::{Item, cluster_of};

/// `accept`.
#[derive(Debug, Subcommand)]
pub enum AcceptVerb {
    /// Accept a passage, a cluster of documents or a blot: it was reviewed and stays as it is, until it gains copies
    Add(Box<AcceptAddArgs>),
    /// List the accepted passages, clusters and blots
    List(ListArgs),
    /// Remove an entry, so that it is open again
    Remove(AcceptRemoveArgs),
}

/// `accept add`.
#[derive(Debug, Args)]
pub struct AcceptAddArgs {
    /// The id of a passage as printed by `passages`, of a cluster as printed by `near` (as cluster:ID it is found sooner),
    /// a blot as blot:BLOT, or the beginning of a passage's text
    pub what: String,
    /// The reason, for readers of the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `accept remove`.
#[derive(Debug, Args)]
pub struct AcceptRemoveArgs {
    /// A number from `accept list`, an id, or the beginning of a text
    pub what: String,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// Runs a verb of `accept`.
pub(super) fn run(verb: &AcceptVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        AcceptVerb::Add(args) => add(args, settings),
        AcceptVerb::List(args) => list(args),
        AcceptVerb::Remove(args) => reopen(args),
    }
}

fn add(args: &AcceptAddArgs, settings: &Settings) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let place = CorpusTarget::of_verb(&args.target, None, settings)?;
    let terminal = Terminal::new(true, Then::Answer)?;
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
    let Some((found, former)) = found else { return Outcome::from_answer(true, snapshot.unread()) };
    let FoundPassage { of, copies, text, texts } = found;
    let (text, reason) = (excerpt(&text), args.reason.clone());
    let words = format!("accepted {of} with {copies} copies: {}\n", short(&text));
    let entry = AcceptedEntry { of, text, copies, fix: false, texts, added: today(), reason };
    AcceptedList::edit(&place.options.home, |list| list.decide_as([(former, entry)]))?;
    say(&words)?;
    Outcome::from_answer(false, snapshot.unread())
}

/// A cluster of documents or folders by its id, as the screen lists it.
fn cluster(
    snapshot: &Snapshot,
    memory: u64,
    id: u64,
) -> Result<Option<(FoundPassage, CountingEntry)>, CliError> {
    let bar = SearchBar::new("comparing");
    let row = cluster_of(snapshot, memory, id, &bar.tick())?;
    drop(bar);
    let of = AcceptedId::Cluster(id);
    let found = |row: Item| {
        let (copies, text) = (row.copies().unwrap_or_default(), row.decided_text().into_owned());
        (FoundPassage { of, copies, text, texts: KeptTexts::default() }, CountingEntry::own(of))
    };
    Ok(row.map(found))
}

fn list(args: &ListArgs) -> Result<Outcome, CliError> {
    let list = AcceptedList::load(&home_of(&args.home)?)?;
    let rows = (1..).zip(list.entries()).map(|(number, entry)| {
        let AcceptedEntry { of, text, copies, fix, added, reason, .. } = entry.clone();
        let (of, added) = (of.to_string(), added.to_string());
        AcceptedRow { number, of, added, copies, fix, reason, text }
    });
    Output::list(&args.format, rows)
}

fn reopen(args: &AcceptRemoveArgs) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let what = args.what.as_str();
    let id = id_of(what);
    // What `passages` prints may be the id of another copy now, and the digits of a cluster are of the same form.
    let passage = id.and_then(AcceptedId::passage);
    let cluster = passage.filter(|_| !is_passage(what)).map(AcceptedId::Cluster);
    let removed = remove(&home_of(&args.home)?, |list: &AcceptedList| {
        let find = |is_it: &dyn Fn(&AcceptedEntry) -> bool| list.entries().iter().find(|entry| is_it(entry));
        numbered(list, what)
            .or_else(|| find(&|entry| Some(entry.of) == id || Some(entry.of) == cluster))
            .or_else(|| find(&|entry| entry.texts.iter().any(|text| Some(text) == passage)))
            .or_else(|| find(&|entry| entry.text.starts_with(what)))
    })?;
    let Some(entry) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("open again: {} {}\n", entry.of, short(&entry.text)))?;
    Ok(Outcome::Done)
}
