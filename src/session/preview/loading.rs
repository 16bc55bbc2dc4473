//! Answers [`Request::Preview`](crate::Request::Preview): the verified copies of a row, document by document;
//! the document of the current copy with its duplicated runs; and the copy that the current one is compared with.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::copies::{Copies, view_of};
use super::duplicated::{duplicated, holds};
use super::heat::PathOrder;
use super::words::differing_words;
use crate::protocol::{CounterpartView, DocumentView, Item, Preview, SEND_INTERVAL};
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::page::{DocumentPage, line_starts};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_index::taboo::TabooSet;
use dupi_judge::copies::OpenCopy;
use dupi_passage::align::{TABLE, matched_within};

impl Copies {
    /// Reads more documents until all are read, or `send`, which gets the preview so far, returns false. `current` is
    /// the number of the occurrence whose document is shown.
    pub(crate) fn load(
        &mut self,
        taboo: &Arc<TabooSet>,
        current: usize,
        mut send: impl FnMut(Preview) -> bool,
    ) -> Result<(), IndexError> {
        self.forget_current(1.0);
        let mut page = None;
        let (mut sent, mut tried) = (Instant::now(), None);
        loop {
            let is_last = self.unread() == 0;
            let number = current.min(self.shown.occurrences.len().saturating_sub(1));
            let is_known =
                current < self.shown.occurrences.len() || (is_last && !self.shown.occurrences.is_empty());
            let is_alone = is_last && self.shown.occurrences.is_empty();
            if (is_known || is_alone) && tried != Some(number) {
                tried = Some(number);
                self.forget_current(self.similarity(number));
                let standing = self.standing(number);
                let alone = if standing.is_none() { self.alone() } else { None };
                let own = standing.as_ref().map(|standing| &standing.page).or(alone.as_ref());
                if let Some(own) = own {
                    // The text is shown at once. Its duplicated runs and differences take longer, as they need other
                    // documents.
                    let mut view = self.view_of(taboo, own);
                    if let Some(standing) = standing.as_ref().filter(|_| self.compared().is_some()) {
                        self.compare(number, standing);
                    }
                    self.shown.document = Some(Arc::new(view.clone()));
                    if !send(self.preview(current)) {
                        return Ok(());
                    }
                    if let Some(standing) = standing.as_ref().filter(|_| !self.shown.is_compared) {
                        self.compare(number, standing);
                    }
                    self.hold(own);
                    if !holds(view.examined, own.span) {
                        view.duplicated = duplicated(&self.snapshot, &mut self.reader, taboo, own)?;
                        view.examined = own.span;
                    }
                    self.shown.document = Some(self.keep(taboo, view));
                    self.heat.order.get_or_insert_with(|| Arc::new(PathOrder::from_snapshot(&self.snapshot)));
                }
                page = standing.map(|standing| standing.page).or(alone);
                sent = Instant::now();
                if !send(self.preview(current)) {
                    return Ok(());
                }
            }
            if is_last {
                if let Some(text) = self.stand_in_text()
                    && self.shown.occurrences.is_empty()
                {
                    // It is in no document.
                    let (text, line_starts) = (Arc::new(text.to_owned()), line_starts(text).into());
                    let view = DocumentView { text, line_starts, ..DocumentView::default() };
                    self.shown.document = Some(Arc::new(view));
                }
                break;
            }
            if sent.elapsed() >= SEND_INTERVAL {
                sent = Instant::now();
                if !send(self.preview(current)) {
                    return Ok(());
                }
            }
            self.read_next();
        }
        if !send(self.preview(current)) {
            return Ok(());
        }
        if let (Some(page), Some(document)) = (page, self.shown.document.as_deref()) {
            let mut view = document.clone();
            self.examine(taboo, &page, &mut view, |copies, view| {
                copies.shown.document = Some(copies.keep(taboo, view.clone()));
                send(copies.preview(current))
            })?;
        }
        self.tell_variants(current, send);
        Ok(())
    }

    /// The text that is shown where no copy was found.
    fn stand_in_text(&self) -> Option<&str> {
        if let Item::Taboo(row) = &self.item { Some(&row.entry.text) } else { None }
    }

    /// The document of a page, with the duplicated runs that were found when it was shown last.
    fn view_of(&self, taboo: &Arc<TabooSet>, page: &DocumentPage) -> DocumentView {
        let known = self
            .examined
            .as_ref()
            .filter(|(then, known)| Arc::ptr_eq(then, taboo) && Arc::ptr_eq(&known.text, &page.file.text));
        known.map_or_else(|| view_of(page), |(_, known)| DocumentView::clone(known))
    }

    fn keep(&mut self, taboo: &Arc<TabooSet>, view: DocumentView) -> Arc<DocumentView> {
        let view = Arc::new(view);
        self.examined = Some((Arc::clone(taboo), Arc::clone(&view)));
        view
    }

