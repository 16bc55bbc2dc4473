//! The passages that were found last, with what is derived from them on demand.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock};

use crate::protocol::{HiddenCounts, Subject, TabooDifference};
use dupi_base::parallel::lock;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::taboo::{AcceptedSet, CorrectedKinds, TabooSet};
use dupi_judge::HashedMap;
use dupi_judge::copies::with_representative;
use dupi_judge::folders::{Folders, Sums};
use dupi_judge::identical::TreeDocuments;
use dupi_judge::kept;
use dupi_judge::known::Visit;
use dupi_judge::partners::by_partner;
use dupi_judge::passages::{Passage, PassageCopy, PassageId};
use dupi_judge::search::{Passages, SearchSettings};
use dupi_judge::shares::{PlacedCopies, Share};

/// How many of the last states of a list of decisions derived data is kept for: the present one, and the one before it or,
/// of the shares, the one without the taboo list.
const STATES: usize = 2;

/// Values derived from decisions, for the last states of these, the newest last.
struct Derived<K, T>(Mutex<Vec<(Arc<K>, Arc<T>)>>);

impl<K, T> Default for Derived<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, T> Derived<K, T> {
    /// What was made from a value, if that is kept.
    fn get(&self, of: &Arc<K>) -> Option<Arc<T>> {
        Self::find(&lock(&self.0), of)
    }

    fn find(kept: &[(Arc<K>, Arc<T>)], of: &Arc<K>) -> Option<Arc<T>> {
        let mut is_it = |(known, _): &&(Arc<K>, Arc<T>)| Arc::ptr_eq(known, of) || known == of;
        kept.iter().find(&mut is_it).map(|(_, made)| Arc::clone(made))
    }

    /// What is made from a value, unless it is kept. Other threads wait while it is made.
    fn get_or_make(&self, of: &Arc<K>, make: impl FnOnce() -> T) -> Arc<T> {
        let mut kept = lock(&self.0);
        if let Some(made) = Self::find(&kept, of) {
            return made;
        }
        let made = Arc::new(make());
        if kept.len() == STATES {
            kept.remove(0);
        }
        kept.push((Arc::clone(of), Arc::clone(&made)));
        made
    }
}

/// Passages in which a copy is pinned, each with that copy as its representative.
pub(crate) type Pins = HashMap<PassageId, Arc<Passage>>;

/// The passages of a generation, including those that the taboo list hides.
pub(crate) struct KnownPassages {
    /// The generation.
    pub snapshot: Snapshot,
    /// The passages.
    pub passages: Passages,
    /// The settings of the search.
    pub settings: SearchSettings,
    numbers: HashedMap<PassageId, u32>,
    folders: OnceLock<Folders>,
    pins: Mutex<Arc<Pins>>,
    /// Set once the index keeps them.
    kept: OnceLock<()>,
    shares: Derived<TabooSet, Shares>,
    /// Which passages the last taboo lists hide.
    hidden: Derived<TabooSet, Vec<bool>>,
    /// The last decisions with the passages that they recognise.
    accepted: Derived<AcceptedSet, AcceptedSet>,
    corrected: Derived<CorrectedKinds, CorrectedKinds>,
}

impl KnownPassages {
    /// Passages from which nothing was derived yet.
    pub(crate) fn new(snapshot: Snapshot, passages: Passages, settings: SearchSettings) -> Self {
        let numbers = (0..).zip(&passages.found).map(|(number, passage)| (passage.id, number)).collect();
        Self {
            snapshot,
            passages,
            settings,
            numbers,
            folders: OnceLock::new(),
            pins: Mutex::default(),
            kept: OnceLock::new(),
            shares: Derived::default(),
            hidden: Derived::default(),
            accepted: Derived::default(),
            corrected: Derived::default(),
        }
    }

    /// The same with these pins.
    #[must_use]
    pub(crate) fn with_pins(self, pins: Pins) -> Self {
        Self { pins: Mutex::new(Arc::new(pins)), ..self }
    }

    /// The passage with an identity.
    pub(crate) fn get(&self, id: PassageId) -> Option<&Passage> {
        Some(&self.passages.found[self.number(id)? as usize])
    }

    /// The number of a passage in the order in which they were found.
    pub(crate) fn number(&self, id: PassageId) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// The accepted passages, also those that are recognised by the text of a copy. The last result is kept.
    pub(crate) fn accepted(&self, of: &Arc<AcceptedSet>) -> Arc<AcceptedSet> {
        self.accepted.get_or_make(of, || self.passages.accepted(of))
    }

    /// The corrected kinds, also of passages that are recognised by the text of a copy. The last result is kept.
    pub(crate) fn corrected(&self, of: &Arc<CorrectedKinds>) -> Arc<CorrectedKinds> {
        self.corrected.get_or_make(of, || self.passages.corrected(of))
    }

    /// What lies in the folders of a row of identical folders.
    pub(crate) fn tree(&self, id: PassageId) -> Option<&TreeDocuments<u32>> {
        self.passages.trees.get(self.number(id)?)
    }

    /// The passages in which a copy is pinned.
    pub(crate) fn pins(&self) -> Arc<Pins> {
        Arc::clone(&lock(&self.pins))
    }

