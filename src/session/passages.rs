//! The search for passages: on a thread of its own, for the newest generation, whenever passages are asked for.
//!
//! While an index is built or brought up to date nothing is searched; when the indexer is idle the search
//! begins. A newer generation ends it, and it begins anew; but not twice in a row, so that a folder that
//! changes faster than it can be searched has passages too. What was found before is shown until then.

pub mod rows;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use super::Update;
use super::shared::Shared;
use crate::index::snapshot::Snapshot;
use crate::passage::PassageError;
use crate::passage::found::{Order, Passage, PassageId};
use crate::passage::near::measure::Measure;
use crate::passage::search::{Passages, Settings};
use crate::taboo::TabooSet;

/// How often a front end is told how far it is.
const TELL: Duration = Duration::from_millis(100);

/// The passages of a generation, those that the taboo list hides among them.
pub struct Known {
    /// The generation.
    pub snapshot: Snapshot,
    /// What was found.
    pub passages: Passages,
    /// What was looked for.
    pub settings: Settings,
    numbers: HashMap<PassageId, u32>,
}

impl Known {
    fn new(snapshot: Snapshot, passages: Passages, settings: Settings) -> Self {
        let numbers = (0..).zip(&passages.found).map(|(number, passage)| (passage.id, number)).collect();
        Self { snapshot, passages, settings, numbers }
    }

    /// A passage by its name.
    pub fn get(&self, id: PassageId) -> Option<&Passage> {
        Some(&self.passages.found[*self.numbers.get(&id)? as usize])
    }
}

/// Searches until the session stops, with so many bytes of memory for texts.
pub fn search(shared: &Shared, memory: u64, threads: usize) {
    // Threads of its own, so that rows and previews need not wait for it.
    let pool = match ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            return shared.tell(Update::Notice(format!("cannot look for passages: {error}")));
        }
    };
    let (mut seen, mut done, mut was_ended) = (0, None, false);
    while let Some(now) = shared.search.wait(seen) {
        seen = now;
        let Some((snapshot, texts)) = shared.state().due(done) else { continue };
        let meter =
            Meter { shared, started: Instant::now(), told: AtomicU64::new(0), far: AtomicU32::new(0) };
        meter.tell(0.0);
        let tick = |share| {
            let is_outdated = !was_ended && shared.state().texts != texts;
            if is_outdated || shared.is_stopped() {
                return Err(PassageError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let measure = Measure::usual(&snapshot.manifest().recipe);
        let settings = Settings { measure, across: false, memory };
        let found = pool
            .install(|| Passages::find(&snapshot, &settings, &TabooSet::default(), Order::default(), &tick));
        was_ended = matches!(found, Err(PassageError::Stopped));
        match found {
            Ok(passages) => {
                done = Some(texts);
                let known = Arc::new(Known::new(snapshot, passages, settings));
                shared.state().passages = Some(known);
                shared.rows.raise();
                shared.preview.raise();
            }
            Err(PassageError::Stopped) => {}
            Err(error) => {
                // It would fail again: wait for other texts.
                done = Some(texts);
                shared.tell(Update::Notice(format!("no passages: {error}")));
            }
        }
        shared.tell(Update::Searching(None));
    }
}

/// Tells how far the search is, not too often and never less than before.
struct Meter<'a> {
    shared: &'a Shared,
    started: Instant,
    told: AtomicU64,
    far: AtomicU32,
}

impl Meter<'_> {
    fn reached(&self, share: f64) {
        let share = (share.clamp(0.0, 1.0) * 1000.0) as u32;
        let far = self.far.fetch_max(share, Ordering::Relaxed).max(share);
        let now = self.started.elapsed().as_millis() as u64;
        let told = self.told.load(Ordering::Relaxed);
        let is_due = now >= told + TELL.as_millis() as u64;
        if is_due && self.told.compare_exchange(told, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.tell(f64::from(far) / 1000.0);
        }
    }

    fn tell(&self, share: f64) {
        self.shared.tell(Update::Searching(Some(share)));
    }
}
