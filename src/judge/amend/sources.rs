//! The sources of the earlier passages that are the same now, and those of the search around the changes, in one list.

use crate::HashedMap;
use crate::passages::{Passage, PassageCopy, SourceDocument};
use dupi_index::index::snapshot::{DocumentId, Snapshot};

/// The number of a source that is gone.
const GONE: u32 = u32::MAX;

/// Sources of two searches, sorted by path and document.
pub(super) struct MergedSources {
    /// The sources.
    pub(super) sources: Vec<SourceDocument>,
    /// For each earlier source, its number now.
    earlier: Vec<u32>,
    /// For each source of the search around the changes, its number now.
    found: Vec<u32>,
}

impl MergedSources {
    /// Merges the earlier sources, of which `documents` are the numbers now, with those that were `found`. Both are sorted
    /// by path.
    pub(super) fn of(
        now: &Snapshot,
        (earlier, documents): (&[SourceDocument], &[Option<DocumentId>]),
        found: &[SourceDocument],
    ) -> Self {
        let place = |id: DocumentId| (now.path(now.file_of(id)).as_os_str(), id.document);
        let mut kept = (0..)
            .zip(earlier.iter().zip(documents))
            .filter_map(|(number, (source, id))| Some((number, SourceDocument { id: (*id)?, ..*source })))
            .peekable();
        let mut merged =
            Self { sources: Vec::new(), earlier: vec![GONE; earlier.len()], found: vec![GONE; found.len()] };
        for (number, source) in found.iter().enumerate() {
            let at = place(source.id);
            while let Some((kept_number, before)) =
                kept.next_if(|(_, before)| before.id != source.id && place(before.id) < at)
            {
                merged.push_earlier(kept_number, before);
            }
            merged.found[number] = merged.sources.len() as u32;
            match kept.next_if(|(_, before)| before.id == source.id) {
                Some((kept_number, before)) => merged.push_earlier(kept_number, before),
                None => merged.sources.push(*source),
            }
        }
        for (kept_number, before) in kept {
            merged.push_earlier(kept_number, before);
        }
        merged
    }

    fn push_earlier(&mut self, number: usize, source: SourceDocument) {
        self.earlier[number] = self.sources.len() as u32;
        self.sources.push(source);
    }

    /// An earlier copy with the number of its source now; `None` if that is gone.
    pub(super) fn earlier(&self, copy: &PassageCopy) -> Option<PassageCopy> {
        Some(PassageCopy { source: self.earlier_source(copy.source)?, ..*copy })
    }

    /// The number now of an earlier source; `None` if that is gone.
    pub(super) fn earlier_source(&self, source: u32) -> Option<u32> {
        Some(self.earlier[source as usize]).filter(|&source| source != GONE)
    }

    /// A copy that was found around the changes, with the number of its source now.
    pub(super) fn found(&self, copy: &PassageCopy) -> PassageCopy {
        PassageCopy { source: self.found_source(copy.source), ..*copy }
    }

    /// The number now of a source of the search around the changes.
    pub(super) fn found_source(&self, source: u32) -> u32 {
        self.found[source as usize]
    }
}

/// Rows by the sources in which they have copies.
pub(super) type BySource<T> = HashedMap<u32, Vec<T>>;

/// A passage with other copies than it had. What depends on their number is estimated from what it was `before`.
pub(super) fn with_copies(before: &Passage, copies: Vec<PassageCopy>, representative: u32) -> Passage {
    let documents = copies.chunk_by(|a, b| a.source == b.source).count() as u32;
    let passage = Passage { copies, representative, documents, ..*before };
    let saved = |of: &Passage| of.similarity() * of.copies.len() as f64 - 1.0;
    let others = |of: &Passage| of.copies.len() as f64 - 1.0;
    Passage {
        worth: scaled(before.worth, saved(&passage), saved(before)),
        lines: scaled(before.lines, others(&passage), others(before)),
        ..passage
    }
}

/// A number times one value by another; the number itself if they have no quotient.
fn scaled(number: u64, by: f64, of: f64) -> u64 {
    if of > 0.0 { (number as f64 * by.max(0.0) / of).round() as u64 } else { number }
}
