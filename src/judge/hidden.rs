//! Decides whether the taboo list hides a passage.

use dupi_index::taboo::TabooSet;
use dupi_text::blot::{Recipe, tiles_of};
use dupi_text::token::Token;

/// Whether fewer than `least` tokens of a passage are outside of taboo text. A passage without taboo text is never
/// hidden, however short its representative is.
pub fn is_hidden(tokens: &[u64], least: u32, taboo: &TabooSet, recipe: &Recipe) -> bool {
    if taboo.is_empty() {
        return false;
    }
    let span = recipe.tile_tokens();
    let (mut left, mut covered) = (tokens.len() as u32, 0);
    let all = tokens.iter().map(|&hash| Token { hash, start: 0, end: 0 });
    // Tiles come in order. Each counts only the tokens that no tile before it covers.
    tiles_of(all, recipe, |tile| {
        if taboo.contains(tile.blot) {
            left -= tile.first + span - covered.max(tile.first);
            covered = tile.first + span;
        }
    });
    covered > 0 && left < least
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_index::taboo::{TabooEntry, TabooList};
    use dupi_text::token::{LexState, Tokeniser};

    #[test]
    fn a_passage_is_hidden_when_too_little_of_it_is_not_taboo() {
        let recipe = Recipe::default();
        let added = jiff::civil::date(2026, 1, 2);
        let entry =
            TabooEntry { text: "one two three four five six".into(), added, reason: None, language: None };
        let taboo = TabooSet::new(&TabooList::from_iter([entry]), &recipe);
        let hides = |text: &str, least| {
            let tokens = Tokeniser::Words.tokens(text, LexState::default());
            let hashes: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
            is_hidden(&hashes, least, &taboo, &recipe)
        };
        assert!(hides("one two three four five six", 1));
        assert!(hides("two three four five six seven eight nine", 4));
        assert!(!hides("two three four five six seven eight nine", 3));
        assert!(!hides("four five six seven eight nine", 25));
    }
}
