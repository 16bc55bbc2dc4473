//! The answer of a search for similar documents: pairs, and clusters with a representative.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{self, AtomicUsize};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SearchError;
use crate::clusters::{Cluster, Similarity, clusters_with_equal};
use crate::error::NearError;
use crate::pairs::{Equal, Pair, sort_pairs};
use crate::settings::{Keep, Query};
use crate::trees::TreeCluster;
use dupi_base::parallel;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::Document;

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
        query: &Query,
        documents: Vec<Document>,
        equal: Equal,
        mut pairs: Vec<Pair>,
        similarity: &Similarity,
    ) -> Result<Self, NearError> {
        let Query { snapshot, settings, .. } = *query;
        sort_pairs(&mut pairs);
        if !settings.clusters {
            return Ok(Self { documents, equal, pairs, ..Self::default() });
        }
        settings.pair_limit().add(pairs.len())?;
        let mut clusters = {
            let groups = equal.by_first();
            let maker = ClusterMaker { snapshot, documents: &documents, groups, pairs: &pairs, similarity };
            maker.clusters(&equal, query)?
        };
        clusters.par_sort_by_key(|cluster| (Reverse(cluster.saving), cluster.members[0].document));
        Ok(Self { documents, equal, pairs, clusters, ..Self::default() })
    }

    /// All pairs of documents, the most similar first: also those of equal documents.
    pub fn all_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        self.equal.all_pairs(&self.pairs)
    }
}

struct ClusterMaker<'a> {
    snapshot: &'a Snapshot,
    documents: &'a [Document],
    /// The documents that are equal to the first one of a group.
    groups: HashMap<u32, &'a [u32]>,
    /// Sorted.
    pairs: &'a [Pair],
    similarity: &'a Similarity<'a>,
}

impl ClusterMaker<'_> {
    /// The clusters of `equal` documents, as in `groups`, and of the pairs. The groups and pairs that are connected with each
    /// other give the same clusters, whatever others there are.
    fn clusters(&self, equal: &Equal, query: &Query) -> Result<Vec<NearCluster>, SearchError> {
        let Query { settings, tick, .. } = *query;
        let (rule, count) = (settings.rule, self.documents.len());
        let tick_half = |share: f64| tick(share * 0.5);
        let (threshold, linkage) = (rule.threshold, rule.linkage);
        let different =
            clusters_with_equal(count, equal, self.pairs, threshold, linkage, self.similarity, &tick_half)?;
        let (done, all) = (AtomicUsize::new(0), different.len() as f64);
        let make = |of: &Cluster| {
            tick(0.5 + 0.5 * done.fetch_add(1, atomic::Ordering::Relaxed) as f64 / all)?;
            Ok(self.cluster(&of.members, of.least, rule.keep))
        };
        let made: Result<Vec<_>, SearchError> = parallel::try_map(&different, make);
        Ok(made?.into_iter().flatten().collect())
    }

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
