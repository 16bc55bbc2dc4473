//! What a text tells, token by token.
//!
//! The model lies in memory at random places. So it is asked once for each different token and pair of a text, and for
//! all of them in a row, without anything else in between: then the answers are on their way at the same time.

use std::ops::Range;

use crate::worth::model::{Counted, Model, NUMBER, Own, pair};
use dupi_passage::TokenRun;
use dupi_passage::gather::Gathered;

/// The text of a representative; its memory is used again for the next one.
#[derive(Default)]
pub(super) struct Text {
    /// The different tokens as they stand, and by their numbers which token each is counted as.
    standing: Tally,
    counted_as: Vec<u32>,
    /// The different tokens as they are counted, and how often they stand in the text.
    tokens: Tally,
    of_tokens: Vec<Count>,
    /// The different pairs, by the numbers of their tokens.
    pairs: Tally,
    of_pairs: Vec<Count>,
    /// Of each token its number, and that of the pair which it ends.
    numbers: Vec<(u32, u32)>,
    counted: Vec<Counted>,
    /// What the model calls the pairs, where it may know them, and their contexts.
    names: Vec<u64>,
    near: Vec<Range<u32>>,
    contexts: Vec<u32>,
    /// How likely other texts make each pair.
    likely: Vec<f64>,
    /// What each different token of the text tells in all its places, in bits.
    bits: Vec<f64>,
    /// By which copy each was seen last.
    seen: Vec<u32>,
    copies: u32,
}

/// How often something stands in a text, and in what was read of it so far.
#[derive(Clone, Copy, Default)]
struct Count {
    all: u32,
    seen: u32,
}

impl Text {
    /// Reads the text of a run: what it tells, in bits.
    pub(super) fn read(&mut self, gathered: &Gathered, model: &Model, run: &TokenRun) -> f64 {
        self.count(gathered, model, run);
        self.ask(model);
        self.tell(model)
    }

    /// Numbers and counts the tokens and the pairs of a text.
    fn count(&mut self, gathered: &Gathered, model: &Model, run: &TokenRun) {
        let text = gathered.tokens_of(run);
        for tally in [&mut self.standing, &mut self.tokens, &mut self.pairs] {
            tally.clear(text.len());
        }
        self.of_tokens.clear();
        self.of_pairs.clear();
        self.counted_as.clear();
        self.numbers.clear();
        let mut before = None;
        for (place, &token) in (run.place..).zip(text) {
            let standing = self.standing.number(token);
            if standing == self.counted_as.len() {
                let token = if model.numbers.has(place) { NUMBER } else { token };
                let number = self.tokens.number(token);
                self.counted_as.push(number as u32);
                if number == self.of_tokens.len() {
                    self.of_tokens.push(Count::default());
                }
            }
            let number = self.counted_as[standing];
            let of_pair = before.map_or(0, |before| {
                let of_pair = self.pairs.number(together(before, number));
                if of_pair == self.of_pairs.len() {
                    self.of_pairs.push(Count::default());
                }
                self.of_pairs[of_pair].all += 1;
                of_pair as u32
            });
            self.of_tokens[number as usize].all += 1;
            self.numbers.push((number, of_pair));
            before = Some(number);
        }
    }

    /// Asks the model for all tokens and pairs.
    fn ask(&mut self, model: &Model) {
        let tokens = self.tokens.keys();
        self.counted.clear();
        self.counted.extend(tokens.iter().map(|&token| model.counted(token)));
        let pairs = || self.pairs.keys().iter().map(|&pair| apart(pair));
        self.names.clear();
        self.names.extend(pairs().map(|(first, second)| pair(tokens[first], tokens[second])));
        model.contexts(&self.names, &mut self.near, &mut self.contexts);
        let likely = |((first, second), (&contexts, of_pair)): ((usize, usize), (&u32, &Count))| {
            let own = Own {
                pair: of_pair.all,
                first: self.of_tokens[first].all,
                second: self.of_tokens[second].all,
            };
            model.behind(self.counted[first], self.counted[second], contexts, own)
        };
        self.likely.clear();
        self.likely.extend(pairs().zip(self.contexts.iter().zip(&self.of_pairs)).map(likely));
    }

