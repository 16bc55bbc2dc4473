//! A filter for rows of blots. These are made one by one, the first ones first: so what is asked of a blot
//! is whether its row may pass, and of the row, when it is made, whether it does.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::{are_in, bits, file_bits, is_set};
use crate::blot::Blot;
use crate::index::IndexError;
use crate::index::ranking::Ranked;
use crate::index::snapshot::{FileId, Snapshot};
use crate::passage::Row;
use crate::passage::rows::{TEXT_LIMIT, stretch_of};
use crate::query::filter::{Fact, Facts, FileTest, Filter, Quantity, State, Words};
use crate::query::page::Reader;

/// The blots of some passages.
pub type BlotsOf = HashMap<u64, HashSet<Blot>>;

/// Which rows of blots pass a filter.
pub struct BlotSieve<'a> {
    filter: &'a Filter,
    snapshot: &'a Snapshot,
    /// The passages that are asked for.
    passages: BlotsOf,
    /// Of live files, unless nothing of either is there: the tests that hold, and the words that may stand in its rows.
    files: HashMap<FileId, (u64, u64)>,
}

/// What is known of the documents of a blot: the tests that hold for their files, and the words that may
/// stand in its row.
type Documents = Option<(u64, u64)>;

/// Blots whose rows are not made yet.
struct Entry<'a> {
    sieve: &'a BlotSieve<'a>,
    group: &'a [Ranked],
    state: Fact<State>,
    documents: Documents,
}

/// A row, with its whole text when that was read.
struct Made<'a> {
    sieve: &'a BlotSieve<'a>,
    row: &'a Row,
    files: u64,
    whole: Option<&'a str>,
}

impl<'a> BlotSieve<'a> {
    /// Makes a filter ready. Reads all documents when it asks for words; `is_cancelled` ends that early.
    pub fn new(
        filter: &'a Filter,
        snapshot: &'a Snapshot,
        passages: BlotsOf,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let asks = !filter.files().is_empty() || !filter.texts().is_empty();
        let all: Vec<FileId> = if asks { snapshot.files().collect() } else { Vec::new() };
        let of_file = |reader: &mut Reader, &file: &FileId| {
            if is_cancelled() {
                return None;
            }
            let path = snapshot.path(file);
            let of_path = file_bits(filter, path, reader);
            let mut of_text = 0;
            if !filter.texts().is_empty()
                && let Ok(open) = reader.file(path)
            {
                of_text = bits(filter.texts().iter().map(|words| words.may_be_in(&open.text)));
            }
            (of_path | of_text != 0).then_some((file, (of_path, of_text)))
        };
        let files = all.par_iter().map_init(|| Reader::new(snapshot), of_file).flatten_iter().collect();
        Self { filter, snapshot, passages, files }
    }

    /// Whether the rows of a group pass, or none of them, as far as that can be told without them: of entries
    /// of a ranking that have the same document frequency and set, and one state if that is known.
    pub fn pass(&self, group: &[Ranked], state: Fact<State>) -> Result<Option<bool>, IndexError> {
        let known = |documents| Entry { sieve: self, group, state, documents };
        let mut pass = self.filter.verdict(&known(None));
        if pass.is_some() {
            return Ok(pass);
        }
        // The postings are looked up only when the documents must decide.
        for (number, ranked) in group.iter().enumerate() {
            let also = self.filter.verdict(&known(Some(self.documents(ranked.blot())?)));
            if also.is_none() || (number > 0 && also != pass) {
                return Ok(None);
            }
            pass = also;
        }
        Ok(pass)
    }

    /// Whether a row passes. Of a long row only the beginning is at hand: then its text is read again.
    pub fn has_row(&self, row: &Row, reader: &mut Reader) -> Result<bool, IndexError> {
        let files = self.documents(row.id())?.0;
        let known = |whole| Made { sieve: self, row, files, whole };
        if let Some(passes) = self.filter.verdict(&known(None)) {
            return Ok(passes);
        }
        let whole = stretch_of(self.snapshot, reader, row)?;
        let whole = whole.as_ref().map_or(row.text.as_str(), |(_, text)| text);
        Ok(self.filter.verdict(&known(Some(whole))).unwrap_or(false))
    }

    fn documents(&self, blot: Blot) -> Result<(u64, u64), IndexError> {
        if self.files.is_empty() {
            return Ok((0, 0));
        }
        let file = |place| self.snapshot.file_of(self.snapshot.document_at(place));
        let places = self.snapshot.find(blot)?;
        let all = places.into_iter().filter_map(|place| self.files.get(&file(place)));
        Ok(all.fold((0, 0), |(files, texts), (of_path, of_text)| (files | of_path, texts | of_text)))
    }

    fn has(&self, passage: u64, blots: &[Blot]) -> bool {
        self.passages.get(&passage).is_some_and(|of| blots.iter().any(|blot| of.contains(blot)))
    }
}

impl Facts for Entry<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        match of {
            Quantity::Documents => self.group.first().map(|ranked| u64::from(ranked.documents())).into(),
            Quantity::Alike => Fact::Is(100),
            Quantity::Share => Fact::Nothing,
            Quantity::Copies | Quantity::Tokens | Quantity::Score => Fact::Unknown,
        }
    }

    fn state(&self) -> Fact<State> {
        self.state
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        let blots: Vec<Blot> = self.group.iter().map(|ranked| ranked.blot()).collect();
        // Which of them are in a row together is not known yet.
        if self.sieve.has(passage, &blots) { None } else { Some(false) }
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        self.documents.map(|(files, _)| is_set(files, number))
    }

    fn has_text(&self, number: usize, _: &Words) -> Option<bool> {
        let (_, texts) = self.documents?;
        if is_set(texts, number) { None } else { Some(false) }
    }
}

impl Facts for Made<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let (documents, tokens) = (u64::from(self.row.documents), u64::from(self.row.tokens));
        // Copies that were not counted are more than documents: some document has several.
        let copies = self.row.copies.unwrap_or(documents + 1);
        match of {
            Quantity::Copies => Fact::Is(copies),
            Quantity::Documents => Fact::Is(documents),
            Quantity::Tokens => Fact::Is(tokens),
            Quantity::Score => Fact::Is(copies.saturating_sub(1) * tokens),
            Quantity::Alike => Fact::Is(100),
            Quantity::Share => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<State> {
        Fact::Is(self.row.state())
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        Some(self.sieve.has(passage, &self.row.blots))
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        Some(is_set(self.files, number))
    }

    fn has_text(&self, _: usize, words: &Words) -> Option<bool> {
        let is_cut = self.row.text.len() + char::MAX_LEN_UTF8 > TEXT_LIMIT;
        match self.whole {
            Some(whole) => Some(are_in(words, whole)),
            None if words.are_like(&self.row.text) => Some(true),
            None if is_cut => None,
            None => Some(false),
        }
    }
}
