//! What the stages of a search for passages take, by the log that the library keeps of them.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use dupi::index::snapshot::Snapshot;
use dupi::judge::PassageOrder;
use dupi::judge::search::{Passages, SearchSettings};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;

use crate::support::page::figure;

/// The stages that say what comes first and what belongs together; all others find the passages.
const ADDED: [(&str, &[&str]); 3] =
    [("worth", &["worth"]), ("kinds", &["kinds"]), ("families", &["folders", "families"])];

/// Searches are repeated so often; each stage counts with its least time.
const RUNS: usize = 3;

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints what worth, kinds and families add to the processor time of the search for near passages.
pub fn figures(snapshot: &Snapshot, name: &str) {
    let runs: Vec<Vec<(String, f64)>> = (0..RUNS).map(|_| stages(snapshot)).collect();
    let least = |at: usize| runs.iter().map(|run| run[at].1).fold(f64::MAX, f64::min);
    let times: Vec<(&str, f64)> =
        runs[0].iter().enumerate().map(|(at, (stage, _))| (stage.as_str(), least(at))).collect();
    let sum = |stages: &[&str]| -> f64 {
        times.iter().filter(|(stage, _)| stages.contains(stage)).map(|(_, time)| time).sum()
    };
    let added = ADDED.map(|(what, stages)| (what, sum(stages)));
    let all: f64 = times.iter().map(|(_, time)| time).sum();
    let of_added: f64 = added.iter().map(|(_, time)| time).sum();
    let percent = |time: f64| time / (all - of_added) * 100.0;
    let parts = added.map(|(what, time)| format!("{what} {:.1}", percent(time)));
    figure!(
        "| what worth, kinds and families add to the search for near passages of `{name}` | {:.1} % of its processor time ({}), {:.2} s to {:.2} s |",
        percent(of_added),
        parts.join(", "),
        of_added / 1e3,
        (all - of_added) / 1e3
    );
}

/// The stages of a search, with the processor time of each in milliseconds.
fn stages(snapshot: &Snapshot) -> Vec<(String, f64)> {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::DEBUG)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish()
        .with(Targets::new().with_target("dupi_passage::stages", LevelFilter::DEBUG));
    let settings = SearchSettings::default();
    tracing::subscriber::with_default(subscriber, || {
        Passages::find(snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap()
    });
    let log = log.0.lock().unwrap();
    let lines = std::str::from_utf8(&log).unwrap().lines();
    let field = |line: &str, name: &str| line.split_once(name).unwrap().1.to_owned();
    let stage = |line: &str| {
        let time = field(line, "processor_ms=");
        let stage = field(line, "stage=\"").split('"').next().unwrap().to_owned();
        (stage, time.split(' ').next().unwrap().parse().unwrap())
    };
    lines.map(stage).collect()
}
