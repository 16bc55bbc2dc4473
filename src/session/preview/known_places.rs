//! Copies at known places: those of a passage, those in one document or file, the members of a cluster, and what
//! drifted. Each copy may have another one that it is compared with.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::known::clusters::{ClusterRef, KnownClusters};
use crate::known::passages::{KnownPassages, Shares};
use crate::protocol::ListedMember;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::page::{DocumentPage, DocumentReader, OpenFile};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_judge::copies::OpenCopy;
use dupi_judge::passages::{Passage, PassageCopy, PassageId};
use dupi_judge::shares::{outermost, placed_copies};
use dupi_near::trees::{DifferenceKind, TreeCluster, TreeDifference, TreeFolder};
use dupi_review::review::drift::Drift;

/// The copies of a row, with the one that each is compared with.
#[derive(Default)]
pub(super) struct KnownPlaces {
    pub pairs: Vec<CopyPair>,
    /// The copies of one document each, which are read together.
    pub groups: Vec<Range<usize>>,
    /// The passages that the copies are of.
    known: Option<Arc<KnownPassages>>,
    /// The passage that all copies are of; with the copy as its representative that the user pinned, if there is one.
    passage: Option<(PassageId, Option<Arc<Passage>>)>,
    /// The document that is shown if none of the copies is found.
    alone: Option<DocumentId>,
}

/// A copy, and the one that it is compared with, if there is one.
pub(super) struct CopyPair {
    own: CopyAt,
    pub other: Option<CopyAt>,
    /// Their similarity, 0 to 1, if it is known.
    pub similarity: Option<f32>,
    /// Whether a change touches it.
    pub is_changed: bool,
    /// For a copy in a document or file: its passage, and how many tokens it has.
    pub stretch: Option<(PassageId, u32)>,
}

/// Where a copy is.
#[derive(Clone, PartialEq)]
pub(super) enum CopyAt {
    /// A whole document, as it is now.
    Whole(DocumentId),
    /// A part of a document that has not changed since.
    Part(Box<Occurrence>),
    /// A copy of a passage.
    Spot(PassageCopy),
    /// The representative of the passage that all copies are of.
    Representative,
    /// The first of the copies that were found.
    First,
}

impl CopyPair {
    fn new(own: CopyAt, other: Option<CopyAt>) -> Self {
        Self { own, other, similarity: None, is_changed: false, stretch: None }
    }

    /// The similarity that is listed for a copy of a passage or a document of a cluster, in percent.
    fn percent(&self) -> Option<u8> {
        let is_listed = self.stretch.is_none() && !matches!(self.own, CopyAt::Part(_));
        // Rounded down, so that copies which differ are never 100 % alike.
        is_listed.then(|| (self.similarity.unwrap_or(1.0) * 100.0) as u8)
    }
}

impl KnownPlaces {
    /// Copies that lie in documents of their own.
    fn single(pairs: Vec<CopyPair>) -> Self {
        let groups = (0..pairs.len()).map(|number| number..number + 1).collect();
        Self { pairs, groups, ..Self::default() }
    }

    /// The copies of a passage; none if the passage is not known. `touched` are those that a change touches, which come
    /// first with the others of their documents.
    pub(super) fn of_passage(known: Arc<KnownPassages>, id: PassageId, touched: &[bool]) -> Option<Self> {
        let pinned = known.pins().get(&id).cloned();
        let passage = pinned.as_deref().or_else(|| known.get(id))?;
        let pair = |(number, spot): (usize, &PassageCopy)| CopyPair {
            similarity: Some(spot.similarity),
            is_changed: touched.get(number) == Some(&true),
            ..CopyPair::new(CopyAt::Spot(*spot), Some(CopyAt::Representative))
        };
        let pairs: Vec<CopyPair> = passage.copies.iter().enumerate().map(pair).collect();
        let mut groups = ranges(passage.copies.chunk_by(|a, b| a.source == b.source));
        if !touched.is_empty() {
            groups.sort_by_key(|group| !touched[group.clone()].contains(&true));
        }
        Some(Self { pairs, groups, known: Some(known), passage: Some((id, pinned)), alone: None })
    }

