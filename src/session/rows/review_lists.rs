//! Lists of a review: what is new first, then what has drifted, in the order that is asked for. Decisions are put to what
//! was found whenever a list is made, so that they need no search.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::list_maker::{ListMaker, ListRequest, page};
use crate::known::review::{KnownReview, ReviewStand};
use crate::protocol::{HiddenCounts, Item, ListedReview, Listing, Sort};
use dupi_base::config::Kind;
use dupi_index::index::IndexError;
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern, percent};
use dupi_index::taboo::{AcceptedId, CorrectedKinds};

/// Makes the lists of reviews.
#[derive(Default)]
pub(super) struct ReviewListMaker;

impl ListMaker for ReviewListMaker {
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError> {
        match &request.found.review {
            ReviewStand::Unknown => request.send_provisional(),
            ReviewStand::Failed(sentence) => {
                request.send_newest(Listing {
                    view: request.view.clone(),
                    generation: request.found.snapshot.manifest().generation,
                    trouble: Some(sentence.clone()),
                    complete: true,
                    ..Listing::default()
                });
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
    let new = judged.new.iter().filter_map(|of| {
        let (row, text) = review.touched[*by_passage.get(&of.number)?].as_ref()?;
        Some((row.judged(of.verdict, of.state, of_passage(row.id.0)), text, Some(of.number)))
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
