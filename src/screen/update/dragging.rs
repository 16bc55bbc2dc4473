//! Mouse drags. Dividers move, and keys move them too; the overview strip scrolls; text is selected and goes to the
//! clipboard when the button is released. Dragging beyond the edge scrolls the document.

use std::sync::Arc;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use crate::event::Effect;
use crate::model::{Focus, Model};
use crate::reader::{DragHandle, Pointer, TextSelection};
use crate::update::scrolling::{go_to_cell, scroll, scroll_sideways};
use crate::view::sheet::Pane;
use crate::view::{beside, document};

/// The least height of the copies when the line is dragged.
const LEAST_COPIES: u16 = 2;

/// Widens or narrows the list by a number of columns.
pub(crate) fn split_by(model: &mut Model, columns: i16) {
    let divider = model.layout().divider;
    if model.beside.is_none() && !divider.is_empty() {
        drag_divider(model, divider.x.saturating_add_signed(columns));
    }
}

/// Gives the whole screen to the document, or restores the split.
pub(crate) fn toggle_zoom(model: &mut Model) {
    if model.beside.is_none() {
        let is_zoomed = model.reader.split.is_zoomed && model.focus == Focus::Document;
        model.reader.split.is_zoomed = !is_zoomed;
        if !is_zoomed {
            model.focus = Focus::Document;
        }
    }
}

/// Moves the divider between list and document to a column.
fn drag_divider(model: &mut Model, x: u16) {
    let width = u32::from(model.size.0.max(1));
    // Rounded up, so that it converts back to the same column.
    let share = (u32::from(x.min(model.size.0)) * 1000).div_ceil(width);
    model.reader.split.list = Some(share as u16);
    // Stores the column that was possible, so that dragging back has an effect at once.
    let reached = u32::from(model.layout().divider.x) * 1000;
    model.reader.split.list = Some(reached.div_ceil(width) as u16);
}

/// Moves the line between copies and document to a screen line.
fn drag_rule(model: &mut Model, y: u16) {
    let top = model.layout().copies.y;
    model.reader.split.copies = Some(y.saturating_sub(top).max(LEAST_COPIES));
    model.reader.split.copies = Some(model.layout().copies.height.max(LEAST_COPIES));
}

/// Processes a drag of a divider or of the overview strip. Returns whether it was one.
pub(crate) fn on_drag(model: &mut Model, mouse: MouseEvent) -> bool {
    let layout = model.layout();
    let at = Position::new(mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            model.reader.dragged = match model.beside {
                _ if layout.strip.contains(at) => Some(DragHandle::Strip),
                None if layout.divider.contains(at) => Some(DragHandle::Divider),
                None if layout.rule.contains(at) => Some(DragHandle::Rule),
                _ => None,
            };
        }
        MouseEventKind::Drag(MouseButton::Left) => {}
        MouseEventKind::Up(MouseButton::Left) => return model.reader.dragged.take().is_some(),
        _ => return false,
    }
    match model.reader.dragged {
        Some(DragHandle::Divider) => drag_divider(model, mouse.column),
        Some(DragHandle::Rule) => drag_rule(model, mouse.row),
        Some(DragHandle::Strip) => {
            model.focus = Focus::Document;
            go_to_cell(model, usize::from(mouse.row.saturating_sub(layout.strip.y)));
        }
        None => return false,
    }
    true
}

/// Starts a selection with a mouse press on a document or on the reference copy.
pub(crate) fn start_selection(model: &mut Model, at: Position, is_beside: bool) {
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

/// Processes a mouse event during a selection. Returns whether it did.
pub(crate) fn on_select(model: &mut Model, mouse: MouseEvent) -> bool {
    let at = Position::new(mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::Down(_) => model.reader.selection = None,
        MouseEventKind::Drag(MouseButton::Left) => {
            let pointer = model.reader.selection.as_mut().and_then(|selection| selection.pointer.as_mut());
            // Movement within one cell selects nothing.
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
                        model.effects.push(Effect::Copy(text.to_owned()));
                        // A drag does not count as the first press of a double click.
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

/// Keeps scrolling while the mouse is beyond the edge.
pub(crate) fn keep_scrolling(model: &mut Model) {
    if model.reader.scrolls_next_at().is_some_and(|at| at <= model.now) {
        let is_beside = model.reader.selection.as_ref().is_some_and(|selection| selection.is_beside);
        pull(model, is_beside);
        extend(model);
    }
}

/// Keeps the selection when the document was read again with the same text at that position.
pub(crate) fn keep_selection(model: &mut Model) {
    let Some(selection) = &model.reader.selection else { return };
    let Some(text) = pane(model, selection.is_beside).map(|pane| Arc::clone(&pane.document.text)) else {
        return;
    };
    if let Some(selection) = &mut model.reader.selection {
        let held = if selection.span.is_empty() { selection.from.clone() } else { selection.span.clone() };
        // Only the selected part is compared.
        if text.len() == selection.text.len() && text.get(held.clone()) == selection.text.get(held) {
            selection.text = text;
        }
    }
}

/// Selects from the cell of the press to the cell of the mouse, both included.
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

/// Scrolls a document towards the mouse, by its distance from the edge.
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

/// The distance of a cell from the edges of a document, in columns and rows. Wrapped lines do not scroll sideways, and
/// others not beyond their beginning.
fn beyond(pane: &Pane, at: Position) -> (isize, isize) {
    let outside = |at: u16, from: u16, to: u16| at as isize - at.clamp(from, to.max(from + 1) - 1) as isize;
    let across = outside(at.x, pane.area.x, pane.area.right());
    let goes_across = !pane.wraps && (across > 0 || pane.scroll.column > 0);
    (if goes_across { across } else { 0 }, outside(at.y, pane.area.y, pane.area.bottom()))
}

fn pane(model: &Model, is_beside: bool) -> Option<Pane<'_>> {
    let layout = model.layout();
    match model.beside.and_then(|_| beside::panes(&layout, model)) {
        Some([own, other]) => Some(if is_beside { other } else { own }),
        None => document::pane(&layout, model).filter(|_| !is_beside),
    }
}
