//! How often work may run that changes of the folder cause: a folder that never rests takes a bounded share of a processor.
//!
//! Each run is charged a time, a multiple of what it cost, and charged time passes by itself. Work is due while at most
//! [`ALLOWANCE`] is left of it. So a change after a quiet time is worked on at once, as are a few that follow, and work that
//! is asked for without end waits between two runs, the longer the more it costs.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The charged time that work does not wait for.
const ALLOWANCE: Duration = Duration::from_secs(2);

/// The pace of what is shown of a changed folder: a tenth of a processor, and a run delays the next by a minute at most.
pub(super) const PACE: Pace = Pace::new(10, Duration::ZERO, Duration::from_secs(60));

/// Decides when work may run again. Plain data: the caller passes the time and the cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// A run is charged this many times its cost,
    factor: u32,
    /// at least this,
    least: Duration,
    /// and at most this.
    most: Duration,
    charged_until: Option<Instant>,
}

impl Pace {
    /// Work that takes one part in `factor` of a processor, and runs every `least` on the average. A run delays the next
    /// by `most` at most.
    pub(super) const fn new(factor: u32, least: Duration, most: Duration) -> Self {
        Self { factor, least, most, charged_until: None }
    }

    /// When work is due; `None` if at any time.
    pub(super) fn due(&self) -> Option<Instant> {
        self.charged_until?.checked_sub(ALLOWANCE)
    }

    /// Whether work is due.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due().is_none_or(|due| due <= now)
    }

    /// When work is due that is asked for; `None` if it is due now, or nothing is asked for.
    pub(super) fn postponed(&self, is_asked_for: bool, now: Instant) -> Option<Instant> {
        self.due().filter(|due| is_asked_for && *due > now)
    }

    /// Charges a run that ended now.
    pub(super) fn charge(&mut self, now: Instant, cost: Duration) {
        let interval = cost.saturating_mul(self.factor).max(self.least).min(self.most);
        self.charged_until = Some(self.charged_until.map_or(now, |until| until.max(now)) + interval);
    }
}

/// The processor time that this process has taken so far, of all threads: the difference of two is at least what the work
/// between them cost, whatever else runs on the machine.
pub(super) fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// The processor time that this thread has taken so far.
pub(super) fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    /// How often work runs that is asked for at any time, and what it costs in all.
    fn run(mut pace: Pace, cost: Duration, time: Duration) -> (u32, Duration) {
        let (start, mut runs, mut passed) = (Instant::now(), 0, Duration::ZERO);
        while passed < time {
            passed += MILLISECOND;
            if pace.is_due(start + passed) {
                passed += cost;
                pace.charge(start + passed, cost);
                runs += 1;
            }
        }
        (runs, cost * runs)
    }

    #[test]
    fn work_without_end_takes_its_share_and_no_more() {
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        let pace = || Pace::new(10, Duration::ZERO, Duration::MAX);
        for cost in [1, 30, 400, 3000] {
            let (_, took) = run(pace(), cost * MILLISECOND, hour);
            assert!(took <= (hour + ALLOWANCE) / 10 + 3 * cost * MILLISECOND, "{cost}: {took:?}");
            assert!(took > hour / 13, "{cost}: {took:?}");
        }
        let (runs, _) = run(Pace::new(10, 500 * MILLISECOND, minute), MILLISECOND, minute);
        assert!((115..=126).contains(&runs), "{runs}");
    }

    #[test]
    fn a_change_after_a_quiet_time_is_worked_on_at_once() {
        let mut pace = Pace::new(10, Duration::ZERO, Duration::from_secs(60));
        let start = Instant::now();
        assert!(pace.is_due(start));
        for at in 0..3 {
            assert!(pace.is_due(start));
            pace.charge(start, Duration::from_millis(70 + at));
        }
        assert!(!pace.is_due(start), "several in a row");
        assert!(pace.is_due(start + Duration::from_secs(2)));
        let after = start + Duration::from_secs(100);
        pace.charge(after, Duration::from_secs(3));
        assert_eq!(pace.due(), Some(after + Duration::from_secs(28)));
        pace.charge(after, Duration::from_secs(1000));
        assert_eq!(
            pace.due(),
            Some(after + Duration::from_secs(88)),
            "a run delays the next by a minute at most"
        );
    }
}
