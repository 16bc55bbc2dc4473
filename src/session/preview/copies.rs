//! The verified copies of a row, read document by document; for a row of a document or file, the copies in it.

use std::ops::Range;
use std::sync::Arc;

use super::copy_places::{CopyPlaces, SoughtText};
use super::heat::{Heat, PathOrder};
use crate::known::Found;
use crate::known::passages::{KnownPassages, Shares};
use crate::known::review::KnownReview;
use crate::protocol::{DocumentView, Item};
use crate::rows::list_row::Origin;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::page::{DocumentPage, DocumentReader, OpenFile};
use dupi_index::query::unblot::occurrences_in;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_index::taboo::TabooSet;
use dupi_judge::copy::OpenCopy;
use dupi_judge::enclosing::enclosing;
use dupi_judge::passages::{Passage, PassageId};
use dupi_text::token::Language;

/// The copies of one row, as far as they are read.
pub(crate) struct Copies {
    /// The row.
    pub item: Item,
    /// The generation that they are read from.
    pub snapshot: Snapshot,
    /// Reads its documents.
    pub reader: DocumentReader,
    /// The copies found so far, in the order of paths.
    pub found: Arc<Vec<Occurrence>>,
    /// The similarity of each of them to the representative, in percent; empty where all are equal.
    pub alike: Arc<Vec<u8>>,
    /// The line that names what each of them begins in, if one was found.
    pub within: Arc<Vec<Option<Arc<str>>>>,
    /// Their distribution over the corpus.
    pub heat: Heat,
    /// The document that was shown last, with its duplicated runs, and the taboo set of that time.
    pub examined: Option<(Arc<TabooSet>, Arc<DocumentView>)>,
    /// Whether nothing could be read because the corpus could not.
    pub is_out_of_reach: bool,
    places: CopyPlaces,
    /// The review that the row is of, if it is of one.
    pub review: Option<Arc<KnownReview>>,
    read: usize,
    /// The newest generation when reading began.
    begun_at: u64,
    /// The copy that the others are compared with, once it was searched.
    representative: Option<Option<Arc<ComparedCopy>>>,
}

/// The copy that the others are compared with.
pub(crate) struct ComparedCopy {
    /// The copy in its document.
    pub standing: OpenCopy,
    /// The document.
    pub document: Arc<DocumentView>,
}

impl ComparedCopy {
    fn new(standing: OpenCopy) -> Self {
        let document = Arc::new(view_of(&standing.page));
        Self { standing, document }
    }
}

impl Copies {
    /// No copy read yet. Reads one document for the row's text. Documents that are open for another row are used again.
    pub(crate) fn new(
        found: &Found,
        shares: Option<Arc<Shares>>,
        item: Item,
        other: Option<Self>,
    ) -> Result<Self, IndexError> {
        let origin = item.row().facts().origin;
        let review = found.review.found().filter(|_| origin == Origin::Review).cloned();
        let snapshot = match origin {
            Origin::Newest => None,
            Origin::Passages => found.known.as_ref().map(|known| &known.snapshot),
            Origin::Clusters => found.clusters.as_ref().map(|clusters| &clusters.snapshot),
            Origin::Review => review.as_ref().map(|review| &review.known.snapshot),
        };
        let snapshot = snapshot.unwrap_or(&found.snapshot).clone();
        let is_same = |other: &Self| other.snapshot.manifest().generation == snapshot.manifest().generation;
        let (mut reader, order, examined) = match other {
            Some(other) if is_same(&other) => (other.reader, other.heat.order, other.examined),
            // Unchanged documents need not be read again.
            Some(other) if other.reader.reads_as(&snapshot) => (other.reader, None, None),
            _ => (DocumentReader::new(&snapshot), None, None),
        };
        let source = item.row().facts().source;
        let places = CopyPlaces::new(source, (found, shares), &snapshot, &mut reader)?;
        Ok(Self {
            item,
            snapshot,
            reader,
            found: Arc::default(),
            alike: Arc::default(),
            within: Arc::default(),
            heat: Heat::new(order),
            examined,
            is_out_of_reach: false,
            places,
            review,
            read: 0,
            begun_at: found.snapshot.manifest().generation,
            representative: None,
        })
    }

