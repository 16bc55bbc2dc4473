//! Selects text with the mouse: the text that was dragged over goes to the clipboard when the button is released.
//! Dragging beyond the edge scrolls the document.

use std::sync::Arc;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::effect::Effect;
use super::scrolling::{scroll, scroll_sideways};
use crate::tui::model::Model;
use crate::tui::reader::{Pointer, TextSelection};
use crate::tui::view::document::Pane;
use crate::tui::view::{beside, document};

/// The button was pressed on a document, or on the one beside it; nothing is selected yet.
pub(super) fn take_hold(model: &mut Model, at: Position, is_beside: bool) {
    let pointer = Some(Pointer { at, is_beyond: false, scrolled: model.now });
    let selection = pane(model, is_beside).map(|pane| TextSelection {
        text: pane.document.text.clone(),
        is_beside,
        from: pane.bytes_at(at),
        span: 0..0,
        pointer,
    });
    model.reader.selection = selection;
}

/// Takes the mouse while it selects. Whether it did.
pub(super) fn on_select(model: &mut Model, mouse: MouseEvent, effects: &mut Vec<Effect>) -> bool {
    let at = Position::new(mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::Down(_) => model.reader.selection = None,
        MouseEventKind::Drag(MouseButton::Left) => {
            let pointer = model.reader.selection.as_mut().and_then(|selection| selection.pointer.as_mut());
            // A hand that trembles within a cell selects nothing.
            if let Some(pointer) = pointer.filter(|pointer| pointer.at != at) {
                pointer.at = at;
                extend(model);
                return true;
            }
        }
        MouseEventKind::Up(MouseButton::Left) => {
            let selection = model.reader.selection.as_mut().filter(|selection| selection.pointer.is_some());
            if let Some(selection) = selection {
                selection.pointer = None;
                match selection.text.get(selection.span.clone()).filter(|text| !text.is_empty()) {
                    Some(text) => {
                        effects.push(Effect::Copy(text.to_owned()));
                        // Who dragged has not clicked: the next click is the first one.
                        model.pressed = None;
                    }
                    None => model.reader.selection = None,
                }
                return true;
            }
        }
        _ => {}
    }
    false
}

/// Scrolls on while the mouse is held beyond the edge.
pub(super) fn go_on(model: &mut Model) {
    if model.reader.pulls_at().is_some_and(|at| at <= model.now) {
        let is_beside = model.reader.selection.as_ref().is_some_and(|selection| selection.is_beside);
        pull(model, is_beside);
        extend(model);
    }
}

/// What is selected stays selected when its document was read again and has it where it was.
pub(super) fn keep_selection(model: &mut Model) {
    let Some(selection) = &model.reader.selection else { return };
    let Some(text) = pane(model, selection.is_beside).map(|pane| Arc::clone(&pane.document.text)) else {
        return;
    };
    if let Some(selection) = &mut model.reader.selection {
        let held = if selection.span.is_empty() { selection.from.clone() } else { selection.span.clone() };
        // Not all of a long document is compared.
        if text.len() == selection.text.len() && text.get(held.clone()) == selection.text.get(held) {
            selection.text = text;
        }
    }
}

/// Selects all from the cell where the button was pressed to the one where the mouse is, both included.
fn extend(model: &mut Model) {
    let Some(selection) = &model.reader.selection else { return };
    let Some(pointer) = selection.pointer else { return };
    let pane = pane(model, selection.is_beside);
    let reached = pane.filter(|pane| Arc::ptr_eq(&pane.document.text, &selection.text)).map(|pane| {
        let (across, down) = beyond(&pane, pointer.at);
        (pane.bytes_at(pointer.at), (across, down) != (0, 0))
    });
    model.reader.selection = reached.map(|(reached, is_beyond)| TextSelection {
        span: selection.from.start.min(reached.start)..selection.from.end.max(reached.end),
        pointer: Some(Pointer { is_beyond, ..pointer }),
        ..selection.clone()
    });
}

/// Scrolls a document towards the mouse, by as much as it is beyond its edge.
fn pull(model: &mut Model, is_beside: bool) {
    let now = model.now;
    let Some(pointer) = model.reader.selection.as_mut().and_then(|selection| selection.pointer.as_mut())
    else {
        return;
    };
    pointer.scrolled = now;
    let at = pointer.at;
    let Some((across, down)) = pane(model, is_beside).map(|pane| beyond(&pane, at)) else { return };
    if down != 0 {
        scroll(model, down);
    }
    if across != 0 {
        scroll_sideways(model, across);
    }
}

/// By how many columns and rows a cell lies beyond the edges of a document. To the side there is nothing more
/// of a line that is wrapped, or that begins at the edge.
fn beyond(pane: &Pane, at: Position) -> (isize, isize) {
    let outside = |at: u16, from: u16, to: u16| at as isize - at.clamp(from, to.max(from + 1) - 1) as isize;
    let across = outside(at.x, pane.area.x, pane.area.right());
    let goes_across = !pane.wraps && (across > 0 || pane.scroll.column > 0);
    (if goes_across { across } else { 0 }, outside(at.y, pane.area.y, pane.area.bottom()))
}

fn pane(model: &Model, is_beside: bool) -> Option<Pane<'_>> {
    let layout = model.layout();
    if is_beside { beside::pane(&layout, model) } else { document::pane(&layout, model) }
}
