//! An inverted index of some documents, and the documents in it that resemble a given one.
//!
//! Only the first features of a document are in the index, and only the first ones of a document are looked up, the
//! rarest. Two documents that have none of these in common have too few features in common at all (the prefix filter of
//! Bayardo, Ma, Srikant, “Scaling up all pairs similarity search”, WWW 2007). At the first feature that two documents
//! share, the features that are left must suffice, too (the positional filter of Xiao et al., “Efficient similarity joins
//! for near duplicate detection”, WWW 2008).

use super::ranked::{RankedBags, least_common, resemblance};
use crate::near::pair::Pair;

/// How the documents that are looked up compare with those in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// They are at least as large.
    Larger,
    /// They have any size.
    Any,
}

/// A document in the list of a feature.
#[derive(Clone, Copy, Debug, Default)]
struct Posting {
    document: u32,
    /// How many features it has. A document has fewer than 2^32 tokens.
    total: u32,
    /// How many of them are left from the feature of the list on.
    rest: u32,
}

/// For each rank, the documents that have it among their first features, by size.
pub(super) struct Index<'b> {
    bags: &'b RankedBags,
    threshold: f64,
    /// For each rank, where its documents begin; then the end.
    starts: Vec<usize>,
    postings: Vec<Posting>,
}

impl<'b> Index<'b> {
    /// An index of some documents, which are sorted by size.
    pub(super) fn new(bags: &'b RankedBags, documents: &[u32], threshold: f64, asked: Asked) -> Self {
        let share = match asked {
            // What is shared is at least this share of the smaller document: t/(1 + t) of both together.
            Asked::Larger => 2.0 * threshold / (1.0 + threshold),
            Asked::Any => threshold,
        };
        let prefixes = || {
            documents.iter().flat_map(|&document| {
                let total = bags.total(document) as u32;
                let posting =
                    move |(rank, rest): (u32, u64)| (rank, Posting { document, total, rest: rest as u32 });
                bags.prefix(document, share).map(posting)
            })
        };
        let mut starts = vec![0; bags.ranks + 1];
        prefixes().for_each(|(rank, _)| starts[rank as usize + 1] += 1);
        for rank in 1..starts.len() {
            starts[rank] += starts[rank - 1];
        }
        let mut next = starts.clone();
        let mut postings = vec![Posting::default(); starts.last().copied().unwrap_or(0)];
        for (rank, posting) in prefixes() {
            let next = &mut next[rank as usize];
            postings[*next] = posting;
            *next += 1;
        }
        Self { bags, threshold, starts, postings }
    }

    /// The pairs of a document with those in the index that `is_asked` passes, in no order.
    pub(super) fn pairs(&self, document: u32, is_asked: impl Fn(u32) -> bool) -> Vec<Pair> {
        let own = self.bags.total(document);
        // The smaller bag's size divided by the larger one's is the greatest resemblance that is possible.
        let can_match =
            |other: u64| resemblance(own.min(other), own.max(other), own.min(other)) >= self.threshold;
        let mut candidates = Vec::new();
        for (rank, rest) in self.bags.prefix(document, self.threshold) {
            let list = &self.postings[self.starts[rank as usize]..self.starts[rank as usize + 1]];
            let is_too_small =
                |other: &Posting| u64::from(other.total) < own && !can_match(u64::from(other.total));
            let list = &list[list.partition_point(is_too_small)..];
            for other in list {
                let total = u64::from(other.total);
                if total > own && !can_match(total) {
                    break;
                }
                if rest.min(u64::from(other.rest)) >= least_common(own, total, self.threshold) {
                    candidates.push(other.document);
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        let pair = |other: u32| {
            let common = self.bags.common(document, other, self.threshold);
            let similarity = resemblance(own, self.bags.total(other), common);
            let pair = Pair { a: document.min(other), b: document.max(other), similarity: similarity as f32 };
            (common > 0 && similarity >= self.threshold).then_some(pair)
        };
        candidates.into_iter().filter(|&other| is_asked(other)).filter_map(pair).collect()
    }
}