    /// Whether these are the copies of a row, by what was found last.
    pub(crate) fn is_of(&self, found: &Found, shares: Option<&Arc<Shares>>, item: &Item) -> bool {
        let known = found.known.as_ref();
        // Counts and decisions of the row may differ where its copies do not.
        let has_same_copies = match &self.places {
            CopyPlaces::Blots { text: SoughtText::Taboo(_), .. } => self.item.id() == item.id(),
            CopyPlaces::Blots { .. } | CopyPlaces::Within(_) => self.item == *item,
            _ => self.item.id() == item.id(),
        };
        let has_same_source = || match &self.places {
            // A passage that was not known may be known now.
            CopyPlaces::Nowhere => false,
            CopyPlaces::Blots { .. } => true,
            CopyPlaces::Within(within) => {
                known.zip(shares).is_some_and(|(known, shares)| within.is_of(known, shares))
            }
            CopyPlaces::Paired(paired) => paired.is_of(found),
            CopyPlaces::Passage { known: own, id, pinned, .. } => {
                let review = found.review.found().filter(|_| self.review.is_some());
                let newest = review.map(|review| &review.known).or(known);
                newest.is_some_and(|newest| Arc::ptr_eq(own, newest))
                    && own.pins().get(id).map(Arc::as_ptr) == pinned.as_ref().map(Arc::as_ptr)
            }
        };
        let is_newest = self.begun_at == found.snapshot.manifest().generation;
        has_same_copies && has_same_source() && !self.is_out_of_reach && is_newest
    }

    /// The number of documents that are not read yet.
    pub(crate) fn unread(&self) -> usize {
        let all = match &self.places {
            CopyPlaces::Blots { documents, .. } => documents.len(),
            CopyPlaces::Passage { groups, .. } => groups.len(),
            CopyPlaces::Paired(paired) => paired.len(),
            CopyPlaces::Within(_) => 1,
            CopyPlaces::Nowhere => 0,
        };
        all - self.read
    }

    /// Reads the next document.
    pub(crate) fn read_next(&mut self) {
        let mut new: Vec<Occurrence> = Vec::new();
        match &mut self.places {
            CopyPlaces::Blots { documents, text } => {
                let (document, parts) = &documents[self.read];
                if let Ok(pages) = self.reader.pages(&self.snapshot, *document, parts) {
                    new = occurrences_in(&pages, |page| text.copies_in(page));
                }
            }
            CopyPlaces::Passage { known, id, pinned, groups, numbers } => {
                let group = groups[self.read].clone();
                if let Some(passage) = pinned.as_deref().or_else(|| known.get(*id)) {
                    new = in_document(known, &mut self.reader, passage, group.clone());
                    let percent = passage.copies[group.clone()].iter().map(|spot| percent(spot.similarity));
                    Arc::make_mut(&mut self.alike).extend(percent.take(new.len()));
                }
                // All copies of a document are found or, if it has changed, none.
                numbers.extend(group.take(new.len()));
            }
            CopyPlaces::Within(within) => new = within.occurrences(&mut self.reader),
            CopyPlaces::Paired(paired) => {
                if let Some((occurrence, percent)) = paired.read(self.read, &mut self.reader) {
                    new.push(occurrence);
                    Arc::make_mut(&mut self.alike).extend(percent);
                }
            }
            CopyPlaces::Nowhere => {}
        }
        // The file was just read.
        let file = new.first().and_then(|copy| self.reader.file(&copy.path).ok());
        let mut lines = file.map_or_else(|| vec![None; new.len()], |file| lines_around(&file, &new));
        Arc::make_mut(&mut self.within).append(&mut lines);
        Arc::make_mut(&mut self.found).append(&mut new);
        self.read += 1;
    }

    /// The found copy with a number, in its document.
    pub(crate) fn standing(&mut self, number: usize) -> Option<OpenCopy> {
        match &self.places {
            CopyPlaces::Blots { documents, .. } => {
                let at = self.found.get(number)?;
                let (document, parts) = documents.iter().find(|(document, _)| {
                    self.snapshot.path(self.snapshot.file_of(*document)) == at.path
                        && self.snapshot.document(*document).record == at.record.unwrap_or(0)
                })?;
                let pages = self.reader.pages(&self.snapshot, *document, parts).ok()?;
                let span = at.text_span;
                let holds = |page: &DocumentPage| page.span.start <= span.start && span.end <= page.span.end;
                OpenCopy::on(pages.into_iter().filter(holds).take(1).collect(), span)
            }
            CopyPlaces::Passage { known, id, numbers, .. } => {
                let spot = known.get(*id)?.copies.get(*numbers.get(number)?)?;
                OpenCopy::read(&self.snapshot, &mut self.reader, &known.passages.sources, spot)
            }
            CopyPlaces::Within(within) => within.standing(number, &mut self.reader),
            CopyPlaces::Paired(paired) => paired.standing(number, &mut self.reader),
            CopyPlaces::Nowhere => None,
        }
    }

