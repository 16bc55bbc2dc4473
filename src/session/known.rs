//! What a session knows: what was found last in a generation, with what is derived from it, the review of a change, and the
//! decisions.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use self::clusters::KnownClusters;
use self::passages::{KnownPassages, Pins};
use crate::protocol::{ListedReview, ReviewFacts};
use dupi_base::parallel;
use dupi_index::index::snapshot::Snapshot;
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
pub(super) mod rankings;
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
