//! A slot for one value between threads: a newer value replaces one that was not taken yet, and the worker can ask
//! whether the value that it took is still the newest.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The slot.
pub(super) struct Newest<T> {
    state: Mutex<Slot<T>>,
    changed: Condvar,
}

struct Slot<T> {
    number: u64,
    waiting: Option<T>,
    is_closed: bool,
}

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Self {
            state: Mutex::new(Slot { number: 0, waiting: None, is_closed: false }),
            changed: Condvar::new(),
        }
    }
}

impl<T> Newest<T> {
    /// Puts a value in the slot.
    pub(super) fn put(&self, newer: T) {
        let mut state = self.lock();
        state.number += 1;
        state.waiting = Some(newer);
        self.changed.notify_all();
    }

    /// Closes the slot.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits for a value and takes it with its number; `None` once closed.
    pub(super) fn take(&self) -> Option<(u64, T)> {
        let is_idle = |state: &mut Slot<T>| state.waiting.is_none() && !state.is_closed;
        let waited = self.changed.wait_while(self.lock(), is_idle);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return None;
        }
        Some((state.number, state.waiting.take()?))
    }

    /// Whether no newer value was put.
    pub(super) fn is_newest(&self, number: u64) -> bool {
        let state = self.lock();
        state.number == number && !state.is_closed
    }

    fn lock(&self) -> MutexGuard<'_, Slot<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_is_taken_and_an_older_one_knows_that_it_is_old() {
        let newest = Newest::default();
        newest.put("one");
        newest.put("two");
        let (number, taken) = newest.take().unwrap();
        assert!(taken == "two" && newest.is_newest(number));
        newest.put("three");
        assert!(!newest.is_newest(number));
        newest.close();
        assert_eq!(newest.take(), None);
    }
}
