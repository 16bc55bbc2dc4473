//! How fast passages are found in texts that repeat themselves, of two sizes: what grows in step with their tokens has one
//! throughput. Passages of a corpus, and texts like a given one, are among the figures of `tests/figures`.
//!
//! Run with `cargo bench --bench passages`.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test program: it is its own crate, and fails by a panic"
)]

#[path = "../support/naive.rs"]
mod naive;

use divan::Bencher;
use divan::counter::ItemsCount;
use dupi::judge::PassageOrder;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use naive::indexed;
use tempfile::tempdir;

fn main() {
    divan::main();
}

/// Texts that repeat themselves, of so many tokens.
const REPETITIVE: [u32; 2] = [1 << 17, 1 << 19];

/// The passages of one text: what grows in step with its tokens has one throughput.
fn repetitive(bencher: Bencher, tokens: u32, gap: u32, word: impl Fn(u32) -> u32) {
    let text: String = (0..tokens).map(|at| format!("w{} ", word(at))).collect();
    let (_place, snapshot) = indexed([(&"text".to_owned(), text)], |usual| usual);
    let settings =
        SearchSettings { measure: Measure { gap, ..Measure::default() }, ..SearchSettings::default() };
    bencher
        .counter(ItemsCount::new(tokens))
        .bench_local(|| Passages::find(&snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap());
}

/// A number that tells nothing of the one before it.
fn random(at: u32) -> u32 {
    (u64::from(at).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1)
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        .rotate_left(32) as u32
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_a_table_of_numbers(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, |at| if at % 14 == 4 { 1 + at / 14 % 7 } else { 0 });
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_two_words_at_random(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, |at| random(at) & 1);
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_one_word(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, |_| 0);
}

/// Lines of forty words, each of the same four pieces in another order.
fn rearranged(at: u32) -> u32 {
    let mut pieces = [0, 1, 2, 3];
    let order = random(at / 40);
    for piece in 1..4 {
        pieces.swap(piece, (order >> (piece * 8)) as usize % (piece + 1));
    }
    pieces[(at % 40 / 10) as usize] * 10 + at % 10
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn exact_in_rearranged_lines(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 0, rearranged);
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_rearranged_lines(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, rearranged);
}
