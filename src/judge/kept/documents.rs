//! What is kept besides the passages: all text files of the corpus, the documents in which the passages stand, what lies in
//! identical folders, and what marks suppress.
//!
//! A document is named by the number of its file among all and its number in the file, so its number in a segment does not
//! matter. What the index knows of it is not repeated. By the files it is known later which are new, and which are gone.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::identical::{TreeDocuments, Trees};
use crate::kept::files::Content;
use crate::passages::SourceDocument;
use crate::search::Passages;
use crate::suppressed::Suppressions;
use dupi_base::corpus::Stamp;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_text::token::Language;

/// A document of which the file is gone.
const GONE: DocumentId = DocumentId { segment: u32::MAX, document: u32::MAX };

/// How the files of a generation differ from those that a kept result is of. Documents are named by their numbers in this
/// generation.
#[derive(Clone)]
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

/// Everything that is kept besides the passages.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptDocuments {
    /// The fingerprints of path and content of all text files.
    files: Ascending,
    sources: Vec<KeptSource>,
    trees: Vec<KeptTree>,
    suppressed: Suppressions,
}

/// Numbers that ascend, each less the one before it.
#[derive(Serialize, Deserialize)]
pub(super) struct Ascending(Vec<u64>);

/// The number of a file among all, and of the document in it.
#[derive(Serialize, Deserialize)]
struct KeptDocument(u32, u32);

#[derive(Serialize, Deserialize)]
struct KeptSource {
    document: KeptDocument,
    tokens: u32,
    language: Option<Language>,
    flags: u8,
}

/// The number of a row of identical folders, and what lies in these.
#[derive(Serialize, Deserialize)]
struct KeptTree {
    row: u32,
    documents: Vec<KeptDocument>,
    rows: Vec<u32>,
    others: Vec<KeptDocument>,
}

/// What was kept besides the passages, with the numbers that documents have in a snapshot.
pub(super) struct RestoredDocuments {
    pub(super) files: EarlierFiles,
    pub(super) sources: Vec<SourceDocument>,
    pub(super) trees: Trees,
    pub(super) suppressed: Suppressions,
}

impl Ascending {
    /// The numbers must ascend.
    pub(super) fn new(numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut before = 0;
        let gap = |number| number - std::mem::replace(&mut before, number);
        Self(numbers.into_iter().map(gap).collect())
    }

    /// The numbers; `None` if they exceed 64 bits.
    pub(super) fn numbers(&self) -> Option<Vec<u64>> {
        let mut sum = 0_u64;
        let add = |gap: &u64| {
            sum = sum.checked_add(*gap)?;
            Some(sum)
        };
        self.0.iter().map(add).collect()
    }
}

impl KeptDocuments {
    /// The documents of a result. `None` if a source is not as it was indexed, or two files have the same fingerprint.
    pub(super) fn new(snapshot: &Snapshot, passages: &Passages, content: &Content) -> Option<Self> {
        let mut files = content.files.clone();
        files.sort_unstable();
        if files.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        let numbers: HashMap<FileId, u32> =
            (0..).zip(&files).map(|(number, (_, file))| (*file, number)).collect();
        let named = |id: &DocumentId| {
            let file = snapshot.file_of(*id);
            let first = snapshot.segment(file.segment).table().documents_of(file.file).start;
            Some(KeptDocument(*numbers.get(&file)?, id.document - first))
        };
        let sources = &passages.sources;
        let source = |source: &SourceDocument| {
            let SourceDocument { id, stamp, tokens, text, language, flags } = *source;
            let table = snapshot.segment(id.segment).table();
            let is_as_indexed =
                stamp == table.stamp(table.file_of(id.document)) && text == table.document_key(id.document);
            is_as_indexed.then_some(KeptSource { document: named(&id)?, tokens, language, flags })
        };
        let tree = |(row, tree): (u32, &TreeDocuments<u32>)| {
            let all = |documents: &[DocumentId]| documents.iter().map(named).collect::<Option<Vec<_>>>();
            let (documents, others) = (all(&tree.documents)?, all(&tree.others)?);
            Some(KeptTree { row, documents, rows: tree.rows.clone(), others })
        };
        let mut trees = passages.trees.iter().map(tree).collect::<Option<Vec<_>>>()?;
        trees.sort_unstable_by_key(|tree| tree.row);
        Some(Self {
            files: Ascending::new(files.iter().map(|(fingerprint, _)| *fingerprint)),
            sources: sources.iter().map(source).collect::<Option<_>>()?,
            trees,
            suppressed: passages.suppressed.clone(),
        })
    }

