//! Work in the background for a view: it runs while the view is shown and the indexer is idle, again when what it was made
//! of has changed, and at a bounded pace.
//!
//! A change cancels a run, which then begins again, but not twice in a row; the last result is shown until then. Leaving the
//! view cancels a run too.

use std::time::Instant;

use super::pace::{PACE, processor_time};
use super::progress_meter::ProgressMeter;
use super::shared::{SharedSession, SharedState};
use super::signal::ChangeSignal;
use crate::protocol::{SearchState, Update};
use dupi_base::storage::memory::trim;
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::priority::{self, Nice};
use dupi_passage::{PassageError, Tick};

/// What runs in the background for a view.
pub(super) trait Job: Send {
    /// What it does, behind "cannot".
    const DOES: &'static str;
    /// The update that tells how far it is.
    const UPDATE: fn(SearchState) -> Update;
    /// What, beside the index, a result is made of: another value makes it outdated.
    type Version: Copy + PartialEq + Send + Sync;

    /// The signal that is raised when it may be due.
    fn signal(shared: &SharedSession) -> &ChangeSignal;

    /// The version that a run would have now.
    fn version(state: &SharedState) -> Self::Version;

    /// Whether the view that was asked for last shows its results.
    fn is_wanted(state: &SharedState) -> bool;

    /// Whether a result is shown, so that the next one can wait. `done` is the version of the last run.
    fn is_shown(state: &SharedState, done: Option<Self::Version>) -> bool;

    /// Makes a result and publishes it. Returns how it stands; a job that failed would fail again with the same version.
    ///
    /// # Errors
    /// [`PassageError::Stopped`] when `tick` stops it.
    fn run(
        &mut self,
        shared: &SharedSession,
        snapshot: &Snapshot,
        tick: &Tick,
    ) -> Result<SearchState, PassageError>;
}

/// Runs a job whenever it is due, until the session stops.
pub(super) fn follow<J: Job>(shared: &SharedSession, threads: usize, mut job: J) {
    // A pool of its own, so that rows and previews do not wait for it.
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => return shared.send(Update::Notice(format!("cannot {}: {error}", J::DOES))),
    };
    let (mut seen, mut done, mut was_outdated) = (0, None, false);
    let (mut pace, mut postponed) = (PACE, None);
    while let Some(now) = J::signal(shared).wait_until(seen, postponed) {
        seen = now;
        let (due, is_shown) = {
            let state = shared.state();
            let version = J::version(&state);
            let is_due = J::is_wanted(&state) && state.is_quiet && done != Some(version);
            let snapshot = state.snapshot.clone().filter(|_| is_due);
            (snapshot.map(|snapshot| (snapshot, version)), J::is_shown(&state, done))
        };
        postponed = pace.postponed(due.is_some() && is_shown, Instant::now());
        let Some((snapshot, version)) = due.filter(|_| postponed.is_none()) else { continue };
        let begun = processor_time();
        let meter = ProgressMeter::begin(shared, J::UPDATE);
        let tick = |share| {
            let state = shared.state();
            let is_outdated = !was_outdated && J::version(&state) != version;
            let is_left = !J::is_wanted(&state);
            drop(state);
            if is_left || is_outdated || shared.is_stopped() {
                return Err(PassageError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let stands = pool.install(|| job.run(shared, &snapshot, &tick));
        was_outdated = stands.is_err() && J::version(&shared.state()) != version;
        if stands.is_ok() {
            done = Some(version);
        }
        if is_shown {
            pace.charge(Instant::now(), processor_time().saturating_sub(begun));
        }
        trim();
        shared.send(J::UPDATE(stands.unwrap_or(SearchState::Idle)));
        shared.report_unread();
        // What came while it ran was not looked at; a view that was left may have been opened again.
        if was_outdated {
            J::signal(shared).raise();
        }
    }
}
