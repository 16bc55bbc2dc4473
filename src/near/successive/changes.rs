//! Which documents of a generation are in a later one too.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::index::snapshot::{DocumentId, FileId, LiveSegment, Snapshot};
use crate::near::document::Document;

/// What became of documents, and which came.
pub(super) struct Changes {
    /// For each document of the earlier generation its number in the later one; none if it left or changed.
    pub(super) kept: Vec<Option<DocumentId>>,
    /// The documents that came or changed.
    pub(super) added: HashSet<DocumentId>,
}

impl Changes {
    /// `documents` are those of the earlier generation.
    pub(super) fn between(before: &Snapshot, documents: &[Document], after: &Snapshot) -> Self {
        let same = Counterparts::new(before, after);
        let stays = |id: DocumentId| {
            let file = before.file_of(id).file;
            let segment = same.later(id.segment, file)?;
            Some(DocumentId { segment, document: id.document })
        };
        let mut kept: Vec<Option<DocumentId>> = documents.iter().map(|of| stays(of.id)).collect();
        let came = after.texts().filter(|&file| same.is_new(file)).flat_map(|file| {
            let numbers = after.segment(file.segment).table().documents_of(file.file);
            numbers.map(move |document| DocumentId { segment: file.segment, document })
        });
        let mut added: HashSet<DocumentId> = came.collect();
        // A merge moves documents from one segment to another.
        let place =
            |snapshot: &Snapshot, id: DocumentId| (path_hash(snapshot, id), snapshot.document(id).record);
        let came: HashMap<(u64, u32), DocumentId> = added.iter().map(|&id| (place(after, id), id)).collect();
        for (of, kept) in documents.iter().zip(&mut kept).filter(|(_, kept)| kept.is_none()) {
            let Some(&id) = came.get(&place(before, of.id)) else { continue };
            let path = |snapshot: &'_ Snapshot, id| snapshot.path(snapshot.file_of(id)).to_owned();
            if Document::indexed(after, id) == (Document { id, ..*of })
                && path(after, id) == path(before, of.id)
            {
                *kept = Some(id);
                added.remove(&id);
            }
        }
        Self { kept, added }
    }
}

fn path_hash(snapshot: &Snapshot, id: DocumentId) -> u64 {
    let path: &Path = snapshot.path(snapshot.file_of(id));
    xxhash_rust::xxh3::xxh3_64(path.as_os_str().as_encoded_bytes())
}

/// The segments that both generations have.
struct Counterparts<'a> {
    before: &'a [LiveSegment],
    after: &'a [LiveSegment],
    /// For each segment of the earlier generation its number in the later one, and the other way round.
    later: Vec<Option<u32>>,
    earlier: Vec<Option<u32>>,
}

impl<'a> Counterparts<'a> {
    fn new(before: &'a Snapshot, after: &'a Snapshot) -> Self {
        let (before, after) = (before.segments(), after.segments());
        let of = |some: &[LiveSegment], others: &[LiveSegment]| {
            let number = |own: &LiveSegment| {
                others.iter().position(|other| other.name() == own.name()).map(|number| number as u32)
            };
            some.iter().map(number).collect()
        };
        Self { before, after, later: of(before, after), earlier: of(after, before) }
    }

    /// The number, in the later generation, of the segment in which a file of the earlier one is, if it is there still and
    /// has the same path.
    fn later(&self, segment: u32, file: u32) -> Option<u32> {
        let later = self.later[segment as usize]?;
        self.is_same(segment, later, file).then_some(later)
    }

    /// Whether the earlier generation does not have a file of the later one.
    fn is_new(&self, FileId { segment, file }: FileId) -> bool {
        self.earlier[segment as usize].is_none_or(|earlier| !self.is_same(earlier, segment, file))
    }

    fn is_same(&self, earlier: u32, later: u32, file: u32) -> bool {
        let (earlier, later) = (&self.before[earlier as usize], &self.after[later as usize]);
        earlier.is_live_file(file) && later.is_live_file(file) && earlier.path(file) == later.path(file)
    }
}
