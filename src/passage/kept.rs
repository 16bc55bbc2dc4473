//! Passages that are kept in the folder of the index, so that a search need not be repeated.
//!
//! The result of a search is written to a file that is named by the settings of the search. It is loaded in place of a
//! search when the settings and the content of all documents are the same. If some files have changed, it can be amended
//! (`amend`); what comes of that is kept too, with a mark that no search of all documents has settled it. It is only a
//! cache: a file that is damaged or of another version is searched for again, and replaced. So it needs no place in the
//! manifest, and any process that may write to the folder writes it, under a name of its own that is then renamed.
//!
//! Only the result for documents as they were indexed is kept: none if a file could not be read, or has changed since.
//! A file does not have what the index has, nor the tokens of the representatives, which are read from the documents when
//! a decision needs them (`reread.rs`).
//!
//! `sections` has the form of the file, `corpus_files`, `documents`, `rows`, `folders` and `suppressed` what is in it. `hidden`
//! is a file beside it.

mod corpus_files;
mod documents;
mod files;
mod folders;
mod hidden;
mod identity;
mod rows;
mod sections;
mod suppressed;
mod visit;

use rayon::prelude::*;

pub use self::corpus_files::EarlierFiles;
pub use self::hidden::{keep_hidden, know_hidden};
use self::identity::Content;
use self::rows::RowTexts;
use self::sections::Sections;
pub use self::visit::compare_with;
use super::bounds::Omissions;
use super::copy_texts::CopyTexts;
use super::hashed::HashedMap;
use super::kept_as::KeptAs;
use super::measure::Measure;
use super::passages::{Passage, PassageId};
use super::reread::Reread;
use super::search::{Passages, SearchSettings, TEXTS_SHARE};
use super::since_visit::SinceVisit;
use super::sort::PassageOrder;
use super::texts::RepresentativeTokens;
use super::{PassageError, Tick};
use dupi_base::corpus;
use dupi_index::index::home::kept_name;
use dupi_index::index::manifest::Manifest;
use dupi_index::index::snapshot::{FileId, Snapshot};

/// How many passages a section has.
const SECTION: usize = 2048;
/// The sections before those of the passages: all files, the documents, the folders, and what is suppressed.
const BEFORE_ROWS: usize = 4;

/// The passages of a snapshot in the default order: those that are kept, or those of a search, which are then kept.
///
/// # Errors
/// As [`Passages::find`].
pub fn load_or_find(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Passages, PassageError> {
    if let Some(passages) = load(snapshot, settings) {
        return Ok(passages);
    }
    let passages = Passages::find(snapshot, settings, PassageOrder::default(), tick)?;
    save(snapshot, settings, &passages);
    Ok(passages)
}

/// The passages that a search of all documents found in a snapshot with some settings; `None` if they are not kept.
pub fn load(snapshot: &Snapshot, settings: &SearchSettings) -> Option<Passages> {
    read(snapshot, settings, Wanted::Settled).map(|kept| kept.passages)
}

/// The passages that are kept for some settings, of a snapshot or of an earlier one.
pub fn load_latest(snapshot: &Snapshot, settings: &SearchSettings) -> Option<LatestPassages> {
    read(snapshot, settings, Wanted::Latest)
}

/// The last passages that were kept for some settings.
pub struct LatestPassages {
    /// The passages. Documents have their numbers in the present snapshot. If files have changed since, they have no texts,
    /// and can only be amended.
    pub(super) passages: Passages,
    /// Which files have changed since.
    pub(super) files: EarlierFiles,
}

impl LatestPassages {
    /// Whether no file has changed since.
    pub fn are_unchanged(&self) -> bool {
        self.files.are_same()
    }

    /// The passages; `None` if files have changed since.
    pub fn unchanged(self) -> Option<Passages> {
        self.files.are_same().then_some(self.passages)
    }
}

/// Which kept passages are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Those that a search of all documents found in this generation.
    Settled,
    /// The last ones.
    Latest,
}