    /// The documents in a snapshot with this content, of a result with `rows` rows. A document of a file that is gone is
    /// [`GONE`]. `None` if the numbers contradict each other or the index.
    pub(super) fn restore(
        self,
        snapshot: &Snapshot,
        content: &Content,
        rows: usize,
    ) -> Option<RestoredDocuments> {
        let (places, files) = changes(&self.files, content)?;
        let document = |KeptDocument(file, number): &KeptDocument| {
            let Some(file) = places.get(*file as usize)? else { return Some((GONE, None)) };
            let own = snapshot.segment(file.segment).table().documents_of(file.file);
            let document = own.start.checked_add(*number).filter(|document| own.contains(document))?;
            Some((DocumentId { segment: file.segment, document }, Some(*file)))
        };
        let source = |source: &KeptSource| {
            let &KeptSource { document: ref of, tokens, language, flags } = source;
            let (id, file) = document(of)?;
            let Some(file) = file else {
                let stamp = Stamp { size: 0, mtime: 0 };
                return Some(SourceDocument { id, stamp, tokens: 0, text: 0, language, flags });
            };
            let table = snapshot.segment(id.segment).table();
            let (stamp, text) = (table.stamp(file.file), table.document_key(id.document));
            // A token has a byte or more.
            let is_possible = u64::from(tokens) <= stamp.size && flags < 4;
            is_possible.then_some(SourceDocument { id, stamp, tokens, text, language, flags })
        };
        let sources: Vec<SourceDocument> = self.sources.iter().map(source).collect::<Option<_>>()?;
        let is_row = |row: &u32| (*row as usize) < rows;
        let tree = |KeptTree { row, documents, rows, others }: KeptTree| {
            let all =
                |some: &[KeptDocument]| some.iter().map(|of| Some(document(of)?.0)).collect::<Option<_>>();
            let (documents, others) = (all(&documents)?, all(&others)?);
            let is_sound = is_row(&row) && rows.iter().all(is_row);
            is_sound.then_some((row, TreeDocuments { documents, rows, others }))
        };
        let trees = Trees::of_rows(self.trees.into_iter().map(tree).collect::<Option<_>>()?);
        let suppressed = Some(self.suppressed).filter(|suppressed| suppressed.is_sound(sources.len()))?;
        Some(RestoredDocuments { files, sources, trees, suppressed })
    }
}

/// For each file that was there its number in the snapshot whose content this is, if it is there still, and the changes.
/// `None` if the numbers are invalid.
fn changes(files: &Ascending, content: &Content) -> Option<(Vec<Option<FileId>>, EarlierFiles)> {
    let fingerprints = files.numbers().filter(|numbers| numbers.is_sorted_by(|a, b| a < b))?;
    let mut now: HashMap<u64, FileId> = content.files.iter().copied().collect();
    (now.len() == content.files.len()).then_some(())?;
    let places: Vec<Option<FileId>> =
        fingerprints.iter().map(|fingerprint| now.remove(fingerprint)).collect();
    let mut new: Vec<FileId> = now.into_values().collect();
    new.sort_unstable();
    let same = content.files.len() - new.len();
    let gone = fingerprints.len() - same;
    Some((places, EarlierFiles { new, same, gone }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::PassageId;
    use crate::suppressed::{SuppressedCopy, SuppressedPassage, SuppressingMark};
    use dupi_base::storage::sealed::{from_bytes, to_bytes};

    #[test]
    fn what_is_suppressed_is_read_back_and_no_cut_is_taken_for_it() {
        let copy = SuppressedCopy { source: 1, start: 300, end: 420, mark: Some(0) };
        let of = Suppressions {
            marks: vec![SuppressingMark { source: 1, line: 7, is_open: true }],
            passages: vec![SuppressedPassage {
                id: PassageId(9 << 60),
                is_gone: true,
                copies: vec![copy, SuppressedCopy { mark: None, ..copy }],
            }],
        };
        let bytes = to_bytes(&of);
        assert_eq!(from_bytes(&bytes).as_ref(), Some(&of));
        assert!((0..bytes.len()).all(|end| from_bytes::<Suppressions>(&bytes[..end]).is_none()));
        assert!(of.is_sound(2) && !of.is_sound(1), "a source that is not there");
        for wrong in [SuppressedCopy { mark: Some(1), ..copy }, SuppressedCopy { end: 299, ..copy }] {
            let passages = vec![SuppressedPassage { copies: vec![wrong], ..of.passages[0].clone() }];
            assert!(!Suppressions { passages, ..of.clone() }.is_sound(2));
        }
        assert!(Suppressions::default().is_sound(0));
    }
}
