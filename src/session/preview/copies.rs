//! The verified copies of a row, read document by document; for a row of a document or file, the copies in it.

use std::sync::Arc;

use super::copy_places::CopyPlaces;
use super::heat::Heat;
use super::known_places::{CopyAt, CopyPair};
use crate::known::Found;
use crate::known::KnownReview;
use crate::known::passages::{Pins, Shares};
use crate::protocol::{DocumentView, Item, Preview};
use crate::rows::list_row::Origin;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::page::{DocumentPage, DocumentReader, OpenFile};
use dupi_index::query::unblot::occurrences_in;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_index::taboo::TabooSet;
use dupi_judge::copies::OpenCopy;
use dupi_judge::enclosing::enclosing;
use dupi_judge::passages::PassageId;
use dupi_text::token::Language;

/// The copies of one row, as far as they are read.
pub(crate) struct Copies {
    /// The row.
    pub item: Item,
    /// What was found last when the copies were read, and the shares that they depend on.
    pub of: (Found, Option<Arc<Shares>>),
    /// The passages in which a copy was pinned then.
    pins: Option<Arc<Pins>>,
    /// The generation that they are read from.
    pub snapshot: Snapshot,
    /// Reads its documents.
    pub reader: DocumentReader,
    /// What is shown of them: the copies found so far, and the current one.
    pub shown: Preview,
    /// Their distribution over the corpus.
    pub heat: Heat,
    /// The document that was shown last, with its duplicated runs, and the taboo set of that time.
    pub examined: Option<(Arc<TabooSet>, Arc<DocumentView>)>,
    /// Whether nothing could be read because the corpus could not.
    pub is_out_of_reach: bool,
    places: CopyPlaces,
    /// The numbers of the copies that were found at known places.
    numbers: Vec<usize>,
    read: usize,
    /// The copy that another one was compared with last.
    compared: Option<(CopyAt, Arc<ComparedCopy>)>,
}

/// The copy that another one is compared with.
pub(crate) struct ComparedCopy {
    /// The copy in its document.
    pub standing: OpenCopy,
    /// The document.
    pub document: Arc<DocumentView>,
}

impl Copies {
    /// No copy read yet. Reads one document for the row's text. Documents that are open for another row are used again.
    pub(crate) fn new(
        found: &Found,
        shares: Option<Arc<Shares>>,
        item: Item,
        other: Option<Self>,
    ) -> Result<Self, IndexError> {
        let facts = item.row().facts();
        let snapshot = match facts.origin() {
            Origin::Newest => None,
            Origin::Passages => found.known.as_ref().map(|known| &known.snapshot),
            Origin::Clusters => found.clusters.as_ref().map(|clusters| &clusters.snapshot),
            Origin::Review => found.review.found().map(|review| &review.known.snapshot),
        };
        let snapshot = snapshot.unwrap_or(&found.snapshot).clone();
        let is_same = |other: &Self| other.snapshot.manifest().generation == snapshot.manifest().generation;
        let (mut reader, order, examined) = match other {
            Some(other) if is_same(&other) => (other.reader, other.heat.order, other.examined),
            // Unchanged documents need not be read again.
            Some(other) if other.reader.reads_as(&snapshot) => (other.reader, None, None),
            _ => (DocumentReader::new(&snapshot), None, None),
        };
        let pins = found.known.as_ref().map(|known| known.pins());
        let places = CopyPlaces::new(facts.source, (found, shares.as_ref()), &snapshot, &mut reader)?;
        Ok(Self {
            item,
            of: (found.clone(), shares),
            pins,
            snapshot,
            reader,
            shown: Preview::default(),
            heat: Heat::new(order),
            examined,
            is_out_of_reach: false,
            places,
            numbers: Vec::new(),
            read: 0,
            compared: None,
        })
    }

