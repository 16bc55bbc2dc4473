//! Rows of documents: those that have text in passages. If a filter names a blot, also the other documents that have
//! this blot, since a blot is shorter than a passage.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::list_maker::{Chosen, FilterKey, page};
use super::list_row::{CopySource, ListRow, RowFacts, RowReaders, part};
use super::overview::{FileContents, Overview, documents_of, texts_of};
use crate::known::Found;
use crate::protocol::{Item, ItemId, ListedDocument, Listing, PartnerDocument, Sort, View};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::filter::WordPattern;
use dupi_judge::folders::Sums;
use dupi_judge::passages::SourceDocument;
use dupi_judge::shares::{Partner, Share};
use dupi_report::{DocumentName, DocumentShareRow, PartnerRow, ReportRow, rounded};

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
            let Share { duplicated, copies, .. } = *self.share_of(source);
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
        Ok(Chosen { by, problems, of: sources })
    }

    /// Documents that are equal by `sort` are in the order of the sources, which is that of their paths.
    fn order(&self, sort: Sort, a: u32, b: u32) -> Ordering {
        let tokens = |source| Reverse(self.share_of(source).duplicated);
        let first = match sort {
            Sort::Tokens => Ordering::Equal,
            Sort::Copies => self.share_of(b).copies.cmp(&self.share_of(a).copies),
            Sort::Recent => self.source(b).stamp.mtime.cmp(&self.source(a).stamp.mtime),
            Sort::Path => return a.cmp(&b),
            _ => {
                let parts =
                    |source| (self.share_of(source).duplicated.into(), self.source(source).tokens.into());
                by_share(parts(a), parts(b))
            }
        };
        first.then_with(|| (tokens(a), a).cmp(&(tokens(b), b)))
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

/// Compares two shares, each a part and a whole; the greater share is first.
pub(super) fn by_share(a: (u64, u64), b: (u64, u64)) -> Ordering {
    let product = |(part, _): (u64, u64), (_, of): (u64, u64)| u128::from(part) * u128::from(of.max(1));
    product(b, a).cmp(&product(a, b))
}
