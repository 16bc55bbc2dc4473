//! Rows of documents: those that have text in passages. If a filter names a blot, also the other documents that have
//! this blot, since a blot is shorter than a passage.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::file_filter::{FileContents, documents_of, texts_of};
use super::known_passages::KnownPassages;
use super::list_maker::{ListMaker, ListRequest};
use super::list_row::{FILE_IS_UNREADABLE, ListRow, PlaceSource, RowReaders, RowSource, part};
use super::shares::Shares;
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::{ItemId, RowList, Sort, View};
use dupi_base::config::SavedFilters;
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::filter::{Problem, WordPattern};
use dupi_passage::folders::Sums;
use dupi_passage::passages::SourceDocument;
use dupi_passage::shares::{Partner, Share};
use dupi_report::{DocumentName, DocumentShareRow, PartnerRow, ReportRow, rounded};

/// A document with the share of its tokens that lies in passages.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedDocument {
    /// Its file, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// The number of its tokens.
    pub tokens: u64,
    /// The number of its tokens that lie in passages.
    pub duplicated: u64,
    /// The number of copies of passages in it, without those that lie within longer ones.
    pub copies: u64,
    /// The document that shares the most tokens of passages with it.
    pub partner: Option<PartnerDocument>,
    /// Whether the list is sorted by partner and the partner is above this row.
    pub is_below: bool,
    /// The name of the language when it is source code.
    pub language: Option<String>,
}

impl ListedDocument {
    /// How much of it lies in passages, 0 to 1.
    pub fn share(&self) -> f64 {
        part(self.duplicated, self.tokens)
    }
}

impl ListRow for ListedDocument {
    fn id(&self) -> ItemId {
        let record = u64::from(self.record.unwrap_or(0));
        ItemId::Document(xxh3_64_with_seed(self.path.as_os_str().as_bytes(), record))
    }

    fn text(&self) -> Cow<'_, str> {
        shown(&self.path).text()
    }

    fn place(&self) -> Option<(&Path, bool)> {
        Some((&self.path, false))
    }

    fn token_count(&self) -> u64 {
        self.duplicated
    }

    fn documents(&self) -> u64 {
        1
    }

    fn copies(&self) -> Option<u64> {
        Some(self.copies)
    }

    fn share(&self) -> Option<f64> {
        Some(Self::share(self))
    }

    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    fn is_from_passages(&self) -> bool {
        true
    }

    fn needs_shares(&self) -> bool {
        true
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        Ok(CopyPlaces::within(source.known, source.shares, &self.path, Some(self.record.unwrap_or(0))))
    }

    fn why_empty(&self) -> Option<&'static str> {
        Some(FILE_IS_UNREADABLE)
    }

    fn export(&self, _: &RowSource, _: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        Ok(vec![ReportRow::Document(self.into())])
    }
}

impl From<&ListedDocument> for DocumentShareRow {
    fn from(row: &ListedDocument) -> Self {
        let partner = |partner: &PartnerDocument| PartnerRow {
            path: DocumentName::new(&partner.path, partner.record),
            tokens: partner.tokens,
        };
        Self {
            path: DocumentName::new(&row.path, row.record),
            share: rounded(row.share()),
            duplicated: row.duplicated,
            tokens: row.tokens,
            copies: row.copies,
            partner: row.partner.as_ref().map(partner),
            language: row.language.clone(),
        }
    }
}

/// The document that shares the most with another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerDocument {
    /// Its file, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// The number of tokens of the other document that lie in passages of both.
    pub tokens: u64,
}

/// The rows of all documents with passages, for one state of the taboo list.
pub(super) struct DocumentRows {
    known: Arc<KnownPassages>,
    shares: Arc<Shares>,
    chosen: Option<ChosenDocuments>,
}

/// A sort key, a filter, and the saved filters that it can refer to.
type SortAndFilter = (Sort, String, Arc<SavedFilters>);

/// The documents of a list.
struct ChosenDocuments {
    by: SortAndFilter,
    problems: Vec<Problem>,
    /// The sources, sorted.
    sources: Vec<u32>,
}

/// Makes the lists of documents.
#[derive(Default)]
pub(super) struct DocumentListMaker(Option<DocumentRows>);

impl<I: From<Arc<ListedDocument>>> ListMaker<I> for DocumentListMaker {
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError> {
        let Some((known, shares)) = request.shares_or_wait() else { return Ok(()) };
        let last = self.0.take().filter(|rows| Arc::ptr_eq(&rows.shares, &shares));
        let rows = self.0.insert(last.unwrap_or_else(|| DocumentRows::new(known, shares)));
        request.send_newest(rows.list(request.view, request.is_overtaken)?);
        Ok(())
    }

    fn forget_passages(&mut self) {
        self.0 = None;
    }
}

impl DocumentRows {
    /// Rows of which no list was made yet.
    pub(super) fn new(known: Arc<KnownPassages>, shares: Arc<Shares>) -> Self {
        Self { known, shares, chosen: None }
    }

