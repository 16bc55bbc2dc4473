//! The list: takes rows in, keeps the selection on its row, and asks for rows.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::action::{Action, ViewPage};
use crate::model::{Menu, Model, Overlay, Stretch};
use crate::reader::PendingTask;
use crate::update::preview::Stretches;
use crate::update::preview::ask_preview;
use crate::view::columns;
use crate::views::{FIRST_ROWS, list_of};
use dupi_session::{Item, ItemId, Listing, Preview, Request, SearchState, Sort, View};

/// The number of rows that are loaded at most to find a certain row.
pub(super) const FARTHEST: usize = 20_000;

/// For this long after the selected row was replaced by another one, a decision needs confirmation.
const SURPRISE: Duration = Duration::from_millis(500);

/// Takes in rows. The selection stays on its row; if that is gone, it moves to the row in its place. A row that an
/// undone decision brings back is selected.
pub(super) fn on_rows(model: &mut Model, listing: Arc<Listing>) {
    if !answers_request(model, &listing) {
        return;
    }
    if listing.trouble.is_some() && !model.list.listing.rows.is_empty() {
        // Keep the rows that are there.
        model.list.is_chosen = true;
        return;
    }
    // The user asked for this list and expects other rows. It may come in parts.
    model.list.awaits_other |= !is_same_view(&model.list.listing.view, &listing.view);
    let is_surprise = model.list.deciding == 0 && !model.list.awaits_other;
    model.list.awaits_other &= !listing.complete && listing.rows.len() < listing.view.wanted;
    let found = |id: ItemId| listing.rows.iter().position(|row| row.id() == id);
    let old = model.list.row().cloned();
    let same_text = old.as_ref().and_then(|old| place_of(&listing, old, &model.reader.preview));
    let returned = if model.list.returns { first_new(&model.list.listing, &listing) } else { None };
    if let Some(at) = returned.or_else(|| model.list.sought.and_then(found)) {
        let id = listing.rows[at].id();
        if model.list.selected != Some(id) {
            model.reader.want_copy(0);
            note_replacement(model, is_surprise && model.list.selected.is_some() && same_text != Some(at));
        }
        model.list.returns &= returned.is_none();
        (model.list.listing, model.list.selected) = (listing, Some(id));
        fit_columns(model);
        follow_row(model, old.as_ref().map(Item::id), same_text == Some(at));
        choose(model);
        model.list.lost_at = None;
        return ask_preview(model);
    }
    let before = model.list.place_in_list();
    let held = same_text;
    let is_held = model.list.is_held();
    model.list.listing = listing;
    fit_columns(model);
    let loaded = model.list.listing.rows.len();
    let is_loading = !model.list.listing.complete && loaded < model.list.view.wanted;
    if held.is_none() && is_held && is_loading && before.is_some_and(|before| before >= loaded) {
        // The row can still arrive.
        (model.list.sought, model.list.lost_at) = (model.list.sought.or(model.list.selected), before);
        return;
    }
    let held = held.filter(|_| is_held);
    let before = before.filter(|_| is_held);
    let at = held.or(before).unwrap_or(0).min(model.list.listing.rows.len().saturating_sub(1));
    // A row stays on its line of the screen. But a list that is shown from its beginning still is.
    if let (Some(held), Some(before)) = (held, before)
        && model.list.first_row > 0
    {
        model.list.first_row = (model.list.first_row + held).saturating_sub(before);
    }
    let row = model.list.listing.rows.get(at).cloned();
    if model.list.sought.is_none() && !model.list.listing.complete && held.is_none() && is_held {
        // A row that is not loaded yet can still arrive.
        (model.list.sought, model.list.lost_at) = (model.list.selected, before);
    } else if model.list.sought.is_none() {
        model.list.lost_at = None;
    }
    let is_replaced = same_text != Some(at)
        && model.list.selected.is_some()
        && row.as_ref().map(Item::id) != model.list.selected;
    note_replacement(model, is_surprise && is_replaced);
    let is_other = row.as_ref().map(Item::id) != model.list.selected || row != old;
    model.list.selected = row.as_ref().map(Item::id);
    follow_row(model, old.as_ref().map(Item::id), same_text == Some(at));
    if is_other {
        if held.is_none() && row.as_ref().map(Item::id) != old.map(|old| old.id()) {
            model.reader.want_copy(0);
        }
        ask_preview(model);
    }
}

