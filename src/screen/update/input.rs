//! Dispatches keys and mouse events.
//!
//! A key goes to the prompt, else to the overlay, else to the action it is bound to. A click selects, sorts by a column or
//! does what a key of the footer does, a double click opens, a drag selects text, the wheel scrolls the pane under it.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use crate::action::{Action, KeyContext};
use crate::keys::key_press::KeyPress;
use crate::model::{Focus, Model};
use crate::reader::CopyTask;
use crate::update::actions::{act, enter, go};
use crate::update::dragging::{on_drag, on_select, start_selection};
use crate::update::held_keys::hold;
use crate::update::overlay::on_overlay;
use crate::update::preview::go_to_copy;
use crate::update::prompt::{on_click, on_prompt};
use crate::update::rows::{ask_order, choose, select, set_order};
use crate::update::scrolling::scroll;
use crate::update::tasks::{ask_for, run_command};
use crate::update::views::show;
use crate::view::header::tabs;
use crate::view::{copies, footer, rows};
use dupi_session::{Item, Sort};

/// Processes a key.
pub(crate) fn on_key(model: &mut Model, key: KeyEvent) {
    model.reader.selection = None;
    if model.dialogue.prompt.is_some() && on_prompt(model, key) {
        return;
    }
    model.dialogue.message = None;
    if model.dialogue.overlay.is_some() {
        return on_overlay(model, key);
    }
    let action = model.settings.keymap.action_of(key, model.key_context());
    if hold(model, key, action) {
        return;
    }
    let context = model.key_context();
    if action.is_none()
        && context.meets(KeyContext::SPANS)
        && let Some(number) =
            model.settings.commands.iter().position(|command| command.key == KeyPress::from(key))
    {
        return run_command(model, number);
    }
    match action {
        Some(action) => act(model, action),
        None if matches!(key.code, KeyCode::Char(_) | KeyCode::F(_)) => {
            let help = model.settings.keymap.first(Action::Help);
            model.say(format!("{} means nothing here; {help} shows the keys.", KeyPress::from(key)));
        }
        None => {}
    }
}

/// Lines per step of the wheel.
const WHEEL: isize = 3;

/// The longest time between the presses of a double click.
const TWICE: Duration = Duration::from_millis(400);

/// Processes a mouse event.
pub(crate) fn on_mouse(model: &mut Model, mouse: MouseEvent) {
    if mouse.kind != MouseEventKind::Moved {
        // The mouse refers to what is visible now.
        model.held_keys.take();
    }
    if on_select(model, mouse) {
        return;
    }
    if model.dialogue.overlay.is_some() {
        let key = match mouse.kind {
            MouseEventKind::ScrollDown => KeyCode::Down,
            MouseEventKind::ScrollUp => KeyCode::Up,
            _ => return,
        };
        return on_overlay(model, KeyEvent::new(key, KeyModifiers::NONE));
    }
    if on_drag(model, mouse) {
        return;
    }
    let layout = model.layout();
    let at = Position::new(mouse.column, mouse.row);
    let by = match mouse.kind {
        MouseEventKind::ScrollDown => WHEEL,
        MouseEventKind::ScrollUp => -WHEEL,
        MouseEventKind::Down(MouseButton::Left) => return on_press(model, at),
        _ => return,
    };
    if model.page.lines().is_some() {
        return go(model, by);
    }
    choose(model);
    if layout.rows.contains(at) {
        model.focus = Focus::Rows;
        go(model, by);
    } else if layout.document.contains(at) {
        model.focus = Focus::Document;
        scroll(model, by);
    } else if layout.copies.contains(at) {
        go_to_copy(model, by.signum());
    }
}

/// Processes a press of the left button; a double click opens.
fn on_press(model: &mut Model, at: Position) {
    let before = model.pressed.replace((at, model.now));
    let is_twice = before.is_some_and(|(place, when)| place == at && model.now - when <= TWICE);
    if is_twice {
        // A third press starts a new click.
        model.pressed = None;
    }
    let layout = model.layout();
    if let Some(action) = footer::action_at(model, layout.footer, at) {
        return on_footer(model, action);
    }
    let tab = tabs(model, layout.header).into_iter().find(|(.., tab)| tab.contains(at));
    on_click(model, tab.is_some());
    if let Some((page, ..)) = tab {
        return show(model, page);
    }
    if let Some(sort) = rows::sort_at(model, layout.columns, at) {
        model.focus = Focus::Rows;
        return match Sort::ways(model.list.view.of) {
            [_] => ask_order(model),
            ways if ways.contains(&sort) => set_order(model, sort),
            _ => {}
        };
    }
    choose(model);
    if layout.rows.contains(at) {
        model.focus = Focus::Rows;
        let row = model.list.first_row + usize::from(at.y - layout.rows.y);
        select(model, row);
        let is_line = matches!(model.list.row(), Some(Item::Aside(_) | Item::Cluster(_)));
        // A line opens at the first press, a text or a folder at the second one.
        if is_twice != is_line && model.list.selected_row() == Some(row) {
            enter(model);
        }
    } else if layout.document.contains(at) {
        model.focus = Focus::Document;
        if is_twice {
            ask_for(model, CopyTask::Edit);
        } else if model.layout() == layout {
            // After a change of the layout the press was not on this text.
            start_selection(model, at, false);
        }
    } else if layout.beside.contains(at) {
        start_selection(model, at, true);
    } else if layout.copies.contains(at) {
        let copy = copies::at_line(model, layout.copies, at.y);
        match copy.map(|copy| copy as isize - model.reader.current as isize).filter(|by| *by != 0) {
            Some(by) => go_to_copy(model, by),
            // The lines above and below the list are no copies.
            None if is_twice && copy.is_some() => ask_for(model, CopyTask::Edit),
            None => {}
        }
    }
}

/// Does what a key of the footer does. In a prompt these are fixed keys.
fn on_footer(model: &mut Model, action: Action) {
    model.dialogue.message = None;
    if model.dialogue.prompt.is_none() {
        return act(model, action);
    }
    let code = match action {
        Action::Enter => KeyCode::Enter,
        Action::Back => KeyCode::Esc,
        Action::Up => KeyCode::Up,
        _ => KeyCode::Tab,
    };
    on_key(model, KeyEvent::new(code, KeyModifiers::NONE));
}