    /// The passage of a found copy in a document or file, and how many tokens the copy has.
    pub(crate) fn stretch(&self, number: usize) -> Option<(PassageId, u32)> {
        match &self.places {
            CopyPlaces::Within(within) if number < self.found.len() => within.stretch(number),
            _ => None,
        }
    }

    /// The page that is shown of a document or file without copies.
    pub(crate) fn alone(&mut self) -> Option<DocumentPage> {
        match &self.places {
            CopyPlaces::Within(within) => within.alone(&mut self.reader),
            _ => None,
        }
    }

    /// The copy that a copy is compared with, and their similarity, 0 to 1, if it is known.
    pub(crate) fn counterpart(&mut self, number: usize) -> Option<(Arc<ComparedCopy>, Option<f32>)> {
        let (standing, similarity) = match &mut self.places {
            CopyPlaces::Within(within) => within.counterpart(number)?,
            CopyPlaces::Paired(paired) => paired.counterpart(number)?,
            _ => {
                let similarity = self.similarity(number);
                return Some((self.representative()?, Some(similarity)));
            }
        };
        Some((Arc::new(ComparedCopy::new(standing)), similarity))
    }

    /// Which of the found copies of a row of a review the change touches.
    pub(crate) fn changed(&self) -> Vec<bool> {
        match (&self.places, &self.review) {
            (CopyPlaces::Paired(paired), _) => paired.are_changed(),
            (CopyPlaces::Passage { id, numbers, .. }, Some(review)) => {
                let touched = review.passage(*id).map(|of| of.touched.as_slice()).unwrap_or_default();
                numbers.iter().map(|number| touched.get(*number) == Some(&true)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The similarity of a copy to the representative, 0 to 1.
    pub(crate) fn similarity(&self, number: usize) -> f32 {
        let CopyPlaces::Passage { numbers, .. } = &self.places else { return 1.0 };
        let spot = self.places.passage().and_then(|passage| passage.copies.get(*numbers.get(number)?));
        spot.map_or(1.0, |spot| spot.similarity)
    }

    /// Whether the copy that the others are compared with was searched already.
    pub(crate) fn has_representative(&self) -> bool {
        self.representative.is_some()
    }

    /// Determines the order of the corpus's files, unless it is known.
    pub(crate) fn order_files(&mut self) {
        self.heat.order.get_or_insert_with(|| Arc::new(PathOrder::of(&self.snapshot)));
    }

    /// The copy that the others are compared with: the representative of a passage, else the first copy.
    pub(crate) fn representative(&mut self) -> Option<Arc<ComparedCopy>> {
        if self.representative.is_none() {
            let found = match &self.places {
                CopyPlaces::Blots { .. } => self.standing(0),
                CopyPlaces::Within(_) | CopyPlaces::Paired(_) | CopyPlaces::Nowhere => None,
                CopyPlaces::Passage { known, .. } => self.places.passage().and_then(|passage| {
                    OpenCopy::of(&self.snapshot, &mut self.reader, &known.passages.sources, passage)
                }),
            };
            self.representative = Some(found.map(|standing| Arc::new(ComparedCopy::new(standing))));
        }
        self.representative.clone().flatten()
    }
}

/// In whole percent, rounded down, so that copies which differ are never 100 % alike.
fn percent(similarity: f32) -> u8 {
    (similarity * 100.0) as u8
}

/// Some copies in one document; none if its file has changed since they were found.
fn in_document(
    known: &KnownPassages,
    reader: &mut DocumentReader,
    passage: &Passage,
    group: Range<usize>,
) -> Vec<Occurrence> {
    let copies = &passage.copies[group];
    let source = known.passages.sources[copies[0].source as usize];
    let Some((file, record)) = source.open(&known.snapshot, reader) else { return Vec::new() };
    copies.iter().map(|spot| file.occurrence(record, spot.start as usize, spot.end as usize)).collect()
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
