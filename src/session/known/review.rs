//! What the review of a change found last.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::passages::{KnownPassages, Pins};
use crate::protocol::{ListedReview, ReviewFacts};
use dupi_base::parallel;
use dupi_index::index::snapshot::Snapshot;
use dupi_judge::base::with_representative;
use dupi_judge::passages::PassageId;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_review::change::ChangedLines;
use dupi_review::review::FoundReview;
use dupi_review::review::drift::Drift;
use dupi_review::review::find::TouchedPassage;
use dupi_review::review::verdict::LeftOut;

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
        self.found.drifts.iter().map(|of| &of.drift).find(|drift| drift.id == id.0)
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