/// Moves the pending task from a row that was selected to the selected one, which has the same text. If it has not, the
/// task is dropped.
fn follow_row(model: &mut Model, old: Option<ItemId>, has_same_text: bool) {
    let selected = model.list.selected;
    let is_replaced = |pending: &PendingTask| Some(pending.row) == old && selected != old;
    let Some(pending) = model.reader.pending.take_if(|pending| is_replaced(pending)) else { return };
    match selected.filter(|_| has_same_text) {
        Some(row) => {
            model.reader.pending = Some(PendingTask { row, current: model.reader.current, ..pending });
        }
        None => model.say("The list has changed and the row is gone; nothing was done."),
    }
}

/// Whether two requests are for the same rows, however many of them.
fn is_same_view(one: &View, other: &View) -> bool {
    one == other || View { wanted: other.wanted, ..one.clone() } == *other
}

/// The first row of a list that an earlier list does not have. Rows that follow the end of a partial list are not new.
fn first_new(before: &Listing, listing: &Listing) -> Option<usize> {
    let known: HashSet<ItemId> = before.rows.iter().map(Item::id).collect();
    let new = listing.rows.iter().position(|row| !known.contains(&row.id()))?;
    (before.complete || new < before.rows.len()).then_some(new)
}

/// Notes that another row was selected, if the user did nothing for that.
fn note_replacement(model: &mut Model, is_surprise: bool) {
    if is_surprise {
        model.list.replaced_at = Some(model.now);
    }
}

/// Asks for a decision about the selected row to be made once more if that row has just taken the place of another.
/// Returns whether it asked.
pub(super) fn asks_again(model: &mut Model, action: Action) -> bool {
    // Marked rows are decided about wherever the cursor is. But a kind is that of the selected row.
    let is_of_cursor = model.list.marks.is_empty() || action == Action::SetAside;
    let replaced_at = model.list.replaced_at.take_if(|_| is_of_cursor).filter(|_| model.list.row().is_some());
    let is_surprise = replaced_at.is_some_and(|at| model.now < at + SURPRISE);
    if is_surprise {
        let key = model.settings.keymap.key_or_name(action);
        model.say(format!(
            "The list has just changed, and another row is selected; {key} again decides about it."
        ));
    }
    is_surprise
}

/// Sends a decision. Until it is confirmed, changes of the list are taken for its own.
pub(super) fn ask_decision(model: &mut Model, request: Request) {
    model.list.deciding += 1;
    model.list.returns = request == Request::Undo;
    model.ask(request);
}

/// Notes that a decision was confirmed or refused.
pub(super) fn on_decided(model: &mut Model) {
    model.list.deciding = model.list.deciding.saturating_sub(1);
    model.list.returns &= model.list.deciding > 0;
}

/// Settles the selection once the rows are there and nothing is read that can change them.
pub(super) fn settle_selection(model: &mut Model) {
    let listing = &model.list.listing;
    let are_there = listing.complete || listing.rows.len() >= model.list.view.wanted;
    let is_still = !model.is_busy() && !matches!(model.search(), SearchState::At(_));
    let is_theirs = !listing.is_provisional && !listing.rows.is_empty() && answers_request(model, listing);
    model.list.is_settled |= are_there && is_still && is_theirs;
}

/// Whether a listing answers the last request.
pub(super) fn answers_request(model: &Model, listing: &Listing) -> bool {
    let (asked, given) = (&model.list.view, &listing.view);
    model.page == ViewPage::List(given.of)
        && (asked.of, &asked.filter, asked.unfolded, &asked.folder)
            == (given.of, &given.filter, given.unfolded, &given.folder)
        && ((asked.sort, asked.is_reversed) == (given.sort, given.is_reversed) || listing.is_provisional)
}

