//! What a signal does to the process: it ends it at once, or whatever has registered for it ends its work in order.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Each signal that is registered, and whether it ends the process at once.
static REGISTERED: Mutex<Vec<(i32, Arc<AtomicBool>)>> = Mutex::new(Vec::new());

/// From now on these signals end the process as usual, except while they are held. Once somebody has registered for a signal,
/// the system's default does not come back by itself.
pub(super) fn register(signals: &[i32]) -> io::Result<()> {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    for &signal in signals {
        if !registered.iter().any(|(known, _)| *known == signal) {
            let at_once = Arc::new(AtomicBool::new(true));
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&at_once))?;
            registered.push((signal, at_once));
        }
    }
    Ok(())
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
