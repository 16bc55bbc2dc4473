//! The documents of a cluster, whole, each beside the representative; of folders those in which they differ.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::known::clusters::{ClusterRef, KnownClusters, place};
use crate::protocol::member_hash;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::documents::Document;
use dupi_index::query::page::DocumentReader;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_judge::copy::OpenCopy;
use dupi_near::found::Member;
use dupi_near::trees::{DifferenceKind, TreeCluster, TreeDifference, TreeFolder};

/// Some documents of a cluster.
pub(crate) struct WholeDocuments {
    known: Arc<KnownClusters>,
    compared: Vec<ComparedDocument>,
    /// The numbers of those that could be read.
    numbers: Vec<usize>,
    /// Reads the documents that they are compared with.
    others: DocumentReader,
}

/// A document, and the one that it is compared with, if there is one.
#[derive(Clone, Copy)]
struct ComparedDocument {
    own: DocumentId,
    other: Option<DocumentId>,
    /// Their similarity, 0 to 1, if it is known.
    similarity: Option<f32>,
}

impl WholeDocuments {
    /// The documents of the cluster with a number, the representative first, which is compared with the most similar
    /// one; none of folders. Or the member with a name: of a folder the documents that differ.
    pub(crate) fn of(known: Arc<KnownClusters>, number: u32, member: Option<u64>) -> Self {
        let is_meant = |path: &Path, record| member.is_none_or(|name| name == member_hash(path, record));
        let compared = match known.cluster(number) {
            ClusterRef::Trees(tree) => {
                let folder = tree.folders.iter().find(|of| member.is_some() && is_meant(&of.path, None));
                folder.map(|folder| differences(&known, tree, folder)).unwrap_or_default()
            }
            ClusterRef::Documents(found, cluster) => {
                let is_it = |of: &&Member| {
                    let (path, record) = place(&known.snapshot, &found.documents[of.document as usize]);
                    is_meant(path, record)
                };
                let meant = cluster.members.iter().filter(is_it);
                meant.map(|of| compared(&found.documents, &cluster.members, of)).collect()
            }
        };
        let others = DocumentReader::new(&known.snapshot);
        Self { known, compared, numbers: Vec::new(), others }
    }

    /// How many documents there are.
    pub(crate) fn len(&self) -> usize {
        self.compared.len()
    }

    /// Whether it was made from these clusters.
    pub(crate) fn is_of(&self, known: &Arc<KnownClusters>) -> bool {
        Arc::ptr_eq(&self.known, known)
    }

    /// Reads the document with a number, as it is now: where it stands, and its similarity in percent. `None` if it
    /// cannot be read.
    pub(crate) fn read(&mut self, number: usize, reader: &mut DocumentReader) -> Option<(Occurrence, u8)> {
        let ComparedDocument { own, similarity, .. } = *self.compared.get(number)?;
        let snapshot = &self.known.snapshot;
        let record = Some(snapshot.document(own).record).filter(|record| *record > 0);
        let span = match record {
            None => {
                let file = reader.file(snapshot.path(snapshot.file_of(own))).ok()?;
                ByteSpan { start: 0, end: file.text.len() as u64 }
            }
            Some(_) => reader.whole(snapshot, own).ok()?.span,
        };
        let file = reader.file(snapshot.path(snapshot.file_of(own))).ok()?;
        self.numbers.push(number);
        let occurrence = file.occurrence(record, span.start as usize, span.end as usize);
        Some((occurrence, similarity.map_or(100, |of| (of * 100.0) as u8)))
    }

    /// A document that was read, by its number among these.
    pub(crate) fn standing(&self, number: usize, reader: &mut DocumentReader) -> Option<OpenCopy> {
        open(&self.known.snapshot, reader, self.compared[*self.numbers.get(number)?].own)
    }

    /// The document that a document which was read is compared with, and their similarity if it is known.
    pub(crate) fn counterpart(&mut self, number: usize) -> Option<(OpenCopy, Option<f32>)> {
        let of = self.compared[*self.numbers.get(number)?];
        Some((open(&self.known.snapshot, &mut self.others, of.other?)?, of.similarity))
    }
}

/// A member of a cluster beside the representative; this one beside the most similar other one.
fn compared(documents: &[Document], members: &[Member], of: &Member) -> ComparedDocument {
    let id = |of: &Member| documents[of.document as usize].id;
    let is_first = of.document == members[0].document;
    let other = if is_first { members.get(1) } else { members.first() };
    let similarity = if is_first { other } else { Some(of) };
    ComparedDocument {
        own: id(of),
        other: other.map(id),
        similarity: similarity.map(|member| member.similarity),
    }
}

/// The documents in which a folder differs from the first one of its row. What is missing is shown from there.
fn differences(known: &KnownClusters, tree: &TreeCluster, folder: &TreeFolder) -> Vec<ComparedDocument> {
    let own = by_place(known, folder);
    let first = by_place(known, &tree.folders[0]);
    let of = |documents: &ByPlace, in_folder: &TreeFolder, below: &Path, record: Option<u32>| {
        documents.get(&(in_folder.path.join(below), record)).copied()
    };
    let own = |below: &Path, record| of(&own, folder, below, record);
    let first = |below: &Path, record| of(&first, &tree.folders[0], below, record);
    let pair = |difference: &TreeDifference| {
        let (below, record) = (&difference.path, difference.record);
        let (own, other) = match difference.kind {
            DifferenceKind::Changed => (own(below, record), first(below, record)),
            DifferenceKind::Added => (own(below, record), None),
            DifferenceKind::Missing => (first(below, record), None),
        };
        Some(ComparedDocument { own: own?, other, similarity: None })
    };
    folder.differences.iter().filter_map(pair).collect()
}

/// Documents by their paths and records.
type ByPlace = HashMap<(PathBuf, Option<u32>), DocumentId>;

fn by_place(known: &KnownClusters, folder: &TreeFolder) -> ByPlace {
    let place_of = |document: &Document| {
        let (path, record) = place(&known.snapshot, document);
        ((path.to_owned(), record), document.id)
    };
    known.lying_in(folder).iter().map(place_of).collect()
}

/// A document, whole.
fn open(snapshot: &Snapshot, reader: &mut DocumentReader, id: DocumentId) -> Option<OpenCopy> {
    let table = snapshot.segments()[id.segment as usize].segment().table();
    let parts: Vec<PartId> = table.parts_of(id.document).map(PartId).collect();
    let pages = reader.pages(snapshot, id, &parts).ok()?;
    let span = ByteSpan { start: pages.first()?.span.start, end: pages.last()?.span.end };
    OpenCopy::on(pages, span)
}
