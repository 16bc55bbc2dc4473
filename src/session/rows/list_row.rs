//! The traits of rows and of what makes their lists. Each kind of row is one file, which implements [`ListRow`] for it and
//! [`ListMaker`] for its lists; `rows.rs` lists all kinds.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use crate::known::Found;
use crate::known::RankingCache;
use crate::known::decisions::Decisions;
use crate::known::passages::{KnownPassages, Shares};
use crate::protocol::{Item, ItemId, Listing, View};
use dupi_base::config::SavedFilters;
use dupi_index::index::{IndexError, IsStopped};
use dupi_index::query::blot_rows::{BlotRun, TEXT_LIMIT};
use dupi_index::query::filter::{Problem, ReviewState};
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedId, TabooEntry};
use dupi_judge::passages::PassageId;
use dupi_report::ReportRow;
use dupi_text::blot::Blot;

/// A row of one kind: its facts, its whole text, and how it is exported.
pub(crate) trait ListRow {
    /// Its identity.
    fn id(&self) -> ItemId;

    /// The beginning of its text, or its path where it has no text.
    fn text(&self) -> Cow<'_, str>;

    /// Its facts.
    fn facts(&self) -> RowFacts<'_>;

    /// The number of the document that its text is read from. Texts are read in this order, so that each document is
    /// read once.
    fn text_source(&self, _: &Found) -> Option<u32> {
        None
    }

    /// Its whole text as the documents have it now; `None` where it has none, or its text has changed.
    fn whole_text(&self, _: &Found, _: &mut RowReaders) -> Option<String> {
        None
    }

    /// The texts that the taboo list is given to hide it, as the documents have them now; `None` for one that has
    /// changed.
    fn taboo_texts(&self, found: &Found, readers: &mut RowReaders) -> Vec<Option<TabooText>> {
        let language = self.facts().language.map(str::to_owned);
        vec![self.whole_text(found, readers).map(|text| TabooText { text, language })]
    }

    /// The blots by which the taboo list can hide it, for each of its texts.
    fn taboo_blots(&self, _: &Found) -> Vec<Vec<Blot>> {
        Vec::new()
    }

    /// Its rows for a file, as the verbs print them, with all verified copies; none if its text has changed.
    fn export(&self, _: &Found, _: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        Ok(Vec::new())
    }
}

/// The facts of a row, whatever its kind.
#[derive(Default)]
pub(crate) struct RowFacts<'a> {
    /// The file or folder that it is, or that it is shown from, and whether it is a folder.
    pub place: Option<(&'a Path, bool)>,
    /// How many tokens it has; of documents and folders, how many of them lie in passages.
    pub tokens: u64,
    /// In how many documents it occurs, or how many it holds or hides.
    pub documents: u64,
    /// How many copies it has, holds or hides; `None` if they were not counted.
    pub copies: Option<u64>,
    /// The share of its tokens that lies in passages, 0 to 1; `None` for rows of texts.
    pub share: Option<f64>,
    /// The name of the language of the document that its text was taken from, when that is source code.
    pub language: Option<&'a str>,
    /// What was decided about it; taboo takes precedence over accepted.
    pub state: ReviewState,
    /// With how many copies it was accepted, if it was.
    pub accepted: Option<u64>,
    /// The number of copies that acceptance is about.
    pub reviewed_copies: u64,
    /// The name under which it is accepted; `None` where there is nothing to accept.
    pub accepted_as: Option<AcceptedId>,
    /// Whether it is a text that can be decided about.
    pub is_text: bool,
    /// Whether its texts are whole documents.
    pub is_of_documents: bool,
    /// Where its copies are.
    pub source: CopySource<'a>,
}

/// What a row was made from, and so the generation that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The newest generation.
    Newest,
    /// The passages.
    Passages,
    /// The clusters.
    Clusters,
    /// The review of a change, with the passages that this found.
    Review,
}

