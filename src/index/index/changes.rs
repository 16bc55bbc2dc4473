//! Which files of a generation are in a later one too, with the same path and content.
//!
//! Files of segments that both generations have are compared by their numbers. A merge moves files to another segment;
//! these are found by their paths.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::ops::Range;

use super::snapshot::{DocumentId, FileId, LiveSegment, Snapshot};

/// How the text files of a generation differ from those of an earlier one. A file that was changed or moved is gone, and is
/// new.
pub struct FileChanges<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    /// For each segment of the earlier generation, where its files are in the later one.
    later: Vec<Vec<Option<FileId>>>,
    /// The files of the later generation that are new, in order.
    pub new: Vec<FileId>,
    /// How many files are the same.
    pub same: usize,
    /// How many files of the earlier generation are gone.
    pub gone: usize,
}

impl<'a> FileChanges<'a> {
    /// Compares two generations of one index, which have the same recipe, formats and rules.
    pub fn between(before: &'a Snapshot, after: &'a Snapshot) -> Self {
        let (segments, others) = (before.segments(), after.segments());
        let counterpart = |own: &LiveSegment, others: &[LiveSegment]| {
            others.iter().position(|other| other.name() == own.name()).map(|number| number as u32)
        };
        let stays_in: Vec<Option<u32>> = segments.iter().map(|own| counterpart(own, others)).collect();
        let came_from: Vec<Option<u32>> = others.iter().map(|own| counterpart(own, segments)).collect();
        let has_stayed = |earlier: u32, later: u32, file: u32| {
            let (earlier, later) = (&segments[earlier as usize], &others[later as usize]);
            earlier.is_live_file(file) && later.is_live_file(file) && earlier.path(file) == later.path(file)
        };
        let count = |own: &LiveSegment| own.segment().table().file_count();
        let mut later: Vec<Vec<Option<FileId>>> = segments.iter().map(|own| vec![None; count(own)]).collect();
        let (mut same, mut elsewhere) = (0, HashMap::<&OsStr, FileId>::new());
        for file in before.texts() {
            match stays_in[file.segment as usize].filter(|&now| has_stayed(file.segment, now, file.file)) {
                Some(segment) => {
                    later[file.segment as usize][file.file as usize] = Some(FileId { segment, ..file });
                    same += 1;
                }
                None => drop(elsewhere.insert(before.path(file).as_os_str(), file)),
            }
        }
        let is_unknown = |file: &FileId| {
            let from = came_from[file.segment as usize];
            from.is_none_or(|from| !has_stayed(from, file.segment, file.file))
        };
        let mut new: Vec<FileId> = after.texts().filter(is_unknown).collect();
        let mut gone = elsewhere.len();
        new.retain(|&file| {
            let known = elsewhere.get(after.path(file).as_os_str());
            let known = known.filter(|&&known| has_same_content((before, known), (after, file)));
            if let Some(known) = known {
                later[known.segment as usize][known.file as usize] = Some(file);
                (same, gone) = (same + 1, gone - 1);
            }
            known.is_none()
        });
        Self { before, after, later, new, same, gone }
    }

    /// Where a document of the earlier generation is in the later one; `None` if its file is gone.
    pub fn later(&self, id: DocumentId) -> Option<DocumentId> {
        let file = self.before.file_of(id);
        let later = self.later[file.segment as usize][file.file as usize]?;
        // The same content has the same documents in the same order.
        let at = id.document - documents(self.before, file).start;
        Some(DocumentId { segment: later.segment, document: documents(self.after, later).start + at })
    }
}

/// The numbers of a file's documents.
fn documents(snapshot: &Snapshot, file: FileId) -> Range<u32> {
    snapshot.segment(file.segment).table().documents_of(file.file)
}

/// Whether two files with one path have the same stamp and bytes.
fn has_same_content((before, known): (&Snapshot, FileId), (after, file): (&Snapshot, FileId)) -> bool {
    let of = |snapshot: &Snapshot, file: FileId| {
        let table = snapshot.segment(file.segment).table();
        (table.stamp(file.file), table.hash(file.file), documents(snapshot, file).len())
    };
    of(before, known) == of(after, file)
}
