//! `-g`, `-t` and `-T`: an index has the files that it was built with, and a verb looks at some of them without changing it.

use serde_json::Value;

use crate::support::Home;

const SHARED: &str = "int drain(struct queue *q) { int n = 0; while (q->head != q->tail) { n += q->slot[q->head]; \
    q->head = (q->head + 1) % q->size; } q->last = n; return n > q->limit ? q->limit : n; }\n";
const OTHER: &str = "long fill(struct queue *q, int from) { long left = q->size - from; for (int i = from; i < q->size; i++) \
    { q->slot[i] = left--; if (left < 0) break; } q->tail = from; return left + q->limit * 2; }\n";

fn sources() -> Home {
    let home = Home::new();
    home.write("a.c", format!("{SHARED}// a\n{OTHER}"));
    home.write("src/b.c", format!("// b\n{SHARED}"));
    home.write("src/c.h", format!("// c\n{SHARED}// c again\n{OTHER}"));
    home.write("vendor/d.c", format!("// d\n{OTHER}"));
    home.write("vendor/e.h", format!("// e\n{OTHER}"));
    home
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All copies of all rows: path and first byte.
fn copies(text: &str) -> Vec<(String, u64)> {
    let rows = rows(text);
    let copies = rows.iter().flat_map(|row| row["occurrences"].as_array().unwrap());
    let place = |copy: &Value| (copy["path"].as_str().unwrap().to_owned(), copy["start"].as_u64().unwrap());
    let mut copies: Vec<_> = copies.map(place).collect();
    copies.sort();
    copies
}

const CHOICES: [&[&str]; 6] = [
    &["-g", "*.c"],
    &["-t", "c"],
    &["-T", "c"],
    &["-g", "!vendor"],
    &["-g", "src/**", "-g", "a.c"],
    &["-g*.h", "-g!c.h"],
];

#[test]
fn a_verb_finds_what_it_would_in_an_index_of_the_chosen_files_alone() {
    let home = sources();
    home.stdout(&["index"]);
    let verbs: [&[&str]; 6] = [
        &["passages", "--json", "--members"],
        &["documents", "--json"],
        &["files", "--json", "--depth", "3"],
        &["extract", "--json"],
        &["near", "--json", "--method", "minhash", "--threshold", "0.3"],
        &["like", "--json", "a.c"],
    ];
    for choice in CHOICES {
        let built = sources();
        // Indexed with the same rules.
        built.run(&[&["index"], choice].concat());
        for verb in verbs {
            let chosen = home.run(&[verb, choice].concat());
            let expected = built.run(verb);
            assert_eq!((chosen.code, chosen.stdout), (expected.code, expected.stdout), "{verb:?} {choice:?}");
        }
    }
}

#[test]
fn a_choice_changes_neither_the_index_nor_what_is_kept_in_it() {
    let home = sources();
    let before = home.stdout(&["passages", "--json"]);
    let kept = home.stdout(&["inspect", "--json"]);
    for choice in CHOICES {
        home.run(&[&["passages", "--json"], choice].concat());
        home.run(&[&["extract", "--json"], choice].concat());
    }
    assert_eq!(home.stdout(&["passages", "--json", "--no-update"]), before);
    assert_eq!(home.stdout(&["inspect", "--json"]), kept);
}

#[test]
fn a_narrower_choice_finds_nothing_that_a_wider_one_does_not() {
    let home = sources();
    let found = |choice: &[&str]| {
        let options = ["passages", "--json", "--gap", "0", "--members"];
        copies(&home.run(&[&options, choice].concat()).stdout)
    };
    let all = found(&[]);
    let c = found(&["-g", "*.c"]);
    let narrow = found(&["-g", "*.c", "-g", "!vendor"]);
    assert!(all.len() > c.len() && c.len() > narrow.len() && !narrow.is_empty(), "{all:?} {c:?} {narrow:?}");
    assert!(c.iter().all(|copy| all.contains(copy)) && narrow.iter().all(|copy| c.contains(copy)));
}

#[test]
fn an_index_remembers_its_files_and_a_wrong_choice_is_refused() {
    let home = sources();
    home.stdout(&["index", "-t", "c", "-T", "h", "-g", "!vendor"]);
    let documents = |home: &Home| rows(&home.stdout(&["inspect", "--json"]))[0]["documents"].as_u64();
    assert_eq!(documents(&home), Some(2));
    home.write("f.c", SHARED);
    home.stdout(&["index", "-j", "2"]);
    assert_eq!(documents(&home), Some(3));
    for (choice, said) in [
        (["-t", "nonsuch"], "no such file type"),
        (["-T", "nonsuch"], "no such file type"),
        (["-g", "["], "--glob ["),
    ] {
        for verb in ["index", "passages"] {
            let refused = home.run(&[&[verb][..], &choice].concat());
            assert_eq!(refused.code, Some(2), "{verb} {choice:?}");
            assert!(refused.stderr.contains(said), "{verb} {choice:?}");
        }
    }
    home.stdout(&["index", "-L", "--help"]);
}
