//! Sets of features, one a document. A feature is the hash of a shingle, a token or a spot signature: searches rely on
//! features being spread over all 64 bits, though only for their speed.

use std::cmp::Ordering;

/// The features of documents, each once and sorted within a document. The documents are numbered from 0 in the order in
/// which they are added. Optionally each feature has a count: then the sets are bags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureSets {
    features: Vec<u64>,
    /// For each feature, how often the document has it. Empty if the sets are no bags.
    counts: Vec<u32>,
    /// For each document, the end of its features.
    ends: Vec<usize>,
}

impl FeatureSets {
    /// Adds a document as a set: repeated features count once.
    pub fn add_set(&mut self, mut features: Vec<u64>) {
        debug_assert!(self.counts.is_empty(), "sets and bags are not mixed");
        features.sort_unstable();
        features.dedup();
        self.features.extend(features);
        self.ends.push(self.features.len());
    }

    /// Adds a document as a bag: each occurrence of a feature counts.
    pub fn add_bag(&mut self, mut features: Vec<u64>) {
        debug_assert!(self.counts.len() == self.features.len(), "sets and bags are not mixed");
        features.sort_unstable();
        for equal in features.chunk_by(|a, b| a == b) {
            self.features.push(equal[0]);
            self.counts.push(u32::try_from(equal.len()).unwrap_or(u32::MAX));
        }
        self.ends.push(self.features.len());
    }

    /// Adds a document as a set: its features, sorted and each once.
    pub fn add_sorted(&mut self, features: &[u64]) {
        debug_assert!(self.counts.is_empty(), "sets and bags are not mixed");
        debug_assert!(features.is_sorted(), "sorted");
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len());
    }

    /// Adds a document as a bag: its features, sorted and each once, and how often it has each.
    pub fn add_counted(&mut self, features: &[u64], counts: &[u32]) {
        debug_assert!(self.counts.len() == self.features.len(), "sets and bags are not mixed");
        debug_assert!(features.len() == counts.len() && features.is_sorted(), "a count for each feature");
        self.features.extend_from_slice(features);
        self.counts.extend_from_slice(counts);
        self.ends.push(self.features.len());
    }

    /// Those of one document, as a set or as a bag.
    pub fn of_one(features: Vec<u64>, is_bag: bool) -> Self {
        let mut sets = Self::default();
        let add = if is_bag { Self::add_bag } else { Self::add_set };
        add(&mut sets, features);
        sets
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether features have counts.
    pub fn are_bags(&self) -> bool {
        !self.counts.is_empty()
    }

    fn range(&self, document: usize) -> std::ops::Range<usize> {
        document.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[document]
    }

    /// How many features all documents have.
    pub(super) fn feature_count(&self) -> usize {
        self.features.len()
    }

    /// The place of the first feature of a document among those of all.
    pub(super) fn start(&self, document: usize) -> usize {
        self.range(document).start
    }

    /// The features of a document, sorted.
    pub fn of(&self, document: usize) -> &[u64] {
        &self.features[self.range(document)]
    }

    /// How often a document has each of its features; empty for sets.
    pub fn counts(&self, document: usize) -> &[u32] {
        if self.counts.is_empty() { &[] } else { &self.counts[self.range(document)] }
    }

    /// The number of features of a document, with repetitions where they count.
    pub fn size(&self, document: usize) -> u64 {
        match self.counts(document) {
            [] => self.of(document).len() as u64,
            counts => counts.iter().copied().map(u64::from).sum(),
        }
    }

    /// The Jaccard resemblance of two documents: the size of the intersection divided by the size of the union, and of
    /// bags the sum of the smaller counts divided by the sum of the larger ones (Broder, “On the resemblance and
    /// containment of documents”, 1997). Two documents without features have resemblance 0.
    pub fn resemblance(&self, a: usize, b: usize) -> f64 {
        let (features, others) = (self.of(a), self.of(b));
        let (counts, other_counts) = (self.counts(a), self.counts(b));
        let count = |counts: &[u32], at: usize| counts.get(at).map_or(1, |&count| u64::from(count));
        let (mut i, mut j, mut both, mut either) = (0, 0, 0, 0);
        while i < features.len() || j < others.len() {
            let order = match (features.get(i), others.get(j)) {
                (Some(feature), Some(other)) => feature.cmp(other),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let own = if order == Ordering::Greater { 0 } else { count(counts, i) };
            let their = if order == Ordering::Less { 0 } else { count(other_counts, j) };
            both += own.min(their);
            either += own.max(their);
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
        }
        if either == 0 { 0.0 } else { both as f64 / either as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resemblance_of_sets_is_intersection_divided_by_union() {
        let mut sets = FeatureSets::default();
        for features in [vec![3, 1, 2, 2], vec![2, 3, 4], vec![], vec![9]] {
            sets.add_set(features);
        }
        assert_eq!(sets.of(0), [1, 2, 3]);
        assert_eq!(sets.resemblance(0, 1), 0.5);
        assert_eq!(sets.resemblance(0, 0), 1.0);
        assert_eq!(sets.resemblance(0, 3), 0.0);
        assert_eq!(sets.resemblance(2, 2), 0.0);
    }

    #[test]
    fn resemblance_of_bags_counts_a_feature_as_often_as_both_have_it() {
        let mut bags = FeatureSets::default();
        bags.add_bag(vec![1, 1, 2]);
        bags.add_bag(vec![1, 1, 1, 3]);
        assert_eq!(bags.counts(1), [3, 1]);
        assert_eq!(bags.resemblance(0, 1), 2.0 / 5.0);
    }
}
