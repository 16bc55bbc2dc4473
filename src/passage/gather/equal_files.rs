//! Which files have the same bytes as one before them, by the hashes that the index keeps. That is only a guess: a file
//! may have changed since, so the texts are compared when they are read.

use std::collections::HashMap;

use dupi_index::index::snapshot::{FileId, Snapshot};

/// For each of some files the number of the first one that is equal to it, if that is another one.
pub(super) struct EqualFiles {
    firsts: Vec<Option<u32>>,
    /// For each file, whether it is the first of several.
    has_equals: Vec<bool>,
}

impl EqualFiles {
    /// Finds them among files that are one document each.
    pub(super) fn find(snapshot: &Snapshot, files: &[FileId]) -> Self {
        let mut known: HashMap<(u64, u64), u32> = HashMap::with_capacity(files.len());
        let mut has_equals = vec![false; files.len()];
        let first = |(number, file): (u32, &FileId)| {
            let table = snapshot.segment(file.segment).table();
            let mut documents = table.documents_of(file.file);
            let is_whole = documents.next().is_some_and(|first| table.document(first).record == 0);
            if !is_whole || documents.next().is_some() {
                return None;
            }
            let content = (table.hash(file.file), table.stamp(file.file).size);
            let first = *known.entry(content).or_insert(number);
            (first != number).then(|| {
                has_equals[first as usize] = true;
                first
            })
        };
        let firsts = (0..).zip(files).map(first).collect();
        Self { firsts, has_equals }
    }

    /// The number of the first file that is equal to one, unless it is the first.
    pub(super) fn first(&self, number: u32) -> Option<u32> {
        self.firsts[number as usize]
    }

    /// Whether other files are equal to this one, which is the first of them.
    pub(super) fn has_equals(&self, number: u32) -> bool {
        self.has_equals[number as usize]
    }
}
