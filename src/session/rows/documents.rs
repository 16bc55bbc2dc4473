//! Rows of documents, folders and files, with the share of their text that lies in passages.
//!
//! Documents are listed that have text in passages; if a filter names a blot, also the others that have this blot, since a
//! blot is shorter than a passage. Of folders and files the contents of one folder are listed: a filter selects files, and
//! the numbers of a folder are the sums over its selected files.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::list_row::{Chosen, FilterKey, page};
use super::list_row::{CopySource, ListRow, RowFacts, RowReaders, part};
use super::overview::{FileContents, Overview, documents_of, texts_of};
use crate::known::Found;
use crate::protocol::{Item, ItemId, ListedDocument, ListedFolder, Listing, PartnerDocument, Sort, View};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::filter::WordPattern;
use dupi_index::query::page::DocumentReader;
use dupi_judge::folders::{NodeId, Sums};
use dupi_judge::passages::SourceDocument;
use dupi_judge::shares::{Partner, Share};
use dupi_report::{DocumentName, DocumentShareRow, FolderShareRow, PartnerRow, ReportRow, rounded};

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

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some((&self.path, false)),
            tokens: self.duplicated,
            documents: 1,
            copies: Some(self.copies),
            share: Some(self.share()),
            language: self.language.as_deref(),
            source: CopySource::Within(&self.path, Some(self.record.unwrap_or(0))),
            ..RowFacts::default()
        }
    }

    fn export(&self, _: &Found, _: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        Ok(vec![Box::new(DocumentShareRow::from(self))])
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

impl Overview {
    /// Lists documents.
    pub(super) fn list_documents(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Listing, IndexError> {
        let by = (view.sort.or_usual(view.of), view.filter_key());
        let chosen = match self.documents.take().filter(|chosen| chosen.by == by) {
            Some(chosen) => chosen,
            None => self.choose(by, view, is_cancelled)?,
        };
        let mut above = HashSet::new();
        let mut is_below = |source: u32| {
            above.insert(source);
            self.share_of(source).partner.is_some_and(|partner| above.contains(&partner.source))
        };
        let generation = self.known.snapshot.manifest().generation;
        let listing = page(view, generation, chosen.problems.clone(), &chosen.of, |source| {
            let is_below = chosen.by.0 == Sort::Partner && is_below(source);
            Item::Document(Arc::new(ListedDocument { is_below, ..self.document(source) }))
        });
        let all = self.shares.folders.first().copied().unwrap_or_default();
        self.documents = (!is_cancelled()).then_some(chosen);
        Ok(Listing { share: Some((all.duplicated, all.tokens)), ..listing })
    }

    fn choose(
        &self,
        by: (Sort, FilterKey),
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Chosen<(Sort, FilterKey), Vec<u32>>, IndexError> {
        let (filter, problems) = view.parsed();
        let known = &*self.known;
        let blots = documents_of(&filter, &known.snapshot)?;
        let has_blot =
            |source: u32| blots.values().any(|documents| documents.contains(&self.source(source).id));
        let verdict = |source: u32, has_text: &dyn Fn(usize, &WordPattern) -> Option<bool>| {
            let (sums, path, sources) = (self.sums(source), self.path(source), source..source + 1);
            let lying = || FileContents { known, blots: &blots, path, sources, sums, has_text };
            match sums.duplicated > 0 || has_blot(source) {
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
        Ok(Chosen { by, problems, of: sources })
    }

    /// Documents that are equal by `sort` are in the order of the sources, which is that of their paths.
    fn order(&self, sort: Sort, a: u32, b: u32) -> Ordering {
        let recent = || self.source(b).stamp.mtime.cmp(&self.source(a).stamp.mtime);
        let first = if sort == Sort::Recent { recent() } else { Ordering::Equal };
        first.then_with(|| order(sort, self.sums(a), self.sums(b))).then(a.cmp(&b))
    }

    /// The sums over one document.
    fn sums(&self, source: u32) -> Sums {
        let Share { duplicated, copies, .. } = *self.share_of(source);
        let (duplicated, copies) = (u64::from(duplicated), u64::from(copies));
        Sums { documents: 1, tokens: u64::from(self.source(source).tokens), duplicated, copies }
    }

    fn document(&self, source: u32) -> ListedDocument {
        let share = self.share_of(source);
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

    fn share_of(&self, source: u32) -> &Share {
        &self.shares.documents[source as usize]
    }

    fn source(&self, source: u32) -> &SourceDocument {
        &self.known.passages.sources[source as usize]
    }

    fn path(&self, source: u32) -> &Path {
        self.known.snapshot.path(self.known.snapshot.file_of(self.source(source).id))
    }
}

impl ListedFolder {
    /// How much of it lies in passages, 0 to 1.
    pub fn share(&self) -> f64 {
        part(self.duplicated, self.tokens)
    }
}

impl ListRow for ListedFolder {
    fn id(&self) -> ItemId {
        ItemId::of_folder(&self.path)
    }

    fn text(&self) -> Cow<'_, str> {
        shown(&self.path).text()
    }

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some((&self.path, self.is_folder)),
            tokens: self.duplicated,
            documents: self.documents,
            copies: Some(self.copies),
            share: Some(self.share()),
            source: CopySource::Within(&self.path, None),
            ..RowFacts::default()
        }
    }

    fn export(&self, _: &Found, _: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        Ok(vec![Box::new(FolderShareRow::from(self))])
    }
}

impl From<&ListedFolder> for FolderShareRow {
    fn from(row: &ListedFolder) -> Self {
        Self {
            path: DocumentName::new(&row.path, None),
            is_folder: row.is_folder,
            share: rounded(row.share()),
            duplicated: row.duplicated,
            tokens: row.tokens,
            copies: row.copies,
            documents: row.documents,
        }
    }
}

impl Overview {
    /// The row of a folder or file, without a filter; `None` if no document lies there.
    pub fn row(&self, path: &Path) -> Option<ListedFolder> {
        let node = self.known.folders().find(&self.known.snapshot, path)?;
        Some(self.folder(node, self.shares.folders[node.number()]))
    }

    /// Lists the contents of the view's folder; none of one that does not exist.
    pub(super) fn list_files(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Listing, IndexError> {
        let by = view.filter_key();
        let filtered = match self.files.take().filter(|filtered| filtered.by == by) {
            Some(filtered) => filtered,
            None => self.filter(by, view, is_cancelled)?,
        };
        let (snapshot, folders) = (&self.known.snapshot, self.known.folders());
        let sums = filtered.of.as_ref().unwrap_or(&self.shares.folders);
        let sums = |node: NodeId| sums[node.number()];
        let folder = folders.find(snapshot, &view.folder);
        let lie_in = folder.into_iter().flat_map(|folder| folders.children(folder));
        let mut all: Vec<NodeId> = lie_in.filter(|&node| sums(node).documents > 0).collect();
        let path = |node: NodeId| folders.path(snapshot, node);
        let sort = view.sort.or_usual(view.of);
        all.sort_by(|&a, &b| order(sort, sums(a), sums(b)).then_with(|| path(a).cmp(path(b))));
        let generation = snapshot.manifest().generation;
        let row = |node| Item::Folder(Arc::new(self.folder(node, sums(node))));
        let listing = page(view, generation, filtered.problems.clone(), &all, row);
        let whole = folder.map(sums).unwrap_or_default();
        self.files = (!is_cancelled()).then_some(filtered);
        Ok(Listing { share: Some((whole.duplicated, whole.tokens)), ..listing })
    }

    fn folder(&self, node: NodeId, sums: Sums) -> ListedFolder {
        let folders = self.known.folders();
        let Sums { documents, tokens, duplicated, copies } = sums;
        let (path, is_folder) =
            (folders.path(&self.known.snapshot, node).to_owned(), folders.is_folder(node));
        ListedFolder { path, is_folder, documents, tokens, duplicated, copies }
    }

    /// Sums the files that a filter selects.
    fn filter(
        &self,
        by: FilterKey,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Chosen<FilterKey, Option<Vec<Sums>>>, IndexError> {
        let (filter, problems) = view.parsed();
        let (known, folders) = (&*self.known, self.known.folders());
        let blots = documents_of(&filter, &known.snapshot)?;
        let is_meant = |node: NodeId| {
            let (path, sources) = (folders.path(&known.snapshot, node), folders.sources_of(node));
            let sums = self.shares.folders[node.number()];
            let text = OnceCell::new();
            let read = || DocumentReader::new(&known.snapshot).text(path).unwrap_or_default().into_owned();
            let has_text = |_: usize, words: &WordPattern| Some(words.matches(text.get_or_init(read)));
            let lying = FileContents { known, blots: &blots, path, sources, sums, has_text: &has_text };
            !is_cancelled() && filter.verdict(&lying).unwrap_or(false)
        };
        let sums = (!filter.is_empty()).then(|| folders.sums(&self.shares.documents, is_meant));
        Ok(Chosen { by, problems, of: sums })
    }
}

/// The order of two rows whose paths and times are not compared. The greater share is first.
fn order(sort: Sort, a: Sums, b: Sums) -> Ordering {
    let product = |part: Sums, of: Sums| u128::from(part.duplicated) * u128::from(of.tokens.max(1));
    let first = match sort {
        Sort::Tokens | Sort::Recent => Ordering::Equal,
        Sort::Copies => b.copies.cmp(&a.copies),
        Sort::Documents => b.documents.cmp(&a.documents),
        Sort::Path => return Ordering::Equal,
        _ => product(b, a).cmp(&product(a, b)),
    };
    first.then_with(|| b.duplicated.cmp(&a.duplicated))
}
