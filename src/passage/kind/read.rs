//! The kinds of many passages, read from their files. Each file is read once, whatever the number of passages in it.

use rayon::prelude::*;

use super::judge::classify;
use super::names::Kind;
use super::sample::Sample;
use crate::index::snapshot::Snapshot;
use crate::passage::passages::{Passage, PassageCopy, SourceDocument};
use crate::query::page::DocumentReader;
use crate::token::Language;

/// Of a passage so many copies are tried when the files of the first ones have changed.
const TRIED: usize = 8;

/// The kind of each passage, by its representative; when the file of that has changed, by another copy; `None` when those
/// have changed too. Takes some bytes a passage, and a file's text for each thread.
pub fn kinds_of(snapshot: &Snapshot, sources: &[SourceDocument], passages: &[&Passage]) -> Vec<Option<Kind>> {
    let mut sought: Vec<(PassageCopy, usize)> =
        passages.iter().enumerate().map(|(number, passage)| (*passage.representative(), number)).collect();
    sought.par_sort_unstable_by_key(|(spot, number)| (spot.source, *number));
    let groups: Vec<&[(PassageCopy, usize)]> = sought.chunk_by(|a, b| a.0.source == b.0.source).collect();
    let found: Vec<(usize, Option<Kind>)> = groups
        .par_iter()
        .map_init(|| DocumentReader::new(snapshot), |reader, group| of_file(snapshot, reader, sources, group))
        .flatten_iter()
        .collect();
    let mut kinds = vec![None; passages.len()];
    for (number, kind) in found {
        kinds[number] = kind;
    }
    let unread: Vec<usize> = (0..kinds.len()).filter(|&number| kinds[number].is_none()).collect();
    let mut reader = DocumentReader::new(snapshot);
    for number in unread {
        let mut copies = passages[number].copies.iter().take(TRIED);
        kinds[number] =
            copies.find_map(|spot| of_file(snapshot, &mut reader, sources, &[(*spot, number)])[0].1);
    }
    kinds
}

/// The kinds of passages by copies of them in one file.
fn of_file(
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    sources: &[SourceDocument],
    spots: &[(PassageCopy, usize)],
) -> Vec<(usize, Option<Kind>)> {
    let file = sources.get(spots[0].0.source as usize).and_then(|source| source.open(snapshot, reader));
    let language = file.as_ref().and_then(|(file, _)| Language::detect(&file.path, &file.text));
    let kind = |spot: &PassageCopy| {
        let (file, _) = file.as_ref()?;
        let (start, text) = (spot.start as usize, file.text.get(..spot.end as usize)?);
        let is_whole = start <= text.len() && text.is_char_boundary(start);
        let sample = Sample { text, start, offset: start, head: &file.text, path: &file.path, language };
        is_whole.then(|| classify(&sample))
    };
    spots.iter().map(|(spot, number)| (*number, kind(spot))).collect()
}
