//! Sets of features, one a document. A feature is the hash of a shingle, a token or a spot signature: searches rely on
//! features being spread over all 64 bits, though only for their speed.

use std::cmp::Ordering;
use std::ops::Range;

use dupi_text::blot::Blot;

/// The features of documents, each once and sorted within a document. The documents are numbered from 0 in the order in
/// which they are added. Optionally each feature has a count: then the sets are bags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureSets {
    features: Vec<u64>,
    /// For each feature, its count in the document. Empty if the sets are no bags.
    counts: Vec<u32>,
    /// For each document, the end of its features.
    ends: Vec<usize>,
}

impl FeatureSets {
    /// Adds a document as a set: repeated features count once.
    pub fn add_set(&mut self, mut features: Vec<u64>) {
        features.sort_unstable();
        features.dedup();
        self.add_sorted(Features { features: &features, counts: &[] });
    }

    /// Adds a document as a bag: each occurrence of a feature counts.
    pub fn add_bag(&mut self, mut features: Vec<u64>) {
        features.sort_unstable();
        let equal = features.chunk_by(|a, b| a == b);
        let (features, counts): (Vec<u64>, Vec<u32>) =
            equal.map(|equal| (equal[0], u32::try_from(equal.len()).unwrap_or(u32::MAX))).unzip();
        self.add_sorted(Features { features: &features, counts: &counts });
    }

    /// Adds a document as a bag or as a set.
    pub fn add(&mut self, features: Vec<u64>, is_bag: bool) {
        if is_bag { self.add_bag(features) } else { self.add_set(features) }
    }

    /// Adds a document by its features, sorted and each once, as a bag if they have counts.
    pub fn add_sorted(&mut self, document: Features) {
        let Features { features, counts } = document;
        debug_assert!(features.is_sorted(), "sorted");
        let is_bag = features.is_empty() || features.len() == counts.len();
        debug_assert!(
            if counts.is_empty() { self.counts.is_empty() || is_bag } else { is_bag },
            "sets and bags are not mixed"
        );
        self.features.extend_from_slice(features);
        self.counts.extend_from_slice(counts);
        self.ends.push(self.features.len());
    }

    /// Adds a document without the features that are not kept.
    pub(super) fn add_kept(&mut self, document: Features, is_kept: impl Fn(u64) -> bool) {
        let Features { features, counts } = document;
        let kept = || (0..features.len()).filter(|&at| is_kept(features[at]));
        let features: Vec<u64> = kept().map(|at| features[at]).collect();
        let counts: Vec<u32> = kept().filter_map(|at| counts.get(at).copied()).collect();
        self.add_sorted(Features { features: &features, counts: &counts });
    }

    /// The features of one document.
    pub fn of_one(features: Vec<u64>, is_bag: bool) -> Self {
        let mut sets = Self::default();
        sets.add(features, is_bag);
        sets
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The places of the features of a document among those of all documents.
    pub(super) fn places(&self, document: usize) -> Range<usize> {
        document.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[document]
    }

    /// The features of a document, sorted, and their counts.
    pub fn get(&self, document: usize) -> Features<'_> {
        let counts = if self.counts.is_empty() { &[] } else { &self.counts[self.places(document)] };
        Features { features: &self.features[self.places(document)], counts }
    }

    /// The features of a document, sorted.
    pub fn features(&self, document: usize) -> &[u64] {
        &self.features[self.places(document)]
    }

    /// The Jaccard resemblance of two documents: the size of the intersection divided by the size of the union, and of
    /// bags the sum of the smaller counts divided by the sum of the larger ones (Broder, “On the resemblance and
    /// containment of documents”, 1997). Two documents without features have resemblance 0.
    pub fn resemblance(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.get(a), self.get(b));
        resemblance(overlap(a, b, 0).unwrap_or_default(), a.size() + b.size())
    }
}

/// The resemblance of two sets of blots.
pub fn resemblance_of_blots(a: &[Blot], b: &[Blot]) -> f64 {
    let mut sets = FeatureSets::default();
    [a, b].iter().for_each(|blots| sets.add_set(blots.iter().map(|blot| blot.get()).collect()));
    sets.resemblance(0, 1)
}

