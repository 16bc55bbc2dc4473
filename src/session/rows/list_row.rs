//! The trait of rows. Each kind of row is one file, which has the type of its rows, implements [`ListRow`] for it and
//! makes its lists; `rows.rs` lists all kinds.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::known_clusters::KnownClusters;
use super::known_passages::KnownPassages;
use super::known_review::KnownReview;
use super::shares::Shares;
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::ItemId;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::ReviewState;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedId, KeptTexts};
use dupi_near::kept_files::KeptGroup;
use dupi_passage::passages::PassageId;
use dupi_passage::rows::TEXT_LIMIT;
use dupi_report::ReportRow;
use dupi_text::blot::Blot;

/// A row of one kind: its facts, its whole text, where its preview looks, and how it is exported.
pub(crate) trait ListRow {
    /// Its identity.
    fn id(&self) -> ItemId;

    /// The beginning of its text, or its path where it has no text.
    fn text(&self) -> Cow<'_, str>;

    /// The file or folder that it is, or that it is shown from, and whether it is a folder.
    fn place(&self) -> Option<(&Path, bool)> {
        None
    }

    /// How many tokens it has; of documents and folders, how many of them lie in passages.
    fn token_count(&self) -> u64;

    /// In how many documents it occurs, or how many it holds or hides.
    fn documents(&self) -> u64;

    /// How many copies it has, holds or hides; `None` if they were not counted.
    fn copies(&self) -> Option<u64>;

    /// The share of its tokens that lies in passages, 0 to 1; `None` for rows of texts.
    fn share(&self) -> Option<f64> {
        None
    }

    /// The name of the language of the document that its text was taken from, when that is source code.
    fn language(&self) -> Option<&str> {
        None
    }

    /// The blots that it consists of, where it is a row of blots.
    fn blots(&self) -> &[Blot] {
        &[]
    }

    /// What was decided about it; taboo takes precedence over accepted.
    fn state(&self) -> ReviewState {
        ReviewState::Open
    }

    /// With how many copies it was accepted, if it was.
    fn accepted(&self) -> Option<u64> {
        None
    }

    /// The number of copies that acceptance is about.
    fn reviewed_copies(&self) -> u64 {
        self.documents()
    }

    /// The name under which it is accepted; `None` where there is nothing to accept.
    fn accepted_as(&self) -> Option<AcceptedId> {
        None
    }

    /// Whether it is a text that can be decided about.
    fn is_text(&self) -> bool {
        self.accepted_as().is_some()
    }

    /// The names under which it, or a part of it, may have been accepted.
    fn accepted_by(&self) -> Vec<AcceptedId> {
        self.accepted_as().into_iter().collect()
    }

    /// The text of the taboo entry that it is.
    fn taboo_entry(&self) -> Option<&str> {
        None
    }

    /// The number of the document that its text is read from. Texts are read in this order, so that each document is
    /// read once.
    fn text_source(&self, _: &RowSource) -> Option<u32> {
        None
    }

    /// Its whole text as the documents have it now; `None` where it has none, or its text has changed.
    fn whole_text(&self, _: &RowSource, _: &mut RowReaders) -> Option<String> {
        None
    }

    /// The texts that the taboo list is given to hide it, as the documents have them now; `None` for one that has
    /// changed.
    fn taboo_texts(&self, source: &RowSource, readers: &mut RowReaders) -> Vec<Option<TabooText>> {
        let language = self.language().map(str::to_owned);
        vec![self.whole_text(source, readers).map(|text| TabooText { text, language })]
    }

    /// The blots by which the taboo list can hide it, for each of its texts.
    fn taboo_blots(&self, _: &RowSource) -> Vec<Vec<Blot>> {
        Vec::new()
    }

    /// Whether its texts are whole documents.
    fn is_of_documents(&self) -> bool {
        false
    }

    /// Whether it was made from passages, and so from the generation in which these were found.
    fn is_from_passages(&self) -> bool {
        false
    }

