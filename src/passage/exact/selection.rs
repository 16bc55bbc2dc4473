//! Selects maximal repeats when there are too many.
//!
//! A text with a few sentences in many different orders has maximal repeats of two, three, four sentences and more, in
//! all orders. A repeat with a token that no other repeat covers is always kept. The repeats with the most copies are
//! examined first: the first one that contains a window occurs wherever the window does. So the repeats that cover a
//! new token have together at most as many copies as there are tokens. Of the others the longest are kept, up to the
//! limit of copies.

use std::cmp::Reverse;

use super::super::bounds::Bounds;
use super::super::distinct_texts::DistinctTexts;
use super::repeats::Repeat;
use crate::measure::TokenRun;
use dupi_index::index::search::{SearchError, Tick};

/// The runs of the selected repeats.
pub fn selected(
    repeats: &[Repeat],
    texts: &DistinctTexts,
    runs: impl Fn(&Repeat) -> Option<Vec<TokenRun>>,
    bounds: &Bounds,
    tick: &Tick,
) -> Result<Vec<Vec<TokenRun>>, SearchError> {
    let mut order: Vec<&Repeat> = repeats.iter().collect();
    order.sort_unstable_by_key(|repeat| (Reverse(repeat.copies), repeat.tokens, repeat.first));
    let mut covered = TokenSet::none(texts.len());
    let (mut found, mut rest) = (Vec::new(), Vec::new());
    let mut copies = 0;
    for (number, repeat) in order.iter().enumerate() {
        if number % 1024 == 0 {
            tick(0.5)?;
        }
        let Some(runs) = runs(repeat) else { continue };
        let count = texts.count(&runs);
        if runs.iter().any(|run| !covered.holds(run)) {
            runs.iter().for_each(|run| covered.add(run));
            copies += count;
            found.push(runs);
        } else {
            rest.push((*repeat, count));
        }
    }
    rest.sort_unstable_by_key(|(repeat, _)| (Reverse(repeat.tokens), repeat.copies, repeat.first));
    let mut left_out = 0;
    for (repeat, count) in rest {
        if copies + count <= bounds.copies() {
            copies += count;
            found.extend(runs(repeat));
        } else {
            left_out += 1;
        }
    }
    bounds.omit_passages(left_out);
    Ok(found)
}

/// The set of tokens in copies, with a bit for each token.
struct TokenSet(Vec<u64>);

impl TokenSet {
    fn none(tokens: u32) -> Self {
        Self(vec![0; tokens as usize / 64 + 1])
    }

    /// The words that a run overlaps, each with the bits of the run.
    fn words(run: &TokenRun) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (start, end) = (run.place as usize, run.end() as usize);
        (start / 64..end.div_ceil(64)).map(move |word| {
            let from = start.max(word * 64) - word * 64;
            let to = end.min(word * 64 + 64) - word * 64;
            (word, (u64::MAX >> (64 - (to - from))) << from)
        })
    }

    fn holds(&self, run: &TokenRun) -> bool {
        Self::words(run).all(|(word, bits)| self.0[word] & bits == bits)
    }

    fn add(&mut self, run: &TokenRun) {
        Self::words(run).for_each(|(word, bits)| self.0[word] |= bits);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::gather::Gathered;
    use super::*;

    #[test]
    fn repeats_that_cover_new_tokens_are_kept_and_then_the_longest() {
        // Ten copies of 30 tokens; pairs of these, one after the other; three of them; and two copies elsewhere.
        let repeats = [
            (vec![0, 30, 60, 90, 120, 150, 180, 210, 240, 270], 30),
            (vec![0, 60, 120, 180], 60),
            (vec![30, 90, 150], 61),
            (vec![0, 120], 90),
            (vec![900, 940], 25),
        ];
        let all: Vec<Repeat> = (0..)
            .zip(&repeats)
            .map(|(first, (places, tokens))| {
                let count = places.len() as u32;
                Repeat { first, count, copies: count, tokens: *tokens }
            })
            .collect();
        let runs = |repeat: &Repeat| {
            let of = |&place: &u32| TokenRun { place, tokens: repeat.tokens, similarity: 1.0 };
            Some(repeats[repeat.first as usize].0.iter().map(of).collect())
        };
        let gathered = Gathered::of_texts(&[(0..1000).collect()], &[]);
        let texts = DistinctTexts::find(&gathered);
        let selected_within = |copies: usize| {
            let bounds = Bounds::of_copies(copies);
            let found = selected(&all, &texts, runs, &bounds, &|_| Ok(())).unwrap();
            let number = |runs: &Vec<TokenRun>| {
                let places: Vec<u32> = runs.iter().map(|run| run.place).collect();
                repeats.iter().position(|(of, _)| *of == places).unwrap()
            };
            let mut kept: Vec<usize> = found.iter().map(number).collect();
            kept.sort_unstable();
            (kept, bounds.omissions().passages)
        };
        assert_eq!(selected_within(100), (vec![0, 1, 2, 3, 4], 0));
        assert_eq!(selected_within(17), (vec![0, 2, 3, 4], 1));
        assert_eq!(selected_within(14), (vec![0, 3, 4], 2));
        assert_eq!(selected_within(1), (vec![0, 4], 3), "a repeat that covers a new token is always kept");
    }

    #[test]
    fn a_set_contains_a_run_when_it_has_all_its_tokens() {
        let run = |place, tokens| TokenRun { place, tokens, similarity: 1.0 };
        let mut covered = TokenSet::none(1000);
        covered.add(&run(60, 10));
        covered.add(&run(70, 200));
        assert!(covered.holds(&run(60, 210)) && covered.holds(&run(64, 64)) && covered.holds(&run(128, 1)));
        assert!(!covered.holds(&run(59, 2)) && !covered.holds(&run(200, 71)));
    }
}
