//! What a session knows: what was found last in a generation, with what is derived from it, the review of a change, the last
//! ranking of blots, and the decisions.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use self::clusters::KnownClusters;
use self::passages::{KnownPassages, Pins};
use crate::protocol::{ListedReview, ReviewFacts};
use dupi_base::parallel::{self, lock};
use dupi_index::index::amend::LONG_SCAN;
use dupi_index::index::ranking::{HEAD, Ranking};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::{IndexError, IsStopped};
use dupi_index::taboo::{AcceptedId, KeptTexts};
use dupi_judge::copies::with_representative;
use dupi_judge::passages::PassageId;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_review::change::ChangedLines;
use dupi_review::review::FoundReview;
use dupi_review::review::drift::Drift;
use dupi_review::review::find::TouchedPassage;
use dupi_review::review::verdict::LeftOut;

pub(super) mod clusters;
pub(super) mod decisions;
pub(super) mod passages;
pub(super) mod taboo_counts;

/// A generation, and what was found in it or in an earlier one. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Found {
    /// The newest generation.
    pub snapshot: Snapshot,
    /// The passages that were found last.
    pub known: Option<Arc<KnownPassages>>,
    /// Whether these are only some of the passages, until a first search has found all.
    pub is_first_look: bool,
    /// The clusters that were found last.
    pub clusters: Option<Arc<KnownClusters>>,
    /// What is known of the review of a change.
    pub review: ReviewStand,
}

impl Found {
    /// The same for rows of a review, whose passages are those of the review.
    #[must_use]
    pub(crate) fn of_review(&self) -> Self {
        let known = self.review.found().map(|review| Arc::clone(&review.known));
        Self { known: known.or_else(|| self.known.clone()), ..self.clone() }
    }

    /// What a decision keeps of the texts of a passage's copies; nothing for a blot.
    pub(crate) fn kept_texts(&self, of: AcceptedId) -> KeptTexts {
        let passage = self.known.as_ref().zip(of.passage());
        passage.map(|(known, id)| known.passages.copy_texts.kept(PassageId(id))).unwrap_or_default()
    }
}

/// What a review found.
pub(crate) struct KnownReview {
    /// The passages near the change. The copy to use instead of new ones is pinned in each.
    pub known: Arc<KnownPassages>,
    /// What the change touches.
    pub found: FoundReview,
    /// The change.
    pub changed: ChangedLines,
    /// The rows of what it touches, in the order of these; `None` where the files have changed since.
    pub touched: Vec<Option<ReviewedText>>,
    /// The rows of what drifted.
    pub drifted: Vec<ReviewedText>,
}

/// A row without decisions, and its whole text.
pub(crate) type ReviewedText = (ListedReview, String);

impl KnownReview {
    /// What a review of a generation found, still without rows.
    pub(crate) fn new(
        snapshot: &Snapshot,
        (passages, found): (Passages, FoundReview),
        settings: SearchSettings,
        changed: ChangedLines,
    ) -> Self {
        // The copy to use is the one that the others are compared with.
        let based = |of: &TouchedPassage| {
            let passage = &passages.found[of.number];
            let original = of.original.filter(|number| *number != passage.representative as usize)?;
            let (sources, measure) = (&passages.sources, &settings.measure);
            let based = with_representative(snapshot, sources, passage, measure, original)?;
            Some((passage.id, Arc::new(based)))
        };
        let pins: Pins = parallel::flat_map(&found.touched, based).into_iter().collect();
        let known = KnownPassages::new(snapshot.clone(), passages, settings).with_pins(pins);
        let (touched, drifted) = Default::default();
        Self { known: Arc::new(known), found, changed, touched, drifted }
    }

    /// The touched passage with an identity, and what the change does to it.
    pub(crate) fn passage(&self, id: PassageId) -> Option<&TouchedPassage> {
        let number = self.known.number(id)? as usize;
        self.found.touched.iter().find(|of| of.number == number)
    }