/// Where the copies of a row are.
#[derive(Clone, Copy, Default)]
pub(crate) enum CopySource<'a> {
    /// There are none.
    #[default]
    Nowhere,
    /// The documents of a row of blots.
    Blots(&'a BlotRun),
    /// The copies of a passage.
    Passage(PassageId),
    /// All copies in a file, or in one record of it (from 1; 0 if the whole file is one document).
    Within(&'a Path, Option<u32>),
    /// The members of the cluster with a name, or the one with a name.
    Cluster(u64, Option<u64>),
    /// The copies of a row of a review.
    Review(PassageId),
    /// What an entry of the taboo list hides.
    Taboo(&'a TabooEntry),
}

impl RowFacts<'_> {
    /// The blots that it consists of, where it is a row of blots.
    pub(crate) fn blots(&self) -> &[Blot] {
        if let CopySource::Blots(row) = self.source { &row.blots } else { &[] }
    }

    /// What it was made from.
    pub(crate) fn origin(&self) -> Origin {
        match self.source {
            CopySource::Nowhere | CopySource::Blots(_) | CopySource::Taboo(_) => Origin::Newest,
            CopySource::Passage(_) | CopySource::Within(..) => Origin::Passages,
            CopySource::Cluster(..) => Origin::Clusters,
            CopySource::Review(_) => Origin::Review,
        }
    }

    /// Why its preview is empty when no copy was found: a sentence. `None` where nothing was to be found.
    pub(crate) fn why_empty(&self) -> Option<&'static str> {
        match self.source {
            CopySource::Nowhere => None,
            CopySource::Blots(_) | CopySource::Passage(_) | CopySource::Review(_) => Some(TEXT_IS_GONE),
            CopySource::Within(..) | CopySource::Cluster(..) => {
                self.place.is_some_and(|(_, is_folder)| !is_folder).then_some(FILE_IS_UNREADABLE)
            }
            CopySource::Taboo(_) => Some("Nothing in the corpus has this text now."),
        }
    }

    /// The names under which it, or a part of it, may have been accepted.
    pub(crate) fn accepted_by(&self) -> Vec<AcceptedId> {
        match self.source {
            CopySource::Blots(row) => row.blots.iter().copied().map(AcceptedId::Blot).collect(),
            _ => self.accepted_as.into_iter().collect(),
        }
    }
}

/// The message for a row of text without copies.
const TEXT_IS_GONE: &str =
    "None of the documents has this text any more; the list follows as soon as they are read again.";
/// The message for a document or file without copies.
const FILE_IS_UNREADABLE: &str =
    "The file cannot be read as it was; the list follows as soon as it is read again.";

/// A text of a row, as the taboo list is given it.
pub(crate) struct TabooText {
    /// The text.
    pub text: String,
    /// The name of the language of its document, when that is source code.
    pub language: Option<String>,
}

/// Readers for the newest generation, and for the one in which the passages were found.
pub(crate) struct RowReaders {
    /// Reads the newest generation.
    pub newest: DocumentReader,
    /// Reads the generation of the passages.
    pub known: DocumentReader,
    /// Whether rows are exported with the text of each copy that differs.
    pub needs_texts: bool,
}

impl RowReaders {
    /// Readers of what was found, with nothing open.
    pub(crate) fn new(found: &Found) -> Self {
        let known = found.known.as_ref().map_or(&found.snapshot, |known| &known.snapshot);
        Self {
            newest: DocumentReader::new(&found.snapshot),
            known: DocumentReader::new(known),
            needs_texts: false,
        }
    }
}

/// Which share of a whole a part is, 0 to 1; 0 of nothing.
pub(crate) fn part(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// Whether the text of a row is complete, and not only the first bytes.
pub(crate) fn is_whole(text: &str) -> bool {
    text.len() + char::MAX.len_utf8() <= TEXT_LIMIT
}

/// The first few hundred bytes of a text.
pub(crate) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_LIMIT)]
}

