//! Books that were transcribed by a machine: how many of the texts that they have in common are found, and in how many rows.

use crate::books::{FoundTexts, found_texts, transcribed};
use crate::planted_passages::World;
use crate::planted_passages::table::seeds;
use crate::support::page::{figure, publish};
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

/// Ten books with 60 texts in common. `DUPI_SEED` is one seed, or several with commas.
#[test]
#[ignore = "large; run it optimised: cargo test --release --test it transcribed_books:: -- --ignored --nocapture"]
fn full_size() {
    let seeds = seeds();
    figure!(
        "| asked | of 60 texts found, mean | by seed | rows of a text, median | reported text within texts |"
    );
    figure!("| --- | ---: | --- | --- | ---: |");
    let mut missed = Vec::new();
    for (profile, least) in [(Profile::Default, 45), (Profile::Ocr, 54)] {
        let found: Vec<FoundTexts> = seeds.iter().map(|&seed| found(seed, 10, 60, profile)).collect();
        let mean = found.iter().map(|found| found.texts).sum::<usize>() as f64 / found.len() as f64;
        let each = |of: fn(&FoundTexts) -> usize| {
            found.iter().map(|found| of(found).to_string()).collect::<Vec<_>>().join(" · ")
        };
        let inside = found.iter().map(|found| found.inside).fold(1.0, f64::min);
        figure!(
            "| `{profile}` | {mean:.1} | {} | {} | {:.2} % |",
            each(|found| found.texts),
            each(|found| found.rows),
            inside * 100.0
        );
        let is_enough =
            mean >= f64::from(least) && inside >= 0.99 && found.iter().all(|found| found.rows <= 3);
        missed.extend((!is_enough).then_some((profile, found)));
    }
    publish("Transcribed books");
    assert!(missed.is_empty(), "{missed:#?}");
}
