//! Draws the screen as a function of the state.
//!
//! ```text
//! corpus                       state of the indexer
//! ── views ───────────────────── file that is read ──
//! rows of the list     │ copies of the selected row
//!                      │ ──────────────────────────
//!                      │ document of the current copy
//! message, filter
//! relevant keys
//! ```

pub(super) mod beside;
pub(super) mod columns;
pub(super) mod copies;
pub(crate) mod document;
pub(crate) mod empty;
pub(super) mod footer;
pub(super) mod header;
pub(crate) mod help;
pub(crate) mod overlay;
pub(crate) mod popup;
pub(crate) mod prompt;
pub(super) mod rows;
pub(crate) mod sheet;
pub(crate) mod status;
pub(super) mod strip;
pub(crate) mod summary;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::{Layout, Model};
use crate::text::{put, wrapped};
use crate::theme::Theme;
use dupi_session::Item;

/// Draws everything.
pub(super) fn draw(frame: &mut Frame, model: &Model, theme: &Theme) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    let copies = model.list.copy_lines();
    let layout = Layout::of(area, model.focus, model.beside.is_some(), model.reader.split, copies);
    if layout.is_too_small {
        draw_too_small(buffer, area, theme);
        return theme.finish(buffer);
    }
    header::draw(buffer, layout.header, model, theme);
    if let Some(lines) = model.page.lines() {
        (lines.draw)(buffer, layout.body(), &model.lines_context(), theme);
        footer::draw(buffer, layout.footer, model, theme);
        overlay::draw(buffer, area, model, theme);
        return theme.finish(buffer);
    }
    rows::draw(buffer, layout.columns, layout.rows, model, theme);
    let has_rule = model.beside.is_some() || copies::has_copies(model.list.row());
    for line in layout.lines().filter(|line| has_rule || *line != layout.rule) {
        let glyph = if line.width > 1 { theme.glyphs.horizontal } else { theme.glyphs.vertical };
        for at in line.positions() {
            buffer.set_string(at.x, at.y, glyph, theme.quiet);
        }
    }
    let beside = layout.copies.union(layout.document);
    match model.list.row().filter(|_| !has_rule) {
        Some(Item::Folder(row)) => summary::draw_folder(buffer, beside, model, row, theme),
        Some(Item::Aside(row)) => summary::draw_aside(buffer, beside, model, row, theme),
        Some(Item::Cluster(row)) => summary::draw_cluster(buffer, beside, model, row, theme),
        Some(Item::Member(row)) => summary::draw_member(buffer, beside, model, row, theme),
        _ => {}
    }
    copies::draw(buffer, layout.copies, layout.rule, model, theme);
    if model.beside.is_some() {
        beside::draw(buffer, &layout, model, theme);
    } else {
        document::draw(buffer, layout.document, layout.strip, model, theme);
    }
    footer::draw(buffer, layout.footer, model, theme);
    overlay::draw(buffer, area, model, theme);
    theme.finish(buffer);
}

/// Says how large the terminal must be, in whatever room there is.
fn draw_too_small(buffer: &mut Buffer, area: Rect, theme: &Theme) {
    let (columns, lines) = crate::model::layout::SMALLEST;
    let (width, height) = (area.width, area.height);
    let words = format!("{columns}×{lines} needed, this is {width}×{height}");
    for (y, line) in (area.y..area.bottom()).zip(wrapped(&words, usize::from(width), usize::from(height))) {
        put(buffer, area.x, y, width, &line, theme.alarm);
    }
}
