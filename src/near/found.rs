//! The answer of a search for similar documents: pairs, and clusters with a representative.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{self, AtomicUsize};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::clusters::{Cluster, Similarity, clusters};
use super::document::Document;
use super::equal::Equal;
use super::error::NearError;
use super::keep::Keep;
use super::pair::{Pair, sort_pairs};
use super::settings::NearSettings;
use super::trees::TreeCluster;
use dupi_base::parallel;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;

/// The similar documents of a snapshot.
#[derive(Debug, Default)]
pub struct Found {
    /// The documents that were compared, sorted by path and record.
    pub documents: Vec<Document>,
    /// Those that are equal to each other.
    pub equal: Equal,
    /// Pairs of different documents, sorted by their numbers. Each group of equal documents is named by its first one.
    pub pairs: Vec<Pair>,
    /// The clusters, those first that would save the most bytes.
    pub clusters: Vec<NearCluster>,
    /// Folders with the same contents, or almost: with the method `identical` only. The largest come first.
    pub trees: Vec<TreeCluster>,
    /// How many files were skipped because their tokens would take too much memory.
    pub too_large: u64,
    /// How many more pairs there are, because all of them would take too much memory. Then `pairs` connects the same
    /// documents with as few of them as possible.
    pub omitted: u64,
}

/// Documents that are similar to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct NearCluster {
    /// Made from the text of the representative.
    pub id: u64,
    /// The representative, then the others, the most similar first.
    pub members: Vec<Member>,
    /// The smallest similarity of two members; `None` if the cluster is too large to compute it.
    pub least: Option<f32>,
    /// The bytes of all members but the representative.
    pub saving: u64,
    /// It says nothing that a row of folders does not say.
    pub is_in_trees: bool,
}

impl NearCluster {
    /// Sorts clusters: those first that would save the most bytes.
    pub(super) fn sort(clusters: &mut [Self]) {
        clusters.par_sort_by_key(|cluster| (Reverse(cluster.saving), cluster.members[0].document));
    }
}

/// A document of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The number of the document.
    pub document: u32,
    /// Its similarity to the representative.
    pub similarity: f32,
}

impl Found {
    /// The clusters of documents, from those that are equal and from pairs of different ones, both as in [`Self`].
    /// `similarity` is that of any two documents.
    ///
    /// # Errors
    /// When there are too many pairs for the memory, and the error of `tick`, which gets the progress, 0 to 1.
    pub(super) fn new(
        snapshot: &Snapshot,
        documents: Vec<Document>,
        equal: Equal,
        mut pairs: Vec<Pair>,
        settings: &NearSettings,
        similarity: &Similarity,
        tick: &Tick,
    ) -> Result<Self, NearError> {
        sort_pairs(&mut pairs);
        if !settings.clusters {
            return Ok(Self { documents, equal, pairs, ..Self::default() });
        }
        settings.pair_limit().add(pairs.len())?;
        let clusters =
            near_clusters(snapshot, &documents, &equal.groups, &pairs, settings, similarity, tick)?;
        Ok(Self { documents, equal, pairs, clusters, ..Self::default() })
    }

    /// All pairs of documents, the most similar first: also those of equal documents.
    pub fn all_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        self.equal.all_pairs(&self.pairs)
    }
}

