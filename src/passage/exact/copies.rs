//! How often the suffixes of units were gathered, when some texts were gathered several times.

use std::ops::Range;

use super::super::distinct_texts::DistinctTexts;
use super::units::Units;

/// The numbers of copies of some units; empty when no text was gathered several times.
#[derive(Default)]
pub struct Copies {
    /// For each unit of a text that was gathered several times, how many units there are from it to the end of its
    /// sequence; else 0.
    to_end: Vec<u32>,
    /// For each index into the sorted suffixes, how often those before it were gathered.
    before: Vec<u32>,
}

impl Copies {
    /// The copies of the units of some texts, whose suffixes are sorted in `order`.
    pub fn new(texts: &DistinctTexts, units: &Units, order: &[u32]) -> Self {
        if texts.are_all() {
            return Self::default();
        }
        let copies = |number: u32| texts.copies(texts.stretch_at(units.units[number as usize].place));
        let mut to_end = vec![0; units.units.len()];
        let mut left = 0;
        for number in (0..units.units.len() as u32).rev() {
            left = if units.is_unit(number as usize) { left + 1 } else { 0 };
            if left > 0 && copies(number) > 1 {
                to_end[number as usize] = left;
            }
        }
        let mut sum = 0;
        let mut before = Vec::with_capacity(order.len() + 1);
        before.push(0);
        for &suffix in order {
            sum += if units.is_unit(suffix as usize) { copies(suffix) } else { 0 };
            before.push(sum);
        }
        Self { to_end, before }
    }

    /// How many units the copies of a unit have in common with it, from it on; 0 if there are none.
    pub fn to_end(&self, unit: u32) -> u32 {
        self.to_end.get(unit as usize).copied().unwrap_or(0)
    }

    /// How often some of the sorted suffixes were gathered.
    pub fn of(&self, suffixes: Range<usize>) -> u32 {
        match (self.before.get(suffixes.start), self.before.get(suffixes.end)) {
            (Some(start), Some(end)) => end - start,
            _ => suffixes.len() as u32,
        }
    }
}
