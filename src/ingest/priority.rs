//! Thread priorities: background work yields to the drawing thread.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// How much others go before, as `nice` counts.
#[derive(Clone, Copy)]
pub enum Nice {
    /// What a person waits for.
    Answering = 5,
    /// What goes on in the background.
    Background = 10,
    /// What nobody waits for.
    Merging = 15,
}

/// Threads for work that takes its time.
pub fn pool(threads: usize, nice: Nice) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).start_handler(move |_| be(nice)).build()
}

/// Makes the thread at hand nice. On Linux it can be so alone; elsewhere it is as others.
pub fn be(nice: Nice) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), nice as i32) {
        tracing::debug!("a thread is not nice: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}
