//! Rows of passages, and the lines at the end of their list that stand for all passages of a kind that is set aside.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::list_row::{CopySource, ListRow, RowFacts, RowReaders, TabooText, beginning, is_whole};
use crate::known::Found;
use crate::known::passages::KnownPassages;
use crate::protocol::{ItemId, ListedAside, ListedPassage, counted};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::Occurrence;
use dupi_index::query::filter::ReviewState;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::AcceptedId;
use dupi_judge::copies::OpenCopy;
use dupi_judge::copies::texts;
use dupi_judge::headline::headline;
use dupi_judge::identical::TreeDocuments;
use dupi_judge::location::locate;
use dupi_judge::passages::{Passage, PassageId};
use dupi_passage::unit::Unit;
use dupi_report::{self as report, ReportRow};
use dupi_text::blot::{Blot, tiles_of};
use dupi_text::token::{Token, Tokeniser};

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
        let copy = OpenCopy::new(snapshot, reader, sources, &known.passages.found[row as usize]);
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
        let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, &text);
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
    fn taboo_text(&self, found: &Found, readers: &mut RowReaders) -> Option<TabooText> {
        let found = found.known.as_ref().and_then(|known| {
            let sources = &known.passages.sources;
            OpenCopy::new(&known.snapshot, &mut readers.known, sources, known.get(self.id)?)
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

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some(match &self.unit {
                Unit::Folder(tree) => (tree.folder(&self.path), true),
                _ => (&self.path, false),
            }),
            tokens: u64::from(self.tokens),
            documents: u64::from(self.documents),
            copies: Some(self.copies),
            language: self.language.as_deref(),
            state: ReviewState::judge(self.taboo, self.accepted, self.copies).or_fix(self.is_to_fix),
            accepted: self.accepted,
            reviewed_copies: self.copies,
            accepted_as: Some(AcceptedId::Passage(self.id.0)),
            is_text: true,
            is_of_documents: matches!(self.unit, Unit::Folder(_)),
            source: CopySource::Passage(self.id),
            ..RowFacts::default()
        }
    }

    fn text_source(&self, found: &Found) -> Option<u32> {
        Some(found.known.as_ref()?.get(self.id)?.representative().source)
    }

    fn whole_text(&self, found: &Found, readers: &mut RowReaders) -> Option<String> {
        self.taboo_text(found, readers).map(|found| found.text)
    }

    fn taboo_texts(&self, found: &Found, readers: &mut RowReaders) -> Vec<Option<TabooText>> {
        match found.known.as_deref().and_then(|known| Some((known, known.tree(self.id)?))) {
            Some((known, tree)) => texts_in(tree, known, &mut readers.known),
            None => vec![self.taboo_text(found, readers)],
        }
    }

    fn taboo_blots(&self, found: &Found) -> Vec<Vec<Blot>> {
        let Some(known) = &found.known else { return Vec::new() };
        let blots = |id: PassageId| {
            let mut blots = Vec::new();
            let tokens = known.passages.texts.get(id).iter();
            let tokens = tokens.map(|&hash| Token { hash, start: 0, end: 0 });
            tiles_of(tokens, &found.snapshot.manifest().recipe, |tile| blots.push(tile.blot));
            blots
        };
        match known.tree(self.id) {
            Some(tree) => tree.rows.iter().map(|&row| blots(known.passages.found[row as usize].id)).collect(),
            None => known.get(self.id).map(|passage| blots(passage.id)).into_iter().collect(),
        }
    }

    fn export(&self, found: &Found, readers: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        let Some(known) = &found.known else { return Ok(Vec::new()) };
        let pins = known.pins();
        let pinned = pins.get(&self.id).map(Arc::as_ref);
        let Some(passage) = pinned.or_else(|| known.get(self.id)) else { return Ok(Vec::new()) };
        let (snapshot, sources) = (&known.snapshot, &known.passages.sources);
        let located = locate(snapshot, sources, &[passage], None);
        let is_passage = located.into_iter().filter(|located| located.copies.len() > 1);
        let texts = || readers.needs_texts.then(|| texts(snapshot, sources, passage));
        let row = |located| report::PassageRow::new(passage, self.kind, located, None, texts());
        Ok(is_passage.map(|located| Box::new(row(located)) as _).collect())
    }
}

/// An open line is followed by its passages.
impl ListRow for ListedAside {
    fn id(&self) -> ItemId {
        ItemId::Aside(self.summary.kind)
    }

    fn text(&self) -> Cow<'_, str> {
        self.summary.kind.name().into()
    }

    fn facts(&self) -> RowFacts<'_> {
        let (tokens, copies) = (self.summary.tokens, Some(self.summary.copies));
        RowFacts { tokens, copies, ..RowFacts::default() }
    }
}
