//! Finds seeds: short runs of tokens that occur more than once, at which copies are searched.

use super::super::distinct_texts::DistinctTexts;
use super::super::exact::units::Units;
use super::super::exact::windows;
use super::super::gather::Gathered;
use dupi_index::index::search::{SearchError, Tick};
use dupi_text::blot::Recipe;

/// How long seeds are.
#[derive(Clone, Copy, Debug)]
pub struct SeedLengths {
    /// The fewest tokens of a seed.
    pub least: u32,
    /// The fewest tokens of a chain of seeds.
    pub chained: u32,
}

impl SeedLengths {
    /// The lengths for texts indexed with a recipe, of which the shortest passage has `least` tokens. A seed is much
    /// shorter than the run that is guaranteed to share a blot, so that texts in which every third or fourth token
    /// differs still have some. In noisy text, for which the guarantee is short, each seed counts, and otherwise only a
    /// chain of several or a long one. Where names are folded, short runs are equal by chance: with seeds of 5 tokens a
    /// search takes five times as long, and finds one copy more of a hundred.
    pub fn for_recipe(recipe: &Recipe, least: u32) -> Self {
        const NOISY: u32 = 10;
        if recipe.tokens.folding().identifiers {
            return Self { least: 8.min(least), chained: 12.min(least) };
        }
        let seed = Self::shorter(recipe, 5, least);
        let chained = if recipe.guarantee() < NOISY { seed } else { 8.min(least) };
        Self { least: seed, chained }
    }

    /// The lengths for texts of which only the surroundings of repeated tiles were read. Copies without a run of this
    /// length are hardly ever among them, and short seeds would take most of the time.
    pub fn around_tiles(recipe: &Recipe, least: u32) -> Self {
        let seed =
            if recipe.tokens.folding().identifiers { 12.min(least) } else { Self::shorter(recipe, 8, least) };
        Self { least: seed, chained: seed }
    }

    /// A length that is shorter than the run that is guaranteed to share a blot, at most `most`.
    fn shorter(recipe: &Recipe, most: u32, least: u32) -> u32 {
        (recipe.guarantee() * 2 / 3).clamp(4, most).min(least)
    }
}

/// A run of tokens that occurs elsewhere too.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    /// The place of its first token.
    pub place: u32,
    /// How many tokens it has.
    pub tokens: u32,
    /// Equal runs have equal names.
    pub name: u32,
    /// The index of its stretch.
    pub stretch: u32,
}

/// Marks a seed that is done.
const DONE: u32 = u32::MAX;

/// A short seed with more occurrences than this is a frequent phrase, unless it is in a longer run of seeds.
const FREQUENT: u32 = 16;

/// The seeds without frequent phrases, which say little about where copies are.
fn informative(mut seeds: Vec<Seed>, names: u32, chained: u32) -> Vec<Seed> {
    let mut counts = vec![0_u32; names as usize];
    for seed in &seeds {
        counts[seed.name as usize] += 1;
    }
    let mut is_long = vec![false; seeds.len()];
    let mut start = 0;
    for at in 0..seeds.len() {
        let end = seeds[at].place + seeds[at].tokens;
        let continues = |next: &Seed| next.stretch == seeds[at].stretch && next.place < end;
        if !seeds.get(at + 1).is_some_and(continues) {
            is_long[start..=at].fill(end - seeds[start].place >= chained);
            start = at + 1;
        }
    }
    let mut is_long = is_long.into_iter();
    seeds.retain(|seed| is_long.next() == Some(true) || counts[seed.name as usize] <= FREQUENT);
    seeds.shrink_to_fit();
    seeds
}

/// The seeds in all stretches, sorted by place, from the units of their texts.
fn everywhere(gathered: &Gathered, texts: &DistinctTexts, units: &Units, length: u32) -> Vec<Seed> {
    // Units are sorted by place but for the separators.
    let mut starts = vec![0; texts.stretches.len() + 1];
    let mut next = 0;
    for (number, unit) in units.units.iter().enumerate().filter(|(_, unit)| unit.windows > 0) {
        while next < texts.stretches.len() && texts.stretches[next].base <= unit.place {
            starts[next] = number;
            next += 1;
        }
    }
    starts[next..].fill(units.units.len());
    let of_stretch = |(number, text): (usize, u32)| {
        let (text, own) = (text as usize, gathered.stretches[number].base);
        let (base, range) = (texts.stretches[text].base, starts[text]..starts[text + 1]);
        let some = units.names[range.clone()].iter().zip(&units.units[range]);
        some.filter(|(_, unit)| unit.windows > 0).map(move |(&name, unit)| Seed {
            place: own + (unit.place - base),
            tokens: unit.windows + length - 1,
            name,
            stretch: number as u32,
        })
    };
    let numbers = texts.numbers();
    let most = numbers.iter().map(|&text| starts[text as usize + 1] - starts[text as usize]).sum();
    // Not by several threads: they would put together what each of them found, and need twice the memory.
    let mut seeds = Vec::with_capacity(most);
    seeds.extend(numbers.into_iter().enumerate().flat_map(of_stretch));
    seeds
}

/// All seeds, by place and by name.
pub struct Seeds {
    /// The seeds, sorted by place.
    pub seeds: Vec<Seed>,
    /// The indices of the seeds of each name, one name after another: those that are left ascending, and then those that
    /// [`Self::open`] found to be done.
    by_name: Vec<u32>,
    /// For each name, the start of its seeds in `by_name`; and the end of the last.
    starts: Vec<u32>,
    /// For each name, how many seeds are left.
    left: Vec<u32>,
    /// For each seed, [`DONE`] or the last passage that took it.
    taken: Vec<u32>,
    /// For each name, the last passage in which it occurred.
    met: Vec<u32>,
    /// For each stretch the number of its text, if some stretches have the same.
    texts: Option<Vec<u32>>,
    /// The seeds that [`Self::open`] finds to be done.
    found_done: Vec<u32>,
    /// The number of the current passage.
    growing: u32,
    /// The fewest tokens of a chain of seeds. A single seed of this length is a chain.
    pub chained: u32,
}

