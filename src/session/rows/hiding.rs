//! What the entries of the taboo list hide, for the verb that reports it without a session.

use super::known_passages::KnownPassages;
use crate::decisions::taboo_counts::of_passages;
use crate::protocol::HiddenCounts;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::TabooSet;
use dupi_passage::search::{Passages, SearchSettings};

/// How many passages the taboo list hides.
#[derive(Clone, Debug)]
pub struct Hiding {
    /// What each entry hides, alone or as one without which a passage would not be hidden.
    pub entries: Vec<HiddenCounts>,
    /// What all of them hide together.
    pub together: HiddenCounts,
    /// How many passages there are, hidden ones too.
    pub passages: u64,
}

impl Hiding {
    /// Counts what each set hides of some passages, and what all of them hide.
    pub fn new(
        snapshot: Snapshot,
        passages: Passages,
        settings: SearchSettings,
        sets: &[TabooSet],
        all: &TabooSet,
    ) -> Self {
        let known = KnownPassages::new(snapshot, passages, settings);
        let hidden = known.hidden(all);
        let numbers = hidden.iter().enumerate().filter(|(_, is)| **is).map(|(number, _)| number);
        Self {
            entries: of_passages(&known, sets),
            together: known.sum(numbers),
            passages: hidden.len() as u64,
        }
    }
}
