//! Rows of a review: passages that are new with a change, and copies of which the change changed only some.
//!
//! A list has what is new first, then what has drifted, in the order that is asked for. Decisions are put to what was found
//! whenever a list is made, so that they need no search.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::list_row::{CopySource, ListRow, RowFacts, RowReaders, TabooText, beginning};
use super::list_row::{ListMaker, ListRequest, page};
use crate::known::Found;
use crate::known::{KnownReview, ReviewStand, ReviewedText};
use crate::protocol::{HiddenCounts, Item, ItemId, ListedPassage, ListedReview, Listing, Sort};
use dupi_base::config::Kind;
use dupi_index::index::IndexError;
use dupi_index::query::Occurrence;
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern, percent};
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedId, CorrectedKinds};
use dupi_judge::copies::OpenCopy;
use dupi_judge::location::locate;
use dupi_judge::passages::PassageId;
use dupi_report::{ReportRow, ReviewRow};
use dupi_review::review::drift::Drift;
use dupi_review::review::find::TouchedPassage;
use dupi_review::review::{ReviewedPassage, Verdict};
use dupi_text::blot::Blot;

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
            verdict: of.counts.verdict(None).unwrap_or(Verdict::NewCopy),
            state: ReviewState::Open,
            accepted: None,
            copies: passage.copies,
            changed: of.touched.iter().filter(|touched| **touched).count() as u64,
            before: of.counts.former() as u64,
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
            at: drift.changed.first().map(|copy| copy.at.clone()).unwrap_or_default(),
            original: drift.others.first().cloned(),
            text: beginning(text).to_owned(),
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

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some((&self.at.path, false)),
            tokens: u64::from(self.tokens),
            documents: self.documents,
            copies: Some(self.copies),
            language: self.passage.as_ref().and_then(|passage| passage.language.as_deref()),
            state: self.state,
            accepted: self.accepted,
            reviewed_copies: self.copies,
            accepted_as: Some(AcceptedId::Passage(self.id.0)),
            is_text: self.passage.is_some(),
            source: CopySource::Review(self.id),
            ..RowFacts::default()
        }
    }

    fn text_source(&self, found: &Found) -> Option<u32> {
        self.passage.as_ref()?.text_source(found)
    }

    fn whole_text(&self, found: &Found, readers: &mut RowReaders) -> Option<String> {
        match &self.passage {
            Some(passage) => passage.whole_text(found, readers),
            None => Some(found.review.found()?.drift(self.id)?.changed.first()?.text.clone()),
        }
    }

    fn taboo_texts(&self, found: &Found, readers: &mut RowReaders) -> Vec<Option<TabooText>> {
        self.passage.as_ref().map(|passage| passage.taboo_texts(found, readers)).unwrap_or_default()
    }

    fn taboo_blots(&self, found: &Found) -> Vec<Vec<Blot>> {
        self.passage.as_ref().map(|passage| passage.taboo_blots(found)).unwrap_or_default()
    }

    fn export(&self, found: &Found, _: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        let row = found.review.found().and_then(|review| match review.drift(self.id) {
            Some(drift) => Some(ReviewRow::drifted(drift, self.state)),
            None => self.exported(review),
        });
        Ok(row.map(|row| Box::new(row) as _).into_iter().collect())
    }
}

impl ListedReview {
    /// The row of a passage as `review` prints it; `None` if its text is gone.
    fn exported(&self, review: &KnownReview) -> Option<ReviewRow> {
        let of = review.passage(self.id)?;
        let passages = &review.known.passages;
        let passage = &passages.found[of.number];
        let located = locate(&review.known.snapshot, &passages.sources, &[passage], None).pop()?;
        let reviewed = ReviewedPassage { of: of.clone(), verdict: self.verdict, state: self.state };
        (!located.copies.is_empty()).then(|| ReviewRow::new(passage, &reviewed, passage.kind, located))
    }
}

/// A review with a row for each finding. Reads a document for each.
pub(crate) fn with_rows(mut review: KnownReview) -> KnownReview {
    let reader = || DocumentReader::new(&review.known.snapshot);
    let touched = review.found.touched.par_iter();
    let touched = touched.map_init(reader, |reader, of| row_of(&review, reader, of)).collect();
    let of_drift = |drift: &Drift| {
        let texts: Vec<&str> = drift.changed.iter().map(|copy| copy.text.as_str()).collect();
        (ListedReview::of_drift(drift), texts.join("\n"))
    };
    let drifted = review.found.drifts.iter().map(of_drift).collect();
    (review.touched, review.drifted) = (touched, drifted);
    review
}

