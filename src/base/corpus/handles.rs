//! Limits how many documents are open at once, and reserves file handles for the program's own files.
//!
//! A thread that finds no file handle left waits until another reader closes its file. Only when no other thread
//! reads is it an error.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Handles reserved for the index, the terminal and the watcher.
const RESERVED: u64 = 16;
/// The maximal number of documents that are open at once.
const MAX_OPEN: u64 = 4096;
/// The highest limit that we ask for; child processes inherit it.
const RAISED: u64 = 1 << 16;

/// Raises this process's limit of open files as far as allowed.
pub fn raise_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(RAISED).min(RAISED);
    if current.is_some_and(|current| current < wanted) {
        let limit = Rlimit { current: Some(wanted), maximum };
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::debug!("the limit of open files stays as it is: {error}");
        }
    }
}

/// How many documents may be open at once.
pub(super) fn max_open() -> usize {
    static ALLOWED: OnceLock<usize> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        let limit = getrlimit(Resource::Nofile).current.unwrap_or(MAX_OPEN);
        limit.saturating_sub(RESERVED).clamp(1, MAX_OPEN) as usize
    })
}

/// The permits of this process.
static PERMITS: FilePermits =
    FilePermits { counts: Mutex::new(PermitCounts { in_use: 0, returned: 0 }), changed: Condvar::new() };

struct FilePermits {
    counts: Mutex<PermitCounts>,
    changed: Condvar,
}

struct PermitCounts {
    /// How many permits are in use.
    in_use: usize,
    /// How many permits were returned so far.
    returned: u64,
}

/// The permission to have one document open.
pub(super) struct FilePermit<'r>(&'r FilePermits);

/// Waits for a permit.
pub(super) fn acquire() -> FilePermit<'static> {
    PERMITS.acquire(max_open())
}

impl FilePermits {
    fn counts(&self) -> MutexGuard<'_, PermitCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn acquire(&self, max_open: usize) -> FilePermit<'_> {
        let full = |counts: &mut PermitCounts| counts.in_use >= max_open;
        let mut counts = self.changed.wait_while(self.counts(), full).unwrap_or_else(PoisonError::into_inner);
        counts.in_use += 1;
        FilePermit(self)
    }
}

impl FilePermit<'_> {
    /// Opens a file, waiting as long as no handle is left and other readers have files open.
    pub(super) fn open<T>(&self, mut open: impl FnMut() -> io::Result<T>) -> io::Result<T> {
        loop {
            match open() {
                Err(error) if is_exhausted(&error) && self.wait_for_another() => {}
                opened => return opened,
            }
        }
    }

    /// Waits until another permit is returned; `false` if none is in use.
    fn wait_for_another(&self) -> bool {
        let mut counts = self.0.counts();
        // A waiting thread has no file open: others must not wait for it.
        counts.in_use -= 1;
        self.0.changed.notify_all();
        let has_others = counts.in_use > 0;
        if has_others {
            let before = counts.returned;
            let nothing_new = |counts: &mut PermitCounts| counts.returned == before && counts.in_use > 0;
            counts = self.0.changed.wait_while(counts, nothing_new).unwrap_or_else(PoisonError::into_inner);
        }
        counts.in_use += 1;
        has_others
    }
}

impl Drop for FilePermit<'_> {
    fn drop(&mut self) {
        let mut counts = self.0.counts();
        counts.in_use -= 1;
        counts.returned += 1;
        self.0.changed.notify_all();
    }
}

/// Whether there is no handle left, in this process or in the system.
fn is_exhausted(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn permits() -> FilePermits {
        FilePermits { counts: Mutex::new(PermitCounts { in_use: 0, returned: 0 }), changed: Condvar::new() }
    }

    fn exhausted<T>() -> io::Result<T> {
        Err(io::Error::from_raw_os_error(libc::EMFILE))
    }

    #[test]
    fn threads_wait_for_a_handle_and_all_get_one() {
        // There are two handles, but sixteen permits.
        let (permits, free, read) = (permits(), AtomicUsize::new(2), AtomicUsize::new(0));
        let take = || match free.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |free| free.checked_sub(1))
        {
            Ok(_) => Ok(()),
            Err(_) => exhausted(),
        };
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let permit = permits.acquire(16);
                        permit.open(take).unwrap();
                        read.fetch_add(1, Ordering::SeqCst);
                        free.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(read.into_inner(), 16 * 200);
    }

    #[test]
    fn without_other_readers_each_thread_gets_an_error() {
        let (permits, told) = (permits(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let permit = permits.acquire(4);
                    told.fetch_add(usize::from(permit.open(exhausted::<()>).is_err()), Ordering::SeqCst);
                });
            }
        });
        assert_eq!(told.into_inner(), 8);
        assert_eq!(permits.counts().in_use, 0);
    }
}
