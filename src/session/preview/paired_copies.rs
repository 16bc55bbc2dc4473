//! Copies that are each shown beside another one: the documents of a cluster beside the representative, those in which
//! folders differ, and copies of which a change changed only some.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::known::Found;
use crate::known::clusters::{ClusterRef, KnownClusters, place};
use crate::known::review::KnownReview;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::documents::Document;
use dupi_index::query::page::DocumentReader;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_judge::copy::OpenCopy;
use dupi_near::trees::{DifferenceKind, TreeCluster, TreeDifference, TreeFolder};
use dupi_review::review::drift::Drift;

/// Copies, each with the one that it is compared with.
pub(crate) struct PairedCopies {
    source: PairSource,
    pairs: Vec<CopyPair>,
    /// The numbers of those that could be read.
    numbers: Vec<usize>,
    /// Reads the copies that they are compared with.
    others: DocumentReader,
}

/// What the copies were found by.
enum PairSource {
    Clusters(Arc<KnownClusters>),
    Review(Arc<KnownReview>),
}

/// A copy, and the one that it is compared with, if there is one.
struct CopyPair {
    own: CopyAt,
    other: Option<CopyAt>,
    /// Their similarity, 0 to 1, if it is known.
    similarity: Option<f32>,
    /// Whether a change touches it.
    is_changed: bool,
}

/// Where a copy is.
#[derive(Clone)]
enum CopyAt {
    /// A whole document, as it is now.
    Whole(DocumentId),
    /// A part of a document that has not changed since.
    Part(Occurrence),
}

impl PairedCopies {
    /// The documents of the cluster with a number, the representative first, which is compared with the most similar
    /// one; none of folders. Or the member with a name: of a folder the documents that differ.
    pub(crate) fn of_cluster(known: Arc<KnownClusters>, number: u32, member: Option<u64>) -> Self {
        let is_meant = |name: u64| member.is_none_or(|member| member == name);
        let meant = known.members(number).enumerate().filter(|(_, of)| is_meant(of.name()));
        let pairs = match known.cluster(number) {
            ClusterRef::Trees(tree) => {
                let folder = meant.map(|(at, _)| &tree.folders[at]).next().filter(|_| member.is_some());
                folder.map(|folder| differences(&known, tree, folder)).unwrap_or_default()
            }
            ClusterRef::Documents(..) => {
                let pair = |(at, of): (usize, _)| {
                    let other = known.members(number).nth(usize::from(at == 0));
                    let similarity = if at == 0 { other.as_ref() } else { Some(&of) }.map(|of| of.similarity);
                    let other = other.and_then(|other| other.document).map(CopyAt::Whole);
                    Some(CopyPair { own: CopyAt::Whole(of.document?), other, similarity, is_changed: false })
                };
                meant.filter_map(pair).collect()
            }
        };
        let others = DocumentReader::new(&known.snapshot);
        Self { source: PairSource::Clusters(known), pairs, numbers: Vec::new(), others }
    }

    /// The copies of a drift: those that the change changed first, each beside one that was left as it was.
    pub(crate) fn of_drift(review: Arc<KnownReview>, drift: &Drift) -> Self {
        let changed = drift.changed.iter().map(|copy| (&copy.at, true));
        let copies = changed.chain(drift.others.iter().map(|at| (at, false)));
        let pair = |(at, is_changed): (&Occurrence, bool)| {
            let changed = || drift.changed.first().map(|copy| copy.at.clone());
            let other = if is_changed { drift.others.first().cloned() } else { changed() };
            let (own, other) = (CopyAt::Part(at.clone()), other.map(CopyAt::Part));
            CopyPair { own, other, similarity: None, is_changed }
        };
        let (pairs, others) = (copies.map(pair).collect(), DocumentReader::new(&review.known.snapshot));
        Self { source: PairSource::Review(review), pairs, numbers: Vec::new(), others }
    }

    fn snapshot(&self) -> &Snapshot {
        match &self.source {
            PairSource::Clusters(known) => &known.snapshot,
            PairSource::Review(review) => &review.known.snapshot,
        }
    }

    /// How many copies there are.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether they are of what was found last.
    pub(crate) fn is_of(&self, found: &Found) -> bool {
        match &self.source {
            PairSource::Clusters(own) => found.clusters.as_ref().is_some_and(|known| Arc::ptr_eq(own, known)),
            PairSource::Review(own) => found.review.found().is_some_and(|review| Arc::ptr_eq(own, review)),
        }
    }

