//! Rows of clusters: folders that are the same, identical documents, or similar ones. A list has them in this order, each
//! kind in the order that is asked for. The members of a cluster that is unfolded follow it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::list_row::{Chosen, FilterKey, ListMaker, ListRequest};
use super::list_row::{CopySource, ListRow, RowFacts, RowReaders};
use crate::known::Found;
use crate::known::clusters::{ClusterRef, KnownClusters, identical, similar};
use crate::protocol::{
    ClusterFolder, Item, ItemId, Likeness, ListedCluster, ListedMember, Listing, Sort, View, member_hash,
};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern};
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedId, AcceptedSet};
use dupi_near::NearError;
use dupi_report::{DocumentName, NearClusterRow, NearPairRow, NearTreesRow, ReportRow};

/// How many folders a row names.
const NAMED: usize = 100;

impl ListedCluster {
    /// The row of the cluster with a number, folded and without decisions.
    pub(super) fn new(known: &KnownClusters, number: u32) -> Option<Self> {
        let entry = known.entries()[number as usize];
        let cluster = known.cluster(number);
        let members: Vec<ListedMember> = known.members(number).collect();
        let ListedMember { path, record, tokens, bytes, files, .. } = members.first()?.clone();
        let folders = members.iter().take(NAMED).filter(|of| of.is_folder);
        let folders = folders.map(|of| ClusterFolder {
            path: of.path.clone(),
            share: of.similarity,
            differences: of.differences,
        });
        Some(Self {
            id: entry.id,
            likeness: entry.likeness,
            copies: cluster.copies(),
            wasted: cluster.wasted(),
            mean: cluster.mean(),
            least: cluster.least(),
            path,
            record,
            tokens,
            bytes,
            files,
            folders: Arc::new(folders.collect()),
            members: Arc::new(members.iter().map(ListedMember::name).collect()),
            is_open: false,
            accepted: None,
        })
    }

    /// The name of the representative, by which the row is unfolded (see
    /// [`View::unfolded_clusters`](crate::View::unfolded_clusters)).
    pub fn representative(&self) -> u64 {
        self.members.first().copied().unwrap_or_default()
    }

    /// Whether it has what another cluster was about, though it may have another representative by now.
    pub(super) fn continues(&self, old: &Self) -> bool {
        self.id == old.id || self.members.contains(&old.representative())
    }
}

impl ListRow for ListedCluster {
    fn id(&self) -> ItemId {
        ItemId::Cluster(self.id)
    }

    fn text(&self) -> Cow<'_, str> {
        shown(&self.path).text()
    }

    fn facts(&self) -> RowFacts<'_> {
        let is_of_folders = self.likeness == Likeness::Trees;
        RowFacts {
            place: Some((&self.path, is_of_folders)),
            tokens: self.tokens,
            documents: self.copies,
            copies: Some(self.copies),
            state: ReviewState::judge(false, self.accepted, self.copies),
            accepted: self.accepted,
            reviewed_copies: self.copies,
            accepted_as: Some(AcceptedId::Cluster(self.id)),
            source: CopySource::Cluster(self.id, None),
            ..RowFacts::default()
        }
    }

    fn export(&self, found: &Found, _: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        let number = found.clusters.as_ref().and_then(|known| Some((known, known.number(self.id)?)));
        Ok(number.map(|(known, number)| report_of(known, number)).into_iter().collect())
    }
}

/// The cluster with a name among all clusters of a generation, as a row; none if none has it. `memory` is the limit of a
/// session in bytes.
///
/// # Errors
/// When the documents cannot be compared within the memory, or when `tick` stops it.
pub fn cluster_of(snapshot: &Snapshot, memory: u64, id: u64, tick: &Tick) -> Result<Option<Item>, NearError> {
    let identical = Arc::new(identical(snapshot, memory, tick)?);
    let similar = similar(snapshot, memory, tick)?;
    let known = KnownClusters::new(snapshot.clone(), identical, Some(similar));
    let row = known.number(id).and_then(|number| ListedCluster::new(&known, number));
    Ok(row.map(|row| Item::Cluster(Arc::new(row))))
}

impl ListedMember {
    /// What names it among all members (see [`member_hash`]).
    pub fn name(&self) -> u64 {
        member_hash(&self.path, self.record)
    }
}

impl ListRow for ListedMember {
    fn id(&self) -> ItemId {
        ItemId::Member(self.name())
    }

    fn text(&self) -> Cow<'_, str> {
        shown(&self.path).text()
    }

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some((&self.path, self.is_folder)),
            tokens: self.tokens,
            documents: 1,
            copies: Some(if self.is_folder { self.differences } else { 1 }),
            source: CopySource::Cluster(self.cluster, Some(self.name())),
            ..RowFacts::default()
        }
    }

    fn export(&self, found: &Found, _: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        let number = found.clusters.as_ref().and_then(|known| Some((known, known.number(self.cluster)?)));
        let Some((known, number)) = number else { return Ok(Vec::new()) };
        if self.is_folder {
            return Ok(vec![report_of(known, number)]);
        }
        let own = known.members(number).find(|of| of.path == self.path && of.record == self.record);
        let name = |of: &Self| DocumentName::new(&of.path, of.record);
        let pair = own.zip(known.members(number).next());
        let row = pair.map(|(own, first)| NearPairRow::new(own.similarity, name(&own), name(&first)));
        Ok(row.map(|row| Box::new(row) as _).into_iter().collect())
    }
}

/// A cluster as the verb `near` prints it.
pub(super) fn report_of(known: &KnownClusters, number: u32) -> Box<dyn ReportRow> {
    match known.cluster(number) {
        ClusterRef::Trees(tree) => Box::new(NearTreesRow::from(tree)),
        ClusterRef::Documents(found, cluster) => {
            let is_identical = known.entries()[number as usize].likeness == Likeness::Identical;
            Box::new(NearClusterRow::new(&known.snapshot, found, cluster, is_identical))
        }
    }
}

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
