//! Threads of hard work, which let all others go first: the one that draws above all.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// How much others go before: as `nice` counts.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Threads for work in the background. On Linux a thread can be nice alone; elsewhere they are as others.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(|_| {
            #[cfg(target_os = "linux")]
            if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE) {
                tracing::debug!("a thread is not nice: {error}");
            }
        })
        .build()
}
