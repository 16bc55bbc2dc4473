//! What the program prints, command by command: the files of `transcripts`, whose README describes their language.

use std::os::unix::net::UnixListener;

use crate::support::Home;
use crate::transcript::check;
use crate::{branches, set_aside};

/// Makes the corpora that transcripts name.
fn make(home: &Home, name: &str) {
    match name {
        "socket" => drop(UnixListener::bind(home.at("socket")).unwrap()),
        "repository" => branches::found(home),
        "copied" => {
            branches::found(home);
            home.write("src/copy.c", branches::text(&[branches::function(5000), branches::function(100)]));
        }
        "set_aside" => {
            set_aside::files().iter().for_each(|(name, text)| home.write(name, text));
            home.stdout(&["index", "-q"]);
        }
        other => panic!("there is no corpus {other}"),
    }
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
    recognised reports repositories representatives review settings shares simhash suppressed verbs
}
