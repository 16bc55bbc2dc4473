//! Whether the taboo list hides a passage.

use crate::blot::{Recipe, tiles_of};
use crate::taboo::TabooSet;
use crate::token::Token;

/// Whether too few tokens of a passage are left when those that lie within taboo text do not count.
pub fn is_hidden(tokens: &[u64], least: u32, taboo: &TabooSet, recipe: &Recipe) -> bool {
    if taboo.is_empty() {
        return false;
    }
    let mut is_taboo = vec![false; tokens.len()];
    let span = recipe.tile_tokens() as usize;
    let tokens = tokens.iter().map(|&hash| Token { hash, start: 0, end: 0 });
    tiles_of(tokens, recipe, |tile| {
        if taboo.contains(tile.blot) {
            is_taboo[tile.first as usize..][..span].fill(true);
        }
    });
    let left = is_taboo.iter().filter(|taboo| !**taboo).count();
    left < least as usize
}
