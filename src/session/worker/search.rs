//! The thread that searches the newest generation for passages, when a view needs them.
//!
//! A search begins when the indexer is idle. If the documents change, it is cancelled and begins again, but not twice
//! in a row: so passages are found even if a folder changes faster than it can be searched. Until then the passages of
//! the last search are shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::pins;
use super::shared::SharedSession;
use crate::ingest::memory::trim;
use crate::ingest::priority::{self, Nice};
use crate::passage::bounds::Omissions;
use crate::passage::kind::patterns::KindPatterns;
use crate::passage::search::{Passages, SearchSettings};
use crate::passage::{Measure, PassageError, PassageOrder};
use crate::session::protocol::{ActivityKind, PassageSearch, Update};
use crate::session::rows::known_passages::KnownPassages;

/// The interval at which progress is sent.
const SEND_INTERVAL: Duration = Duration::from_millis(100);

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
    let mut said = Omissions::default();
    while let Some(now) = shared.search.wait(seen) {
        seen = now;
        let Some((snapshot, texts)) = shared.state().due(done) else { continue };
        let meter = ProgressMeter {
            shared,
            started: Instant::now(),
            sent: AtomicU64::new(0),
            far: AtomicU32::new(0),
        };
        meter.send(0.0);
        let tick = |share| {
            let is_outdated = !was_ended && shared.state().texts != texts;
            if is_outdated || shared.is_stopped() {
                return Err(PassageError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let measure = Measure::usual(&snapshot.manifest().recipe);
        let settings = SearchSettings { measure, across: false, memory, patterns: Arc::clone(patterns) };
        let found = pool.install(|| Passages::find(&snapshot, &settings, PassageOrder::default(), &tick));
        was_ended = matches!(found, Err(PassageError::Stopped));
        let stands = match found {
            Ok(passages) => {
                done = Some(texts);
                shared.record(ActivityKind::Searched {
                    passages: passages.found.len() as u64,
                    took: meter.started.elapsed(),
                });
                notice(&mut said, passages.omissions).into_iter().for_each(|notice| shared.send(notice));
                let known = Arc::new(KnownPassages::new(snapshot, passages, settings));
                let outdated = shared.state().passages.replace(Arc::clone(&known));
                drop(outdated);
                // Afterwards, so that none is missed that is pinned now.
                pins::apply(shared, &known);
                shared.rows.raise();
                shared.preview.raise();
                PassageSearch::Idle
            }
            Err(PassageError::Stopped) => PassageSearch::Idle,
            Err(error) => {
                // It would fail again with the same documents.
                done = Some(texts);
                shared.send(Update::Notice(format!("The search for passages failed: {error}")));
                PassageSearch::Failed(error.to_string())
            }
        };
        trim();
        shared.send(Update::Searching(stands));
        shared.report_unread();
    }
}

/// A notice of what a search left out, unless the last search left out the same.
fn notice(said: &mut Omissions, left_out: Omissions) -> Option<Update> {
    let is_new = std::mem::replace(said, left_out) != left_out;
    (is_new && !left_out.is_empty()).then(|| Update::Notice(left_out.to_string()))
}

/// Sends the progress of a search: at most once in each interval, and never decreasing.
struct ProgressMeter<'a> {
    shared: &'a SharedSession,
    started: Instant,
    sent: AtomicU64,
    far: AtomicU32,
}

impl ProgressMeter<'_> {
    fn reached(&self, share: f64) {
        let share = (share.clamp(0.0, 1.0) * 1000.0) as u32;
        let far = self.far.fetch_max(share, Ordering::Relaxed).max(share);
        let now = self.started.elapsed().as_millis() as u64;
        let sent = self.sent.load(Ordering::Relaxed);
        let is_due = now >= sent + SEND_INTERVAL.as_millis() as u64;
        if is_due && self.sent.compare_exchange(sent, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.send(f64::from(far) / 1000.0);
        }
    }

    fn send(&self, share: f64) {
        self.shared.send(Update::Searching(PassageSearch::At(share)));
    }
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