    /// Whether it was made from clusters, and so from the generation in which these were found.
    fn is_from_clusters(&self) -> bool {
        false
    }

    /// Whether it is a row of a review, made from the passages that this found.
    fn is_from_review(&self) -> bool {
        false
    }

    /// Whether its preview needs the shares of documents.
    fn needs_shares(&self) -> bool {
        false
    }

    /// Where its preview finds its copies.
    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError>;

    /// Why its preview is empty when no copy was found: a sentence. `None` where nothing was to be found.
    fn why_empty(&self) -> Option<&'static str>;

    /// The text that its preview shows when no copy was found.
    fn stand_in_text(&self) -> Option<&str> {
        None
    }

    /// Which documents of it are kept and which are not, where it is a cluster or a member of one.
    fn kept_groups(&self, _: &RowSource) -> Option<Vec<KeptGroup>> {
        None
    }

    /// Its rows for a file, as the verbs print them, with all verified copies; none if its text has changed.
    fn export(&self, _: &RowSource, _: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        Ok(Vec::new())
    }
}

/// A text of a row, as the taboo list is given it.
pub(crate) struct TabooText {
    /// The text.
    pub text: String,
    /// The name of the language of its document, when that is source code.
    pub language: Option<String>,
}

/// What rows and their texts are read from.
pub(crate) struct RowSource<'a> {
    /// The newest generation.
    pub snapshot: &'a Snapshot,
    /// The passages that were found last.
    pub known: Option<&'a KnownPassages>,
    /// The clusters that were found last.
    pub clusters: Option<&'a KnownClusters>,
    /// What the review of a change found last.
    pub review: Option<&'a KnownReview>,
}

impl RowSource<'_> {
    /// What rows are read from, some of which are of a review or none is: their passages are those of the review.
    pub(crate) fn of_rows(&self, are_of_review: bool) -> RowSource<'_> {
        let review = self.review.filter(|_| are_of_review);
        let known = review.map_or(self.known, |review| Some(&*review.known));
        RowSource { snapshot: self.snapshot, known, clusters: self.clusters, review: self.review }
    }

    /// What a decision keeps of the texts of a passage's copies; nothing for a blot.
    pub(crate) fn kept_texts(&self, of: AcceptedId) -> KeptTexts {
        let passage = self.known.zip(of.passage());
        passage.map(|(known, id)| known.passages.copy_texts.kept(PassageId(id))).unwrap_or_default()
    }
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
    /// Readers of a source, with nothing open.
    pub(crate) fn new(source: &RowSource) -> Self {
        Self {
            newest: DocumentReader::new(source.snapshot),
            known: DocumentReader::new(source.known.map_or(source.snapshot, |known| &known.snapshot)),
            needs_texts: false,
        }
    }
}

/// What the places of a row's copies are made from.
pub(crate) struct PlaceSource<'a> {
    /// The generation that the preview reads: that of the passages where the row was made from them.
    pub snapshot: &'a Snapshot,
    /// Reads that generation.
    pub reader: &'a mut DocumentReader,
    /// The passages that were found last.
    pub known: Option<Arc<KnownPassages>>,
    /// The clusters that were found last.
    pub clusters: Option<Arc<KnownClusters>>,
    /// What the review of a change found last.
    pub review: Option<Arc<KnownReview>>,
    /// What they say about documents, if the row needs that.
    pub shares: Option<Arc<Shares>>,
}

/// Which share of a whole a part is, 0 to 1; 0 of nothing.
pub(crate) fn part(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// The message for a row of text without copies.
pub(crate) const TEXT_IS_GONE: &str =
    "None of the documents has this text any more; the list follows as soon as they are read again.";
/// The message for a document or file without copies.
pub(crate) const FILE_IS_UNREADABLE: &str =
    "The file cannot be read as it was; the list follows as soon as it is read again.";

/// Whether the text of a row is complete, and not only the first bytes.
pub(crate) fn is_whole(text: &str) -> bool {
    text.len() + char::MAX.len_utf8() <= TEXT_LIMIT
}
