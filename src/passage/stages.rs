//! What the stages of a search take, in the log: processor time of all threads, and time that passed.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// A clock that is read at the end of each stage. The processor time is that of the whole process: only where nothing
/// else runs in it, as in a command, it is that of the stage.
pub struct Stages {
    processor: Duration,
    started: Instant,
}

impl Stages {
    /// The first stage begins.
    pub fn begin() -> Self {
        Self { processor: processor(), started: Instant::now() }
    }

    /// Notes the end of a stage in the log. The next one begins.
    pub fn end(&mut self, stage: &str) {
        let next = Self::begin();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        tracing::debug!(
            stage,
            processor_ms = milliseconds(next.processor.saturating_sub(self.processor)),
            passed_ms = milliseconds(next.started - self.started),
        );
        *self = next;
    }
}

/// The processor time of this process so far.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
