//! `review --blame`: which commits the copies come from.

use std::fs;
use std::os::unix::fs::symlink;

use dupi::change::ChangeError;
use dupi::change::repository::Repository;
use serde_json::Value;

use crate::branches::{function, git, git_in, name, repository, text};
use crate::support::{Home, Said};

/// A function that two authors wrote, and a copy of it that is not committed.
fn copied() -> Home {
    let home = repository();
    let mut lines = function(100);
    lines[5] = "\tedit_by_ada(one, two);".to_owned();
    home.write(&name(10), text(&[lines.clone(), function(101)]));
    git(&home, &["add", "-A"]);
    let author = "Ada L\u{e9}on <ada@example.org>";
    git(&home, &["commit", "-q", "-m", "Better", "--author", author, "--date", "2020-02-03T04:05:06Z"]);
    // What is added before it moves the lines of the working tree.
    home.write(&name(10), text(&[function(7000), lines.clone(), function(101)]));
    home.write("src/copy.c", text(&[function(5000), lines]));
    home
}

fn blamed(copy: &Value) -> Vec<(Option<&str>, u64)> {
    let blame = copy["blame"].as_array().unwrap().iter();
    blame.map(|row| (row["author"].as_str(), row["lines"].as_u64().unwrap())).collect()
}

#[test]
fn copies_are_told_with_their_commits() {
    let home = copied();
    let output = home.run(&["review", "--blame", "--json", "HEAD"]);
    let printed = output.stdout;
    assert_eq!(printed.lines().count(), 1, "{printed}{}", output.stderr);
    let row: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(blamed(&row["changed"][0]), [(None, 18)]);
    assert_eq!(blamed(&row["others"][0]), [(Some("A"), 17), (Some("Ada L\u{e9}on"), 1)]);
    let ada = &row["others"][0]["blame"][1];
    let head = git_in(&home, &home.at(""), &["rev-parse", "--short=12", "HEAD"]);
    assert_eq!(ada["commit"].as_str(), Some(head.stdout.trim()));
    assert_eq!((&ada["date"], &ada["subject"]), (&"2020-02-03".into(), &"Better".into()));
    let said = home.run(&["review", "--blame", "HEAD"]).stdout;
    assert!(said.contains("not committed") && said.contains("use it, 17 of 18 lines by A on "), "{said}");
    assert!(!home.run(&["review", "HEAD"]).stdout.contains("committed"));
}

/// Neither programs that the repository names nor the variables of a hook change what is asked.
#[test]
fn a_repository_runs_nothing() {
    let home = copied();
    home.write(".gitattributes", "*.c diff=own filter=own\n");
    for key in ["diff.own.textconv", "filter.own.clean", "filter.own.smudge", "core.fsmonitor", "core.pager"]
    {
        git(&home, &["config", key, "touch ran; cat"]);
    }
    let mut command = home.command(&["review", "--blame", "--json", "HEAD"]);
    let output = Said::of(command.env("GIT_DIR", "nowhere").env("GIT_INDEX_FILE", "none"));
    let printed = output.stdout;
    assert!(printed.contains("Ada L\u{e9}on"), "{printed}{}", output.stderr);
    assert!(!home.at("ran").exists());
}

/// A file behind a symbolic link is blamed where it is: in the repository that it lies in.
#[test]
fn what_a_link_leads_to_is_told_too() {
    let home = copied();
    let here = home.at("");
    let other = tempfile::tempdir().unwrap();
    let elsewhere = other.path().join("lib/deep");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::write(elsewhere.join("part.c"), text(&[function(300)])).unwrap();
    let root = other.path().to_str().unwrap();
    for arguments in
        [&["init", "-q", "-b", "main"] as &[&str], &["add", "-A"], &["commit", "-q", "-m", "far"]]
    {
        git(&home, &[&["-C", root], arguments].concat());
    }
    home.write(".gitignore", "far\nnear\n");
    symlink(elsewhere, here.join("far")).unwrap();
    fs::create_dir(here.join("deep")).unwrap();
    home.write("deep/near.c", text(&[function(301)]));
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "near"]);
    symlink(here.join("deep"), here.join("near")).unwrap();
    home.write("src/copy.c", text(&[function(300), function(5000), function(301)]));
    let printed = home.stdout(&[
        "review",
        "--blame",
        "--json",
        "--follow",
        "--no-ignore",
        "HEAD",
        "--fail-on",
        "never",
    ]);
    let rows: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2, "{printed}");
    let mut paths: Vec<&str> = Vec::new();
    for other in rows.iter().flat_map(|row| row["others"].as_array().unwrap()) {
        assert_eq!(blamed(other), [(Some("A"), 18)], "{other}");
        paths.push(other["path"].as_str().unwrap());
    }
    paths.sort_unstable();
    assert_eq!(paths, ["deep/near.c", "far/part.c", "near/near.c"], "what is behind a link was not added");
}

#[test]
fn a_question_that_is_no_longer_wanted_has_no_answer() {
    let home = copied();
    let repository = Repository::discover(&home.at(""), &|| true).unwrap();
    let file = std::fs::read_to_string(home.at(&name(10))).unwrap();
    let question = repository.blame(name(10).as_ref(), &file, std::slice::from_ref(&(0..30))).unwrap();
    assert!(matches!(question.ask_while(&|| false), Err(ChangeError::Stopped)));
    assert!(question.ask_while(&|| true).is_ok());
}

/// Git has names that begin with a colon for sets of files.
#[test]
fn a_file_whose_name_looks_like_a_pattern_is_blamed() {
    let home = repository();
    for name in [":(x)y.c", ":!z.c", "*.c"] {
        home.write(name, text(&[function(6000), function(6001)]));
    }
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "odd"]);
    home.write("src/copy.c", text(&[function(5000), function(6000)]));
    let output = home.run(&["review", "--blame", "--json", "HEAD"]);
    let printed = output.stdout;
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let row: Value = serde_json::from_str(printed.lines().next().unwrap()).unwrap();
    let others = row["others"].as_array().unwrap();
    assert!(others.len() == 3 && others.iter().all(|copy| blamed(copy) == [(Some("A"), 18)]), "{printed}");
}
