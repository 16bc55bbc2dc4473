//! Which windows of tokens stand twice, and where their copies part.
//!
//! Every window of the shortest passage's length is fingerprinted; windows with equal fingerprints come
//! together by sorting, one fraction of all fingerprints after the other, so that memory stays within
//! bounds; what very many windows have is noted apart from them ([`super::heavy`]). Of a window that stands more
//! than once it is noted whether all its copies have the same token before them, and the same behind them: where
//! not, a passage may begin or end.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::super::gather::{Gathered, TokenStretch};
use super::super::{PassageError, Tick};
use super::heavy::{Heavy, SAMPLE, WindowContext};
use crate::corpus::portions;

/// The window stands more than once.
pub const REPEATED: u8 = 1;
/// Not all its copies have the same token before them.
pub const PARTS_BEFORE: u8 = 2;
/// Not all its copies have the same token behind them.
pub const PARTS_BEHIND: u8 = 4;

/// The base of the rolling fingerprint: any number will do that leaves 5 when it is divided by 8.
const BASE: u64 = 0x0bad_5eed_cafe_f00d;
/// Up to so many tokens fingerprints are computed modulo 2⁶⁴.
const SHORT: u32 = 256;
/// Buckets that are sorted one by one.
const BUCKETS: usize = 1 << 9;

/// A window on its way to the others like it.
#[derive(Clone, Copy)]
struct Window {
    fingerprint: u64,
    before: u64,
    behind: u64,
    place: u32,
    /// It has no token before it, or none behind it.
    at_edge: (bool, bool),
}

/// For the place of each gathered token what is known of the window that begins there. `memory` is what
/// the windows at work may take, in bytes.
pub fn windows(gathered: &Gathered, length: u32, memory: u64, tick: &Tick) -> Result<Vec<u8>, PassageError> {
    if length <= SHORT {
        windows_by::<Binary>(gathered, length, memory, tick)
    } else {
        windows_by::<Mersenne>(gathered, length, memory, tick)
    }
}

fn windows_by<A: Arithmetic>(
    gathered: &Gathered,
    length: u32,
    memory: u64,
    tick: &Tick,
) -> Result<Vec<u8>, PassageError> {
    let known: Vec<AtomicU8> = (0..gathered.len()).map(|_| AtomicU8::new(0)).collect();
    // Places are counted, not stretches: so the sample is the same in whatever pieces the texts come.
    let heavy = Heavy::of(sample::<A>(gathered, length));
    let bytes = u64::from(gathered.len()) * size_of::<Window>() as u64;
    let rounds = bytes.div_ceil(memory.max(1)).clamp(1, 1 << 16);
    // Pieces of about equal length, several for each thread.
    let enough = u64::from(gathered.len()) / (rayon::current_num_threads() as u64 * 4) + 1;
    let pieces = portions(&gathered.stretches, enough, |stretch| u64::from(stretch.len));
    if heavy.count() > 0 {
        mark_heavy::<A>(gathered, &pieces, length, &heavy, &known);
    }
    for round in 0..rounds {
        tick(round as f64 / rounds as f64)?;
        let sorted: Vec<Vec<Vec<Window>>> = pieces
            .par_iter()
            .map(|piece| {
                let mut buckets = vec![Vec::new(); BUCKETS];
                for stretch in *piece {
                    each_window::<A>(gathered, stretch, length, |window| {
                        // The high bits choose the round, and low ones the bucket.
                        let number = spread(window.fingerprint);
                        let is_now = ((u128::from(number) * u128::from(rounds)) >> 64) as u64 == round;
                        if is_now && heavy.number(window.fingerprint).is_none() {
                            buckets[number as usize % BUCKETS].push(window);
                        }
                    });
                }
                buckets
            })
            .collect();
        (0..BUCKETS).into_par_iter().for_each(|bucket| {
            let mut windows: Vec<Window> = sorted.iter().flat_map(|piece| &piece[bucket]).copied().collect();
            windows.sort_unstable_by_key(|window| window.fingerprint);
            windows.chunk_by(|a, b| a.fingerprint == b.fingerprint).filter(|same| same.len() > 1).for_each(
                |same| {
                    let first = same[0];
                    let parts_before =
                        same.iter().any(|window| window.at_edge.0 || window.before != first.before);
                    let parts_behind =
                        same.iter().any(|window| window.at_edge.1 || window.behind != first.behind);
                    let what = REPEATED
                        | if parts_before { PARTS_BEFORE } else { 0 }
                        | if parts_behind { PARTS_BEHIND } else { 0 };
                    for window in same {
                        known[window.place as usize].store(what, Ordering::Relaxed);
                    }
                },
            );
        });
    }
    Ok(known.into_iter().map(AtomicU8::into_inner).collect())
}

/// The fingerprints of windows from all over the texts.
fn sample<A: Arithmetic>(gathered: &Gathered, length: u32) -> Vec<u64> {
    // Long windows take long: fewer of them.
    let most = (SAMPLE * 16 / length.max(1)).clamp(1 << 10, SAMPLE);
    // An odd step, so that it does not go with a period of the text.
    let step = u64::from((gathered.len() / most) | 1);
    let mut next = 0_u64;
    let mut prints = Vec::new();
    for stretch in &gathered.stretches {
        let tokens = gathered.tokens(stretch);
        let base = u64::from(stretch.base);
        while next < base + u64::from(stretch.len) {
            let first = (next - base) as usize;
            if let Some(window) = tokens.get(first..first + length as usize) {
                prints.push(window.iter().fold(0, |print, &token| A::plus(A::times(print, BASE), token)));
            }
            next += step;
        }
    }
    prints
}

