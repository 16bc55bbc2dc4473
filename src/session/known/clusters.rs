//! The clusters that were found last: folders that are the same, identical documents and similar ones, as one list of
//! rows that says nothing twice.
//!
//! Two searches are put together. That for identical documents finds folders too, and needs hardly more than the document
//! table, so its rows are there first. That for similar documents has the identical ones in its clusters as well. A
//! cluster of which all members are identical is taken for identical documents, and left out if a row of folders says the
//! same.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::protocol::{ClusterFacts, Comparison, Likeness, ListedMember, member_hash};
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::documents::Document;
use dupi_near::NearError;
use dupi_near::found::{Found, NearCluster};
use dupi_near::search::find;
use dupi_near::settings::{ClusterRule, Identity, Method, NearSettings, Shingling, SignatureRule};
use dupi_near::trees::{TreeCluster, TreeFolder};

/// The clusters of a generation.
pub(crate) struct KnownClusters {
    /// The generation.
    pub snapshot: Snapshot,
    identical: Arc<Found>,
    similar: Option<(Arc<Found>, Comparison)>,
    entries: Vec<ClusterEntry>,
    numbers: HashMap<u64, u32>,
    /// The number of the cluster of each member, by its name.
    of_members: OnceLock<HashMap<u64, u32>>,
}

/// A cluster, by its place in what was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterEntry {
    /// Its name, which no other one has.
    pub id: u64,
    /// What its members have in common.
    pub likeness: Likeness,
    /// Whether it is one of the similar documents that were found; else of the identical ones.
    is_of_similar: bool,
    at: usize,
}

/// A cluster.
#[derive(Clone, Copy)]
pub(crate) enum ClusterRef<'a> {
    /// Of folders.
    Trees(&'a TreeCluster),
    /// Of documents, with all that was found with it.
    Documents(&'a Found, &'a NearCluster),
}

impl KnownClusters {
    /// The clusters of identical documents of a generation, and those of similar ones, if they were searched.
    pub(crate) fn new(
        snapshot: Snapshot,
        identical: Arc<Found>,
        similar: Option<(Arc<Found>, Comparison)>,
    ) -> Self {
        let (entries, numbers, of_members) = Default::default();
        let mut made = Self { snapshot, identical, similar, entries, numbers, of_members };
        made.entries = made.all_entries();
        made.numbers = made.entries.iter().zip(0..).map(|(entry, number)| (entry.id, number)).collect();
        made
    }

    fn all_entries(&self) -> Vec<ClusterEntry> {
        let mut entries: Vec<ClusterEntry> = Vec::new();
        let mut names: HashSet<u64> = HashSet::new();
        let mut add = |name: u64, place: &Path, likeness, is_of_similar, at| {
            let id = if names.insert(name) { name } else { name ^ member_hash(place, None) };
            names.insert(id);
            entries.push(ClusterEntry { id, likeness, is_of_similar, at });
        };
        for (at, tree) in self.identical.trees.iter().enumerate() {
            add(tree.id, &tree.folders[0].path, Likeness::Trees, false, at);
        }
        // By their representatives: how many documents are identical, and whether folders tell it.
        let of_identical = |cluster: &NearCluster| {
            let first = self.identical.documents[cluster.members[0].document as usize].id;
            (first, (cluster.members.len(), cluster.is_in_trees))
        };
        let groups: HashMap<DocumentId, (usize, bool)> =
            self.identical.clusters.iter().map(of_identical).collect();
        let mut told: HashSet<DocumentId> = HashSet::new();
        let mut alike = Vec::new();
        if let Some((found, _)) = &self.similar {
            for (at, cluster) in found.clusters.iter().enumerate() {
                let first = found.documents[cluster.members[0].document as usize].id;
                let group = groups.get(&first).filter(|(size, _)| *size == cluster.members.len());
                told.extend(cluster.members.iter().map(|of| found.documents[of.document as usize].id));
                match group {
                    Some((_, true)) => {}
                    Some((_, false)) => alike.push((Likeness::Identical, true, at)),
                    None => alike.push((Likeness::Similar, true, at)),
                }
            }
        }
        for (at, cluster) in self.identical.clusters.iter().enumerate() {
            let first = self.identical.documents[cluster.members[0].document as usize].id;
            // Short documents have no shingles: no search for similar ones finds them.
            if !cluster.is_in_trees && !told.contains(&first) {
                alike.push((Likeness::Identical, false, at));
            }
        }
        alike.sort_by_key(|(likeness, ..)| *likeness);
        for (likeness, is_of_similar, at) in alike {
            let found = self.found(is_of_similar);
            let cluster = &found.clusters[at];
            let (path, _) = place(&self.snapshot, &found.documents[cluster.members[0].document as usize]);
            add(cluster.id, path, likeness, is_of_similar, at);
        }
        entries
    }

