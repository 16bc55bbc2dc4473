//! Rows of clusters: folders that are the same, identical documents, or similar ones.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::list_row::{CopySource, ListRow, RowFacts, RowReaders};
use crate::known::Found;
use crate::known::clusters::{ClusterRef, KnownClusters, identical, similar};
use crate::protocol::{ClusterFolder, Item, ItemId, Likeness, ListedCluster, ListedMember, member_hash};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::AcceptedId;
use dupi_near::NearError;
use dupi_near::kept_files::KeptGroup;
use dupi_near::settings::Identity;
use dupi_near::trees::{DifferenceKind, TreeCluster, TreeFolder};
use dupi_report::{DocumentName, NearClusterRow, NearPairRow, NearTreesRow, ReportRow};

/// How many folders a row names.
const NAMED: usize = 100;

impl ListedCluster {
    /// The row of the cluster with a number, folded and without decisions.
    pub(super) fn new(known: &KnownClusters, number: u32) -> Option<Self> {
        let entry = known.entries()[number as usize];
        let cluster = known.cluster(number);
        let ListedMember { path, record, tokens, bytes, files, .. } = known.members(number).next()?;
        let folders = known.members(number).take(NAMED).filter(|of| of.is_folder);
        let folders = folders.map(|of| ClusterFolder {
            path: of.path,
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
            members: Arc::new(known.members(number).map(|of| of.name()).collect()),
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
            state: ReviewState::of(false, self.accepted, self.copies),
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
        ItemId::of_member(&self.path, self.record)
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
        let name = |of: &ListedMember| DocumentName::new(&of.path, of.record);
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

/// Which documents of the cluster with a number are kept, and which are not: of all members, or of the one with a name
/// (see [`member_hash`]). Of folders these are the documents that are the same as in the first one.
pub(crate) fn kept_groups(known: &KnownClusters, number: u32, member: Option<u64>) -> Vec<KeptGroup> {
    let is_meant = |path: &Path, record| member.is_none_or(|name| name == member_hash(path, record));
    match known.cluster(number) {
        ClusterRef::Trees(tree) => groups_of_trees(known, tree, |folder| is_meant(&folder.path, None)),
        ClusterRef::Documents(..) => {
            let mut members = known.documents(number).into_iter().zip(known.members(number));
            let Some((kept, _)) = members.next() else { return Vec::new() };
            let others = members.filter(|(_, of)| is_meant(&of.path, of.record)).map(|(id, _)| id).collect();
            let is_identical = known.entries()[number as usize].likeness == Likeness::Identical;
            vec![KeptGroup { kept, others, identity: is_identical.then_some(Identity::Tokens) }]
        }
    }
}

/// The documents of the first folder, each with those that are the same at the same place in others that are meant.
fn groups_of_trees(
    known: &KnownClusters,
    tree: &TreeCluster,
    is_meant: impl Fn(&TreeFolder) -> bool,
) -> Vec<KeptGroup> {
    let (mut groups, mut places) = (Vec::new(), HashMap::new());
    for (place, kept) in known.places_in(&tree.folders[0]) {
        places.insert(place, groups.len());
        groups.push(KeptGroup { kept, others: Vec::new(), identity: Some(Identity::Tokens) });
    }
    for folder in tree.folders[1..].iter().filter(|folder| is_meant(folder)) {
        let differing = folder.differences.iter().filter(|of| of.kind != DifferenceKind::Missing);
        let differing: HashSet<(&Path, Option<u32>)> = differing.map(|of| (&*of.path, of.record)).collect();
        for (place, document) in known.places_in(folder).filter(|(place, _)| !differing.contains(place)) {
            if let Some(&at) = places.get(&place) {
                groups[at].others.push(document);
            }
        }
    }
    groups
}
