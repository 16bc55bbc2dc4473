//! Counts, for each of 64 bit positions, the words in which the bit is set.
//!
//! The counts lie across words: plane p has bit p of all 64 counts. Two words and a plane go through a full adder of 64
//! lanes at once (a carry-save adder; Warren, “Hacker's Delight”, section 5-1), so a word costs about five operations
//! and not one for each bit.

/// Planes: the number of bits of a count.
const PLANES: usize = 48;

/// The counts of set bits by position, of up to 2^47 words.
#[derive(Clone, Debug)]
pub(super) struct BitCounts {
    words: u64,
    planes: [u64; PLANES],
    /// For each plane, a word of its weight that waits for another one; bit p of `waiting_at` says whether there is
    /// one.
    waiting: [u64; PLANES],
    waiting_at: u64,
}

impl BitCounts {
    pub(super) fn new() -> Self {
        Self { words: 0, planes: [0; PLANES], waiting: [0; PLANES], waiting_at: 0 }
    }

    /// Counts the bits of a word.
    #[inline]
    pub(super) fn add(&mut self, word: u64) {
        self.words += 1;
        self.carry(word, 0);
    }

    /// Counts eight words at once.
    #[inline]
    pub(super) fn add_eight(&mut self, words: &[u64; 8]) {
        let (mut ones, mut twos, mut fours) = (self.planes[0], self.planes[1], self.planes[2]);
        let [a, b, c, d, e, f, g, h] = *words;
        let two_a = full_add(&mut ones, a, b);
        let two_b = full_add(&mut ones, c, d);
        let four_a = full_add(&mut twos, two_a, two_b);
        let two_a = full_add(&mut ones, e, f);
        let two_b = full_add(&mut ones, g, h);
        let four_b = full_add(&mut twos, two_a, two_b);
        let eight = full_add(&mut fours, four_a, four_b);
        self.planes[..3].copy_from_slice(&[ones, twos, fours]);
        self.words += 8;
        self.carry(eight, 3);
    }

    /// Adds a word whose bits count 2^plane each.
    #[inline]
    fn carry(&mut self, mut word: u64, mut plane: usize) {
        while self.waiting_at >> plane & 1 == 1 && plane + 1 < PLANES {
            self.waiting_at ^= 1 << plane;
            word = full_add(&mut self.planes[plane], word, self.waiting[plane]);
            plane += 1;
        }
        self.waiting[plane] = word;
        self.waiting_at |= 1 << plane;
    }

    /// The bits that are set in more than half of the words.
    pub(super) fn majority(mut self) -> u64 {
        // A word that waits for nothing else goes into the planes by a ripple.
        for plane in 0..PLANES {
            if self.waiting_at >> plane & 1 == 1 {
                let mut carried = self.waiting[plane];
                for plane in &mut self.planes[plane..] {
                    (*plane, carried) = (*plane ^ carried, *plane & carried);
                }
            }
        }
        let half = self.words / 2;
        let (mut more, mut equal) = (0, u64::MAX);
        for (number, plane) in self.planes.iter().enumerate().rev() {
            if half >> number & 1 == 1 {
                equal &= plane;
            } else {
                more |= equal & plane;
                equal &= !plane;
            }
        }
        more
    }
}

/// Adds two words to a plane. Returns the carries.
#[inline]
fn full_add(plane: &mut u64, a: u64, b: u64) -> u64 {
    let either = a ^ b;
    let carries = a & b | either & *plane;
    *plane ^= either;
    carries
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(words: &[u64]) -> u64 {
        let is_set = |bit: &u32| words.iter().filter(|word| *word >> bit & 1 == 1).count() * 2 > words.len();
        (0..64).filter(is_set).fold(0, |all, bit| all | 1 << bit)
    }

    proptest! {
        #[test]
        fn a_bit_is_set_if_more_than_half_of_the_words_have_it(
            words in prop::collection::vec(prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..4_u64], 0..300),
            singles in 0..40_usize,
        ) {
            let mut counts = BitCounts::new();
            let (first, rest) = words.split_at(singles.min(words.len()));
            first.iter().for_each(|&word| counts.add(word));
            let (eights, rest) = rest.as_chunks::<8>();
            eights.iter().for_each(|words| counts.add_eight(words));
            rest.iter().for_each(|&word| counts.add(word));
            prop_assert_eq!(counts.majority(), naive(&words));
        }
    }
}
