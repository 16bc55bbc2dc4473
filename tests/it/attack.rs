//! Attacks on the real program: a damaged or replaced index, limits of the system, signals, and texts made to be
//! expensive. Each has a short form that runs with the other tests; all of them in a long form, bounded too, by
//!
//! ```text
//! cargo build --release
//! DUPI_BIN=$PWD/target/release/dupi-tui cargo test --test it attack -- --ignored --nocapture
//! ```
//!
//! It prints its figures as Markdown, for `assets/figures.md`. Kills are in `killed`, hostile names in `hostile`.

mod damage;
mod lies;
mod limits;
mod rivals;
mod signals;
mod texts;
mod trial;
mod waits;

pub(crate) use lies::sealed;

use crate::every_verb::command_lines;

use crate::support::page::{figure, publish};

/// A list of `verbs.txt`.
fn listed(list: &str) -> Vec<Vec<&'static str>> {
    command_lines(include_str!("attack/verbs.txt"), list)
}

#[test]
#[ignore = "long: some minutes"]
fn at_length() {
    figure!("| what | figure |");
    figure!("| --- | --- |");
    damage::at_length();
    lies::at_length();
    limits::at_length();
    signals::at_length();
    rivals::at_length();
    waits::at_length();
    publish("Attacks");
    texts::at_length();
    publish("Expensive texts");
}
