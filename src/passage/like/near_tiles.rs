//! The parts of a document that may be copies of a probe around some of its tiles.
//!
//! A copy that has one of these tiles is taken to reach no farther to either side of it than the probe does, with the
//! insertions that a copy may have there. So what is farther away from all of them need not be compared.

use std::collections::HashMap;
use std::ops::Range;

use dupi_text::blot::{Blot, Recipe, Tile, tiles_of};
use dupi_text::token::Token;

/// The tokens that a copy may have on one side of a tile beyond one and a half times those of the probe: its last
/// insertion, and what agrees behind it.
const BEYOND: usize = 64;

/// Some tiles of a probe, and how far a copy reaches around each.
pub struct NearTiles {
    /// How many tokens of a copy may be before the first token of a tile, and from that one on.
    reach: HashMap<Blot, (usize, usize)>,
    recipe: Recipe,
}

impl NearTiles {
    /// Some tiles of a probe, and its number of tokens.
    pub fn new(tiles: &[Tile], tokens: usize, recipe: &Recipe) -> Self {
        let mut reach: HashMap<Blot, (usize, usize)> = HashMap::new();
        let longest = |tokens: usize| tokens + tokens / 2 + BEYOND;
        for tile in tiles {
            let first = tile.first as usize;
            let (before, behind) = reach.entry(tile.blot).or_default();
            *before = longest(first).max(*before);
            *behind = longest(tokens.saturating_sub(first)).max(*behind);
        }
        Self { reach, recipe: *recipe }
    }

    /// The ranges of tokens around these tiles in a text.
    pub fn ranges(&self, tokens: &[Token]) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        // All of them: which tiles of a document are kept depends on what stands before its part.
        tiles_of(tokens.iter().copied(), &self.recipe, |tile| self.add(&mut ranges, &tile, tokens.len()));
        ranges
    }

    /// Adds the range around a tile of a text with `tokens` tokens to those of the tiles before it. No two of them meet.
    pub fn add(&self, ranges: &mut Vec<Range<usize>>, tile: &Tile, tokens: usize) {
        let Some((before, behind)) = self.reach.get(&tile.blot) else { return };
        let first = tile.first as usize;
        let mut next = first.saturating_sub(*before)..(first + behind).min(tokens);
        // It may reach farther to the left than those before it, if the probe has more text there.
        while let Some(last) = ranges.pop_if(|last| next.start <= last.end) {
            next = last.start.min(next.start)..last.end.max(next.end);
        }
        ranges.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_reaches_as_far_as_the_probe_with_an_insertion() {
        let blot = |number: u64| Blot::from_hash(number << 40);
        let tile = |number, first| Tile { blot: blot(number), first, start: 0, end: 0 };
        let near = NearTiles::new(&[tile(1, 0), tile(2, 90), tile(2, 40)], 100, &Recipe::default());
        let ranges = |tiles: &[Tile], tokens| {
            let mut ranges = Vec::new();
            tiles.iter().for_each(|tile| near.add(&mut ranges, tile, tokens));
            ranges.into_iter().map(|range| (range.start, range.end)).collect::<Vec<_>>()
        };
        assert_eq!(ranges(&[tile(1, 500)], 1000), [(436, 714)]);
        assert_eq!(ranges(&[tile(2, 500)], 1000), [(301, 654)], "at both places in the probe");
        assert_eq!(
            ranges(&[tile(1, 30), tile(3, 400)], 200),
            [(0, 200)],
            "within the text, and no other tile"
        );
        assert_eq!(ranges(&[tile(1, 100), tile(1, 500), tile(2, 800)], 1000), [(36, 314), (436, 954)]);
    }
}
