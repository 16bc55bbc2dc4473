//! What the system says of a process that runs: processor time and memory, from `/proc`.

use std::fs;
use std::time::Duration;

/// The processor time that a process has taken so far, its own and the system's for it.
pub fn processor_time(process: u32) -> Duration {
    ticks(process, 11)
}

/// The processor time of the processes that this one has waited for, and of those that they have waited for.
#[allow(dead_code, reason = "each test program uses a part")]
pub fn time_of_children() -> Duration {
    ticks(std::process::id(), 13)
}

/// The sum of two fields behind the name.
fn ticks(process: u32, first: usize) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name, in brackets, may hold anything.
    let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
    let ticks: u64 = fields.skip(first).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
}

/// A figure of a process's memory in KiB: `VmRSS`, `VmHWM` (its peak), `RssAnon` (what is not mapped from
/// files). `None` once the process has ended.
pub fn memory(process: u32, figure: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