    /// Reads the copy with a number: where it stands, and of a document its similarity in percent. `None` if it cannot be
    /// read, or was changed.
    pub(crate) fn read(
        &mut self,
        number: usize,
        reader: &mut DocumentReader,
    ) -> Option<(Occurrence, Option<u8>)> {
        let (snapshot, pair) = (self.snapshot(), self.pairs.get(number)?);
        let found = match &pair.own {
            CopyAt::Part(at) => {
                open(snapshot, reader, &pair.own)?;
                (at.clone(), None)
            }
            CopyAt::Whole(id) => {
                let path = snapshot.path(snapshot.file_of(*id));
                let record = Some(snapshot.document(*id).record).filter(|record| *record > 0);
                let span = match record {
                    None => ByteSpan { start: 0, end: reader.file(path).ok()?.text.len() as u64 },
                    Some(_) => reader.whole(snapshot, *id).ok()?.span,
                };
                let file = reader.file(path).ok()?;
                let occurrence = file.occurrence(record, span.start as usize, span.end as usize);
                (occurrence, Some(pair.similarity.map_or(100, |of| (of * 100.0) as u8)))
            }
        };
        self.numbers.push(number);
        Some(found)
    }

    /// Which of the copies that were read a change touches; empty where there is none.
    pub(crate) fn are_changed(&self) -> Vec<bool> {
        let numbers = if let PairSource::Review(_) = self.source { &self.numbers[..] } else { &[] };
        numbers.iter().map(|number| self.pairs[*number].is_changed).collect()
    }

    /// A copy that was read, by its number among these.
    pub(crate) fn standing(&self, number: usize, reader: &mut DocumentReader) -> Option<OpenCopy> {
        open(self.snapshot(), reader, &self.pairs[*self.numbers.get(number)?].own)
    }

    /// The copy that a copy which was read is compared with, and their similarity if it is known.
    pub(crate) fn counterpart(&mut self, number: usize) -> Option<(OpenCopy, Option<f32>)> {
        let snapshot = self.snapshot().clone();
        let pair = &self.pairs[*self.numbers.get(number)?];
        Some((open(&snapshot, &mut self.others, pair.other.as_ref()?)?, pair.similarity))
    }
}

/// The documents in which a folder differs from the first one of its row. What is missing is shown from there.
fn differences(known: &KnownClusters, tree: &TreeCluster, folder: &TreeFolder) -> Vec<CopyPair> {
    let own = by_place(known, folder);
    let first = by_place(known, &tree.folders[0]);
    let pair = |difference: &TreeDifference| {
        let at = |documents: &ByPlace, folder: &TreeFolder| {
            let place = (folder.path.join(&difference.path), difference.record);
            documents.get(&place).copied().map(CopyAt::Whole)
        };
        let (own, first) = (at(&own, folder), at(&first, &tree.folders[0]));
        let (own, other) = match difference.kind {
            DifferenceKind::Changed => (own, first),
            DifferenceKind::Added => (own, None),
            DifferenceKind::Missing => (first, None),
        };
        Some(CopyPair { own: own?, other, similarity: None, is_changed: false })
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

/// A copy in its document; `None` if it cannot be read, or for a part if its file has changed since it was indexed.
fn open(snapshot: &Snapshot, reader: &mut DocumentReader, at: &CopyAt) -> Option<OpenCopy> {
    let id = match at {
        CopyAt::Whole(id) => *id,
        CopyAt::Part(at) => document_at(snapshot, &at.path, Some(at.record.unwrap_or(0)))?,
    };
    let parts: Vec<PartId> = snapshot.segment(id.segment).table().parts_of(id.document).map(PartId).collect();
    let pages = reader.pages(snapshot, id, &parts).ok()?;
    let span = match at {
        CopyAt::Whole(_) => ByteSpan { start: pages.first()?.span.start, end: pages.last()?.span.end },
        CopyAt::Part(_) if pages.iter().any(|page| page.part.is_none()) => return None,
        CopyAt::Part(at) => at.text_span,
    };
    OpenCopy::on(pages, span)
}

/// The document at a path: of a record of the file (from 1; 0 if the whole file is one document), or any.
pub(super) fn document_at(snapshot: &Snapshot, path: &Path, record: Option<u32>) -> Option<DocumentId> {
    let file = snapshot.files().find(|&file| snapshot.path(file) == path)?;
    let table = snapshot.segment(file.segment).table();
    let is_it = |document: &u32| record.is_none_or(|record| table.document(*document).record == record);
    let document = table.documents_of(file.file).find(is_it)?;
    Some(DocumentId { segment: file.segment, document })
}