/// Sorted features, each once, and their counts; without counts, each is there once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features<'a> {
    /// The features.
    pub features: &'a [u64],
    /// Their counts, or nothing.
    pub counts: &'a [u32],
}

impl Features<'_> {
    pub(super) fn count(self, at: usize) -> u64 {
        self.counts.get(at).map_or(1, |&count| u64::from(count))
    }

    /// The number of features, or the sum of the counts.
    pub fn size(self) -> u64 {
        let counted = self.counts.iter().map(|&count| u64::from(count)).sum();
        if self.counts.is_empty() { self.features.len() as u64 } else { counted }
    }
}

/// What two sets share: the number of common features, and of bags the sum of the smaller counts. `None` if it is less
/// than `least`, which is often seen long before the end.
pub(super) fn overlap(a: Features, b: Features, least: u64) -> Option<u64> {
    // Of what stands in one of the two, this much may be missing in the other.
    let mut spare = (a.size() + b.size()).checked_sub(2 * least)?;
    let (mut i, mut j) = (0, 0);
    while let (Some(own), Some(other)) = (a.features.get(i), b.features.get(j)) {
        let order = own.cmp(other);
        let lost = match order {
            Ordering::Less => a.count(i),
            Ordering::Equal => a.count(i).abs_diff(b.count(j)),
            Ordering::Greater => b.count(j),
        };
        spare = spare.checked_sub(lost)?;
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
    }
    let rest = |of: Features, from: usize| (from..of.features.len()).map(|at| of.count(at)).sum::<u64>();
    spare = spare.checked_sub(rest(a, i) + rest(b, j))?;
    Some(least + spare / 2)
}

/// The resemblance of two sets whose sizes add up to `sum`, of which they share `both`.
pub(super) fn resemblance(both: u64, sum: u64) -> f64 {
    if both == 0 { 0.0 } else { both as f64 / (sum - both) as f64 }
}

// What a least resemblance demands of the sizes of two sets and of what they share.
//
// The bounds are integers, found with the same division as the resemblance itself, so that rounding can neither drop a
// pair whose resemblance equals the threshold nor let one in.

/// The least resemblance of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Threshold(f64);

impl Threshold {
    /// The threshold, or none if no pair can reach it because it is above 1 or no number. A pair that has nothing in
    /// common reaches none, not even 0.
    pub(super) fn new(least: f64) -> Option<Self> {
        (least <= 1.0).then(|| Self(least.max(0.0)))
    }

    /// Whether two sets reach it that share `overlap` and whose sizes add up to `sum`.
    pub(super) fn is_reached(self, overlap: u64, sum: u64) -> bool {
        overlap > 0 && overlap as f64 / (sum - overlap) as f64 >= self.0
    }

    /// The resemblance of two documents if it reaches the threshold.
    pub(super) fn compare(self, a: Features, b: Features) -> Option<f32> {
        let sum = a.size() + b.size();
        Some(resemblance(overlap(a, b, self.overlap(sum))?, sum) as f32)
    }

    /// The least that two sets must share whose sizes add up to `sum`; more than half of `sum` if nothing is enough.
    /// Does not fall when `sum` grows.
    pub(super) fn overlap(self, sum: u64) -> u64 {
        let mut overlap = ((sum as f64 * self.0 / (1.0 + self.0)) as u64).min(sum / 2);
        while self.is_reached(overlap, sum) {
            overlap -= 1;
        }
        while overlap <= sum / 2 && !self.is_reached(overlap, sum) {
            overlap += 1;
        }
        overlap
    }

    /// The size of the smallest set that can reach it with one of `size`: of a subset.
    pub(super) fn smallest(self, size: u64) -> u64 {
        let mut smallest = ((size as f64 * self.0) as u64).min(size);
        while self.is_reached(smallest, smallest + size) {
            smallest -= 1;
        }
        while smallest < size && !self.is_reached(smallest, smallest + size) {
            smallest += 1;
        }
        smallest
    }

    /// The prefix of a set of `size` that must share something with each set, no larger than it, with which it reaches
    /// the threshold.
    pub(super) fn probed(self, size: u64) -> u64 {
        size - self.overlap(size + self.smallest(size)) + 1
    }

