//! The small threads of a session.
//!
//! Those of the preview, of the question which commits lines come from, and of the activity answer the last request, and
//! abandon it when a newer one arrives. One answers slow requests in order: it writes files, reads whole texts, lists places
//! and skipped files, pins copies, and counts what a decision would hide. One looks at the lists of decisions, which other
//! processes may change.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::export::{export, write};
use super::shared::SharedSession;
use super::signals::Concern;
use crate::decisions::steps::of_request;
use crate::decisions::taboo::{CHANGED, taboo_preview};
use crate::known::Found;
use crate::preview::copies::Copies;
use crate::preview::loading::is_in_reach;
use crate::protocol::{
    Activity, BlameAnswer, BlamedLines, IndexState, Item, Names, PlacesAnswer, Request, RowPlace, RowPlaces,
    Update, WriteResult, counted,
};
use crate::rows::list_row::{RowReaders, read_texts};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{TabooEntry, TabooList};
use dupi_judge::passages::PassageId;
use dupi_report::Finding;
use dupi_review::change::ChangeError;
use dupi_review::change::repository::Repository;

/// Answers requests for previews until the session stops.
pub(crate) fn answer_previews(shared: &SharedSession) {
    let mut copies: Option<Copies> = None;
    shared.follow(Concern::Preview, |seen| {
        if let Err(error) = preview(shared, &mut copies, seen) {
            shared.send(Update::Notice(error.to_string()));
        }
        shared.report_unread();
        None
    });
}

fn preview(shared: &SharedSession, copies: &mut Option<Copies>, seen: u64) -> Result<(), IndexError> {
    let (found, asked, taboo, is_shown_too) = {
        let state = shared.state();
        let is_shown_too = state.asked.view.as_ref().is_some_and(|view| view.show_taboo);
        (state.found(), state.asked.preview.clone(), state.taboo(), is_shown_too)
    };
    let (Some(found), Some((item, current))) = (found, asked) else { return Ok(()) };
    let shown = if is_shown_too { Arc::default() } else { Arc::clone(&taboo) };
    // Only rows of documents and folders need the shares.
    let known = found.known.as_ref().filter(|_| item.share().is_some());
    let shares = known.map(|known| known.shares(&shown));
    let old = copies.take();
    let copies = copies.insert(match old {
        // The copies are the same; a reason or a count of the row may have changed.
        Some(mut old) if old.is_of(&found, shares.as_ref(), &item) => {
            (old.item, old.of) = (item, (found, shares));
            old
        }
        old => Copies::new(&found, shares, item, old)?,
    });
    copies.load(&taboo, current, |preview| {
        let is_newest = shared.signals.is_newest(Concern::Preview, seen);
        if is_newest {
            shared.send(Update::Preview(Arc::new(preview)));
        }
        is_newest
    })?;
    shared.state().waits_for_folder = copies.is_out_of_reach;
    if copies.is_out_of_reach && is_in_reach(&copies.of.0.snapshot) {
        // The folder came back before `waits_for_folder` was set.
        shared.signals.raise(&[Concern::Preview]);
    }
    Ok(())
}

/// Says which commits the lines of the copy that was asked about last come from, until the session stops.
pub(crate) fn answer_blame(shared: &SharedSession) {
    shared.follow(Concern::Blame, |seen| {
        let (snapshot, at) = {
            let state = shared.state();
            (state.snapshot.clone(), state.asked.blame.clone())
        };
        let at = at?;
        let is_wanted = || shared.signals.is_newest(Concern::Blame, seen);
        let lines = match blamed(&snapshot?, &at, &is_wanted) {
            Ok(lines) => Ok(lines),
            Err(ChangeError::Stopped) => return None,
            Err(ChangeError::NoRepository(path)) => {
                Err(format!("{} is in no git repository, which would know that.", shown(&path)))
            }
            Err(ChangeError::NoGit) => {
                Err("There is no program git, which knows that; install it.".to_owned())
            }
            Err(error) => Err(error.to_string()),
        };
        shared.send(Update::Blame(Arc::new(BlameAnswer { at, lines })));
        None
    });
}

