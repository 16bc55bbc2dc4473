//! What the passages that are not hidden say about documents: for one state of the taboo list.

use std::sync::OnceLock;

use crate::passage::folders::{Folders, Sums};
use crate::passage::partners::by_partner;
use crate::passage::search::Passages;
use crate::passage::shares::{PlacedCopies, Share};
use crate::session::protocol::Hidden;

/// The shares of all documents and folders that stand elsewhere too.
pub struct Shares {
    /// Which passages are hidden, as they were found.
    pub hidden: Vec<bool>,
    /// What that takes out of all passages.
    pub hides: Hidden,
    /// For each source of the passages.
    pub documents: Vec<Share>,
    /// For each folder and file of the generation.
    pub folders: Vec<Sums>,
    by_partner: OnceLock<Vec<u32>>,
}

impl Shares {
    /// Counts what is left when a taboo list hides its part of the passages.
    pub fn new(passages: &Passages, of: &Folders, hidden: Vec<bool>) -> Self {
        let found = &passages.found;
        let mut hides = Hidden::default();
        for (passage, _) in found.iter().zip(&hidden).filter(|(_, is_hidden)| **is_hidden) {
            hides.rows += 1;
            hides.copies += passage.copies.len() as u64;
            hides.documents += u64::from(passage.documents);
        }
        let documents = PlacedCopies::new(found, &hidden, passages.sources.len()).shares(found);
        let folders = of.sums(&documents, |_| true);
        Self { hidden, hides, documents, folders, by_partner: OnceLock::new() }
    }

    /// All sources, each by the one that it shares most with.
    pub fn by_partner(&self) -> &[u32] {
        self.by_partner.get_or_init(|| by_partner(&self.documents))
    }
}