impl Seeds {
    /// Finds repeated runs of at least as many tokens as a seed has. `memory` is the limit of the search, in bytes.
    pub fn find(
        gathered: &Gathered,
        SeedLengths { least: length, chained }: SeedLengths,
        memory: u64,
        tick: &Tick,
    ) -> Result<Self, SearchError> {
        let texts = DistinctTexts::find(gathered);
        let known = windows::windows(&texts, length, memory, tick)?;
        let units = Units::new(&texts, &known, length);
        drop(known);
        let letters = units.letters;
        let seeds = everywhere(gathered, &texts, &units, length);
        let numbers = (!texts.are_all()).then(|| texts.numbers());
        drop((texts, units));
        let seeds = informative(seeds, letters, chained);
        let mut starts = vec![0; letters as usize + 1];
        for seed in &seeds {
            starts[seed.name as usize + 1] += 1;
        }
        for name in 1..starts.len() {
            starts[name] += starts[name - 1];
        }
        let mut next = starts.clone();
        let mut by_name = vec![0; seeds.len()];
        for (number, seed) in (0..).zip(&seeds) {
            let at = &mut next[seed.name as usize];
            by_name[*at as usize] = number;
            *at += 1;
        }
        let left: Vec<u32> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (taken, met) = (vec![0; seeds.len()], vec![0; left.len()]);
        Ok(Self {
            seeds,
            by_name,
            starts,
            left,
            taken,
            met,
            texts: numbers,
            found_done: Vec::new(),
            growing: 0,
            chained,
        })
    }

    /// The seeds of a name, ascending, without those that [`Self::open`] found to be done.
    pub fn named(&self, name: u32) -> &[u32] {
        let start = self.starts[name as usize] as usize;
        &self.by_name[start..start + self.left[name as usize] as usize]
    }

    /// All seeds of a name, in no order.
    pub fn all_named(&self, name: u32) -> &[u32] {
        &self.by_name[self.starts[name as usize] as usize..self.starts[name as usize + 1] as usize]
    }

    /// An upper bound of the number of seeds of a name that are left.
    pub fn open_count(&self, name: u32) -> usize {
        self.left[name as usize] as usize
    }

    /// The same for the name of a seed.
    pub fn open_of(&self, number: u32) -> usize {
        self.open_count(self.seeds[number as usize].name)
    }

    /// For each stretch the number of its text; stretches with one number have the same tokens. `None` if all differ.
    pub fn texts(&self) -> Option<&[u32]> {
        self.texts.as_deref()
    }

    /// Begins another passage.
    pub fn begin(&mut self) {
        self.growing += 1;
    }

    /// Whether a name is new in the current passage. Marks it, so the next call returns false.
    pub fn is_new(&mut self, name: u32) -> bool {
        std::mem::replace(&mut self.met[name as usize], self.growing) != self.growing
    }

    /// Marks a seed that is in a copy of the current passage.
    pub fn take(&mut self, number: u32) {
        let taken = &mut self.taken[number as usize];
        if *taken != DONE {
            *taken = self.growing;
        }
    }

    /// Whether a seed is in a copy of the current passage.
    pub fn is_taken(&self, number: u32) -> bool {
        self.taken[number as usize] == self.growing
    }

    /// The seeds of a name that are neither done nor in the current passage, ascending, instead of those in `open`.
    pub fn open(&mut self, name: u32, open: &mut Vec<u32>) {
        let start = self.starts[name as usize] as usize;
        let named = &mut self.by_name[start..start + self.left[name as usize] as usize];
        self.found_done.clear();
        open.clear();
        let mut left = 0;
        for at in 0..named.len() {
            let seed = named[at];
            let taken = self.taken[seed as usize];
            if taken == DONE {
                self.found_done.push(seed);
                continue;
            }
            named[left] = seed;
            left += 1;
            if taken != self.growing {
                open.push(seed);
            }
        }
        named[left..].copy_from_slice(&self.found_done);
        self.left[name as usize] = left as u32;
    }

    /// Whether a seed is done.
    pub fn is_done(&self, number: u32) -> bool {
        self.taken[number as usize] == DONE
    }

    /// Marks a seed as done: its passage is found, or it has none.
    pub fn set_done(&mut self, number: u32) {
        self.taken[number as usize] = DONE;
    }

    /// Marks the seeds as done that have more than half of their tokens in a range of places.
    pub fn set_done_within(&mut self, places: std::ops::Range<u32>) {
        let starting = self.within(places.clone());
        let reaching = self.seeds[..starting.start].iter().rev();
        let before = reaching.take_while(|seed| seed.place + seed.tokens > places.start).count();
        for number in starting.start - before..starting.end {
            let seed = self.seeds[number];
            let inside = (seed.place + seed.tokens).min(places.end) - seed.place.max(places.start);
            if inside * 2 > seed.tokens {
                self.set_done(number as u32);
            }
        }
    }

    /// The indices of the seeds that begin within a range of places.
    pub fn within(&self, places: std::ops::Range<u32>) -> std::ops::Range<usize> {
        let at = |place: u32| self.seeds.partition_point(|seed| seed.place < place);
        at(places.start)..at(places.end)
    }
}
