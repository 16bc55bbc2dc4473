//! Finds the parts of a page that are duplicated somewhere in the corpus: the tokens of its repeated tiles, extended in
//! both directions as far as they agree with the documents that share the most of these tiles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::copies::Copies;
use super::copy_places::{runs, span_of};
use crate::protocol::{DocumentView, Duplicated, SEND_INTERVAL};
use dupi_index::index::IndexError;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot, is_repeated};
use dupi_index::query::ByteSpan;
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::unblot::agreement;
use dupi_index::taboo::TabooSet;
use dupi_text::blot::{Blot, Tile, kept_tiles_of};

/// The number of other documents that a page is compared with.
const PARTNERS: usize = 8;
/// Blots in more places than this say little about which document is similar.
const RARE: usize = 64;

/// The duplicated runs of a page, in order.
pub(super) fn duplicated(
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    taboo: &TabooSet,
    page: &DocumentPage,
) -> Result<Vec<Duplicated>, IndexError> {
    let recipe = &snapshot.manifest().recipe;
    let mut marks =
        TokenMarks { covered: vec![false; page.tokens.len()], taboo: vec![false; page.tokens.len()] };
    let mut tiles = Vec::new();
    kept_tiles_of(&page.tokens, recipe, |tile| tiles.push(tile));
    let mut partners: BTreeMap<DocumentId, (u32, Vec<PartId>)> = BTreeMap::new();
    let span = recipe.tile_tokens() as usize;
    let mut repeated = Vec::new();
    for tile in tiles {
        let places = snapshot.find(tile.blot)?;
        if !is_repeated(&places) {
            continue;
        }
        marks.cover(tile.first as usize, tile.first as usize + span);
        repeated.push(tile);
        for &place in places.iter().filter(|_| places.len() <= RARE) {
            let (count, parts) = partners.entry(snapshot.document_at(place)).or_default();
            *count += 1;
            if !parts.contains(&place.place.part()) {
                parts.push(place.place.part());
            }
        }
    }
    let mut best: Vec<(DocumentId, (u32, Vec<PartId>))> = partners.into_iter().collect();
    best.sort_by_key(|(document, (count, _))| (Reverse(*count), *document));
    // The document itself is among them; it is compared with the other copies within it.
    for (document, (_, parts)) in best.into_iter().take(PARTNERS + 1) {
        let Ok(others) = reader.pages(snapshot, document, &parts) else { continue };
        for other in &others {
            marks.compare(page, &repeated, other, recipe.tile_tokens());
        }
    }
    for tile in page.tiles.iter().filter(|tile| taboo.contains(tile.blot)) {
        marks.taboo[tile.first as usize..][..span].fill(true);
    }
    Ok(marks.runs(page))
}

/// Which tokens of a page are duplicated, and which lie in taboo text.
struct TokenMarks {
    covered: Vec<bool>,
    taboo: Vec<bool>,
}

impl TokenMarks {
    fn cover(&mut self, from: usize, to: usize) {
        let to = to.min(self.covered.len());
        self.covered[from..to].fill(true);
    }

    /// Marks the tokens that agree with another page around the tiles of both.
    fn compare(&mut self, page: &DocumentPage, tiles: &[Tile], other: &DocumentPage, span: u32) {
        let mut standing: HashMap<Blot, Vec<&Tile>> = HashMap::new();
        for tile in &other.tiles {
            standing.entry(tile.blot).or_default().push(tile);
        }
        // For each offset between the pages, the end of the last run: a tile before it belongs to the same run.
        let mut reached: HashMap<i64, usize> = HashMap::new();
        for tile in tiles {
            let first = tile.first as usize;
            for theirs in standing.get(&tile.blot).into_iter().flatten().take(PARTNERS) {
                let is_itself = other.file.path == page.file.path && theirs.start == tile.start;
                let apart = i64::from(theirs.first) - i64::from(tile.first);
                if is_itself || reached.get(&apart).is_some_and(|&end| first + span as usize <= end) {
                    continue;
                }
                if let Some((left, right)) = agreement(&page.tokens, first, span, other, theirs) {
                    self.cover(first - left, first + right);
                    reached.insert(apart, first + right);
                }
            }
        }
    }

    fn runs(&self, page: &DocumentPage) -> Vec<Duplicated> {
        let state = |number: usize| self.covered[number].then_some(self.taboo[number]);
        let run = |(run, taboo): (Range<usize>, Option<bool>)| {
            Some(Duplicated { span: span_of(&page.tokens[run]), taboo: taboo? })
        };
        runs(page.tokens.len(), state).filter_map(run).collect()
    }
}

/// Whether a span lies within another one.
pub(super) fn holds(outer: ByteSpan, inner: ByteSpan) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The time limit, as these parts may never be looked at.
const PATIENCE: Duration = Duration::from_secs(2);

