//! `--ignore-pattern`: what matches is read as white space by `passages`, `like` and `review`, in an index of its own.

use std::fs;

use crate::branches::{Dice, function, git, text};
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

const EXACT: &[&str] = &["passages", "--gap", "0", "--members", "--aside", "none"];

#[test]
fn what_matches_neither_divides_a_copy_nor_counts() {
    let home = Home::new();
    home.write("a.c", source(1) + &logged(2, "first"));
    home.write("b.c", logged(2, "second") + &source(3));
    home.write("c.c", source(4) + &source(2));
    assert_eq!(home.rows(EXACT).len(), 0, "the calls divide the copies");
    let ignoring = [EXACT, &["--ignore-pattern", LOG]].concat();
    let found = home.rows(&ignoring);
    let plain = {
        let home = Home::new();
        home.write("a.c", source(2));
        home.write("b.c", source(2));
        home.rows(EXACT)
    };
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["tokens"], plain[0]["tokens"]);
    assert_eq!(found[0]["occurrences"].as_array().unwrap().len(), 3);
    // What is quoted is the text as it is.
    assert!(found[0]["text"].as_str().unwrap().contains("log(\"first 2 of first\""), "quoted as it is");
}

#[test]
fn text_that_matches_is_no_copy() {
    let home = Home::new();
    let header = "/* This program is free; you may copy it and change it and give it away as you like, with this notice \
                  in each copy, without any warranty, not even that it does what somebody may expect of it. */\n";
    for (number, name) in (1..).zip(["a.c", "b.c", "c.c"]) {
        home.write(name, header.to_owned() + &source(number));
    }
    assert_eq!(home.rows(EXACT).len(), 1);
    let ignoring = |pattern| home.rows(&[EXACT, &["--ignore-pattern", pattern]].concat());
    assert_eq!(ignoring(r"(?s)/\* This program is free.*?\*/").len(), 0);
    assert_eq!(places(&ignoring("no such text")), places(&home.rows(EXACT)));
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

#[test]
fn a_review_takes_patterns_from_the_command_line_and_a_file() {
    let home = Home::new();
    git(&home, &["init", "-q", "-b", "main"]);
    home.write("a.c", logged(1, "first") + &source(2));
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "base"]);
    home.write("b.c", source(3) + &logged(1, "second"));
    home.write("dupi.toml", format!("ignore-pattern = ['{LOG}']\n"));
    let review = |more: &[&str]| home.run(&[&["review", "--gap", "0", "HEAD"], more].concat()).code;
    assert_eq!(review(&[]), Some(0));
    assert_eq!(review(&["--ignore-pattern", LOG]), Some(1));
    assert_eq!(review(&["--config", "dupi.toml"]), Some(1));
    assert_eq!(
        review(&["--config", "dupi.toml", "--ignore-pattern", "nothing"]),
        Some(0),
        "as other options"
    );
    // Before the change the calls were not compared either.
    home.write("a.c", logged(1, "first") + &source(2) + &logged(1, "again"));
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "two copies"]);
    home.write("a.c", logged(1, "other") + &source(2) + &logged(1, "again"));
    assert_eq!(review(&["--ignore-pattern", LOG]), Some(0), "only a call was changed");
    home.write("dupi.toml", "ignore-pattern = ['log(']\n");
    let output = home.run(&["review", "--config", "dupi.toml"]);
    let said = output.stderr;
    assert_eq!(output.code, Some(2));
    assert_eq!(
        said,
        "dupi-tui: dupi.toml: ignore-pattern: `log(` is no regular expression: unclosed group\n"
    );
}

#[test]
fn each_set_of_patterns_has_an_index_that_is_said_and_cleaned() {
    let home = Home::new();
    home.write("a.c", source(1) + &source(2));
    home.write("b.c", source(1) + &source(3));
    let said = |arguments: &[&str]| home.run(arguments).stderr;
    let one = [EXACT, &["--ignore-pattern", "a+", "--ignore-pattern", "b+"]].concat();
    let other = [EXACT, &["--ignore-pattern", "b+", "--ignore-pattern", "a+"]].concat();
    home.rows(EXACT);
    let first = said(&one);
    assert!(
        first.contains("--ignore-pattern has an index of its own, in which what matches is blank"),
        "{first}"
    );
    assert_eq!(said(&other), "", "the same patterns in another order");
    let folded = said(&["passages", "--match", "renamed", "--ignore-pattern", "a+"]);
    assert!(folded.contains("--match renamed --ignore-pattern has an index of its own"), "{folded}");
    assert_eq!(home.rows(EXACT).len(), 1, "the first index is as it was");
    // Decisions hold for all.
    home.run(&["taboo", "add", "--file", "a.c"]);
    assert_eq!(home.rows(&one).len(), 0);
    home.run(&["taboo", "undo"]);
    assert_eq!(home.rows(&one).len(), 1);
    let cleaned = home.stdout(&["clean"]);
    assert_eq!(cleaned.lines().count(), 3, "{cleaned}");
}

#[test]
fn patterns_follow_the_recipe_of_the_corpus_and_a_damaged_index_of_theirs_is_cleaned() {
    let home = Home::new();
    home.write("a.c", source(1) + &source(2));
    home.write("b.c", source(1) + &source(3));
    let with_pattern = [EXACT, &["--ignore-pattern", "a+"]].concat();
    assert_eq!(home.rows(&with_pattern).len(), 1);
    home.stdout(&["index", "--rebuild", "--profile", "compact"]);
    assert_eq!(home.rows(&with_pattern).len(), 1, "of the new recipe");
    assert_eq!(home.rows(&[&with_pattern[..], &["-k", "9"]].concat()).len(), 1);
    assert_eq!(home.rows(&with_pattern).len(), 1, "as before");
    let beside = |entry: fs::DirEntry| {
        let folder = entry.path();
        folder.to_string_lossy().contains("-keep-").then_some(folder)
    };
    let indexes = fs::read_dir(home.at("../data/dupi-tui/indexes")).unwrap();
    let besides: Vec<_> = indexes.filter_map(|entry| beside(entry.unwrap())).collect();
    assert_eq!(besides.len(), 3);
    fs::write(besides[0].join("manifest.json"), "{").unwrap();
    let cleaned = home.stdout(&["clean"]);
    assert_eq!(cleaned.lines().count(), 4, "{cleaned}");
    assert!(besides.iter().all(|folder| !folder.exists()));
}

#[test]
fn a_pattern_that_cannot_be_used_is_one_sentence() {
    let home = Home::new();
    home.write("a.c", source(1));
    for (pattern, expected) in [
        ("log(", "`log(` is no regular expression: unclosed group"),
        (
            "a*",
            "`a*` matches the empty text; write a pattern that needs a character, such as `.+` instead of `.*`",
        ),
        ("(a{1000}){1000}", "`(a{1000}){1000}` is too large; write smaller numbers of repetitions"),
    ] {
        for verb in [&["passages"][..], &["like", "a.c"], &["review"], &[]] {
            let output = home.run(&[verb, &["--ignore-pattern", pattern]].concat());
            let said = output.stderr;
            assert_eq!(output.code, Some(2), "{said}");
            assert!(said.lines().next().unwrap().ends_with(expected), "{said}");
        }
    }
}

#[test]
fn the_screen_shows_what_is_not_read() {
    let home = Home::new();
    home.write("a.c", logged(1, "first"));
    home.write("b.c", logged(1, "second"));
    let mut screen = home.open((100, 30), &["--gap", "0", "--ignore-pattern", LOG], &[]);
    screen.wait_for_text("without `log");
    screen.wait_for_text("first 2 of");
}