    /// The prefix of a set of `size` that must share something with each set, no smaller than it, with which it reaches
    /// the threshold. No longer than the one that is probed.
    pub(super) fn indexed(self, size: u64) -> u64 {
        size - self.overlap(2 * size) + 1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn resemblance_of_sets_is_intersection_divided_by_union() {
        let mut sets = FeatureSets::default();
        for features in [vec![3, 1, 2, 2], vec![2, 3, 4], vec![], vec![9]] {
            sets.add_set(features);
        }
        assert_eq!(sets.features(0), [1, 2, 3]);
        let pairs = [(0, 1), (0, 0), (0, 3), (2, 2), (2, 0)];
        assert_eq!(pairs.map(|(a, b)| sets.resemblance(a, b)), [0.5, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn resemblance_of_bags_counts_each_common_occurrence() {
        let mut bags = FeatureSets::default();
        bags.add_bag(vec![1, 1, 2]);
        bags.add_bag(vec![1, 1, 1, 3]);
        assert_eq!(bags.get(1).counts, [3, 1]);
        assert_eq!(bags.resemblance(0, 1), 2.0 / 5.0);
    }

    proptest! {
        #[test]
        fn overlap_is_the_sum_of_the_smaller_counts(
            a in proptest::collection::btree_map(0_u64..20, 1_u32..4, 0..15),
            b in proptest::collection::btree_map(0_u64..20, 1_u32..4, 0..15),
            least in 0_u64..20,
        ) {
            let naive: u32 = a.iter().filter_map(|(feature, count)| Some(*b.get(feature)?.min(count))).sum();
            let naive = u64::from(naive);
            let bag = |of: BTreeMap<u64, u32>| of.into_iter().unzip::<u64, u32, Vec<u64>, Vec<u32>>();
            let ((own, own_counts), (other, other_counts)) = (bag(a), bag(b));
            let a = Features { features: &own, counts: &own_counts };
            let b = Features { features: &other, counts: &other_counts };
            prop_assert_eq!(overlap(a, b, least), (naive >= least).then_some(naive));
            let [a, b] = [a, b].map(|of| Features { counts: &[], ..of });
            let naive = own.iter().filter(|feature| other.contains(feature)).count() as u64;
            prop_assert_eq!(overlap(a, b, least), (naive >= least).then_some(naive));
        }
    }

    proptest! {
        #[test]
        fn bounds_are_those_that_trying_all_overlaps_gives(
            (of, parts) in (1_u32..60).prop_flat_map(|parts| (0..=parts, Just(parts))),
            a in 1_u64..120,
            b in 1_u64..120,
        ) {
            let threshold = Threshold::new(f64::from(of) / f64::from(parts)).unwrap();
            let reached = |overlap: u64, sum: u64| threshold.is_reached(overlap, sum);
            let overlap = threshold.overlap(a + b);
            let mut all = 1..=(a + b) / 2 + 1;
            let naive = all.clone().find(|&overlap| overlap > (a + b) / 2 || reached(overlap, a + b));
            prop_assert_eq!(Some(overlap), naive);
            // In integers: overlap / (a + b − overlap) ≥ of / parts.
            let exact = |overlap: u64| overlap * u64::from(parts) >= u64::from(of) * (a + b - overlap);
            let naive = all.find(|&overlap| overlap > (a + b) / 2 || exact(overlap));
            prop_assert_eq!(Some(overlap), naive);
            prop_assert_eq!(Some(threshold.smallest(a)), (1..=a).find(|&size| reached(size, size + a)));
            prop_assert!(threshold.indexed(a) <= threshold.probed(a) && threshold.probed(a) <= a);
        }
    }

    #[test]
    fn a_threshold_that_none_can_reach_is_none() {
        assert_eq!(Threshold::new(f64::NAN), None);
        assert_eq!(Threshold::new(1.01), None);
        assert_eq!(Threshold::new(-1.0), Threshold::new(0.0));
        assert_eq!(Threshold::new(0.0).unwrap().overlap(10), 1);
        assert_eq!(Threshold::new(1.0).unwrap().overlap(10), 5);
        assert_eq!(Threshold::new(1.0).unwrap().probed(7), 1);
    }
}
