//! Exact passages: maximal repeats of tokens, each once with all its occurrences.
//!
//! - [`windows`]: which windows of tokens stand twice, and where do their copies part?
//! - [`units`]: which windows always go together?
//! - [`suffixes`]: in which order do sequences of units come?
//! - [`repeats`]: which sequences stand twice and cannot be extended?

pub mod repeats;
pub mod suffixes;
pub mod units;
pub mod windows;

use rayon::prelude::*;

use self::repeats::{Repeat, Repeats, is_one_of_a_run};
use self::units::Units;
use super::gather::Gathered;
use super::group::{Group, Run};
use super::{PassageError, Tick};

/// The maximal repeats of at least `length` tokens, in no order. `memory` is what the search may take
/// beside the tokens, in bytes.
pub fn passages(
    gathered: &Gathered,
    length: u32,
    memory: u64,
    tick: &Tick,
) -> Result<Vec<Group>, PassageError> {
    let known = windows::windows(gathered, length, memory, tick)?;
    let units = Units::new(gathered, &known, length);
    drop(known);
    let repeats = Repeats::find(units, length);
    let group = |repeat: &Repeat| group(gathered, &repeats, repeat, length);
    Ok(repeats.found.par_iter().filter_map(group).collect())
}

/// A repeat as a group, unless it is one of many that a run has.
fn group(gathered: &Gathered, repeats: &Repeats, repeat: &Repeat, length: u32) -> Option<Group> {
    let mut places: Vec<u32> = repeats.places(repeat).collect();
    places.sort_unstable();
    let shift = places.windows(2).map(|pair| pair[1] - pair[0]).min()?;
    if shift < repeat.tokens {
        // Places of other documents are far behind, or overlap only by what is gathered twice.
        if is_one_of_a_run(repeat.tokens, shift, length) {
            return None;
        }
        thin(&mut places, repeat.tokens);
    }
    let run = |place| Run { place, tokens: repeat.tokens, similarity: 1.0 };
    Some(Group::new(gathered, places.into_iter().map(run).collect(), 0))
}

/// Leaves of overlapping places as few as still cover the same tokens.
fn thin(places: &mut Vec<u32>, tokens: u32) {
    let mut kept: Vec<u32> = Vec::new();
    for number in 0..places.len() {
        let place = places[number];
        let Some(&last) = kept.last() else {
            kept.push(place);
            continue;
        };
        // One that the next would still join on to is not needed.
        let next_joins = places.get(number + 1).is_some_and(|&next| next <= last + tokens);
        if place >= last + tokens || !next_joins {
            kept.push(place);
        }
    }
    *places = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_overlapping_copies_as_few_are_kept_as_cover_the_run() {
        let thinned = |places: &[u32], tokens| {
            let mut places = places.to_vec();
            thin(&mut places, tokens);
            places
        };
        assert_eq!(thinned(&[0, 1, 2, 3, 4, 5, 6, 7], 4), [0, 4, 7]);
        assert_eq!(thinned(&[0, 10, 20], 4), [0, 10, 20]);
        assert_eq!(thinned(&[0, 3, 10, 12], 4), [0, 3, 10, 12]);
        assert_eq!(thinned(&[0, 1], 30), [0, 1]);
    }
}
