//! Sends the progress of a search: at most once in each interval, and never decreasing.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::shared::SharedSession;
use crate::protocol::{SearchState, Update};

/// The interval at which progress is sent.
const SEND_INTERVAL: Duration = Duration::from_millis(100);

/// The progress of one search.
pub(super) struct ProgressMeter<'a> {
    shared: &'a SharedSession,
    update: fn(SearchState) -> Update,
    started: Instant,
    sent: AtomicU64,
    far: AtomicU32,
}

impl<'a> ProgressMeter<'a> {
    /// Begins a search, whose state is sent as an `update`.
    pub(super) fn begin(shared: &'a SharedSession, update: fn(SearchState) -> Update) -> Self {
        let meter =
            Self { shared, update, started: Instant::now(), sent: AtomicU64::new(0), far: AtomicU32::new(0) };
        meter.send(0.0);
        meter
    }

    /// When the search began.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Notes that a share of the search is done, 0 to 1.
    pub(super) fn reached(&self, share: f64) {
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
        self.shared.send((self.update)(SearchState::At(share)));
    }
}
