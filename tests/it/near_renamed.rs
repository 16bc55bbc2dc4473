//! `--match renamed --gap N`: copies with other names of which lines were added, removed and changed.

use std::collections::BTreeSet;

use crate::branches::Dice;
use crate::matching::{COPIES, Disguise, corpus_of, found_in, places, rows, written};
use crate::support::Home;
use serde_json::Value;

/// A text of which some lines in a hundred were removed, changed, or have another before them. Brackets stay.
fn edited(text: &str, dice: &mut Dice, percent: usize) -> String {
    let mut name = {
        let mut names = Dice::new(dice.below(1 << 20) as u64);
        move || format!("own_{}", names.below(400))
    };
    let mut new = |form: usize| {
        let (a, b, c) = (name(), name(), name());
        match form {
            0 => format!("\t{a} = {b} + {c};\n"),
            1 => format!("\t{a}({b}, {c});\n"),
            2 => format!("\tif (!{a}) return {b};\n"),
            _ => format!("\t{a}->{b} ^= {c}[7];\n"),
        }
    };
    let count = text.lines().count();
    let line = |(at, line): (usize, &str)| {
        let own = format!("{line}\n");
        let has_bracket = line.contains(['{', '}']);
        if at < 3 || at + 1 == count || dice.below(100) >= percent {
            return own;
        }
        match dice.below(3) {
            0 if !has_bracket => String::new(),
            1 if !has_bracket => new(dice.below(4)),
            _ => new(dice.below(4)) + &own,
        }
    };
    text.lines().enumerate().map(line).collect()
}

/// Blocks and their edited copies, with other names if that is asked for.
fn corpus(seed: u64, percent: usize, names: bool) -> Home {
    corpus_of(seed, |block, dice| {
        let copy = written(block, dice, Disguise { names, ..Disguise::default() });
        edited(&copy, dice, percent)
    })
}

const NEAR: &[&str] = &["--match", "renamed", "--gap", "8"];

/// How many blocks are found, and how many rows have copies of several.
fn measured(home: &Home, arguments: &[&str]) -> (usize, usize) {
    let rows = rows(home, arguments);
    let blocks = |row: &&Value| {
        let name = |(path, ..): (String, u64, u64)| path[2..].to_owned();
        places(row).into_iter().map(name).collect::<BTreeSet<_>>().len() > 1
    };
    (found_in(home, &rows, 7), rows.iter().filter(blocks).count())
}

#[test]
fn edited_copies_with_other_names_are_found_as_those_with_the_same() {
    for (seed, percent, least) in [(31, 10, 96), (32, 20, 88), (33, 30, 70)] {
        let (same, renamed) = (corpus(seed, percent, false), corpus(seed, percent, true));
        let (exact, near) = (measured(&same, &[]), measured(&renamed, NEAR));
        assert!(near.0 * 100 >= COPIES * least, "{percent}: {near:?}");
        assert!((near.0 + COPIES / 10) >= exact.0, "{percent}: {near:?}, {exact:?} with the same names");
        // Of imports there are such rows in any case, and blocks are made of the same few kinds of lines.
        assert!(near.1 <= exact.1 + COPIES / 2, "{percent}: {near:?}, {exact:?} with the same names");
        let equal = measured(&renamed, &["--match", "renamed"]);
        assert!(equal.0 * 3 < near.0 * 2, "{percent}: equal runs only {equal:?}");
    }
}

#[test]
fn a_larger_tolerance_never_finds_less() {
    let home = corpus(41, 10, true);
    let of = |arguments: &[&str]| measured(&home, &[&["--match", "renamed"], arguments].concat()).0;
    let by_gap = ["0", "3", "8"].map(|gap| of(&["--gap", gap]));
    assert!(by_gap.is_sorted(), "{by_gap:?}");
    let by_overlap = ["0.95", "0.9", "0.8"].map(|overlap| of(&["--gap", "8", "--min-overlap", overlap]));
    assert!(by_overlap.is_sorted(), "{by_overlap:?}");
    let default = of(&["--gap", "8"]);
    assert_eq!(default, by_overlap[2], "four fifths is the default");
    assert_eq!(of(&[]), by_gap[0], "equal runs are the default");
}

#[test]
fn like_finds_what_passages_finds() {
    let home = corpus(51, 10, true);
    let rows = rows(&home, NEAR);
    let mut both = 0;
    for number in 0..COPIES / 6 {
        let (own, other) = (format!("a/{number}.c"), format!("b/{number}.c"));
        let has = |row: &Value, name: &str| places(row).iter().any(|(path, ..)| path == name);
        let is_row = rows.iter().any(|row| has(row, &own) && has(row, &other));
        let alike = home.stdout(&[&["like", &own, "--json", "--min-tokens", "25"], NEAR].concat());
        assert_eq!(alike.contains(&format!("\"{other}\"")), is_row, "{own}");
        both += usize::from(is_row);
    }
    assert!(both > 7);
}
