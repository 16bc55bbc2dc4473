//! Filters, saved and not, as a script gives them.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use crate::support::Home;
use serde_json::Value;

/// So many words, which stand nowhere else.
fn words(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ")
}

/// A long text twice in a folder, a short one four times in another, one copy of each in a third; an edited
/// text; and a piece of a script.
fn corpus() -> Home {
    let home = Home::new();
    let (long, short, edited) = (words("whale", 80), words("herring", 30), words("salmon", 50));
    home.write("old/a.txt", format!("one {long} end"));
    home.write("old/b.md", format!("two {long} stop"));
    for name in ["c", "d", "e", "f"] {
        home.write(&format!("new/{name}.txt"), format!("{name}{name} {short}"));
    }
    home.write("vendor/lib/g.txt", format!("both {long} and {short}"));
    home.write("prose/h.txt", &edited);
    home.write("prose/i.txt", edited.replace("salmon20 ", "trout "));
    let code = "for fish in lake.fishes(): boat.catch(fish, net(4), big) if fish.weight > 3 else lake.free(fish)\n\
        for boat in lake.boats(): harbour.moor(boat, rope(7), tight) if boat.size > 9 else beach.pull(boat)\n";
    home.write("run", format!("#!/usr/bin/env python3\n{code}"));
    home.write("run.py", code);
    home.stdout(&["index"]);
    home
}

/// The first words of the passages that pass.
fn passages(home: &Home, arguments: &[&str]) -> Vec<String> {
    let output =
        home.run(&[&["passages", "--json", "--no-update", "--min-tokens", "20"], arguments].concat());
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr);
    let text = output.stdout;
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let first = |row: Value| row["text"].as_str().unwrap().split(['0', ' ']).next().unwrap().to_owned();
    rows.map(first).collect()
}

#[test]
fn a_filter_chooses_passages() {
    let home = corpus();
    for (filter, expected) in [
        ("", &["herring", "whale", "for", "salmon"][..]),
        ("copies:>2", &["herring", "whale"]),
        ("copies:>2 -tokens:<50", &["whale"]),
        ("docs:2..3 score:>100", &["whale"]),
        ("path:old/**", &["whale"]),
        ("-path:vendor", &["for", "salmon"]),
        ("path:lib ext:txt", &["herring", "whale"]),
        ("ext:md", &["whale"]),
        ("lang:python", &["for"]),
        ("is:near", &["salmon"]),
        ("alike:100 -lang:py", &["herring", "whale"]),
        ("whale70", &["whale"]),
        ("wale33", &["whale"]),
        ("'wale33", &[]),
        ("vendr", &["herring", "whale"]),
        ("old/a", &["whale"]),
        ("\"salmon3  SALMON4\"", &["salmon"]),
        ("state:accepted", &[]),
        ("state:open path:prose", &["salmon"]),
        ("-whale1 -herring1 -\"fish in\"", &["salmon"]),
    ] {
        let mut found = passages(&home, &["--filter", filter]);
        found.sort();
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(found, expected, "{filter}");
    }
    let output = home.run(&["passages", "--filter", "'nothing_of_the_kind"]);
    assert_eq!(output.code, Some(1));
}

#[test]
fn taboo_passages_are_listed_when_they_are_asked_for() {
    let home = corpus();
    home.stdout(&["taboo", "add", &words("herring", 30)]);
    let found = |filter: &str| passages(&home, &["--filter", filter]);
    assert_eq!(found("is:taboo"), ["herring"]);
    assert_eq!(found("state:taboo,open path:vendor").len(), 2);
    assert_eq!(found("path:vendor"), ["whale"]);
    assert_eq!(passages(&home, &["--taboo", "--filter", "path:vendor -is:taboo"]), ["whale"]);
    assert_eq!(passages(&home, &["--taboo", "--filter", "path:vendor"]).len(), 2);
}

#[test]
fn passages_are_sorted_by_path_and_by_what_changed_last() {
    let home = corpus();
    // One second apart, the edited texts last but for the vendor's.
    let order = ["old/a.txt", "old/b.md", "new/c.txt", "run", "run.py", "prose/h.txt", "prose/i.txt"];
    let start = SystemTime::now() + Duration::from_secs(100);
    for (second, name) in (1..).zip(order) {
        let file = File::options().append(true).open(home.at(name)).unwrap();
        file.set_modified(start + Duration::from_secs(second)).unwrap();
    }
    home.stdout(&["index"]);
    assert_eq!(passages(&home, &["--sort", "recent"]), ["salmon", "for", "herring", "whale"]);
    let by_path = passages(&home, &["--sort", "path"]);
    let first =
        home.stdout(&["passages", "--no-update", "--min-tokens", "20", "--sort", "path", "--top", "1"]);
    assert_eq!(by_path.len(), 4);
    assert_eq!(by_path[0], "herring", "it stands in new/: {first}");
    let salmon = by_path.iter().position(|name| name == "salmon").unwrap();
    let code = by_path.iter().position(|name| name == "for").unwrap();
    assert!(salmon < code, "prose/ comes before run: {by_path:?}");
}

