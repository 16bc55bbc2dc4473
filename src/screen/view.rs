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
pub(super) mod footer;
pub(super) mod header;
pub(crate) mod help;
pub(crate) mod overlay;
pub(crate) mod popup;
pub(super) mod rows;
pub(crate) mod sheet;
pub(crate) mod status;
pub(crate) mod summary;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::model::{Layout, Model};
use crate::text::{Canvas, wrapped};
use crate::theme::{Theme, glyphs};

/// Draws everything.
pub(super) fn draw(frame: &mut Frame, model: &Model, theme: &Theme) {
    let area = frame.area();
    let canvas = &mut Canvas { buffer: frame.buffer_mut(), theme };
    let copies = model.list.copy_lines();
    let layout = Layout::new(area, model.focus, model.beside.is_some(), model.reader.split, copies);
    if layout.is_too_small {
        draw_too_small(canvas, area);
    } else {
        header::draw(canvas, layout.header, model);
        match model.page.lines() {
            Some(lines) => (lines.draw)(canvas, layout.body(), &model.lines_context()),
            None => draw_panes(canvas, &layout, model),
        }
        footer::draw(canvas, layout.footer, model);
        overlay::draw(canvas, area, model);
    }
    theme.finish(canvas.buffer);
}

/// Draws the list, and beside it what is known of the selected row.
fn draw_panes(canvas: &mut Canvas, layout: &Layout, model: &Model) {
    let theme = canvas.theme;
    rows::draw(canvas, layout.columns, layout.rows, model);
    let has_rule = model.beside.is_some() || copies::has_copies(model.list.row());
    for line in layout.lines().filter(|line| has_rule || *line != layout.rule) {
        let glyph = if line.width > 1 { glyphs::HORIZONTAL } else { glyphs::VERTICAL };
        for at in line.positions() {
            canvas.buffer.set_string(at.x, at.y, glyph, theme.quiet);
        }
    }
    if let Some(row) = model.list.row().filter(|_| !has_rule) {
        summary::draw(canvas, layout.copies.union(layout.document), model, row);
    }
    copies::draw(canvas, layout.copies, layout.rule, model);
    if model.beside.is_some() {
        beside::draw(canvas, layout, model);
    } else {
        document::draw(canvas, layout, model);
    }
}

/// Says how large the terminal must be, in whatever room there is.
fn draw_too_small(canvas: &mut Canvas, area: Rect) {
    let (columns, lines) = crate::model::layout::SMALLEST;
    let words = format!("{columns}×{lines} needed, this is {}×{}", area.width, area.height);
    let lines = wrapped(&words, usize::from(area.width), usize::from(area.height));
    canvas.put_lines(area, lines, canvas.theme.alarm);
}