    fn found(&self, is_of_similar: bool) -> &Found {
        self.similar.as_ref().filter(|_| is_of_similar).map_or(&*self.identical, |(found, _)| &**found)
    }

    /// All clusters: folders first, then identical documents, then similar ones, each those first that waste the most
    /// bytes.
    pub(crate) fn entries(&self) -> &[ClusterEntry] {
        &self.entries
    }

    /// The cluster with a number.
    pub(crate) fn cluster(&self, number: u32) -> ClusterRef<'_> {
        let entry = self.entries[number as usize];
        let found = self.found(entry.is_of_similar);
        match entry.likeness {
            Likeness::Trees => ClusterRef::Trees(&found.trees[entry.at]),
            _ => ClusterRef::Documents(found, &found.clusters[entry.at]),
        }
    }

    /// The number of the cluster with a name.
    pub(crate) fn number(&self, id: u64) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// The number of the cluster that has a member, by the name of that (see [`member_hash`]).
    pub(crate) fn number_of_member(&self, name: u64) -> Option<u32> {
        let of_members = self.of_members.get_or_init(|| {
            let all = 0..self.entries.len() as u32;
            all.flat_map(|number| self.members(number).map(move |of| (of.name(), number))).collect()
        });
        of_members.get(&name).copied()
    }

    /// The members of the cluster with a number, the representative first.
    pub(crate) fn members(&self, number: u32) -> Box<dyn Iterator<Item = ListedMember> + '_> {
        let cluster = self.entries[number as usize].id;
        match self.cluster(number) {
            ClusterRef::Trees(tree) => {
                Box::new(tree.folders.iter().enumerate().map(move |(at, folder)| ListedMember {
                    cluster,
                    path: folder.path.clone(),
                    record: None,
                    is_folder: true,
                    is_representative: at == 0,
                    similarity: folder.share,
                    tokens: 0,
                    bytes: folder.bytes,
                    files: u64::from(folder.files),
                    differences: folder.differences.len() as u64,
                }))
            }
            ClusterRef::Documents(found, of) => {
                Box::new(of.members.iter().enumerate().map(move |(at, member)| {
                    let document = &found.documents[member.document as usize];
                    let (path, record) = place(&self.snapshot, document);
                    ListedMember {
                        cluster,
                        path: path.to_owned(),
                        record,
                        is_folder: false,
                        is_representative: at == 0,
                        similarity: member.similarity,
                        tokens: u64::from(document.tokens),
                        bytes: document.bytes,
                        files: 0,
                        differences: 0,
                    }
                }))
            }
        }
    }

    /// How documents were compared, and what was found.
    pub(crate) fn facts(&self) -> ClusterFacts {
        let count = |of: Likeness| self.entries.iter().filter(|entry| entry.likeness == of).count() as u64;
        ClusterFacts {
            compared: self.similar.as_ref().map(|(_, comparison)| *comparison),
            trees: count(Likeness::Trees),
            identical: count(Likeness::Identical),
            similar: count(Likeness::Similar),
            too_large: self.found(true).too_large,
        }
    }

    /// The documents of a cluster, in the order of its members, or those that lie in its folders.
    pub(crate) fn documents(&self, number: u32) -> Vec<DocumentId> {
        match self.cluster(number) {
            ClusterRef::Trees(tree) => {
                let numbers = tree.folders.iter().flat_map(|folder| folder.documents.clone());
                numbers.map(|of| self.identical.documents[of as usize].id).collect()
            }
            ClusterRef::Documents(found, cluster) => {
                cluster.members.iter().map(|of| found.documents[of.document as usize].id).collect()
            }
        }
    }

    /// The documents that lie in a folder of a row of folders, sorted by path and record.
    pub(crate) fn lying_in(&self, folder: &TreeFolder) -> &[Document] {
        &self.identical.documents[folder.documents.start as usize..folder.documents.end as usize]
    }

    /// The documents that lie in a folder of a row of folders, each with its path in that folder and its record.
    pub(crate) fn places_in(
        &self,
        folder: &TreeFolder,
    ) -> impl Iterator<Item = ((&Path, Option<u32>), DocumentId)> {
        self.lying_in(folder).iter().filter_map(|document| {
            let (path, record) = place(&self.snapshot, document);
            Some(((path.strip_prefix(&folder.path).ok()?, record), document.id))
        })
    }
}

