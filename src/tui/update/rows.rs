//! The list: takes rows in, keeps the selection on its row, and asks for rows.

use std::sync::Arc;

use super::effect::Effect;
use super::preview::ask_preview;
use crate::session::{Item, ItemId, Listing, Sort};
use crate::tui::model::{Model, Stretch};
use crate::tui::view::columns;
use crate::tui::views::{FIRST_ROWS, ViewPage, list_of};

/// The number of rows that are loaded at most to find a certain row.
pub(super) const FARTHEST: usize = 20_000;

/// Takes in rows. The selection stays on its row; if that is gone, it moves to the row in its place.
pub(super) fn on_rows(model: &mut Model, listing: Arc<Listing>, effects: &mut Vec<Effect>) {
    if !answers_request(model, &listing) {
        return;
    }
    if listing.trouble.is_some() && !model.list.listing.rows.is_empty() {
        // Keep the rows that are there.
        model.list.is_chosen = true;
        return;
    }
    let found = |id: ItemId| listing.rows.iter().position(|row| row.id() == id);
    if let Some(at) = model.list.sought.and_then(found) {
        let id = listing.rows[at].id();
        if model.list.selected != Some(id) {
            model.reader.want_copy(0);
        }
        (model.list.listing, model.list.selected) = (listing, Some(id));
        fit_columns(model);
        choose(model);
        model.list.lost_at = None;
        return ask_preview(model, effects);
    }
    let before = model.list.place_in_list();
    let old = model.list.row().cloned();
    let held = old.as_ref().and_then(|old| place_of(&listing, old));
    model.list.listing = listing;
    fit_columns(model);
    let loaded = model.list.listing.rows.len();
    let is_loading = !model.list.listing.complete && loaded < model.list.view.wanted;
    if held.is_none() && model.list.is_chosen && is_loading && before.is_some_and(|before| before >= loaded) {
        // The row can still arrive.
        (model.list.sought, model.list.lost_at) = (model.list.sought.or(model.list.selected), before);
        return;
    }
    let held = held.filter(|_| model.list.is_chosen);
    let before = before.filter(|_| model.list.is_chosen);
    let at = held.or(before).unwrap_or(0).min(model.list.listing.rows.len().saturating_sub(1));
    if let (Some(held), Some(before)) = (held, before) {
        model.list.first_row = (model.list.first_row + held).saturating_sub(before);
    }
    let row = model.list.listing.rows.get(at).cloned();
    if model.list.sought.is_none() && !model.list.listing.complete && held.is_none() && model.list.is_chosen {
        // A row that is not loaded yet can still arrive.
        (model.list.sought, model.list.lost_at) = (model.list.selected, before);
    } else if model.list.sought.is_none() {
        model.list.lost_at = None;
    }
    let is_other = row.as_ref().map(Item::id) != model.list.selected || row != old;
    model.list.selected = row.as_ref().map(Item::id);
    if is_other {
        if held.is_none() && row.as_ref().map(Item::id) != old.map(|old| old.id()) {
            model.reader.want_copy(0);
        }
        ask_preview(model, effects);
    }
}

/// Whether a listing answers the last request.
pub(super) fn answers_request(model: &Model, listing: &Listing) -> bool {
    let (asked, given) = (&model.list.view, &listing.view);
    model.page == ViewPage::List(given.of)
        && (asked.of, &asked.filter, asked.unfolded, &asked.folder)
            == (given.of, &given.filter, given.unfolded, &given.folder)
        && (asked.sort == given.sort || listing.is_provisional)
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

/// The position of a row in a listing; if passages have replaced blots, that of a passage with its text.
fn place_of(listing: &Listing, old: &Item) -> Option<usize> {
    let itself = listing.rows.iter().position(|row| row.continues(old));
    itself.or_else(|| {
        let is_other_kind = |row: &Item| matches!((row, old), (Item::Passage(_), Item::Row(_)));
        let text = folded(&old.text());
        listing.rows.iter().position(|row| is_other_kind(row) && folded(&row.text()).contains(&text))
    })
}

/// Normalizes case and white space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Sorts by the next order and selects the first row.
pub(super) fn next_order(model: &mut Model, effects: &mut Vec<Effect>) {
    let ways = Sort::ways(model.list.view.of);
    if ways.len() < 2 {
        if let Some(words) = list_of(model.list.view.of).one_order {
            let sentence = words(&|action| model.settings.keymap.first(action));
            model.say(sentence);
        }
        return;
    }
    let at = ways.iter().position(|way| *way == model.list.view.sort).unwrap_or(0);
    model.list.view.sort = ways[(at + 1) % ways.len()];
    model.say(format!("Sorted by {}.", model.list.view.sort.name()));
    model.list.view.wanted = FIRST_ROWS;
    (model.list.is_chosen, model.list.sought, model.list.lost_at) = (false, None, None);
    ask_rows_anew(model, effects);
}

/// Sets the filter and selects the first row; without a filter the selected row stays.
pub(super) fn set_filter(model: &mut Model, filter: String, effects: &mut Vec<Effect>) {
    if model.list.view.filter != filter {
        match filter.is_empty() {
            true => choose(model),
            false => (model.list.is_chosen, model.list.sought, model.list.lost_at) = (false, None, None),
        }
        model.list.view.filter = filter;
        model.list.view.wanted = FIRST_ROWS;
        ask_rows_anew(model, effects);
    }
}

/// Requests the rows of the current view.
pub(super) fn ask_rows_anew(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Ask(model.rows_request()));
}

/// Selects a row by its index.
pub(super) fn select(model: &mut Model, at: usize, effects: &mut Vec<Effect>) {
    let Some(row) = model.list.listing.rows.get(at).map(Item::id) else { return };
    model.list.lost_at = None;
    if model.list.selected != Some(row) {
        model.list.selected = Some(row);
        model.reader.want_copy(0);
        ask_preview(model, effects);
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
    model.list.first_row = model.list.first_row.min(last_first);
}

/// Requests more rows when the selection is within two screens of the last loaded row, or while a row to be selected is
/// missing.
pub(super) fn want_more_rows(model: &mut Model, effects: &mut Vec<Effect>) {
    let Stretch { rows, is_whole } = model.list.stretch();
    let loaded = rows.len();
    let is_near = model.list.selected_row().is_some_and(|at| at + 2 * usize::from(model.size.1) >= rows.end);
    let is_sought = model.list.sought.is_some() && model.list.lost_at.is_none() && loaded < FARTHEST;
    if (is_near || (is_sought && !model.list.listing.is_provisional))
        && loaded >= model.list.view.wanted
        && !is_whole
    {
        model.list.view.wanted = loaded * 2;
        effects.push(Effect::Ask(model.rows_request()));
    }
}