/// The row of a touched passage; `None` if its files have changed since.
fn row_of(review: &KnownReview, reader: &mut DocumentReader, of: &TouchedPassage) -> Option<ReviewedText> {
    let (snapshot, passages) = (&review.known.snapshot, &review.known.passages);
    let (found, pins) = (&passages.found[of.number], review.known.pins());
    let passage = pins.get(&found.id).map_or(found, Arc::as_ref);
    let mut read =
        |number: usize| OpenCopy::read(snapshot, reader, &passages.sources, passage.copies.get(number)?);
    let at = read(of.touched.iter().position(|touched| *touched)?)?.occurrence();
    let original = of.original.and_then(|number| Some(read(number)?.occurrence()));
    let copy = OpenCopy::new(snapshot, reader, &passages.sources, passage)?;
    let listed = Arc::new(ListedPassage::new(passage, &copy));
    Some((ListedReview::new(listed, of, at, original), copy.text().to_owned()))
}

/// Makes the lists of reviews.
#[derive(Default)]
pub(super) struct ReviewListMaker;

impl ListMaker for ReviewListMaker {
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError> {
        match &request.found.review {
            ReviewStand::Unknown => request.send_provisional(),
            ReviewStand::Failed(sentence) => {
                let trouble = Some(sentence.clone());
                request.send_newest(Listing { trouble, complete: true, ..request.empty() });
            }
            ReviewStand::Found(review) => {
                request.send_newest(listed(request, review));
            }
        }
        Ok(())
    }
}

/// The rows of a review, as many as are wanted.
fn listed(request: &ListRequest, review: &KnownReview) -> Listing {
    let (view, decisions) = (request.view, request.decisions);
    let accepted = review.known.accepted(&decisions.accepted);
    let recipe = &review.known.snapshot.manifest().recipe;
    let judged = review.found.judged(&review.known.passages, recipe, &decisions.for_review());
    let (filter, problems) = view.parsed();
    let numbers = review.found.touched.iter().enumerate();
    let by_passage: HashMap<usize, usize> = numbers.map(|(at, of)| (of.number, at)).collect();
    let of_passage = |id| accepted.copies(AcceptedId::Passage(id));
    let new = judged.new.iter().filter_map(|new| {
        let (row, text) = review.touched[*by_passage.get(&new.of.number)?].as_ref()?;
        Some((row.judged(new.verdict, new.state, of_passage(row.id.0)), text, Some(new.of.number)))
    });
    let drifted = judged.drifted.iter().map(|(number, state)| {
        let (row, text) = &review.drifted[*number];
        let then = decisions.accepted.copies(AcceptedId::Passage(row.id.0));
        (row.judged(row.verdict, *state, then), text, None)
    });
    let shows = |state: ReviewState| view.show_taboo || filter.wants_taboo() || state != ReviewState::Taboo;
    let (mut hidden, mut hides_matches) = (HiddenCounts::default(), false);
    let mut rows: Vec<Arc<ListedReview>> = Vec::new();
    for (row, text, number) in new.chain(drifted) {
        let contents = ReviewContents { review, row: &row, text, number, kinds: &decisions.kinds };
        if filter.verdict(&contents) != Some(true) {
            continue;
        }
        if row.state == ReviewState::Taboo {
            hidden.rows += 1;
            hidden.copies += row.copies;
        }
        if shows(row.state) {
            rows.push(Arc::new(row));
        } else {
            hides_matches = true;
        }
    }
    // Those that are equal by the sort key stay as they are: by worth, then by tokens.
    match view.sort.or_usual(view.of) {
        Sort::Copies => rows.sort_by_key(|row| Reverse(row.copies)),
        Sort::Tokens => rows.sort_by_key(|row| Reverse(row.tokens)),
        Sort::Path => rows.sort_by(|a, b| a.at.cmp(&b.at)),
        _ => {}
    }
    let generation = review.known.snapshot.manifest().generation;
    Listing {
        hidden,
        hides_matches,
        review: Some(review.facts(&judged.left_out)),
        ..page(view, generation, problems, &rows, Item::Review)
    }
}

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

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let holds = |path: &Path| test.holds(path, &mut String::new);
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