/// Notes what is known of the windows whose fingerprints are heavy.
fn mark_heavy<A: Arithmetic>(
    gathered: &Gathered,
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
            each_window::<A>(gathered, stretch, length, |window| {
                if let Some(number) = heavy.number(window.fingerprint) {
                    let before = (!window.at_edge.0).then_some(window.before);
                    let behind = (!window.at_edge.1).then_some(window.behind);
                    common[number] = join(common[number], Some(WindowContext::of(before, behind)));
                }
            });
        }
        common
    };
    let join_all = |one: Vec<Option<WindowContext>>, other: Vec<Option<WindowContext>>| {
        one.into_iter().zip(other).map(|(one, other)| join(one, other)).collect()
    };
    let common = pieces.par_iter().fold(none, of_piece).reduce(none, join_all);
    let what = |of: &Option<WindowContext>| match of {
        Some(WindowContext { is_repeated: true, parts_before, parts_behind, .. }) => {
            REPEATED
                | if *parts_before { PARTS_BEFORE } else { 0 }
                | if *parts_behind { PARTS_BEHIND } else { 0 }
        }
        _ => 0,
    };
    let what: Vec<u8> = common.iter().map(what).collect();
    pieces.par_iter().flat_map_iter(|piece| *piece).for_each(|stretch| {
        each_window::<A>(gathered, stretch, length, |window| {
            if let Some(number) = heavy.number(window.fingerprint) {
                known[window.place as usize].store(what[number], Ordering::Relaxed);
            }
        });
    });
}

fn each_window<A: Arithmetic>(
    gathered: &Gathered,
    stretch: &TokenStretch,
    length: u32,
    mut sink: impl FnMut(Window),
) {
    let tokens = gathered.tokens(stretch);
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
        let behind = tokens.get(last + 1).copied();
        sink(Window {
            fingerprint: print,
            before: before.unwrap_or(0),
            behind: behind.unwrap_or(0),
            place: stretch.base + first as u32,
            at_edge: (before.is_none(), behind.is_none()),
        });
    }
}

/// How fingerprints are computed: as polynomials of the tokens.
trait Arithmetic {
    fn plus(a: u64, b: u64) -> u64;
    fn minus(a: u64, b: u64) -> u64;
    fn times(a: u64, b: u64) -> u64;
}

/// Modulo 2⁶⁴: the fastest. Texts are known that have one fingerprint in it whatever the base, the words of
/// Thue and Morse (Pachocki, Radoszewski, “Where to use and how not to use polynomial string hashing”,
/// 2013), but only from 1024 tokens on.
struct Binary;

impl Arithmetic for Binary {
    #[inline]
    fn plus(a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }

    #[inline]
    fn minus(a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }

    #[inline]
    fn times(a: u64, b: u64) -> u64 {
        a.wrapping_mul(b)
    }
}

/// Modulo the prime 2⁶¹ − 1: for windows of any length.
struct Mersenne;

const PRIME: u64 = (1 << 61) - 1;

impl Arithmetic for Mersenne {
    #[inline]
    fn plus(a: u64, b: u64) -> u64 {
        // Neither is above the prime, but for a token.
        let sum = a + b % PRIME;
        if sum >= PRIME { sum - PRIME } else { sum }
    }

    #[inline]
    fn minus(a: u64, b: u64) -> u64 {
        Self::plus(a, PRIME - b)
    }

    #[inline]
    fn times(a: u64, b: u64) -> u64 {
        let product = u128::from(a % PRIME) * u128::from(b % PRIME);
        Self::plus((product as u64) & PRIME, (product >> 61) as u64)
    }
}

/// Spreads a fingerprint's bits.
#[inline]
fn spread(fingerprint: u64) -> u64 {
    let product = fingerprint.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fingerprint of some tokens, computed at once.
    fn whole<A: Arithmetic>(tokens: &[u64]) -> u64 {
        tokens.iter().fold(0, |print, &token| A::plus(A::times(print, BASE), token))
    }

    /// Leaves out the first of some tokens and takes in another.
    fn rolled<A: Arithmetic>(tokens: &[u64], next: u64) -> u64 {
        let leaving = tokens.iter().fold(1, |power, _| A::times(power, BASE));
        let print = A::plus(A::times(whole::<A>(tokens), BASE), next);
        A::minus(print, A::times(tokens[0], leaving))
    }

    #[test]
    fn rolling_gives_what_computing_at_once_gives() {
        let tokens = [u64::MAX, 0, PRIME, PRIME + 1, 1 << 63, 42, u64::MAX - 1, PRIME - 1];
        let next = tokens.len() - 1;
        assert_eq!(rolled::<Binary>(&tokens[..next], tokens[next]), whole::<Binary>(&tokens[1..]));
        let (rolled, whole) =
            (rolled::<Mersenne>(&tokens[..next], tokens[next]), whole::<Mersenne>(&tokens[1..]));
        assert_eq!(rolled % PRIME, whole % PRIME);
        assert!(rolled < PRIME && whole < PRIME, "one number for one fingerprint");
    }
}
