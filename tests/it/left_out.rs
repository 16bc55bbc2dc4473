//! What is left out is counted in full and listed in part: a list of mistakes costs no more than what it is of use.

use serde_json::Value;

use crate::support::{Home, text};

/// One line with a text, and so many without.
fn mistyped(lines: usize) -> String {
    let bad = "{\"txt\": \"a field that nobody asked for\"}\n".repeat(lines);
    format!("{{\"text\": \"the only line with the field\"}}\n{bad}")
}

fn index(home: &Home, folder: &str) -> Value {
    let json = home.stdout(&["index", "--jsonl", "text", "--index", folder, "--json"]);
    serde_json::from_str(&json).unwrap()
}

fn listed(home: &Home, folder: &str) -> Vec<Value> {
    let output = home.run(&["inspect", "--skipped", "--index", folder, "--json"]);
    output.rows()
}

#[test]
fn a_mistyped_field_makes_no_large_manifest() {
    let home = Home::new();
    let folder = home.at("../index");
    home.write("rows.jsonl", mistyped(3000));
    home.write("few.jsonl", mistyped(2));
    let summary = index(&home, text(&folder));
    assert_eq!((&summary["documents"], &summary["skipped"]), (&2.into(), &3002.into()));
    let manifest = std::fs::metadata(folder.join("manifest.json")).unwrap().len();
    assert!(manifest < 4000, "{manifest} bytes");
    let rows = listed(&home, text(&folder));
    let of = |path: &str| rows.iter().filter(|row| row["path"] == path).collect::<Vec<_>>();
    assert_eq!((of("few.jsonl").len(), of("rows.jsonl").len()), (2, 10));
    assert_eq!(of("rows.jsonl")[0]["reason"], "line 2 has no text in the field");
    assert_eq!(of("rows.jsonl")[9]["reason"], "line 11 has no text in the field");
    assert_eq!((&of("rows.jsonl")[9]["more"], of("few.jsonl")[1].get("more")), (&2990.into(), None));
    let said = home.run(&["inspect", "--skipped", "--index", text(&folder)]);
    assert!(said.stdout.contains("rows.jsonl: and 2990 more like it\n"));
    // What is not read anew stays counted, and what is mended is not.
    home.write("few.jsonl", mistyped(0));
    assert_eq!(index(&home, text(&folder))["skipped"], 3000);
    home.write("rows.jsonl", mistyped(1));
    assert_eq!(index(&home, text(&folder))["skipped"], 1);
    assert_eq!(listed(&home, text(&folder)).len(), 1);
    // The screen says how many there are.
    home.write("rows.jsonl", mistyped(2500));
    let mut screen = home.open((100, 24), &["--index", text(&folder)], &[]);
    screen.wait_for_text("2,500 left out");
    screen.send("S");
    screen.wait_for_text("line 11 has no text in the field, and 2,490 more");
    screen.send("q");
}
