//! A terminal's screen as pixels, in a window with round corners and a title line with three dots.

use avt::{Cell, Terminal};

use crate::colours::{Palette, Rgba, mix};
use crate::film::Picture;
use crate::glyphs::{BASELINE, CELL, Glyphs};

/// Between the cells and the edges of the window, and above them.
const PADDING: usize = 28;
const TITLE: usize = 64;
/// The radius of the window's corners, and of the dots.
const CORNER: f32 = 20.0;
const DOT: f32 = 9.0;
/// How thick lines are: the window's edge, under text, and through it.
const LINE: usize = 2;
/// How far above the foot of characters a line goes through them.
const STRUCK: usize = 8;

/// A window, and what it shows.
pub struct Window {
    pub picture: Picture,
    palette: &'static Palette,
    glyphs: Glyphs,
    /// Each cell, and whether the cursor is on it.
    shown: Vec<Vec<Option<(Cell, bool)>>>,
}

impl Window {
    /// An empty window for so many columns and lines.
    pub fn new((columns, lines): (u16, u16), palette: &'static Palette) -> Self {
        let (columns, lines) = (usize::from(columns), usize::from(lines));
        let mut picture = Picture::new(columns * CELL.0 + 2 * PADDING, TITLE + lines * CELL.1 + PADDING);
        frame(&mut picture, palette);
        Self { picture, palette, glyphs: Glyphs::new(), shown: vec![vec![None; columns]; lines] }
    }

    /// Paints the cells that are not as they were.
    pub fn show(&mut self, terminal: &Terminal) {
        let cursor = terminal.cursor().position();
        for (line, row) in terminal.screen().visible_lines().enumerate().take(self.shown.len()) {
            for (column, cell) in row.cells().iter().enumerate().take(self.shown[line].len()) {
                let now = (*cell, cursor == Some((column, line)));
                if self.shown[line][column].replace(now) != Some(now) && cell.width() > 0 {
                    self.paint(column, line, cell, now.1);
                }
            }
        }
    }

    fn paint(&mut self, column: usize, line: usize, cell: &Cell, is_under_cursor: bool) {
        let pen = cell.pen();
        let (text, back) = self.palette.of(pen);
        let (text, back) = if is_under_cursor { (back, text) } else { (text, back) };
        let (left, top) = (PADDING + column * CELL.0, TITLE + line * CELL.1);
        let mask = self.glyphs.mask(cell.char(), usize::from(cell.width()), pen.is_bold(), pen.is_italic());
        for (y, coverages) in mask.lines().enumerate() {
            let is_lined = pen.is_underline() && (BASELINE + 3..BASELINE + 3 + LINE).contains(&y)
                || pen.is_strikethrough() && (BASELINE - STRUCK..BASELINE - STRUCK + LINE).contains(&y);
            let pixels = self.picture.line_mut(left, top + y, mask.width);
            for (pixel, coverage) in pixels.iter_mut().zip(coverages) {
                *pixel = match if is_lined { 255 } else { *coverage } {
                    0 => back,
                    255 => text,
                    // Fewer shades pack better, and nobody sees the difference.
                    coverage => mix(back, text, coverage / 17 * 17),
                };
            }
        }
    }
}

/// The window without its contents. What lies outside of its corners is seen through.
fn frame(picture: &mut Picture, palette: &Palette) {
    let (width, height) = (picture.width as f32, picture.height as f32);
    for y in 0..picture.height {
        let line = picture.line_mut(0, y, width as usize);
        for (x, pixel) in line.iter_mut().enumerate() {
            let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
            // How far the pixel lies within the edge.
            let (to_side, to_end) = (x.min(width - x), y.min(height - y));
            let within = if to_side < CORNER && to_end < CORNER {
                CORNER - ((CORNER - to_side).powi(2) + (CORNER - to_end).powi(2)).sqrt()
            } else {
                to_side.min(to_end)
            };
            let edge = mix(palette.back, palette.frame, coverage(LINE as f32 - within));
            *pixel = edge & (Rgba::MAX << 8) | Rgba::from(coverage(within));
            for dot in 0..3 {
                let centre = (PADDING as f32 + DOT + dot as f32 * 3.0 * DOT, TITLE as f32 / 2.0);
                let distance = ((x - centre.0).powi(2) + (y - centre.1).powi(2)).sqrt();
                *pixel = mix(*pixel, palette.frame, coverage(DOT - distance));
            }
        }
    }
}

/// How much of a pixel is covered by what ends so far from its middle.
fn coverage(within: f32) -> u8 {
    ((within + 0.5).clamp(0.0, 1.0) * 255.0).round() as u8
}
