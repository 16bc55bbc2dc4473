//! Finds units: the runs of repeated windows that passages consist of.
//!
//! When all copies of a window have the same token before it, and the same after it, they continue together to the next
//! window. Such windows form one unit, so a passage of any length and with any number of copies is a short sequence of
//! units. (In genome assembly: the unitigs of a compacted de Bruijn graph.)

use rayon::prelude::*;

use super::super::distinct_texts::DistinctTexts;
use super::super::gather::TokenStretch;
use super::windows::{DIFFERS_AFTER, DIFFERS_BEFORE, REPEATED};
use dupi_base::corpus::portions;
use dupi_base::parallel;
use dupi_text::token::fingerprint;

/// About how many fingerprints are sorted at a time, if that is possible in 2 to the power of [`MOST_BITS`] fractions.
#[cfg(not(test))]
const IN_A_FRACTION: usize = 1 << 17;
#[cfg(test)]
const IN_A_FRACTION: usize = 1 << 3;
const MOST_BITS: u32 = 5;

/// An occurrence of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// The place of its first token.
    pub place: u32,
    /// How many windows it consists of; 0 for a separator of sequences.
    pub windows: u32,
}

/// The units of all stretches, in order.
pub struct Units {
    /// Equal units have equal names. Each separator has a name of its own.
    pub names: Vec<u32>,
    /// The units.
    pub units: Vec<Unit>,
    /// Greater than any name.
    pub letters: u32,
}

impl Units {
    /// The units, from the flags of the windows of `length` tokens.
    pub fn new(texts: &DistinctTexts, known: &[u8], length: u32) -> Self {
        // Pieces of about equal length, several for each thread.
        let enough = u64::from(texts.len()) / (rayon::current_num_threads() as u64 * 4) + 1;
        let pieces = portions(&texts.stretches, enough, |stretch| u64::from(stretch.len));
        let of_pieces = parallel::map(&pieces, |piece| units_of(texts, piece, known, length));
        let (prints, of_pieces): (Vec<Vec<u128>>, Vec<Vec<Unit>>) = of_pieces.into_iter().unzip();
        let mut units = Vec::with_capacity(of_pieces.iter().map(Vec::len).sum());
        of_pieces.into_iter().for_each(|of_piece| units.extend(of_piece));
        let (mut names, mut letters) = names(&prints, &units);
        drop(prints);
        for (name, unit) in names.iter_mut().zip(&units) {
            if unit.windows == 0 {
                *name = letters;
                letters += 1;
            }
        }
        Self { names, units, letters }
    }

    /// Whether the entry with this index is a unit and not a separator.
    pub fn is_unit(&self, number: usize) -> bool {
        self.units[number].windows > 0
    }
}

/// The names of some units, with the fingerprints of their tokens in pieces, and how many names there are: the indices of
/// the fingerprints in order. One fraction of the fingerprints is sorted after another, to limit the memory.
fn names(prints: &[Vec<u128>], units: &[Unit]) -> (Vec<u32>, u32) {
    let (mut names, mut letters) = (vec![0; units.len()], 0);
    let starts = prints.iter().scan(0, |end, prints| Some(std::mem::replace(end, *end + prints.len())));
    let pieces: Vec<(usize, &Vec<u128>)> = starts.zip(prints).collect();
    let bits = (units.len() / IN_A_FRACTION + 1).next_power_of_two().ilog2().min(MOST_BITS);
    for fraction in 0..1_u128 << bits {
        let of_piece = |&(start, prints): &(usize, &Vec<u128>)| -> Vec<(u128, u32)> {
            let numbered = (start..).zip(prints);
            let some = numbered.filter(|&(number, print)| {
                print.checked_shr(u128::BITS - bits).unwrap_or(0) == fraction && units[number].windows > 0
            });
            some.map(|(number, &print)| (print, number as u32)).collect()
        };
        let some: Vec<Vec<(u128, u32)>> = parallel::map(&pieces, of_piece);
        let mut some = some.concat();
        some.par_sort_unstable();
        for same in some.chunk_by(|a, b| a.0 == b.0) {
            same.iter().for_each(|&(_, number)| names[number as usize] = letters);
            letters += 1;
        }
    }
    (names, letters)
}

/// The units of some stretches, and the fingerprints of their tokens. Each sequence of units ends with a separator.
fn units_of(
    texts: &DistinctTexts,
    stretches: &[TokenStretch],
    known: &[u8],
    length: u32,
) -> (Vec<u128>, Vec<Unit>) {
    let (mut prints, mut units) = (Vec::new(), Vec::new());
    for stretch in stretches {
        let tokens = texts.tokens(stretch);
        let base = stretch.base as usize;
        let known = &known[base..base + tokens.len()];
        let mut at = 0;
        while at < known.len() {
            if known[at] & REPEATED == 0 {
                at += 1;
                continue;
            }
            let start = at;
            while at + 1 < known.len()
                && known[at + 1] & REPEATED != 0
                && known[at] & DIFFERS_AFTER == 0
                && known[at + 1] & DIFFERS_BEFORE == 0
            {
                at += 1;
            }
            at += 1;
            prints.push(fingerprint(&tokens[start..at - 1 + length as usize]));
            units.push(Unit { place: (base + start) as u32, windows: (at - start) as u32 });
            if known.get(at).is_none_or(|next| next & REPEATED == 0) {
                prints.push(0);
                units.push(Unit { place: 0, windows: 0 });
            }
        }
    }
    prints.shrink_to_fit();
    units.shrink_to_fit();
    (prints, units)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_are_the_indices_of_the_different_fingerprints_in_order(
            prints in prop::collection::vec(prop::collection::vec(0..40_u64, 0..30), 0..5),
        ) {
            let whole = |print: &u64| u128::from(*print).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            let prints: Vec<Vec<u128>> = prints.iter().map(|some| some.iter().map(whole).collect()).collect();
            let all = prints.concat();
            let unit = |print: &u128| Unit { place: 0, windows: u32::from(*print != 0) };
            let units: Vec<Unit> = all.iter().map(unit).collect();
            let mut different: Vec<u128> = all.iter().copied().filter(|print| *print != 0).collect();
            different.sort_unstable();
            different.dedup();
            let (names, letters) = names(&prints, &units);
            prop_assert_eq!(letters as usize, different.len());
            for (name, print) in names.iter().zip(&all).filter(|(_, print)| **print != 0) {
                prop_assert_eq!(different[*name as usize], *print);
            }
        }
    }
}
