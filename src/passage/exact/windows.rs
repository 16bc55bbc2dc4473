//! Finds the windows of tokens that are repeated, and where their copies differ.
//!
//! Every window of the length of the shortest passage is fingerprinted. Windows with equal fingerprints are brought
//! together (`same_windows`), one fraction of the fingerprints after another, to limit the memory. Fingerprints
//! with very many windows are treated separately ([`super::heavy`]). For each repeated window it is recorded whether all copies have the
//! same token before them, and the same token after them; where they do not, a passage may begin or end.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::super::distinct_texts::DistinctTexts;
use super::super::gather::TokenStretch;
use super::fingerprints::{Arithmetic, BASE, Binary, Mersenne, fingerprint, spread};
use super::heavy::{Heavy, SAMPLE, WindowContext};
use super::same_windows::{SameWindows, Window, repeated_flags};
use dupi_base::corpus::portions;
use dupi_base::parallel;
use dupi_index::index::search::{SearchError, Tick};

pub use super::same_windows::{DIFFERS_AFTER, DIFFERS_BEFORE, REPEATED};

/// The longest windows, in tokens, whose fingerprints are computed modulo 2⁶⁴.
const SHORT: u32 = 256;
/// The most buckets that the windows of a round are divided into. Those of each are brought together on their own.
const BUCKETS: usize = 1 << 9;
/// About how many windows a bucket has where there are few.
const IN_A_BUCKET: usize = 1 << 10;

/// The most tokens of texts whose windows of one fingerprint are few enough to be held.
const SMALL: u32 = 1 << 17;
/// The most tokens of texts of which it is found first which windows may be repeated: the others need not be held.
const FILTERED: u32 = 1 << 22;
/// The bits that tell it, for each window.
const BITS_A_WINDOW: usize = 16;

/// The flags of a window. During the rounds, the other bits tell the round of those that are still to come.
const FLAGS: u8 = REPEATED | DIFFERS_BEFORE | DIFFERS_AFTER;
/// The number of rounds that the bits tell apart.
const ROUNDS: u64 = 31;
/// The fingerprints of windows up to this length are computed anew in each round, and not those of all windows.
const ANEW: u32 = 32;

/// For each token the flags of the window that begins there: [`REPEATED`], [`DIFFERS_BEFORE`] and
/// [`DIFFERS_AFTER`]. `memory` is the limit for the windows of a round, in bytes.
pub fn windows(texts: &DistinctTexts, length: u32, memory: u64, tick: &Tick) -> Result<Vec<u8>, SearchError> {
    if length <= SHORT {
        windows_by::<Binary>(texts, length, memory, tick)
    } else {
        windows_by::<Mersenne>(texts, length, memory, tick)
    }
}

fn windows_by<A: Arithmetic>(
    texts: &DistinctTexts,
    length: u32,
    memory: u64,
    tick: &Tick,
) -> Result<Vec<u8>, SearchError> {
    let known: Vec<AtomicU8> = (0..texts.len()).map(|_| AtomicU8::new(0)).collect();
    // The sample is taken by place, so it does not depend on how the texts are divided.
    let heavy =
        Heavy::from_sample(if texts.len() <= SMALL { Vec::new() } else { sample::<A>(texts, length) });
    let bytes = u64::from(texts.len()) * size_of::<Window>() as u64;
    let rounds = bytes.div_ceil(memory.max(1)).clamp(1, 1 << 16);
    // Pieces of about equal length, several for each thread.
    let enough = u64::from(texts.len()) / (rayon::current_num_threads() as u64 * 4) + 1;
    let pieces = portions(&texts.stretches, enough, |stretch| u64::from(stretch.len));
    if heavy.count() > 0 {
        mark_heavy::<A>(texts, &pieces, length, &heavy, &known);
    }
    let buckets = (texts.len() as usize / IN_A_BUCKET).next_power_of_two().min(BUCKETS);
    let met = (texts.len() <= FILTERED).then(|| MetTwice::of::<A>(texts, length));
    // The high bits of a mixed fingerprint select the round, and the low bits the bucket.
    let round_of = |number: u64| ((u128::from(number) * u128::from(rounds)) >> 64) as u64;
    let is_grouped = |fingerprint: u64, number: u64| {
        met.as_ref().is_none_or(|met| met.has(number)) && heavy.number(fingerprint).is_none()
    };
    let are_noted = rounds > 1 && length <= ANEW;
    if are_noted {
        parallel::for_each(pieces.len(), &|piece| {
            for stretch in pieces[piece] {
                each_window::<A>(texts, stretch, length, |window| {
                    let number = spread(window.fingerprint);
                    if is_grouped(window.fingerprint, number) {
                        known[window.place as usize].store(noted(round_of(number)), Ordering::Relaxed);
                    }
                });
            }
        });
    }
    // For each piece, the windows of a round by bucket. Their memory is used again for the next round.
    let mut collected: Vec<Vec<Vec<Window>>> = pieces.iter().map(|_| vec![Vec::new(); buckets]).collect();
    for round in 0..rounds {
        tick(round as f64 / rounds as f64)?;
        parallel::for_each_mut(&mut collected, |piece, collected| {
            collected.iter_mut().for_each(Vec::clear);
            let mut put = |number: u64, window: Window| {
                if round_of(number) == round {
                    collected[number as usize % buckets].push(window);
                }
            };
            for stretch in pieces[piece] {
                if are_noted {
                    noted_windows::<A>(texts, stretch, length, &known, noted(round), |window| {
                        put(spread(window.fingerprint), window);
                    });
                } else {
                    each_window::<A>(texts, stretch, length, |window| {
                        let number = spread(window.fingerprint);
                        if is_grouped(window.fingerprint, number) {
                            put(number, window);
                        }
                    });
                }
            }
        });
        (0..buckets).into_par_iter().for_each_init(SameWindows::default, |same, bucket| {
            let windows = collected.iter().flat_map(|piece| &piece[bucket]);
            same.for_each(windows, |window, flags| {
                known[window.place as usize].store(flags, Ordering::Relaxed);
            });
        });
    }
    Ok(known.into_iter().map(|known| known.into_inner() & FLAGS).collect())
}