/// Confirms the selected row as the user's choice and stops looking for another.
pub(super) fn choose(model: &mut Model) {
    (model.list.is_chosen, model.list.sought) = (true, None);
}

/// Fits the column widths to the rows, and finds the lines of kinds among them.
pub(super) fn fit_columns(model: &mut Model) {
    model.list.widths = columns::widths(&model.list.listing.rows, columns::subject_of(model));
    let is_line = |(at, row): (usize, &Item)| matches!(row, Item::Aside(_)).then_some(at);
    model.list.lines = model.list.listing.rows.iter().enumerate().filter_map(is_line).collect();
}

/// The position of a row in a listing. If passages have replaced blots, that of the passage where one of the row's
/// copies stands, else that of a passage with its text. `preview` has the copies, if it is of the row.
fn place_of(listing: &Listing, old: &Item, preview: &Preview) -> Option<usize> {
    let itself = listing.rows.iter().position(|row| row.continues(old));
    if itself.is_some() || !matches!(old, Item::Row(_)) {
        return itself;
    }
    let copies =
        preview.row.iter().filter(|row| row.id() == old.id()).flat_map(|_| preview.occurrences.iter());
    let copies: Vec<_> = copies.collect();
    let stretches = Stretches::from_copies(&copies);
    let stands_there = |row: &Item| match row {
        Item::Passage(passage) => stretches.overlap(&passage.path, passage.span),
        _ => false,
    };
    let text = folded(&old.text());
    let has_text = |row: &Item| matches!(row, Item::Passage(_)) && folded(&row.text()).contains(&text);
    let rows = &listing.rows;
    rows.iter().position(stands_there).or_else(|| rows.iter().position(has_text))
}

/// Normalizes case and white space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Asks for the sort order, where there is a choice.
pub(super) fn ask_order(model: &mut Model) {
    let (of, sort) = (model.list.view.of, model.list.view.sort);
    let ways = Sort::ways(of);
    if ways.len() > 1 {
        let now = ways.iter().position(|way| *way == sort).unwrap_or(0);
        model.dialogue.overlay = Some(Overlay::Menu(Menu::Orders, now));
    } else if let Some(words) = list_of(of).one_order {
        let sentence = words(&|action| model.settings.keymap.first(action));
        model.say(sentence);
    }
}

/// Sorts by an order, or if the rows are in this order already, in its reverse.
pub(super) fn set_order(model: &mut Model, sort: Sort) {
    match sort == model.list.view.sort {
        true => reverse_order(model, sort),
        false => sort_by(model, sort, false),
    }
}

/// Sorts in the reverse of an order; if the rows are in the reverse already, in the order itself.
pub(super) fn reverse_order(model: &mut Model, sort: Sort) {
    let is_reversed = sort == model.list.view.sort && model.list.view.is_reversed;
    sort_by(model, sort, !is_reversed);
}

/// Sorts the rows and selects the first one.
fn sort_by(model: &mut Model, sort: Sort, is_reversed: bool) {
    (model.list.view.sort, model.list.view.is_reversed) = (sort, is_reversed);
    let reversed = if is_reversed { ", reversed" } else { "" };
    model.say(format!("Sorted by {}{reversed}.", sort.name()));
    model.list.view.wanted = FIRST_ROWS;
    model.list.release();
    ask_rows_anew(model);
}

/// Sets the filter and selects the first row; without a filter the selected row stays.
pub(super) fn set_filter(model: &mut Model, filter: String) {
    if model.list.view.filter != filter {
        match filter.is_empty() {
            true => choose(model),
            false => model.list.release(),
        }
        model.list.view.filter = filter;
        model.list.view.wanted = FIRST_ROWS;
        ask_rows_anew(model);
    }
}

