//! What the mouse does: a click selects, the wheel moves what is under it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::Effect;
use super::act::go;
use super::divide::on_drag;
use super::overlay::on_overlay;
use super::places::scroll;
use super::preview::go_to_copy;
use super::rows::select;
use crate::tui::model::{Focus, Model};
use crate::tui::view::copies;

/// How many lines the wheel moves.
const WHEEL: isize = 3;

/// Takes the mouse in.
pub(super) fn on_mouse(model: &mut Model, mouse: MouseEvent, effects: &mut Vec<Effect>) {
    if model.overlay.is_some() {
        let key = match mouse.kind {
            MouseEventKind::ScrollDown => KeyCode::Down,
            MouseEventKind::ScrollUp => KeyCode::Up,
            _ => return,
        };
        return on_overlay(model, KeyEvent::new(key, KeyModifiers::NONE), effects);
    }
    if on_drag(model, mouse) {
        return;
    }
    let layout = model.layout();
    let at = Position::new(mouse.column, mouse.row);
    let by = match mouse.kind {
        MouseEventKind::ScrollDown => WHEEL,
        MouseEventKind::ScrollUp => -WHEEL,
        MouseEventKind::Down(MouseButton::Left) => 0,
        _ => return,
    };
    model.is_chosen = true;
    if layout.rows.contains(at) {
        model.focus = Focus::Rows;
        match by {
            0 => select(model, model.first_row + usize::from(mouse.row - layout.rows.y), effects),
            by => go(model, by, effects),
        }
    } else if layout.document.contains(at) {
        model.focus = Focus::Document;
        scroll(model, by);
    } else if layout.copies.contains(at) {
        let first = copies::first(model, layout.copies);
        match by {
            0 => {
                let copy = first + usize::from(mouse.row - layout.copies.y);
                let by = copy as isize - model.current as isize;
                if copy < model.preview.occurrences.len() && by != 0 {
                    go_to_copy(model, by, effects);
                }
            }
            by => go_to_copy(model, by.signum(), effects),
        }
    }
}
