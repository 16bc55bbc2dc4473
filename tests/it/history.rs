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
