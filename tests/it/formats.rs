//! The format of the rows, as a script asks for it.

use crate::support::{Home, Said};
use serde_json::Value;

const SHARED: &str = "the quick brown fox jumps over the lazy dog while the slow green turtle sleeps below the old \
                      bridge and nobody in the whole town ever wakes it up";

/// A corpus with an answer to every verb.
fn corpus() -> Home {
    let home = Home::new();
    home.write("a.txt", format!("First of all, {SHARED}. And that was that."));
    home.write("deep/b.txt", format!("In other words:\n\n  {SHARED}!\n"));
    home.write("not-text", b"\0\0\0");
    home.stdout(&["index"]);
    home.stdout(&["accept", "add", "the quick brown"]);
    home.stdout(&["taboo", "add", "words of a text that is hidden", "--reason", "because"]);
    home.stdout(&["filter", "save", "mine", "ext:txt"]);
    home
}

/// How long something took differs from run to run.
fn without_seconds(output: Said) -> (Option<i32>, String) {
    let text = output.stdout;
    let line = |line: &str| match line.split_once("\"seconds\":").or_else(|| line.split_once(" in ")) {
        Some((before, _)) if line.contains("index") => before.to_owned(),
        _ => line.to_owned(),
    };
    (output.code, text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

#[test]
fn every_verb_that_prints_rows_takes_a_format_and_json_is_its_short_form() {
    let home = corpus();
    let blot = home.stdout(&["extract", "-b", "--top", "1"]);
    for verb in [
        &["index"][..],
        &["extract"],
        &["extract", "--blots-only"],
        &["blot", "a.txt"],
        &["blot", "a.txt", "--offsets"],
        &["unblot", blot.trim()],
        &["passages", "--edits", "--context", "3"],
        &["documents"],
        &["files", "--depth", "9"],
        &["like", "a.txt"],
        &["near", "--threshold", "0.1"],
        &["near", "--threshold", "0.1", "--pairs"],
        &["near", "--like", "a.txt"],
        &["inspect"],
        &["inspect", "--skipped"],
        &["filter", "list"],
        &["taboo", "list"],
        &["taboo", "log"],
        &["accept", "list"],
    ] {
        let run = |options: &[&str]| without_seconds(home.run(&[verb, options].concat()));
        let (json, text) = (run(&["--json"]), run(&[]));
        assert_eq!((json.0, text.0), (Some(0), Some(0)), "{verb:?}");
        assert!(!json.1.is_empty() && !text.1.is_empty() && json != text, "{verb:?}");
        assert_eq!(run(&["--format", "json"]), json, "{verb:?}");
        assert_eq!(run(&["--json", "--format=json"]), json, "{verb:?}");
        assert_eq!(run(&["--format", "text"]), text, "{verb:?}");
        let whole = home.stdout(&[verb, &["--format", "json"]].concat());
        for line in whole.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            assert!(row.is_object() || verb.contains(&"--blots-only") && row.is_string(), "{verb:?}: {line}");
        }
    }
    // What is for people is left away, and what a program asked for is not.
    assert_eq!(home.stdout(&["index", "--quiet", "--format", "text"]), "");
    assert!(home.stdout(&["index", "--quiet", "--format", "json"]).starts_with("{\"documents\":2,"));
}

#[test]
fn an_unknown_format_and_two_formats_at_once_are_refused() {
    let home = Home::new();
    for (arguments, words) in [
        (&["passages", "--format", "yaml"][..], ["'yaml'", "text, json"]),
        (&["passages", "--format", "text", "--json"], ["--json", "--format text"]),
        (&["taboo", "list", "--json", "--format=text"], ["--json", "--format text"]),
    ] {
        let output = home.run(arguments);
        let said = output.stderr;
        assert_eq!(output.code, Some(2), "{arguments:?}");
        assert!(words.iter().all(|word| said.contains(word)) && output.stdout.is_empty(), "{said}");
    }
}
