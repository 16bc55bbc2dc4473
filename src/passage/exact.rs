//! Finds exact passages: maximal repeats of tokens, each once with all its occurrences.
//!
//! - [`windows`]: which windows of tokens are repeated, and where do their copies differ?
//! - [`heavy`]: which windows are too frequent to be sorted?
//! - [`units`]: which windows always occur together?
//! - [`suffixes`]: how are sequences of units sorted?
//! - [`repeats`]: which sequences are repeated and cannot be extended?
//! - [`selection`]: which repeats are kept when there are too many?

pub mod heavy;
pub mod repeats;
pub mod selection;
pub mod suffixes;
pub mod units;
pub mod windows;

use rayon::prelude::*;

use self::repeats::{Repeat, Repeats, is_redundant_tandem};
use self::selection::selected;
use self::units::Units;
use super::bounds::Bounds;
use super::gather::Gathered;
use super::group::RunGroup;
use super::token_run::TokenRun;
use super::{PassageError, Tick};

/// The maximal repeats of at least `length` tokens, in no order. The memory is divided among so many concurrent `searches`.
pub fn passages(
    gathered: &Gathered,
    length: u32,
    bounds: &Bounds,
    searches: u64,
    tick: &Tick,
) -> Result<Vec<RunGroup>, PassageError> {
    let known = windows::windows(gathered, length, bounds.windows(searches), tick)?;
    let units = Units::new(gathered, &known, length);
    drop(known);
    let repeats = Repeats::find(units, length);
    let group = |repeat: &Repeat| group(gathered, &repeats, repeat, length);
    let copies: usize = repeats.found.iter().map(|repeat| repeat.count as usize).sum();
    if copies > bounds.copies() {
        return selected(&repeats.found, gathered.len(), group, bounds, tick);
    }
    Ok(repeats.found.par_iter().filter_map(group).collect())
}

/// A repeat as a group; `None` for a redundant repeat of a text that repeats itself.
fn group(gathered: &Gathered, repeats: &Repeats, repeat: &Repeat, length: u32) -> Option<RunGroup> {
    let mut places: Vec<u32> = repeats.places(repeat).collect();
    places.sort_unstable();
    let shift = places.windows(2).map(|pair| pair[1] - pair[0]).min()?;
    if shift < repeat.tokens {
        // Other documents begin far away, or overlap only in tokens that were gathered twice.
        if is_redundant_tandem(repeat.tokens, shift, length) {
            return None;
        }
    }
    let run = |place| TokenRun { place, tokens: repeat.tokens, similarity: 1.0 };
    let mut group = RunGroup::new(gathered, places.into_iter().map(run).collect(), 0);
    group.thin();
    Some(group)
}
