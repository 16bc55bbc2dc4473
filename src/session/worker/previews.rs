//! The thread of the preview: answers the last request for a preview, and abandons it when a newer one arrives.

use std::sync::Arc;

use super::shared::SharedSession;
use crate::preview::copies::{Copies, FoundParts};
use crate::preview::loading::is_in_reach;
use crate::protocol::Update;
use dupi_index::index::IndexError;

/// Answers requests for previews until the session stops.
pub(crate) fn answer_previews(shared: &SharedSession) {
    let mut copies: Option<Copies> = None;
    let mut seen = 0;
    while let Some(now) = shared.preview.wait(seen) {
        seen = now;
        if let Err(error) = preview(shared, &mut copies, seen) {
            shared.send(Update::Notice(error.to_string()));
        }
        shared.report_unread();
    }
}

fn preview(shared: &SharedSession, copies: &mut Option<Copies>, seen: u64) -> Result<(), IndexError> {
    let (snapshot, item, current, known, clusters, review, taboo) = {
        let state = shared.state();
        let (Some(snapshot), Some((item, current))) = (state.snapshot.clone(), state.preview.clone()) else {
            return Ok(());
        };
        let review = state.review.found().cloned();
        (snapshot, item, current, state.listed_passages(), state.clusters.clone(), review, state.taboo())
    };
    let is_shown_too = shared.state().view.as_ref().is_some_and(|view| view.show_taboo);
    let shown = if is_shown_too { Arc::default() } else { Arc::clone(&taboo) };
    let shares = known.as_ref().filter(|_| item.row().needs_shares()).map(|known| known.shares(&shown));
    let found = FoundParts { known, shares, clusters, review };
    let is_it = |copies: &Copies| copies.is_of(&snapshot, &found, &item);
    let old = copies.take();
    let copies = copies.insert(match old {
        // The copies are the same; a reason or a count of the row may have changed.
        Some(mut old) if is_it(&old) => {
            old.item = item;
            old
        }
        old => Copies::new(&snapshot, found, item, old)?,
    });
    copies.load(&taboo, current, |preview| {
        let is_newest = shared.preview.is_newest(seen);
        if is_newest {
            shared.send(Update::Preview(Arc::new(preview)));
        }
        is_newest
    })?;
    shared.state().waits_for_folder = copies.is_out_of_reach;
    if copies.is_out_of_reach && is_in_reach(&snapshot) {
        // The folder came back before `waits_for_folder` was set.
        shared.preview.raise();
    }
    Ok(())
}
