//! The representative of a passage is the copy that the others are like, wherever it stands.

use std::collections::BTreeMap;

use crate::naive::indexed;
use crate::support::{Home, lines, words};
use dupi::index::snapshot::Snapshot;
use dupi::judge::PassageOrder;
use dupi::judge::passages::Passage;
use dupi::judge::search::{Passages, SearchSettings};
use serde_json::Value;

/// A table in ten files. Over the first of them, and over three others, stands a header that the rest lack.
fn tables() -> BTreeMap<String, String> {
    let (header, table, footer) = (words("header", 56), words("cell", 84), words("footer", 20));
    let text = |number: usize| match number {
        0 | 7 => format!("{header}{table}{footer}"),
        8 | 9 => format!("{header}{table}"),
        _ => table.clone(),
    };
    (0..10)
        .map(|number| (format!("{number}.txt"), format!("own{number} {} end{number}", text(number))))
        .collect()
}

fn find(snapshot: &Snapshot) -> Vec<Passage> {
    let settings = SearchSettings::default();
    Passages::find(snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap().found
}

#[test]
fn a_header_over_the_first_copy_is_not_what_the_others_are_compared_with() {
    let documents = tables();
    let (_folder, snapshot) = indexed(&documents, |usual| usual);
    let found = find(&snapshot);
    let most = &found[0];
    assert_eq!((most.copies.len(), most.tokens()), (10, 84), "{found:?}");
    let similarities: Vec<f32> = most.copies.iter().map(|copy| copy.similarity).collect();
    assert_eq!(similarities, [0.6, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.6, 0.6, 0.6]);
    assert_eq!(most.representative, 1);
}

/// The passages, as `passages --json` prints them.
fn rows(home: &Home, arguments: &[&str]) -> Vec<Value> {
    lines(&home.stdout(&[&["passages", "--json"], arguments].concat()))
}

#[test]
fn a_given_copy_is_what_the_others_are_compared_with() {
    let home = Home::new();
    for (name, text) in tables() {
        home.write(&format!("{}/{name}", if *name < *"5" { "a" } else { "b" }), text);
    }
    let usual = &rows(&home, &[])[0];
    let similarities = |row: &Value| -> Vec<f64> {
        let copies = row["occurrences"].as_array().unwrap();
        copies.iter().map(|copy| copy["similarity"].as_f64().unwrap()).collect()
    };
    let absolute = home.at("b/8.txt");
    for base in ["b/8.txt", "./b/8.txt", absolute.to_str().unwrap()] {
        let row = &rows(&home, &["--base", base])[0];
        assert_eq!((&row["id"], &row["worth"]), (&usual["id"], &usual["worth"]));
        assert_eq!((&row["tokens"], row["copies"].as_u64()), (&Value::from(140), Some(10)));
        assert!(row["text"].as_str().unwrap().starts_with("header0 "));
        assert_eq!(similarities(row), [1.0, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 1.0, 1.0, 1.0]);
    }
    // Of the copies in a folder the one that is most like the representative; elsewhere nothing changes.
    let of_b = &rows(&home, &["--base", "b"])[0];
    assert_eq!((&of_b["tokens"], similarities(of_b)), (&usual["tokens"], similarities(usual)));
    home.write("alone.txt", "nothing of the kind");
    assert_eq!(rows(&home, &["--base", "alone.txt"]), rows(&home, &[]));
    let wrong = home.run(&["passages", "--base", "nowhere"]);
    assert!(wrong.stderr.contains("no document lies in nowhere"));
}

#[test]
fn a_given_copy_is_compared_by_the_measure_of_the_search() {
    let home = Home::new();
    for (name, text) in tables() {
        home.write(&name, &text);
        if name == "3.txt" {
            // Two copies in one document.
            home.write(&name, format!("{text}\n{} {text}", words("between", 30)));
        }
    }
    for one_sided in [&[][..], &["--one-sided"]] {
        let similarities = |base: &[&str]| {
            let rows = rows(&home, &[one_sided, base].concat());
            let copies = rows[0]["occurrences"].as_array().unwrap();
            copies
                .iter()
                .map(|copy| {
                    (copy["path"].clone(), copy["line"].clone(), copy["similarity"].as_f64().unwrap())
                })
                .collect::<Vec<_>>()
        };
        let usual = similarities(&[]);
        assert_eq!(usual.len(), 11);
        let of_table = usual.iter().position(|copy| copy.0 == "1.txt").unwrap();
        for base in ["8.txt", "0.txt", "3.txt"] {
            let given = similarities(&["--base", base]);
            let at = usual.iter().position(|copy| copy.0 == base).unwrap();
            assert_eq!(given[of_table].2, usual[at].2, "{one_sided:?} {base}");
            let are_equal = given.iter().all(|copy| copy.2 == 1.0);
            assert_eq!(are_equal, !one_sided.is_empty(), "each holds the table or is it");
        }
    }
}

#[test]
fn the_edits_are_those_of_the_given_copy() {
    let home = Home::new();
    let text = words("bird", 40);
    home.write("a.txt", &text);
    home.write("b.txt", text.replace("bird20 ", "raven "));
    let output = home.stdout(&["passages", "--edits", "--base", "b.txt"]);
    assert!(output.contains("[-raven-]{+bird20+}"), "{output}");
}
