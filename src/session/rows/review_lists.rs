//! Lists of a review: what is new first, then what has drifted, in the order that is asked for. Decisions are put to what
//! was found whenever a list is made, so that they need no search.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::list_maker::{ListMaker, ListRequest};
use super::review_filter::ReviewContents;
use super::review_rows::ReviewRows;
use super::review_stand::ReviewStand;
use super::reviews::ListedReview;
use crate::protocol::{RowList, Sort};
use dupi_index::index::IndexError;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::AcceptedId;

/// Makes the lists of reviews.
#[derive(Default)]
pub(super) struct ReviewListMaker;

impl<I: From<Arc<ListedReview>>> ListMaker<I> for ReviewListMaker {
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError> {
        match request.review {
            ReviewStand::Unknown => request.send_provisional(),
            ReviewStand::Failed(sentence) => {
                request.send_newest(RowList {
                    view: request.view.clone(),
                    generation: request.snapshot.manifest().generation,
                    trouble: Some(sentence.clone()),
                    complete: true,
                    ..RowList::default()
                });
            }
            ReviewStand::Found(rows) => {
                request.send_newest(listed(request, rows));
            }
        }
        Ok(())
    }
}

/// The rows of a review, as many as are wanted.
fn listed<I: From<Arc<ListedReview>>>(request: &ListRequest<I>, from: &ReviewRows) -> RowList<I> {
    let review = &*from.review;
    let (view, decisions) = (request.view, request.decisions);
    let accepted = review.known.accepted(decisions.accepted());
    let recipe = &review.known.snapshot.manifest().recipe;
    let judged = review.found.judged(&review.known.passages, recipe, &decisions.for_review());
    let (filter, problems) = view.parsed();
    let numbers = review.found.touched.iter().enumerate();
    let by_passage: HashMap<usize, usize> = numbers.map(|(at, of)| (of.number, at)).collect();
    let of_passage = |id| accepted.copies(AcceptedId::Passage(id));
    let new = judged.new.iter().filter_map(|of| {
        let (row, text) = from.touched[*by_passage.get(&of.number)?].as_ref()?;
        Some((row.judged(of.verdict, of.state, of_passage(row.id.0)), text, Some(of.number)))
    });
    let drifted = judged.drifted.iter().map(|(number, state)| {
        let (row, text) = &from.drifted[*number];
        let then = decisions.accepted().copies(AcceptedId::Passage(row.id.0));
        (row.judged(row.verdict, *state, then), text, None)
    });
    let shows = |state: ReviewState| view.show_taboo || filter.wants_taboo() || state != ReviewState::Taboo;
    let mut list = RowList { view: view.clone(), problems, ..RowList::default() };
    let mut rows: Vec<ListedReview> = Vec::new();
    for (row, text, number) in new.chain(drifted) {
        let contents = ReviewContents { review, row: &row, text, number, kinds: decisions.kinds() };
        if filter.verdict(&contents) != Some(true) {
            continue;
        }
        if row.state == ReviewState::Taboo {
            list.hidden.rows += 1;
            list.hidden.copies += row.copies;
        }
        if shows(row.state) {
            rows.push(row);
        } else {
            list.hides_matches = true;
        }
    }
    sort(&mut rows, view.sort.or_usual(view.of), view.is_reversed);
    let all = rows.len();
    list.generation = review.known.snapshot.manifest().generation;
    list.rows = rows.into_iter().take(view.wanted).map(|row| Arc::new(row).into()).collect();
    list.complete = list.rows.len() == all;
    (list.total, list.searched) = (Some(all as u64), 1.0);
    list.review = Some(review.facts(&judged.left_out));
    list
}

/// Sorts rows. Those that are equal by the sort key stay as they are: by worth, then by tokens.
fn sort(rows: &mut [ListedReview], sort: Sort, is_reversed: bool) {
    match sort {
        Sort::Copies => rows.sort_by_key(|row| Reverse(row.copies)),
        Sort::Tokens => rows.sort_by_key(|row| Reverse(row.tokens)),
        Sort::Path => rows.sort_by(|a, b| a.at.cmp(&b.at)),
        _ => {}
    }
    if is_reversed {
        rows.reverse();
    }
}
