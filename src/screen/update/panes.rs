//! The split of the screen, changed by keys or by dragging the dividers; and dragging in the overview strip.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::scrolling::go_to_cell;
use crate::model::{Focus, Model};
use crate::reader::DragHandle;

/// The least height of the copies when the line is dragged.
const LEAST_COPIES: u16 = 2;

/// Widens or narrows the list by a number of columns.
pub(super) fn split_by(model: &mut Model, columns: i16) {
    let divider = model.layout().divider;
    if model.beside.is_none() && !divider.is_empty() {
        drag_divider(model, divider.x.saturating_add_signed(columns));
    }
}

/// Gives the whole screen to the document, or restores the split.
pub(super) fn toggle_zoom(model: &mut Model) {
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
pub(super) fn on_drag(model: &mut Model, mouse: MouseEvent) -> bool {
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
