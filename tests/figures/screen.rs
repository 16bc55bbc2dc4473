//! What a user waits for, in a pseudo-terminal.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::page::figure;
use crate::support::{Home, text};

/// What a user waits for.
pub fn figures(home: &Home, corpus: &Path) {
    let started = Instant::now();
    let mut screen = home.open((120, 40), &[text(corpus)], &[]);
    screen.wait_for_text("opening…");
    figure!("| first frame | {:.0} ms |", started.elapsed().as_secs_f64() * 1e3);
    screen.wait_for_text("row 1 of");
    figure!("| reopened, to the full list | {:.0} ms |", started.elapsed().as_secs_f64() * 1e3);
    screen.wait_for("an idle indexer", |text| text.contains("watching") && text.contains("copy 1 of"));
    let mut slowest = Duration::ZERO;
    for number in 2..60 {
        let started = Instant::now();
        screen.send("j");
        screen.wait_for("the next row's copies", |text| {
            text.contains(&format!("row {number} of")) && text.contains("copy 1 of")
        });
        slowest = slowest.max(started.elapsed());
    }
    figure!(
        "| moving to another row, to its copies, slowest of 58 | {:.0} ms |",
        slowest.as_secs_f64() * 1e3
    );
    let file = corpus.join("dupi-figures-probe.txt");
    let probe = "seven figures probed the perfectly unprecedented sentence of this measurement ".repeat(4);
    let before: String = screen.text().lines().take(1).collect();
    fs::write(&file, probe).unwrap();
    let started = Instant::now();
    screen.wait_for("a new state", |text| !text.starts_with(&before) && text.contains("watching"));
    figure!(
        "| a file written in the folder, to the next generation on the screen | {:.0} ms |",
        started.elapsed().as_secs_f64() * 1e3
    );
    let started = Instant::now();
    screen.send("/perfectly unprecedented\r");
    screen.wait_for_text("row 1 of 1");
    figure!("| a filter that finds one row | {:.0} ms |", started.elapsed().as_secs_f64() * 1e3);
    fs::remove_file(&file).unwrap();
    screen.send("q");
    screen.wait_for_end();
}
