//! Progress bars on a terminal, and the signals that interrupt the work.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::signals;
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
    pub(super) fn new(quiet: bool, then: Then) -> io::Result<Self> {
        let interrupted = Arc::new(AtomicBool::new(false));
        signals::register(&INTERRUPTING)?;
        signals::end_at_once(&INTERRUPTING, false);
        for signal in INTERRUPTING {
            signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
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
            signals::end_at_once(&INTERRUPTING, true);
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
