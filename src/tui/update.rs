//! The one place where the state changes: an event in, effects out, no input or output here.

mod mouse;
mod overlay;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use mouse::on_mouse;
use overlay::{on_mismatch, on_overlay, on_typing};

use super::action::{Action, action_of};
use super::event::Event;
use super::highlight::Job;
use super::model::{FIRST_ROWS, Focus, Model, Overlay, Scroll};
use super::view::document::{self as pages, Rows};
use crate::session::{Listing, Preview, Request, Update};

/// Something to be done outside of the state.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Ask the session.
    Ask(Request),
    /// Ask for colours.
    Highlight(Job),
    /// Open the editor.
    Edit {
        /// Which file, relative to the corpus's base.
        path: PathBuf,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// To the shell.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Leave.
    Quit,
}

/// Lines beyond the screen that are coloured too.
const MARGIN: usize = 200;

/// Takes an event in.
pub fn update(model: &mut Model, event: Event, now: Duration) -> Vec<Effect> {
    model.now = now;
    let mut effects = Vec::new();
    match event {
        Event::Key(key) => on_key(model, key, &mut effects),
        Event::Mouse(mouse) => on_mouse(model, mouse, &mut effects),
        Event::Paste(text) => {
            if let Some(typing) = &mut model.typing {
                typing.extend(text.chars().filter(|character| !character.is_control()));
                apply_filter(model, &mut effects);
            }
        }
        Event::Resize(columns, lines) => model.size = (columns, lines),
        Event::Session(update) => on_update(model, update, &mut effects),
        Event::Highlighted(colours) => model.colours = Some(colours),
        Event::Terminate => effects.push(Effect::Quit),
        Event::Continued => effects.push(Effect::Redraw),
        Event::Tick | Event::Panicked => {}
    }
    keep_in_view(model);
    want_more_rows(model, &mut effects);
    want_colours(model, &mut effects);
    effects
}

fn on_update(model: &mut Model, update: Update, effects: &mut Vec<Effect>) {
    match update {
        Update::Progress(progress) => model.progress = Some(progress),
        Update::Rows(listing) => on_rows(model, listing, effects),
        Update::Preview(preview) => on_preview(model, preview),
        Update::Taboo(sentence) | Update::Notice(sentence) => model.say(sentence),
        Update::Skipped(files) => {
            if let Some(Overlay::Skipped(known, _)) = &mut model.overlay {
                *known = Some(files);
            }
        }
        Update::Mismatch(sentence) => model.overlay = Some(Overlay::Mismatch(sentence)),
    }
}

/// The selection stays on its row; when that is gone, on the row that stands in its place.
fn on_rows(model: &mut Model, listing: Arc<Listing>, effects: &mut Vec<Effect>) {
    if listing.view.filter != model.view.filter || listing.view.unfolded != model.view.unfolded {
        return;
    }
    let before = model.selected_row();
    let old = model.row().cloned();
    let held = old.as_ref().and_then(|old| {
        listing
            .rows
            .iter()
            .position(|row| row.id() == old.id() || row.blots.iter().any(|blot| old.blots.contains(blot)))
    });
    model.listing = listing;
    if held.is_none()
        && !model.listing.complete
        && before.is_some_and(|before| before >= model.listing.rows.len())
    {
        // It is still loading; the row may yet come.
        return;
    }
    let held = held.filter(|_| model.is_chosen);
    let before = before.filter(|_| model.is_chosen);
    let at = held.or(before).unwrap_or(0).min(model.listing.rows.len().saturating_sub(1));
    if let (Some(held), Some(before)) = (held, before) {
        model.first_row = (model.first_row + held).saturating_sub(before);
    }
    let row = model.listing.rows.get(at).cloned();
    let is_other = row.as_ref().map(|row| row.id()) != model.selected || row != old;
    model.selected = row.as_ref().map(|row| row.id());
    if is_other {
        if row.as_ref().map(|row| row.id()) != old.map(|old| old.id()) {
            model.current = 0;
        }
        ask_preview(model, effects);
    }
}

fn on_preview(model: &mut Model, preview: Arc<Preview>) {
    let is_of_selection = preview.row.as_ref().map(|row| row.id()) == model.selected;
    // Looking again, after a change, begins with nothing: what is shown stays until there is more to show.
    let begins_anew = preview.document.is_none() && preview.unread > 0 && model.document().is_some();
    if !is_of_selection || begins_anew {
        return;
    }
    let place = |preview: &Preview| {
        let occurrence = preview.occurrences.get(preview.current)?;
        preview.document.is_some().then(|| (preview.row.as_ref().map(|row| row.id()), occurrence.clone()))
    };
    let is_new = place(&preview).is_some() && place(&preview) != place(&model.preview);
    if preview.unread == 0 {
        model.current = preview.current;
    }
    model.preview = preview;
    if is_new {
        scroll_to_current(model);
    }
}