    /// Whether these are the copies of a row, by what was found last.
    pub(crate) fn is_of(&self, found: &Found, shares: Option<&Arc<Shares>>, item: &Item) -> bool {
        fn is_same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
            a.map(Arc::as_ptr) == b.map(Arc::as_ptr)
        }
        let (before, shares_before) = &self.of;
        // Counts and decisions of other rows may differ where their copies do not.
        let is_same_row = match item {
            Item::Row(_) => self.item == *item,
            _ => self.item.id() == item.id(),
        };
        let has_same_source = || match item.row().facts().origin() {
            Origin::Newest => true,
            Origin::Passages => {
                let pins = found.known.as_ref().map(|known| known.pins());
                is_same(before.known.as_ref(), found.known.as_ref())
                    && is_same(shares_before.as_ref(), shares)
                    && is_same(self.pins.as_ref(), pins.as_ref())
            }
            Origin::Clusters => is_same(before.clusters.as_ref(), found.clusters.as_ref()),
            Origin::Review => is_same(before.review.found(), found.review.found()),
        };
        let is_newest = before.snapshot.manifest().generation == found.snapshot.manifest().generation;
        is_same_row && is_newest && !self.is_out_of_reach && has_same_source()
    }

    /// The review that the row is of, if it is of one.
    pub(crate) fn review(&self) -> Option<&Arc<KnownReview>> {
        self.of.0.review.found().filter(|_| self.item.row().facts().origin() == Origin::Review)
    }

    /// The number of documents that are not read yet.
    pub(crate) fn unread(&self) -> usize {
        let all = match &self.places {
            CopyPlaces::Sought { documents, .. } => documents.len(),
            CopyPlaces::Known(places) => places.groups.len(),
        };
        all - self.read
    }

    /// Reads the next document.
    pub(crate) fn read_next(&mut self) {
        let mut new: Vec<Occurrence> = Vec::new();
        match &self.places {
            CopyPlaces::Sought { documents, text } => {
                let (document, parts) = &documents[self.read];
                if let Ok(pages) = self.reader.pages(&self.snapshot, *document, parts) {
                    new = occurrences_in(&pages, |page| text.copies_in(page));
                }
            }
            CopyPlaces::Known(places) => {
                let group = places.groups[self.read].clone();
                for (number, at, percent) in places.read(group, &self.snapshot, &mut self.reader) {
                    self.numbers.push(number);
                    Arc::make_mut(&mut self.shown.alike).extend(percent);
                    new.push(at);
                }
            }
        }
        // The file was just read.
        let file = new.first().and_then(|copy| self.reader.file(&copy.path).ok());
        let mut lines = file.map_or_else(|| vec![None; new.len()], |file| lines_around(&file, &new));
        Arc::make_mut(&mut self.shown.within).append(&mut lines);
        Arc::make_mut(&mut self.shown.occurrences).append(&mut new);
        self.read += 1;
    }

    /// The found copy with a number, in its document.
    pub(crate) fn standing(&mut self, number: usize) -> Option<OpenCopy> {
        match &self.places {
            CopyPlaces::Sought { documents, .. } => {
                let at = self.shown.occurrences.get(number)?;
                let (document, parts) = documents.iter().find(|(document, _)| {
                    self.snapshot.path(self.snapshot.file_of(*document)) == at.path
                        && self.snapshot.document(*document).record == at.record.unwrap_or(0)
                })?;
                let pages = self.reader.pages(&self.snapshot, *document, parts).ok()?;
                let span = at.text_span;
                let holds = |page: &DocumentPage| page.span.start <= span.start && span.end <= page.span.end;
                OpenCopy::on(pages.into_iter().filter(holds).take(1).collect(), span)
            }
            CopyPlaces::Known(places) => {
                places.standing(*self.numbers.get(number)?, &self.snapshot, &mut self.reader)
            }
        }
    }

    /// A found copy at a known place.
    fn pair(&self, number: usize) -> Option<&CopyPair> {
        match &self.places {
            CopyPlaces::Known(places) => places.pairs.get(*self.numbers.get(number)?),
            CopyPlaces::Sought { .. } => None,
        }
    }

    /// The passage of a found copy in a document or file, and how many tokens the copy has.
    pub(crate) fn stretch(&self, number: usize) -> Option<(PassageId, u32)> {
        self.pair(number)?.stretch
    }

    /// The page that is shown of a document or file without copies.
    pub(crate) fn alone(&mut self) -> Option<DocumentPage> {
        match &self.places {
            CopyPlaces::Known(places) => places.alone(&self.snapshot, &mut self.reader),
            CopyPlaces::Sought { .. } => None,
        }
    }

    /// Which of the found copies of a row of a review the change touches.
    pub(crate) fn changed(&self) -> Vec<bool> {
        let numbers = 0..self.review().map_or(0, |_| self.shown.occurrences.len());
        numbers.map(|number| self.pair(number).is_some_and(|pair| pair.is_changed)).collect()
    }

    /// The similarity of a copy to the one that it is compared with, 0 to 1, as far as it is known.
    pub(crate) fn similarity(&self, number: usize) -> f32 {
        self.pair(number).and_then(|pair| pair.similarity).unwrap_or(1.0)
    }

    /// Where the copy is that a copy is compared with.
    fn other(&self, number: usize) -> Option<CopyAt> {
        match &self.places {
            CopyPlaces::Sought { .. } => Some(CopyAt::First),
            CopyPlaces::Known(_) => self.pair(number)?.other.clone(),
        }
    }

    /// The copy that was compared with last.
    pub(crate) fn compared(&self) -> Option<&ComparedCopy> {
        self.compared.as_ref().map(|(_, compared)| &**compared)
    }

    /// The copy that a copy is compared with, and their similarity, 0 to 1, if it is known.
    pub(crate) fn counterpart(&mut self, number: usize) -> Option<(Arc<ComparedCopy>, Option<f32>)> {
        let at = self.other(number)?;
        let similarity = match self.pair(number) {
            Some(pair) => pair.similarity,
            None => Some(1.0),
        };
        if self.compared.as_ref().is_none_or(|(known, _)| *known != at) {
            let standing = match &self.places {
                CopyPlaces::Known(places) => places.open(&at, &self.snapshot, &mut self.reader),
                CopyPlaces::Sought { .. } => self.standing(0),
            }?;
            let document = Arc::new(view_of(&standing.page));
            self.compared = Some((at, Arc::new(ComparedCopy { standing, document })));
            self.shown.variants = Arc::default();
        }
        let (_, compared) = self.compared.as_ref()?;
        Some((Arc::clone(compared), similarity))
    }
}

/// The document of a page. No part of it is examined yet.
pub(super) fn view_of(page: &DocumentPage) -> DocumentView {
    let language = Language::detect(&page.file.path, &page.file.text).filter(|language| language.is_source());
    DocumentView {
        path: page.file.path.clone(),
        text: Arc::clone(&page.file.text),
        line_starts: Arc::clone(&page.file.line_starts),
        language: language.map(Language::name),
        duplicated: Vec::new(),
        examined: ByteSpan { end: page.span.start, ..page.span },
    }
}

/// The most copies that are examined in one file. Some files have a hundred thousand.
const MOST: usize = 1000;

/// The line that names what each copy in a file begins in, if there is one.
fn lines_around(file: &OpenFile, copies: &[Occurrence]) -> Vec<Option<Arc<str>>> {
    let is_code = file.is_source();
    let line = |copy: &Occurrence| {
        let line = enclosing(&file.text, copy.text_span.start as usize, is_code)?;
        Some(Arc::from(&file.text[line]))
    };
    let looked_at = copies.iter().take(MOST).map(line);
    looked_at.chain(std::iter::repeat_n(None, copies.len().saturating_sub(MOST))).collect()
}
