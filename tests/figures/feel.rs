//! How the screen feels while the corpus is indexed: frames and keys, by the program's own log of them.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Screen;
use crate::support::page::figure;
use crate::support::process::{memory, processor_time};
use crate::support::{Home, text};

/// Between two keys: as fast as one that is held down.
const BETWEEN: Duration = Duration::from_millis(16);
/// How long an idle program is watched.
const IDLE: Duration = Duration::from_secs(10);

/// Frames and keys while all is indexed for the first time and searched, then an idle program.
pub fn figures(home: &Home, corpus: &Path) {
    let log = home.at("frames");
    let index = home.at("feel");
    let arguments = ["--frame-log", text(&log), "--index", text(&index), text(corpus)];
    let started = Instant::now();
    let mut screen = home.open((120, 40), &arguments, &[("EDITOR", "true")]);
    screen.wait_for_text("opening…");
    figure!("| what | figure |");
    figure!("| --- | --- |");
    figure!("| first frame of a folder that was never indexed | {:.0} ms |", millis(started.elapsed()));
    screen.wait_for_text("row 1 of");
    let keys = scroll_while(&mut screen, |text| text.contains("indexing"));
    told(&log, &format!("{keys} keys while it indexes"));
    let before = lines(&log);
    // Until passages are found, rows of blots stand in for them.
    let keys = scroll_while(&mut screen, |text| !has_passages(text));
    told_from(&log, before, &format!("{keys} keys while it looks for passages"));
    screen.settle();
    idle(&screen, "with passages");
    screen.press("3");
    screen.wait_for_text("share");
    screen.settle();
    screen.press("2 q");
    screen.wait_for_end();
    // The second time nothing is indexed, and blots need no search.
    let mut screen = home.open((120, 40), &arguments, &[("EDITOR", "true")]);
    screen.wait_for("blots and their copies", |text| text.contains("watching") && text.contains("copy "));
    screen.settle();
    idle(&screen, "with blots, reopened");
    screen.press("q");
    screen.wait_for_end();
}

/// Whether the list is one of passages: these are sorted by their copies.
fn has_passages(screen: &str) -> bool {
    screen.lines().nth(2).is_some_and(|head| head.contains("copies▼"))
}

/// Presses keys for as long as the screen is so; how many.
fn scroll_while(screen: &mut Screen, is_so: impl Fn(&str) -> bool) -> usize {
    let mut count = 0;
    let mut keys = ["Esc", "j", "j", "PgDn", "k", "n", "Enter", "j", "PgDn", "j", "Esc", "PgDn", "PgUp"]
        .into_iter()
        .cycle();
    while is_so(&screen.text()) && count < 6000 {
        if let Some(key) = keys.next() {
            screen.press(key);
            count += 1;
        }
        screen.take_until(Instant::now() + BETWEEN);
    }
    count
}

/// Processor time and memory of a program that has nothing to do.
fn idle(screen: &Screen, what: &str) {
    let before = processor_time(screen.process());
    thread::sleep(IDLE);
    let spent = processor_time(screen.process()) - before;
    figure!("| idle {what} | {:.2} % of a core |", spent.as_secs_f64() / IDLE.as_secs_f64() * 100.0);
    let mib = |figure| memory(screen.process(), figure).unwrap_or(0) / 1024;
    figure!("| memory {what} | {} MiB, {} MiB of it not mapped from files |", mib("VmRSS"), mib("RssAnon"));
}

fn lines(log: &Path) -> usize {
    fs::read_to_string(log).map_or(0, |text| text.lines().count())
}

fn told(log: &Path, what: &str) {
    told_from(log, 0, what);
}

/// What the log says from some line on.
fn told_from(log: &Path, from: usize, what: &str) {
    let text = fs::read_to_string(log).unwrap();
    for kind in ["frame", "key"] {
        let mut times: Vec<u64> =
            text.lines().skip(from).filter_map(|line| line.strip_prefix(kind)?.trim().parse().ok()).collect();
        times.sort_unstable();
        let at = |share: f64| {
            times.get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1)))
        };
        let shown = |share| at(share).map_or(0.0, |&micros| micros as f64 / 1e3);
        figure!(
            "| {what}: {kind}s, {} | p50 {:.1} · p99 {:.1} · slowest {:.1} ms |",
            times.len(),
            shown(0.5),
            shown(0.99),
            shown(1.0)
        );
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