/// Puts the current copy a third down from the top.
fn scroll_to_current(model: &mut Model) {
    let Some(occurrence) = model.preview.occurrences.get(model.preview.current) else { return };
    let Some(document) = model.preview.document.clone() else { return };
    let area = model.layout().document;
    let at = occurrence.text_span.start as usize;
    let line = pages::line_at(&document, at);
    let wrap = model.scroll.wrap;
    let column = at - document.line_starts.get(line).map_or(0, |&start| start as usize);
    let width = usize::from(area.width.saturating_sub(pages::gutter(&document)));
    let first_column =
        if model.wraps() || column < width * 3 / 4 { 0 } else { column.saturating_sub(width / 3) };
    model.scroll = Scroll { line, byte: 0, column: first_column, wrap };
    if model.wraps() {
        model.scroll.byte = pages::row_start(&document, line, column, width);
    }
    let rows = Rows::new(&document, width, model.wraps());
    rows.scroll(&mut model.scroll, -(area.height as isize / 3));
}

fn ask_preview(model: &Model, effects: &mut Vec<Effect>) {
    if let Some(row) = model.row() {
        effects.push(Effect::Ask(Request::Preview { row: Arc::clone(row), current: model.current }));
    }
}

fn on_key(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    if model.typing.is_some() && on_typing(model, key, effects) {
        return;
    }
    if let Some(Overlay::Mismatch(_)) = model.overlay {
        return on_mismatch(model, key, effects);
    }
    let Some(action) = action_of(key) else { return };
    model.message = None;
    if model.overlay.is_some() {
        return on_overlay(model, action, effects);
    }
    act(model, action, effects);
}

fn apply_filter(model: &mut Model, effects: &mut Vec<Effect>) {
    let filter = model.typing.clone().unwrap_or_default();
    set_filter(model, filter, effects);
}

fn set_filter(model: &mut Model, filter: String, effects: &mut Vec<Effect>) {
    if model.view.filter != filter {
        model.view.filter = filter;
        model.view.wanted = FIRST_ROWS;
        ask_rows_anew(model, effects);
    }
}

fn ask_rows_anew(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Ask(model.rows_request()));
}

fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    model.is_chosen = true;
    let page = match model.focus {
        Focus::Rows => model.layout().rows.height,
        Focus::Document => model.layout().document.height,
    };
    let page = (page as isize - 1).max(1);
    match action {
        Action::Up => go(model, -1, effects),
        Action::Down => go(model, 1, effects),
        Action::PageUp => go(model, -page, effects),
        Action::PageDown => go(model, page, effects),
        Action::Top => go(model, isize::MIN / 2, effects),
        Action::Bottom => go(model, isize::MAX / 2, effects),
        Action::NextPane => {
            model.focus = if model.focus == Focus::Rows { Focus::Document } else { Focus::Rows };
        }
        Action::Enter if model.focus == Focus::Rows => model.focus = Focus::Document,
        Action::Enter | Action::Edit => edit(model, effects),
        Action::Right if model.focus == Focus::Rows => model.focus = Focus::Document,
        Action::Right => model.scroll.column += 8,
        Action::Left if model.scroll.column > 0 => {
            model.scroll.column = model.scroll.column.saturating_sub(8)
        }
        Action::Left => model.focus = Focus::Rows,
        Action::Back if model.focus == Focus::Document => model.focus = Focus::Rows,
        Action::Back => set_filter(model, String::new(), effects),
        Action::NextCopy => go_to_copy(model, 1, effects),
        Action::PreviousCopy => go_to_copy(model, -1, effects),
        Action::Taboo => toggle_taboo(model, effects),
        Action::Undo => effects.push(Effect::Ask(Request::Undo)),
        Action::ShowTaboo => {
            model.view.show_taboo = !model.view.show_taboo;
            model.say(if model.view.show_taboo { "Taboo rows are shown." } else { "Taboo rows are hidden." });
            ask_rows_anew(model, effects);
        }
        Action::Filter => model.typing = Some(model.view.filter.clone()),
        Action::SigmaUp | Action::SigmaDown => {
            model.view.sigma = moved_sigma(model.view.sigma, action == Action::SigmaUp);
            ask_rows_anew(model, effects);
        }
        Action::Unfold => {
            model.view.unfolded = !model.view.unfolded;
            ask_rows_anew(model, effects);
        }
        Action::Wrap => {
            model.scroll.wrap = Some(!model.wraps());
            (model.scroll.byte, model.scroll.column) = (0, 0);
        }
        Action::Skipped => {
            model.overlay = Some(Overlay::Skipped(None, 0));
            effects.push(Effect::Ask(Request::Skipped));
        }
        Action::Help => model.overlay = Some(Overlay::Help(0)),
        Action::Redraw => effects.push(Effect::Redraw),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Quit => effects.push(Effect::Quit),
    }
}

