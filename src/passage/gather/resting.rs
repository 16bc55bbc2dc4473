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

/// How often the mapped memory is looked at: meanwhile a search that reads one token after another maps less than 50 MiB.
const EVERY: Duration = Duration::from_millis(5);

/// Leaves the scratch files of a search to the system until it is dropped.
pub(super) struct Resting {
    /// Dropped to end the thread.
    until: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Resting {
    /// Begins with some files, if there are any. The process may have so many bytes of files mapped.
    pub(super) fn of(scratches: Vec<Arc<Scratch>>, most: u64) -> Option<Self> {
        if scratches.is_empty() {
            return None;
        }
        let (until, ends) = mpsc::channel();
        let rest = move || {
            while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if mapped().is_none_or(|mapped| mapped > most) {
                    scratches.iter().for_each(|scratch| scratch.rest());
                }
            }
        };
        let thread = thread::Builder::new().name("scratch".to_owned()).spawn(rest).ok();
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

/// The bytes of mapped files that are in memory, where the system tells.
fn mapped() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssFile:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Folder;

    #[test]
    fn what_is_left_to_the_system_is_read_as_before() {
        let place = tempfile::tempdir().unwrap();
        let numbers: Vec<u64> = (0..1 << 16).collect();
        let file = Folder::new(place.path()).scratch("test").unwrap();
        let scratch = Arc::new(Scratch::write(file, &numbers, &[]).unwrap());
        let resting = Resting::of(vec![Arc::clone(&scratch)], 0);
        for _ in 0..200 {
            assert_eq!(scratch.numbers(), numbers);
        }
        drop(resting);
        assert_eq!(Arc::strong_count(&scratch), 1, "the thread has ended");
    }
}
