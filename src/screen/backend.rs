//! A ratatui backend that stays correct when the terminal disagrees about the width of a glyph.
//!
//! ratatui assumes that the cursor is where its own width computation puts it. After a glyph whose width terminals
//! disagree on, this backend positions the cursor explicitly, so that only that glyph can be misplaced. When such a
//! glyph disappears, all of its columns are written again, because the terminal may store its parts in separate cells.
//!
//! A frame is one synchronized update (mode 2026), so that the terminal never shows a half of it. Terminals without that
//! mode ignore it.

use std::io::{self, Write};

use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};
use ratatui::layout::{Position, Size};

use crate::cells::is_sure;

/// A crossterm backend that positions glyphs of uncertain width explicitly.
pub(super) struct PositioningBackend<W: Write> {
    inner: CrosstermBackend<W>,
    /// Whether a frame was begun and not ended yet.
    is_drawing: bool,
}

impl<W: Write> PositioningBackend<W> {
    /// A backend that writes to `writer`.
    pub(super) fn new(writer: W) -> Self {
        Self { inner: CrosstermBackend::new(writer), is_drawing: false }
    }

    /// Blanks the columns of an uncertain glyph first, because the terminal may use fewer.
    fn draw_doubtful(&mut self, x: u16, y: u16, cell: &Cell) -> io::Result<()> {
        let mut blank = cell.clone();
        blank.set_symbol(" ");
        self.inner.draw((x..x + cell.cell_width()).map(|x| (x, y, &blank)))?;
        self.inner.draw(std::iter::once((x, y, cell)))
    }
}

/// The columns after the first of each uncertain glyph in the last frame.
#[derive(Default)]
pub(super) struct GlyphTrails(Vec<Position>);

impl GlyphTrails {
    /// Marks these columns of the next frame as changed, unless a wide glyph covers them: ratatui would assume that a
    /// blank is shown already. Then records those of the new frame.
    pub(super) fn renew(&mut self, buffer: &mut Buffer) {
        for at in self.0.drain(..) {
            if let Some(cell) = buffer.cell_mut(at) {
                cell.set_diff_option(CellDiffOption::AlwaysUpdate);
            }
        }
        let is_doubtful = |cell: &Cell| cell.cell_width() > 1 && !is_sure(cell.symbol());
        let area = buffer.area;
        let doubtful = area.positions().filter(|at| is_doubtful(&buffer[*at]));
        self.0.extend(doubtful.flat_map(|at| {
            let behind = at.x + 1..at.x + buffer[at].cell_width();
            behind.map(move |x| Position { x, ..at })
        }));
    }
}

impl<W: Write> Backend for PositioningBackend<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let mut content = content.peekable();
        if content.peek().is_some() && !self.is_drawing {
            queue!(self.inner, BeginSynchronizedUpdate)?;
            self.is_drawing = true;
        }
        while content.peek().is_some() {
            let mut doubtful = None;
            let sure = std::iter::from_fn(|| {
                let next = content.next()?;
                if is_sure(next.2.symbol()) {
                    return Some(next);
                }
                doubtful = Some(next);
                None
            });
            self.inner.draw(sure)?;
            if let Some((x, y, cell)) = doubtful {
                self.draw_doubtful(x, y, cell)?;
            }
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        // ratatui calls this when dropped and reports errors on standard error, which panics if the terminal is gone.
        let _ = self.inner.show_cursor();
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.inner.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_drawing) {
            queue!(self.inner, EndSynchronizedUpdate)?;
        }
        Write::flush(&mut self.inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    /// What is written for frames of one line, one after the other.
    fn written(frames: &[&str]) -> String {
        let area = Rect::new(0, 0, 12, 1);
        let (mut trails, mut before) = (GlyphTrails::default(), Buffer::empty(area));
        let mut bytes = Vec::new();
        for text in frames {
            let mut shown = Buffer::empty(area);
            shown.set_string(0, 0, text, Style::new());
            trails.renew(&mut shown);
            let mut backend = PositioningBackend::new(&mut bytes);
            backend.draw(before.diff(&shown).into_iter()).unwrap();
            Backend::flush(&mut backend).unwrap();
            before = shown;
        }
        String::from_utf8(bytes).unwrap()
    }

    /// What a terminal shows that gives each part of a glyph a cell of its own.
    fn seen(frames: &[&str]) -> String {
        let mut terminal = vt100::Parser::new(2, 12, 0);
        terminal.process(written(frames).as_bytes());
        terminal.screen().contents().trim_end().to_owned()
    }

    #[test]
    fn what_stands_behind_a_doubtful_glyph_is_placed() {
        let text = written(&["aकाb"]);
        assert!(text.contains("\u{1b}[1;2Hका") && text.contains("\u{1b}[1;4Hb"), "{text:?}");
        let text = written(&["aéб東b"]);
        assert!(text.contains("aéб東") && !text.contains("\u{1b}[1;3H"), "{text:?}");
    }

    #[test]
    fn a_terminal_that_takes_fewer_columns_shows_nothing_old_there() {
        let text = written(&["a🦀b"]);
        assert!(text.contains("\u{1b}[1;2H  "), "{text:?}");
    }

    #[test]
    fn of_a_doubtful_glyph_that_went_nothing_stays() {
        assert_eq!(seen(&["हिन्दी की", ""]), "");
        assert_eq!(seen(&["का की", "क"]), "क");
        assert_eq!(written(&["का की", "का की"]), written(&["का की"]), "what stays is not written again");
    }

    #[test]
    fn a_frame_is_one_synchronized_update_and_an_empty_one_is_none() {
        let text = written(&["aका"]);
        assert!(text.starts_with("\u{1b}[?2026h") && text.ends_with("\u{1b}[?2026l"), "{text:?}");
        assert_eq!(text.matches("?2026").count(), 2);
        assert_eq!(written(&["a", "a"]).matches("?2026").count(), 2);
    }

    proptest! {
        #[test]
        fn a_frame_is_seen_alike_whatever_was_seen_before_it(
            frames in proptest::collection::vec("(a| |b|का|षि|क्|दी|東|é){0,8}", 1..6)
        ) {
            let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
            prop_assert_eq!(seen(&frames), seen(&frames[frames.len() - 1..]));
        }
    }
}
