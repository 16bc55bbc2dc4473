//! `exclude`: which files and folders are left out of a corpus, decided from a script.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use crate::shown::words;
use crate::support::{Home, Said, text};

fn corpus() -> Home {
    let home = Home::new();
    for name in ["src/a.txt", "vendor/deep/b.txt", "vendor/c.txt", "d.txt"] {
        home.write(name, format!("{name} {}", words("ash", 40)));
    }
    home
}

/// The documents of the first passage.
fn copies(home: &Home, more: &[&str]) -> Vec<String> {
    let output = home.run(&[&["passages", "--json"], more].concat());
    let lines = output.stdout;
    let Some(line) = lines.lines().next() else { return Vec::new() };
    let row: Value = serde_json::from_str(line).unwrap();
    let copies = row["occurrences"].as_array().unwrap().iter();
    copies.map(|copy| copy["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_left_out_is_gone_at_once_and_listed_with_the_reason_until_it_is_undone() {
    let home = corpus();
    assert_eq!(copies(&home, &[]).len(), 4);
    let said = home.stdout(&["exclude", "add", "vendor/", "d.txt", "--reason", "not\nours"]);
    assert_eq!(said, "left out from now on: vendor\nleft out from now on: d.txt\n");
    assert!(copies(&home, &["--no-update"]).is_empty(), "one copy is none");
    let listed = home.stdout(&["exclude", "list"]);
    let lines: Vec<&str> = listed.lines().map(|line| line.split_once(" 20").unwrap().1).collect();
    assert!(lines[0].ends_with(" vendor (not ours)") && lines[1].ends_with(" d.txt (not ours)"), "{listed}");
    let skipped = home.stdout(&["inspect", "--skipped"]);
    assert_eq!(skipped, "d.txt: left out by you\nvendor: left out by you\n");
    assert_eq!(home.stdout(&["exclude", "add", "vendor/c.txt"]), "left out already: vendor/c.txt\n");
    // It lasts when the index is built anew, and when it is removed.
    home.write("vendor/deep/b.txt", format!("changed {}", words("ash", 40)));
    home.stdout(&["index", "--rebuild"]);
    assert!(copies(&home, &[]).is_empty());
    assert!(home.stdout(&["clean"]).contains("which files are left out stays"));
    assert!(copies(&home, &[]).is_empty());
    assert!(home.stdout(&["taboo", "log"]).contains(" left out \"vendor\" and 1 more"));
    assert_eq!(
        home.stdout(&["taboo", "undo"]),
        "undone: left out \"vendor\" and 1 more; the index follows with its next update\n"
    );
    assert_eq!(copies(&home, &[]).len(), 4);
    assert_eq!(home.run(&["exclude", "list"]).code, Some(1));
    home.stdout(&["taboo", "redo"]);
    assert!(copies(&home, &[]).is_empty());
    assert_eq!(home.stdout(&["exclude", "remove", "2"]), "no longer left out: d.txt\n");
    assert_eq!(copies(&home, &["--no-update"]), ["d.txt", "src/a.txt"]);
    let under = home.run(&["exclude", "remove", "vendor/c.txt"]);
    assert_eq!(under.code, Some(1));
    assert!(under.stderr.contains("it is left out with the folder vendor"));
    home.stdout(&["exclude", "remove", text(&home.at("vendor"))]);
    assert_eq!(copies(&home, &["--no-update"]).len(), 4);
}

#[test]
fn without_an_update_the_index_follows_later_and_without_an_index_none_is_made() {
    let home = corpus();
    assert_eq!(home.stdout(&["exclude", "add", "src"]), "left out from now on: src\n");
    assert_eq!(home.run(&["passages", "--no-update"]).code, Some(2), "there is no index");
    assert_eq!(copies(&home, &[]).len(), 3);
    let said = home.stdout(&["exclude", "add", "vendor", "--no-update"]);
    assert!(said.ends_with("the index follows with its next update\n"), "{said}");
    assert!(copies(&home, &[]).is_empty());
}

#[test]
fn a_file_of_many_documents_is_left_out_with_all_of_them() {
    let home = corpus();
    let line = |name: &str| format!("{{\"text\": \"{name} {}\"}}\n", words("ash", 40));
    home.write("rows.jsonl", line("one") + &line("two"));
    home.stdout(&["index", "--jsonl", "text"]);
    assert_eq!(copies(&home, &[]).len(), 6);
    home.stdout(&["exclude", "add", "rows.jsonl"]);
    assert_eq!(copies(&home, &["--no-update"]).len(), 4);
}

#[test]
fn paths_are_those_of_the_shell_or_of_the_corpus_through_links_and_need_not_be_text() {
    let home = corpus();
    let odd = Path::new(std::ffi::OsStr::from_bytes(b"odd\xff.txt"));
    fs::write(home.at("").join(odd), words("ash", 40)).unwrap();
    symlink(home.at(""), home.at("../link")).unwrap();
    let link = home.at("../link");
    home.stdout(&["exclude", "add", "-C", text(&link), text(&link.join("src/a.txt"))]);
    home.stdout(&["exclude", "add", "odd\\xff.txt"]);
    let mut command = home.command(&["exclude", "add", "c.txt", "-C", ".."]);
    let output = Said::of(command.current_dir(home.at("vendor")));
    assert!(output.is_done(), "{}", output.stderr);
    assert_eq!(copies(&home, &[]), ["d.txt", "vendor/deep/b.txt"]);
    let rows = home.stdout(&["exclude", "list", "--json"]);
    let paths: Vec<Value> =
        rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap()["path"].clone()).collect();
    assert_eq!(paths, ["src/a.txt", "odd\\xff.txt", "vendor/c.txt"]);
}

#[test]
fn what_cannot_be_left_out_is_refused_and_a_spoilt_list_is_named_and_not_changed() {
    let home = corpus();
    home.stdout(&["index"]);
    for (path, why) in [
        (".", "this is the whole corpus"),
        ("none", "there is no file or folder none"),
        ("..", "is not in the corpus"),
    ] {
        home.refuses(&["exclude", "add", "src", path], why);
    }
    assert_eq!(home.run(&["exclude", "list"]).code, Some(1), "nothing was left out");
    home.stdout(&["exclude", "add", "src"]);
    let index = fs::read_dir(home.at("../data/dupi-tui/indexes")).unwrap().next().unwrap().unwrap().path();
    let list = index.join("excluded.toml");
    let spoilt = fs::read_to_string(&list).unwrap().replace("added", "addd");
    fs::write(&list, &spoilt).unwrap();
    for arguments in [&["exclude", "add", "vendor"][..], &["passages"], &["exclude", "list"]] {
        home.refuses(arguments, "excluded.toml, line ");
    }
    assert_eq!(fs::read_to_string(&list).unwrap(), spoilt);
    assert_eq!(copies(&home, &["--no-update"]).len(), 3, "what was left out stays so");
}