fn read(snapshot: &Snapshot, settings: &SearchSettings, wanted: Wanted) -> Option<LatestPassages> {
    if snapshot.is_part() {
        return None;
    }
    let known = identity::of_settings(snapshot, settings);
    let name = kept_name(known as u64);
    let bytes = files::open(snapshot, &name)?;
    let read = Sections::of(&bytes).and_then(|sections| {
        let head = KeptHead::of(&sections.numbers)?;
        if !head.is_of(known, settings.memory) || (wanted == Wanted::Settled && !head.is_settled) {
            return Some(None);
        }
        let content = Content::of(snapshot);
        match wanted == Wanted::Settled && content.hash != head.content {
            true => Some(None),
            false => decode(&sections, &head, snapshot, settings, &content).map(Some),
        }
    });
    match &read {
        Some(None) => tracing::debug!(name, "the kept passages are of other documents or settings"),
        None => tracing::warn!(
            name,
            "the kept passages are damaged or of another version; they are searched again"
        ),
        Some(Some(LatestPassages { passages, files })) => {
            files::touch(snapshot, &name);
            if files.are_same() {
                let of = sections::checksum(&bytes);
                let hidden = hidden::load(snapshot, known, of, passages.found.len());
                let _ = passages.kept.file.set(of);
                hidden.into_iter().for_each(|hidden| passages.kept.remember(hidden));
            }
        }
    }
    read.flatten()
}

/// Keeps the passages of a snapshot that a search with some settings found, in the default order, or that were amended.
/// Nothing is kept when the folder cannot be written to, and if the documents are not as they were indexed.
pub fn save(snapshot: &Snapshot, settings: &SearchSettings, passages: &Passages) {
    // There is one file for all results with these settings: that of a part would replace that of all files.
    let is_partial = snapshot.is_part() || passages.order != PassageOrder::default();
    if is_partial || !snapshot.unread().is_empty() || !is_as_indexed(snapshot) {
        return;
    }
    let known = identity::of_settings(snapshot, settings);
    let content = Content::of(snapshot);
    let Some(sections) = encode(snapshot, settings, passages, &content) else { return };
    let Omissions { passages: nested, near, places, files } = passages.omissions;
    let head = KeptHead {
        settings: known,
        content: content.hash,
        memory: settings.memory,
        passages: passages.found.len() as u64,
        omissions: [nested, near, places, files],
        is_settled: passages.is_settled,
    };
    let name = kept_name(known as u64);
    let head = sections::head(&head.numbers(), &sections);
    match files::write(snapshot, &name, &head, &sections) {
        Ok(true) => drop(passages.kept.file.set(sections::checksum(&head))),
        Ok(false) => tracing::info!(name, "the passages are not kept; they take too much of the disk"),
        Err(error) => tracing::info!(name, %error, "the passages are not kept"),
    }
}

/// How many copies the passages in some bytes have, which are those of a section behind their count in one byte; `None` if
/// they are invalid. No checksum protects these bytes.
pub fn copies_in(bytes: &[u8]) -> Option<usize> {
    let (&count, section) = bytes.split_first()?;
    let mut passages = vec![rows::EMPTY; usize::from(count)];
    rows::decode(section, &Measure::default(), &mut passages)?;
    Some(passages.iter().map(|passage| passage.copies.len()).sum())
}

/// Whether all files are as they were indexed, and the index is not newer.
fn is_as_indexed(snapshot: &Snapshot) -> bool {
    let manifest = snapshot.manifest();
    let is_newest = Manifest::read(snapshot.folder()).is_ok_and(|newest| newest.content == manifest.content);
    let is_same = |file: &FileId| {
        let stamp = corpus::stamp(&manifest.corpus.absolute(snapshot.path(*file)));
        stamp == Some(snapshot.segment(file.segment).table().stamp(file.file))
    };
    let files: Vec<FileId> = snapshot.texts().collect();
    is_newest && files.par_iter().all(is_same)
}

/// What the beginning of a file says about its result.
struct KeptHead {
    settings: u128,
    content: u128,
    /// The memory limit of the search, in bytes.
    memory: u64,
    /// How many passages there are.
    passages: u64,
    omissions: [u64; 4],
    /// Whether a search of all documents found it.
    is_settled: bool,
}

impl KeptHead {
    fn of(numbers: &[u64]) -> Option<Self> {
        let &[a, b, c, d, memory, passages, is_settled, ref omissions @ ..] = numbers else { return None };
        let both = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
        let (omissions, is_settled) = (omissions.try_into().ok()?, is_settled == 1);
        Some(Self { settings: both(a, b), content: both(c, d), memory, passages, omissions, is_settled })
    }

    fn numbers(&self) -> Vec<u64> {
        let halves = |number: u128| [number as u64, (number >> 64) as u64];
        let own = [self.memory, self.passages, u64::from(self.is_settled)];
        [&halves(self.settings)[..], &halves(self.content), &own, &self.omissions].concat()
    }