/// σ in steps of a half; below 0 it is off.
fn moved_sigma(sigma: Option<f64>, up: bool) -> Option<f64> {
    const MOST: f64 = 50.0;
    match (sigma, up) {
        (None, true) => Some(0.0),
        (None, false) => None,
        (Some(sigma), true) => Some((sigma + 0.5).min(MOST)),
        (Some(sigma), false) => (sigma >= 0.5).then_some(sigma - 0.5),
    }
}

/// Moves the selection, or scrolls the document, by so many lines.
fn go(model: &mut Model, by: isize, effects: &mut Vec<Effect>) {
    match model.focus {
        Focus::Rows => {
            let last = model.listing.rows.len().saturating_sub(1);
            let at = model.selected_row().unwrap_or(0).saturating_add_signed(by).min(last);
            select(model, at, effects);
        }
        Focus::Document => scroll(model, by),
    }
}

fn scroll(model: &mut Model, by: isize) {
    let Some(document) = model.document().cloned() else { return };
    let width = usize::from(model.layout().document.width.saturating_sub(pages::gutter(&document)));
    let height = usize::from(model.layout().document.height);
    let wraps = model.wraps();
    let rows = Rows::new(&document, width, wraps);
    rows.scroll(&mut model.scroll, by);
    if by > 0 {
        // The last line stands at the bottom, not above an empty screen.
        let shown = rows.from(model.scroll).take(height).count();
        rows.scroll(&mut model.scroll, shown as isize - height as isize);
    }
}

fn select(model: &mut Model, at: usize, effects: &mut Vec<Effect>) {
    let Some(row) = model.listing.rows.get(at).map(|row| row.id()) else { return };
    if model.selected != Some(row) {
        model.selected = Some(row);
        model.current = 0;
        ask_preview(model, effects);
    }
}

fn go_to_copy(model: &mut Model, by: isize, effects: &mut Vec<Effect>) {
    let known = model.preview.occurrences.len();
    let is_of_selection = model.preview.row.as_ref().map(|row| row.id()) == model.selected;
    if known == 0 || !is_of_selection {
        return;
    }
    let at = model.preview.current as isize + by;
    model.current = if at < 0 {
        model.say("The last copy that is known.");
        known - 1
    } else if at as usize >= known {
        model.say(if model.preview.unread > 0 {
            "More copies are being read."
        } else {
            "The first copy again."
        });
        if model.preview.unread > 0 { known - 1 } else { 0 }
    } else {
        at as usize
    };
    ask_preview(model, effects);
}

fn toggle_taboo(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(row) = model.row().cloned() {
        let request =
            if row.taboo { Request::RemoveTaboo { row } } else { Request::AddTaboo { row, reason: None } };
        effects.push(Effect::Ask(request));
    }
}

fn edit(model: &Model, effects: &mut Vec<Effect>) {
    let is_of_selection = model.preview.row.as_ref().map(|row| row.id()) == model.selected;
    if let Some(occurrence) = model.preview.occurrences.get(model.preview.current).filter(|_| is_of_selection)
    {
        let (path, line, column) = (occurrence.path.clone(), occurrence.line, occurrence.column);
        effects.push(Effect::Edit { path, line, column });
    }
}

/// The selected row is on the screen.
fn keep_in_view(model: &mut Model) {
    let height = usize::from(model.layout().rows.height).max(1);
    let last_first = model.listing.rows.len().saturating_sub(height);
    if let Some(at) = model.selected_row() {
        model.first_row = model.first_row.clamp(at.saturating_sub(height - 1), at);
    }
    model.first_row = model.first_row.min(last_first);
}

/// Asks for more rows when the selection comes within two screens of the end of what is loaded.
fn want_more_rows(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(at) = model.selected_row() else { return };
    let near = at + 2 * usize::from(model.size.1);
    let loaded = model.listing.rows.len();
    if near >= loaded && loaded >= model.view.wanted && !model.listing.complete {
        model.view.wanted = loaded * 2;
        effects.push(Effect::Ask(model.rows_request()));
    }
}

/// Asks for colours when lines on the screen have none.
fn want_colours(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(document) = model.document().cloned() else { return };
    let count = document.line_starts.len();
    let height = usize::from(model.layout().document.height);
    let shown: Range<usize> = model.scroll.line.min(count)..(model.scroll.line + height).min(count);
    let is_asked = model.asked_colours.as_ref().is_some_and(|(asked, lines)| {
        Arc::ptr_eq(asked, &document) && lines.start <= shown.start && shown.end <= lines.end
    });
    if !is_asked {
        let lines = shown.start.saturating_sub(MARGIN)..(shown.end + MARGIN).min(count);
        model.asked_colours = Some((Arc::clone(&document), lines.clone()));
        effects.push(Effect::Highlight(Job { document, lines }));
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
