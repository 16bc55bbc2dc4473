//! `--ignore-pattern`: what matches is read as white space by `passages`, `like` and `review`, in an index of its own.

use crate::branches::{Dice, function, text};
use crate::support::Home;
use serde_json::Value;

/// Calls of a function in one line.
const LOG: &str = r"log\([^)]*\);";

/// A row: how many tokens it has, and its copies by path and bytes.
type Placed = (u64, Vec<(String, u64, u64)>);

/// The copies of each row by path and bytes, with how many tokens it has.
fn places(rows: &[Value]) -> Vec<Placed> {
    let number = |of: &Value, name: &str| of[name].as_u64().unwrap();
    let copy = |copy: &Value| {
        (copy["path"].as_str().unwrap().to_owned(), number(copy, "start"), number(copy, "end"))
    };
    let of = |row: &Value| {
        (number(row, "tokens"), row["occurrences"].as_array().unwrap().iter().map(copy).collect())
    };
    let mut found: Vec<_> = rows.iter().map(of).collect();
    found.sort();
    found
}

/// A function with calls between its lines, each with words of its own.
fn logged(number: u64, salt: &str) -> String {
    let line = |(at, line): (usize, String)| match at % 3 {
        2 => format!("{line}\n\tlog(\"{salt} {at} of {salt}\", {salt}_{at});\n"),
        _ => format!("{line}\n"),
    };
    function(number).into_iter().enumerate().map(line).collect()
}

fn source(number: u64) -> String {
    text(&[function(number)])
}

/// The rows are those of a corpus in which blanks are in the place of what matches.
#[test]
fn ignored_text_is_as_good_as_blank() {
    let (home, blanked) = (Home::new(), Home::new());
    let mut dice = Dice::new(5);
    let log = regex::Regex::new(LOG).unwrap();
    for number in 0..24 {
        let salt = format!("s{}", dice.below(5));
        let shared = dice.below(6) as u64;
        let mut whole = logged(shared, &salt) + &source(100 + number) + &logged(dice.below(6) as u64, &salt);
        if number == 7 {
            // A document of several parts.
            whole.extend((0..2400).map(|at| logged(10_000 + at, "x")));
            whole += &logged(3, "end");
            assert!(whole.len() > 1 << 20);
        }
        let name = format!("{}.{}", number, ["c", "txt", "py"][number as usize % 3]);
        let blank =
            log.replace_all(&whole, |found: &regex::Captures| " ".repeat(found[0].len())).into_owned();
        home.write(&name, whole);
        blanked.write(&name, blank);
    }
    for how in [
        &["--gap", "0"][..],
        &[],
        &["--match", "renamed"],
        &["--match", "consistent"],
        &["--match", "loose", "--comments", "drop"],
    ] {
        let all = &["passages", "--members", "--aside", "none"][..];
        let ignoring = home.rows(&[all, how, &["--ignore-pattern", LOG]].concat());
        let expected = blanked.rows(&[all, how].concat());
        assert!(ignoring.len() > 4, "{how:?}");
        assert_eq!(places(&ignoring), places(&expected), "{how:?}");
    }
    let like = |home: &Home, how: &[&str]| home.rows(&[&["like", "0.c", "--gap", "0"], how].concat());
    let (ignoring, expected) = (like(&home, &["--ignore-pattern", LOG]), like(&blanked, &[]));
    assert!(ignoring.len() > 3);
    let spans = |rows: &[Value]| rows.iter().map(|row| row["spans"].to_string()).collect::<Vec<_>>();
    assert_eq!(spans(&ignoring), spans(&expected));
    // A tile of the last part of the large document is found again in its text.
    let index = index_of(&home, "other");
    let end = log.replace_all(&logged(3, "end"), "").into_owned();
    let blots = home.run_with(&["blot", "-", "--index", &index], end.as_bytes()).stdout;
    let blot = blots.lines().last().unwrap();
    let shown = home.stdout(&["unblot", blot, "--json", "--index", &index]);
    assert!(shown.contains("7.txt"), "{shown}");
}

/// The folder of the index that is built for a pattern that was not asked for yet.
fn index_of(home: &Home, pattern: &str) -> String {
    let pattern = format!("{pattern}|{LOG}");
    let output = home.run(&["passages", "--tokens", "words", "--ignore-pattern", &pattern]);
    let said = output.stderr;
    said.lines().next().unwrap().rsplit_once("built now, in ").unwrap().1.to_owned()
}
