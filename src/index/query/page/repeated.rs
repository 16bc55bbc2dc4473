//! Finds the repeated text around given places of a document. Blots are looked up in the index only near the places, so
//! it costs little more than shattering the document again.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::DocumentReader;
use crate::index::IndexError;
use crate::index::snapshot::{FileId, Snapshot, is_repeated};
use dupi_base::corpus::{self, Records};
use dupi_text::blot::{Blot, kept_tiles_of};
use dupi_text::token::{LexState, Token, Tokeniser};

/// A run of text that occurs elsewhere too.
#[derive(Debug)]
pub struct RepeatedRun {
    /// Its range in the file's text. It may be too wide, but no row of one of the blots extends beyond it.
    pub span: Range<usize>,
    /// The repeated blots in it.
    pub blots: Vec<Blot>,
}

/// A kept tile, and how far a row with its blot can extend when no other tile follows.
struct KeptTile {
    blot: Blot,
    span: Range<usize>,
}

impl DocumentReader {
    /// The text of a file; `None` when the file changed since it was indexed.
    pub fn indexed_text(&mut self, snapshot: &Snapshot, file: FileId) -> Option<String> {
        let path = snapshot.path(file);
        let read = corpus::read(&self.corpus.absolute(path), self.max_filesize, &mut self.buffer);
        read.inspect_err(|reason| snapshot.unread().note(path, reason)).ok()?;
        let is_it = xxh3_64(&self.buffer) == snapshot.file(file).hash;
        is_it.then(|| Some(corpus::decode(&self.buffer).ok()?.text.into_owned())).flatten()
    }

    /// The repeated runs of a file that touch one of the `places` in its text. The places must be sorted and disjoint.
    /// A run that all copies share has a kept tile when it has at least as many tokens as the recipe guarantees.
    pub fn repeated_runs(
        &self,
        snapshot: &Snapshot,
        file: FileId,
        text: &str,
        places: &[Range<usize>],
    ) -> Result<Vec<RepeatedRun>, IndexError> {
        let (path, recipe) = (snapshot.path(file), &self.recipe);
        let records = Records::split(path, text, &self.formats);
        let table = snapshot.segment(file.segment).table();
        let (span, beyond) = (recipe.tile_tokens() as usize, recipe.guarantee() as usize);
        let mut runs = Vec::new();
        for document in table.documents_of(file.file) {
            let Some(record) = records.get(text, table.document(document).record) else { continue };
            let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, &record.text);
            let tokens = tokeniser.tokens(&recipe.ignored.blanked(&record.text), LexState::default());
            let mut offsets = record.text_offsets();
            let mut in_file =
                |token: &Token| offsets.get(token.start as usize)..offsets.get(token.end as usize);
            let spans: Vec<Range<usize>> = tokens.iter().map(&mut in_file).collect();
            let mut kept = Vec::new();
            kept_tiles_of(&tokens, recipe, |tile| {
                let first = tile.first as usize;
                let last = (first + span + beyond).min(spans.len()) - 1;
                let span = spans[first.saturating_sub(beyond)].start..spans[last].end;
                kept.push(KeptTile { blot: tile.blot, span });
            });
            collect_runs(&kept, places, |blot| Ok(is_repeated(&snapshot.find(blot)?)), &mut runs)?;
        }
        Ok(runs)
    }
}

/// Whether a span overlaps one of the places, which must be sorted and disjoint.
pub fn touches(places: &[Range<usize>], span: &Range<usize>) -> bool {
    let next = places.partition_point(|place| place.end <= span.start);
    places.get(next).is_some_and(|place| place.start < span.end)
}

/// Adds the runs of repeated tiles that touch one of the places.
fn collect_runs(
    kept: &[KeptTile],
    places: &[Range<usize>],
    is_repeated: impl Fn(Blot) -> Result<bool, IndexError>,
    runs: &mut Vec<RepeatedRun>,
) -> Result<(), IndexError> {
    let mut done = 0;
    let mut at = 0;
    while at < kept.len() {
        let seed = &kept[at];
        if !touches(places, &seed.span) || !is_repeated(seed.blot)? {
            at += 1;
            continue;
        }
        let mut run = RepeatedRun { span: seed.span.clone(), blots: vec![seed.blot] };
        for before in kept[done..at].iter().rev() {
            if before.span.end < run.span.start {
                break;
            }
            if is_repeated(before.blot)? {
                run.span.start = before.span.start;
                run.blots.push(before.blot);
            }
        }
        at += 1;
        while let Some(next) = kept.get(at).filter(|next| next.span.start <= run.span.end) {
            if is_repeated(next.blot)? {
                run.span.end = next.span.end;
                run.blots.push(next.blot);
            }
            at += 1;
        }
        done = at;
        runs.push(run);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn runs_are_followed_to_both_sides_and_nothing_else_is_looked_up() {
        // Ten tiles, each reaching to those beside it; the fourth and the last are not repeated.
        let kept =
            |at: usize| KeptTile { blot: Blot::from_hash((at as u64) << 32), span: at * 10..at * 10 + 25 };
        let kept: Vec<KeptTile> = (0..10).map(kept).chain([kept(40), kept(41)]).collect();
        let numbers = |run: &RepeatedRun| {
            let number = |blot: &Blot| kept.iter().position(|kept| kept.blot == *blot).unwrap();
            let mut numbers: Vec<usize> = run.blots.iter().map(number).collect();
            numbers.sort_unstable();
            (run.span.clone(), numbers)
        };
        let found = |places: &[Range<usize>]| {
            let looked_up = RefCell::new(0);
            let is_repeated = |blot| {
                *looked_up.borrow_mut() += 1;
                Ok(blot != kept[3].blot && blot != kept[9].blot)
            };
            let mut runs = Vec::new();
            collect_runs(&kept, places, is_repeated, &mut runs).unwrap();
            (runs.iter().map(numbers).collect::<Vec<_>>(), looked_up.into_inner())
        };
        let whole = (0..105, vec![0, 1, 2, 4, 5, 6, 7, 8]);
        for place in [2..3, 60..61, 104..106] {
            assert_eq!(found(std::slice::from_ref(&place)), (vec![whole.clone()], 10), "{place:?}");
        }
        let far = (400..435, vec![10, 11]);
        assert_eq!(found(&[50..52, 401..402]), (vec![whole, far], 13), "the fourth twice");
        let nowhere = 300..301;
        assert_eq!(found(std::slice::from_ref(&nowhere)), (vec![], 0));
    }
}
