//! Characters as masks of one cell or two: lines and blocks drawn so that they join, all else from DejaVu
//! Sans Mono, then DejaVu Sans, and then the bitmaps of GNU Unifont, which know nearly everything.

use std::collections::HashMap;

use ab_glyph::{Font, FontRef, Glyph, PxScale, point};

use crate::blocks;

/// The size of a cell in pixels. That of Unifont's cells, twice as large, and a little room between lines.
pub const CELL: (usize, usize) = (16, 34);

/// Where characters stand, from the top of a cell.
pub const BASELINE: usize = 26;

/// How much of each pixel of a cell, or of two, a character covers.
pub struct Mask {
    pub width: usize,
    coverage: Vec<u8>,
}

impl Mask {
    /// A mask of so many cells that covers nothing.
    pub fn new(cells: usize) -> Self {
        let width = cells * CELL.0;
        Self { width, coverage: vec![0; width * CELL.1] }
    }

    /// Covers a pixel, where it lies within.
    pub fn set(&mut self, x: usize, y: usize, coverage: u8) {
        if x < self.width && y < CELL.1 {
            let there = &mut self.coverage[y * self.width + x];
            *there = coverage.max(*there);
        }
    }

    /// The pixels, line by line.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.coverage.chunks(self.width)
    }
}

/// All characters that were asked for.
pub struct Glyphs {
    /// For each style (plain, bold, slanted, both) the fonts to look into.
    fonts: [Vec<FontRef<'static>>; 4],
    known: HashMap<(char, usize, usize), Mask>,
}

impl Glyphs {
    /// The fonts.
    pub fn new() -> Self {
        use dejavu::{sans, sans_mono};
        let of = |fonts: [&'static [u8]; 2]| fonts.map(|font| FontRef::try_from_slice(font).unwrap()).into();
        let fonts = [
            of([sans_mono::regular(), sans::regular()]),
            of([sans_mono::bold(), sans::bold()]),
            of([sans_mono::oblique(), sans::oblique()]),
            of([sans_mono::bold_oblique(), sans::bold_oblique()]),
        ];
        Self { fonts, known: HashMap::new() }
    }

    /// A character in so many cells.
    pub fn mask(&mut self, character: char, cells: usize, bold: bool, slanted: bool) -> &Mask {
        let style = usize::from(bold) + 2 * usize::from(slanted);
        self.known.entry((character, cells, style)).or_insert_with(|| {
            blocks::mask(character)
                .or_else(|| self.fonts[style].iter().find_map(|font| outlined(font, character, cells)))
                .unwrap_or_else(|| bitmap(character, cells))
        })
    }
}

/// A character of a font; `None` where it has none. One that is too wide is made narrower.
fn outlined(font: &FontRef<'_>, character: char, cells: usize) -> Option<Mask> {
    let id = font.glyph_id(character);
    if id.0 == 0 {
        return None;
    }
    let mut mask = Mask::new(cells);
    // All four faces of the first font are so wide.
    let em = CELL.0 as f32 / 0.602;
    let height = em * font.height_unscaled() / font.units_per_em()?;
    let advance = em * font.h_advance_unscaled(id) / font.units_per_em()?;
    let narrower = (mask.width as f32 / advance.max(1.0)).min(1.0);
    let left = (mask.width as f32 - advance * narrower) / 2.0;
    let glyph = Glyph {
        id,
        scale: PxScale { x: height * narrower, y: height },
        position: point(left, BASELINE as f32),
    };
    if let Some(outline) = font.outline_glyph(glyph) {
        let bounds = outline.px_bounds();
        outline.draw(|x, y, coverage| {
            let (x, y) = (bounds.min.x as i32 + x as i32, bounds.min.y as i32 + y as i32);
            if let (Ok(x), Ok(y)) = (x.try_into(), y.try_into()) {
                mask.set(x, y, (coverage * 255.0).round() as u8);
            }
        });
    }
    Some(mask)
}

/// A character of the bitmap font; a box for one that it does not know.
fn bitmap(character: char, cells: usize) -> Mask {
    let mut mask = Mask::new(cells);
    let glyph = unifont::get_glyph(character);
    let width = mask.width / 2;
    for y in 0..16 {
        for x in 0..width {
            let edge = (x == 1 || x + 2 == width || y == 2 || y == 13)
                && (1..width - 1).contains(&x)
                && (2..14).contains(&y);
            if glyph.map_or(edge, |glyph| glyph.get_pixel(x, y)) {
                for (right, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    mask.set(2 * x + right, 2 * y + down, 255);
                }
            }
        }
    }
    mask
}
