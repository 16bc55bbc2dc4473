//! Filters of clusters: each term may hold for another document.

use super::known_clusters::{ClusterRef, KnownClusters};
use dupi_index::index::snapshot::DocumentId;
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern};
use dupi_index::query::page::DocumentReader;
use dupi_text::blot::Blot;

/// The contents of a cluster, as far as a filter applies to them.
pub(super) struct ClusterContents<'a> {
    /// All clusters.
    pub known: &'a KnownClusters,
    /// The number of this one.
    pub number: u32,
    /// With how many members it was accepted, if it was.
    pub accepted: Option<u64>,
    /// Whether a word pattern, given its index, matches one of its texts; `None` if that is not known yet.
    pub has_text: &'a dyn Fn(usize, &WordPattern) -> Option<bool>,
}

impl ClusterContents<'_> {
    /// The word patterns that match the text of a document of a cluster, as bits by their indices. Documents are read
    /// until all of them do. `is_cancelled` ends it early; then the result is invalid.
    pub(super) fn texts(
        known: &KnownClusters,
        number: u32,
        patterns: &[WordPattern],
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> u64 {
        let mut reader = DocumentReader::new(&known.snapshot);
        let all = (0..patterns.len()).fold(0, |bits, at| bits | 1 << at);
        let mut found = 0;
        for id in known.documents(number) {
            if found == all || is_cancelled() {
                break;
            }
            let path = known.snapshot.path(known.snapshot.file_of(id));
            let Ok(file) = reader.file(path) else { continue };
            let Some(text) = file.text_of(known.snapshot.document(id).record) else { continue };
            for (at, words) in patterns.iter().enumerate() {
                found |= u64::from(words.matches(&text)) << at;
            }
        }
        found
    }
}

impl Facts for ClusterContents<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let cluster = self.known.cluster(self.number);
        match (of, cluster) {
            (Quantity::Copies, _) => Fact::Is(cluster.copies()),
            (Quantity::Documents, ClusterRef::Documents(..)) => Fact::Is(cluster.copies()),
            (Quantity::Documents, ClusterRef::Trees(tree)) => {
                Fact::Is(tree.folders.iter().map(|folder| folder.documents.len() as u64).sum())
            }
            (Quantity::Tokens, ClusterRef::Documents(found, of)) => {
                Fact::Is(u64::from(found.documents[of.members[0].document as usize].tokens))
            }
            (Quantity::Tokens, ClusterRef::Trees(tree)) => {
                let documents = self.known.lying_in(&tree.folders[0]);
                Fact::Is(documents.iter().map(|of| u64::from(of.tokens)).sum())
            }
            (Quantity::Alike, _) => Fact::Is((cluster.mean() * 100.0) as u64),
            (Quantity::Score | Quantity::Share, _) => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<ReviewState> {
        let copies = self.known.cluster(self.number).copies();
        let is_accepted = self.accepted.is_some_and(|then| copies <= then);
        Fact::Is(if is_accepted { ReviewState::Accepted } else { ReviewState::Open })
    }

    fn belongs_to(&self, _: u64) -> Option<bool> {
        Some(false)
    }

    fn has_blot(&self, _: Blot) -> Option<bool> {
        Some(false)
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let snapshot = &self.known.snapshot;
        let holds = |id: DocumentId| test.holds(snapshot.path(snapshot.file_of(id)), &mut String::new);
        Some(self.known.documents(self.number).into_iter().any(holds))
    }

    fn has_text(&self, number: usize, words: &WordPattern) -> Option<bool> {
        (self.has_text)(number, words)
    }
}
