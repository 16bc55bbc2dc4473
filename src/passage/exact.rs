//! Finds exact passages: maximal repeats of tokens, each once with all its occurrences.
//!
//! - `fingerprints`: how are windows told apart?
//! - [`windows`]: which windows of tokens are repeated, and where do their copies differ?
//! - `same_windows`: which windows are the same?
//! - [`heavy`]: which windows are too frequent to be held?
//! - [`units`]: which windows always occur together?
//! - [`suffixes`]: how are sequences of units sorted?
//! - [`repeats`]: which sequences are repeated and cannot be extended, and how often were they gathered?
//! - [`selection`]: which repeats are kept when there are too many?

mod fingerprints;
pub mod heavy;
pub mod repeats;
mod same_windows;
pub mod selection;
pub mod suffixes;
pub mod units;
pub mod windows;

use dupi_base::parallel;
use rayon::prelude::*;

use self::repeats::{Repeat, Repeats, is_redundant_tandem};
use self::selection::selected;
use self::units::Units;
use super::bounds::Bounds;
use super::distinct_texts::DistinctTexts;
use super::gather::Gathered;
use super::group::{RunGroup, thinned};
use crate::measure::TokenRun;
use dupi_index::index::search::{SearchError, Tick};

/// The maximal repeats of at least `length` tokens, in no order. The memory is divided among the concurrent `searches`.
pub fn passages(
    gathered: &Gathered,
    length: u32,
    bounds: &Bounds,
    searches: u64,
    tick: &Tick,
) -> Result<Vec<RunGroup>, SearchError> {
    passages_in(gathered, &DistinctTexts::find(gathered), length, bounds, searches, tick)
}

/// The same when these texts are searched.
fn passages_in(
    gathered: &Gathered,
    texts: &DistinctTexts,
    length: u32,
    bounds: &Bounds,
    searches: u64,
    tick: &Tick,
) -> Result<Vec<RunGroup>, SearchError> {
    let known = windows::windows(texts, length, bounds.windows(searches), tick)?;
    let units = Units::new(texts, &known, length);
    drop(known);
    let repeats = Repeats::find(texts, units, length);
    let runs = |repeat: &Repeat| runs(&repeats, repeat, length);
    let copies: usize = repeats.found.iter().map(|repeat| repeat.copies as usize).sum();
    let found = if copies > bounds.copies() {
        selected(&repeats.found, texts, runs, bounds, tick)?
    } else {
        parallel::flat_map(&repeats.found, runs)
    };
    let group = |runs: Vec<TokenRun>| RunGroup::new(gathered, texts.everywhere(runs), 0);
    Ok(found.into_par_iter().map(group).collect())
}

/// The runs of a repeat in the texts that are searched; `None` for a redundant repeat of a text that repeats itself.
fn runs(repeats: &Repeats, repeat: &Repeat, length: u32) -> Option<Vec<TokenRun>> {
    let mut places: Vec<u32> = repeats.places(repeat).collect();
    places.sort_unstable();
    let shift = places.windows(2).map(|pair| pair[1] - pair[0]).min();
    // Other texts begin far away, or overlap only in tokens that were gathered twice.
    if shift.is_some_and(|shift| shift < repeat.tokens && is_redundant_tandem(repeat.tokens, shift, length)) {
        return None;
    }
    let run = |place| TokenRun { place, tokens: repeat.tokens, similarity: 1.0 };
    Some(thinned(places.into_iter().map(run).collect(), 0).0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn equal_texts_are_searched_once_and_found_as_if_each_were_searched(
            texts in prop::collection::vec(prop::collection::vec(1..5_u64, 0..60), 1..6),
            order in prop::collection::vec(any::<prop::sample::Index>(), 1..14),
            length in 2..7_u32,
            copies in prop::option::of(0..80_usize),
        ) {
            let texts: Vec<Vec<u64>> = order.iter().map(|text| text.get(&texts).clone()).collect();
            let gathered = Gathered::of_texts(&texts, &[]);
            let found = |texts: &DistinctTexts| {
                let bounds = copies.map_or(Bounds::new(gathered.len(), 1 << 20), Bounds::of_copies);
                let groups = passages_in(&gathered, texts, length, &bounds, 1, &|_| Ok(())).unwrap();
                (groups, bounds.omissions())
            };
            let once = DistinctTexts::find(&gathered);
            prop_assert!(once.len() <= gathered.len());
            prop_assert_eq!(found(&once), found(&DistinctTexts::with_copies(&gathered)));
        }
    }
}