#[test]
fn a_filter_chooses_blots() {
    let home = corpus();
    let count = |filter: &str| {
        let output = home.run(&["extract", "--blots-only", "--no-update", "--filter", filter]);
        output.stdout.lines().count()
    };
    let all = count("");
    let (few, many) = (count("docs:<5"), count("docs:>=5"));
    assert!(few > 0 && many > 0 && few + many == all, "{few} {many} {all}");
    assert_eq!(count("path:new/**"), many);
    assert_eq!(count("is:near"), 0);
    // The text of a blot is that of its tile.
    let one = count("whale4");
    assert!(0 < one && one < count("path:old") && one == count("whale4 copies:3 tokens:5"), "{one}");
    assert_eq!(count("whale4 -path:old"), 0);
    let blot = home.stdout(&["extract", "--blots-only", "--no-update", "--filter", "whale4", "--top", "1"]);
    let term = format!("blot:{}", blot.trim_end());
    assert_eq!((count(&term), count(&format!("-{term}"))), (1, all - 1));
    assert_eq!(passages(&home, &["--filter", &term]), ["whale"]);
    assert_eq!(passages(&home, &["--filter", &format!("-{term}")]).len(), 3);
    let output = home.run(&["extract", "--filter", "passage:0123456789abcdef"]);
    assert_eq!(output.code, Some(2));
}

#[test]
fn what_is_wrong_in_a_filter_is_pointed_out() {
    let home = corpus();
    for verb in ["passages", "extract"] {
        let output = home.run(&[verb, "--filter", "-path:old copies:>x"]);
        assert_eq!(output.code, Some(2));
        let error = output.stderr;
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(
            lines,
            [
                "dupi-tui: copies:>x: expected a number, as in copies:>5",
                "-path:old copies:>x",
                "          ^^^^^^^^^"
            ]
        );
    }
}

#[test]
fn filters_are_saved_and_asked_for_by_name() {
    let home = corpus();
    assert_eq!(home.run(&["filter", "list"]).code, Some(1));
    home.stdout(&["filter", "save", "own", "-path:vendor"]);
    home.stdout(&["filter", "save", "near", "@own is:near"]);
    assert_eq!(home.stdout(&["filter", "list"]), "@near @own is:near\n@own -path:vendor\n");
    let first = home.stdout(&["filter", "list", "--json"]);
    assert_eq!(first.lines().next(), Some(r#"{"name":"near","filter":"@own is:near"}"#));
    assert_eq!(passages(&home, &["--filter", "@near"]), ["salmon"]);
    assert_eq!(passages(&home, &["--filter", "-@own copies:>4"]), ["herring"]);
    for (name, text, says) in [
        ("own", "@near", "cannot contain itself"),
        ("bad", "copies:x", "expected a number"),
        ("a b", "x", "is not a valid filter name"),
    ] {
        let output = home.run(&["filter", "save", name, text]);
        assert_eq!(output.code, Some(2), "{name}");
        assert!(output.stderr.contains(says), "{name}");
    }
    assert_eq!(home.stdout(&["filter", "remove", "own"]), "removed: -path:vendor\n");
    assert_eq!(home.run(&["filter", "remove", "own"]).code, Some(1));
    let output = home.run(&["passages", "--filter", "@near"]);
    assert!(output.stderr.contains("in @near: @own: unknown saved filter"));
    let file = home.settings().with_file_name("filters.toml");
    fs::write(&file, "a = 'x'\nb = 1\n").unwrap();
    let error = home.run(&["filter", "list"]).stderr;
    assert!(error.contains("filters.toml, line 2, column 5"), "{error}");
    assert_eq!(fs::read_to_string(file).unwrap(), "a = 'x'\nb = 1\n");
}

#[test]
fn what_the_rows_have_nothing_of_is_wrong_use() {
    let home = corpus();
    for (verb, filter, said) in [
        ("passages", "share:>50", "share: does not apply here; it applies to documents and files"),
        ("extract", "copies:>2 share:>50", "share: does not apply here; it applies to documents and files"),
        ("passages", "docs>5", "a colon is missing, as in docs:>5"),
        ("passages", "\"one", "a quote is not closed"),
    ] {
        home.refuses(&[verb, "--no-update", "--filter", filter], said);
    }
}
