//! The input gate: one reader of the terminal at a time, this program or the one that has the terminal.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest wait for input at a time, and so the longest time for which a closed terminal goes unnoticed.
pub(crate) const WAIT: Duration = Duration::from_millis(250);

/// Ensures that only one program reads the terminal.
pub(crate) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
    /// A byte written to the first wakes the thread that polls the second.
    wake: (UnixStream, UnixStream),
}

#[derive(Default)]
struct GateState {
    is_paused: bool,
    is_read: bool,
}

impl Gate {
    /// An open gate.
    pub(crate) fn new() -> io::Result<Self> {
        let wake = UnixStream::pair()?;
        wake.0.set_nonblocking(true)?;
        wake.1.set_nonblocking(true)?;
        Ok(Self { state: Mutex::default(), changed: Condvar::new(), wake })
    }

    /// Stops reading until the result is dropped.
    pub(crate) fn pause(&self) -> Pause<'_> {
        let mut state = self.lock();
        state.is_paused = true;
        if state.is_read {
            let _ = (&self.wake.0).write(&[0]);
        }
        let waited = self.changed.wait_timeout_while(state, 2 * WAIT, |state| state.is_read);
        drop(waited);
        Pause(self)
    }

    /// Waits for the right to read.
    pub(crate) fn turn(&self) -> ReadTurn<'_> {
        let state = self.lock();
        let mut state =
            self.changed.wait_while(state, |state| state.is_paused).unwrap_or_else(PoisonError::into_inner);
        state.is_read = true;
        ReadTurn(self)
    }

    /// Whether another program has the terminal.
    pub(crate) fn is_paused(&self) -> bool {
        self.lock().is_paused
    }

    /// Becomes readable when a pause is requested.
    pub(crate) fn waker(&self) -> BorrowedFd<'_> {
        self.wake.1.as_fd()
    }

    /// Reads the wake-up bytes.
    pub(crate) fn drain(&self, bytes: &mut [u8]) {
        while (&self.wake.1).read(bytes).is_ok_and(|count| count > 0) {}
    }

    fn change(&self, change: impl FnOnce(&mut GateState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// No input is read while this exists.
pub(crate) struct Pause<'g>(&'g Gate);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_paused = false);
    }
}

/// The right to read.
pub(crate) struct ReadTurn<'g>(&'g Gate);

impl Drop for ReadTurn<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_read = false);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn nobody_reads_while_another_program_has_the_terminal() {
        let gate = Gate::new().unwrap();
        let (told, turns) = channel();
        thread::scope(|scope| {
            let pause = gate.pause();
            scope.spawn(|| {
                let _turn = gate.turn();
                told.send(()).unwrap();
            });
            assert!(turns.recv_timeout(Duration::from_millis(20)).is_err());
            drop(pause);
            turns.recv_timeout(Duration::from_secs(30)).unwrap();
        });
        assert!(!gate.lock().is_read);
    }
}
