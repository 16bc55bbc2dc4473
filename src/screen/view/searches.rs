//! What the last line says of the searches that the rows are made from: how far they are, and what they found.

use crate::model::Model;
use crate::text::{grouped, several};
use crate::views::list_of;
use dupi_session::{ClusterFacts, Comparison, ReviewFacts, SearchState};

/// The progress of the search for passages, and what is shown meanwhile.
pub(super) fn search(model: &Model) -> Option<String> {
    let (is_provisional, of) = (model.list.listing.is_provisional, model.list.view.of);
    let stand_in =
        list_of(of).stand_in.map(|of| list_of(of).view.name).filter(|_| model.list.listing.has_stand_ins());
    let meanwhile = match stand_in {
        Some(name) => format!("; until then {name}"),
        None if model.list.listing.is_first_look => "; these are some of them".to_owned(),
        None => String::new(),
    };
    match &model.passage_search {
        _ if of.is_from_clusters() => compared(model),
        _ if of.is_from_review() => reviewed(model),
        _ if !of.needs_passages() => None,
        SearchState::At(share) => {
            Some(format!("looking for passages: {:.0} %{meanwhile}", (share * 100.0).floor()))
        }
        _ if !is_provisional => None,
        SearchState::Failed(_) => Some(
            stand_in
                .map_or_else(|| "no passages".to_owned(), |name| format!("no passages: these are {name}")),
        ),
        SearchState::Idle if model.is_busy() => Some(format!("passages follow when all is read{meanwhile}")),
        SearchState::Idle => Some(format!("passages follow{meanwhile}")),
    }
}

/// How far the review is, and what was reviewed.
fn reviewed(model: &Model) -> Option<String> {
    let facts = model.list.listing.review;
    let mut words = match &model.review_search {
        SearchState::At(share) => vec![format!("reviewing: {:.0} %", (share * 100.0).floor())],
        _ if facts.is_none() && model.is_busy() => vec!["the review follows when all is read".to_owned()],
        _ => Vec::new(),
    };
    if let Some(ReviewFacts { files, added, left_out, moved }) = facts {
        words.push(format!("{} changed, {} added", several(files, "file"), several(added, "line")));
        words.extend((left_out > 0).then(|| format!("{} left out", grouped(left_out))));
        words.extend((moved > 0).then(|| format!("{} moved or edited", grouped(moved))));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}

/// How documents are compared, how far that is, and what was found.
fn compared(model: &Model) -> Option<String> {
    let facts = model.list.listing.clusters;
    let mut words = match &model.cluster_search {
        SearchState::At(share) => vec![format!("comparing documents: {:.0} %", (share * 100.0).floor())],
        SearchState::Failed(_) if facts.is_none_or(|facts| facts.compared.is_none()) => {
            vec!["similar documents were not found".to_owned()]
        }
        _ if facts.is_none() && model.is_busy() => vec!["clusters follow when all is read".to_owned()],
        _ => Vec::new(),
    };
    if let Some(ClusterFacts { compared, trees, identical, similar, .. }) = facts {
        let by = compared.map(|Comparison { method, threshold }| format!("{method} ≥ {threshold}"));
        words.extend(by.or_else(|| words.is_empty().then(|| "identical only".to_owned())));
        let counts = [(trees, "trees"), (identical, "identical"), (similar, "similar")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{what} {}", grouped(count))).collect();
        words.extend((!counts.is_empty()).then(|| counts.join(", ")));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}
