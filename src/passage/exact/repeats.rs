//! Maximal repeats: sequences of units that stand more than once and cannot be extended to either side
//! without losing an occurrence.
//!
//! They are the intervals of the suffix array whose suffixes share a prefix, longer than with any other,
//! and have different units before them (Gusfield, “Algorithms on Strings, Trees, and Sequences”, 1997,
//! section 7.12; Abouelhoda, Kurtz, Ohlebusch, “Replacing suffix trees with enhanced suffix arrays”, 2004).
//!
//! A text that repeats itself at once (`a a a a`, or rows of a table) has a maximal repeat for every
//! length. Of these only the shortest is kept that holds the repeated text once whole.

use super::suffixes::{common_lengths, sorted_suffixes};
use super::units::Units;

/// A maximal repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The first of its occurrences in the order of suffixes.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// How many tokens long it is.
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
    /// Finds them. `length` is that of a window.
    pub fn find(units: Units, length: u32) -> Self {
        let order = sorted_suffixes(&units.names, units.letters);
        let common = common_lengths(&units.names, &order);
        let found = RepeatFinder::new(&units, &order, length).intervals(&common);
        Self { found, order, units }
    }

    /// Where a repeat stands: the places of its first tokens, in no order.
    pub fn places(&self, repeat: &Repeat) -> impl Iterator<Item = u32> + '_ {
        let first = repeat.first as usize;
        let suffixes = &self.order[first..first + repeat.count as usize];
        suffixes.iter().map(|&suffix| self.units.units[suffix as usize].place)
    }
}

/// Whether a text of so many tokens that overlaps itself, `shift` tokens further, is one of many of its
/// kind that need not be told.
pub fn is_redundant_tandem(tokens: u32, shift: u32, length: u32) -> bool {
    tokens >= (shift * 2).max(length + shift)
}

/// An interval of suffixes that share a prefix, while it is open.
struct OpenInterval {
    common: u32,
    first: u32,
    /// See [`Tandem`].
    run: Tandem,
}

/// For how many tokens some suffix goes on like one that begins within it, and with which shift. It saves
/// looking at all the repeats that a long run of one token has.
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
}

impl<'a> RepeatFinder<'a> {
    fn new(units: &'a Units, order: &'a [u32], length: u32) -> Self {
        let mut search = Self { units, order, length, runs: Vec::new() };
        search.runs = search.runs();
        search
    }

    fn intervals(&self, common: &[u32]) -> Vec<Repeat> {
        let mut found = Vec::new();
        // How many neighbours in order, up to each, have different units before them.
        let mut partings = Vec::with_capacity(self.order.len());
        let mut count = 0_u32;
        for at in 0..self.order.len() {
            count += u32::from(at > 0 && self.before(at - 1) != self.before(at));
            partings.push(count);
        }
        let parts_before =
            |first: usize, last: usize| partings[last] > partings[first] || self.before(first).is_none();
        let mut open: Vec<OpenInterval> = Vec::new();
        for at in 0..=self.order.len() {
            let now = common.get(at).copied().unwrap_or(0);
            let mut first = at.saturating_sub(1) as u32;
            let mut run = at.checked_sub(1).map_or(Tandem::default(), |before| self.run_at(before));
            while let Some(top) = open.pop_if(|top| top.common > now) {
                run = longer(run, top.run);
                first = top.first;
                let last = at - 1;
                let tokens = self.tokens(self.order[last] as usize, top.common);
                let is_told = !(tokens <= run.tokens && is_redundant_tandem(tokens, run.shift, self.length));
                if is_told && parts_before(first as usize, last) {
                    found.push(Repeat { first, count: at as u32 - first, tokens });
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

    /// The unit before a suffix; `None` where a sequence begins.
    fn before(&self, at: usize) -> Option<u32> {
        let before = (self.order[at] as usize).checked_sub(1)?;
        self.units.is_unit(before).then(|| self.units.names[before])
    }

    /// The tokens of so many units.
    fn tokens(&self, first: usize, count: u32) -> u32 {
        let (first, last) = (self.units.units[first], self.units.units[first + count as usize - 1]);
        last.place + last.windows - first.place + self.length - 1
    }

    fn run_at(&self, at: usize) -> Tandem {
        self.runs[self.order[at] as usize]
    }

    /// For each unit the run that begins with it, as far as it is found by looking at the next few places
    /// where the unit stands again.
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
        // Shifts, and where text and shifted text part: with one shift, all units before agree as far.
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
