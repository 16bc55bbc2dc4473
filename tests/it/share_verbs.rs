//! `documents` and `files`, as a script calls them.

use crate::support::{Home, lines, words};
use serde_json::{Value, json};

/// A folder with two documents that share text, one of them wholly; a mailing list; and a text of its own.
fn corpus() -> Home {
    let home = Home::new();
    let (tree, moss) = (words("tree", 60), words("moss", 40));
    home.write("src/whole.txt", &tree);
    home.write("src/deep/part.txt", format!("{tree}{}{moss}", words("own", 100)));
    home.write("list.jsonl", format!("{{\"text\": \"{}\"}}\n{{\"text\": \"{moss}\"}}\n", words("mail", 30)));
    home.write("alone.txt", words("alone", 50));
    home
}

fn rows(home: &Home, arguments: &[&str]) -> Vec<Value> {
    lines(&home.stdout(&[arguments, &["--jsonl", "text", "--json"]].concat()))
}

fn paths(home: &Home, arguments: &[&str]) -> Vec<String> {
    rows(home, arguments).iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn documents_are_listed_with_their_share_and_their_partner() {
    let home = corpus();
    let found = rows(&home, &["documents"]);
    let part = json!({
        "path": "src/deep/part.txt", "share": 0.5, "duplicated": 100, "tokens": 200, "copies": 2,
        "partner": {"path": "src/whole.txt", "tokens": 60}, "language": null,
    });
    assert_eq!(found.len(), 3);
    assert_eq!(found[2], part);
    assert_eq!((&found[0]["share"], &found[0]["path"]), (&json!(1.0), &json!("src/whole.txt")));
    assert_eq!(found[1]["path"], "list.jsonl#2", "a record is a document");
    let by = |way| paths(&home, &["documents", "--sort", way]);
    assert_eq!(by("path"), ["list.jsonl#2", "src/deep/part.txt", "src/whole.txt"]);
    assert_eq!(by("tokens"), ["src/deep/part.txt", "src/whole.txt", "list.jsonl#2"]);
    assert_eq!(by("copies")[0], "src/deep/part.txt");
    assert_eq!(by("partner"), ["src/deep/part.txt", "src/whole.txt", "list.jsonl#2"], "each by its partner");
    assert_eq!(by("recent").len(), 3);
    assert_eq!(paths(&home, &["documents", "--min-share", "0.6", "--path", "src/**"]), ["src/whole.txt"]);
    assert_eq!(paths(&home, &["documents", "--top", "1"]), ["src/whole.txt"]);
    assert_eq!(paths(&home, &["documents", "--min-tokens", "50"]).len(), 2);
    let refused = home.run(&["documents", "--sort", "score"]);
    assert!(refused.stderr.contains("share, partner, tokens, copies, path, recent"));
    home.write("src/fifths.txt", format!("{}{}", words("tree", 30), words("fifth", 20)));
    let least = |share| home.run(&["documents", "--min-share", share, "--path", "src/fifths.txt"]).code;
    assert_eq!([least("0.6"), least("0.61")], [Some(0), Some(1)], "three fifths are 0.6");
}

#[test]
fn columns_stand_under_each_other() {
    let home = corpus();
    let text = home.stdout(&["documents", "--jsonl", "text"]);
    let expected = "  share  duplicated  tokens  copies  document           shared  partner
100.0 %          60      60       1  src/whole.txt          60  src/deep/part.txt
100.0 %          40      40       1  list.jsonl#2           40  src/deep/part.txt
 50.0 %         100     200       2  src/deep/part.txt      60  src/whole.txt
";
    assert_eq!(text, expected);
    let text = home.stdout(&["files", "--depth", "2"]);
    let expected = "  share  duplicated  tokens  copies  documents  path
 52.6 %         200     380       4          5  .
 61.5 %         160     260       3          2  src/
100.0 %          60      60       1          1  src/whole.txt
 50.0 %         100     200       2          1  src/deep/
 57.1 %          40      70       1          2  list.jsonl
  0.0 %           0      50       0          1  alone.txt
";
    assert_eq!(text, expected);
}

#[test]
fn a_folder_is_shown_as_deep_as_it_is_asked_for() {
    let home = corpus();
    assert_eq!(paths(&home, &["files"]), ["", "src", "list.jsonl", "alone.txt"]);
    assert_eq!(paths(&home, &["files", "src"]), ["src", "src/whole.txt", "src/deep"]);
    assert_eq!(paths(&home, &["files", "./src/", "--depth", "0"]), ["src"]);
    let absolute = std::fs::canonicalize(home.at("src/deep")).unwrap();
    assert_eq!(
        paths(&home, &["files", crate::support::text(&absolute), "--depth", "9"]),
        ["src/deep", "src/deep/part.txt"]
    );
    assert_eq!(paths(&home, &["files", "--sort", "path"]), ["", "alone.txt", "list.jsonl", "src"]);
    assert_eq!(paths(&home, &["files", "--sort", "documents"])[1..3], ["src", "list.jsonl"]);
    let missing = home.run(&["files", "nowhere"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("no document lies in nowhere"));
}

#[test]
fn what_is_taboo_counts_only_when_that_is_asked_for() {
    let home = corpus();
    home.stdout(&["taboo", "add", &words("tree", 60)]);
    assert_eq!(paths(&home, &["documents"]), ["list.jsonl#2", "src/deep/part.txt"]);
    assert_eq!(paths(&home, &["documents", "--taboo"]).len(), 3);
    assert_eq!(rows(&home, &["files", "src", "--depth", "0"])[0]["duplicated"], 40);
    home.stdout(&["taboo", "add", &words("moss", 40)]);
    let nothing = home.run(&["documents"]);
    assert_eq!((nothing.code, nothing.stdout.len()), (Some(1), 0));
    assert_eq!(rows(&home, &["files"])[0]["duplicated"], 0);
}