impl<'a> ClusterRef<'a> {
    /// How many folders or documents it has.
    pub(crate) fn copies(self) -> u64 {
        match self {
            Self::Trees(tree) => tree.folders.len() as u64,
            Self::Documents(_, cluster) => cluster.members.len() as u64,
        }
    }

    /// The bytes that keeping one of them would save.
    pub(crate) fn wasted(self) -> u64 {
        match self {
            Self::Trees(tree) => tree.saving,
            Self::Documents(_, cluster) => cluster.saving,
        }
    }

    /// The similarity of each member to the first one.
    fn similarities(self) -> Box<dyn Iterator<Item = f32> + 'a> {
        match self {
            Self::Trees(tree) => Box::new(tree.folders.iter().map(|of| of.share)),
            Self::Documents(_, cluster) => Box::new(cluster.members.iter().map(|of| of.similarity)),
        }
    }

    /// The mean similarity of the others to the first one, 0 to 1.
    pub(crate) fn mean(self) -> f32 {
        let sum: f64 = self.similarities().skip(1).map(f64::from).sum();
        let others = self.copies().saturating_sub(1);
        if others > 0 { (sum / others as f64) as f32 } else { 1.0 }
    }

    /// The smallest similarity inside, 0 to 1: of any two documents if it was computed, else of one and the first.
    pub(crate) fn least(self) -> f32 {
        let computed = if let Self::Documents(_, cluster) = self { cluster.least } else { None };
        computed.unwrap_or_else(|| self.similarities().fold(1.0, f32::min))
    }
}

/// The path of a document, and which record of the file it is, from 1; `None` for a whole file.
fn place<'s>(snapshot: &'s Snapshot, document: &Document) -> (&'s Path, Option<u32>) {
    let record = snapshot.document(document.id).record;
    (snapshot.path(snapshot.file_of(document.id)), Some(record).filter(|record| *record > 0))
}

/// The part of the memory limit for a search: 1 / this. The passages of other views stay in memory meanwhile.
const MEMORY_SHARE: u64 = 2;
/// The share of identical documents from which on folders are almost the same.
const TREE_THRESHOLD: f64 = 0.9;

/// Finds identical documents and folders. `memory` is the limit of the session in bytes.
pub(crate) fn identical(snapshot: &Snapshot, memory: u64, tick: &Tick) -> Result<Found, NearError> {
    find(snapshot, &settings(Method::Identical(Identity::Tokens), TREE_THRESHOLD, memory), tick)
}

/// Similar documents, and how they were compared.
pub(crate) type Similar = (Arc<Found>, Comparison);

/// Finds similar documents: by all their shingles, or where these take too much memory, by signatures. Where too many
/// pairs are similar for the memory, only those that are more similar count.
pub(crate) fn similar(snapshot: &Snapshot, memory: u64, tick: &Tick) -> Result<Similar, NearError> {
    let shingling = Shingling::default();
    let exact = ("jaccard", Method::Jaccard(shingling));
    let signed = ("minhash", Method::MinHash(SignatureRule { shingling, verify: true }));
    let mut failed = NearError::Search(SearchError::TooMany);
    for ((name, method), threshold) in [(exact, 0.5), (signed.clone(), 0.5), (signed, 0.8)] {
        match find(snapshot, &settings(method, threshold, memory), tick) {
            Ok(found) => return Ok((Arc::new(found), Comparison { method: name, threshold })),
            Err(error @ (NearError::Memory { .. } | NearError::Pairs { .. })) => failed = error,
            Err(error) => return Err(error),
        }
    }
    Err(failed)
}

/// The settings of a search in a session with this limit of memory.
fn settings(method: Method, threshold: f64, memory: u64) -> NearSettings {
    let memory = memory / MEMORY_SHARE;
    let rule = ClusterRule { threshold, ..ClusterRule::default() };
    NearSettings { method, rule, clusters: true, memory }
}
