//! Keeps scratch files from counting as memory: what was read of their maps is left to the system again and again.
//!
//! Every stage of a search reads all tokens, one after another or here and there, so that each would have all of them
//! mapped in the end. What is left is read again from the system's cache of the file, which it can empty. Whoever reads
//! tokens looks at the memory each time that about [`LOOK_SHARE`] of it may have been mapped, and a thread of its own
//! looks by time, for what is mapped in one long text. No answer depends on it.

use std::cell::Cell;
use std::fs;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use dupi_base::storage::map::Scratch;

/// How often the mapped memory is looked at by the thread.
const EVERY: Duration = Duration::from_millis(1);

/// What a system maps around a byte that is read.
const AROUND: u64 = 64 << 10;
/// All threads together map about 1 / this of the memory between two looks.
const LOOK_SHARE: u64 = 32;
/// The least memory that counts for how often they look.
const LITTLE: u64 = 256 << 20;
/// 1 / this of the memory is left free, for what is mapped between two looks, and for what others take.
const LEFT_SHARE: u64 = 8;
/// Below 1 / this of the memory nothing is unmapped, and never below the least size: mapping again and again would take
/// longer than the search.
const MAPPED_SHARE: u64 = 16;
const MAPPED_LEAST: u64 = 16 << 20;

thread_local! {
    /// The bytes that this thread may have mapped since it looked at the memory.
    static READ: Cell<u64> = const { Cell::new(0) };
}

/// Leaves the scratch files of a search to the system until it is dropped.
pub(super) struct Resting {
    files: Arc<RestingFiles>,
    /// The bytes that a thread may read before it looks at the memory.
    look: u64,
    /// Dropped to end the thread.
    until: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The scratch files.
struct RestingFiles {
    /// One thread leaves them to the system at a time. Others wait, so that they map no more meanwhile.
    scratches: Mutex<Vec<Arc<Scratch>>>,
    /// The bytes that the process may use.
    memory: u64,
    /// The bytes of other files that were mapped before.
    others: u64,
}

impl Resting {
    /// Begins with some files, if there are any. The process may use `memory` bytes.
    pub(super) fn new(scratches: Vec<Arc<Scratch>>, memory: u64) -> Option<Self> {
        if scratches.is_empty() {
            return None;
        }
        let others = in_memory().map_or(0, |[_, mapped]| mapped);
        let files = Arc::new(RestingFiles { scratches: Mutex::new(scratches), memory, others });
        let (until, ends) = mpsc::channel();
        let of_thread = Arc::clone(&files);
        let rest = move || {
            while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                of_thread.look();
            }
        };
        let thread = thread::Builder::new().name("scratch".to_owned()).spawn(rest);
        let thread = thread.inspect_err(|error| tracing::warn!(%error, "scratch files stay mapped")).ok();
        let look = memory.max(LITTLE) / LOOK_SHARE / rayon::current_num_threads() as u64;
        Some(Self { files, look, until: Some(until), thread })
    }

    /// Notes that this thread reads `bytes` contiguous bytes next, and checks the memory from time to time.
    pub(super) fn will_read(&self, bytes: u64) {
        let read = READ.get() + bytes + AROUND;
        if read < self.look {
            return READ.set(read);
        }
        READ.set(0);
        self.files.look();
    }
}

impl RestingFiles {
    /// Leaves the files to the system if that is due.
    fn look(&self) {
        let is_due = || in_memory().is_some_and(|now| is_due(now, self.others, self.memory));
        // Where the system does not tell, it empties the cache of files itself.
        if !is_due() {
            return;
        }
        // Nothing is left half done by a thread that panics.
        let scratches = self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have left them to the system meanwhile.
        if is_due() {
            scratches.iter().for_each(|scratch| scratch.rest());
        }
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

/// Whether little memory is left, and scratch files have a part of it that is worth the reading again. `others` have been
/// mapped before.
fn is_due([all, mapped]: [u64; 2], others: u64, memory: u64) -> bool {
    let least = (memory / MAPPED_SHARE).max(MAPPED_LEAST);
    all > memory - memory / LEFT_SHARE && mapped.saturating_sub(others) > least
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
    use super::*;
    use dupi_base::storage::Folder;

    #[test]
    fn files_rest_when_little_memory_is_left() {
        let is_due = |all: u64, mapped: u64, others: u64, memory: u64| {
            super::is_due([all << 20, mapped << 20], others << 20, memory << 20)
        };
        assert!(!is_due(700, 600, 0, 1000), "there is memory");
        assert!(is_due(900, 600, 0, 1000));
        assert!(!is_due(900, 50, 0, 1000), "memory that is not of files has it");
        assert!(!is_due(900, 600, 550, 1000), "other files have it");
        assert!(is_due(100, 20, 0, 10) && !is_due(100, 10, 0, 10), "a little is always left mapped");
    }

    #[test]
    fn who_reads_looks_at_the_memory_by_what_may_be_mapped() {
        let place = tempfile::tempdir().unwrap();
        let file = Folder::new(place.path()).scratch("test").unwrap();
        let scratch = Arc::new(Scratch::write(file, [&[7][..]], &[]).unwrap());
        let mut resting = Resting::new(vec![scratch], 1 << 30).unwrap();
        (resting.look, resting.until) = (4 * AROUND, None);
        READ.set(0);
        for read in [1, 2, 3, 0, 1] {
            resting.will_read(0);
            assert_eq!(READ.get(), read * AROUND);
        }
        resting.will_read(3 * AROUND);
        assert_eq!(READ.get(), 0, "a long text counts by its length");
    }

    #[test]
    fn what_is_left_to_the_system_is_read_as_before() {
        let place = tempfile::tempdir().unwrap();
        // More than what is always left mapped.
        let numbers: Vec<u64> = (0..1 << 22).collect();
        let file = Folder::new(place.path()).scratch("test").unwrap();
        let scratch = Arc::new(Scratch::write(file, [&numbers[..]], &[]).unwrap());
        let resting = Resting::new(vec![Arc::clone(&scratch)], 0).unwrap();
        for _ in 0..3 {
            assert!(scratch.numbers() == numbers);
            resting.will_read(LITTLE);
        }
        drop(resting);
        assert_eq!(Arc::strong_count(&scratch), 1, "the thread has ended");
    }
}
