//! Methods and their clones: how many clones stand in one row with their method, without folding identifiers.

use crate::methods::{Change, cloned, method, methods_in};
use crate::planted::{Planted, Random};
use crate::planted_passages::World;
use crate::planted_passages::table::{seeds, spread};
use crate::scored::{Score, Scorer};
use crate::support::page::{figure, publish};

/// What is found of so many clones.
fn score(seed: u64, methods: &[String], count: usize, change: Change, ending: &str) -> Score {
    let planted: Planted = cloned(seed, methods, count, change, ending);
    Scorer::new(&planted).score(&World::new(&planted).places())
}

fn made(count: usize) -> Vec<String> {
    let mut random = Random(99);
    (0..count).map(|_| method(&mut random, 0.7)).collect()
}

#[test]
fn clones_with_other_names_stand_in_one_row() {
    let found = score(1, &made(900), 200, Change::Renamed, "java").found;
    assert!(found >= 0.97, "{found}");
}

#[test]
fn clones_with_other_lines_stand_in_one_row() {
    let found = score(1, &made(900), 200, Change::NearMiss, "java").found;
    assert!(found >= 0.85, "{found}");
}

/// `DUPI_SEED` is one seed, or several with commas. `DUPI_METHODS` may name a folder with Java or C files.
#[test]
#[ignore = "large; run it optimised: cargo test --release --test it cloned_methods:: -- --ignored --nocapture"]
fn full_size() {
    let seeds = seeds();
    let mut kinds = vec![("made up", made(1500), "java".to_owned())];
    if let Some(folder) = std::env::var_os("DUPI_METHODS") {
        let (methods, ending) = methods_in(folder.as_ref(), 5000);
        kinds.push(("of a program", methods, ending));
    }
    figure!("| methods | clones | in one row with their method, by half of each | by seven tenths |");
    figure!("| --- | --- | ---: | ---: |");
    for (kind, methods, ending) in &kinds {
        for (change, name) in
            [(Change::Renamed, "other names"), (Change::NearMiss, "lines added, removed or changed")]
        {
            let scores: Vec<Score> =
                seeds.iter().map(|&seed| score(seed, methods, 500, change, ending)).collect();
            let of = |share: fn(&Score) -> f64| spread(&scores.iter().map(share).collect::<Vec<_>>());
            figure!("| {kind} | {name} | {} | {} |", of(|score| score.found), of(|score| score.covered));
        }
    }
    publish("Cloned methods");
}
