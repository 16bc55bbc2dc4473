//! A merge that runs beside the indexer: on a thread and a pool of its own, which let everybody else go before.
//! Questions are answered, and files are read, as if there were none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::index::IsStopped;
use crate::ingest::priority::{self, Nice};

/// Something that runs, until it is done or told to end.
pub struct Merging {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Merging {
    /// Begins `work`, which asks whether to stop, and tells `done` what it came to and how long it took.
    pub fn begin<T: Send>(
        threads: usize,
        work: impl FnOnce(IsStopped) -> T + Send + 'static,
        done: impl FnOnce(T, Duration) + Send + 'static,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = priority::pool(threads, Nice::Merging)?;
        let stop = Arc::new(AtomicBool::new(false));
        let is_stopped = {
            let stop = Arc::clone(&stop);
            move || stop.load(Ordering::Relaxed)
        };
        let thread = thread::spawn(move || {
            priority::be(Nice::Merging);
            let started = Instant::now();
            let outcome = pool.install(|| work(&is_stopped));
            done(outcome, started.elapsed());
        });
        Ok(Self { stop, thread })
    }

    /// Has it end soon, and waits for it.
    pub fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        if self.thread.join().is_err() {
            tracing::error!("a merge had panicked");
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
            (rayon::current_num_threads(), rayon::broadcast(|_| nice()))
        };
        let merging = Merging::begin(3, work, move |outcome, _| sender.send(outcome).unwrap()).unwrap();
        let (threads, nice) = outcome.recv().unwrap();
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
            "ended"
        };
        let merging = Merging::begin(1, work, move |outcome, _| sender.send(outcome).unwrap()).unwrap();
        merging.end();
        assert_eq!(outcome.try_recv(), Ok("ended"));
    }
}