    /// Lists the rows of a view. A list that `is_cancelled` ends early is of no use.
    ///
    /// # Errors
    /// When the index is damaged.
    pub(super) fn list<I: From<Arc<ListedDocument>>>(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<RowList<I>, IndexError> {
        let asked = (view.sort.or_usual(view.of), view.filter.clone(), Arc::clone(&view.saved));
        let chosen = match self.chosen.take().filter(|chosen| chosen.by == asked) {
            Some(chosen) => chosen,
            None => self.choose(asked, view, is_cancelled)?,
        };
        let mut above = HashSet::new();
        let mut is_below = |source: u32| {
            above.insert(source);
            self.share(source).partner.is_some_and(|partner| above.contains(&partner.source))
        };
        let all = chosen.sources.len();
        let place = |at: usize| if view.is_reversed { all - 1 - at } else { at };
        let rows = (0..all.min(view.wanted)).map(|at| {
            let source = chosen.sources[place(at)];
            let is_below = chosen.by.0 == Sort::Partner && is_below(source);
            I::from(Arc::new(ListedDocument { is_below, ..self.row(source) }))
        });
        let all = self.shares.folders.first().copied().unwrap_or_default();
        let listing = RowList {
            view: view.clone(),
            generation: self.known.snapshot.manifest().generation,
            rows: rows.collect(),
            problems: chosen.problems.clone(),
            complete: chosen.sources.len() <= view.wanted,
            total: Some(chosen.sources.len() as u64),
            searched: 1.0,
            share: Some((all.duplicated, all.tokens)),
            hidden: self.shares.hides,
            ..RowList::default()
        };
        self.chosen = (!is_cancelled()).then_some(chosen);
        Ok(listing)
    }

    fn choose(
        &self,
        by: SortAndFilter,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<ChosenDocuments, IndexError> {
        let (filter, problems) = view.parsed();
        let known = &*self.known;
        let blots = documents_of(&filter, &known.snapshot)?;
        let has_blot =
            |source: u32| blots.values().any(|documents| documents.contains(&self.source(source).id));
        let verdict = |source: u32, has_text: &dyn Fn(usize, &WordPattern) -> Option<bool>| {
            let Share { duplicated, copies, .. } = *self.share(source);
            let (duplicated, copies) = (u64::from(duplicated), u64::from(copies));
            let tokens = u64::from(self.source(source).tokens);
            let sums = Sums { documents: 1, tokens, duplicated, copies };
            let (path, sources) = (self.path(source), source..source + 1);
            let lying = || FileContents { known, blots: &blots, path, sources, sums, has_text };
            match duplicated > 0 || has_blot(source) {
                true if filter.is_empty() => Some(true),
                true if !is_cancelled() => filter.verdict(&lying()),
                _ => Some(false),
            }
        };
        let is_open = |source: u32| verdict(source, &|_, _| None).is_none();
        let texts = match filter.texts() {
            [] => Vec::new(),
            _ => texts_of(&filter, known, is_open, is_cancelled),
        };
        let is_meant = |&source: &u32| {
            let has = |number: usize, _: &WordPattern| Some(texts[source as usize] >> number & 1 == 1);
            verdict(source, &has) == Some(true)
        };
        let sources = match by.0 {
            // A document whose partner is not listed keeps its place.
            Sort::Partner => self.shares.by_partner().par_iter().copied().filter(is_meant).collect(),
            sort => {
                let all = (0..self.known.passages.sources.len() as u32).into_par_iter();
                let mut sources: Vec<u32> = all.filter(is_meant).collect();
                sources.par_sort_unstable_by(|&a, &b| self.order(sort, a, b));
                sources
            }
        };
        Ok(ChosenDocuments { by, problems, sources })
    }

    /// Documents that are equal by `sort` are in the order of the sources, which is that of their paths.
    fn order(&self, sort: Sort, a: u32, b: u32) -> Ordering {
        let tokens = |source| Reverse(self.share(source).duplicated);
        let first = match sort {
            Sort::Tokens => Ordering::Equal,
            Sort::Copies => self.share(b).copies.cmp(&self.share(a).copies),
            Sort::Recent => self.source(b).stamp.mtime.cmp(&self.source(a).stamp.mtime),
            Sort::Path => return a.cmp(&b),
            _ => {
                let parts =
                    |source| (self.share(source).duplicated.into(), self.source(source).tokens.into());
                by_share(parts(a), parts(b))
            }
        };
        first.then_with(|| (tokens(a), a).cmp(&(tokens(b), b)))
    }

    fn row(&self, source: u32) -> ListedDocument {
        let share = self.share(source);
        let record =
            |source| Some(self.known.snapshot.document(self.source(source).id).record).filter(|&n| n > 0);
        let partner = |Partner { source, tokens }| PartnerDocument {
            path: self.path(source).to_owned(),
            record: record(source),
            tokens: u64::from(tokens),
        };
        ListedDocument {
            path: self.path(source).to_owned(),
            record: record(source),
            tokens: u64::from(self.source(source).tokens),
            duplicated: u64::from(share.duplicated),
            copies: u64::from(share.copies),
            partner: share.partner.map(partner),
            is_below: false,
            language: self.source(source).language.map(|language| language.name().to_owned()),
        }
    }

    fn share(&self, source: u32) -> &Share {
        &self.shares.documents[source as usize]
    }

    fn source(&self, source: u32) -> &SourceDocument {
        &self.known.passages.sources[source as usize]
    }

    fn path(&self, source: u32) -> &Path {
        self.known.snapshot.path(self.known.snapshot.file_of(self.source(source).id))
    }
}

/// Compares two shares, each a part and a whole; the greater share is first.
pub(super) fn by_share(a: (u64, u64), b: (u64, u64)) -> Ordering {
    let product = |(part, _): (u64, u64), (_, of): (u64, u64)| u128::from(part) * u128::from(of.max(1));
    product(b, a).cmp(&product(a, b))
}