/// The clusters of documents, those first that would save the most bytes. `equal` are groups of equal documents, and
/// `pairs`, sorted, pairs of different ones, in which each group is named by its first document. The groups and pairs that
/// are connected with each other give the same clusters, whatever others there are.
///
/// # Errors
/// The error of `tick`, which gets the progress, 0 to 1.
fn near_clusters(
    snapshot: &Snapshot,
    documents: &[Document],
    equal: &[Vec<u32>],
    pairs: &[Pair],
    settings: &NearSettings,
    similarity: &Similarity,
    tick: &Tick,
) -> Result<Vec<NearCluster>, SearchError> {
    let rule = settings.rule;
    let groups: HashMap<u32, &[u32]> = equal.iter().map(|group| (group[0], &group[..])).collect();
    let mut weights = vec![1_u32; documents.len()];
    equal.iter().for_each(|group| weights[group[0] as usize] = group.len() as u32);
    let tick_half = |share: f64| tick(share * 0.5);
    let mut different = clusters(&weights, pairs, rule.threshold, rule.linkage, similarity, &tick_half)?;
    let mut is_clustered = vec![false; documents.len()];
    different.iter().flat_map(|cluster| &cluster.members).for_each(|&of| is_clustered[of as usize] = true);
    let alone = equal.iter().filter(|group| !is_clustered[group[0] as usize]);
    different.extend(alone.map(|group| Cluster { members: vec![group[0]], least: Some(1.0) }));
    let maker = ClusterMaker { snapshot, documents, groups: &groups, pairs, similarity };
    let (done, all) = (AtomicUsize::new(0), different.len() as f64);
    let make = |of: &Cluster| {
        tick(0.5 + 0.5 * done.fetch_add(1, atomic::Ordering::Relaxed) as f64 / all)?;
        Ok(maker.cluster(&of.members, of.least, rule.keep))
    };
    let made: Result<Vec<_>, SearchError> = parallel::try_map(&different, make);
    let mut made: Vec<NearCluster> = made?.into_iter().flatten().collect();
    NearCluster::sort(&mut made);
    Ok(made)
}

struct ClusterMaker<'a> {
    snapshot: &'a Snapshot,
    documents: &'a [Document],
    /// The documents that are equal to the first one of a group.
    groups: &'a HashMap<u32, &'a [u32]>,
    /// Sorted.
    pairs: &'a [Pair],
    similarity: &'a Similarity<'a>,
}

impl ClusterMaker<'_> {
    /// The cluster of some different documents and those that are equal to them.
    fn cluster(&self, different: &[u32], least: Option<f32>, keep: Keep) -> Option<NearCluster> {
        let sums = if keep == Keep::Central { self.sums(different) } else { vec![0.0; different.len()] };
        let all = different
            .iter()
            .zip(sums)
            .flat_map(|(of, sum)| self.equal_to(of).iter().map(move |&document| (document, sum)));
        let kept = keep.choose(self.snapshot, self.documents, all)?;
        let first = *different.iter().find(|of| self.equal_to(of).binary_search(&kept).is_ok())?;
        let mut members: Vec<Member> = Vec::new();
        for of in different {
            let similarity = if *of == first { 1.0 } else { self.similarity_of(*of, first) };
            members.extend(self.equal_to(of).iter().map(|&document| Member { document, similarity }));
        }
        members.sort_by(|a, b| {
            let is_other = |member: &Member| member.document != kept;
            let by_similarity = b.similarity.total_cmp(&a.similarity);
            is_other(a).cmp(&is_other(b)).then(by_similarity).then(a.document.cmp(&b.document))
        });
        let of = |member: &Member| &self.documents[member.document as usize];
        Some(NearCluster {
            id: xxh3_64(&of(&members[0]).text.to_le_bytes()),
            saving: members[1..].iter().map(|member| of(member).bytes).sum(),
            members,
            least,
            is_in_trees: false,
        })
    }

    fn equal_to<'s>(&'s self, of: &'s u32) -> &'s [u32] {
        self.groups.get(of).copied().unwrap_or(std::slice::from_ref(of))
    }

    /// For each of some different documents, the sum of its similarities to all documents of the cluster. Only those of
    /// pairs count.
    fn sums(&self, different: &[u32]) -> Vec<f64> {
        let weight = |of: &u32| self.equal_to(of).len() as f64;
        let mut sums: Vec<f64> = different.iter().map(weight).collect();
        for (number, of) in different.iter().enumerate() {
            let from = self.pairs.partition_point(|pair| pair.a < *of);
            for pair in self.pairs[from..].iter().take_while(|pair| pair.a == *of) {
                if let Ok(other) = different.binary_search(&pair.b) {
                    sums[number] += weight(&pair.b) * f64::from(pair.similarity);
                    sums[other] += weight(of) * f64::from(pair.similarity);
                }
            }
        }
        sums
    }

    fn similarity_of(&self, a: u32, b: u32) -> f32 {
        let (a, b) = (a.min(b), a.max(b));
        match self.pairs.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b)) {
            Ok(at) => self.pairs[at].similarity,
            Err(_) => (self.similarity.of)(a, b) as f32,
        }
    }
}
