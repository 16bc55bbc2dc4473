//! Several processes that make one thing at once, and lists that are far longer than a person makes.

use std::fmt::Write;
use std::fs;

use super::trial::{Limits, Trial, run};
use crate::support::Home;
use crate::support::page::figure;

/// A corpus of files of which each two are equal, of a paragraph each.
fn corpus(files: usize) -> Home {
    let home = Home::new();
    for file in 0..files {
        home.write(&format!("{file}.txt"), paragraph(file / 2));
    }
    home
}

fn paragraph(number: usize) -> String {
    (0..30).map(|at| format!("w{number}x{at} ")).collect()
}

#[test]
fn builders_of_one_segment_at_once_make_one_segment() {
    let home = corpus(60);
    assert!(
        run(&home, &["segment", "plan", "--tasks", "1", "--out", "../plan"], Limits::default()).is_done()
    );
    let build = ["segment", "build", "--plan", "../plan", "--task", "0", "--out", "../built"];
    let rivals: Vec<Trial> = (0..4).map(|_| Trial::start(&home, &build, Limits::default())).collect();
    let mut built: Vec<String> = Vec::new();
    for rival in rivals {
        let outcome = rival.finish();
        outcome.check("a rival");
        assert!(outcome.is_done(), "{}", outcome.stderr);
        built.push(outcome.stdout.trim().to_owned());
    }
    built.dedup();
    assert_eq!(built.len(), 1, "{built:?}");
    assert_eq!(fs::read_dir(home.at("../built")).unwrap().count(), 1, "drafts are left");
    let adopted = run(&home, &["segment", "adopt", &built[0]], Limits::default());
    assert!(adopted.is_done() && adopted.stdout.contains("60 documents"), "{adopted:?}");
}

/// Hides all passages of a corpus but one by a list of so many entries; the times of adding one more, and of the passages.
fn long_list(entries: usize) -> [f64; 2] {
    let home = corpus(2 * entries + 2);
    let list = (0..entries).fold(String::new(), |mut list, entry| {
        let _ = writeln!(list, "[[taboo]]\ntext = \"{}\"\nadded = \"2026-01-01\"\n", paragraph(entry));
        list
    });
    home.write("../list.toml", list);
    for verb in [&["index", "-q"][..], &["taboo", "import", "../list.toml"]] {
        assert!(run(&home, verb, Limits::default()).is_done(), "{verb:?}");
    }
    home.write("../another", "a text that is hidden as well, though it stands in no document of the corpus");
    let added = run(&home, &["taboo", "add", "../another"], Limits::default());
    assert!(added.is_done(), "{}", added.stderr);
    let shown = run(&home, &["passages", "--json", "--no-update"], Limits::default());
    assert_eq!(shown.stdout.lines().count(), 1, "{}", shown.stderr);
    [added.time.as_secs_f64(), shown.time.as_secs_f64()]
}

#[test]
fn a_long_taboo_list_hides_all_that_it_names() {
    long_list(300);
}

/// The long form.
pub fn at_length() {
    let [added, shown] = long_list(10_000);
    figure!("| a taboo list of 10,000 entries: adding one · passages | {added:.2} s · {shown:.2} s |");
}
