//! Progress bars on a terminal, and signals: one ends the process at once, or whatever has registered for it ends its work
//! in order, for which it has a moment.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::error::CliError;
use super::output::tell;
use dupi_base::storage::end_in_time;
use dupi_index::index::search::SearchError;
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::{Observer, Phase, Progress};

/// The signals that interrupt the work.
const INTERRUPTING: [i32; 2] = [SIGINT, SIGTERM];

/// What the process does after an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// It answers. A signal ends the process, as usual.
    Answer,
    /// It follows the folder. A signal ends it in order.
    Follow,
}

/// Observes an update: draws a progress bar, and handles signals.
pub(super) struct Terminal {
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
    then: Then,
}

impl Terminal {
    /// Draws a bar when standard error is a terminal and `quiet` is not set. From now on SIGINT or SIGTERM ends the work in
    /// order, for which it has a moment. After the work, one ends the process at once unless the folder is followed.
    pub(super) fn new(quiet: bool, then: Then) -> Result<Self, CliError> {
        let interrupted = Arc::new(AtomicBool::new(false));
        register(&INTERRUPTING).map_err(CliError::signals)?;
        end_at_once(&INTERRUPTING, false);
        for signal in INTERRUPTING {
            signal_hook::flag::register(signal, Arc::clone(&interrupted)).map_err(CliError::signals)?;
        }
        let bar = ProgressBar::new(0);
        if quiet || !io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let template = "{prefix} {wide_bar} {bytes}/{total_bytes} · {binary_bytes_per_sec} · {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Ok(Self { bar, interrupted, then })
    }

    /// Removes the bar after the work.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
        // A signal between the work and the following of a folder would end the process.
        if self.then == Then::Answer {
            end_at_once(&INTERRUPTING, true);
        }
    }
}

/// A progress bar for a search, drawn only on a terminal.
pub(super) struct SearchBar(ProgressBar);

impl SearchBar {
    const STEPS: f64 = 1000.0;

    /// An empty bar, with a word for what is searched.
    pub(super) fn new(what: &'static str) -> Self {
        let bar = ProgressBar::new(Self::STEPS as u64).with_prefix(what);
        if !io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {percent} % · {elapsed}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Draws the bar at a share of the work, 0 to 1.
    pub(super) fn set(&self, share: f64) {
        self.0.set_position((share * Self::STEPS) as u64);
    }

    /// What a search reports its progress to. It never ends the search.
    pub(super) fn tick(&self) -> impl Fn(f64) -> Result<(), SearchError> + Sync + '_ {
        |share| {
            self.set(share);
            Ok(())
        }
    }
}

impl Drop for SearchBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Terminal {
    fn progress(&self, progress: Progress) {
        let (done, total) = progress.files;
        match progress.phase {
            Phase::Walking => self.bar.set_prefix("listing"),
            _ => self.bar.set_prefix(format!("{done}/{total} files")),
        }
        self.bar.set_length(progress.bytes.1);
        self.bar.set_position(progress.bytes.0);
    }

    fn committed(&self, _: &Snapshot) {}

    fn is_cancelled(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Each signal that is registered, and whether it ends the process at once.
static REGISTERED: Mutex<Vec<(i32, Arc<AtomicBool>)>> = Mutex::new(Vec::new());

/// From now on these signals end the process as usual, except while they are held. Once somebody has registered for a signal,
/// the system's default does not come back by itself.
pub(super) fn register(signals: &[i32]) -> io::Result<()> {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = |signal: &&i32| !registered.iter().any(|(known, _)| known == *signal);
    let new: Vec<i32> = signals.iter().filter(is_new).copied().collect();
    for &signal in &new {
        let at_once = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&at_once))?;
        registered.push((signal, at_once));
    }
    if !new.is_empty() {
        let mut held = Signals::new(new)?;
        thread::spawn(move || held.forever().for_each(|signal| end_in_time(signal, tell_of_end)));
    }
    Ok(())
}

fn tell_of_end() {
    tell("ended by a signal before the work was put away; the next run continues from what is kept");
}

/// Whether these signals end the process at once from now on, if they are registered.
pub(super) fn end_at_once(signals: &[i32], at_once: bool) {
    let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, of_signal) in registered.iter().filter(|(known, _)| signals.contains(known)) {
        of_signal.store(at_once, Ordering::Relaxed);
    }
}

/// Some registered signals, which do not end the process at once until it is dropped.
pub(super) struct Held(Vec<i32>);

impl Held {
    pub(super) fn new(signals: Vec<i32>) -> Self {
        end_at_once(&signals, false);
        Self(signals)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        end_at_once(&self.0, true);
    }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use signal_hook::consts::SIGTERM;

    use super::*;

    const HELD: &str = "the signal is held";

    #[test]
    #[ignore = "the next test runs it in a process of its own, and ends that"]
    fn work_that_never_ends() {
        register(&[SIGTERM]).unwrap();
        let _held = Held::new(vec![SIGTERM]);
        println!("\n{HELD}");
        loop {
            thread::park();
        }
    }

    #[test]
    fn a_signal_ends_work_that_does_not_end_in_order() {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "cli::progress::tests::work_that_never_ends", "--ignored", "--nocapture"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == HELD));
        let process = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(128 + SIGTERM), "{said}");
        assert!(said.contains("continues from what is kept"), "{said}");
    }
}
