//! Finds heavy fingerprints: those of very many windows, as in very repetitive text.
//!
//! Windows are sorted in fractions of the fingerprints, but the windows of one fingerprint cannot be divided. So the
//! fingerprints with a large share of all windows are found by a sample, and their windows are summarised without sorting.

use std::ops::BitOr;

/// The size of the sample.
pub const SAMPLE: u32 = 1 << 16;
/// A fingerprint is heavy when it has at least 1 / this of the sample.
const PART: usize = 16;

/// The heavy fingerprints.
pub struct Heavy {
    /// The fingerprints, sorted.
    prints: Vec<u64>,
    /// A bit set of hashes of the fingerprints, which excludes most others quickly.
    endings: u64,
}

impl Heavy {
    /// The heavy fingerprints of a sample.
    pub fn from_sample(mut sample: Vec<u64>) -> Self {
        let least = (sample.len() / PART).max(2);
        sample.sort_unstable();
        let prints: Vec<u64> =
            sample.chunk_by(|a, b| a == b).filter(|same| same.len() >= least).map(|same| same[0]).collect();
        let endings = prints.iter().fold(0, |endings, &print| endings | ending(print));
        Self { prints, endings }
    }

    /// How many fingerprints are heavy.
    pub fn count(&self) -> usize {
        self.prints.len()
    }

    /// The index of a fingerprint, if it is heavy.
    #[inline]
    pub fn number(&self, fingerprint: u64) -> Option<usize> {
        if self.endings & ending(fingerprint) == 0 {
            return None;
        }
        self.prints.binary_search(&fingerprint).ok()
    }
}

#[inline]
fn ending(fingerprint: u64) -> u64 {
    1 << (fingerprint.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// The tokens before and after the windows of one fingerprint, summarised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowContext {
    /// The tokens before and after one of the windows; `None` at the edge of a stretch.
    beside: (Option<u64>, Option<u64>),
    /// Whether there are several windows.
    pub is_repeated: bool,
    /// Whether not all of them have the same token before them.
    pub differs_before: bool,
    /// Whether not all of them have the same token after them.
    pub differs_after: bool,
}

impl WindowContext {
    /// The summary of one window, which may have been gathered several times.
    pub fn new(before: Option<u64>, after: Option<u64>, is_repeated: bool) -> Self {
        let (differs_before, differs_after) = (before.is_none(), after.is_none());
        Self { beside: (before, after), is_repeated, differs_before, differs_after }
    }
}

impl BitOr for WindowContext {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            beside: self.beside,
            is_repeated: true,
            differs_before: self.differs_before || other.differs_before || self.beside.0 != other.beside.0,
            differs_after: self.differs_after || other.differs_after || self.beside.1 != other.beside.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_fingerprints_of_a_sample_are_heavy() {
        let sample = (0..10_000_u64).map(|at| if at % 3 == 0 { 7 } else { at << 32 }).collect();
        let heavy = Heavy::from_sample(sample);
        assert_eq!((heavy.count(), heavy.number(7), heavy.number(8)), (1, Some(0), None));
        assert_eq!(Heavy::from_sample(Vec::new()).number(0), None);
    }

    #[test]
    fn windows_differ_where_one_has_another_token_beside_it_or_none() {
        let of = |before, after| WindowContext::new(Some(before), Some(after), false);
        assert!(!of(1, 2).is_repeated && WindowContext::new(None, None, true).is_repeated);
        let same = of(1, 2) | of(1, 2);
        assert!(same.is_repeated && !same.differs_before && !same.differs_after);
        let other = of(1, 2) | of(1, 3);
        assert!(!other.differs_before && other.differs_after);
        let edge = of(1, 2) | WindowContext::new(None, Some(2), false);
        assert!(edge.differs_before && !edge.differs_after);
        assert!((edge | of(1, 2)).differs_before);
    }
}
