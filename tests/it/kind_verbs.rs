//! `kind`: what passages are, and which kinds are set aside, decided from a script; and the setting `aside`.

use std::fs;

use crate::set_aside::files;
use crate::support::Home;
use serde_json::Value;

fn corpus() -> Home {
    let home = Home::new();
    for (name, text) in files() {
        home.write(&name, text);
    }
    home.stdout(&["index"]);
    home
}

fn set(home: &Home, settings: &str) {
    fs::create_dir_all(home.settings().parent().unwrap()).unwrap();
    fs::write(home.settings(), settings).unwrap();
}

fn rows(home: &Home, arguments: &[&str]) -> Vec<Value> {
    let output = home.run(&[arguments, &["--json"]].concat());
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The kinds of the passages that are listed, sorted.
fn kinds(home: &Home, arguments: &[&str]) -> Vec<String> {
    let rows = rows(home, &[&["passages", "--no-update"], arguments].concat());
    let mut kinds: Vec<String> = rows.iter().map(|row| row["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort_unstable();
    kinds
}

const USUAL: [&str; 3] = ["code", "code", "prose"];

#[test]
fn the_setting_says_what_is_set_aside_unless_the_option_or_the_corpus_does() {
    let home = corpus();
    assert_eq!(kinds(&home, &[]), USUAL);
    set(&home, "aside = [\"licence\", \"prose\"]\n");
    assert_eq!(kinds(&home, &[]), ["code", "code", "data"]);
    assert_eq!(kinds(&home, &["--aside", "data"]), ["code", "code", "licence", "prose"]);
    for none in ["aside = \"none\"\n", "aside = []\n"] {
        set(&home, none);
        assert_eq!(kinds(&home, &[]), ["code", "code", "data", "licence", "prose"]);
    }
    assert_eq!(home.stdout(&["kind", "aside", "data"]), "data is set aside in this corpus\n");
    assert_eq!(kinds(&home, &[]), ["code", "code", "licence", "prose"]);
    assert_eq!(kinds(&home, &["--aside", "none"]).len(), 5);
    assert_eq!(home.stdout(&["kind", "show", "data"]), "data is listed in this corpus\n");
    set(&home, "aside = [\"data\", \"datum\"]\n");
    let output = home.run(&["passages", "--no-update"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("line 1, column 18: \"datum\" is no kind; the kinds are code"), "{said}");
    assert_eq!(kinds(&home, &[]).len(), 5, "what is decided about a kind goes before the setting");
    assert!(home.stdout(&["taboo", "undo"]).starts_with("undone: data listed"));
    home.stdout(&["kind", "remove", "data"]);
    assert_eq!(kinds(&home, &[]), ["code", "code", "licence", "prose"]);
}

#[test]
fn a_corrected_kind_is_set_listed_undone_and_removed() {
    let home = corpus();
    let licence = rows(&home, &["passages", "--no-update", "--kind", "licence"]).remove(0);
    let id = licence["id"].as_str().unwrap();
    let said = home.stdout(&["kind", "set", id, "prose"]);
    assert!(said.starts_with(&format!("passage:{id} is prose now: ")), "{said}");
    assert_eq!(kinds(&home, &[]), ["code", "code", "prose", "prose"]);
    assert_eq!(kinds(&home, &["--kind", "licence"]).len(), 0);
    assert_eq!(kinds(&home, &["--filter", "kind:prose"]).len(), 2);
    home.stdout(&["kind", "set", "The lighthouse keeper", "data"]);
    home.stdout(&["kind", "show", "markup"]);
    assert_eq!(kinds(&home, &[]), ["code", "code", "prose"]);
    let list = rows(&home, &["kind", "list"]);
    let said: Vec<[&str; 2]> =
        list.iter().map(|row| ["of", "is"].map(|field| row[field].as_str().unwrap())).collect();
    assert_eq!((said[0][0], said[0][1]), (format!("passage:{id}").as_str(), "prose"));
    assert_eq!((said[1][1], said[2]), ("data", ["kind:markup", "listed"]));
    let text = home.stdout(&["kind", "list"]);
    assert!(text.lines().nth(1).unwrap().contains(" is data: The lighthouse keeper"), "{text}");
    // The same text in other files, after it is indexed anew.
    for name in ["anchor", "buoy", "crane"] {
        fs::rename(home.at(&format!("licence/{name}.c")), home.at(&format!("{name}.c"))).unwrap();
    }
    home.stdout(&["index", "--rebuild"]);
    assert_eq!(kinds(&home, &[]), ["code", "code", "prose"]);
    assert!(home.stdout(&["taboo", "undo"]).starts_with("undone: markup listed"));
    assert!(home.stdout(&["taboo", "undo"]).starts_with("undone: kind data \"The lighthouse"));
    assert_eq!(kinds(&home, &[]), ["code", "code", "prose", "prose"]);
    assert!(home.stdout(&["taboo", "redo"]).starts_with("redone: kind data"));
    assert!(home.stdout(&["kind", "remove", id]).starts_with("no kind is set any more: "));
    home.stdout(&["kind", "remove", "The light"]);
    assert_eq!(kinds(&home, &[]), USUAL);
    assert_eq!(home.run(&["kind", "list"]).status.code(), Some(1));
    let said = home.stdout(&["clean"]);
    assert!(said.contains("what was decided about kinds stays"), "{said}");
}

#[test]
fn what_cannot_be_set_is_refused_and_what_is_not_there_is_not_found() {
    let home = corpus();
    for (arguments, code, part) in [
        (&["kind", "set", "0123456789abcdef", "code"][..], 1, ""),
        (&["kind", "set", "blot:0123456789a", "code"], 2, "a blot has no kind"),
        (&["kind", "set", " ", "code"], 2, "the text is empty"),
        (&["kind", "set", "some words", "licens"], 2, "is no kind; the kinds are code, prose"),
        (&["kind", "remove", "1"], 1, ""),
        (&["kind", "remove", "code"], 1, ""),
        (&["kind", "show", "all"], 2, "is no kind"),
    ] {
        let output = home.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && said.contains(part), "{arguments:?}: {said}");
    }
    home.stdout(&["kind", "aside", "code"]);
    home.stdout(&["kind", "remove", "1"]);
    assert_eq!(home.run(&["kind", "list"]).status.code(), Some(1));
}