/// Reads a text of each row by `read`, each document once. Returns them in the order of the rows.
pub(crate) fn read_texts<T: Default>(
    found: &Found,
    rows: &[&Item],
    mut read: impl FnMut(&dyn ListRow, &mut RowReaders) -> T,
) -> Vec<T> {
    let mut readers = RowReaders::new(found);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_cached_key(|&number| rows[number].row().text_source(found));
    let mut texts: Vec<T> = rows.iter().map(|_| T::default()).collect();
    for number in order {
        texts[number] = read(rows[number].row(), &mut readers);
    }
    texts
}

/// Makes the lists of one subject, and keeps what the next list can use again.
pub(crate) trait ListMaker {
    /// Sends the list that is asked for, at least once unless a newer request overtakes it.
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError>;

    /// Frees what was made from passages, as these are replaced.
    fn forget_passages(&mut self) {}
}

/// A request for a list, with all that it is made from. All of an answer is about this one state.
pub(crate) struct ListRequest<'a> {
    /// Which rows are asked for.
    pub view: &'a View,
    /// What was decided.
    pub decisions: &'a Decisions,
    /// The newest generation, and what was found last.
    pub found: &'a Found,
    /// The rankings of blots.
    pub rankings: &'a RankingCache,
    /// Whether there is a newer request or a newer state, so that the list is of no use.
    pub is_overtaken: &'a (dyn Fn() -> bool + Sync),
    /// Whether a user asks for something else, or the session ends.
    pub is_asked_anew: IsStopped<'a>,
    /// Whether the session ends.
    pub is_stopped: IsStopped<'a>,
    /// Sends a list, which may be partial.
    pub send: &'a dyn Fn(Listing),
    /// Sends a notice: a sentence.
    pub notice: &'a dyn Fn(String),
}

impl ListRequest<'_> {
    /// Sends a list unless it is overtaken. Returns whether it was sent.
    pub(crate) fn send_newest(&self, list: Listing) -> bool {
        let is_newest = !(self.is_overtaken)();
        if is_newest {
            (self.send)(list);
        }
        is_newest
    }

    /// A list of the newest generation without rows.
    pub(crate) fn empty(&self) -> Listing {
        let generation = self.found.snapshot.manifest().generation;
        Listing { view: self.view.clone(), generation, ..Listing::default() }
    }

    /// Sends an empty list, as what it is made from was not found yet.
    pub(crate) fn send_provisional(&self) {
        (self.send)(Listing { is_provisional: true, ..self.empty() });
    }

    /// The passages with the shares of documents. While there are none, sends an empty provisional list and returns `None`.
    pub(crate) fn shares_or_wait(&self) -> Option<(Arc<KnownPassages>, Arc<Shares>)> {
        let Some(known) = &self.found.known else {
            self.send_provisional();
            return None;
        };
        let shown = if self.view.show_taboo { Arc::default() } else { Arc::clone(&self.decisions.set) };
        Some((Arc::clone(known), known.shares(&shown)))
    }
}

/// The text of a filter, and the saved filters that it can refer to.
pub(crate) type FilterKey = (String, Arc<SavedFilters>);

/// What a list was made of the last time.
pub(crate) struct Chosen<K, T> {
    /// What it depends on.
    pub by: K,
    /// The invalid terms of the filter.
    pub problems: Vec<Problem>,
    /// What was chosen.
    pub of: T,
}

/// A list of all rows that a view has, of which as many as it wants are made, in its direction.
pub(crate) fn page<T: Clone>(
    view: &View,
    generation: u64,
    problems: Vec<Problem>,
    all: &[T],
    row: impl FnMut(T) -> Item,
) -> Listing {
    let at = |at: usize| all[if view.is_reversed { all.len() - 1 - at } else { at }].clone();
    Listing {
        view: view.clone(),
        generation,
        rows: (0..all.len().min(view.wanted)).map(at).map(row).collect(),
        problems,
        complete: all.len() <= view.wanted,
        total: Some(all.len() as u64),
        searched: 1.0,
        ..Listing::default()
    }
}
