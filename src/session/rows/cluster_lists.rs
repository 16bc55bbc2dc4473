//! Lists of clusters: folders that are the same first, then identical documents, then similar ones, each in the order
//! that is asked for. The members of a cluster that is unfolded follow it.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::list_maker::{Chosen, FilterKey, ListMaker, ListRequest};
use crate::known::clusters::{ClusterRef, KnownClusters};
use crate::protocol::{Item, ListedCluster, Listing, Sort, View};
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::DocumentId;
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern};
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedId, AcceptedSet};

/// Makes the lists of clusters.
#[derive(Default)]
pub(super) struct ClusterListMaker(Option<ChosenClusters>);

/// The numbers of the clusters of a list, sorted, and the clusters that they are of.
type ChosenClusters = (Arc<KnownClusters>, Chosen<ChoiceKey, Vec<u32>>);

/// What the clusters of a list depend on: the sort key, whether it is reversed, the filter, and what was accepted.
type ChoiceKey = (Sort, bool, FilterKey, Arc<AcceptedSet>);

impl ListMaker for ClusterListMaker {
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError> {
        let Some(known) = &request.found.clusters else {
            self.0 = None;
            request.send_provisional();
            return Ok(());
        };
        let (view, accepted) = (request.view, &request.decisions.accepted);
        let by = (view.sort.or_usual(view.of), view.is_reversed, view.filter_key(), Arc::clone(accepted));
        let is_it = |(of, chosen): &ChosenClusters| Arc::ptr_eq(of, known) && chosen.by == by;
        let chosen = match self.0.take().filter(is_it) {
            Some((_, chosen)) => chosen,
            None => choose(known, by, view, request.is_overtaken),
        };
        request.send_newest(rows(known, &chosen, view, accepted));
        self.0 = (!(request.is_overtaken)()).then(|| (Arc::clone(known), chosen));
        Ok(())
    }
}

/// The rows of a list, as many as are wanted.
fn rows(
    known: &KnownClusters,
    chosen: &Chosen<ChoiceKey, Vec<u32>>,
    view: &View,
    accepted: &AcceptedSet,
) -> Listing {
    let open: HashSet<u32> =
        view.unfolded_clusters.iter().filter_map(|&name| known.number_of_member(name)).collect();
    let mut rows: Vec<Item> = Vec::new();
    let (mut total, mut all) = (chosen.of.len() as u64, 0);
    for &number in &chosen.of {
        let is_open = open.contains(&number);
        let below = if is_open { known.cluster(number).copies() } else { 0 };
        total += below;
        all += 1 + below as usize;
        if rows.len() >= view.wanted {
            continue;
        }
        let Some(row) = ListedCluster::new(known, number) else { continue };
        let accepted = accepted.copies(AcceptedId::Cluster(row.id));
        rows.push(Item::Cluster(Arc::new(ListedCluster { is_open, accepted, ..row })));
        if is_open {
            let room = view.wanted - rows.len();
            let members = known.members(number).take(room);
            rows.extend(members.map(|row| Item::Member(Arc::new(row))));
        }
    }
    Listing {
        view: view.clone(),
        generation: known.snapshot.manifest().generation,
        complete: rows.len() == all,
        rows,
        problems: chosen.problems.clone(),
        total: Some(total),
        searched: 1.0,
        clusters: Some(known.facts()),
        ..Listing::default()
    }
}

/// The clusters that pass the filter, sorted.
fn choose(
    known: &KnownClusters,
    by: ChoiceKey,
    view: &View,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Chosen<ChoiceKey, Vec<u32>> {
    let (filter, problems) = view.parsed();
    let (sort, is_reversed, _, accepted) = &by;
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
    Chosen { by, problems, of: numbers }
}

/// The contents of a cluster, as far as a filter applies to them.
struct ClusterContents<'a> {
    /// All clusters.
    known: &'a KnownClusters,
    /// The number of this one.
    number: u32,
    /// With how many members it was accepted, if it was.
    accepted: Option<u64>,
    /// Whether a word pattern, given its index, matches one of its texts; `None` if that is not known yet.
    has_text: &'a dyn Fn(usize, &WordPattern) -> Option<bool>,
}

impl ClusterContents<'_> {
    /// The word patterns that match the text of a document of a cluster, as bits by their indices. Documents are read
    /// until all of them do. `is_cancelled` ends it early; then the result is invalid.
    fn texts(
        known: &KnownClusters,
        number: u32,
        patterns: &[WordPattern],
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> u64 {
        let mut reader = DocumentReader::new(&known.snapshot);
        let all = (0..patterns.len()).fold(0, |bits, at| bits | 1 << at);
        let mut found = 0;
        for id in known.documents(number) {
            if found == all || is_cancelled() {
                break;
            }
            let path = known.snapshot.path(known.snapshot.file_of(id));
            let Ok(file) = reader.file(path) else { continue };
            let Some(text) = file.text_of(known.snapshot.document(id).record) else { continue };
            for (at, words) in patterns.iter().enumerate() {
                found |= u64::from(words.matches(&text)) << at;
            }
        }
        found
    }
}

impl Facts for ClusterContents<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let cluster = self.known.cluster(self.number);
        match (of, cluster) {
            (Quantity::Copies, _) => Fact::Is(cluster.copies()),
            (Quantity::Documents, ClusterRef::Documents(..)) => Fact::Is(cluster.copies()),
            (Quantity::Documents, ClusterRef::Trees(tree)) => {
                Fact::Is(tree.folders.iter().map(|folder| folder.documents.len() as u64).sum())
            }
            (Quantity::Tokens, ClusterRef::Documents(found, of)) => {
                Fact::Is(u64::from(found.documents[of.members[0].document as usize].tokens))
            }
            (Quantity::Tokens, ClusterRef::Trees(tree)) => {
                let documents = self.known.lying_in(&tree.folders[0]);
                Fact::Is(documents.iter().map(|of| u64::from(of.tokens)).sum())
            }
            (Quantity::Alike, _) => Fact::Is((cluster.mean() * 100.0) as u64),
            (Quantity::Score | Quantity::Share, _) => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<ReviewState> {
        let copies = self.known.cluster(self.number).copies();
        let is_accepted = self.accepted.is_some_and(|then| copies <= then);
        Fact::Is(if is_accepted { ReviewState::Accepted } else { ReviewState::Open })
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let snapshot = &self.known.snapshot;
        let holds = |id: DocumentId| test.holds(snapshot.path(snapshot.file_of(id)), &mut String::new);
        Some(self.known.documents(self.number).into_iter().any(holds))
    }

    fn has_text(&self, number: usize, words: &WordPattern) -> Option<bool> {
        (self.has_text)(number, words)
    }
}
