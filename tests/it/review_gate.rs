//! `review` as a gate: of generated branches it is known what they copy, and every verdict must be right. All 200 take a
//! minute: `cargo test --test it review_gate -- --include-ignored`.

use crate::branches::{
    ACCEPTED, Dice, FILES, PAIRS, TRIPLE, function, functions_of, git, name, repository, text,
};
use crate::support::Home;
use serde_json::Value;

/// What a branch should be told: verdicts with the paths of the changed copies, and of passages how many copies there were.
type Expected = Vec<(&'static str, Vec<String>, Option<u64>)>;

fn functions(file: u64) -> Vec<Vec<String>> {
    functions_of(file).into_iter().map(function).collect()
}

/// The index of a function in a file.
fn at(file: u64, number: u64) -> usize {
    functions_of(file).iter().position(|known| *known == number).unwrap()
}

/// Makes the changes of a branch in the working tree.
fn change(home: &Home, branch: u64) -> Expected {
    let mut dice = Dice::new(branch + 7000);
    let pair = dice.below(3) as u64;
    let (first, second) = (pair, pair + 6);
    let clone = PAIRS[pair as usize];
    let fresh = function(10_000 + branch);
    // A file that has none of the clones that branches are about.
    let quiet = 10_u64;
    let added = format!("src/new_{branch}.c");
    match branch % 12 {
        // A third copy of a known clone, in a file of its own.
        0 => {
            home.write(&added, text(&[fresh, function(clone)]));
            vec![("new-copy", vec![added], Some(2))]
        }
        // A copy of what stood once, in a file that was there.
        1 => {
            let (from, at) = (dice.below(9) as u64, dice.below(4));
            let mut all = functions(quiet);
            all.insert(at.min(all.len()), function(from * 10 + dice.below(3) as u64));
            home.write(&name(quiet), text(&all));
            vec![("new-copy", vec![name(quiet)], Some(1))]
        }
        // A clone that moves to another file.
        2 => {
            let mut all = functions(first);
            let moved = all.remove(at(first, clone));
            home.write(&name(first), text(&all));
            let mut all = functions(quiet);
            all.insert(dice.below(3), moved);
            home.write(&name(quiet), text(&all));
            Vec::new()
        }
        // A file with a clone that is renamed, and edited elsewhere.
        3 => {
            std::fs::remove_file(home.at(&name(second))).unwrap();
            let mut all = functions(second);
            let other = (at(second, clone) + 1) % all.len();
            let line = 3 + dice.below(10);
            all[other][line] = dice.line();
            home.write(&format!("lib/{}", name(second)), text(&all));
            Vec::new()
        }
        // A copy in which names are replaced.
        4 => {
            let copy: Vec<String> = function(quiet * 10)
                .iter()
                .map(|line| line.replace("read_", "fetch_").replace("_lock", "_mutex"))
                .collect();
            home.write(&added, text(&[fresh, copy]));
            vec![("new-copy", vec![added], Some(1))]
        }
        // Lines that only one of the copies gets, or loses.
        5 | 6 => {
            let (file, number) = if branch.is_multiple_of(2) { (5, TRIPLE) } else { (second, clone) };
            let mut all = functions(file);
            let lines = &mut all[at(file, number)];
            let place = 5 + dice.below(6);
            match dice.below(3) {
                0 => drop(lines.splice(place..place, [dice.line(), dice.line()])),
                1 => lines[place] = dice.line(),
                _ => drop(lines.drain(place..place + 2)),
            }
            home.write(&name(file), text(&all));
            vec![("drifted", vec![name(file)], None)]
        }
        // Both copies are changed in the same way.
        7 => {
            let (new, place) = (dice.line(), 5 + dice.below(6));
            for file in [first, second] {
                let mut all = functions(file);
                all[at(file, clone)].insert(place, new.clone());
                home.write(&name(file), text(&all));
            }
            Vec::new()
        }
        // Edits of what is no copy, and a new function.
        8 => {
            let mut all = functions(quiet);
            let (edited, line) = (dice.below(3), 3 + dice.below(10));
            all[edited][line] = dice.line();
            home.write(&name(quiet), text(&all));
            home.write(&added, text(&[fresh]));
            Vec::new()
        }
        // A copy is deleted, alone or with its file.
        9 => {
            let mut all = functions(first);
            all.remove(at(first, clone));
            home.write(&name(first), text(&all));
            if dice.below(2) == 0 {
                std::fs::remove_file(home.at(&name(11))).unwrap();
            }
            Vec::new()
        }
        // The same new text twice.
        10 => {
            home.write(&added, text(std::slice::from_ref(&fresh)));
            let mut all = functions(quiet);
            all.push(fresh);
            home.write(&name(quiet), text(&all));
            vec![("within-change", vec![added, name(quiet)], Some(0))]
        }
        // One copy more of what was accepted.
        _ => {
            let mut all = functions(quiet);
            all.insert(dice.below(4), function(ACCEPTED));
            home.write(&name(quiet), text(&all));
            vec![("one-more", vec![name(quiet)], Some(2))]
        }
    }
}

fn rows(home: &Home, arguments: &[&str]) -> (Vec<Value>, Option<i32>, String) {
    let output = home.run(&[&["review", "--json"], arguments].concat());
    let rows = output.stdout;
    let rows = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (rows, output.code, output.stderr)
}

fn paths(row: &Value, field: &str) -> Vec<String> {
    let copies = row[field].as_array().unwrap().iter();
    let mut paths: Vec<String> = copies.map(|copy| copy["path"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

/// Reviews a branch in its forms: in the working tree, staged, committed.
fn check(home: &Home, branch: u64) {
    let expected = change(home, branch);
    let arguments: &[&str] = match branch / 12 % 3 {
        0 => &["--fail-on", "any"],
        1 => {
            git(home, &["add", "-A"]);
            &["--staged", "--fail-on", "any"]
        }
        _ => {
            git(home, &["checkout", "-q", "-b", &format!("branch-{branch}")]);
            git(home, &["add", "-A"]);
            git(home, &["commit", "-q", "-m", "work"]);
            &["main..HEAD", "--fail-on", "any"]
        }
    };
    let (rows, code, said) = rows(home, arguments);
    let found: Expected = rows
        .iter()
        .map(|row| {
            let verdict = row["verdict"].as_str().unwrap();
            let verdict = ["new-copy", "within-change", "one-more", "drifted"]
                .into_iter()
                .find(|name| *name == verdict);
            let before = row["before"].as_u64().filter(|_| verdict != Some("drifted"));
            (verdict.unwrap(), paths(row, "changed"), before)
        })
        .collect();
    assert_eq!(found, expected, "branch {branch}: {said}\n{rows:#?}");
    assert_eq!(code, Some(i32::from(!expected.is_empty())), "branch {branch}: {said}");
    git(home, &["reset", "-q", "--hard"]);
    git(home, &["checkout", "-q", "main"]);
    git(home, &["clean", "-q", "-f", "-d"]);
}

fn gate(branches: impl Iterator<Item = u64>) {
    let home = repository();
    let accepted = function(ACCEPTED)[0].clone();
    home.stdout(&["accept", "add", &accepted]);
    const { assert!(FILES > 11) };
    for branch in branches {
        check(&home, branch);
    }
}

#[test]
fn every_sort_of_branch_gets_its_verdict() {
    gate((0..12).map(|sort| sort + 12 * (sort % 3)));
}

/// The same line is added to both copies, before one that begins like it.
#[test]
fn a_line_that_begins_like_the_next_one_is_no_new_copy() {
    gate(std::iter::once(79));
}

#[test]
#[ignore = "takes a minute"]
fn two_hundred_branches_get_their_verdicts() {
    gate(0..200);
}
