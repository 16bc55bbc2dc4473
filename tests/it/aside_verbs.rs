//! What `passages` sets aside, and how all of it is shown again.

use std::collections::HashSet;

use crate::set_aside::{corpus, table};
use crate::support::Home;
use serde_json::Value;

/// The rows that `passages` lists, and what it says.
fn listed(home: &Home, arguments: &[&str]) -> (Vec<Value>, String) {
    let output = home.run(&[&["passages", "--json", "--no-update"], arguments].concat());
    let said = output.stderr;
    let text = output.stdout;
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(output.code, Some(i32::from(rows.is_empty())), "{arguments:?}: {said}");
    (rows, said)
}

/// The kinds of the rows, sorted.
fn kinds(rows: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    kinds
}

fn ids(rows: &[Value]) -> HashSet<String> {
    rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

const ASIDE: &str = "dupi-tui: aside: 1 licence, 1 data (--aside none shows them)";
const MEMBERS: &str = "1 in the families of others (--members shows them)";

#[test]
fn licences_and_data_are_set_aside_and_said() {
    let home = corpus();
    let (rows, said) = listed(&home, &[]);
    assert_eq!(kinds(&rows), ["code", "code", "prose"]);
    assert_eq!(said, format!("{ASIDE}; {MEMBERS}\n"));
    let (rows, said) = listed(&home, &["--aside", "none"]);
    assert_eq!(kinds(&rows), ["code", "code", "data", "licence", "prose"]);
    assert_eq!(said, format!("dupi-tui: aside: {MEMBERS}\n"));
    let (rows, said) = listed(&home, &["--members"]);
    assert_eq!(kinds(&rows), ["code", "code", "code", "prose"]);
    assert_eq!(said, format!("{ASIDE}\n"));
    let (rows, said) = listed(&home, &["--aside", "none", "--members"]);
    assert_eq!((rows.len(), said.as_str()), (6, ""));
    let (rows, said) = listed(&home, &["--aside", "prose,code", "--top", "1"]);
    assert_eq!(rows.len(), 1);
    assert_eq!(said, format!("dupi-tui: aside: 2 code, 1 prose (--aside none shows them); {MEMBERS}\n"));
}

#[test]
fn the_head_of_a_family_says_how_many_members_it_has() {
    let home = corpus();
    let (rows, _) = listed(&home, &["--aside", "none", "--members"]);
    let heads: Vec<&Value> = rows.iter().filter(|row| row["id"] == row["family"]).collect();
    assert_eq!(heads.len(), 5);
    for row in &rows {
        let of_family = rows.iter().filter(|other| other["family"] == row["id"] && other["id"] != row["id"]);
        let members = (row["id"] == row["family"]).then_some(of_family.count());
        assert_eq!(
            row.get("members").and_then(Value::as_u64),
            members.map(|members| members as u64),
            "{row}"
        );
    }
    let head = heads.into_iter().find(|row| row["members"] == 1).unwrap();
    let text = home.stdout(&["passages", "--no-update"]);
    let line = text.lines().find(|line| line.starts_with(head["id"].as_str().unwrap())).unwrap();
    assert!(line.contains(" bits + 1 in its family: "), "{line}");
    assert_eq!(text.matches("in its family").count(), 1, "{text}");
}

#[test]
fn a_member_is_listed_when_the_head_of_its_family_is_not_asked_for() {
    let home = corpus();
    let (heads, _) = listed(&home, &[]);
    let (all, _) = listed(&home, &["--members"]);
    let member = all.iter().find(|row| row["id"] != row["family"]).unwrap();
    assert!(!ids(&heads).contains(member["id"].as_str().unwrap()));
    let only = format!("tokens:{}", member["tokens"]);
    let (rows, said) = listed(&home, &["--filter", &only]);
    assert_eq!((ids(&rows), said.as_str()), (ids(std::slice::from_ref(member)), ""));
}

#[test]
fn kinds_that_are_asked_for_are_not_set_aside() {
    let home = corpus();
    for (arguments, expected) in [
        (&["--kind", "licence"][..], &["licence"][..]),
        (&["--kind", "data,prose"], &["data", "prose"]),
        (&["--filter", "kind:data"], &["data"]),
        (&["--filter", "kind:data,licence path:licence"], &["licence"]),
        (&["--filter", "-kind:code"], &["prose"]),
        (&["--filter", "-kind:data", "--aside", "none"], &["code", "code", "licence", "prose"]),
        (&["--kind", "code,data", "--filter", "-kind:code"], &["data"]),
        (&["--kind", "test"], &[]),
        (&["--filter", "kind:markup"], &[]),
    ] {
        assert_eq!(kinds(&listed(&home, arguments).0), expected, "{arguments:?}");
    }
    let (_, said) = listed(&home, &["--kind", "licence"]);
    assert_eq!(said, "");
}

#[test]
fn fewer_kinds_that_are_set_aside_hide_no_row() {
    let home = corpus();
    let lists = ["licence,imports,data,generated,markup", "data,licence,code", "data,code", "code", "none"];
    let found = lists.map(|list| ids(&listed(&home, &["--aside", list]).0));
    for (fewer, more) in [(4, 0), (2, 1), (3, 2), (4, 3)] {
        assert!(found[fewer].is_superset(&found[more]), "{} {}", lists[fewer], lists[more]);
        assert!(found[fewer].len() > found[more].len(), "{} {}", lists[fewer], lists[more]);
        let with_members = ids(&listed(&home, &["--members", "--aside", lists[more]]).0);
        assert!(with_members.is_superset(&found[more]), "{}", lists[more]);
    }
}

#[test]
fn what_would_leave_the_list_empty_is_not_set_aside() {
    let home = Home::new();
    for (number, seed) in [3, 90].into_iter().enumerate() {
        for name in ["a", "b"] {
            home.write(&format!("{name}{number}.c"), format!("char {name}{number};\n{}", table(seed)));
        }
    }
    home.stdout(&["index"]);
    let (rows, said) = listed(&home, &[]);
    assert!(!rows.is_empty() && kinds(&rows).iter().all(|kind| *kind == "data"), "{rows:?}");
    assert!(!said.contains("--aside none"), "{said}");
    let all = corpus();
    assert_eq!(kinds(&listed(&all, &["--path", "data/**"]).0), ["data"]);
}

#[test]
fn an_unknown_kind_is_told_the_kinds() {
    let home = corpus();
    for (arguments, part) in [
        (&["--kind", "licens"][..], "\"licens\" is no kind; the kinds are code, prose, comment, licence"),
        (&["--aside", "none,data"], "\"none\" is no kind; the kinds are code, prose"),
        (&["--filter", "kind:license"], "unknown kind license (did you mean licence?); expected code, prose"),
    ] {
        home.refuses(&[&["passages", "--no-update"], arguments].concat(), part);
    }
    let output = home.run(&["extract", "--no-update", "--filter", "kind:code"]);
    let error = output.stderr;
    let said = "kind: does not apply here; it applies to passages";
    assert!(output.code == Some(2) && error.contains(said), "{error}");
}

#[test]
fn other_verbs_count_what_passages_sets_aside() {
    let home = corpus();
    let output = home.stdout(&["documents", "--json", "--no-update"]);
    for folder in ["licence", "code", "data", "family", "letters"] {
        assert!(output.contains(&format!("\"{folder}/")), "{folder}: {output}");
    }
}

#[test]
fn a_corpus_is_named_with_its_verb_and_a_mistyped_verb_is_told() {
    let home = corpus();
    let of_code = home.stdout(&["passages", "-C", "code"]);
    assert_eq!(home.stdout(&["passages", "code"]), of_code);
    assert!(of_code.contains("code/dock.c") || of_code.contains("\tdock.c"), "{of_code}");
    assert!(home.stdout(&["documents", "letters"]).contains("dock.txt"));
    assert!(home.stdout(&["inspect", "letters", "--json"]).contains("\"documents\":2"));
    assert_eq!(home.run(&["passages", "code", "-C", "data"]).code, Some(2));
    for arguments in [&["pasages"][..], &["pasages", "--sort", "score"]] {
        let output = home.run(arguments);
        let error = output.stderr;
        assert!(output.code == Some(2), "{error}");
        assert!(error.contains("did you mean the verb `passages`?"), "{error}");
    }
}
