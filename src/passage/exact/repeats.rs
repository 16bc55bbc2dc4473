//! Finds maximal repeats: sequences of units that occur more than once and cannot be extended to either side without
//! losing an occurrence.
//!
//! They are the intervals of the suffix array whose suffixes share a longer prefix than with any suffix outside, and are
//! preceded by different units (Gusfield, “Algorithms on Strings, Trees, and Sequences”, 1997, section 7.12; Abouelhoda,
//! Kurtz, Ohlebusch, “Replacing suffix trees with enhanced suffix arrays”, 2004).
//!
//! A tandem repeat (`a a a a`, or rows of a table) has a maximal repeat of every length. Of these only the shortest that
//! contains the repeated text once is kept.
//!
//! The suffixes of a text that was gathered several times stand in the suffix array once. Each is an interval of its own,
//! as its copies would be, whose common prefix reaches to the end of the text.

use std::ops::Range;

use crate::distinct_texts::DistinctTexts;
use crate::exact::suffixes::{common_lengths, sorted_suffixes};
use crate::exact::units::Units;

/// A maximal repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The first of its occurrences, as an index into the sorted suffixes.
    pub first: u32,
    /// How many of them there are.
    pub count: u32,
    /// How many occurrences there are in all texts that were gathered.
    pub copies: u32,
    /// Its length in tokens.
    pub tokens: u32,
}

/// All maximal repeats of some units.
pub struct Repeats {
    /// The repeats.
    pub found: Vec<Repeat>,
    order: Vec<u32>,
    units: Units,
}

impl Repeats {
    /// Finds them. `length` is the length of a window in tokens.
    pub fn find(texts: &DistinctTexts, units: Units, length: u32) -> Self {
        let order = sorted_suffixes(&units.names, units.letters);
        let common = common_lengths(&units.names, &order);
        let found = RepeatFinder::new(texts, &units, &order, length).intervals(&common);
        Self { found, order, units }
    }

    /// The places of the occurrences of a repeat, in no order.
    pub fn places(&self, repeat: &Repeat) -> impl Iterator<Item = u32> + '_ {
        let first = repeat.first as usize;
        let suffixes = &self.order[first..first + repeat.count as usize];
        suffixes.iter().map(|&suffix| self.units.units[suffix as usize].place)
    }
}

/// Whether a repeat of `tokens` tokens that overlaps itself, shifted by `shift` tokens, is redundant: a shorter repeat
/// contains the repeated text.
pub fn is_redundant_tandem(tokens: u32, shift: u32, length: u32) -> bool {
    tokens >= (shift * 2).max(length + shift)
}

/// An interval of suffixes with a common prefix whose end is not known yet.
struct OpenInterval {
    common: u32,
    first: u32,
    /// The longest tandem repeat of its suffixes.
    run: Tandem,
}

/// A tandem repeat at the start of a suffix: the suffix agrees for `tokens` tokens with itself shifted by `shift`. It saves
/// enumerating all repeats in a long run of one token.
#[derive(Clone, Copy, Default)]
struct Tandem {
    tokens: u32,
    shift: u32,
}

struct RepeatFinder<'a> {
    units: &'a Units,
    order: &'a [u32],
    length: u32,
    runs: Vec<Tandem>,
    copies: Copies,
}

impl<'a> RepeatFinder<'a> {
    fn new(texts: &DistinctTexts, units: &'a Units, order: &'a [u32], length: u32) -> Self {
        let copies = Copies::new(texts, units, order);
        let mut search = Self { units, order, length, runs: Vec::new(), copies };
        search.runs = search.runs();
        search
    }

