//! The shares of documents and folders that lie in passages, for one state of the taboo list.

use std::sync::OnceLock;

use crate::protocol::HiddenCounts;
use dupi_passage::folders::{Folders, Sums};
use dupi_passage::partners::by_partner;
use dupi_passage::search::Passages;
use dupi_passage::shares::{PlacedCopies, Share};

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
