//! Lists of clusters: folders that are the same first, then identical documents, then similar ones, each in the order
//! that is asked for. The members of a cluster that is unfolded follow it.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::cluster_filter::ClusterContents;
use super::cluster_members::{ListedMember, members};
use super::clusters::ListedCluster;
use super::known_clusters::KnownClusters;
use super::list_maker::{ListMaker, ListRequest};
use crate::protocol::{RowList, Sort, View};
use dupi_base::config::SavedFilters;
use dupi_index::index::IndexError;
use dupi_index::query::filter::{Problem, WordPattern};
use dupi_index::taboo::{AcceptedId, AcceptedSet};

/// Makes the lists of clusters.
#[derive(Default)]
pub(super) struct ClusterListMaker {
    chosen: Option<ChosenClusters>,
}

/// The clusters of a list.
struct ChosenClusters {
    of: Arc<KnownClusters>,
    by: ChoiceKey,
    problems: Vec<Problem>,
    /// Their numbers, sorted.
    numbers: Vec<u32>,
}

/// What the clusters of a list depend on: the sort key, whether it is reversed, the filter with the saved ones that it can
/// refer to, and what was accepted.
type ChoiceKey = (Sort, bool, String, Arc<SavedFilters>, Arc<AcceptedSet>);

impl<I: From<Arc<ListedCluster>> + From<Arc<ListedMember>>> ListMaker<I> for ClusterListMaker {
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError> {
        let Some(known) = request.clusters else {
            self.chosen = None;
            request.send_provisional();
            return Ok(());
        };
        let view = request.view;
        let accepted = request.decisions.accepted();
        let sort = view.sort.or_usual(view.of);
        let by = (sort, view.is_reversed, view.filter.clone(), Arc::clone(&view.saved), Arc::clone(accepted));
        let is_it = |chosen: &ChosenClusters| Arc::ptr_eq(&chosen.of, known) && chosen.by == by;
        let chosen = match self.chosen.take().filter(is_it) {
            Some(chosen) => chosen,
            None => choose(known, by, view, request.is_overtaken),
        };
        request.send_newest(rows(&chosen, view, accepted));
        self.chosen = (!(request.is_overtaken)()).then_some(chosen);
        Ok(())
    }
}

/// The rows of a list, as many as are wanted.
fn rows<I: From<Arc<ListedCluster>> + From<Arc<ListedMember>>>(
    chosen: &ChosenClusters,
    view: &View,
    accepted: &AcceptedSet,
) -> RowList<I> {
    let known = &chosen.of;
    let open: HashSet<u32> =
        view.unfolded_clusters.iter().filter_map(|&name| known.number_of_member(name)).collect();
    let mut rows: Vec<I> = Vec::new();
    let (mut total, mut all) = (chosen.numbers.len() as u64, 0);
    for &number in &chosen.numbers {
        let is_open = open.contains(&number);
        let below = if is_open { known.cluster(number).copies() } else { 0 };
        total += below;
        all += 1 + below as usize;
        if rows.len() >= view.wanted {
            continue;
        }
        let row = ListedCluster::new(known, number);
        let accepted = accepted.copies(AcceptedId::Cluster(row.id));
        rows.push(Arc::new(ListedCluster { is_open, accepted, ..row }).into());
        if is_open {
            let room = view.wanted - rows.len();
            rows.extend(members(known, number).into_iter().take(room).map(|row| Arc::new(row).into()));
        }
    }
    RowList {
        view: view.clone(),
        generation: known.snapshot.manifest().generation,
        complete: rows.len() == all,
        rows,
        problems: chosen.problems.clone(),
        total: Some(total),
        searched: 1.0,
        clusters: Some(known.facts()),
        ..RowList::default()
    }
}

/// The clusters that pass the filter, sorted.
fn choose(
    known: &Arc<KnownClusters>,
    by: ChoiceKey,
    view: &View,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> ChosenClusters {
    let (filter, problems) = view.parsed();
    let (sort, is_reversed, _, _, accepted) = &by;
    let verdict = |number: u32, has_text: &dyn Fn(usize, &WordPattern) -> Option<bool>| {
        let id = known.entries()[number as usize].id;
        let accepted = accepted.copies(AcceptedId::Cluster(id));
        filter.verdict(&ClusterContents { known, number, accepted, has_text })
    };
    let all = 0..known.entries().len() as u32;
    let passes = |&number: &u32| {
        if filter.is_empty() {
            return true;
        }
        if is_cancelled() {
            return false;
        }
        verdict(number, &|_, _| None).unwrap_or_else(|| {
            let bits = ClusterContents::texts(known, number, filter.texts(), is_cancelled);
            verdict(number, &|at, _| Some(bits >> at & 1 == 1)) == Some(true)
        })
    };
    let mut numbers: Vec<u32> = all.into_par_iter().filter(passes).collect();
    // Those that are equal by the sort key stay in the order in which they were found: by wasted bytes.
    let key = |number: u32| {
        let cluster = known.cluster(number);
        match sort {
            Sort::Copies => cluster.copies(),
            Sort::Similarity => (f64::from(cluster.mean()) * 1e9) as u64,
            _ => cluster.wasted(),
        }
    };
    numbers.sort_by_cached_key(|&number| Reverse(key(number)));
    if *is_reversed {
        numbers.reverse();
    }
    numbers.sort_by_key(|&number| known.entries()[number as usize].likeness);
    ChosenClusters { of: Arc::clone(known), by, problems, numbers }
}
