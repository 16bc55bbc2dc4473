//! The one place where the state changes: an event in, effects out, no input or output here.

mod divide;
mod find;
mod mouse;
mod overlay;
mod places;
mod preview;
mod rows;

use std::path::PathBuf;
use std::time::Duration;

use crossterm::event::KeyEvent;
use mouse::on_mouse;
use overlay::{on_mismatch, on_overlay, on_typing};
use places::{scroll, scroll_sideways, toggle_wrap};
use preview::{edit, go_to_copy, leave_beside, on_preview, toggle_beside, want_colours};
use rows::{
    apply_filter, ask_rows_anew, keep_in_view, moved_sigma, next_order, on_rows, select, set_filter, show,
    want_more_rows,
};

use super::action::{Action, action_of};
use super::event::Event;
use super::highlight::Job;
use super::model::{Focus, Model, Overlay};
use crate::session::{Request, Subject, Update};

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
    find::go_on(model);
    keep_in_view(model);
    want_more_rows(model, &mut effects);
    want_colours(model, &mut effects);
    effects
}

fn on_update(model: &mut Model, update: Update, effects: &mut Vec<Effect>) {
    match update {
        Update::Progress(progress) => model.progress = Some(progress),
        Update::Rows(listing) => on_rows(model, listing, effects),
        Update::Searching(share) => model.searching = share,
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
        Action::Passages => show(model, Subject::Passages, effects),
        Action::Blots => show(model, Subject::Blots, effects),
        Action::NextView => {
            let is_passages = model.view.of == Subject::Passages;
            show(model, if is_passages { Subject::Blots } else { Subject::Passages }, effects);
        }
        Action::Sort if is_for_the_other_view(model, action) => {
            model.say("Blots come by their documents alone; 1 shows passages, which can be sorted.");
        }
        Action::Sort => next_order(model, effects),
        Action::SigmaUp | Action::SigmaDown | Action::Unfold if is_for_the_other_view(model, action) => {
            model.say("That is for blots; 2 shows them.");
        }
        Action::Beside => toggle_beside(model, effects),
        Action::Enter if model.focus == Focus::Rows => model.focus = Focus::Document,
        Action::Enter | Action::Edit => edit(model, effects),
        Action::Right if model.focus == Focus::Rows => model.focus = Focus::Document,
        Action::Right => scroll_sideways(model, 8),
        Action::Left if model.scroll.column > 0 => scroll_sideways(model, -8),
        Action::Left | Action::Back if model.beside.is_some() => leave_beside(model),
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
        Action::Wrap => toggle_wrap(model),
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

/// Whether an action means nothing in the view that is shown.
fn is_for_the_other_view(model: &Model, action: Action) -> bool {
    match action {
        Action::Sort => model.view.of == Subject::Blots,
        Action::SigmaUp | Action::SigmaDown | Action::Unfold => model.view.of == Subject::Passages,
        _ => false,
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

fn toggle_taboo(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(row) = model.row().cloned() {
        let request = if row.is_taboo() {
            Request::RemoveTaboo { row }
        } else {
            Request::AddTaboo { row, reason: None }
        };
        effects.push(Effect::Ask(request));
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
