//! The end of the process when its work does not end in order: a thread may wait for a disk or a terminal that never
//! answers. The index is complete at any instant, so nothing that was kept is lost.

use std::fs::read_to_string;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// The work has this long after a signal to end in order,
const PATIENCE: Duration = Duration::from_millis(800);
/// and the last act this long after that.
const LAST_ACT: Duration = Duration::from_millis(100);

/// Ends the process a moment after this signal, unless it has ended by itself. Before that it does `last`, which may wait
/// for a terminal that never answers too. Only the first call has an effect.
pub fn end_in_time(signal: i32, last: impl FnOnce() + Send + 'static) {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        return;
    }
    thread::spawn(move || {
        thread::sleep(PATIENCE);
        let (done, is_done) = channel::<()>();
        thread::spawn(move || {
            last();
            drop(done);
        });
        let _ = is_done.recv_timeout(LAST_ACT);
        // Not by way of `std::process::exit`, which waits for locks that another thread may hold.
        signal_hook::low_level::exit(128 + signal);
    });
}

// What this machine is called.

/// The name of this machine; empty if it is not known.
pub fn host() -> String {
    let known = read_to_string("/proc/sys/kernel/hostname").or_else(|_| read_to_string("/etc/hostname"));
    known.unwrap_or_default().trim().to_owned()
}
