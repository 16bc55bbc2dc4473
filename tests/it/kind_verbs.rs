//! `kind`: what passages are, and which kinds are set aside, decided from a script; and the setting `aside`.

use std::fs;

use crate::set_aside::corpus;
use crate::support::Home;

/// The kinds of the passages that are listed, sorted.
fn kinds(home: &Home, arguments: &[&str]) -> Vec<String> {
    let rows = home.rows(&[&["passages", "--no-update"], arguments].concat());
    let mut kinds: Vec<String> = rows.iter().map(|row| row["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort_unstable();
    kinds
}

const USUAL: [&str; 3] = ["code", "code", "prose"];

#[test]
fn the_setting_says_what_is_set_aside_unless_the_option_or_the_corpus_does() {
    let home = corpus();
    assert_eq!(kinds(&home, &[]), USUAL);
    home.set("aside = [\"licence\", \"prose\"]\n");
    assert_eq!(kinds(&home, &[]), ["code", "code", "data"]);
    assert_eq!(kinds(&home, &["--aside", "data"]), ["code", "code", "licence", "prose"]);
    for none in ["aside = \"none\"\n", "aside = []\n"] {
        home.set(none);
        assert_eq!(kinds(&home, &[]), ["code", "code", "data", "licence", "prose"]);
    }
    assert_eq!(home.stdout(&["kind", "aside", "data"]), "data is set aside in this corpus\n");
    assert_eq!(kinds(&home, &[]), ["code", "code", "licence", "prose"]);
    assert_eq!(kinds(&home, &["--aside", "none"]).len(), 5);
    assert_eq!(home.stdout(&["kind", "show", "data"]), "data is listed in this corpus\n");
    home.set("aside = [\"data\", \"datum\"]\n");
    let output = home.run(&["passages", "--no-update"]);
    let said = output.stderr;
    assert!(said.contains("line 1, column 18: \"datum\" is no kind; the kinds are code"), "{said}");
    assert_eq!(kinds(&home, &[]).len(), 5, "what is decided about a kind goes before the setting");
    assert!(home.stdout(&["taboo", "undo"]).starts_with("undone: data listed"));
    home.stdout(&["kind", "remove", "data"]);
    assert_eq!(kinds(&home, &[]), ["code", "code", "licence", "prose"]);
}

#[test]
fn a_corrected_kind_is_set_listed_undone_and_removed() {
    let home = corpus();
    let licence = home.rows(&["passages", "--no-update", "--kind", "licence"]).remove(0);
    let id = licence["id"].as_str().unwrap();
    let said = home.stdout(&["kind", "set", id, "prose"]);
    assert!(said.starts_with(&format!("passage:{id} is prose now: ")), "{said}");
    assert_eq!(kinds(&home, &[]), ["code", "code", "prose", "prose"]);
    assert_eq!(kinds(&home, &["--kind", "licence"]).len(), 0);
    assert_eq!(kinds(&home, &["--filter", "kind:prose"]).len(), 2);
    home.stdout(&["kind", "set", "The lighthouse keeper", "data"]);
    home.stdout(&["kind", "show", "markup"]);
    assert_eq!(kinds(&home, &[]), ["code", "code", "prose"]);
    let list = home.rows(&["kind", "list"]);
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
    assert_eq!(home.run(&["kind", "list"]).code, Some(1));
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
        let said = output.stderr;
        assert!(output.code == Some(code) && said.contains(part), "{arguments:?}: {said}");
    }
    home.stdout(&["kind", "aside", "code"]);
    home.stdout(&["kind", "remove", "1"]);
    assert_eq!(home.run(&["kind", "list"]).code, Some(1));
}

#[test]
fn the_users_patterns_go_before_the_rules_and_wrong_ones_are_reported() {
    let home = corpus();
    home.set("[kinds]\ngenerated = [\"path:/data/**\", \"text:lighthouse keeper counted\"]\ntest = \"code\"\ndata = [\"text:-\", \"[\"]\ntests = []\n\
         [[kinds.passage]]\nname = 'deep'\nkind = 'prose'\nwhen = { files = ['data/**'], measure = ['lins > 3'] }\n",
    );
    let output = home.run(&["passages", "--no-update"]);
    let said = output.stderr;
    for part in [
        "line 4, column 9: a phrase after text: needs a word",
        "line 4, column 19: `[` is no pattern of paths",
        "line 5, column 1: \"tests\" is no kind; the kinds are code",
        "line 9, column 42: there is no measure `lins` of passages; the measures are offset, length",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(home.run(&["config", "--check"]).code == Some(2));
    assert_eq!(kinds(&home, &["--aside", "none"]), ["code", "generated", "generated", "licence", "test"]);
    assert_eq!(kinds(&home, &[]), ["code", "test"]);
    // A correction goes before a pattern.
    home.stdout(&["kind", "set", "The lighthouse keeper", "prose"]);
    assert_eq!(kinds(&home, &[]), ["code", "prose", "test"]);
}

#[test]
fn the_screen_opens_lines_lists_kinds_for_good_and_corrects_them() {
    let home = corpus();
    home.set("[kinds]\nmarkup = \"text:lighthouse keeper counted\"\n");
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for("the lines", |text| {
        text.contains("▸ licence  1 passage · 3 copies · ") && text.contains("▸ data  1 passage")
    });
    assert!(screen.text().contains("▸ markup  1 passage"), "{}", screen.text());
    screen.press("G");
    screen.wait_for_text("set aside");
    screen.press("t");
    screen.wait_for_text("stands for all passages of a kind");
    for (kind, text) in [("licence", "Permission is hereby"), ("data", "unsigned char table")] {
        let (column, line) = screen.find(&format!("▸ {kind}")).unwrap();
        screen.click((column, line));
        screen
            .wait_for("the open line", |shown| shown.contains(&format!("▾ {kind}")) && shown.contains(text));
    }
    // The passage below the first line: no licence from now on.
    let (column, line) = screen.find("▾ licence").unwrap();
    screen.click((column, line + 1));
    screen.wait_for_text("copy 1 of 3");
    screen.press("K");
    screen.wait_for_text("what this is");
    screen.press("Home Enter");
    screen.wait_for_text("Set to code: 1 passage; u undoes it");
    screen.wait_for_no("licence  1 passage");
    screen.press("u");
    screen.wait_for_text("Undone: kind code");
    screen.wait_for_text("▾ licence  1 passage");
    let (column, line) = screen.find("▸ markup").unwrap();
    screen.click((column, line));
    screen.wait_for_text("▾ markup");
    screen.press("Z");
    screen.wait_for_text("Passages of the kind markup are listed in this corpus from now on; u undoes it");
    screen.wait_for_no("▾ markup");
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0);
    // What was open is open again; what was decided stays.
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for("the lines", |text| text.contains("▾ licence") && text.contains("▾ data"));
    assert!(!screen.text().contains("▸ markup"), "{}", screen.text());
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0);
    assert_eq!(kinds(&home, &[]), ["code", "code", "markup"]);
}
