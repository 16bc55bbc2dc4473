//! Which bytes of which documents are covered, and by which passage: the first one that was added.

use std::collections::BTreeMap;
use std::ops::Range;

/// Disjoint stretches of documents, each with the number of the passage that covers it.
pub(super) struct Cover {
    /// For each document, stretches by their first bytes: one past the last byte, and the passage.
    documents: Vec<BTreeMap<u32, (u32, u32)>>,
}

impl Cover {
    /// Nothing is covered in this number of documents.
    pub(super) fn new(documents: usize) -> Self {
        Self { documents: vec![BTreeMap::new(); documents] }
    }

    /// Covers those bytes of a stretch that are not covered yet.
    pub(super) fn add(&mut self, document: u32, bytes: Range<u32>, passage: u32) {
        let mut gaps = Vec::new();
        let mut start = bytes.start;
        for (part, _) in self.within(document, bytes.clone()) {
            if start < part.start {
                gaps.push(start..part.start);
            }
            start = part.end;
        }
        if start < bytes.end {
            gaps.push(start..bytes.end);
        }
        let covered = &mut self.documents[document as usize];
        covered.extend(gaps.into_iter().map(|gap| (gap.start, (gap.end, passage))));
    }

    /// The covered parts of a stretch with their passages, in the order of the text.
    pub(super) fn within(&self, document: u32, bytes: Range<u32>) -> impl Iterator<Item = (Range<u32>, u32)> {
        let covered = &self.documents[document as usize];
        let before = covered.range(..bytes.start).next_back();
        before
            .into_iter()
            .chain(covered.range(bytes.clone()))
            .map(move |(&start, &(end, passage))| (start.max(bytes.start)..end.min(bytes.end), passage))
            .filter(|(part, _)| part.start < part.end)
    }
}
