//! A row of which all is known, as the reference for filters that look where they must.

use std::collections::HashSet;
use std::path::PathBuf;

use dupi::blot::Blot;
use dupi::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern};

/// A row of which all is known: what one of its copies has, it has.
pub struct KnownRow {
    /// Its numbers; a filter that asks for another one is an error of the test.
    pub numbers: Vec<(Quantity, u64)>,
    /// The paths of its documents.
    pub paths: Vec<PathBuf>,
    /// The texts of its copies.
    pub texts: Vec<String>,
    /// The blots that a filter can name.
    pub blots: HashSet<Blot>,
}

impl Facts for KnownRow {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let known = self.numbers.iter().find(|(quantity, _)| *quantity == of);
        known.map_or_else(|| panic!("{of:?}"), |(_, number)| Fact::Is(*number))
    }

    fn state(&self) -> Fact<ReviewState> {
        Fact::Is(ReviewState::Open)
    }

    fn belongs_to(&self, _: u64) -> Option<bool> {
        Some(false)
    }

    fn has_blot(&self, blot: Blot) -> Option<bool> {
        Some(self.blots.contains(&blot))
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        Some(self.paths.iter().any(|path| test.holds(path, &mut String::new)))
    }

    fn has_text(&self, _: usize, words: &WordPattern) -> Option<bool> {
        let has = |text: &String| {
            words.matches(&text[..text.floor_char_boundary(400)]) || words.matches_exactly(text)
        };
        Some(self.texts.iter().any(has))
    }
}
