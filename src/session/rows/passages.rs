//! Rows of passages.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::known_passages::KnownPassages;
use super::list_row::{ListRow, PlaceSource, RowReaders, RowSource, TEXT_IS_GONE, TabooText, is_whole};
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::{ItemId, counted};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::filter::ReviewState;
use dupi_index::query::page::DocumentReader;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_index::taboo::AcceptedId;
use dupi_passage::copy::OpenCopy;
use dupi_passage::edits::texts;
use dupi_passage::headline::headline;
use dupi_passage::kind::Kind;
use dupi_passage::location::locate;
use dupi_passage::passages::{Passage, PassageId};
use dupi_passage::rows::TEXT_LIMIT;
use dupi_passage::since_visit::News;
use dupi_passage::trees::TreeDocuments;
use dupi_passage::unit::Unit;
use dupi_report::{self as report, ReportRow};
use dupi_text::blot::{Blot, tiles_of};
use dupi_text::token::{Token, Tokeniser};

/// A row of a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedPassage {
    /// Its identity.
    pub id: PassageId,
    /// What its copies are.
    pub unit: Unit,
    /// The number of its copies.
    pub copies: u64,
    /// The number of documents that have a copy.
    pub documents: u32,
    /// The number of tokens of the representative.
    pub tokens: u32,
    /// The number of tokens that keeping one copy would save.
    pub score: u64,
    /// The number of whole lines that could be deleted if only one copy were kept.
    pub lines: u64,
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
    /// The mean similarity of the copies, 0 to 1.
    pub similarity: f64,
    /// The path of the representative's document.
    pub path: PathBuf,
    /// Where the representative stands in the text of that file.
    pub span: ByteSpan,
    /// The text of the representative (its first few hundred bytes).
    pub text: String,
    /// The line or sentence of the representative that tells most about it (at most its first few hundred bytes).
    pub headline: String,
    /// What its text is, if that is known.
    pub kind: Option<Kind>,
    /// How many other passages its family has, if it is the head.
    pub members: u64,
    /// The name of the language of its document when it is source code.
    pub language: Option<String>,
    /// What is new in it since the screen was left.
    pub news: Option<News>,
    /// Whether the user pinned the copy that its text, place and similarity are of.
    pub pinned: bool,
    /// Whether the taboo list hides it.
    pub taboo: bool,
    /// The number of copies with which it was accepted, if it was; with more copies it is open again.
    pub accepted: Option<u64>,
    /// Whether it is marked to be fixed.
    pub is_to_fix: bool,
}

impl ListedPassage {
    /// The row of a passage, without decisions.
    pub fn new(passage: &Passage, representative: &OpenCopy) -> Self {
        let text = representative.text();
        Self {
            id: passage.id,
            unit: passage.unit,
            copies: passage.copies.len() as u64,
            documents: passage.documents,
            tokens: passage.tokens(),
            score: passage.score(),
            lines: passage.lines,
            worth: passage.worth,
            similarity: passage.similarity(),
            path: representative.page.file.path.clone(),
            span: representative.span,
            text: beginning(text).to_owned(),
            headline: beginning(&headline_of(passage, representative)).to_owned(),
            kind: passage.kind,
            members: passage.members,
            language: representative.page.tokeniser.language().map(|language| language.name().to_owned()),
            news: None,
            pinned: false,
            taboo: false,
            accepted: None,
            is_to_fix: false,
        }
    }

    /// Whether this is the copy that the others are compared with.
    pub fn is_base(&self, copy: &Occurrence) -> bool {
        self.path == copy.path && self.span == copy.text_span
    }
}

/// The first few hundred bytes of a text.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_LIMIT)]
}

/// The line or sentence that tells most about a copy; the name of a folder, and how many documents it has.
fn headline_of(passage: &Passage, copy: &OpenCopy) -> String {
    if let Unit::Folder(tree) = passage.unit {
        let folder = tree.folder(&copy.page.file.path).file_name().map(Path::new).unwrap_or(Path::new(""));
        let documents = counted(u64::from(tree.documents), ["document", "documents"]);
        return format!("{}/ with {documents}", shown(folder).text());
    }
    let (text, is_code) = (&copy.page.file.text, copy.page.tokeniser.language().is_some());
    let span = copy.span.start as usize..copy.span.end as usize;
    if text.get(span.clone()).is_none() {
        return copy.text().to_owned();
    }
    text[headline(text, span, is_code)].to_owned()
}

