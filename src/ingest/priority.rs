//! Thread priorities: background work yields to the drawing thread.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Priorities, as values of `nice`.
#[derive(Clone, Copy)]
pub enum Nice {
    /// Work that a user waits for.
    Answering = 5,
    /// Background work.
    Background = 10,
    /// Merges of segments, which yield to all other work.
    Merging = 15,
}

/// A pool of threads with a priority.
pub fn pool(threads: usize, nice: Nice) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).start_handler(move |_| set(nice)).build()
}

/// Sets the priority of the current thread. Only Linux has priorities per thread; elsewhere this does nothing.
pub fn set(nice: Nice) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), nice as i32) {
        tracing::debug!("cannot set the priority of a thread: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}