    /// Pins these copies and no others. Other threads do not wait while copies are compared.
    pub(crate) fn set_pins(&self, copies: &HashMap<PassageId, Occurrence>) {
        let before = self.pins();
        let pinned = |(id, copy): (&PassageId, &Occurrence)| {
            let (passage, number) = (self.get(*id)?, self.copy_number(*id, copy)?);
            let known = before.get(id).filter(|known| known.representative as usize == number);
            let pinned = known.cloned().or_else(|| {
                let (sources, measure) = (&self.passages.sources, &self.settings.measure);
                with_representative(&self.snapshot, sources, passage, measure, number).map(Arc::new)
            });
            Some((*id, pinned?))
        };
        let pins: Pins = copies.iter().filter_map(pinned).collect();
        *lock(&self.pins) = Arc::new(pins);
    }

    /// The number of the copy of a passage that is nearest to an earlier one in the same document.
    pub(crate) fn copy_number(&self, id: PassageId, copy: &Occurrence) -> Option<usize> {
        let is_there = |(_, spot): &(usize, &PassageCopy)| {
            let document = self.passages.sources[spot.source as usize].id;
            self.snapshot.path(self.snapshot.file_of(document)) == copy.path
                && self.snapshot.document(document).record == copy.record.unwrap_or(0)
        };
        let there = self.get(id)?.copies.iter().enumerate().filter(is_there);
        there.min_by_key(|(_, spot)| u64::from(spot.start).abs_diff(copy.text_span.start)).map(|(at, _)| at)
    }

    /// The folders and files of the generation.
    pub(crate) fn folders(&self) -> &Folders {
        self.folders.get_or_init(|| Folders::new(&self.snapshot, &self.passages.sources))
    }

    /// Which passages a taboo list hides.
    pub(crate) fn hidden(&self, taboo: &TabooSet) -> Vec<bool> {
        let recipe = &self.snapshot.manifest().recipe;
        self.passages.hidden(self.settings.measure.least, taboo, recipe)
    }

    /// Counts some passages with their copies and documents. Each document counts once.
    pub(crate) fn sum(&self, numbers: impl Iterator<Item = usize>) -> HiddenCounts {
        let mut sum = HiddenCounts::default();
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

    /// Keeps them in the index, unless it keeps them already. Waits while another thread does so.
    pub(crate) fn keep(&self) {
        self.kept.get_or_init(|| kept::save(&self.snapshot, &self.settings, &self.passages));
    }

    /// The same passages, which the index keeps already.
    #[must_use]
    pub(crate) fn are_kept(self) -> Self {
        let _ = self.kept.set(());
        self
    }

    /// Keeps in the index which passages a taboo list hides, if that was found out.
    pub(crate) fn keep_hidden(&self, taboo: &Arc<TabooSet>) {
        if let Some(hidden) = self.hidden.get(taboo) {
            let least = self.settings.measure.least;
            kept::keep_hidden(&self.snapshot, &self.settings, &self.passages, taboo, (least, &hidden));
        }
    }

    /// Keeps in the index what the passages were when the screen was left.
    pub(crate) fn keep_visit(&self) {
        let visit = Visit::new(&self.snapshot, &self.passages);
        if let Err(error) = visit.save(self.snapshot.folder()) {
            tracing::info!(%error, "what is new at the next visit will not be known");
        }
    }

    /// Which passages a taboo list hides. The result is kept for the last lists.
    pub(crate) fn hidden_by(&self, taboo: &Arc<TabooSet>) -> Arc<Vec<bool>> {
        self.hidden.get_or_make(taboo, || self.hidden(taboo))
    }

    /// What the second of two taboo lists hides and the first does not.
    pub(crate) fn difference(&self, less: &Arc<TabooSet>, more: &Arc<TabooSet>) -> TabooDifference {
        let (less, more) = (self.hidden_by(less), self.hidden_by(more));
        let newly = (0..more.len()).filter(|&number| more[number] && !less[number]);
        TabooDifference { of: Subject::Passages, sum: self.sum(newly), is_least: false }
    }

    /// The shares of documents in the passages that a taboo list does not hide. The result is kept for the last lists.
    pub(crate) fn shares(&self, taboo: &Arc<TabooSet>) -> Arc<Shares> {
        let make = || Shares::new(&self.passages, self.folders(), self.hidden(taboo));
        self.shares.get_or_make(taboo, make)
    }
}

/// The shares of all documents and folders that lie in passages which are not hidden.
pub(crate) struct Shares {
    /// Whether each passage is hidden, in the order in which they were found.
    pub hidden: Vec<bool>,
    /// What the taboo list hides of all passages.
    pub hides: HiddenCounts,
    /// The share of each source of the passages.
    pub documents: Vec<Share>,
    /// The sums of each folder and file of the generation.
    pub folders: Vec<Sums>,
    by_partner: OnceLock<Vec<u32>>,
}

impl Shares {
    /// Computes the shares by the passages that are not hidden.
    pub(crate) fn new(passages: &Passages, of: &Folders, hidden: Vec<bool>) -> Self {
        let found = &passages.found;
        let mut hides = HiddenCounts::default();
        for (passage, _) in found.iter().zip(&hidden).filter(|(_, is_hidden)| **is_hidden) {
            hides.rows += 1;
            hides.copies += passage.copies.len() as u64;
            hides.documents += u64::from(passage.documents);
        }
        let documents = PlacedCopies::new(found, &hidden, passages.sources.len()).shares(found);
        let folders = of.sums(&documents, |_| true);
        Self { hidden, hides, documents, folders, by_partner: OnceLock::new() }
    }

    /// All sources, each next to the one that it shares most with.
    pub(crate) fn by_partner(&self) -> &[u32] {
        self.by_partner.get_or_init(|| by_partner(&self.documents))
    }
}
