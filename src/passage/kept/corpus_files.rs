//! All text files of the documents that a kept result is of, as bytes: the fingerprints of path and content, ascending, eight
//! bytes each. Documents are named by the number of their file among these. So it is known later which files are new, and
//! which are gone.

use std::collections::HashMap;

use super::identity::Content;
use dupi_index::index::snapshot::{DocumentId, FileId};

/// A document of which the file is gone.
pub(super) const GONE: DocumentId = DocumentId { segment: u32::MAX, document: u32::MAX };

/// How the files of a generation differ from those that a kept result is of. Documents are named by their numbers in this
/// generation.
pub struct EarlierFiles {
    /// The files that are new or have changed, in order.
    pub new: Vec<FileId>,
    /// How many files are the same.
    pub same: usize,
    /// How many files are gone or have changed.
    pub gone: usize,
}

impl EarlierFiles {
    /// Whether a document that the result names is there still.
    pub fn is_there(id: DocumentId) -> bool {
        id != GONE
    }

    /// Whether no file is new and none is gone.
    pub(super) fn are_same(&self) -> bool {
        self.new.is_empty() && self.gone == 0
    }
}

/// The files in the order of their fingerprints; `None` if two have the same.
pub(super) fn encode(content: &Content) -> Option<(Vec<u8>, HashMap<FileId, u32>)> {
    let mut files = content.files.clone();
    files.sort_unstable();
    if files.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    let bytes = files.iter().flat_map(|(fingerprint, _)| fingerprint.to_le_bytes()).collect();
    let numbers = (0..).zip(&files).map(|(number, (_, file))| (*file, number)).collect();
    Some((bytes, numbers))
}

/// For each file its number in the snapshot whose content this is, if it is there still, and the changes. `None` if the
/// bytes are invalid.
pub(super) fn decode(bytes: &[u8], content: &Content) -> Option<(Vec<Option<FileId>>, EarlierFiles)> {
    let (words, rest) = bytes.as_chunks();
    let fingerprints: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    if !rest.is_empty() || !fingerprints.is_sorted_by(|a, b| a < b) {
        return None;
    }
    let mut now = content.files.clone();
    now.sort_unstable();
    let (mut at, mut new) = (0, Vec::new());
    let mut files = vec![None; fingerprints.len()];
    for (fingerprint, file) in now {
        while fingerprints.get(at).is_some_and(|known| *known < fingerprint) {
            at += 1;
        }
        match files.get_mut(at).filter(|file| fingerprints[at] == fingerprint && file.is_none()) {
            Some(known) => *known = Some(file),
            None => new.push(file),
        }
    }
    new.sort_unstable();
    let same = content.files.len() - new.len();
    let gone = fingerprints.len() - same;
    Some((files, EarlierFiles { new, same, gone }))
}
