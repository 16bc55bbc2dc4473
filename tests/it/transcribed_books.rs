//! Books that were transcribed by a machine: how many of the texts that they have in common are found, and in how many rows.

use crate::books::{FoundTexts, found_texts, transcribed};
use crate::planted_passages::World;
use dupi::blot::Profile;

fn found(seed: u64, books: usize, texts: usize, profile: Profile) -> FoundTexts {
    let planted = transcribed(seed, books, texts);
    found_texts(&planted, &World::with(&planted, profile).places())
}

/// Searches books for texts, of which at least so many are found by the default and by the profile `ocr`.
fn check(seed: u64, books: usize, texts: usize, least: [usize; 2]) {
    for (profile, least) in [Profile::Default, Profile::Ocr].into_iter().zip(least) {
        let found = found(seed, books, texts, profile);
        println!("seed {seed}, {profile}: {found:?}");
        assert!(found.texts >= least && found.inside >= 0.99 && found.rows <= 3, "{profile}: {found:?}");
    }
}

#[test]
fn texts_of_transcribed_books_are_found() {
    check(1, 6, 20, [12, 16]);
}

#[test]
#[ignore = "large; run it optimised: cargo test --release --test it transcribed_books:: -- --ignored --nocapture"]
fn most_texts_of_ten_transcribed_books_are_found() {
    for seed in 1..=5 {
        check(seed, 10, 60, [36, 50]);
    }
}
