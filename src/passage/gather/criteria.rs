//! Which stretches are gathered.

use super::super::measure::Measure;
use dupi_text::blot::{Recipe, Selection};

/// Which stretches are gathered.
#[derive(Clone, Copy, Debug)]
pub struct StretchCriteria {
    /// The fewest tokens of a stretch.
    pub least: u32,
    /// The greatest distance, in tokens, between the starts of consecutive repeated tiles of one stretch.
    pub reach: u32,
    /// How many tokens before the first and after the last repeated tile belong to the stretch.
    pub margin: u32,
    /// Whether the names of folded tokens are gathered too.
    pub names: bool,
}

impl StretchCriteria {
    /// All stretches that can contain equal runs of `least` tokens.
    pub fn exact(recipe: &Recipe, least: u32) -> Self {
        let window = match recipe.selection {
            Selection::Every => 1,
            Selection::Winnow(window) => window,
        };
        Self { least, reach: window, margin: window - 1, names: false }
    }

    /// The stretches that can contain approximate copies.
    pub fn approximate(recipe: &Recipe, &Measure { least, gap, .. }: &Measure) -> Self {
        let margin = least + gap;
        Self { least: least / 2, reach: margin * 2 + recipe.tile_tokens(), margin, names: false }
    }
}