    /// Keeps the files of the current copy and of the one that it is compared with open while others are read.
    fn hold(&mut self, current: &DocumentPage) {
        let mut files = vec![Arc::clone(&current.file)];
        files.extend(self.compared().map(|compared| Arc::clone(&compared.standing.page.file)));
        self.reader.hold(files);
    }

    /// Forgets what is shown of the current copy; the next one has this similarity.
    fn forget_current(&mut self, similarity: f32) {
        let Preview { occurrences, alike, within, variants, .. } = std::mem::take(&mut self.shown);
        self.shown = Preview { occurrences, alike, within, variants, similarity, ..Preview::default() };
    }

    pub(super) fn preview(&mut self, current: usize) -> Preview {
        let unread = self.unread() as u32;
        let (document, found) = (self.shown.document.clone(), Arc::clone(&self.shown.occurrences));
        let is_stand_in = self.stand_in_text().is_some();
        let is_missing =
            unread == 0 && self.shown.occurrences.is_empty() && (document.is_none() || is_stand_in);
        let problem = if is_missing { self.problem() } else { None };
        // Compared as bytes, which is faster than as paths; there may be many.
        let path = document.as_ref().map(|document| document.path.as_os_str());
        let in_document = |copy: &&Occurrence| path == Some(copy.path.as_os_str());
        let lines = |copy: &Occurrence| match &document {
            Some(document) => document.in_lines(copy.text_span).0,
            None => copy.text_span,
        };
        let number = current.min(self.shown.occurrences.len().saturating_sub(1));
        let added = self.review().zip(document.as_ref());
        let added = added.map(|(review, document)| review.added_lines(&document.path)).unwrap_or_default();
        Preview {
            added: Arc::new(added),
            changed: Arc::new(self.changed()),
            copies: disjoint(found.iter().filter(in_document).map(lines).collect()),
            row: Some(self.item.clone()),
            heat: self.heat.count(&found),
            unread,
            current: number,
            stretch: self.stretch(number),
            problem,
            ..self.shown.clone()
        }
    }

    /// The reason why nothing is shown: a sentence.
    fn problem(&mut self) -> Option<String> {
        // This stays set: what could not be read has to be read again, even if the folder is back by now.
        self.is_out_of_reach |= !is_in_reach(&self.snapshot);
        let of_folder = self.is_out_of_reach.then_some(OUT_OF_REACH);
        of_folder.or_else(|| self.item.row().facts().why_empty()).map(str::to_owned)
    }

    /// Compares the current copy with the one beside it.
    fn compare(&mut self, number: usize, standing: &OpenCopy) {
        self.shown.is_compared = true;
        let Some((compared, similarity)) = self.counterpart(number) else {
            self.shown.similarity = 1.0;
            return;
        };
        let other = &compared.standing;
        let (ours, theirs) = (standing.hashes(), other.hashes());
        let matches = matched_within(&ours, &theirs, TABLE);
        let [differs, differs_beside] = differing_words(standing, other, &matches);
        let start = |&(one, another): &(u32, u32)| {
            (standing.tokens[one as usize].start, other.tokens[another as usize].start)
        };
        let beside = CounterpartView {
            at: other.occurrence(),
            document: Arc::clone(&compared.document),
            differs: differs_beside,
            pairs: matches.iter().map(start).collect(),
        };
        let longer = ours.len().max(theirs.len()).max(1);
        self.shown.similarity = similarity.unwrap_or(matches.len() as f32 / longer as f32);
        self.shown.differs = differs;
        self.shown.beside = Some(Arc::new(beside));
    }
}

/// The message while the corpus cannot be read.
const OUT_OF_REACH: &str = "The folder cannot be read now; its files are shown again as soon as it can.";

/// Whether the folders of the corpus can be read now. A folder may have been moved, or its disk may not be mounted,
/// which leaves an empty folder.
pub(crate) fn is_in_reach(snapshot: &Snapshot) -> bool {
    let is_there = |root: &PathBuf| match fs::read_dir(root) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => fs::metadata(root).is_ok_and(|found| !found.is_dir()),
    };
    snapshot.manifest().corpus.roots.iter().all(is_there)
}

/// Sorts spans, and joins those that overlap.
fn disjoint(mut spans: Vec<ByteSpan>) -> Vec<ByteSpan> {
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let overlaps = next.start < last.end;
        if overlaps {
            last.end = last.end.max(next.end);
        }
        overlaps
    });
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_overlap_are_one_span() {
        let span = |start, end| ByteSpan { start, end };
        let spans = disjoint(vec![span(7, 9), span(0, 4), span(2, 3), span(3, 5), span(5, 6)]);
        assert_eq!(spans, [span(0, 5), span(5, 6), span(7, 9)]);
    }
}