    /// The copies in a file, or in one record of it, that do not lie within longer ones. A copy is compared with the one
    /// in the partner of its document if the partner has the passage, else with the representative, or with another copy
    /// if it is the representative.
    pub(super) fn within(
        known: Arc<KnownPassages>,
        shares: &Shares,
        path: &Path,
        record: Option<u32>,
    ) -> Self {
        let sources = sources(&known, path, record);
        let placed = placed_copies(&known.passages.found, &shares.hidden, sources.clone());
        let documents = placed.chunk_by(|a, b| a.source == b.source);
        let pair = |passage: &Passage, own: usize| {
            let spot = passage.copies[own];
            let partner = shares.documents[spot.source as usize].partner.map(|partner| partner.source);
            let in_partner = |partner: u32| {
                let at = passage.copies.partition_point(|spot| spot.source < partner);
                passage.copies.get(at).filter(|spot| spot.source == partner).map(|_| at)
            };
            let first = passage.representative as usize;
            let another = || if own == first { usize::from(own == 0) } else { first };
            let other = partner.and_then(in_partner).unwrap_or_else(another);
            let similarity = match first {
                _ if own == first => Some(passage.copies[other].similarity),
                _ if other == first => Some(spot.similarity),
                _ => None,
            };
            let stretch = Some((passage.id, spot.tokens));
            let other = Some(CopyAt::Spot(passage.copies[other]));
            CopyPair { similarity, stretch, ..CopyPair::new(CopyAt::Spot(spot), other) }
        };
        let pairs: Vec<CopyPair> = documents
            .flat_map(outermost)
            .map(|(at, _)| pair(&known.passages.found[at.passage as usize], at.copy as usize))
            .collect();
        let alone = match sources.is_empty() {
            false => Some(known.passages.sources[sources.start as usize].id),
            true => document_at(&known.snapshot, path, record),
        };
        // All of them are in one file, even if there is none.
        let groups = std::iter::once(0..pairs.len()).collect();
        Self { pairs, groups, known: Some(known), passage: None, alone }
    }

    /// The documents of the cluster with a number, the representative first, which is compared with the most similar
    /// one; none of folders. Or the member with a name: of a folder the documents that differ.
    pub(super) fn of_cluster(known: &KnownClusters, number: u32, member: Option<u64>) -> Self {
        let is_meant = |of: &ListedMember| member.is_none_or(|member| member == of.name());
        let members: Vec<ListedMember> = known.members(number).collect();
        let meant = members.iter().enumerate().filter(|(_, of)| is_meant(of)).map(|(at, _)| at);
        Self::single(match known.cluster(number) {
            ClusterRef::Trees(tree) => {
                let folder = meant.map(|at| &tree.folders[at]).next().filter(|_| member.is_some());
                folder.map(|folder| differences(known, tree, folder)).unwrap_or_default()
            }
            ClusterRef::Documents(..) => {
                let documents = known.documents(number);
                let pair = |at: usize| {
                    let other = usize::from(at == 0);
                    let similarity = members.get(at.max(other)).map(|of| of.similarity);
                    let other = documents.get(other).copied().map(CopyAt::Whole);
                    CopyPair { similarity, ..CopyPair::new(CopyAt::Whole(documents[at]), other) }
                };
                meant.map(pair).collect()
            }
        })
    }

    /// The copies of a drift: those that the change changed first, each beside one that was left as it was.
    pub(super) fn of_drift(drift: &Drift) -> Self {
        let part = |at: &Occurrence| CopyAt::Part(Box::new(at.clone()));
        let pair = |at, other: Option<&Occurrence>, is_changed| {
            let pair = CopyPair::new(part(at), other.map(part));
            CopyPair { is_changed, ..pair }
        };
        let changed = drift.changed.iter().map(|copy| pair(&copy.at, drift.others.first(), true));
        let first = drift.changed.first().map(|copy| &copy.at);
        Self::single(changed.chain(drift.others.iter().map(|at| pair(at, first, false))).collect())
    }

