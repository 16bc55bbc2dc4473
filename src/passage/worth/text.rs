//! What a text tells, token by token.

use super::model::{Model, Own, pair};

/// The text of a representative; its memory is used again for the next one.
#[derive(Default)]
pub(super) struct Text {
    all: Vec<u64>,
    tokens: Tally,
    pairs: Tally,
    /// Of each token its number, and that of the pair which it ends.
    numbers: Vec<(usize, usize)>,
    /// What each different token of the text tells in all its places, in bits.
    bits: Vec<f64>,
    /// By which copy each was seen last.
    seen: Vec<u32>,
    copies: u32,
}

impl Text {
    /// Reads a text: what it tells, in bits.
    pub(super) fn read(&mut self, model: &Model, text: impl Iterator<Item = u64>) -> f64 {
        let mut tokens = std::mem::take(&mut self.all);
        tokens.clear();
        tokens.extend(text);
        let sum = self.read_tokens(model, &tokens);
        self.all = tokens;
        sum
    }

    fn read_tokens(&mut self, model: &Model, text: &[u64]) -> f64 {
        self.tokens.clear(text.len());
        self.pairs.clear(text.len());
        self.numbers.clear();
        let mut before = None;
        for &token in text {
            let number = self.tokens.number(token);
            let of_pair = before.map_or(0, |before| {
                let of_pair = self.pairs.number(pair(before, token));
                self.pairs.counts[of_pair].all += 1;
                of_pair
            });
            self.tokens.counts[number].all += 1;
            self.numbers.push((number, of_pair));
            before = Some(token);
        }
        self.bits.clear();
        self.bits.resize(self.tokens.counts.len(), 0.0);
        self.seen.clear();
        self.seen.resize(self.tokens.counts.len(), 0);
        self.copies = 0;
        let mut before: Option<(u64, Count)> = None;
        let mut sum = 0.0;
        for (at, (&token, &(number, of_pair))) in text.iter().zip(&self.numbers).enumerate() {
            let own = self.tokens.counts[number];
            self.tokens.counts[number].seen += 1;
            let mut likely = f64::from(own.seen) / (at as f64 + 1.0);
            let mut of_text = Own { second: own.all, ..Own::default() };
            if let Some((_, first)) = before {
                let both = &mut self.pairs.counts[of_pair];
                likely = likely.max(f64::from(both.seen) / (f64::from(first.seen) + 1.0));
                both.seen += 1;
                of_text = Own { pair: both.all, first: first.all, ..of_text };
            }
            likely = likely.max(model.probability(before.map(|(first, _)| first), token, of_text));
            let bits = -likely.min(1.0).log2();
            sum += bits;
            self.bits[number] += bits;
            before = Some((token, own));
        }
        sum
    }

    /// What of it a copy tells as well: the bits of the tokens that both have.
    pub(super) fn agreeing(&mut self, copy: impl Iterator<Item = u64>) -> f64 {
        self.copies += 1;
        let mut sum = 0.0;
        for token in copy {
            if let Some(token) = self.tokens.find(token)
                && self.seen[token] != self.copies
            {
                self.seen[token] = self.copies;
                sum += self.bits[token];
            }
        }
        sum
    }
}

/// How often something stands in a text, and in what was read of it so far.
#[derive(Clone, Copy, Default)]
struct Count {
    all: u32,
    seen: u32,
}

/// Counts by hashes, in an open table.
#[derive(Default)]
struct Tally {
    /// For each place of the table the number of what stands there, from 1; 0 where nothing does.
    table: Vec<u32>,
    keys: Vec<u64>,
    counts: Vec<Count>,
}

impl Tally {
    /// Leaves nothing, with room for so many.
    fn clear(&mut self, most: usize) {
        let size = (most * 2).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        self.keys.clear();
        self.counts.clear();
    }

    fn place(&self, key: u64) -> (usize, Option<usize>) {
        let mask = self.table.len() - 1;
        let mut at = (key ^ key >> 32) as usize & mask;
        loop {
            match self.table[at] {
                0 => return (at, None),
                number if self.keys[number as usize - 1] == key => return (at, Some(number as usize - 1)),
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.place(key).1
    }

    /// The number of a key; a new one has the next.
    fn number(&mut self, key: u64) -> usize {
        let (at, known) = self.place(key);
        known.unwrap_or_else(|| {
            self.keys.push(key);
            self.counts.push(Count::default());
            self.table[at] = self.keys.len() as u32;
            self.keys.len() - 1
        })
    }
}
