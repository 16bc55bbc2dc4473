//! File handles: the limit of this process, and documents that are opened when few are left.
//!
//! A thread that finds no file handle left waits until another reader closes its file. Only when no other thread
//! reads is it an error.

use std::io;
use std::sync::{OnceLock, PoisonError, RwLock};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Handles that a walk leaves to the index, the terminal and the watcher.
const RESERVED: u64 = 16;
/// The maximal number of threads that walk.
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

/// How many threads may walk at once, with a folder open each.
pub(super) fn max_open() -> usize {
    static ALLOWED: OnceLock<usize> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        let limit = getrlimit(Resource::Nofile).current.unwrap_or(MAX_OPEN);
        limit.saturating_sub(RESERVED).clamp(1, MAX_OPEN) as usize
    })
}

/// Read by each thread that holds an open document, written by one that waits for the handles of all others.
static OPEN: RwLock<()> = RwLock::new(());

/// Passes an open file to `take`, which closes it. Without a handle left, waits until no other thread holds one.
pub(super) fn with_handle<F, T>(
    mut open: impl FnMut() -> io::Result<F>,
    take: impl FnOnce(io::Result<F>) -> T,
) -> T {
    let shared = OPEN.read().unwrap_or_else(PoisonError::into_inner);
    match open() {
        Err(error) if is_exhausted(&error) => {
            drop(shared);
            let _alone = OPEN.write().unwrap_or_else(PoisonError::into_inner);
            take(open())
        }
        opened => take(opened),
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

    fn exhausted<T>() -> io::Result<T> {
        Err(io::Error::from_raw_os_error(libc::EMFILE))
    }

    #[test]
    fn threads_wait_for_a_handle_and_all_get_one() {
        // There are two handles, but sixteen threads.
        let (free, read) = (AtomicUsize::new(2), AtomicUsize::new(0));
        let open = || match free.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |free| free.checked_sub(1))
        {
            Ok(_) => Ok(()),
            Err(_) => exhausted(),
        };
        let take = |opened: io::Result<()>| {
            opened.unwrap();
            read.fetch_add(1, Ordering::SeqCst);
            free.fetch_add(1, Ordering::SeqCst);
        };
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| (0..200).for_each(|_| with_handle(open, take)));
            }
        });
        assert_eq!(read.into_inner(), 16 * 200);
    }

    #[test]
    fn without_other_readers_each_thread_gets_an_error() {
        let told = AtomicUsize::new(0);
        let take = |opened: io::Result<()>| told.fetch_add(usize::from(opened.is_err()), Ordering::SeqCst);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| with_handle(exhausted, take));
            }
        });
        assert_eq!(told.into_inner(), 8);
    }
}
