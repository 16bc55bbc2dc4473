//! What a least resemblance demands of the sizes of two sets and of what they share.
//!
//! The bounds are integers, found with the same division as the resemblance itself, so that rounding can neither drop a
//! pair whose resemblance equals the threshold nor let one in.

use crate::features::{Features, overlap, resemblance};

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
    use super::*;
    use proptest::prelude::*;

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