/// Where the lines of a copy come from.
fn blamed(
    snapshot: &Snapshot,
    at: &Occurrence,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Vec<BlamedLines>, ChangeError> {
    let (repository, below) = Repository::of_file(&snapshot.manifest().corpus.absolute(&at.path), is_wanted)?;
    let file = DocumentReader::new(snapshot).file(&at.path);
    let file = file.map_err(|reason| ChangeError::File(at.path.clone(), reason))?;
    let lines = at.line.saturating_sub(1)..at.end_line;
    let question = repository.blame(&below, &file.text, std::slice::from_ref(&lines))?;
    Ok(question.ask_while(is_wanted)?.commits(&lines))
}

/// Sends the activity while it is shown, until the session stops.
pub(crate) fn answer_activity(shared: &SharedSession) {
    let mut index: Option<Arc<IndexState>> = None;
    shared.follow(Concern::Activity, |_| {
        let (is_shown, snapshot) = {
            let state = shared.state();
            (state.asked.activity, state.snapshot.clone())
        };
        if !is_shown {
            return None;
        }
        index = snapshot.map(|snapshot| {
            let generation = snapshot.manifest().generation;
            let known = index.take().filter(|index| index.generation == generation);
            known.unwrap_or_else(|| Arc::new(IndexState::from_snapshot(&snapshot)))
        });
        let activity = Activity { index: index.clone(), ..shared.log().shown.clone() };
        shared.send(Update::Activity(Arc::new(activity)));
        None
    });
}

/// The interval at which the lists of decisions are checked.
const TICK: Duration = Duration::from_secs(1);

/// Reads the lists of decisions again when they change, until the session stops: a verb, another session or an editor may
/// change them. It does not wait for the indexer.
pub(crate) fn follow_decisions(shared: &SharedSession) {
    shared.follow(Concern::Decisions, |_| {
        look_at_decisions(shared);
        Some(Instant::now() + TICK)
    });
}

fn look_at_decisions(shared: &SharedSession) {
    let known = shared.state().decisions.clone();
    if let Some(known) = known.filter(|known| !known.is_newest()) {
        shared.read_decisions(|newest| newest.unwrap_or(&known).renewed());
    }
}

/// Answers requests until the session stops.
pub(crate) fn answer_requests(shared: &SharedSession) {
    shared.follow(Concern::Requests, |_| {
        answer_waiting(shared);
        None
    });
    answer_waiting(shared);
}

/// Answers the requests that wait.
fn answer_waiting(shared: &SharedSession) {
    loop {
        let (request, is_overtaken) = {
            let requests = &mut shared.state().asked.requests;
            let Some(request) = requests.pop_front() else { return };
            // Only the last one of several such requests is answered.
            let is_overtaken = matches!(request, Request::TabooPreview { .. })
                && matches!(requests.front(), Some(Request::TabooPreview { .. }));
            (request, is_overtaken)
        };
        // Files that were asked for are written even if the session ends.
        let is_file = matches!(request, Request::Export { .. } | Request::ExportTaboo { .. });
        if (is_file || !shared.is_stopped()) && !is_overtaken {
            answer(shared, request);
        }
    }
}

fn answer(shared: &SharedSession, request: Request) {
    let (found, decisions) = {
        let state = shared.state();
        (state.found(), state.decisions.clone())
    };
    let found = found.map(|found| of_request(&found, &request));
    let (Some(found), Some(decisions)) = (found, decisions) else {
        if !matches!(request, Request::Names | Request::Pin { .. }) {
            shared.send(Update::Notice("There is no index yet.".to_owned()));
        }
        return;
    };
    let update = match request {
        Request::Pin { id, copy } => return pin(shared, id, copy),
        Request::Names => Update::Names(Arc::new(Names::from_snapshot(&found.snapshot))),
        Request::Text { rows } => return send_texts(shared, &found, &rows),
        Request::Places { rows } => match places_of(&found, &rows) {
            Ok(places) => Update::Places(Arc::new(places)),
            Err(error) => Update::Notice(error.to_string()),
        },
        Request::Export { rows, file, replace } => Update::Written(export(&found, &rows, &file, replace)),
        Request::ExportTaboo { file, texts, replace } => {
            let is_meant =
                |entry: &&TabooEntry| texts.as_ref().is_none_or(|texts| texts.contains(&entry.text));
            let entries = decisions.taboo().map(|(_, entry)| entry);
            let list: TabooList = entries.filter(is_meant).cloned().collect();
            Update::Written(match list.to_text() {
                Ok(text) => {
                    let entries = counted(list.entries().len() as u64, ["entry", "entries"]);
                    write(&file, text.as_bytes(), replace, &format!("{entries} of the taboo list"))
                }
                Err(error) => WriteResult::Failed(error.to_string()),
            })
        }
        Request::Skipped => Update::Skipped(Arc::new(found.snapshot.skipped())),
        Request::TabooPreview { rows } => {
            match taboo_preview(&found, &decisions, rows, &|| shared.is_stopped()) {
                Ok(preview) => Update::TabooPreview(Arc::new(preview)),
                Err(IndexError::Stopped) => return,
                Err(error) => Update::Notice(error.to_string()),
            }
        }
        _ => return,
    };
    shared.send(update);
}

/// Sends the whole texts of some rows, as the documents have them now.
fn send_texts(shared: &SharedSession, found: &Found, rows: &[Item]) {
    let all: Vec<&Item> = rows.iter().collect();
    let texts = read_texts(found, &all, |row, readers| row.whole_text(found, readers));
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    if texts.is_empty() {
        return shared.send(Update::Notice(CHANGED.to_owned()));
    }
    let left_out = rows.len() - texts.len();
    shared.send(Update::Text(texts.join("\n\n")));
    if left_out > 0 {
        let rows = counted(left_out as u64, ["row is", "rows are"]);
        shared.send(Update::Notice(format!("{rows} left out: the text has changed.")));
    }
}

/// The places of some rows: of their copies, verified, or of the documents and folders that they are about. A row whose
/// text is gone, or that is no text of a document, has none and is left out.
fn places_of(found: &Found, rows: &[Item]) -> Result<PlacesAnswer, IndexError> {
    let mut readers = RowReaders::new(found);
    let mut known = Vec::with_capacity(rows.len());
    for row in rows {
        let exported = row.row().export(found, &mut readers)?;
        known.extend(exported.iter().filter_map(|row| Some(places(&row.finding()?))));
    }
    known.retain(|row: &RowPlaces| !row.places.is_empty());
    Ok(PlacesAnswer { of: rows.iter().map(Item::id).collect(), rows: known })
}

fn places(finding: &Finding) -> RowPlaces {
    let places = finding
        .places
        .iter()
        .map(|place| RowPlace { path: place.path.file(), line: (!place.is_folder).then(|| place.line()) });
    RowPlaces { id: finding.id.to_string(), places: places.collect() }
}

/// Pins a copy of a passage: the other copies are compared with it instead of the representative. Without a copy, or with
/// the representative, removes the pin. Pins are kept for the session, also when passages are searched again.
fn pin(shared: &SharedSession, id: PassageId, copy: Option<Occurrence>) {
    let listed = || shared.state().found().and_then(|found| found.known);
    let Some(known) = listed() else { return };
    let number = copy.as_ref().and_then(|copy| known.copy_number(id, copy));
    let is_usual = known.get(id).map(|passage| passage.representative as usize) == number;
    let is_wanted = copy.is_some() && !is_usual;
    match copy.filter(|_| number.is_some() && !is_usual) {
        Some(copy) => shared.state().pins.insert(id, copy),
        None => shared.state().pins.remove(&id),
    };
    // Passages that are found later get the pins from the search.
    let Some(known) = listed() else { return };
    shared.apply_pins(&known);
    if is_wanted && !known.pins().contains_key(&id) {
        shared.state().pins.remove(&id);
        let sentence = "This copy has changed; it cannot be compared with until it is read again.";
        shared.send(Update::Notice(sentence.to_owned()));
    }
    shared.show(|_| ());
}
