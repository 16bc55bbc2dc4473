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
//! a decision needs them (`texts.rs`).
//!
//! The head of a file says what the result is of, and where its sections are, which are decoded in parallel. The first one is
//! `documents`, the others are `rows`. `beside` has files beside it.

mod beside;
mod documents;
mod files;
mod rows;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::beside::{compare_with, keep_hidden, know_hidden};
pub use self::documents::EarlierFiles;
use self::documents::{KeptDocuments, RestoredDocuments};
use self::files::Content;
use super::copy_texts::CopyTexts;
use super::passages::Passage;
use super::search::{Passages, SearchSettings, TEXTS_SHARE};
use super::sort::PassageOrder;
use super::texts::{RepresentativeTokens, Reread};
use dupi_base::corpus;
use dupi_base::storage::sealed::{SealedError, SealedFile, from_bytes, to_bytes};
use dupi_index::index::home::kept_name;
use dupi_index::index::manifest::Manifest;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_passage::bounds::Omissions;

/// The passages of a snapshot in the default order: those that are kept, or those of a search, which are then kept.
///
/// # Errors
/// As [`Passages::find`].
pub fn load_or_find(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Passages, SearchError> {
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
    pub passages: Passages,
    /// Which files have changed since.
    pub files: EarlierFiles,
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
    let known = files::of_settings(snapshot, settings);
    let name = kept_name(known as u64);
    let read = files::open(snapshot, &name).and_then(|file| {
        let Some(file) = file else { return Ok(None) };
        decode(&file, known, snapshot, settings, wanted)
    });
    match read {
        Err(error) => {
            tracing::warn!(%error, "the passages are searched again");
            None
        }
        Ok(None) => {
            tracing::debug!(name, "no passages of these documents and settings are kept");
            None
        }
        Ok(Some((of, kept))) => {
            let LatestPassages { passages, files } = &kept;
            files::touch(snapshot, &name);
            if files.are_same() {
                let hidden = beside::load(snapshot, known, of, passages.found.len());
                let _ = passages.kept.file.set(of);
                hidden.into_iter().for_each(|hidden| passages.kept.remember(hidden));
            }
            Some(kept)
        }
    }
}

/// Keeps the passages of a snapshot that a search with some settings found, in the default order, or that were amended.
/// Nothing is kept when the folder cannot be written to, and if the documents are not as they were indexed.
pub fn save(snapshot: &Snapshot, settings: &SearchSettings, passages: &Passages) {
    // There is one file for all results with these settings: that of a part would replace that of all files.
    let is_partial = snapshot.is_part() || passages.order != PassageOrder::default();
    if is_partial || !snapshot.unread().is_empty() || !is_as_indexed(snapshot) {
        return;
    }
    let known = files::of_settings(snapshot, settings);
    let content = Content::from_snapshot(snapshot);
    let Passages { found, copy_texts, .. } = passages;
    let Some(documents) = KeptDocuments::new(snapshot, passages, &content) else { return };
    let rows: Vec<Vec<u8>> =
        found.par_chunks(rows::SECTION).map(|some| rows::keep(some, copy_texts)).collect();
    let sections: Vec<Vec<u8>> = [to_bytes(&documents)].into_iter().chain(rows).collect();
    let head = KeptHead {
        settings: known,
        content: content.hash,
        memory: settings.memory,
        passages: passages.found.len() as u64,
        omissions: passages.omissions,
        is_settled: passages.is_settled,
        sections: sections.iter().map(|section| section.len() as u64).collect(),
    };
    let name = kept_name(known as u64);
    match files::write(snapshot, &name, &to_bytes(&head), &sections) {
        Ok(Some(checksum)) => drop(passages.kept.file.set(checksum)),
        Ok(None) => tracing::info!(name, "the passages are not kept; they take too much of the disk"),
        Err(error) => tracing::info!(name, %error, "the passages are not kept"),
    }
}

/// How many copies the passages in some bytes have, which are those of a section; `None` if they are invalid. No checksum
/// protects these bytes.
pub fn copies_in(bytes: &[u8]) -> Option<usize> {
    Some(rows::restore(bytes, usize::MAX)?.iter().map(|(passage, _)| passage.copies.len()).sum())
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

/// What the head of a file says about its result.
#[derive(Serialize, Deserialize)]
struct KeptHead {
    settings: u128,
    content: u128,
    /// The memory limit of the search, in bytes.
    memory: u64,
    /// How many passages there are.
    passages: u64,
    omissions: Omissions,
    /// Whether a search of all documents found it.
    is_settled: bool,
    /// The length of each section.
    sections: Vec<u64>,
}

impl KeptHead {
    /// Whether a search with these settings and this memory limit would find the same. More memory makes no difference when
    /// nothing was omitted.
    fn is_of(&self, settings: u128, memory: u64) -> bool {
        let is_complete = self.omissions == Omissions::default();
        self.settings == settings && (self.memory == memory || (is_complete && self.memory < memory))
    }

    /// The sections of a body; `None` if it has others than the head says, or another number of passages.
    fn sections<'b>(&self, mut body: &'b [u8]) -> Option<Vec<&'b [u8]>> {
        let count = self.passages.div_ceil(rows::SECTION as u64).checked_add(1)?;
        if count != self.sections.len() as u64 {
            return None;
        }
        let mut sections = Vec::with_capacity(self.sections.len());
        for length in &self.sections {
            let (section, rest) = body.split_at_checked(usize::try_from(*length).ok()?)?;
            sections.push(section);
            body = rest;
        }
        body.is_empty().then_some(sections)
    }
}

