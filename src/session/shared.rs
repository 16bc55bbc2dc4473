//! What the threads of a session share: the newest generation, what was asked last, and how to tell.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::decisions::Decisions;
use super::signal::Signal;
use super::{Request, Update, View};
use crate::index::ranking::Ranking;
use crate::index::snapshot::Snapshot;
use crate::passage::Row;

/// Shared by the threads of one session.
pub struct Shared {
    state: Mutex<State>,
    /// Raised when rows may have changed: another view, generation, or decision.
    pub rows: Signal,
    /// Raised when the preview may have changed.
    pub preview: Signal,
    stopped: AtomicBool,
    updates: Box<dyn Fn(Update) + Send + Sync>,
}

/// What was last said, by whom ever.
#[derive(Default)]
pub struct State {
    /// The newest generation and its ranking, once there is one.
    pub snapshot: Option<Snapshot>,
    /// A ranking, whole or its head, and the generation that it is of; by the rows thread.
    pub ranking: Option<(Snapshot, Arc<Ranking>)>,
    /// The view asked for.
    pub view: Option<View>,
    /// The row and the occurrence asked for.
    pub preview: Option<(Arc<Row>, usize)>,
    /// Decisions not carried out yet.
    pub pending: Vec<Request>,
    /// The taboo list, once it is read.
    pub decisions: Option<Decisions>,
}

impl Shared {
    /// Nothing said yet.
    pub fn new(updates: impl Fn(Update) + Send + Sync + 'static) -> Self {
        Self {
            state: Mutex::default(),
            rows: Signal::default(),
            preview: Signal::default(),
            stopped: AtomicBool::new(false),
            updates: Box::new(updates),
        }
    }

    /// The state, for a moment.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the front end.
    pub fn tell(&self, update: Update) {
        (self.updates)(update);
    }

    /// Publishes a generation.
    pub fn publish(&self, snapshot: &Snapshot) {
        self.state().snapshot = Some(snapshot.clone());
        self.rows.raise();
        self.preview.raise();
    }

    /// Ends all work soon.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.rows.close();
        self.preview.close();
    }

    /// Whether work is to end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