/// The texts of the documents in a folder; `None` for those that have changed.
fn texts_in(
    tree: &TreeDocuments<u32>,
    known: &KnownPassages,
    reader: &mut DocumentReader,
) -> Vec<Option<TabooText>> {
    let (snapshot, sources) = (&known.snapshot, &known.passages.sources);
    let mut texts = Vec::new();
    for &row in &tree.rows {
        let copy = OpenCopy::of(snapshot, reader, sources, &known.passages.found[row as usize]);
        texts.push(copy.map(|copy| {
            let language = copy.language();
            TabooText { text: copy.text().to_owned(), language }
        }));
    }
    let recipe = &snapshot.manifest().recipe;
    for &document in &tree.others {
        let Some(text) = reader.unchanged_text(snapshot, document) else {
            texts.push(None);
            continue;
        };
        let path = snapshot.path(snapshot.file_of(document));
        let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, path, &text);
        let language = tokeniser.language_at(&text, 0).map(|language| language.name().to_owned());
        // Without a word there is nothing to hide.
        if text.contains(char::is_alphanumeric) {
            texts.push(Some(TabooText { text, language }));
        }
    }
    texts
}

impl ListedPassage {
    /// Its whole text with the language at its beginning, as a document has it now, or as it was listed if it is short.
    fn taboo_text(&self, source: &RowSource, readers: &mut RowReaders) -> Option<TabooText> {
        let found = source.known.and_then(|known| {
            let sources = &known.passages.sources;
            OpenCopy::of(&known.snapshot, &mut readers.known, sources, known.get(self.id)?)
        });
        let found = found.map(|copy| TabooText { text: copy.text().to_owned(), language: copy.language() });
        let listed = || TabooText { text: self.text.clone(), language: self.language.clone() };
        found.or_else(|| is_whole(&self.text).then(listed))
    }
}

impl ListRow for ListedPassage {
    fn id(&self) -> ItemId {
        ItemId::Passage(self.id)
    }

    fn text(&self) -> Cow<'_, str> {
        self.text.as_str().into()
    }

    fn place(&self) -> Option<(&Path, bool)> {
        Some(match &self.unit {
            Unit::Folder(tree) => (tree.folder(&self.path), true),
            _ => (&self.path, false),
        })
    }

    fn token_count(&self) -> u64 {
        u64::from(self.tokens)
    }

    fn documents(&self) -> u64 {
        u64::from(self.documents)
    }

    fn copies(&self) -> Option<u64> {
        Some(self.copies)
    }

    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    fn state(&self) -> ReviewState {
        ReviewState::of(self.taboo, self.accepted, self.copies).or_fix(self.is_to_fix)
    }

    fn accepted(&self) -> Option<u64> {
        self.accepted
    }

    fn reviewed_copies(&self) -> u64 {
        self.copies
    }

    fn accepted_as(&self) -> Option<AcceptedId> {
        Some(AcceptedId::Passage(self.id.0))
    }

    fn text_source(&self, source: &RowSource) -> Option<u32> {
        Some(source.known?.get(self.id)?.representative().source)
    }

    fn whole_text(&self, source: &RowSource, readers: &mut RowReaders) -> Option<String> {
        self.taboo_text(source, readers).map(|found| found.text)
    }

    fn taboo_texts(&self, source: &RowSource, readers: &mut RowReaders) -> Vec<Option<TabooText>> {
        match source.known.and_then(|known| Some((known, known.tree(self.id)?))) {
            Some((known, tree)) => texts_in(tree, known, &mut readers.known),
            None => vec![self.taboo_text(source, readers)],
        }
    }

    fn taboo_blots(&self, source: &RowSource) -> Vec<Vec<Blot>> {
        let Some(known) = source.known else { return Vec::new() };
        let blots = |number: u32| {
            let mut blots = Vec::new();
            let tokens = known.passages.texts.of(number as usize).iter();
            let tokens = tokens.map(|&hash| Token { hash, start: 0, end: 0 });
            tiles_of(tokens, &source.snapshot.manifest().recipe, |tile| blots.push(tile.blot));
            blots
        };
        match known.tree(self.id) {
            Some(tree) => tree.rows.iter().map(|&row| blots(row)).collect(),
            None => known.number(self.id).map(blots).into_iter().collect(),
        }
    }

    fn is_of_documents(&self) -> bool {
        matches!(self.unit, Unit::Folder(_))
    }

    fn is_from_passages(&self) -> bool {
        true
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        Ok(source.known.map_or(CopyPlaces::Nowhere, |known| CopyPlaces::of_passage(known, self.id)))
    }

    fn why_empty(&self) -> Option<&'static str> {
        Some(TEXT_IS_GONE)
    }

    fn export(&self, source: &RowSource, readers: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        let Some(known) = source.known else { return Ok(Vec::new()) };
        let pins = known.pins();
        let pinned = pins.get(&self.id).map(Arc::as_ref);
        let Some(passage) = pinned.or_else(|| known.get(self.id)) else { return Ok(Vec::new()) };
        let (snapshot, sources) = (&known.snapshot, &known.passages.sources);
        let located = locate(snapshot, sources, &[passage], None);
        let is_passage = located.into_iter().filter(|located| located.copies.len() > 1);
        let texts = || readers.needs_texts.then(|| texts(snapshot, sources, passage));
        let row = |located| report::PassageRow::with_texts(passage, self.kind, located, None, texts());
        Ok(is_passage.map(|located| ReportRow::Passage(row(located))).collect())
    }
}
