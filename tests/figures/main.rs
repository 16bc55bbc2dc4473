//! The README's figures, measured on any folder by one command:
//!
//! ```text
//! DUPI_FIGURES=~/corpus cargo test --release --test figures -- --ignored --nocapture
//! ```
//!
//! The folder is read once before, so that its files are in the page cache.

mod ask;
mod live;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{Home, text};

/// Reads every file below a folder, one after the other, as `cat` does: bytes, and the time it took.
fn cat(folder: &Path) -> (u64, Duration) {
    fn read(folder: &Path, buffer: &mut Vec<u8>) -> u64 {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let bytes = entries.map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => read(&entry.path(), buffer),
            Ok(kind) if kind.is_file() => {
                buffer.clear();
                fs::File::open(entry.path()).and_then(|mut file| file.read_to_end(buffer)).unwrap_or(0) as u64
            }
            _ => 0,
        });
        bytes.sum()
    }
    let started = Instant::now();
    (read(folder, &mut Vec::new()), started.elapsed())
}

/// Runs the program: what it printed, how long it took, and its peak memory in MiB.
fn run(home: &Home, arguments: &[&str]) -> (String, Duration, u64) {
    let started = Instant::now();
    let mut child = Command::new(support::program())
        .args(arguments)
        .env("HOME", home.at(".."))
        .env("XDG_DATA_HOME", home.at("../data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let printed = thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        text
    });
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    loop {
        let memory = fs::read_to_string(&status).unwrap_or_default();
        let line = memory.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) / 1024);
        if let Some(status) = child.try_wait().unwrap() {
            let time = started.elapsed();
            assert!(status.success(), "{arguments:?}");
            return (printed.join().unwrap(), time, peak);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
#[ignore = "measures; see the head of the file"]
fn live_figures() {
    let corpus = PathBuf::from(std::env::var_os("DUPI_FIGURES").expect("DUPI_FIGURES names the folder"));
    let home = tempfile::tempdir().unwrap();
    live::figures(&corpus, home.path().join("index"));
}

#[test]
#[ignore = "measures; see the head of the file"]
fn ask_figures() {
    ask::figures(&dupi::storage::Folder::new("/tmp/ix-default"));
}

#[test]
#[ignore = "measures; see the head of the file"]
fn figures() {
    let corpus = PathBuf::from(std::env::var_os("DUPI_FIGURES").expect("DUPI_FIGURES names the folder"));
    let home = Home::new();
    cat(&corpus);
    let (bytes, cat_time) = cat(&corpus);
    println!("| what | figure |\n| --- | --- |");
    println!("| bytes of the files | {:.1} MiB |", bytes as f64 / f64::from(1 << 20));
    println!("| reading them all, one after the other | {:.2} s |", cat_time.as_secs_f64());
    for profile in ["compact", "dupi", "default"] {
        let (_, time, peak) = run(&home, &["index", "--rebuild", "--profile", profile, text(&corpus)]);
        let told = run(&home, &["inspect", "--json", "--no-update", "-C", text(&corpus)]).0;
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let (index, source) = (told["index_bytes"].as_f64().unwrap(), told["bytes"].as_f64().unwrap());
        println!(
            "| complete index, profile `{profile}` | {:.2} s ({:.1} × reading), {:.1} % of the input, {peak} MiB of memory at the most |",
            time.as_secs_f64(),
            time.as_secs_f64() / cat_time.as_secs_f64(),
            index / source * 100.0,
        );
    }
    let (_, time, _) = run(&home, &["index", text(&corpus)]);
    println!("| to know that nothing changed | {:.2} s |", time.as_secs_f64());
    let (blots, time, _) =
        run(&home, &["extract", "-b", "--top", "1000", "--no-update", "-C", text(&corpus)]);
    println!("| the first 1,000 blots of a finished index | {:.0} ms |", time.as_secs_f64() * 1e3);
    let blots: Vec<&str> = blots.lines().collect();
    let mut times: Vec<Duration> = blots
        .iter()
        .skip(blots.len() / 2)
        .step_by(10)
        .map(|blot| run(&home, &["unblot", blot, "--no-update", "-C", text(&corpus)]).1)
        .collect();
    times.sort();
    if let Some(median) = times.get(times.len() / 2) {
        println!(
            "| unblot, median over blots among them, all copies verified | {:.0} ms |",
            median.as_secs_f64() * 1e3
        );
    }
    screen_figures(&home, &corpus);
}

/// What a user waits for.
fn screen_figures(home: &Home, corpus: &Path) {
    let started = Instant::now();
    let mut screen = home.open((120, 40), &[text(corpus)], &[]);
    screen.wait_for_text("opening…");
    println!("| first frame | {:.0} ms |", started.elapsed().as_secs_f64() * 1e3);
    screen.wait_for_text("row 1 of");
    println!("| reopened, to the full list | {:.0} ms |", started.elapsed().as_secs_f64() * 1e3);
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
    println!(
        "| moving to another row, to its copies, slowest of 58 | {:.0} ms |",
        slowest.as_secs_f64() * 1e3
    );
    let file = corpus.join("dupi-figures-probe.txt");
    let probe = "seven figures probed the perfectly unprecedented sentence of this measurement ".repeat(4);
    let before: String = screen.text().lines().take(1).collect();
    fs::write(&file, probe).unwrap();
    let started = Instant::now();
    screen.wait_for("a new state", |text| !text.starts_with(&before) && text.contains("watching"));
    println!(
        "| a file written in the folder, to the next generation on the screen | {:.0} ms |",
        started.elapsed().as_secs_f64() * 1e3
    );
    let started = Instant::now();
    screen.send("/perfectly unprecedented\r");
    screen.wait_for_text("row 1 of 1");
    println!("| a filter that finds one row | {:.0} ms |", started.elapsed().as_secs_f64() * 1e3);
    fs::remove_file(&file).unwrap();
    screen.send("q");
    screen.wait_for_end();
}
