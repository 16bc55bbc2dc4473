//! Keys that are held until the rows they refer to have arrived.

use std::time::Duration;

use crossterm::event::KeyEvent;

/// What waits for rows.
#[derive(Debug, Default)]
pub struct HeldKeys {
    keys: Vec<KeyEvent>,
    since: Duration,
    /// With one of them something begins to be typed: all behind it may be letters.
    pub is_typed: bool,
}

/// So many keys wait at the most; who presses more has seen that nothing moves.
const MOST: usize = 64;

/// So long nothing is said of it.
const SILENT: Duration = Duration::from_secs(1);

impl HeldKeys {
    /// Whether no key waits.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// One more waits, unless there are too many.
    pub fn add(&mut self, key: KeyEvent, now: Duration) {
        if self.is_empty() {
            self.since = now;
        }
        if self.keys.len() < MOST {
            self.keys.push(key);
        }
    }

    /// All of them, in the order in which they came; none waits any more.
    pub fn take(&mut self) -> Vec<KeyEvent> {
        std::mem::take(self).keys
    }

    /// When it is to be said that they wait.
    pub fn said_at(&self) -> Option<Duration> {
        (!self.is_empty()).then_some(self.since + SILENT)
    }

    /// What is said then.
    pub fn words(&self) -> String {
        match self.keys.len() {
            1 => "Looking; 1 key waits.".to_owned(),
            count => format!("Looking; {count} keys wait."),
        }
    }
}
