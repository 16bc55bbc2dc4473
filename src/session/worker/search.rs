//! The thread that searches the newest generation for passages, when a view needs them.
//!
//! Passages that the index keeps are shown at once, without a search. Those that are shown are amended by what has changed
//! since, when the indexer is idle ([`mod@amend`]). Otherwise a search of all documents begins. If the documents change, it is
//! cancelled and begins again, but not twice in a row: so passages are found even if a folder changes faster than it can
//! be searched. Until then the passages of the last search are shown. What it found is kept in the index.
//!
//! What was amended is settled by a search of all documents when nothing has changed for a while.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pins;
use super::progress_meter::ProgressMeter;
use super::shared::SharedSession;
use crate::index::snapshot::Snapshot;
use crate::ingest::memory::trim;
use crate::ingest::priority::{self, Nice};
use crate::passage::amend::amend;
use crate::passage::bounds::Omissions;
use crate::passage::kind::patterns::KindPatterns;
use crate::passage::search::{Passages, SearchSettings};
use crate::passage::{Measure, PassageError, PassageOrder, kept};
use crate::session::protocol::{ActivityKind, SearchState, Update};
use crate::session::rows::known_passages::KnownPassages;

/// Amended passages are searched for again once no document has changed for so long.
const SETTLE_AFTER: Duration = Duration::from_secs(20);

/// Searches until the session stops. `memory` is the limit for texts, in bytes; `patterns` are the user's for kinds.
pub(crate) fn search(shared: &SharedSession, memory: u64, threads: usize, patterns: &Arc<KindPatterns>) {
    // A pool of its own, so that rows and previews do not wait for it.
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => {
            return shared.send(Update::Notice(format!("cannot search for passages: {error}")));
        }
    };
    let (mut seen, mut done, mut was_ended) = (0, None, false);
    let (mut asked, mut said) = (None, Omissions::default());
    // When the passages that are shown are to be settled.
    let mut settle_at = None;
    while let Some(now) = shared.search.wait_until(seen, settle_at) {
        seen = now;
        let mut settles = settle_at.is_some_and(|at| at <= Instant::now());
        if settles {
            settle_at = Some(Instant::now() + SETTLE_AFTER);
        }
        let loadable = shared.state().loadable(asked);
        if let Some((snapshot, texts)) = loadable {
            asked = Some(texts);
            let started = Instant::now();
            let settings = usual(&snapshot, memory, patterns);
            // It is shorter than a wait for the threads of the search, which yield to all others.
            if let Some(passages) = kept::load(&snapshot, &settings) {
                (done, settle_at, settles) = (Some(texts), None, false);
                show(shared, KnownPassages::new(snapshot, passages, settings), started, &mut said);
                shared.send(Update::Searching(SearchState::Idle));
            }
        }
        let due = shared.state().due(done.filter(|_| !settles));
        let Some((snapshot, texts)) = due else { continue };
        let started = Instant::now();
        if !settles && let Some(known) = pool.install(|| amended(shared, &snapshot)) {
            (done, settle_at) = (Some(texts), Some(Instant::now() + SETTLE_AFTER));
            shared.send(Update::Searching(SearchState::Idle));
            show(shared, known, started, &mut said);
            shared.report_unread();
            continue;
        }
        let meter = ProgressMeter::begin(shared, Update::Searching);
        let tick = |share| {
            let is_outdated = !was_ended && shared.state().texts != texts;
            if is_outdated || shared.is_stopped() {
                return Err(PassageError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let settings = usual(&snapshot, memory, patterns);
        let found = pool.install(|| Passages::find(&snapshot, &settings, PassageOrder::default(), &tick));
        was_ended = matches!(found, Err(PassageError::Stopped));
        let mut newest = None;
        let stands = match found {
            Ok(passages) => {
                (done, asked, settle_at) = (Some(texts), Some(texts), None);
                let known = KnownPassages::new(snapshot, passages, settings);
                newest = Some(show(shared, known, meter.started(), &mut said));
                SearchState::Idle
            }
            Err(PassageError::Stopped) => SearchState::Idle,
            Err(error) => {
                // It would fail again with the same documents.
                (done, settle_at) = (Some(texts), None);
                shared.send(Update::Notice(format!("The search for passages failed: {error}")));
                SearchState::Failed(error.to_string())
            }
        };
        trim();
        shared.send(Update::Searching(stands));
        shared.report_unread();
        if let Some(known) = newest {
            pool.install(|| kept::save(&known.snapshot, &known.settings, &known.passages));
        }
    }
}

/// The passages that are shown, amended by what has changed since; `None` if all documents must be searched.
fn amended(shared: &SharedSession, snapshot: &Snapshot) -> Option<KnownPassages> {
    let known = shared.state().passages.clone()?;
    let tick = |_| if shared.is_stopped() { Err(PassageError::Stopped) } else { Ok(()) };
    let amended = amend(&known.snapshot, &known.passages, snapshot, &known.settings, &tick);
    let passages =
        amended.inspect_err(|error| tracing::info!(%error, "the passages are not amended")).ok()??;
    Some(KnownPassages::new(snapshot.clone(), passages, known.settings.clone()))
}

/// The settings of the search of a session.
fn usual(snapshot: &Snapshot, memory: u64, patterns: &Arc<KindPatterns>) -> SearchSettings {
    let measure = Measure::usual(&snapshot.manifest().recipe);
    SearchSettings { measure, across: false, memory, patterns: Arc::clone(patterns) }
}

/// Shows passages, and says what they lack.
fn show(
    shared: &SharedSession,
    known: KnownPassages,
    started: Instant,
    said: &mut Omissions,
) -> Arc<KnownPassages> {
    let Passages { found, omissions, .. } = &known.passages;
    shared.record(ActivityKind::Searched { passages: found.len() as u64, took: started.elapsed() });
    notice(said, *omissions).into_iter().for_each(|notice| shared.send(notice));
    let known = Arc::new(known);
    let outdated = shared.state().passages.replace(Arc::clone(&known));
    drop(outdated);
    // Afterwards, so that none is missed that is pinned now.
    pins::apply(shared, &known);
    shared.rows.raise();
    shared.preview.raise();
    known
}

/// A notice of what a search left out, unless the last search left out the same.
fn notice(said: &mut Omissions, left_out: Omissions) -> Option<Update> {
    let is_new = std::mem::replace(said, left_out) != left_out;
    (is_new && !left_out.is_empty()).then(|| Update::Notice(left_out.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_said_once() {
        let mut said = Omissions::default();
        let mut is_said = |places| notice(&mut said, Omissions { places, ..Omissions::default() }).is_some();
        assert_eq!([0, 7, 7, 8, 0, 8].map(&mut is_said), [false, true, false, true, false, true]);
    }
}
