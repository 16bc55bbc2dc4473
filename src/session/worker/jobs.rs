//! Runs slow, read-only requests in order, on a thread of its own: writes files, reads whole texts, lists places and skipped files,
//! and counts what a decision would hide.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::export::{export, write};
use super::file_lists::write_list;
use super::pins::pin;
use super::places::places_of;
use super::shared::SharedSession;
use crate::decisions::decision_outcome::CHANGED;
use crate::decisions::taboo_preview::taboo_preview;
use crate::protocol::{Names, Request, Update, WriteResult, counted};
use crate::rows::Item;
use crate::rows::list_row::RowSource;
use crate::rows::whole_texts::whole_texts;
use dupi_index::index::IndexError;
use dupi_index::taboo::{TabooEntry, TabooList};

/// Runs requests until the channel is closed.
pub(crate) fn run(shared: &SharedSession, inbox: &Receiver<Request>) {
    let mut next = inbox.recv().ok();
    while let Some(request) = next.take() {
        let waiting = inbox.try_recv().ok();
        // Files that were asked for are written even if the session ends.
        let is_file = matches!(request, Request::Export { .. } | Request::ExportTaboo { .. });
        // Only the last one of several such requests is answered.
        let is_overtaken = matches!(request, Request::TabooPreview { .. })
            && matches!(waiting, Some(Request::TabooPreview { .. }));
        if (is_file || !shared.is_stopped()) && !is_overtaken {
            run_one(shared, request);
        }
        next = waiting.or_else(|| inbox.recv().ok());
    }
}

fn run_one(shared: &SharedSession, request: Request) {
    if let Request::Pin { id, copy } = request {
        return pin(shared, id, copy);
    }
    if request == Request::Names {
        let snapshot = shared.state().snapshot.clone();
        snapshot.into_iter().for_each(|snapshot| shared.send(Update::Names(Arc::new(Names::of(&snapshot)))));
        return;
    }
    let (snapshot, known, clusters, review, decisions) = {
        let state = shared.state();
        match (&state.snapshot, &state.decisions) {
            (Some(snapshot), Some(decisions)) => {
                let (passages, clusters) = (state.listed_passages(), state.clusters.clone());
                (snapshot.clone(), passages, clusters, state.review.clone(), decisions.clone())
            }
            _ => {
                drop(state);
                return shared.send(Update::Notice("There is no index yet.".to_owned()));
            }
        }
    };
    let (known, clusters) = (known.as_deref(), clusters.as_deref());
    let review = review.found().map(|review| &**review);
    let source = RowSource { snapshot: &snapshot, known, clusters, review };
    let source = source.of_rows(request.rows().first().is_some_and(|row| row.row().is_from_review()));
    match request {
        Request::Text { rows } => {
            let rows: Vec<&Item> = rows.iter().collect();
            let texts: Vec<String> = whole_texts(&source, &rows).into_iter().flatten().collect();
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
        Request::Places { rows } => match places_of(&source, &rows) {
            Ok(places) => shared.send(Update::Places(Arc::new(places))),
            Err(error) => shared.send(Update::Notice(error.to_string())),
        },
        Request::Export { rows, file, replace } => {
            let list = write_list(&source, &rows, &file, replace);
            let written = list.unwrap_or_else(|| export(&source, &rows, &file, replace));
            shared.send(Update::Written(written));
        }
        Request::ExportTaboo { file, texts, replace } => {
            let is_meant =
                |entry: &&TabooEntry| texts.as_ref().is_none_or(|texts| texts.contains(&entry.text));
            let entries = decisions.taboo().map(|(_, entry)| entry);
            let list: TabooList = entries.filter(is_meant).cloned().collect();
            let written = match list.to_text() {
                Ok(text) => {
                    let entries = counted(list.entries().len() as u64, ["entry", "entries"]);
                    write(&file, text.as_bytes(), replace, &format!("{entries} of the taboo list"))
                }
                Err(error) => WriteResult::Failed(error.to_string()),
            };
            shared.send(Update::Written(written));
        }
        Request::Skipped => shared.send(Update::Skipped(Arc::new(snapshot.skipped()))),
        Request::TabooPreview { rows } => {
            match taboo_preview(&source, &decisions, rows, &|| shared.is_stopped()) {
                Ok(preview) => shared.send(Update::TabooPreview(Arc::new(preview))),
                Err(IndexError::Stopped) => {}
                Err(error) => shared.send(Update::Notice(error.to_string())),
            }
        }
        _ => {}
    }
}