/// What is noted of a window of a round.
fn noted(round: u64) -> u8 {
    (round % ROUNDS + 1) as u8 * (FLAGS + 1)
}

/// Which windows of a small text may be repeated, by some bits of their mixed fingerprints. Most windows are not, and need
/// not be held.
struct MetTwice {
    once: Vec<u64>,
    twice: Vec<u64>,
}

impl MetTwice {
    fn of<A: Arithmetic>(texts: &DistinctTexts, length: u32) -> Self {
        let words = (texts.len() as usize * BITS_A_WINDOW).next_power_of_two().div_ceil(64);
        let mut met = Self { once: vec![0; words], twice: vec![0; words] };
        for stretch in &texts.stretches {
            each_window::<A>(texts, stretch, length, |window| {
                let (word, bit) = met.at(spread(window.fingerprint));
                let copied = if window.is_copied { bit } else { 0 };
                met.twice[word] |= met.once[word] & bit | copied;
                met.once[word] |= bit;
            });
        }
        met
    }

    /// Whether another window may have a mixed fingerprint too. `false` is certain.
    fn has(&self, number: u64) -> bool {
        let (word, bit) = self.at(number);
        self.twice[word] & bit != 0
    }

    fn at(&self, number: u64) -> (usize, u64) {
        // The number of words is a power of two. The low bits of fingerprints select the bucket.
        ((number >> 40) as usize & (self.once.len() - 1), 1 << (number >> 34 & 63))
    }
}

/// The fingerprints of windows at equal distances in all texts.
fn sample<A: Arithmetic>(texts: &DistinctTexts, length: u32) -> Vec<u64> {
    // Long windows take more time, so fewer are sampled.
    let most = (SAMPLE * 16 / length.max(1)).clamp(1 << 10, SAMPLE);
    // An odd step is less likely to coincide with a period of the text.
    let step = u64::from((texts.len() / most) | 1);
    let mut next = 0_u64;
    let mut prints = Vec::new();
    for stretch in &texts.stretches {
        let tokens = texts.tokens(stretch);
        let base = u64::from(stretch.base);
        while next < base + u64::from(stretch.len) {
            let first = (next - base) as usize;
            if let Some(window) = tokens.get(first..first + length as usize) {
                prints.push(fingerprint::<A>(window));
            }
            next += step;
        }
    }
    prints
}

