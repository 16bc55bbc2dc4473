//! Applies a filter to rows of blots. Rows are made one by one, in the order of the list. So a blot is first tested for
//! whether its row may pass, often by its documents alone; the row is tested again when it is made.

use std::collections::{HashMap, HashSet};

use super::documents::{Documents, MatchBits};
use super::{is_set, matches_row_text};
use dupi_index::index::IndexError;
use dupi_index::index::ranking::RankedBlot;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::blot_rows::BlotRun;
use dupi_index::query::blot_rows::{TEXT_LIMIT, anchored_text_of};
use dupi_index::query::filter::{Fact, Facts, FileTest, Filter, Quantity, ReviewState, WordPattern};
use dupi_index::query::page::DocumentReader;
use dupi_text::blot::Blot;

/// The blots of some passages.
pub type BlotsOf = HashMap<u64, HashSet<Blot>>;

/// Which rows of blots pass a filter.
pub struct BlotSieve {
    filter: Filter,
    snapshot: Snapshot,
    /// The blots of the passages that the filter names.
    passages: BlotsOf,
    documents: Documents,
}

/// The facts of blots whose rows are not made yet.
struct BlotFacts<'a> {
    passages: &'a BlotsOf,
    group: &'a [RankedBlot],
    state: Fact<ReviewState>,
    /// The file tests that hold for one of their documents, once they were looked up.
    files: Option<u64>,
    /// The word patterns that may match their rows, once they were looked up.
    texts: Option<u64>,
}

/// The facts of a row, with its whole text when that was read.
struct RowFacts<'a> {
    passages: &'a BlotsOf,
    row: &'a BlotRun,
    files: u64,
    whole: Option<&'a str>,
}

impl BlotSieve {
    /// Prepares a filter. Reads all documents when it asks for words. `is_cancelled` ends that early; then the results are
    /// invalid.
    pub fn new(
        filter: Filter,
        snapshot: &Snapshot,
        passages: BlotsOf,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let documents = Documents::new(&filter, snapshot, is_cancelled);
        Self { filter, snapshot: snapshot.clone(), passages, documents }
    }

    /// Whether it was prepared for this snapshot.
    pub fn is_of(&self, snapshot: &Snapshot) -> bool {
        std::ptr::eq(self.snapshot.manifest(), snapshot.manifest())
    }

    /// Whether all rows of a group pass, or none; `None` when that depends on the rows. A group is the entries of a
    /// ranking with the same document frequency and the same set of documents; `state` is the decision about all of them,
    /// if it is known. `is_cancelled` ends it early; then the result is invalid.
    pub fn pass(
        &mut self,
        group: &[RankedBlot],
        state: Fact<ReviewState>,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<bool>, IndexError> {
        let mut pass = self.filter.verdict(&self.entry(group, state));
        if pass.is_some() {
            return Ok(pass);
        }
        for (number, ranked) in group.iter().enumerate() {
            let also = self.passes(group, ranked.blot(), state, is_cancelled)?;
            if also.is_none() || (number > 0 && also != pass) {
                return Ok(None);
            }
            pass = also;
        }
        Ok(pass)
    }

    /// Whether the row of one blot of a group passes; `None` when its documents do not decide. The postings are looked up
    /// only when they must decide.
    fn passes(
        &mut self,
        group: &[RankedBlot],
        blot: Blot,
        state: Fact<ReviewState>,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<bool>, IndexError> {
        let texts = self.documents.texts_of(&self.filter, blot, is_cancelled)?;
        let pass = self.filter.verdict(&BlotFacts { texts, ..self.entry(group, state) });
        if pass.is_some() {
            return Ok(pass);
        }
        let Some(MatchBits { files, texts }) = self.documents.of(blot, is_cancelled)? else {
            return Ok(Some(false));
        };
        let found = BlotFacts { texts: Some(texts), files: Some(files), ..self.entry(group, state) };
        Ok(self.filter.verdict(&found))
    }

    /// Whether a row passes. A long row has only the beginning of its text; the whole text is read again if it must
    /// decide. `is_cancelled` ends it early; then the result is invalid.
    pub fn has_row(
        &mut self,
        row: &BlotRun,
        reader: &mut DocumentReader,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, IndexError> {
        let files = match self.filter.files() {
            [] => 0,
            _ => self.documents.of(row.id(), is_cancelled)?.unwrap_or_default().files,
        };
        let known = |whole| RowFacts { passages: &self.passages, row, files, whole };
        if let Some(passes) = self.filter.verdict(&known(None)) {
            return Ok(passes);
        }
        let whole = anchored_text_of(&self.snapshot, reader, row)?;
        let whole = whole.as_ref().map_or(row.text.as_str(), |(_, text)| text);
        Ok(self.filter.verdict(&known(Some(whole))).unwrap_or(false))
    }

    fn entry<'a>(&'a self, group: &'a [RankedBlot], state: Fact<ReviewState>) -> BlotFacts<'a> {
        BlotFacts { passages: &self.passages, group, state, files: None, texts: None }
    }
}

fn has(passages: &BlotsOf, passage: u64, mut blots: impl Iterator<Item = Blot>) -> bool {
    passages.get(&passage).is_some_and(|of| blots.any(|blot| of.contains(&blot)))
}

impl Facts for BlotFacts<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let documents = self.group.first().map(|entry| u64::from(entry.documents()));
        match of {
            Quantity::Documents => documents.into(),
            // Each of its documents has one copy.
            Quantity::Copies if !self.group.iter().any(|entry| entry.is_marked()) => documents.into(),
            Quantity::Alike => Fact::Is(100),
            Quantity::Share => Fact::Nothing,
            Quantity::Copies | Quantity::Tokens | Quantity::Score => Fact::Unknown,
        }
    }

    fn state(&self) -> Fact<ReviewState> {
        self.state
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        // It is not known yet which of them are in one row.
        let has = has(self.passages, passage, self.group.iter().map(|entry| entry.blot()));
        if has { None } else { Some(false) }
    }

    fn has_blot(&self, blot: Blot) -> Option<bool> {
        if self.group.iter().any(|entry| entry.blot() == blot) { None } else { Some(false) }
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        self.files.map(|files| is_set(files, number))
    }

    fn has_text(&self, number: usize, _: &WordPattern) -> Option<bool> {
        if is_set(self.texts?, number) { None } else { Some(false) }
    }
}

impl Facts for RowFacts<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let (documents, tokens) = (u64::from(self.row.documents), u64::from(self.row.tokens));
        // Copies that were not counted are more than the documents, because some document has several.
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

    fn state(&self) -> Fact<ReviewState> {
        Fact::Is(self.row.state())
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        Some(has(self.passages, passage, self.row.blots.iter().copied()))
    }

    fn has_blot(&self, blot: Blot) -> Option<bool> {
        Some(self.row.blots.contains(&blot))
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        Some(is_set(self.files, number))
    }

    fn has_text(&self, _: usize, words: &WordPattern) -> Option<bool> {
        let is_cut = self.row.text.len() + char::MAX_LEN_UTF8 > TEXT_LIMIT;
        match self.whole {
            Some(whole) => Some(matches_row_text(words, whole)),
            None if words.matches(&self.row.text) => Some(true),
            None if is_cut => None,
            None => Some(false),
        }
    }
}
