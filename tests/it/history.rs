//! `history`: the numbers of each commit are those of a checkout of it.

use serde_json::Value;

use crate::branches::{function, git, name, repository, text};
use crate::support::{Home, lines};

fn rows(home: &Home, arguments: &[&str]) -> Vec<Value> {
    lines(&home.stdout(&[&["history", "--json"], arguments].concat()))
}

fn commit(home: &Home, subject: &str) {
    git(home, &["add", "-A"]);
    git(home, &["commit", "-q", "-m", subject]);
}

fn subjects(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["subject"].as_str().unwrap()).collect()
}

/// A repository with a main line, and a branch that was merged into it.
fn with_history() -> Home {
    let home = repository();
    home.write("src/copy.c", text(&[function(5000), function(100), function(20)]));
    commit(&home, "copy");
    // A move, a file that is ignored all the same, and a file that is no text.
    git(&home, &["mv", &name(3), "lib.c"]);
    home.write(".gitignore", "*.gen.c\n");
    home.write("b.gen.c", text(&[function(100)]));
    git(&home, &["add", "-f", "b.gen.c"]);
    home.write("data.bin", b"\0\0\0");
    commit(&home, "move");
    git(&home, &["checkout", "-q", "-b", "side"]);
    home.write("src/side.c", text(&[function(5001), function(40)]));
    commit(&home, "side");
    git(&home, &["checkout", "-q", "main"]);
    std::fs::remove_file(home.at("src/copy.c")).unwrap();
    commit(&home, "drop");
    git(&home, &["merge", "-q", "-m", "merge", "side"]);
    home
}

#[test]
fn each_commit_has_the_numbers_of_its_checkout() {
    let home = with_history();
    home.stdout(&["taboo", "add", &function(950).join("\n")]);
    home.stdout(&["exclude", "add", &name(7)]);
    let rows = rows(&home, &[]);
    assert_eq!(subjects(&rows), ["base", "copy", "move", "drop", "merge"], "by first parents");
    assert!(rows[1]["share"].as_f64() > rows[0]["share"].as_f64(), "{rows:#?}");
    let status = || {
        let output = crate::branches::git_in(&home, &home.at(""), &["status", "--porcelain"]);
        output.stdout
    };
    assert_eq!(status(), "", "the working tree is as it was");
    for row in &rows {
        git(&home, &["checkout", "-q", row["commit"].as_str().unwrap()]);
        let whole: Value = serde_json::from_str(&home.stdout(&["files", "--depth", "0", "--json"])).unwrap();
        for field in ["share", "duplicated", "tokens", "documents"] {
            assert_eq!(row[field], whole[field], "{} {field}", row["subject"]);
        }
        let passages = home.stdout(&["passages", "--json"]);
        let worths = passages.lines().map(|line| {
            let passage: Value = serde_json::from_str(line).unwrap();
            passage["worth"].as_u64().unwrap()
        });
        let worths: Vec<u64> = worths.collect();
        assert_eq!(row["passages"].as_u64(), Some(worths.len() as u64), "{}", row["subject"]);
        assert_eq!(row["worth"].as_u64(), Some(worths.iter().sum()), "{}", row["subject"]);
    }
}

#[test]
fn a_range_begins_at_its_base_and_many_commits_are_thinned_out() {
    let home = with_history();
    assert_eq!(subjects(&rows(&home, &["HEAD~2..HEAD"])), ["move", "drop", "merge"]);
    assert_eq!(subjects(&rows(&home, &["side..main"])), ["move", "drop", "merge"], "where the branch began");
    assert_eq!(subjects(&rows(&home, &["..HEAD"])), ["merge"]);
    assert_eq!(subjects(&rows(&home, &["side", "--commits", "2"])), ["base", "side"]);
    let output = home.run(&["history", "--commits", "2"]);
    let said = output.stderr;
    assert!(said.contains("2 of 5 commits"), "{said}");
    let printed = output.stdout;
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines[0].contains("share") && lines[1].ends_with("base") && lines[2].ends_with("merge"),
        "{printed}"
    );
    assert!(lines[3].starts_with("share ") && lines[4].starts_with("worth "), "{printed}");
    assert!(lines[3].contains(" % to "), "{printed}");
}

#[test]
fn a_folder_of_the_repository_has_a_history_too() {
    let home = with_history();
    let whole = rows(&home, &["HEAD~1..HEAD"]);
    let below = rows(&home, &["HEAD~1..HEAD", "-C", "src"]);
    let documents = |row: &Value| row["documents"].as_u64().unwrap();
    assert_eq!(documents(&whole[1]), documents(&below[1]) + 1, "lib.c lies elsewhere");
    assert_eq!(documents(&below[1]), 12);
}

#[test]
fn a_bare_repository_has_the_history_of_its_clones() {
    let home = with_history();
    git(&home, &["clone", "-q", "--bare", ".", "../bare.git"]);
    assert_eq!(rows(&home, &["-C", "../bare.git"]), rows(&home, &[]));
    let refused = home.run(&["review", "-C", "../bare.git", "HEAD"]);
    assert!(refused.stderr.contains("bare.git is a bare repository, which has no files"));
}

#[test]
fn what_is_no_range_is_refused_in_a_sentence() {
    let home = with_history();
    for (range, words) in [("none", "names no commit"), ("none..HEAD", "names no commit")] {
        home.refuses(&["history", range], words);
    }
    git(&home, &["checkout", "-q", "--orphan", "other"]);
    commit(&home, "other");
    home.refuses(&["history", "main..other"], "first parents");
    let outside = Home::new();
    assert_eq!(outside.run(&["history"]).code, Some(2));
}