/// Sets the flags of the windows with heavy fingerprints.
fn mark_heavy<A: Arithmetic>(
    texts: &DistinctTexts,
    pieces: &[&[TokenStretch]],
    length: u32,
    heavy: &Heavy,
    known: &[AtomicU8],
) {
    let none = || vec![None::<WindowContext>; heavy.count()];
    let join = |one: Option<WindowContext>, other: Option<WindowContext>| match (one, other) {
        (Some(one), Some(other)) => Some(one | other),
        (one, other) => one.or(other),
    };
    let of_piece = |mut common: Vec<Option<WindowContext>>, piece: &&[TokenStretch]| {
        for stretch in *piece {
            each_window::<A>(texts, stretch, length, |window| {
                if let Some(number) = heavy.number(window.fingerprint) {
                    let before = (!window.at_edge.0).then_some(window.before);
                    let after = (!window.at_edge.1).then_some(window.after);
                    let own = WindowContext::new(before, after, window.is_copied);
                    common[number] = join(common[number], Some(own));
                }
            });
        }
        common
    };
    let join_all = |one: Vec<Option<WindowContext>>, other: Vec<Option<WindowContext>>| {
        one.into_iter().zip(other).map(|(one, other)| join(one, other)).collect()
    };
    let common = parallel::map(pieces, |piece| of_piece(none(), piece)).into_iter().fold(none(), join_all);
    let flags = |of: &Option<WindowContext>| match of {
        Some(WindowContext { is_repeated: true, differs_before, differs_after, .. }) => {
            repeated_flags(*differs_before, *differs_after)
        }
        _ => 0,
    };
    let flags: Vec<u8> = common.iter().map(flags).collect();
    parallel::for_each(pieces.len(), &|piece| {
        for stretch in pieces[piece] {
            each_window::<A>(texts, stretch, length, |window| {
                if let Some(number) = heavy.number(window.fingerprint) {
                    known[window.place as usize].store(flags[number], Ordering::Relaxed);
                }
            });
        }
    });
}

/// The windows of a stretch of which it is noted that they are of a round.
fn noted_windows<A: Arithmetic>(
    texts: &DistinctTexts,
    stretch: &TokenStretch,
    length: u32,
    known: &[AtomicU8],
    noted: u8,
    mut sink: impl FnMut(Window),
) {
    let known = &known[stretch.base as usize..(stretch.base + stretch.len) as usize];
    let mut text = None;
    for first in (0..known.len()).filter(|&first| known[first].load(Ordering::Relaxed) == noted) {
        let (tokens, is_copied) = *text
            .get_or_insert_with(|| (texts.tokens(stretch), texts.copies(texts.stretch_at(stretch.base)) > 1));
        let before = first.checked_sub(1).map(|before| tokens[before]);
        let after = tokens.get(first + length as usize).copied();
        sink(Window {
            fingerprint: fingerprint::<A>(&tokens[first..first + length as usize]),
            before: before.unwrap_or(0),
            after: after.unwrap_or(0),
            place: stretch.base + first as u32,
            at_edge: (before.is_none(), after.is_none()),
            is_copied,
        });
    }
}

fn each_window<A: Arithmetic>(
    texts: &DistinctTexts,
    stretch: &TokenStretch,
    length: u32,
    mut sink: impl FnMut(Window),
) {
    let tokens = texts.tokens(stretch);
    let is_copied = texts.copies(texts.stretch_at(stretch.base)) > 1;
    let length = length as usize;
    let leaving = (0..length).fold(1, |power, _| A::times(power, BASE));
    let mut print = 0;
    for (last, &token) in tokens.iter().enumerate() {
        print = A::plus(A::times(print, BASE), token);
        let Some(first) = (last + 1).checked_sub(length) else { continue };
        let before = first.checked_sub(1).map(|before| tokens[before]);
        if let Some(before) = before {
            print = A::minus(print, A::times(before, leaving));
        }
        let after = tokens.get(last + 1).copied();
        sink(Window {
            fingerprint: print,
            before: before.unwrap_or(0),
            after: after.unwrap_or(0),
            place: stretch.base + first as u32,
            at_edge: (before.is_none(), after.is_none()),
            is_copied,
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::gather::Gathered;
    use super::*;

    proptest! {
        #[test]
        fn windows_are_the_same_however_many_are_sorted_at_a_time(
            texts in prop::collection::vec(prop::collection::vec(1..4_u64, 0..60), 1..8),
            length in prop_oneof![2..7_u32, 30..36_u32],
            at_a_time in 1..40_u64,
        ) {
            let gathered = Gathered::of_texts(&texts, &[]);
            let texts = DistinctTexts::find(&gathered);
            let of = |memory| windows(&texts, length, memory, &|_| Ok(())).unwrap();
            prop_assert_eq!(of(at_a_time * size_of::<Window>() as u64), of(u64::MAX));
        }
    }
}