impl Copies {
    /// Examines the other parts of a page's file until all are examined, `send` returns false, or the time limit is
    /// reached.
    pub(crate) fn examine(
        &mut self,
        taboo: &TabooSet,
        page: &DocumentPage,
        view: &mut DocumentView,
        mut send: impl FnMut(&mut Self, &DocumentView) -> bool,
    ) -> Result<(), IndexError> {
        let Some((segment, around)) = page.part.map(|(document, part)| {
            let file = self.snapshot.file_of(document);
            (file.segment, parts_around(part, parts_of(&self.snapshot, file)))
        }) else {
            return Ok(());
        };
        let started = Instant::now();
        let mut sent = Instant::now();
        let mut is_sent = true;
        for part in around.into_iter().take_while(|_| started.elapsed() < PATIENCE) {
            let table = self.snapshot.segments()[segment as usize].segment().table();
            let document = DocumentId { segment, document: table.document_of(part) };
            let Ok(pages) = self.reader.pages(&self.snapshot, document, &[part]) else { continue };
            for other in pages {
                if !Arc::ptr_eq(&other.file, &page.file) {
                    // The file has changed, and will be shown again.
                    return Ok(());
                }
                if holds(view.examined, other.span) {
                    continue;
                }
                let found = duplicated(&self.snapshot, &mut self.reader, taboo, &other)?;
                join(view, found, other.span);
            }
            is_sent = sent.elapsed() >= SEND_INTERVAL;
            if is_sent {
                sent = Instant::now();
                if !send(self, view) {
                    return Ok(());
                }
            }
        }
        if !is_sent {
            send(self, view);
        }
        Ok(())
    }
}

/// The numbers of the parts of all documents of a file, which are consecutive.
fn parts_of(snapshot: &Snapshot, file: FileId) -> Range<u32> {
    let table = snapshot.segments()[file.segment as usize].segment().table();
    let documents = table.documents_of(file.file);
    if documents.is_empty() {
        return 0..0;
    }
    table.parts_of(documents.start).start..table.parts_of(documents.end - 1).end
}

/// The other ones of some parts, the nearest to one first; of two that are as near, the one behind it.
fn parts_around(PartId(part): PartId, all: Range<u32>) -> Vec<PartId> {
    let mut others: Vec<u32> = all.filter(|&other| other != part).collect();
    others.sort_by_key(|&other| (other.abs_diff(part), other < part));
    others.into_iter().map(PartId).collect()
}

/// Adds the runs of a span that is adjacent to the examined part. Where the two meet, both may have the same tokens.
fn join(view: &mut DocumentView, found: Vec<Duplicated>, span: ByteSpan) {
    let examined = view.examined;
    if examined.start <= span.start {
        append(&mut view.duplicated, found);
    } else {
        let behind = std::mem::replace(&mut view.duplicated, found);
        append(&mut view.duplicated, behind);
    }
    view.examined = ByteSpan { start: examined.start.min(span.start), end: examined.end.max(span.end) };
}

/// Adds later runs to earlier ones. Runs that overlap are joined if both are taboo or both are not; else the later one is
/// shortened.
fn append(runs: &mut Vec<Duplicated>, later: Vec<Duplicated>) {
    let mut later = later.into_iter().peekable();
    while let (Some(last), Some(next)) = (runs.last_mut(), later.peek_mut()) {
        if last.span.end <= next.span.start {
            break;
        }
        if last.taboo == next.taboo {
            last.span.end = last.span.end.max(next.span.end);
            later.next();
        } else if next.span.end <= last.span.end {
            later.next();
        } else {
            next.span.start = last.span.end;
        }
    }
    runs.extend(later);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(start: u64, end: u64, taboo: bool) -> Duplicated {
        Duplicated { span: ByteSpan { start, end }, taboo }
    }

    #[test]
    fn parts_come_nearest_first_and_all_of_them() {
        let around =
            |part, all| parts_around(PartId(part), all).into_iter().map(|part| part.0).collect::<Vec<_>>();
        assert_eq!(around(4, 2..9), [5, 3, 6, 2, 7, 8]);
        assert!(around(2, 2..3).is_empty());
        assert_eq!(around(9, 7..10), [8, 7]);
    }

    #[test]
    fn runs_of_two_parts_that_overlap_at_the_seam_do_not_overlap_joined() {
        let mut view = DocumentView { duplicated: vec![run(10, 30, false)], ..DocumentView::default() };
        view.examined = ByteSpan { start: 5, end: 32 };
        join(&mut view, vec![run(28, 40, false), run(41, 42, true)], ByteSpan { start: 25, end: 50 });
        assert_eq!(view.duplicated, [run(10, 40, false), run(41, 42, true)]);
        join(&mut view, vec![run(0, 12, true)], ByteSpan { start: 0, end: 12 });
        assert_eq!(view.duplicated, [run(0, 12, true), run(12, 40, false), run(41, 42, true)]);
        assert_eq!(view.examined, ByteSpan { start: 0, end: 50 });
    }
}
