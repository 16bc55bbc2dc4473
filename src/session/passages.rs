//! The search for passages: on a thread of its own, for the newest generation, whenever passages are asked for.
//!
//! While an index is built or brought up to date nothing is searched; when the indexer is idle the search
//! begins. A newer generation ends it, and it begins anew; but not twice in a row, so that a folder that
//! changes faster than it can be searched has passages too. What was found before is shown until then.

pub mod rows;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::activity::Happening;
use super::decisions::Difference;
use super::memory::give_back;
use super::shared::Shared;
use super::shares::Shares;
use super::{Hidden, PassageSearch, Subject, Update, polite};
use crate::index::snapshot::Snapshot;
use crate::passage::bounds::LeftOut;
use crate::passage::folders::Folders;
use crate::passage::found::{Passage, PassageId};
use crate::passage::hidden::is_hidden;
use crate::passage::search::{Passages, Settings};
use crate::passage::{Measure, Order, PassageError};
use crate::taboo::TabooSet;

/// How often a front end is told how far it is.
const TELL: Duration = Duration::from_millis(100);

/// With what is taboo and without, what passages say about documents is kept.
const STATES: usize = 2;

/// The passages of a generation, those that the taboo list hides among them.
pub struct Known {
    /// The generation.
    pub snapshot: Snapshot,
    /// What was found.
    pub passages: Passages,
    /// What was looked for.
    pub settings: Settings,
    numbers: HashMap<PassageId, u32>,
    folders: OnceLock<Folders>,
    /// For the states of the taboo list that were asked for last.
    shares: Mutex<Vec<(Arc<TabooSet>, Arc<Shares>)>>,
}

impl Known {
    /// Nothing made from them yet.
    pub fn new(snapshot: Snapshot, passages: Passages, settings: Settings) -> Self {
        let numbers = (0..).zip(&passages.found).map(|(number, passage)| (passage.id, number)).collect();
        Self { snapshot, passages, settings, numbers, folders: OnceLock::new(), shares: Mutex::default() }
    }

    /// A passage by its name.
    pub fn get(&self, id: PassageId) -> Option<&Passage> {
        Some(&self.passages.found[self.number(id)? as usize])
    }

    /// Under which number a passage was found.
    pub fn number(&self, id: PassageId) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// The folders and files of the generation.
    pub fn folders(&self) -> &Folders {
        self.folders.get_or_init(|| Folders::new(&self.snapshot, &self.passages.sources))
    }

    /// Whether a taboo list hides the passage with a number.
    pub fn hides(&self, number: u32, taboo: &TabooSet) -> bool {
        let (tokens, recipe) = (self.passages.texts.of(number as usize), &self.snapshot.manifest().recipe);
        is_hidden(tokens, self.settings.measure.least, taboo, recipe)
    }

    /// Which passages a taboo list hides.
    pub fn hidden(&self, taboo: &TabooSet) -> Vec<bool> {
        let recipe = &self.snapshot.manifest().recipe;
        self.passages.texts.hidden(self.settings.measure.least, taboo, recipe)
    }

    /// Some passages with their copies and documents, each of which counts once.
    pub fn sum(&self, numbers: impl Iterator<Item = usize>) -> Hidden {
        let mut sum = Hidden::default();
        let mut documents = HashSet::new();
        for number in numbers {
            let passage = &self.passages.found[number];
            sum.rows += 1;
            sum.copies += passage.copies.len() as u64;
            documents.extend(passage.copies.iter().map(|spot| spot.source));
        }
        sum.documents = documents.len() as u64;
        sum
    }

    /// What one taboo list hides and another does not.
    pub fn difference(&self, less: &[bool], more: &[bool]) -> Difference {
        let newly = (0..more.len()).filter(|&number| more[number] && !less[number]);
        Difference { of: Subject::Passages, sum: self.sum(newly), is_least: false }
    }

    /// What the passages that a taboo list does not hide say about documents. Who comes while it is made waits.
    pub fn shares(&self, taboo: &Arc<TabooSet>) -> Arc<Shares> {
        let mut made = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |(of, _): &(Arc<TabooSet>, Arc<Shares>)| Arc::ptr_eq(of, taboo) || of == taboo;
        if let Some((_, shares)) = made.iter().find(|made| is_it(made)) {
            return Arc::clone(shares);
        }
        let shares = Arc::new(Shares::new(self, taboo));
        if made.len() == STATES {
            made.remove(0);
        }
        made.push((Arc::clone(taboo), Arc::clone(&shares)));
        shares
    }
}

/// Searches until the session stops, with so many bytes of memory for texts.
pub fn search(shared: &Shared, memory: u64, threads: usize) {
    // Threads of its own, so that rows and previews need not wait for it.
    let pool = match polite::pool(threads, polite::Nice::Background) {
        Ok(pool) => pool,
        Err(error) => {
            return shared.tell(Update::Notice(format!("cannot look for passages: {error}")));
        }
    };
    let (mut seen, mut done, mut was_ended) = (0, None, false);
    let mut said = LeftOut::default();
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
        let stands = match found {
            Ok(passages) => {
                done = Some(texts);
                shared.happened(Happening::Searched {
                    passages: passages.found.len() as u64,
                    took: meter.started.elapsed(),
                });
                notice(&mut said, passages.left_out).into_iter().for_each(|notice| shared.tell(notice));
                let known = Arc::new(Known::new(snapshot, passages, settings));
                let outdated = shared.state().passages.replace(known);
                drop(outdated);
                shared.rows.raise();
                shared.preview.raise();
                PassageSearch::Idle
            }
            Err(PassageError::Stopped) => PassageSearch::Idle,
            Err(error) => {
                // It would fail again: wait for other texts.
                done = Some(texts);
                shared.tell(Update::Notice(format!("no passages: {error}")));
                PassageSearch::Failed(error.to_string())
            }
        };
        give_back();
        shared.tell(Update::Searching(stands));
        shared.tell_unread();
    }
}

/// Says what a search left out: not anew after every search of a folder that changes.
fn notice(said: &mut LeftOut, left_out: LeftOut) -> Option<Update> {
    let is_new = std::mem::replace(said, left_out) != left_out;
    (is_new && !left_out.is_empty()).then(|| Update::Notice(left_out.to_string()))
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
        self.shared.tell(Update::Searching(PassageSearch::At(share)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_said_once() {
        let mut said = LeftOut::default();
        let mut is_said = |places| notice(&mut said, LeftOut { places, ..LeftOut::default() }).is_some();
        assert_eq!([0, 7, 7, 8, 0, 8].map(&mut is_said), [false, true, false, true, false, true]);
    }
}
