//! Rows of a review: passages that are new with a change, and copies of which the change changed only some.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::known_review::{KnownReview, first_changed};
use super::list_row::{ListRow, PlaceSource, RowReaders, RowSource, TEXT_IS_GONE, TabooText};
use super::passages::ListedPassage;
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::ItemId;
use dupi_index::index::IndexError;
use dupi_index::query::Occurrence;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::AcceptedId;
use dupi_passage::location::locate;
use dupi_passage::passages::PassageId;
use dupi_passage::rows::TEXT_LIMIT;
use dupi_report::{ReportRow, ReviewRow};
use dupi_review::review::drift::Drift;
use dupi_review::review::find::TouchedPassage;
use dupi_review::review::{ReviewedPassage, Verdict};
use dupi_text::blot::Blot;

/// A row of a review.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedReview {
    /// The identity of the passage, or of what drifted.
    pub id: PassageId,
    /// What it is.
    pub verdict: Verdict,
    /// What was decided about it.
    pub state: ReviewState,
    /// With how many copies it was accepted, if it was; with more it is open again.
    pub accepted: Option<u64>,
    /// The passage; `None` for what drifted.
    pub passage: Option<Arc<ListedPassage>>,
    /// How many copies there are,
    pub copies: u64,
    /// how many of them the change touches,
    pub changed: u64,
    /// and how many there were before.
    pub before: u64,
    /// How many documents have a copy.
    pub documents: u64,
    /// How many tokens a copy has.
    pub tokens: u32,
    /// The information, in bits, that keeping one copy would save; 0 for what drifted.
    pub worth: u64,
    /// The first copy that the change touches.
    pub at: Occurrence,
    /// The copy to use instead; of what drifted, the first copy that was left as it was.
    pub original: Option<Occurrence>,
    /// The beginning of its text.
    pub text: String,
    /// The line that tells most about it; of what drifted, the first line that the others lack.
    pub headline: String,
}

impl ListedReview {
    /// The row of a passage, without decisions.
    pub(super) fn new(
        passage: Arc<ListedPassage>,
        of: &TouchedPassage,
        at: Occurrence,
        original: Option<Occurrence>,
    ) -> Self {
        Self {
            id: passage.id,
            verdict: of.counts.verdict().unwrap_or(Verdict::NewCopy),
            state: ReviewState::Open,
            accepted: None,
            copies: passage.copies,
            changed: of.touched.iter().filter(|touched| **touched).count() as u64,
            before: (of.counts.elsewhere + of.counts.before) as u64,
            documents: u64::from(passage.documents),
            tokens: passage.tokens,
            worth: passage.worth,
            at,
            original,
            text: passage.text.clone(),
            headline: passage.headline.clone(),
            passage: Some(passage),
        }
    }

    /// The row of what drifted, without decisions.
    pub(super) fn of_drift(drift: &Drift) -> Self {
        let copies = (drift.changed.len() + drift.others.len()) as u64;
        let text = drift.changed.first().map(|copy| copy.text.as_str()).unwrap_or_default();
        let edits = drift.changed.iter().flat_map(|copy| &copy.edits);
        let mut lines = edits.flat_map(|edit| edit.added.iter().chain(&edit.removed));
        let headline = lines.find(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned());
        Self {
            id: PassageId(drift.id),
            verdict: Verdict::Drifted,
            state: ReviewState::Open,
            accepted: None,
            passage: None,
            copies,
            changed: drift.changed.len() as u64,
            before: copies,
            documents: copies,
            tokens: drift.tokens,
            worth: 0,
            at: first_changed(drift),
            original: drift.others.first().cloned(),
            text: text[..text.floor_char_boundary(TEXT_LIMIT)].to_owned(),
            headline: headline.unwrap_or_default(),
        }
    }

    /// The same with what it is by the decisions, and these.
    pub(super) fn judged(&self, verdict: Verdict, state: ReviewState, accepted: Option<u64>) -> Self {
        Self { verdict, state, accepted, ..self.clone() }
    }
}

impl ListRow for ListedReview {
    fn id(&self) -> ItemId {
        ItemId::Review(self.id)
    }

    fn text(&self) -> Cow<'_, str> {
        self.text.as_str().into()
    }

    fn place(&self) -> Option<(&Path, bool)> {
        Some((&self.at.path, false))
    }

    fn token_count(&self) -> u64 {
        u64::from(self.tokens)
    }

    fn documents(&self) -> u64 {
        self.documents
    }

    fn copies(&self) -> Option<u64> {
        Some(self.copies)
    }

    fn language(&self) -> Option<&str> {
        self.passage.as_ref()?.language.as_deref()
    }

    fn state(&self) -> ReviewState {
        self.state
    }

    fn accepted(&self) -> Option<u64> {
        self.accepted
    }

    fn reviewed_copies(&self) -> u64 {
        self.copies
    }

    fn accepted_as(&self) -> Option<AcceptedId> {
        Some(AcceptedId::Passage(self.id.0))
    }

    fn is_text(&self) -> bool {
        self.passage.is_some()
    }

    fn is_from_review(&self) -> bool {
        true
    }

    fn text_source(&self, source: &RowSource) -> Option<u32> {
        self.passage.as_ref()?.text_source(source)
    }

    fn whole_text(&self, source: &RowSource, readers: &mut RowReaders) -> Option<String> {
        match &self.passage {
            Some(passage) => passage.whole_text(source, readers),
            None => Some(source.review?.drift(self.id)?.changed.first()?.text.clone()),
        }
    }

    fn taboo_texts(&self, source: &RowSource, readers: &mut RowReaders) -> Vec<Option<TabooText>> {
        self.passage.as_ref().map(|passage| passage.taboo_texts(source, readers)).unwrap_or_default()
    }

    fn taboo_blots(&self, source: &RowSource) -> Vec<Vec<Blot>> {
        self.passage.as_ref().map(|passage| passage.taboo_blots(source)).unwrap_or_default()
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        Ok(source.review.map_or(CopyPlaces::Nowhere, |review| CopyPlaces::of_review(review, self.id)))
    }

    fn why_empty(&self) -> Option<&'static str> {
        Some(TEXT_IS_GONE)
    }

    fn export(&self, source: &RowSource, _: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        let row = source.review.and_then(|review| match review.drift(self.id) {
            Some(drift) => Some(ReviewRow::drifted(drift, self.state)),
            None => self.exported(review),
        });
        Ok(row.map(ReportRow::Review).into_iter().collect())
    }
}

impl ListedReview {
    /// The row of a passage as `review` prints it; `None` if its text is gone.
    fn exported(&self, review: &KnownReview) -> Option<ReviewRow> {
        let of = review.passage(self.id)?;
        let passages = &review.known.passages;
        let passage = &passages.found[of.number];
        let located = locate(&review.known.snapshot, &passages.sources, &[passage], None).pop()?;
        let reviewed = ReviewedPassage {
            number: of.number,
            verdict: self.verdict,
            state: self.state,
            before: self.before as usize,
            touched: of.touched.clone(),
            original: of.original,
        };
        (!located.copies.is_empty()).then(|| ReviewRow::new(passage, &reviewed, passage.kind, located))
    }
}
