//! A signal that wakes a thread after a change. While the thread works it can ask whether there was a newer change; several
//! changes wake it only once.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Counts changes.
#[derive(Default)]
pub(crate) struct ChangeSignal {
    state: Mutex<SignalState>,
    changed: Condvar,
}

#[derive(Default)]
struct SignalState {
    changes: u64,
    closed: bool,
}

impl ChangeSignal {
    /// Counts a change, and wakes the waiting threads.
    pub(crate) fn raise(&self) {
        self.lock().changes += 1;
        self.changed.notify_all();
    }

    /// Closes the signal: there will be no more changes.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Waits until there are more changes than `seen`. Returns the new count, or `None` once closed.
    pub(crate) fn wait(&self, seen: u64) -> Option<u64> {
        let idle = |state: &mut SignalState| state.changes == seen && !state.closed;
        let state = self.changed.wait_while(self.lock(), idle).unwrap_or_else(PoisonError::into_inner);
        (!state.closed).then_some(state.changes)
    }

    /// The same, but at most until `end`, if there is one.
    pub(crate) fn wait_until(&self, seen: u64, end: Option<Instant>) -> Option<u64> {
        let Some(end) = end else { return self.wait(seen) };
        let idle = |state: &mut SignalState| state.changes == seen && !state.closed;
        let left = end.saturating_duration_since(Instant::now());
        let waited = self.changed.wait_timeout_while(self.lock(), left, idle);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (!state.closed).then_some(state.changes)
    }

    /// Waits for this time or until the signal is closed. Returns whether it is closed.
    pub(crate) fn closes_within(&self, time: Duration) -> bool {
        let open = |state: &mut SignalState| !state.closed;
        let waited = self.changed.wait_timeout_while(self.lock(), time, open);
        waited.unwrap_or_else(PoisonError::into_inner).0.closed
    }

    /// Whether `seen` is still the newest change, and the signal is not closed.
    pub(crate) fn is_newest(&self, seen: u64) -> bool {
        let state = self.lock();
        state.changes == seen && !state.closed
    }

    fn lock(&self) -> MutexGuard<'_, SignalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_waiter_sees_the_last_change_and_the_end() {
        let signal = Arc::new(ChangeSignal::default());
        signal.raise();
        signal.raise();
        assert_eq!(signal.wait(0), Some(2));
        assert!(signal.is_newest(2));
        let waiter = std::thread::spawn({
            let signal = Arc::clone(&signal);
            move || signal.wait(2)
        });
        assert!(!signal.closes_within(Duration::ZERO));
        signal.close();
        assert!(signal.closes_within(Duration::MAX));
        assert_eq!(waiter.join().unwrap(), None);
        assert!(!signal.is_newest(2));
    }
}
