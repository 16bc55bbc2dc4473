//! How fast fingerprints are made, and near ones found among a million with planted neighbours.
//!
//! Run with `cargo bench --bench simhash`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use dupi::near::simhash::{SimHashSettings, find_all, read_hashes};
use dupi::sketch::fingerprint;

/// Hashes in a list. One of 51 is a near one of another hash.
const HASHES: u64 = 1_020_000;

fn main() {
    divan::main();
}

/// A random number for each number (SplitMix64).
fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn hashes() -> Vec<u64> {
    let near = HASHES / 51;
    let mut hashes: Vec<u64> = (0..HASHES - near).map(mixed).collect();
    for number in 0..near {
        let bits = (0..number % 9).map(|bit| 1 << (mixed(number * 9 + bit) % 64));
        let flipped = bits.fold(0, |all: u64, bit: u64| all ^ bit);
        hashes.push(hashes[mixed(number ^ 77) as usize % hashes.len()] ^ flipped);
    }
    hashes
}

#[divan::bench(args = [100, 1_000_000])]
fn fingerprint_of_tokens(bencher: Bencher, tokens: u64) {
    let tokens: Vec<u64> = (0..tokens).map(mixed).collect();
    bencher.counter(ItemsCount::new(tokens.len())).bench(|| fingerprint(black_box(&tokens), 4));
}

#[divan::bench(args = [3, 6, 8], sample_count = 5)]
fn find_all_near(bencher: Bencher, distance: u32) {
    let settings = SimHashSettings::new(distance, None).expect("a distance below 64");
    bencher
        .counter(ItemsCount::new(HASHES))
        .with_inputs(hashes)
        .bench_values(|hashes| find_all(hashes, settings, &|_| Ok(())).map(|pairs| pairs.len()));
}

#[divan::bench(sample_count = 5)]
fn read_list(bencher: Bencher) {
    let text: String = hashes().iter().map(|hash| format!("{hash}\n")).collect();
    bencher
        .counter(ItemsCount::new(HASHES))
        .bench(|| read_hashes(black_box(text.as_bytes())).map(|hashes| hashes.len()));
}
