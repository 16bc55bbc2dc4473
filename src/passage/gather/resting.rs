//! Keeps scratch files from counting as memory: what was read of their maps is left to the system again and again.
//!
//! Every stage of a search reads all tokens, one after another or here and there, so that each would have all of them
//! mapped in the end. What is left is read again from the system's cache of the file, which it can empty. A thread of its
//! own does this by time: no stage needs to know of it, and no answer depends on it.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::index::map::Scratch;

/// How often the mapped memory is looked at: meanwhile a search that reads one token after another maps less than 10 MiB.
const EVERY: Duration = Duration::from_millis(1);

/// One part in so many of the memory is left free, for what is mapped between two looks.
const LEFT_SHARE: u64 = 5;
/// Less than one part in so many of the memory stays mapped.
const MAPPED_SHARE: u64 = 16;

/// Leaves the scratch files of a search to the system until it is dropped.
pub(super) struct Resting {
    /// Dropped to end the thread.
    until: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Resting {
    /// Begins with some files, if there are any. The process may use so many bytes of memory.
    pub(super) fn of(scratches: Vec<Arc<Scratch>>, memory: u64) -> Option<Self> {
        if scratches.is_empty() {
            return None;
        }
        let (until, ends) = mpsc::channel();
        let rest = move || {
            while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                // Where the system does not tell, it empties the cache of files itself.
                if in_memory().is_some_and(|[all, mapped]| is_due(all, mapped, memory)) {
                    scratches.iter().for_each(|scratch| scratch.rest());
                }
            }
        };
        let thread = thread::Builder::new().name("scratch".to_owned()).spawn(rest);
        let thread = thread.inspect_err(|error| tracing::warn!(%error, "scratch files stay mapped")).ok();
        Some(Self { until: Some(until), thread })
    }
}

impl Drop for Resting {
    fn drop(&mut self) {
        self.until = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to tell.
            let _ = thread.join();
        }
    }
}

/// Whether little memory is left, and mapped files have a part of it that is worth the reading again.
fn is_due(all: u64, mapped: u64, memory: u64) -> bool {
    all > memory - memory / LEFT_SHARE && mapped > memory / MAPPED_SHARE
}

/// The bytes of this process that are in memory, and those of mapped files among them, where the system tells.
fn in_memory() -> Option<[u64; 2]> {
    // The shortest of such files: the size, what is in memory, and what of it is of files, in pages.
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = pages.split(' ').skip(1).map(str::parse::<u64>);
    let page = rustix::param::page_size() as u64;
    let mut next = || Some(pages.next()?.ok()? * page);
    Some([next()?, next()?])
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::storage::Folder;

    #[test]
    fn files_rest_when_little_memory_is_left() {
        assert!(!is_due(700, 600, 1000), "there is memory");
        assert!(is_due(900, 600, 1000));
        assert!(!is_due(900, 50, 1000), "others have it");
    }

    #[test]
    fn what_is_left_to_the_system_is_read_as_before() {
        let place = tempfile::tempdir().unwrap();
        let numbers: Vec<u64> = (0..1 << 16).collect();
        let file = Folder::new(place.path()).scratch("test").unwrap();
        let scratch = Arc::new(Scratch::write(file, &numbers, &[]).unwrap());
        let resting = Resting::of(vec![Arc::clone(&scratch)], 0);
        let begin = Instant::now();
        while begin.elapsed() < 20 * EVERY {
            assert_eq!(scratch.numbers(), numbers);
        }
        drop(resting);
        assert_eq!(Arc::strong_count(&scratch), 1, "the thread has ended");
    }
}
