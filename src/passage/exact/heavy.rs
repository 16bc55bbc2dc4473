//! Fingerprints that very many windows have: a text that says the same again and again.
//!
//! Windows come together by sorting, a fraction of all fingerprints at a time; those with one fingerprint cannot be
//! divided. So what has much of all windows is found by a sample, and its windows are counted where they stand.

use std::ops::BitOr;

/// How many windows are looked at.
pub const SAMPLE: u32 = 1 << 16;
/// What this part of a sample has is heavy.
const PART: usize = 16;

/// The heavy fingerprints.
pub struct Heavy {
    /// Sorted.
    prints: Vec<u64>,
    /// A bit for what the fingerprints end with: most others are told apart by it.
    endings: u64,
}

impl Heavy {
    /// Of some windows, taken from all over the texts, those that are too many.
    pub fn of(mut sample: Vec<u64>) -> Self {
        let least = (sample.len() / PART).max(2);
        sample.sort_unstable();
        let prints: Vec<u64> =
            sample.chunk_by(|a, b| a == b).filter(|same| same.len() >= least).map(|same| same[0]).collect();
        let endings = prints.iter().fold(0, |endings, &print| endings | ending(print));
        Self { prints, endings }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.prints.len()
    }

    /// The number of a fingerprint, if it is heavy.
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

/// What all windows of one fingerprint have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowContext {
    /// What one of them has before and behind it; nothing at an edge.
    beside: (Option<u64>, Option<u64>),
    /// Whether there are several.
    pub is_repeated: bool,
    /// Whether not all of them have the same token before them.
    pub parts_before: bool,
    /// Whether not all of them have the same token behind them.
    pub parts_behind: bool,
}

impl WindowContext {
    /// Of one window.
    pub fn of(before: Option<u64>, behind: Option<u64>) -> Self {
        let (parts_before, parts_behind) = (before.is_none(), behind.is_none());
        Self { beside: (before, behind), is_repeated: false, parts_before, parts_behind }
    }
}

impl BitOr for WindowContext {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            beside: self.beside,
            is_repeated: true,
            parts_before: self.parts_before || other.parts_before || self.beside.0 != other.beside.0,
            parts_behind: self.parts_behind || other.parts_behind || self.beside.1 != other.beside.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sample_has_often_is_heavy() {
        let sample = (0..10_000_u64).map(|at| if at % 3 == 0 { 7 } else { at << 32 }).collect();
        let heavy = Heavy::of(sample);
        assert_eq!((heavy.count(), heavy.number(7), heavy.number(8)), (1, Some(0), None));
        assert_eq!(Heavy::of(Vec::new()).number(0), None);
    }

    #[test]
    fn windows_part_where_one_has_another_token_beside_it_or_none() {
        let of = |before, behind| WindowContext::of(Some(before), Some(behind));
        let same = of(1, 2) | of(1, 2);
        assert!(same.is_repeated && !same.parts_before && !same.parts_behind);
        let other = of(1, 2) | of(1, 3);
        assert!(!other.parts_before && other.parts_behind);
        let edge = of(1, 2) | WindowContext::of(None, Some(2));
        assert!(edge.parts_before && !edge.parts_behind);
        assert!((edge | of(1, 2)).parts_before);
    }
}
