//! A filter for rows of blots. These are made one by one, the first ones first: so what is asked of a blot
//! is whether its row may pass, and of the row, when it is made, whether it does.
//!
//! Whether it may, its documents often decide. The first blots are looked up one by one, so that their rows
//! are there soon; who asks for more gets one walk through all postings, which costs no more than looking up
//! some ten thousand.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::{are_in, bits, file_bits, is_set};
use crate::blot::Blot;
use crate::index::IndexError;
use crate::index::posting::{SHARDS, shard_of};
use crate::index::ranking::Ranked;
use crate::index::snapshot::{FileId, Snapshot};
use crate::index::stream::merge_shard;
use crate::passage::Row;
use crate::passage::rows::{TEXT_LIMIT, stretch_of};
use crate::query::filter::{Fact, Facts, FileTest, Filter, Quantity, State, Words};
use crate::query::page::Reader;

/// So many blots are looked up one by one.
const ONE_BY_ONE: usize = 1 << 11;

/// The blots of some passages.
pub type BlotsOf = HashMap<u64, HashSet<Blot>>;

/// Which rows of blots pass a filter.
pub struct BlotSieve {
    filter: Filter,
    snapshot: Snapshot,
    /// The passages that are asked for.
    passages: BlotsOf,
    /// What is known of files, by segment and number; nothing when nothing holds for any.
    files: Vec<Vec<Found>>,
    looked_up: usize,
    /// After a walk through all postings.
    walked: Option<Walked>,
}

/// What is known of the blots for which something holds, by shard and in order.
type Walked = Vec<Vec<(Blot, Found)>>;

/// What is known of a document, or of all those of a blot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    /// The tests that hold for a file.
    files: u64,
    /// The words that may stand in a row.
    texts: u64,
}

/// Blots whose rows are not made yet.
struct Entry<'a> {
    passages: &'a BlotsOf,
    group: &'a [Ranked],
    state: Fact<State>,
    documents: Option<Found>,
}

/// A row, with its whole text when that was read.
struct Made<'a> {
    passages: &'a BlotsOf,
    row: &'a Row,
    files: u64,
    whole: Option<&'a str>,
}

