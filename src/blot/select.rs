//! Which tiles are kept.

use super::Tile;

/// Decides, tile by tile, which are kept.
pub(super) trait Select {
    /// Takes the next tile and the number it is ordered by.
    fn push(&mut self, order: u64, tile: Tile, keep: &mut impl FnMut(Tile));

    /// No more tiles.
    fn finish(self, keep: &mut impl FnMut(Tile));
}

/// Keeps all.
pub(super) struct Every;

impl Select for Every {
    #[inline]
    fn push(&mut self, _: u64, tile: Tile, keep: &mut impl FnMut(Tile)) {
        keep(tile);
    }

    fn finish(self, _: &mut impl FnMut(Tile)) {}
}

/// Robust winnowing (Schleimer, Wilkerson and Aiken, “Winnowing: local algorithms for document
/// fingerprinting”, 2003): of each w consecutive tiles the smallest is kept; among equals the one that
/// is kept already, else the last. A text of fewer than w tiles keeps its smallest.
///
/// The smallest is looked for anew only when the old one leaves the window, which on average happens
/// every (w + 1) / 2 tiles.
pub(super) struct Winnow {
    width: usize,
    window: Vec<(u64, Tile)>,
    pushed: usize,
    /// When the smallest tile of the window was pushed, counted from 0.
    smallest: usize,
    /// The smallest tile was kept.
    kept: bool,
}

impl Winnow {
    pub(super) fn new(width: u32) -> Self {
        let width = width.max(1) as usize;
        Self { width, window: Vec::with_capacity(width), pushed: 0, smallest: 0, kept: false }
    }

    fn at(&self, number: usize) -> &(u64, Tile) {
        &self.window[number % self.width]
    }
}

impl Select for Winnow {
    #[inline]
    fn push(&mut self, order: u64, tile: Tile, keep: &mut impl FnMut(Tile)) {
        let width = self.width;
        let number = self.pushed;
        self.pushed += 1;
        if number < width {
            self.window.push((order, tile));
        } else {
            self.window[number % width] = (order, tile);
        }
        let first = self.pushed.saturating_sub(width);
        if number == 0 {
            self.smallest = 0;
        } else if self.smallest < first {
            let last = (first..self.pushed).rev();
            self.smallest = last.min_by_key(|&number| self.at(number).0).unwrap_or(number);
            self.kept = false;
        } else {
            let smallest = self.at(self.smallest).0;
            if order < smallest || (order == smallest && !self.kept) {
                self.smallest = number;
                self.kept = false;
            }
        }
        if self.pushed >= width && !self.kept {
            keep(self.at(self.smallest).1);
            self.kept = true;
        }
    }

    fn finish(self, keep: &mut impl FnMut(Tile)) {
        if self.pushed > 0 && self.pushed < self.width {
            keep(self.at(self.smallest).1);
        }
    }
}
