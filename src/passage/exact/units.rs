//! Finds units: the runs of repeated windows that passages consist of.
//!
//! When all copies of a window have the same token before it, and the same after it, they continue together to the next
//! window. Such windows form one unit, so a passage of any length and with any number of copies is a short sequence of
//! units. (In genome assembly: the unitigs of a compacted de Bruijn graph.)

use rayon::prelude::*;

use super::super::distinct_texts::DistinctTexts;
use super::super::gather::TokenStretch;
use super::windows::{DIFFERS_AFTER, DIFFERS_BEFORE, REPEATED};
use crate::token::fingerprint;

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
        let of_stretch = |stretch: &TokenStretch| units_of(texts, stretch, known, length);
        let named: Vec<(u128, Unit)> = texts.stretches.par_iter().flat_map_iter(of_stretch).collect();
        let mut prints: Vec<u128> = named
            .par_iter()
            .filter(|(_, unit)| unit.windows > 0)
            .map(|(fingerprint, _)| *fingerprint)
            .collect();
        prints.par_sort_unstable();
        prints.dedup();
        let mut names: Vec<u32> = named
            .par_iter()
            .map(|(fingerprint, unit)| if unit.windows == 0 { 0 } else { name(&prints, *fingerprint) })
            .collect();
        let mut letters = prints.len() as u32;
        let units: Vec<Unit> = named.into_iter().map(|(_, unit)| unit).collect();
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

/// The index of a fingerprint in the sorted ones. They are hashes, so the position can be estimated.
fn name(prints: &[u128], fingerprint: u128) -> u32 {
    let guess = (((fingerprint >> 64) * prints.len() as u128) >> 64) as usize;
    let mut step = 64;
    let mut low = guess.saturating_sub(step);
    while low > 0 && prints[low] > fingerprint {
        step *= 4;
        low = low.saturating_sub(step);
    }
    let mut high = (guess + step).min(prints.len());
    while high < prints.len() && prints[high] <= fingerprint {
        step *= 4;
        high = (high + step).min(prints.len());
    }
    (low + prints[low..high].partition_point(|&other| other < fingerprint)) as u32
}

/// The units of a stretch with the fingerprints of their tokens. Each sequence of units ends with a separator.
fn units_of(texts: &DistinctTexts, stretch: &TokenStretch, known: &[u8], length: u32) -> Vec<(u128, Unit)> {
    let tokens = texts.tokens(stretch);
    let base = stretch.base as usize;
    let known = &known[base..base + tokens.len()];
    let mut units = Vec::new();
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
        let unit = Unit { place: (base + start) as u32, windows: (at - start) as u32 };
        units.push((fingerprint(&tokens[start..at - 1 + length as usize]), unit));
        if known.get(at).is_none_or(|next| next & REPEATED == 0) {
            units.push((0, Unit { place: 0, windows: 0 }));
        }
    }
    units
}
