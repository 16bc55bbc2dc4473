//! What the program prints, command by command: the files of `transcripts`, whose README describes their language.

use std::os::unix::net::UnixListener;

use crate::support::Home;
use crate::transcript::check;
use crate::{branches, main_job, printed_rows, review_screen, set_aside};

/// Makes the corpora that transcripts name.
fn make(home: &Home, name: &str) {
    match name {
        "socket" => drop(UnixListener::bind(home.at("socket")).unwrap()),
        "repository" => branches::found(home),
        "copied" => {
            branches::found(home);
            home.write("src/copy.c", branches::text(&[branches::function(5000), branches::function(100)]));
        }
        "branch" => {
            branches::found(home);
            review_screen::begin_branch(home);
        }
        "letters" => main_job::write_letters(home),
        "printed" => printed_rows::write_letters(home),
        "clusters" => write_clusters(home),
        "set_aside" => {
            set_aside::files().iter().for_each(|(name, text)| home.write(name, text));
            home.stdout(&["index", "-q"]);
        }
        other => panic!("there is no corpus {other}"),
    }
}

/// Two equal trees, and two letters that differ in one word.
fn write_clusters(home: &Home) {
    let text = |name: &str, replaced: &str| -> String {
        let line = |number: usize| {
            let word = if number == 7 { replaced } else { "boat" };
            format!("{name} line {number} says that the {word} is in the harbour of {name} {number}\n")
        };
        (0..20).map(line).collect()
    };
    for (tree, file) in [("one", "a"), ("one", "b"), ("two", "a"), ("two", "b")] {
        home.write(&format!("{tree}/{file}.txt"), text(&format!("tree{file}"), "boat"));
    }
    home.write("first.txt", text("letter", "boat"));
    home.write("second.txt", text("letter", "vessel"));
}

macro_rules! transcripts {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), make);
        })*
    };
}

transcripts! {
    decisions exclude filters folders help history ignored index kinds near near_identical near_methods others_files passages
    recognised reports repositories representatives review screens settings shares simhash suppressed verbs
}