    /// What the tokens tell, each given what stands before it.
    fn tell(&mut self, model: &Model) -> f64 {
        self.bits.clear();
        self.bits.resize(self.of_tokens.len(), 0.0);
        self.seen.clear();
        self.seen.resize(self.of_tokens.len(), 0);
        self.copies = 0;
        // How often the token before was seen before.
        let mut before: Option<u32> = None;
        let mut sum = 0.0;
        for (at, &(number, of_pair)) in self.numbers.iter().enumerate() {
            let (number, of_pair) = (number as usize, of_pair as usize);
            let own = self.of_tokens[number];
            self.of_tokens[number].seen += 1;
            let mut likely = f64::from(own.seen) / (at as f64 + 1.0);
            likely = likely.max(match before {
                Some(first) => {
                    let both = &mut self.of_pairs[of_pair].seen;
                    let here = f64::from(*both) / (f64::from(first) + 1.0);
                    *both += 1;
                    here.max(self.likely[of_pair])
                }
                None => model.anywhere(self.counted[number], own.all),
            });
            let bits = -likely.min(1.0).log2();
            sum += bits;
            self.bits[number] += bits;
            before = Some(own.seen);
        }
        sum
    }

    /// What of it a copy tells as well: the bits of the tokens that both have.
    pub(super) fn agreeing(&mut self, gathered: &Gathered, model: &Model, copy: &TokenRun) -> f64 {
        self.copies += 1;
        let number = self.tokens.find(NUMBER);
        let mut sum = 0.0;
        for (place, &token) in (copy.place..).zip(gathered.tokens_of(copy)) {
            let found = match self.standing.find(token) {
                Some(standing) => Some(self.counted_as[standing] as usize),
                // Another number is as good as one of the text.
                None => number.filter(|_| model.numbers.has(place)),
            };
            if let Some(token) = found
                && self.seen[token] != self.copies
            {
                self.seen[token] = self.copies;
                sum += self.bits[token];
            }
        }
        sum
    }
}

/// The name of a pair within a text, by the numbers of its tokens.
fn together(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The numbers of the tokens of a pair.
fn apart(pair: u64) -> (usize, usize) {
    ((pair >> 32) as usize, pair as u32 as usize)
}

/// The different keys of something, numbered as they come.
#[derive(Default)]
pub(super) struct Tally {
    /// For each place of the table the number of what stands there, from 1; 0 where nothing does.
    table: Vec<u32>,
    keys: Vec<u64>,
}

impl Tally {
    /// Removes all, and makes room for `most`.
    pub(super) fn clear(&mut self, most: usize) {
        let size = (most * 2).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        self.keys.clear();
    }

    /// The keys, by their numbers.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The number of a key.
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        self.place(key).1
    }

    /// The number of a key; a new one has the next.
    pub(super) fn number(&mut self, key: u64) -> usize {
        let (at, known) = self.place(key);
        known.unwrap_or_else(|| {
            self.keys.push(key);
            self.table[at] = self.keys.len() as u32;
            self.keys.len() - 1
        })
    }

    fn place(&self, key: u64) -> (usize, Option<usize>) {
        let mask = self.table.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            match self.table[at] {
                0 => return (at, None),
                number if self.keys[number as usize - 1] == key => return (at, Some(number as usize - 1)),
                _ => at = (at + 1) & mask,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_one_number() {
        let mut tally = Tally::default();
        for most in [300, 3] {
            tally.clear(most);
            let keys: Vec<u64> = (0..most as u64).map(|key| key << 32 | (key + 1)).collect();
            for round in 0..2 {
                for (number, &key) in keys.iter().enumerate() {
                    assert_eq!(tally.find(key), (round == 1).then_some(number));
                    assert_eq!(tally.number(key), number);
                }
            }
            assert_eq!(tally.keys(), keys);
        }
    }
}
