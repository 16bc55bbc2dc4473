//! The numbers of documents in a later generation: by path and record, as in every search.

use std::cmp::Ordering;
use std::os::unix::ffi::OsStrExt;

use crate::document::Document;
use dupi_index::index::snapshot::{DocumentId, Snapshot};

/// Documents that stayed and documents that came, numbered together.
pub(super) struct Numbering {
    /// All, sorted by path and record.
    pub(super) documents: Vec<Document>,
    /// For each document of the earlier generation its number; none if it left.
    pub(super) of_former: Vec<Option<u32>>,
    /// The numbers of those that came.
    pub(super) of_added: Vec<u32>,
}

impl Numbering {
    /// `former` are the documents of the earlier generation, `kept` where they are in the later one, if they stayed, and
    /// `added` those that came; the first and the last are sorted by path and record.
    pub(super) fn new(
        after: &Snapshot,
        former: &[Document],
        kept: &[Option<DocumentId>],
        added: &[Document],
    ) -> Self {
        let stayed: Vec<(usize, Document)> = (0..)
            .zip(former.iter().zip(kept))
            .filter_map(|(number, (of, id))| Some((number, Document { id: (*id)?, ..*of })))
            .collect();
        let (mut documents, mut of_former) =
            (Vec::with_capacity(stayed.len() + added.len()), vec![None; former.len()]);
        let mut of_added = Vec::with_capacity(added.len());
        let mut rest = &stayed[..];
        let mut take = |some: &[(usize, Document)], documents: &mut Vec<Document>| {
            for (number, of) in some {
                of_former[*number] = Some(documents.len() as u32);
                documents.push(*of);
            }
        };
        for of in added {
            let is_before =
                |(_, other): &(usize, Document)| compare(after, other.id, of.id) == Ordering::Less;
            let (some, behind) = rest.split_at(rest.partition_point(is_before));
            take(some, &mut documents);
            rest = behind;
            of_added.push(documents.len() as u32);
            documents.push(*of);
        }
        take(rest, &mut documents);
        Self { documents, of_former, of_added }
    }
}

fn compare(snapshot: &Snapshot, a: DocumentId, b: DocumentId) -> Ordering {
    let path = |id| snapshot.path(snapshot.file_of(id)).as_os_str().as_bytes();
    let record = |id| snapshot.document(id).record;
    path(a).cmp(path(b)).then_with(|| record(a).cmp(&record(b)))
}