    /// The drift with an identity.
    pub(crate) fn drift(&self, id: PassageId) -> Option<&Drift> {
        self.found.drifts.iter().find(|drift| drift.id == id.0)
    }

    /// The lines of a file that the change adds, from 0.
    pub(crate) fn added_lines(&self, path: &Path) -> Vec<Range<u32>> {
        let hunks = self.changed.get(path).map(|file| file.hunks.as_slice()).unwrap_or_default();
        hunks.iter().map(|hunk| hunk.added.clone()).filter(|lines| !lines.is_empty()).collect()
    }

    /// What is said of the review as a whole.
    pub(crate) fn facts(&self, left_out: &LeftOut) -> ReviewFacts {
        let aside: u64 = left_out.aside.values().sum();
        ReviewFacts {
            files: self.changed.len() as u64,
            added: self.changed.added(),
            left_out: aside + left_out.small + left_out.members,
            moved: left_out.as_many,
        }
    }
}

/// What is known of the review of a change.
#[derive(Clone, Default)]
pub(crate) enum ReviewStand {
    /// It was not made yet.
    #[default]
    Unknown,
    /// What it found last.
    Found(Arc<KnownReview>),
    /// Why it cannot be made: a sentence.
    Failed(String),
}

impl ReviewStand {
    /// What it found last.
    pub(crate) fn found(&self) -> Option<&Arc<KnownReview>> {
        if let Self::Found(review) = self { Some(review) } else { None }
    }
}

/// The last ranking, complete or only its first entries, with its generation.
pub(crate) struct RankingCache {
    last: Mutex<Option<(Snapshot, Arc<Ranking>)>>,
    /// The maximum number of entries of a ranking.
    pub most: usize,
}

impl RankingCache {
    /// An empty cache; `most` entries fit into memory.
    pub(crate) fn new(most: usize) -> Self {
        Self { last: Mutex::default(), most }
    }

    /// The last ranking, and its generation.
    pub(crate) fn last(&self) -> Option<(Snapshot, Arc<Ranking>)> {
        lock(&self.last).clone()
    }

    /// Keeps a ranking of a generation.
    pub(crate) fn keep(&self, snapshot: &Snapshot, ranking: Arc<Ranking>) {
        *lock(&self.last) = Some((snapshot.clone(), ranking));
    }

    /// Forgets the last ranking.
    pub(crate) fn forget(&self) {
        *lock(&self.last) = None;
    }

    /// An approximate ranking that is available at once, to show while the exact one is computed.
    pub(crate) fn soon(
        &self,
        snapshot: &Snapshot,
        is_stopped: IsStopped,
    ) -> Result<Option<Ranking>, IndexError> {
        match self.last() {
            Some((of, last)) if of.manifest().content != snapshot.manifest().content => {
                last.amended_by_what_came(&of, snapshot, LONG_SCAN, is_stopped)
            }
            _ => Ok(None),
        }
    }

    /// The ranking of a generation, or about its first `limit` entries: the last one, amended if needed, or a new one.
    ///
    /// # Errors
    /// When the index is damaged, or `is_stopped` ends it.
    pub(crate) fn ranking(
        &self,
        snapshot: &Snapshot,
        limit: usize,
        is_stopped: IsStopped,
    ) -> Result<Arc<Ranking>, IndexError> {
        let is_enough =
            |last: &Ranking| last.is_complete() || limit <= HEAD || last.entries.len() > limit / 2;
        let last = self.last().filter(|(_, last)| is_enough(last));
        if let Some((of, last)) = &last
            && of.manifest().content == snapshot.manifest().content
        {
            return Ok(Arc::clone(last));
        }
        let last = last.as_ref().map(|(of, last)| (of, &**last));
        let mut made = Ranking::renewed(last, snapshot, limit, is_stopped)?;
        // Amending may have added entries.
        made.entries.truncate(self.most);
        let made = Arc::new(made);
        self.keep(snapshot, Arc::clone(&made));
        Ok(made)
    }
}
