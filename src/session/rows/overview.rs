//! The shares of documents and folders that lie in passages: what the lists of both are made from, and how a filter is
//! applied to one document, or to all documents of a file together.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::list_row::{Chosen, FilterKey, ListMaker, ListRequest};
use crate::known::passages::{KnownPassages, Shares};
use crate::protocol::{Listing, Sort, Subject, View};
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::filter::{Fact, Facts, FileTest, Filter, Quantity, ReviewState, WordPattern, percent};
use dupi_index::query::page::{DocumentReader, OpenFile};
use dupi_index::taboo::TabooSet;
use dupi_judge::folders::Sums;
use dupi_judge::passages::PassageId;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_text::blot::Blot;
use dupi_text::token::Language;

/// The rows of all documents with passages, and of all folders and files, for one state of the taboo list.
pub struct Overview {
    pub(super) known: Arc<KnownPassages>,
    pub(super) shares: Arc<Shares>,
    /// The sources of the last list of documents, sorted.
    pub(super) documents: Option<Chosen<(Sort, FilterKey), Vec<u32>>>,
    /// The sums of each folder and file for the last filter; `None` if all files are selected.
    pub(super) files: Option<Chosen<FilterKey, Option<Vec<Sums>>>>,
}

impl Overview {
    /// The shares by these passages, as far as the taboo list does not hide them.
    pub fn new(snapshot: Snapshot, passages: Passages, settings: SearchSettings, taboo: TabooSet) -> Self {
        let known = Arc::new(KnownPassages::new(snapshot, passages, settings));
        let shares = known.shares(&Arc::new(taboo));
        Self { known, shares, documents: None, files: None }
    }

    /// Lists the rows of a view: the contents of its folder if its subject is files, else documents. A list that
    /// `is_cancelled` ends early is of no use.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn list(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Listing, IndexError> {
        let listing = match view.of {
            Subject::Files => self.list_files(view, is_cancelled),
            _ => self.list_documents(view, is_cancelled),
        }?;
        Ok(Listing { hidden: self.shares.hides, ..listing })
    }
}

/// Makes the lists of documents, or those of folders and files.
#[derive(Default)]
pub(super) struct ShareListMaker(Option<Overview>);

impl ListMaker for ShareListMaker {
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError> {
        let Some((known, shares)) = request.shares_or_wait() else { return Ok(()) };
        let last = self.0.take().filter(|rows| Arc::ptr_eq(&rows.shares, &shares));
        let rows = self.0.insert(last.unwrap_or(Overview { known, shares, documents: None, files: None }));
        request.send_newest(rows.list(request.view, request.is_overtaken)?);
        Ok(())
    }

    fn forget_passages(&mut self) {
        self.0 = None;
    }
}

/// The documents that have each of some blots.
pub(super) type BlotDocuments = HashMap<Blot, HashSet<DocumentId>>;

/// The documents that the index has for the blots that a filter names.
pub(super) fn documents_of(filter: &Filter, snapshot: &Snapshot) -> Result<BlotDocuments, IndexError> {
    let of_blot = |blot| {
        let documents = snapshot.find(blot)?.into_iter().map(|place| snapshot.document_at(place));
        Ok((blot, documents.collect()))
    };
    filter.blots().into_iter().map(of_blot).collect()
}

/// The word patterns that match the texts of some documents, as bits by their indices, for each source. Each file is
/// read once. `is_cancelled` ends it early; then the results are invalid.
pub(super) fn texts_of(
    filter: &Filter,
    known: &KnownPassages,
    is_open: impl Fn(u32) -> bool + Sync,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<u64> {
    let (sources, snapshot) = (&known.passages.sources, &known.snapshot);
    let numbers: Vec<u32> = (0..sources.len() as u32).filter(|&source| is_open(source)).collect();
    let file = |source: u32| snapshot.file_of(sources[source as usize].id);
    let files: Vec<&[u32]> = numbers.chunk_by(|&a, &b| file(a) == file(b)).collect();
    let of_file = |reader: &mut DocumentReader, of: &&[u32]| -> Vec<(u32, u64)> {
        let path = snapshot.path(file(of[0]));
        let opened = if is_cancelled() { None } else { reader.file(path).ok() };
        let found = |source: u32, file: &OpenFile| {
            let text = file.text_of(snapshot.document(sources[source as usize].id).record)?;
            let texts = filter.texts().iter().enumerate();
            Some((source, texts.fold(0, |bits, (at, words)| bits | u64::from(words.matches(&text)) << at)))
        };
        opened.iter().flat_map(|file| of.iter().filter_map(|&source| found(source, file))).collect()
    };
    let found = files.par_iter().map_init(|| DocumentReader::new(snapshot), of_file).flatten_iter();
    let mut texts = vec![0; sources.len()];
    for (source, bits) in found.collect::<Vec<_>>() {
        texts[source as usize] = bits;
    }
    texts
}

/// The contents of a file, as far as a filter applies to them.
pub(super) struct FileContents<'a> {
    /// The passages.
    pub known: &'a KnownPassages,
    /// The documents of the blots that the filter names.
    pub blots: &'a BlotDocuments,
    /// The file.
    pub path: &'a Path,
    /// The numbers of its documents among the sources of the passages.
    pub sources: Range<u32>,
    /// The sums over its documents.
    pub sums: Sums,
    /// Whether a word pattern, given its index, matches its text; `None` if that is not known yet.
    pub has_text: &'a dyn Fn(usize, &WordPattern) -> Option<bool>,
}

impl FileContents<'_> {
    fn language(&self) -> Option<Language> {
        let first = self.known.passages.sources.get(self.sources.start as usize);
        first.filter(|_| !self.sources.is_empty()).and_then(|source| source.language)
    }
}

impl Facts for FileContents<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let Sums { documents, duplicated, copies, .. } = self.sums;
        match of {
            Quantity::Copies => Fact::Is(copies),
            Quantity::Documents => Fact::Is(documents),
            Quantity::Tokens => Fact::Is(duplicated),
            Quantity::Share => Fact::Is(percent(self.sums.share())),
            Quantity::Score | Quantity::Alike => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<ReviewState> {
        Fact::Is(ReviewState::Open)
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        let lies_here = |source: u32| self.sources.contains(&source);
        let found = self.known.get(PassageId(passage));
        Some(found.is_some_and(|passage| {
            let at = passage.copies.partition_point(|spot| spot.source < self.sources.start);
            passage.copies.get(at).is_some_and(|spot| lies_here(spot.source))
        }))
    }

    fn has_blot(&self, blot: Blot) -> Option<bool> {
        let sources = &self.known.passages.sources[self.sources.start as usize..self.sources.end as usize];
        let documents = self.blots.get(&blot);
        Some(documents.is_some_and(|documents| sources.iter().any(|source| documents.contains(&source.id))))
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        Some(match (test, self.language()) {
            (FileTest::Language(wanted), Some(own)) => wanted.contains(&own),
            _ => test.holds(self.path, &mut String::new),
        })
    }

    fn has_text(&self, number: usize, words: &WordPattern) -> Option<bool> {
        (self.has_text)(number, words)
    }
}
