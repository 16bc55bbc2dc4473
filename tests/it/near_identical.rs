//! `near --method identical`, and corpora that are hard for any method.

use std::fs;

use crate::support::{Home, lines, words};
use serde_json::{Value, json};

fn identical(home: &Home, arguments: &[&str]) -> Vec<Value> {
    lines(&home.stdout(&[&["near", "--method", "identical", "--json"], arguments].concat()))
}

/// The paths of the members of each cluster, and those of the folders of each row of folders.
fn paths(rows: &[Value]) -> Vec<Vec<String>> {
    let list = |row: &Value| row.get("members").unwrap_or(&row["folders"]).as_array().unwrap().clone();
    let path = |item: Value| item["path"].as_str().unwrap().to_owned();
    rows.iter().map(|row| list(row).into_iter().map(path).collect()).collect()
}

#[test]
fn tokens_or_bytes_are_equal() {
    let home = Home::new();
    home.write("a.txt", "Some words that are here twice.");
    home.write("b.txt", "some words\n\nthat are HERE twice");
    home.write("c.txt", "Some words that are here twice.");
    home.write("d.txt", [&b"\xff\xfe"[..], &utf16("Some words that are here twice.")].concat());
    home.write("e.txt", "Other words that are here once.");
    home.write("f.txt", "!!!");
    home.write("g.txt", "???");
    assert_eq!(paths(&identical(&home, &[])), [["d.txt", "a.txt", "b.txt", "c.txt"]].map(sorted_after_first));
    assert_eq!(paths(&identical(&home, &["--bytes"])), [["a.txt", "c.txt"]]);
    assert_eq!(identical(&home, &["--pairs"]).len(), 6);
    let row = &identical(&home, &[])[0];
    assert_eq!(
        (&row["least"], &row["unit"], &row["documents"]),
        (&json!(1.0), &json!("documents"), &json!(4))
    );
    home.write("c.txt", "Something else.");
    assert_eq!(
        home.run(&["near", "--method", "identical", "--bytes", "--no-update"]).code,
        Some(1),
        "the file is not what the index says"
    );
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// All have the same number of tokens: the first by path represents them.
fn sorted_after_first(mut names: [&str; 4]) -> [&str; 4] {
    names.sort_unstable();
    names
}

/// Three trees, the third with a file that differs, one more and one less.
fn trees() -> Home {
    let home = Home::new();
    for tree in ["old", "new/copy", "third"] {
        for number in 0..40 {
            home.write(&format!("{tree}/src/{number}.txt"), words(&format!("file{number}x"), 20));
        }
        home.write(&format!("{tree}/logo.bin"), b"\0\x01\x02");
    }
    home.write("third/src/7.txt", words("changed", 20));
    home.write("third/src/extra.txt", words("extra", 20));
    fs::remove_file(home.at("third/src/9.txt")).unwrap();
    home
}

#[test]
fn a_tree_is_told_once_with_what_differs() {
    let home = trees();
    let rows = identical(&home, &[]);
    assert_eq!(paths(&rows), [["new/copy/src", "old/src", "third/src"]].map(|of| of.map(folder_of)));
    let third = &rows[0]["folders"][2];
    let differences = json!([
        {"path": "src/7.txt", "how": "changed"},
        {"path": "src/9.txt", "how": "missing"},
        {"path": "src/extra.txt", "how": "added"},
    ]);
    assert_eq!(third["differences"], differences);
    assert_eq!((&third["similarity"], &third["files"]), (&json!(0.9048), &json!(40)));
    let exact = identical(&home, &["--threshold", "1"]);
    assert_eq!(paths(&exact)[0], ["new/copy", "old"]);
    assert_eq!(exact.len(), 1 + 38, "the files of the third tree are rows of their own");
    let said = home.stdout(&["near", "--method", "identical"]);
    assert!(said.contains(" 3 folders are almost the same: 40 files, "), "{said}");
    assert!(said.contains("\tthird/ (90 %), 3 differ\n\t\tchanged src/7.txt\n"), "{said}");
    let bytes = identical(&home, &["--bytes"]);
    assert_eq!(bytes[0]["folders"][0]["files"], 41, "by bytes, files count that are not text");
    let dropped = home.stdout(&["near", "--method", "identical", "--emit", "drop"]);
    assert_eq!(dropped.lines().count(), 40 + 38);
}

/// The folder that stands for its only folder with documents.
fn folder_of(path: &str) -> String {
    path.trim_end_matches("/src").to_owned()
}

#[test]
fn what_is_the_same_within_a_tree_is_told_too() {
    let home = Home::new();
    for tree in ["a", "b"] {
        home.write(&format!("{tree}/one.txt"), words("one", 20));
        home.write(&format!("{tree}/two.txt"), words("one", 20));
        home.write(&format!("{tree}/three.txt"), words("three", 20));
    }
    let rows = paths(&identical(&home, &[]));
    assert_eq!(rows, [vec!["a", "b"], vec!["a/one.txt", "a/two.txt", "b/one.txt", "b/two.txt"]]);
}

#[test]
fn corpora_with_little_in_them_have_no_similar_documents() {
    for method in ["identical", "jaccard", "minhash", "simhash", "spotsigs"] {
        let home = Home::new();
        let run = |more: &[&str]| {
            let output = home.run(&[&["near", "--method", method], more].concat());
            (output.code, output.stdout.len())
        };
        assert_eq!(run(&[]), (Some(1), 0));
        home.write("one.txt", words("one", 20));
        assert_eq!(run(&[]), (Some(1), 0));
        home.write("marks.txt", "!!! ???");
        home.write("more.txt", "... !!!");
        home.write("empty.txt", "");
        home.write("also.txt", "");
        home.write("a.bin", b"\0\x01");
        home.write("b.bin", b"\0\x01");
        for more in [&[][..], &["--pairs"], &["--emit", "drop"], &["--like", "marks.txt"]] {
            assert_eq!(run(more), (Some(1), 0), "{method} {more:?}");
        }
    }
}

#[test]
fn ten_thousand_equal_documents_are_one_cluster() {
    let home = Home::new();
    let record = format!("{{\"text\": \"{}\"}}\n", words("same", 12));
    home.write("all.jsonl", record.repeat(10_000));
    for method in ["identical", "jaccard", "minhash", "simhash"] {
        let near = ["near", "--jsonl", "text", "--json", "--method", method];
        let rows = lines(&home.stdout(&near));
        assert_eq!((rows.len(), &rows[0]["documents"]), (1, &json!(10_000)), "{method}");
        assert_eq!(lines(&home.stdout(&[&near[..], &["--pairs", "--top", "3"]].concat())).len(), 3);
    }
    assert!(home.stdout(&["near", "--jsonl", "text", "--emit", "keep"]).ends_with("all.jsonl\n"));
}
