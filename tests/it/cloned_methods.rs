//! Methods and their clones: how many clones stand in one row with their method, without folding identifiers.

use crate::methods::{Change, cloned, method, methods_in};
use crate::planted::{Planted, Random};
use crate::planted_passages::World;
use crate::scored::{Score, Scorer};

/// What is found of so many clones.
fn score(seed: u64, methods: &[String], count: usize, change: Change, ending: &str) -> Score {
    let planted: Planted = cloned(seed, methods, count, change, ending);
    Scorer::new(&planted).score(&World::new(&planted).places())
}

fn made() -> Vec<String> {
    let mut random = Random(99);
    (0..900).map(|_| method(&mut random, 0.7)).collect()
}

#[test]
fn clones_with_other_names_stand_in_one_row() {
    let found = score(1, &made(), 200, Change::Renamed, "java").found;
    assert!(found >= 0.97, "{found}");
}

#[test]
fn clones_with_other_lines_stand_in_one_row() {
    let found = score(1, &made(), 200, Change::NearMiss, "java").found;
    assert!(found >= 0.85, "{found}");
}

#[test]
#[ignore = "reads the source code in the folder DUPI_METHODS"]
fn clones_of_methods_of_real_programs_are_counted() {
    let folder = std::env::var_os("DUPI_METHODS").expect("DUPI_METHODS names a folder with Java or C files");
    let (methods, ending) = methods_in(folder.as_ref(), 12_000);
    for change in [Change::Renamed, Change::NearMiss] {
        for seed in 1..=3 {
            println!("{change:?}, seed {seed}: {:?}", score(seed, &methods, 600, change, &ending));
        }
    }
}