    /// Reads the copies of a group: the number of each that is found, where it is, and its similarity in percent if that
    /// is listed. A copy that cannot be read, or that was changed, is not found.
    pub(super) fn read(
        &self,
        group: Range<usize>,
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Vec<(usize, Occurrence, Option<u8>)> {
        // Of each document, all copies of a passage are found or, if its file has changed, none.
        type Opened = Option<(Arc<OpenFile>, Option<u32>)>;
        let mut opened: Option<(u32, Opened)> = None;
        let mut find = |at: &CopyAt| match at {
            CopyAt::Spot(spot) => {
                let source = &self.known.as_ref()?.passages.sources[spot.source as usize];
                let opened = match &opened {
                    Some((of, known)) if *of == spot.source => known,
                    _ => &opened.insert((spot.source, source.open(snapshot, reader))).1,
                };
                let (file, record) = opened.as_ref()?;
                Some(file.occurrence(*record, spot.start as usize, spot.end as usize))
            }
            CopyAt::Whole(id) => whole(*id, snapshot, reader),
            CopyAt::Part(part) => self.open(at, snapshot, reader).map(|_| Occurrence::clone(part)),
            CopyAt::Representative | CopyAt::First => None,
        };
        let of = |number: usize| Some((number, find(&self.pairs[number].own)?, self.pairs[number].percent()));
        group.filter_map(of).collect()
    }

    /// The copy with a number in its document.
    pub(super) fn standing(
        &self,
        number: usize,
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Option<OpenCopy> {
        self.open(&self.pairs.get(number)?.own, snapshot, reader)
    }

    /// A copy in its document; `None` if it cannot be read, or for a part if its file has changed since it was indexed.
    pub(super) fn open(
        &self,
        at: &CopyAt,
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Option<OpenCopy> {
        let sources = || self.known.as_ref().map(|known| &known.passages.sources[..]);
        let id = match at {
            CopyAt::Spot(spot) => return OpenCopy::read(snapshot, reader, sources()?, spot),
            CopyAt::Representative => {
                let (id, pinned) = self.passage.as_ref()?;
                let passage = pinned.as_deref().or_else(|| self.known.as_ref()?.get(*id))?;
                return OpenCopy::new(snapshot, reader, sources()?, passage);
            }
            CopyAt::Whole(id) => *id,
            CopyAt::Part(at) => document_at(snapshot, &at.path, Some(at.record.unwrap_or(0)))?,
            CopyAt::First => return None,
        };
        let pages = reader.pages(snapshot, id, &parts_of(snapshot, id).collect::<Vec<_>>()).ok()?;
        let span = match at {
            CopyAt::Part(_) if pages.iter().any(|page| page.part.is_none()) => return None,
            CopyAt::Part(at) => at.text_span,
            _ => ByteSpan { start: pages.first()?.span.start, end: pages.last()?.span.end },
        };
        OpenCopy::on(pages, span)
    }

    /// The first page of the document that has no copies.
    pub(super) fn alone(&self, snapshot: &Snapshot, reader: &mut DocumentReader) -> Option<DocumentPage> {
        let first: Vec<PartId> = parts_of(snapshot, self.alone?).take(1).collect();
        reader.pages(snapshot, self.alone?, &first).ok()?.into_iter().next()
    }
}

/// The ranges of consecutive chunks.
fn ranges<'a>(chunks: impl Iterator<Item = &'a [PassageCopy]>) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |chunk: &[PassageCopy]| {
        end += chunk.len();
        end - chunk.len()..end
    };
    chunks.map(range).collect()
}

/// Where a whole document is; `None` if it cannot be read.
fn whole(id: DocumentId, snapshot: &Snapshot, reader: &mut DocumentReader) -> Option<Occurrence> {
    let path = snapshot.path(snapshot.file_of(id));
    let record = Some(snapshot.document(id).record).filter(|record| *record > 0);
    let span = match record {
        None => ByteSpan { start: 0, end: reader.file(path).ok()?.text.len() as u64 },
        Some(_) => reader.whole(snapshot, id).ok()?.span,
    };
    Some(reader.file(path).ok()?.occurrence(record, span.start as usize, span.end as usize))
}

/// The documents in which a folder differs from the first one of its row. What is missing is shown from there.
fn differences(known: &KnownClusters, tree: &TreeCluster, folder: &TreeFolder) -> Vec<CopyPair> {
    let by_place = |folder| known.places_in(folder).collect::<HashMap<_, _>>();
    let (own, first) = (by_place(folder), by_place(&tree.folders[0]));
    let pair = |difference: &TreeDifference| {
        let place = (&*difference.path, difference.record);
        let [own, first] = [&own, &first].map(|of| of.get(&place).copied().map(CopyAt::Whole));
        let (own, other) = match difference.kind {
            DifferenceKind::Changed => (own, first),
            DifferenceKind::Added => (own, None),
            DifferenceKind::Missing => (first, None),
        };
        Some(CopyPair::new(own?, other))
    };
    folder.differences.iter().filter_map(pair).collect()
}

/// The sources that belong to a file, or to one record of it. Sources are in the order of paths.
fn sources(known: &KnownPassages, path: &Path, record: Option<u32>) -> Range<u32> {
    let sources = &known.passages.sources;
    let key = |id: DocumentId| {
        let path = known.snapshot.path(known.snapshot.file_of(id)).as_os_str();
        (path, record.map(|_| known.snapshot.document(id).record))
    };
    let wanted = (path.as_os_str(), record);
    let start = sources.partition_point(|source| key(source.id) < wanted);
    let end = sources.partition_point(|source| key(source.id) <= wanted);
    start as u32..end as u32
}

/// The parts of a document.
fn parts_of(snapshot: &Snapshot, id: DocumentId) -> impl Iterator<Item = PartId> {
    snapshot.segment(id.segment).table().parts_of(id.document).map(PartId)
}

/// The document at a path: of a record of the file (from 1; 0 if the whole file is one document), or any.
fn document_at(snapshot: &Snapshot, path: &Path, record: Option<u32>) -> Option<DocumentId> {
    let file = snapshot.files().find(|&file| snapshot.path(file) == path)?;
    let table = snapshot.segment(file.segment).table();
    let is_it = |document: &u32| record.is_none_or(|record| table.document(*document).record == record);
    let document = table.documents_of(file.file).find(is_it)?;
    Some(DocumentId { segment: file.segment, document })
}