    fn intervals(&self, common: &[u32]) -> Vec<Repeat> {
        let mut found = Vec::new();
        // Prefix counts of neighbouring suffixes with different preceding units.
        let mut changes = Vec::with_capacity(self.order.len());
        let mut count = 0_u32;
        for at in 0..self.order.len() {
            count += u32::from(at > 0 && self.before(at - 1) != self.before(at));
            changes.push(count);
        }
        let differs_before =
            |first: usize, last: usize| changes[last] > changes[first] || self.before(first).is_none();
        let mut open: Vec<OpenInterval> = Vec::new();
        for at in 0..=self.order.len() {
            let now = common.get(at).copied().unwrap_or(0);
            let mut first = at.saturating_sub(1) as u32;
            let mut run = at.checked_sub(1).map_or(Tandem::default(), |before| self.run_at(before));
            let to_end = at.checked_sub(1).map_or(0, |before| self.copies.to_end(self.order[before]));
            if to_end > open.last().map_or(0, |top| top.common) {
                open.push(OpenInterval { common: to_end, first, run });
            }
            while let Some(top) = open.pop_if(|top| top.common > now) {
                run = longer(run, top.run);
                first = top.first;
                let last = at - 1;
                let tokens = self.tokens(self.order[last] as usize, top.common);
                let is_kept = !(tokens <= run.tokens && is_redundant_tandem(tokens, run.shift, self.length));
                if is_kept && differs_before(first as usize, last) {
                    let copies = self.copies.count(first as usize..at);
                    found.push(Repeat { first, count: at as u32 - first, copies, tokens });
                }
            }
            match open.last_mut() {
                Some(top) if top.common == now => top.run = longer(top.run, run),
                _ if now > 0 => open.push(OpenInterval { common: now, first, run }),
                _ => {}
            }
        }
        found
    }

    /// The unit before a suffix; `None` at the beginning of a sequence.
    fn before(&self, at: usize) -> Option<u32> {
        let before = (self.order[at] as usize).checked_sub(1)?;
        self.units.is_unit(before).then(|| self.units.names[before])
    }

    /// The length in tokens of a number of units.
    fn tokens(&self, first: usize, count: u32) -> u32 {
        let (first, last) = (self.units.units[first], self.units.units[first + count as usize - 1]);
        last.place + last.windows - first.place + self.length - 1
    }

    fn run_at(&self, at: usize) -> Tandem {
        self.runs[self.order[at] as usize]
    }

    /// For each unit the tandem repeat that begins with it. Only the next few occurrences of the unit are tried.
    fn runs(&self) -> Vec<Tandem> {
        const LOOKED_AT: usize = 4;
        let names = &self.units.names;
        let mut next = vec![u32::MAX; names.len()];
        let mut last_seen = vec![u32::MAX; self.units.letters as usize];
        for at in (0..names.len()).rev() {
            next[at] = std::mem::replace(&mut last_seen[names[at] as usize], at as u32);
        }
        drop(last_seen);
        let mut runs = vec![Tandem::default(); names.len()];
        // Shifts, each with the end of the agreement of text and shifted text, which is the same for all units before it.
        let mut known: Vec<(usize, usize)> = Vec::new();
        let mut block_end = 0;
        for at in 0..names.len() {
            if at == block_end {
                known.clear();
                block_end = (at..names.len())
                    .find(|&end| !self.units.is_unit(end))
                    .map_or(names.len(), |end| end + 1);
            }
            known.retain(|&(_, end)| end > at);
            let mut again = next[at] as usize;
            for _ in 0..LOOKED_AT {
                if again >= block_end {
                    break;
                }
                let shift = again - at;
                let end = match known.iter().find(|known| known.0 == shift) {
                    Some(&(_, end)) => end,
                    None => {
                        let same =
                            names[at..].iter().zip(&names[again..]).take_while(|(a, b)| a == b).count();
                        known.push((shift, at + same));
                        at + same
                    }
                };
                if end - at >= shift {
                    let tokens = self.tokens(at, (end - at) as u32);
                    let shift = self.units.units[again].place - self.units.units[at].place;
                    runs[at] = Tandem { tokens, shift };
                    break;
                }
                again = next[again] as usize;
            }
        }
        runs
    }
}

fn longer(a: Tandem, b: Tandem) -> Tandem {
    if a.tokens >= b.tokens { a } else { b }
}

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
    pub fn count(&self, suffixes: Range<usize>) -> u32 {
        match (self.before.get(suffixes.start), self.before.get(suffixes.end)) {
            (Some(start), Some(end)) => end - start,
            _ => suffixes.len() as u32,
        }
    }
}