impl BlotSieve {
    /// Makes a filter ready. Reads all documents when it asks for words; `is_cancelled` ends that early,
    /// and what is concluded then holds for nothing.
    pub fn new(
        filter: Filter,
        snapshot: &Snapshot,
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
            let mut found = Found { files: file_bits(&filter, path, reader), texts: 0 };
            if !filter.texts().is_empty()
                && let Ok(open) = reader.file(path)
            {
                found.texts = bits(filter.texts().iter().map(|words| words.may_be_in(&open.text)));
            }
            (found != Found::default()).then_some((file, found))
        };
        let found: Vec<(FileId, Found)> =
            all.par_iter().map_init(|| Reader::new(snapshot), of_file).flatten_iter().collect();
        let mut files = Vec::new();
        if !found.is_empty() {
            let counts = snapshot.segments().iter().map(|live| live.segment().table().file_count());
            files.extend(counts.map(|count| vec![Found::default(); count]));
        }
        for (FileId { segment, file }, found) in found {
            files[segment as usize][file as usize] = found;
        }
        Self { filter, snapshot: snapshot.clone(), passages, files, looked_up: 0, walked: None }
    }

    /// Whether it is for this very snapshot.
    pub fn is_of(&self, snapshot: &Snapshot) -> bool {
        std::ptr::eq(self.snapshot.manifest(), snapshot.manifest())
    }

    /// Whether the rows of a group pass, or none of them, as far as that can be told without them: of entries
    /// of a ranking that have the same document frequency and set, and one state if that is known.
    /// `is_cancelled` ends it early, and what is concluded then holds for nothing.
    pub fn pass(
        &mut self,
        group: &[Ranked],
        state: Fact<State>,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<bool>, IndexError> {
        let mut pass = self.verdict(group, state, None);
        if pass.is_some() {
            return Ok(pass);
        }
        self.looked_up += group.len();
        if self.looked_up > ONE_BY_ONE && self.walked.is_none() {
            self.walked = self.walk(is_cancelled)?;
            if self.walked.is_none() {
                return Ok(Some(false));
            }
        }
        // The postings are looked up only when the documents must decide.
        for (number, ranked) in group.iter().enumerate() {
            let also = self.verdict(group, state, Some(self.documents(ranked.blot())?));
            if also.is_none() || (number > 0 && also != pass) {
                return Ok(None);
            }
            pass = also;
        }
        Ok(pass)
    }

    /// Whether a row passes. Of a long row only the beginning is at hand: then its text is read again.
    pub fn has_row(&self, row: &Row, reader: &mut Reader) -> Result<bool, IndexError> {
        let files = self.documents(row.id())?.files;
        let known = |whole| Made { passages: &self.passages, row, files, whole };
        if let Some(passes) = self.filter.verdict(&known(None)) {
            return Ok(passes);
        }
        let whole = stretch_of(&self.snapshot, reader, row)?;
        let whole = whole.as_ref().map_or(row.text.as_str(), |(_, text)| text);
        Ok(self.filter.verdict(&known(Some(whole))).unwrap_or(false))
    }

    fn verdict(&self, group: &[Ranked], state: Fact<State>, documents: Option<Found>) -> Option<bool> {
        self.filter.verdict(&Entry { passages: &self.passages, group, state, documents })
    }

    fn documents(&self, blot: Blot) -> Result<Found, IndexError> {
        if self.files.is_empty() {
            return Ok(Found::default());
        }
        if let Some(walked) = &self.walked {
            let shard = &walked[shard_of(blot)];
            let at = shard.binary_search_by_key(&blot, |(blot, _)| *blot);
            return Ok(at.map_or(Found::default(), |at| shard[at].1));
        }
        let file = |place| self.snapshot.file_of(self.snapshot.document_at(place));
        let files = self.snapshot.find(blot)?.into_iter().map(file);
        let known = files.map(|FileId { segment, file }| self.files[segment as usize][file as usize]);
        Ok(known.fold(Found::default(), Found::with))
    }

    /// What is known of all repeated blots; `None` when it was ended early.
    fn walk(&self, is_cancelled: &(dyn Fn() -> bool + Sync)) -> Result<Option<Walked>, IndexError> {
        if self.files.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let segments = self.snapshot.segments();
        let of_shard = |shard: usize| {
            let mut known = Vec::new();
            if is_cancelled() {
                return Ok(known);
            }
            merge_shard(segments, shard, |blot, lists| {
                // Nine blots of ten occur once.
                if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
                    return Ok(());
                }
                let mut all = Found::default();
                for (segment, places) in lists.iter() {
                    let (live, files) = (&segments[segment], &self.files[segment]);
                    let table = live.segment().table();
                    let of_places = places.iter().map(|place| table.file_of(table.document_of(place.part())));
                    let alive = of_places.filter(|&file| live.is_live_file(file));
                    all = alive.map(|file| files[file as usize]).fold(all, Found::with);
                }
                if all != Found::default() {
                    known.push((blot, all));
                }
                Ok(())
            })?;
            Ok(known)
        };
        let walked = (0..SHARDS).into_par_iter().map(of_shard).collect::<Result<_, IndexError>>()?;
        Ok((!is_cancelled()).then_some(walked))
    }
}

impl Found {
    fn with(self, other: Self) -> Self {
        Self { files: self.files | other.files, texts: self.texts | other.texts }
    }
}

fn has(passages: &BlotsOf, passage: u64, mut blots: impl Iterator<Item = Blot>) -> bool {
    passages.get(&passage).is_some_and(|of| blots.any(|blot| of.contains(&blot)))
}

impl Facts for Entry<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let documents = self.group.first().map(|entry| u64::from(entry.documents()));
        match of {
            Quantity::Documents => documents.into(),
            // Each of its documents has one.
            Quantity::Copies if !self.group.iter().any(|entry| entry.is_marked()) => documents.into(),
            Quantity::Alike => Fact::Is(100),
            Quantity::Share => Fact::Nothing,
            Quantity::Copies | Quantity::Tokens | Quantity::Score => Fact::Unknown,
        }
    }

    fn state(&self) -> Fact<State> {
        self.state
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        // Which of them are in a row together is not known yet.
        let has = has(self.passages, passage, self.group.iter().map(|entry| entry.blot()));
        if has { None } else { Some(false) }
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        self.documents.map(|found| is_set(found.files, number))
    }

    fn has_text(&self, number: usize, _: &Words) -> Option<bool> {
        if is_set(self.documents?.texts, number) { None } else { Some(false) }
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
        Some(has(self.passages, passage, self.row.blots.iter().copied()))
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
