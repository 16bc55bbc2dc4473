//! Draws an empty list: why it is empty, and what can be done.

use ratatui::layout::Rect;

use crate::action::Action;
use crate::model::Model;
use crate::text::{Canvas, behind, below, wrapped};
use crate::views::{EmptyList, list_of};
use dupi_session::{Phase, SearchState};

/// Draws the message of an empty list.
pub(super) fn draw_empty(canvas: &mut Canvas, area: Rect, model: &Model) {
    let room = (area.width.saturating_sub(3), area.height.saturating_sub(3));
    let lines = lines(model, (usize::from(room.0), usize::from(room.1)));
    let area = behind(below(area, 1), 2);
    canvas.put_lines(area, &lines[..1], canvas.theme.accent);
    canvas.put_lines(below(area, 1), &lines[1..], canvas.theme.quiet);
}

/// The message: first the fact, then the reason or the remedy. Long sentences are wrapped to the given size.
fn lines(model: &Model, (width, height): (usize, usize)) -> Vec<String> {
    let listing = &model.list.listing;
    let is_filtered = !model.list.view.filter.is_empty();
    let key = |action| model.settings.keymap.first(action);
    let say = |text: &str| -> Vec<String> { text.split('\n').map(str::to_owned).collect() };
    let list = list_of(model.list.view.of);
    let needs_passages = model.list.view.of.is_from_passages() && list.stand_in.is_none();
    let failed = match model.progress.as_ref().map(|progress| &progress.phase) {
        Some(Phase::Failed(sentence)) => Some(sentence),
        _ => listing.trouble.as_ref(),
    };
    if let Some(sentence) = failed {
        return [say("There is nothing to show.\n"), wrapped(sentence, width, height)].concat();
    }
    let is_of_clusters = model.list.view.of.is_from_clusters();
    let none_found = match model.search() {
        SearchState::Failed(sentence) if listing.is_provisional => Some(sentence),
        _ => None,
    };
    // Blots stand in for passages: that none match says nothing about passages.
    let is_looked_for = listing.is_provisional && none_found.is_none();
    let is_answered = listing.complete && !is_looked_for && !(listing.is_provisional && needs_passages);
    let is_of_review = model.list.view.of.is_from_review();
    let what = if is_of_clusters { "clusters" } else { "passages" };
    if is_filtered && is_answered && listing.hides_matches {
        let (show, back) = (key(Action::ShowTaboo), key(Action::Back));
        return say(&format!("All that matches is taboo.\n\n{show} shows it,\n{back} drops the filter."));
    }
    if is_filtered && is_answered {
        return say(&format!("No row matches the filter.\n\n{} drops it.", key(Action::Back)));
    }
    if model.is_busy() && list.reads_documents {
        return say(
            "Reading your documents.\n\nWhat is written more than once\nappears here as it is found.",
        );
    }
    if is_of_clusters && matches!(model.cluster_search, SearchState::At(_)) && !listing.is_provisional {
        return say("No two documents are the same.\n\nLooking for similar ones…");
    }
    let about = EmptyList {
        hides_rows: !listing.hidden.is_empty(),
        has_sigma: model.list.view.sigma.is_some(),
        key: &key,
    };
    let skipped = format!("{} lists the files left out.", key(Action::Skipped));
    match () {
        () if let Some(sentence) = none_found => {
            [say(&format!("No {what} could be found.\n")), wrapped(sentence, width, height)].concat()
        }
        () if listing.is_provisional && is_of_clusters => say(
            "Comparing your documents.\n\nThose that are the same come first;\nthe last line says how far it is.",
        ),
        () if listing.is_provisional && is_of_review => say(
            "Reviewing the change.\n\nWhat it copies, and what it changes\non one side only, appears here.",
        ),
        () if listing.is_provisional && needs_passages => say(
            "Looking for passages.\n\nShares follow when they are found;\nthe last line says how far it is.",
        ),
        () if is_filtered && (!listing.complete || is_looked_for) => say("Looking for rows that match…"),
        () if !listing.complete || (is_looked_for && !has_no_documents(model)) => say("Looking…"),
        () if list.reads_documents
            && has_no_documents(model)
            && let Some(sentence) = model.progress.as_ref().and_then(|progress| progress.lack.as_ref()) =>
        {
            let none = say("There is no document here yet.\n");
            [none, wrapped(sentence, width, height), say(&format!("\n{skipped}"))].concat()
        }
        () if list.reads_documents && has_no_documents(model) => {
            let none = "There is no document here yet.\n\nWhat is put into the folder\nappears by itself.";
            say(&format!("{none}\n{skipped}"))
        }
        () if let Some(own) = (list.empty)(&about) => say(&own),
        () if !listing.hidden.is_empty() => {
            let (show, undo) = (key(Action::ShowTaboo), key(Action::Undo));
            say(&format!(
                "All that is duplicated is taboo.\n\n{show} shows it, {undo} undoes the last\ndecision."
            ))
        }
        () => say(&format!("Nothing is written more\nthan once here.\n\n{skipped}")),
    }
}

/// Whether the corpus was read completely and has no documents.
fn has_no_documents(model: &Model) -> bool {
    model.progress.as_ref().is_some_and(|progress| progress.phase == Phase::Idle && progress.documents == 0)
}
