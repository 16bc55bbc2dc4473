//! The figures of `assets/figures.md`, measured on any folder by one command, and printed as Markdown:
//!
//! ```text
//! DUPI_FIGURES=~/corpus cargo test --release --test figures -- --ignored --nocapture
//! ```
//!
//! With `DUPI_FIGURES_PAGE=write` they take the place of those on the page.
//!
//! Those of passages are a table of their own, measured before or behind the other, and alone when `passages`
//! follows `--test figures`; so are those of the screen under load, by `feel`. `DUPI_FIGURES_SMALL` names the part of the folder that they are compared with.
//!
//! How passages follow a change is measured alone, when `amended` follows.
//!
//! Those of documents that resemble each other are measured alone, when `near` follows, beside `datasketch` and `rensa` if
//! `DUPI_PYTHON`, or `python3`, has them. `DUPI_FIGURES_NEWS` names a folder of short texts for SpotSigs.
//!
//! Those of equal passages beside the clones of `jscpd` are measured alone, when `clones` follows.
//!
//! Those of a review are measured alone, when `reviewed` follows: of what is checked out in the folder, which is a
//! repository, since the commit or branch that `DUPI_FIGURES_BASE` names, or else `main`.
//!
//! Those of jobs on Spark are measured alone, when `on_spark` follows: `DUPI_FIGURES` names folders, separated by colons, and
//! `DUPI_SPARK_SUBMIT` Spark's spark-submit.
//!
//! Those of reading long documents are measured alone, on documents made for it, when `reading` follows.
//!
//! Beside them, in the same run: `cat` and `wc -w` over the same files, and over a part of them `jscpd` (the
//! one in Rust) and `sim_text` (of similarity-tester), where these are installed. The folder is read once
//! before, so that its files are in the page cache; it is written to and left as it was.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test program: it is its own crate, and fails by a panic"
)]

mod amended;
mod ask;
mod clones;
mod feel;
mod live;
mod near;
mod passages;
mod peers;
mod reading;
mod review;
mod screen;
mod spark;
mod stages;
#[path = "../support/mod.rs"]
mod support;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use dupi::storage::Folder;
use support::page::{figure, publish};
use support::{Home, text};

/// The program while it runs.
struct Running {
    what: String,
    child: Child,
    started: Instant,
}

impl Running {
    /// Starts it.
    fn start(home: &Home, arguments: &[&str], output: Stdio) -> Self {
        let started = Instant::now();
        let child = Command::new(support::program())
            .args(arguments)
            .env("HOME", home.at(".."))
            .env("XDG_DATA_HOME", home.at("../data"))
            .stdout(output)
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        Self { what: format!("{arguments:?}"), child, started }
    }

    /// What it prints.
    fn output(&mut self) -> ChildStdout {
        self.child.stdout.take().unwrap()
    }