/// Requests the rows of the current view.
pub(super) fn ask_rows_anew(model: &mut Model) {
    model.ask(model.rows_request());
}

/// Selects a row by its index.
pub(super) fn select(model: &mut Model, at: usize) {
    let Some(row) = model.list.listing.rows.get(at).map(Item::id) else { return };
    model.list.lost_at = None;
    if model.list.selected != Some(row) {
        (model.list.selected, model.list.replaced_at) = (Some(row), None);
        model.reader.want_copy(0);
        ask_preview(model);
        model.list.extend_range();
    }
}

/// Changes σ by a half; below 0 it is off.
pub(super) fn next_sigma(sigma: Option<f64>, up: bool) -> Option<f64> {
    const MOST: f64 = 50.0;
    match (sigma, up) {
        (None, true) => Some(0.0),
        (None, false) => None,
        (Some(sigma), true) => Some((sigma + 0.5).min(MOST)),
        (Some(sigma), false) => (sigma >= 0.5).then_some(sigma - 0.5),
    }
}

/// Scrolls the list so that the selected row is visible.
pub(super) fn keep_in_view(model: &mut Model) {
    if let Some(lines) = model.page.lines() {
        let height = usize::from(model.layout().body().height.saturating_sub(1));
        model.list.first_row =
            model.list.first_row.min((lines.count)(&model.lines_context()).saturating_sub(height));
        return;
    }
    let height = usize::from(model.layout().rows.height);
    if height == 0 {
        return;
    }
    let last_first = model.list.listing.rows.len().saturating_sub(height);
    if let Some(at) = model.list.selected_row() {
        model.list.first_row = model.list.first_row.clamp(at.saturating_sub(height - 1), at);
    }
    show_opened(model, height);
    model.list.first_row = model.list.first_row.min(last_first);
}

/// Scrolls the list so that the first passages of a line that was just opened are seen: as many as fill half of it.
fn show_opened(model: &mut Model, height: usize) {
    let Some(opened) = model.list.opened else { return };
    let Some((at, row)) = model.list.selected_row().zip(model.list.row()) else { return };
    if row.id() != opened {
        return model.list.opened = None;
    }
    let (is_open, below, is_whole) = match row {
        Item::Aside(line) => {
            let Stretch { rows, is_whole } = model.list.stretch();
            (line.is_open, rows.len(), is_whole)
        }
        Item::Cluster(cluster) => {
            let below = model.list.listing.rows.len() - at - 1;
            let all = usize::try_from(cluster.copies).unwrap_or(usize::MAX);
            (cluster.is_open, below.min(all), below >= all || model.list.listing.complete)
        }
        _ => return model.list.opened = None,
    };
    let half = (height / 2).max(1).min(height - 1);
    if is_open && (is_whole || below >= half) {
        model.list.opened = None;
    }
    if is_open {
        let below = below.min(half);
        model.list.first_row = model.list.first_row.max((at + below + 1).saturating_sub(height)).min(at);
    }
}

/// Requests more rows when the selection is within two screens of the last loaded row, or while a row to be selected is
/// missing.
pub(super) fn want_more_rows(model: &mut Model) {
    let Stretch { rows, is_whole } = model.list.stretch();
    let is_near = model.list.selected_row().is_some_and(|at| at + 2 * usize::from(model.size.1) >= rows.end);
    let near = if is_near && !is_whole { Some(rows.len()) } else { None };
    let is_sought = model.list.sought.is_some() && model.list.lost_at.is_none();
    let may_be_farther = model.list.listing.rows.len() < FARTHEST && !model.list.listing.is_provisional;
    // A row can be in any part of the list. All parts are loaded as far as is wanted.
    let sought = if is_sought && may_be_farther { model.list.shortest_part() } else { None };
    if let Some(loaded) = near.or(sought).filter(|loaded| *loaded >= model.list.view.wanted) {
        model.list.view.wanted = loaded * 2;
        model.ask(model.rows_request());
    }
}
