//! Keys that are held until the rows they refer to have arrived.

use std::time::Duration;

use crossterm::event::KeyEvent;

/// Keys that wait for rows.
#[derive(Debug, Default)]
pub struct HeldKeys {
    keys: Vec<KeyEvent>,
    since: Duration,
    /// One of them opens a prompt: the keys after it can be text.
    pub is_typed: bool,
}

/// The largest number of held keys.
const MOST: usize = 64;

/// How long keys wait before a message says so.
const SILENT: Duration = Duration::from_secs(1);

impl HeldKeys {
    /// Whether no key is held.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Holds one more key, unless there are too many.
    pub fn add(&mut self, key: KeyEvent, now: Duration) {
        if self.is_empty() {
            self.since = now;
        }
        if self.keys.len() < MOST {
            self.keys.push(key);
        }
    }

    /// Takes all keys in order.
    pub fn take(&mut self) -> Vec<KeyEvent> {
        std::mem::take(self).keys
    }

    /// When to report that keys are waiting.
    pub fn said_at(&self) -> Option<Duration> {
        (!self.is_empty()).then_some(self.since + SILENT)
    }

    /// The message that keys are waiting.
    pub fn words(&self) -> String {
        match self.keys.len() {
            1 => "Looking; 1 key waits.".to_owned(),
            count => format!("Looking; {count} keys wait."),
        }
    }
}