    /// Waits until it has ended well: how long it took, and its peak memory in MiB.
    fn watch(mut self) -> (Duration, u64) {
        let mut peak = 0;
        loop {
            peak = peak.max(support::process::memory(self.child.id(), "VmHWM").unwrap_or(0) / 1024);
            if let Some(status) = self.child.try_wait().unwrap() {
                let time = self.started.elapsed();
                assert!(status.success(), "{}: {status}", self.what);
                return (time, peak);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Runs the program: what it printed, how long it took, and its peak memory in MiB.
fn run(home: &Home, arguments: &[&str]) -> (String, Duration, u64) {
    let mut running = Running::start(home, arguments, Stdio::piped());
    let mut output = running.output();
    let printed = thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        text
    });
    let (time, peak) = running.watch();
    (printed.join().unwrap(), time, peak)
}

/// Runs the program and returns what it printed, the time it took and its peak memory, over a few runs: those
/// of the fastest.
fn best(home: &Home, arguments: &[&str]) -> (Duration, u64) {
    let runs = (0..3).map(|_| run(home, arguments)).map(|(_, time, peak)| (time, peak));
    runs.min().unwrap()
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// While the guard lives nothing else is measured.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder that is measured, and nothing else meanwhile.
fn corpus() -> (PathBuf, MutexGuard<'static, ()>) {
    (std::env::var_os("DUPI_FIGURES").expect("DUPI_FIGURES names the folder").into(), alone())
}

#[test]
#[ignore = "measures; see the head of the file"]
fn figures() {
    let (corpus, _alone) = corpus();
    let home = Home::new();
    let files = peers::Files::of(&corpus);
    figure!("| what | figure |");
    figure!("| --- | --- |");
    figure!("| the files | {}, {:.1} MiB |", files.count(), files.bytes() as f64 / f64::from(1 << 20));
    files.cat();
    let cat = files.cat();
    figure!("| `cat` | {:.2} s |", seconds(cat));
    figure!("| `wc -w` | {:.2} s |", seconds(files.wc()));
    for profile in ["compact", "dupi", "default"] {
        build(&home, &corpus, profile, files.cat());
    }
    let single = best(&home, &["index", "--rebuild", "--threads", "1", text(&corpus)]).0;
    let double = best(&home, &["index", "--rebuild", "--threads", "2", text(&corpus)]).0;
    figure!("| two threads for one | {:.2} times as fast |", seconds(single) / seconds(double));
    let part = peers::part_of(&corpus);
    let of_part = peers::Files::of(&part);
    of_part.cat();
    let time = best(&home, &["index", "--rebuild", text(&part)]).0;
    let per_byte = |time: Duration, files: &peers::Files| seconds(time) / files.bytes() as f64;
    figure!(
        "| time a byte, for all against `{}` ({:.0} MiB) | {:.2} times |",
        part.file_name().unwrap_or_default().display(),
        of_part.bytes() as f64 / f64::from(1 << 20),
        per_byte(double, &files) / per_byte(time, &of_part)
    );
    figure!("| the index of that part | {:.2} s |", seconds(time));
    of_part.compare();
    run(&home, &["index", text(&corpus)]);
    figure!("| to know that nothing changed | {:.2} s |", seconds(best(&home, &["index", text(&corpus)]).0));
    let first = best(&home, &["extract", "-b", "--top", "1000", "--no-update", "-C", text(&corpus)]).0;
    figure!("| the first 1,000 rows of a finished index, as a command | {:.0} ms |", milliseconds(first));
    let told = inspect(&home, &corpus);
    ask::figures(&Folder::new(told["index"].as_str().unwrap()));
    screen::figures(&home, &corpus);
    let session = tempdir().unwrap();
    live::figures(&corpus, session.path().join("index"));
    publish("Index");
}

#[test]
#[ignore = "measures; see the head of the file"]
fn feel() {
    let (corpus, _alone) = corpus();
    feel::figures(&Home::new(), &corpus);
    publish("The screen under load");
}

#[test]
#[ignore = "measures; see the head of the file"]
fn passages() {
    let (corpus, _alone) = corpus();
    let small = std::env::var_os("DUPI_FIGURES_SMALL");
    passages::figures(&corpus, &small.map_or_else(|| peers::part_of(&corpus), PathBuf::from));
    publish("Passages");
}

#[test]
#[ignore = "measures; see the head of the file"]
fn amended() {
    let (corpus, _alone) = corpus();
    amended::figures(&corpus);
    publish("Passages after a change");
}

#[test]
#[ignore = "measures; see the head of the file"]
fn clones() {
    let (corpus, _alone) = corpus();
    clones::figures(&corpus);
    publish("Clones");
}

#[test]
#[ignore = "measures; see the head of the file"]
fn near() {
    let (corpus, _alone) = corpus();
    near::figures(&corpus);
    publish("Near documents, time");
}

#[test]
#[ignore = "measures; see the head of the file"]
fn reviewed() {
    let (repository, _alone) = corpus();
    let base = std::env::var("DUPI_FIGURES_BASE").unwrap_or_else(|_| "main".to_owned());
    review::figures(&repository, &base);
    publish("Review");
}

#[test]
#[ignore = "measures; needs no folder"]
fn reading() {
    let _alone = alone();
    reading::figures();
    publish("Long documents");
}

#[test]
#[ignore = "measures; see the head of the file"]
fn on_spark() {
    let (corpora, _alone) = corpus();
    spark::figures(&std::env::split_paths(&corpora).collect::<Vec<_>>());
    publish("Jobs on Spark");
}

/// Builds an index with the budget that is the default, and with a small one.
fn build(home: &Home, corpus: &Path, profile: &str, cat: Duration) {
    let (time, peak) = best(home, &["index", "--rebuild", "--profile", profile, text(corpus)]);
    let told = inspect(home, corpus);
    let (index, source) = (told["index_bytes"].as_f64().unwrap(), told["bytes"].as_f64().unwrap());
    figure!(
        "| complete index on the disk, profile `{profile}` | {:.2} s ({:.1} × `cat`), {:.1} % of the input, {peak} MiB of memory at the most |",
        seconds(time),
        seconds(time) / seconds(cat),
        index / source * 100.0,
    );
    let (small, peak) =
        best(home, &["index", "--rebuild", "--memory", "256M", "--profile", profile, text(corpus)]);
    figure!(
        "| the same with `--memory 256M` | {:.2} × the time, {peak} MiB of memory at the most |",
        seconds(small) / seconds(time)
    );
}

fn inspect(home: &Home, corpus: &Path) -> serde_json::Value {
    let told = run(home, &["inspect", "--json", "--no-update", "-C", text(corpus)]).0;
    serde_json::from_str(&told).unwrap()
}
