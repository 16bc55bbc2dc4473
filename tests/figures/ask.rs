//! How soon a question to a finished index is answered, asked within one process.

use std::time::{Duration, Instant};

use dupi::index::ranking::Ranking;
use dupi::index::snapshot::Snapshot;
use dupi::query::unblot::unblot;
use dupi::storage::Folder;

use crate::support::page::figure;

/// Prints how long unblotting takes over the first 10,000 blots that stand in 100 documents or fewer.
pub fn figures(home: &Folder) {
    let snapshot = Snapshot::open(home).unwrap();
    let ranking = Ranking::scan(&snapshot, usize::MAX).unwrap();
    let few = ranking.entries.iter().filter(|entry| entry.documents() <= 100).take(10_000);
    let mut times: Vec<Duration> = few
        .map(|entry| {
            let started = Instant::now();
            unblot(&snapshot, entry.blot()).unwrap();
            started.elapsed()
        })
        .collect();
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    figure!(
        "| unblot, the first {} blots in 100 documents or fewer: median · 99 of 100 | {:.1} ms · {:.1} ms |",
        times.len(),
        at(0.5),
        at(0.99)
    );
    let all: Vec<Duration> = ranking
        .entries
        .iter()
        .take(10_000)
        .step_by(100)
        .map(|entry| {
            let started = Instant::now();
            unblot(&snapshot, entry.blot()).unwrap();
            started.elapsed()
        })
        .collect();
    let mut all = all;
    all.sort();
    let last = &ranking.entries[ranking.entries.len().min(10_000) - 1];
    figure!(
        "| unblot, each hundredth of the first 10,000 blots (in {} to {} documents): median | {:.1} ms |",
        last.documents(),
        ranking.entries[0].documents(),
        all[all.len() / 2].as_secs_f64() * 1e3
    );
}
