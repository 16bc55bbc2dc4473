//! Chains seeds: decides from the seeds near two places whether comparing their texts is worth the time.
//!
//! Two texts with many differences rarely have a long run of tokens in common, but several short ones in the same order
//! and at nearly the same distances: near one diagonal of the table of all pairs of tokens. By chance, two short runs on
//! one diagonal are as rare as a long run. So a short seed counts only together with others: the seeds around it are
//! chained (Abouelhoda & Ohlebusch, “Chaining algorithms for multiple genome comparison”, 2005; Li, “Minimap2”, 2018, has
//! the same limits of distance and drift), and the tokens in the chain are counted. Texts are few tokens apart here, so the
//! chain is found greedily: from the seed outwards, each seed that continues it is taken.

use super::seeds::{Seed, Seeds};

/// The greatest distance, in tokens, of the seeds of a chain from its first one.
pub const REACH: u32 = 48;
/// The most seeds on either side that are looked at.
const LOOKED_AT: usize = 32;

impl Seeds {
    /// Whether the seeds around two seeds of one name form a chain of enough tokens. The other seeds of a
    /// chain are at most `drift` tokens off the diagonal of the two.
    pub fn are_chained(&self, one: u32, other: u32, drift: u32) -> bool {
        let first = self.seeds[one as usize];
        if first.tokens >= self.chained {
            return true;
        }
        let mut tokens = first.tokens;
        self.follow::<false>(one, other, drift, &mut tokens)
            || self.follow::<true>(one, other, drift, &mut tokens)
    }

    /// Follows a chain from two seeds to one side, and adds the tokens of the seeds to `tokens`, those in several seeds
    /// once. Returns whether there are enough.
    fn follow<const BACK: bool>(&self, one: u32, other: u32, drift: u32, tokens: &mut u32) -> bool {
        let (first, second) = (self.seeds[one as usize], self.seeds[other as usize]);
        // How far a seed begins from the first of its text.
        let distance = |seed: &Seed, from: &Seed| seed.place.abs_diff(from.place);
        let mut of_second = self.beside::<BACK>(other, REACH + drift);
        let mut edge = if BACK { first.place } else { first.place + first.tokens };
        for seed in self.beside::<BACK>(one, REACH) {
            let at = distance(seed, &first);
            // Both sides go outwards, so mates that are too near for this seed are too near for the next ones.
            while of_second.clone().next().is_some_and(|mate| distance(mate, &second) + drift < at) {
                of_second.next();
            }
            let mut mates = of_second.clone().take_while(|mate| distance(mate, &second) <= at + drift);
            if !mates.any(|mate| mate.name == seed.name) {
                continue;
            }
            *tokens += if BACK {
                let end = edge.min(seed.place + seed.tokens);
                edge = seed.place;
                end - seed.place
            } else {
                let start = edge.max(seed.place);
                edge = edge.max(seed.place + seed.tokens);
                edge - start
            };
            if *tokens >= self.chained {
                return true;
            }
        }
        false
    }

    /// The seeds beside a seed in its stretch, the nearest first, that begin at most `reach` tokens from it.
    fn beside<const BACK: bool>(&self, number: u32, reach: u32) -> impl Iterator<Item = &Seed> + Clone {
        let from = self.seeds[number as usize];
        let number = number as usize;
        let range = if BACK {
            number.saturating_sub(LOOKED_AT)..number
        } else {
            number + 1..(number + 1 + LOOKED_AT).min(self.seeds.len())
        };
        let count = range.len();
        let nth = move |nth: usize| if BACK { number - 1 - nth } else { number + 1 + nth };
        let seeds = (0..count).map(move |at| &self.seeds[nth(at)]);
        seeds.take_while(move |seed| seed.stretch == from.stretch && seed.place.abs_diff(from.place) <= reach)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::gather::Gathered;
    use super::super::seeds::{SeedLengths, Seeds};

    /// The seeds of four tokens in some texts, of which eight make a chain.
    fn seeds(texts: &[&str]) -> Seeds {
        let texts: Vec<Vec<u64>> = texts.iter().map(|text| text.bytes().map(u64::from).collect()).collect();
        let lengths = SeedLengths { least: 4, chained: 8 };
        Seeds::find(&Gathered::of_texts(&texts, &[]), lengths, 1 << 20, &|_| Ok(())).unwrap()
    }

    /// Whether the first seed and the next of its name are chained, and the last and the one before it.
    fn are_chained(texts: &[&str], drift: u32) -> (bool, bool) {
        let seeds = seeds(texts);
        let last = seeds.seeds.len() as u32 - 1;
        let first_named = seeds.named(seeds.seeds[0].name).to_vec();
        let last_named = seeds.named(seeds.seeds[last as usize].name).to_vec();
        (
            seeds.are_chained(first_named[0], first_named[1], drift),
            seeds.are_chained(last_named[last_named.len() - 1], last_named[last_named.len() - 2], drift),
        )
    }

    #[test]
    fn two_short_runs_near_one_diagonal_are_a_chain_from_either_side() {
        assert_eq!(are_chained(&["abcd123efgh", "abcd4567efgh"], 2), (true, true));
        assert_eq!(are_chained(&["abcd123efgh", "abcd456789efgh"], 2), (false, false));
    }

    #[test]
    fn a_long_run_is_a_chain_and_a_short_one_or_swapped_ones_are_not() {
        assert_eq!(are_chained(&["12abcdefgh34", "56abcdefgh78"], 2), (true, true));
        assert_eq!(are_chained(&["12abcdef34", "56abcdef78"], 2), (false, false));
        assert_eq!(are_chained(&["abcd123efgh", "efgh456abcd"], 2), (false, false));
    }
}