    /// Whether a search with these settings and this memory limit would find the same. More memory makes no difference when
    /// nothing was omitted.
    fn is_of(&self, settings: u128, memory: u64) -> bool {
        let is_complete = self.omissions == [0; 4];
        self.settings == settings && (self.memory == memory || (is_complete && self.memory < memory))
    }
}

fn encode(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    passages: &Passages,
    content: &Content,
) -> Option<Vec<Vec<u8>>> {
    let Passages { sources, found, copy_texts, trees, suppressed, .. } = passages;
    let numbers: HashedMap<PassageId, u32> = (0..).zip(found).map(|(number, of)| (of.id, number)).collect();
    if numbers.len() != found.len() {
        return None;
    }
    let (all_files, file_numbers) = corpus_files::encode(content)?;
    let (of_folders, others) = folders::encode(trees, sources);
    let of_documents = documents::encode(snapshot, &file_numbers, sources, &others)?;
    let rows = |some: &[Passage]| rows::encode(some, &numbers, copy_texts, &settings.measure);
    let rows: Option<Vec<Vec<u8>>> = found.par_chunks(SECTION).map(rows).collect();
    let of_marks = suppressed::encode(suppressed);
    Some([all_files, of_documents, of_folders, of_marks].into_iter().chain(rows?).collect())
}

fn decode(
    sections: &Sections,
    head: &KeptHead,
    snapshot: &Snapshot,
    settings: &SearchSettings,
    content: &Content,
) -> Option<LatestPassages> {
    let (named, rows) = rayon::join(
        || {
            let (all_files, changes) = corpus_files::decode(sections.get(0)?, content)?;
            Some((documents::decode(sections.get(1)?, snapshot, &all_files)?, changes))
        },
        || decode_rows(sections, head.passages, &settings.measure),
    );
    let ((named, files), (found, copy_texts, stand_in)) = (named?, rows?);
    // The same content has the same files.
    if stand_in as usize > named.sources.len() || (head.content == content.hash) != files.are_same() {
        return None;
    }
    let trees = folders::decode(sections.get(2)?, &named, found.len())?;
    let sources = named.sources;
    let suppressed = suppressed::decode(sections.get(3)?, sources.len())?;
    let texts = match files.are_same() {
        true => {
            let unread = Reread::of(snapshot, &sources, &found, settings.memory / TEXTS_SHARE)?;
            RepresentativeTokens::unread(unread)
        }
        false => RepresentativeTokens::default(),
    };
    let [passages, near, places, files_too_large] = head.omissions;
    let passages = Passages {
        texts,
        sources,
        found,
        order: PassageOrder::default(),
        copy_texts,
        trees,
        suppressed,
        omissions: Omissions { passages, near, places, files: files_too_large },
        is_settled: head.is_settled,
        kept: KeptAs::default(),
        since_visit: SinceVisit::default(),
    };
    Some(LatestPassages { passages, files })
}

/// The passages of all sections, the texts of their copies, and how many sources they stand in at least. `None` if a
/// section is damaged or invalid.
fn decode_rows(sections: &Sections, count: u64, measure: &Measure) -> Option<(Vec<Passage>, CopyTexts, u32)> {
    let possible = rows::at_most(sections.bytes(BEFORE_ROWS));
    let count = usize::try_from(count).ok().filter(|count| *count <= possible)?;
    if sections.len() != BEFORE_ROWS + count.div_ceil(SECTION) {
        return None;
    }
    let mut found = vec![rows::EMPTY; count];
    let read = |(number, passages): (usize, &mut [Passage])| {
        rows::decode(sections.get(BEFORE_ROWS + number)?, measure, passages)
    };
    let others: Vec<RowTexts> = found.par_chunks_mut(SECTION).enumerate().map(read).collect::<Option<_>>()?;
    let ids: Vec<PassageId> = found.iter().map(|passage| passage.id).collect();
    let id = |number: PassageId| usize::try_from(number.0).ok().and_then(|number| ids.get(number).copied());
    for passage in &mut found {
        if let Some(parent) = &mut passage.parent {
            *parent = id(*parent)?;
        }
        passage.family = if passage.family == rows::OWN { passage.id } else { id(passage.family)? };
    }
    let stand_in = others.iter().map(|rows| rows.sources).max().unwrap_or(0);
    let counts = others.iter().flat_map(|rows| &rows.counts).map(|count| *count as usize);
    let texts: Vec<&[u64]> = others.iter().map(|rows| &rows.texts[..]).collect();
    Some((found, CopyTexts::of_counts(ids.iter().copied().zip(counts), texts.concat()), stand_in))
}
