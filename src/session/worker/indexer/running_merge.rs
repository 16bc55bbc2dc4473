//! A merge in the background: on a thread and a pool of its own with a low priority, so that requests and updates are not
//! delayed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dupi_index::index::{IndexError, IsStopped};
use dupi_ingest::priority::{self, Nice};

/// A running merge.
pub(super) struct RunningMerge {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl RunningMerge {
    /// Begins `work`, which has to ask whether to stop, and calls `done` with its result and duration.
    pub(super) fn begin<T: Send>(
        threads: usize,
        work: impl FnOnce(IsStopped) -> Result<T, IndexError> + Send + 'static,
        done: impl FnOnce(Result<T, IndexError>, Duration) + Send + 'static,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = priority::pool(threads, Nice::Merging)?;
        let stop = Arc::new(AtomicBool::new(false));
        let is_stopped = {
            let stop = Arc::clone(&stop);
            move || stop.load(Ordering::Relaxed)
        };
        let thread = thread::spawn(move || {
            priority::set(Nice::Merging);
            let started = Instant::now();
            let outcome = pool.install(|| work(&is_stopped));
            done(outcome, started.elapsed());
        });
        Ok(Self { stop, thread })
    }

    /// Asks it to end, and waits for it.
    pub(super) fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        if self.thread.join().is_err() {
            tracing::error!("the result of a merge could not be sent");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn it_has_threads_of_its_own_that_let_others_go_before() {
        let (sender, outcome) = channel();
        let work = |_: IsStopped| {
            let nice = || {
                #[cfg(target_os = "linux")]
                return rustix::process::getpriority_process(Some(rustix::thread::gettid())).unwrap();
                #[cfg(not(target_os = "linux"))]
                0
            };
            Ok((rayon::current_num_threads(), rayon::broadcast(|_| nice())))
        };
        let merging = RunningMerge::begin(3, work, move |outcome, _| sender.send(outcome).unwrap()).unwrap();
        let (threads, nice) = outcome.recv().unwrap().unwrap();
        assert_eq!(threads, 3);
        if cfg!(target_os = "linux") {
            assert!(nice.iter().all(|&nice| nice >= Nice::Merging as i32), "{nice:?}");
        }
        merging.end();
    }

    #[test]
    fn it_ends_when_it_is_told_to() {
        let (sender, outcome) = channel();
        let work = |is_stopped: IsStopped| {
            while !is_stopped() {
                thread::yield_now();
            }
            Ok("ended")
        };
        let merging = RunningMerge::begin(1, work, move |outcome, _| sender.send(outcome).unwrap()).unwrap();
        merging.end();
        assert_eq!(outcome.try_recv().unwrap().unwrap(), "ended");
    }
}