/// Reads the result of a file, with the checksum of its sections; `None` if it is of other documents or settings.
fn decode(
    file: &SealedFile,
    known: u128,
    snapshot: &Snapshot,
    settings: &SearchSettings,
    wanted: Wanted,
) -> Result<Option<(u64, LatestPassages)>, SealedError> {
    let head: KeptHead = file.value()?;
    if !head.is_of(known, settings.memory) || (wanted == Wanted::Settled && !head.is_settled) {
        return Ok(None);
    }
    let content = Content::from_snapshot(snapshot);
    if wanted == Wanted::Settled && content.hash != head.content {
        return Ok(None);
    }
    let body = file.body()?;
    let sections = head.sections(&body);
    let restored = sections.and_then(|sections| restore(&head, &sections, snapshot, settings, &content));
    let restored = restored.ok_or_else(|| file.damaged("its sections contradict each other"))?;
    Ok(Some((body.checksum, restored)))
}

fn restore(
    head: &KeptHead,
    sections: &[&[u8]],
    snapshot: &Snapshot,
    settings: &SearchSettings,
    content: &Content,
) -> Option<LatestPassages> {
    let count = head.passages as usize;
    let documents: KeptDocuments = from_bytes(sections.first()?)?;
    let RestoredDocuments { files, sources, trees, suppressed } =
        documents.restore(snapshot, content, count)?;
    let rows = sections[1..].par_iter().map(|section| rows::restore(section, sources.len()));
    let rows = rows.collect::<Option<Vec<_>>>()?;
    // The same content has the same files.
    if (head.content == content.hash) != files.are_same() {
        return None;
    }
    let (found, texts): (Vec<Passage>, Vec<_>) = rows.into_iter().flatten().unzip();
    let copy_texts = CopyTexts::of_passages(texts);
    if found.len() != count {
        return None;
    }
    let texts = match files.are_same() {
        true => {
            let unread = Reread::new(snapshot, &sources, &found, settings.memory / TEXTS_SHARE)?;
            RepresentativeTokens::unread(unread)
        }
        false => RepresentativeTokens::default(),
    };
    let passages = Passages {
        texts,
        sources,
        found,
        order: PassageOrder::default(),
        copy_texts,
        trees,
        suppressed,
        omissions: head.omissions,
        is_settled: head.is_settled,
        ..Passages::default()
    };
    Some(LatestPassages { passages, files })
}
