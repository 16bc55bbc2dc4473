//! The signals that wake the threads of a session: each thread has a concern, and sleeps until something about it changes.
//! While it works it can ask whether there was a newer change; several changes wake it only once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use dupi_base::parallel::lock;

/// What a thread of the session works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    /// The rows of the view, and the decisions about them.
    Rows,
    /// The preview of a row.
    Preview,
    /// The search for passages.
    Passages,
    /// The comparison of documents.
    Clusters,
    /// The review of a change.
    Review,
    /// The question which commits lines come from.
    Blame,
    /// Slow requests that are answered in order.
    Requests,
    /// The activity that the front end shows.
    Activity,
    /// The lists of decisions, which other processes may change.
    Decisions,
}

/// The changes of each concern.
#[derive(Default)]
pub(crate) struct Signals {
    changes: [AtomicU64; Concern::Decisions as usize + 1],
    closed: AtomicBool,
    /// Held while a change is counted, so that no waiting thread misses it.
    counting: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// Counts a change of each of these concerns, and wakes their threads.
    pub(crate) fn raise(&self, concerns: &[Concern]) {
        let counting = lock(&self.counting);
        for &concern in concerns {
            self.changes[concern as usize].fetch_add(1, Ordering::Release);
        }
        drop(counting);
        self.changed.notify_all();
    }

    /// Ends all waiting: there will be no more changes.
    pub(crate) fn close(&self) {
        let counting = lock(&self.counting);
        self.closed.store(true, Ordering::Release);
        drop(counting);
        self.changed.notify_all();
    }

    /// Waits until there are more changes of a concern than `seen`, or until `end`. Returns the new count, or `None` once
    /// closed.
    pub(crate) fn wait(&self, concern: Concern, seen: u64, end: Option<Instant>) -> Option<u64> {
        let mut counting = lock(&self.counting);
        while self.is_newest(concern, seen) {
            counting = match end.map(|end| end.saturating_duration_since(Instant::now())) {
                Some(left) if left.is_zero() => break,
                Some(left) => {
                    self.changed.wait_timeout(counting, left).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(counting).unwrap_or_else(PoisonError::into_inner),
            };
        }
        (!self.is_closed()).then(|| self.count(concern))
    }

    /// The number of changes of a concern so far.
    pub(crate) fn count(&self, concern: Concern) -> u64 {
        self.changes[concern as usize].load(Ordering::Acquire)
    }

    /// Whether `seen` is still the newest change of a concern, and the signals are not closed.
    pub(crate) fn is_newest(&self, concern: Concern, seen: u64) -> bool {
        self.count(concern) == seen && !self.is_closed()
    }

    /// Whether there will be no more changes.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_waiter_sees_the_last_change_of_its_concern_and_the_end() {
        let signals = Arc::new(Signals::default());
        signals.raise(&[Concern::Rows, Concern::Preview]);
        signals.raise(&[Concern::Rows]);
        assert_eq!(signals.wait(Concern::Rows, 0, None), Some(2));
        assert!(signals.is_newest(Concern::Rows, 2) && signals.is_newest(Concern::Preview, 1));
        assert_eq!(signals.wait(Concern::Rows, 2, Some(Instant::now())), Some(2), "the time is over");
        let waiter = std::thread::spawn({
            let signals = Arc::clone(&signals);
            move || signals.wait(Concern::Rows, 2, None)
        });
        assert!(!signals.is_closed());
        signals.close();
        assert_eq!(waiter.join().unwrap(), None);
        assert!(signals.is_closed() && !signals.is_newest(Concern::Rows, 2));
    }
}
