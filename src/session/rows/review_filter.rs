//! Filters of the rows of a review.

use super::known_review::KnownReview;
use super::reviews::ListedReview;
use dupi_base::config::Kind;
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern, percent};
use dupi_index::taboo::CorrectedKinds;
use dupi_text::blot::Blot;

/// A row of a review, as far as a filter applies to it.
pub(super) struct ReviewContents<'a> {
    /// The review.
    pub review: &'a KnownReview,
    /// The row.
    pub row: &'a ListedReview,
    /// Its whole text.
    pub text: &'a str,
    /// The index of its passage; `None` for what drifted.
    pub number: Option<usize>,
    /// The corrected kinds.
    pub kinds: &'a CorrectedKinds,
}

impl Facts for ReviewContents<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        match of {
            Quantity::Copies => Fact::Is(self.row.copies),
            Quantity::Documents => Fact::Is(self.row.documents),
            Quantity::Tokens => Fact::Is(u64::from(self.row.tokens)),
            Quantity::Score => self.row.passage.as_ref().map(|passage| passage.score).into(),
            Quantity::Alike => self.row.passage.as_ref().map(|passage| percent(passage.similarity)).into(),
            Quantity::Share => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<ReviewState> {
        Fact::Is(self.row.state)
    }

    fn is_of_kind(&self, kinds: &[Kind]) -> Option<bool> {
        let passages = &self.review.known.passages;
        Some(self.number.is_some_and(|number| passages.is_of_kind(number as u32, kinds, self.kinds)))
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        Some(self.row.id.0 == passage)
    }

    fn has_blot(&self, _: Blot) -> Option<bool> {
        Some(false)
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let holds = |path: &std::path::Path| test.holds(path, &mut String::new);
        let known = &self.review.known;
        Some(match self.number {
            Some(number) => known.passages.found[number].copies.iter().any(|copy| {
                let id = known.passages.sources[copy.source as usize].id;
                holds(known.snapshot.path(known.snapshot.file_of(id)))
            }),
            None => self.review.drift(self.row.id).is_some_and(|drift| {
                let changed = drift.changed.iter().map(|copy| &copy.at);
                changed.chain(&drift.others).any(|at| holds(&at.path))
            }),
        })
    }

    fn has_text(&self, _: usize, words: &WordPattern) -> Option<bool> {
        Some(words.matches(self.text))
    }
}
