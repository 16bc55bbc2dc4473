//! How soon a change of a large repository is reviewed.

use std::path::Path;
use std::process::Command;

use crate::support::page::figure;
use crate::support::{Home, text};
use crate::{best, seconds};

/// What a review prints does not matter here, nor do its decisions.
const REVIEW: [&str; 5] = ["review", "--json", "--no-screen", "--no-ignore", "--fail-on"];

/// Prints the figures for what is checked out in a repository, since a base.
pub fn figures(repository: &Path, base: &str) {
    let home = Home::new();
    let index = best(&home, &["index", "--rebuild", "--no-ignore", text(repository)]).0;
    let review = [&REVIEW[..], &["never", "-C", text(repository), base]].concat();
    let (warm, peak) = best(&home, &review);
    let (cold, peak_cold) = best(&home, &[&review[..], &["--rebuild"]].concat());
    figure!("| what | figure |");
    figure!("| --- | --- |");
    figure!("| the change |{} |", changed(repository, base));
    figure!("| an index | {:.2} s |", seconds(index));
    figure!("| `review`, with the index | {:.2} s, {peak} MiB of memory at the most |", seconds(warm));
    figure!(
        "| `review --rebuild` | {:.2} s ({:.2} × the index), {peak_cold} MiB of memory at the most |",
        seconds(cold),
        seconds(cold) / seconds(index)
    );
}

/// The files and lines of the change, as git counts them.
fn changed(repository: &Path, base: &str) -> String {
    let git = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(["diff", "--shortstat", "--merge-base", base])
        .output()
        .unwrap();
    String::from_utf8(git.stdout).unwrap().trim_end().to_owned()
}
