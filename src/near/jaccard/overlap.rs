//! How much two sets or bags share, counted only as far as it matters.

use std::cmp::Ordering;

use crate::features::FeatureSets;

/// Sorted features, each once, and how often each is there; without counts, once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features<'a> {
    pub(super) features: &'a [u64],
    pub(super) counts: &'a [u32],
}

impl<'a> Features<'a> {
    /// Those of a document.
    pub(super) fn of(sets: &'a FeatureSets, document: u32) -> Self {
        let document = document as usize;
        Self { features: sets.of(document), counts: sets.counts(document) }
    }

    pub(super) fn count(self, at: usize) -> u64 {
        self.counts.get(at).map_or(1, |&count| u64::from(count))
    }

    /// The number of features, or the sum of the counts.
    pub(super) fn size(self) -> u64 {
        let counted = self.counts.iter().map(|&count| u64::from(count)).sum();
        if self.counts.is_empty() { self.features.len() as u64 } else { counted }
    }
}

/// What two sets share: the number of common features, and of bags the sum of the smaller counts. `None` if it is less
/// than `least`, which is often seen long before the end.
pub(super) fn overlap(a: Features<'_>, b: Features<'_>, least: u64) -> Option<u64> {
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
    let rest = |of: Features<'_>, from: usize| (from..of.features.len()).map(|at| of.count(at)).sum::<u64>();
    spare = spare.checked_sub(rest(a, i) + rest(b, j))?;
    Some(least + spare / 2)
}

/// The resemblance of two sets whose sizes add up to `sum`, of which they share `both`.
pub(super) fn resemblance(both: u64, sum: u64) -> f32 {
    (both as f64 / (sum - both) as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn bag(of: &BTreeMap<u64, u32>) -> (Vec<u64>, Vec<u32>) {
        (of.keys().copied().collect(), of.values().copied().collect())
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
            let ((own, own_counts), (other, other_counts)) = (bag(&a), bag(&b));
            let a = Features { features: &own, counts: &own_counts };
            let b = Features { features: &other, counts: &other_counts };
            prop_assert_eq!(overlap(a, b, least), (naive >= least).then_some(naive));
            let [a, b] = [a, b].map(|of| Features { counts: &[], ..of });
            let naive = own.iter().filter(|feature| other.contains(feature)).count() as u64;
            prop_assert_eq!(overlap(a, b, least), (naive >= least).then_some(naive));
        }
    }
}
