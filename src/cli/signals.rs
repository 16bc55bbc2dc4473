//! What a signal does to the process: it ends it at once, or whatever has registered for it ends its work in order, for
//! which it has a moment.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use signal_hook::iterator::Signals;

use super::messages::tell;
use dupi_base::storage::end_in_time;

/// Each signal that is registered, and whether it ends the process at once.
static REGISTERED: Mutex<Vec<(i32, Arc<AtomicBool>)>> = Mutex::new(Vec::new());

/// From now on these signals end the process as usual, except while they are held. Once somebody has registered for a signal,
/// the system's default does not come back by itself.
pub(super) fn register(signals: &[i32]) -> io::Result<()> {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = |signal: &&i32| !registered.iter().any(|(known, _)| known == *signal);
    let new: Vec<i32> = signals.iter().filter(is_new).copied().collect();
    for &signal in &new {
        let at_once = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&at_once))?;
        registered.push((signal, at_once));
    }
    if !new.is_empty() {
        let mut held = Signals::new(new)?;
        thread::spawn(move || held.forever().for_each(|signal| end_in_time(signal, tell_of_end)));
    }
    Ok(())
}

fn tell_of_end() {
    tell("ended by a signal before the work was put away; the next run continues from what is kept");
}

/// Whether these signals end the process at once from now on, if they are registered.
pub(super) fn end_at_once(signals: &[i32], at_once: bool) {
    let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, of_signal) in registered.iter().filter(|(known, _)| signals.contains(known)) {
        of_signal.store(at_once, Ordering::Relaxed);
    }
}

/// Some registered signals, which do not end the process at once until it is dropped.
pub(super) struct Held(Vec<i32>);

impl Held {
    pub(super) fn new(signals: Vec<i32>) -> Self {
        end_at_once(&signals, false);
        Self(signals)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        end_at_once(&self.0, true);
    }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use signal_hook::consts::SIGTERM;

    use super::*;

    const HELD: &str = "the signal is held";

    #[test]
    #[ignore = "the next test runs it in a process of its own, and ends that"]
    fn work_that_never_ends() {
        register(&[SIGTERM]).unwrap();
        let _held = Held::new(vec![SIGTERM]);
        println!("\n{HELD}");
        loop {
            thread::park();
        }
    }

    #[test]
    fn a_signal_ends_work_that_does_not_end_in_order() {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "cli::signals::tests::work_that_never_ends", "--ignored", "--nocapture"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == HELD));
        let process = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(128 + SIGTERM), "{said}");
        assert!(said.contains("continues from what is kept"), "{said}");
    }
}
