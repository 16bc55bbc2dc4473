//! The kinds of many passages, read from their files. Each file is read once, whatever the number of passages in it.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::judge::classify;
use super::patterns::KindPatterns;
use super::sample::Sample;
use super::signs_of_data::is_records;
use super::signs_of_files::is_snapshot_name;
use crate::index::snapshot::Snapshot;
use crate::passage::error::{PassageError, Tick};
use crate::passage::passages::{Passage, PassageCopy, SourceDocument};
use crate::query::filter::Kind;
use crate::query::page::DocumentReader;
use crate::token::Language;

/// Of a passage so many copies are tried when the files of the first ones have changed.
const TRIED: usize = 8;

/// A passage with so many copies is not asked whether all but one are quotations.
const QUOTED: usize = 8;

/// The kind of each passage by the user's patterns, else by the rules: of its representative, or of another copy if the file
/// of that one has changed; `None` if the files of the first copies have changed too. What one document has and the others
/// quote, in records or snapshots, has the kind of these. Takes some bytes a passage, and a file's text for each thread.
///
/// # Errors
/// What `tick` returns.
pub fn kinds_of(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passages: &[Passage],
    patterns: &KindPatterns,
    tick: &Tick,
) -> Result<Vec<Option<Kind>>, PassageError> {
    let mut sought: Vec<(PassageCopy, usize)> =
        passages.iter().enumerate().map(|(number, passage)| (*passage.representative(), number)).collect();
    sought.par_sort_unstable_by_key(|(copy, number)| (copy.source, *number));
    let files: Vec<&[(PassageCopy, usize)]> = sought.chunk_by(|a, b| a.0.source == b.0.source).collect();
    let done = AtomicUsize::new(0);
    let reader = || DocumentReader::new(snapshot);
    let read = files.par_iter().map_init(reader, |reader, file| {
        tick(done.fetch_add(1, Ordering::Relaxed) as f64 / files.len() as f64)?;
        Ok(of_file(snapshot, reader, sources, patterns, file))
    });
    let mut kinds = vec![None; passages.len()];
    for (number, kind) in read.collect::<Result<Vec<_>, PassageError>>()?.into_iter().flatten() {
        kinds[number] = kind;
    }
    let unread: Vec<usize> = (0..kinds.len()).filter(|&number| kinds[number].is_none()).collect();
    let mut reader = reader();
    for number in unread {
        tick(1.0)?;
        let mut copies = passages[number].copies.iter().take(TRIED);
        kinds[number] = copies
            .find_map(|copy| of_file(snapshot, &mut reader, sources, patterns, &[(*copy, number)])[0].1);
    }
    let quotes: Vec<bool> = sources.par_iter().map(|source| may_quote(snapshot, source)).collect();
    for (number, passage) in passages.iter().enumerate() {
        let Some(quotation) = quotation(passage, &quotes) else { continue };
        tick(1.0)?;
        let of_quotation = of_file(snapshot, &mut reader, sources, patterns, &[(*quotation, number)])[0].1;
        if of_quotation.is_some_and(Kind::is_aside) {
            kinds[number] = of_quotation;
        }
    }
    Ok(kinds)
}

/// Whether a document may hold texts of others, by the name of its file.
fn may_quote(snapshot: &Snapshot, source: &SourceDocument) -> bool {
    let path = snapshot.path(snapshot.file_of(source.id));
    let holds_records = || Language::detect(path, "").is_some_and(is_records);
    snapshot.document(source.id).record == 0 && (is_snapshot_name(path) || holds_records())
}

/// A copy of a passage in a document that quotes it, if all documents with copies do but one.
fn quotation<'p>(passage: &'p Passage, quotes: &[bool]) -> Option<&'p PassageCopy> {
    if passage.copies.len() > QUOTED {
        return None;
    }
    let does_quote = |copy: &&PassageCopy| quotes.get(copy.source as usize).is_some_and(|quotes| *quotes);
    let mut others = passage.copies.iter().filter(|copy| !does_quote(copy)).map(|copy| copy.source);
    let other = others.next()?;
    others.all(|source| source == other).then(|| passage.copies.iter().find(does_quote)).flatten()
}

/// The kinds of passages by copies of them in one file.
fn of_file(
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    sources: &[SourceDocument],
    patterns: &KindPatterns,
    spots: &[(PassageCopy, usize)],
) -> Vec<(usize, Option<Kind>)> {
    let file = sources.get(spots[0].0.source as usize).and_then(|source| source.open(snapshot, reader));
    // The text of a record is not of the language of its file.
    let whole = file.as_ref().filter(|(_, record)| record.is_none());
    let language = whole.and_then(|(file, _)| Language::detect(&file.path, &file.text));
    let kind = |spot: &PassageCopy| {
        let (file, _) = file.as_ref()?;
        let (start, text) = (spot.start as usize, file.text.get(..spot.end as usize)?);
        let is_whole = start <= text.len() && text.is_char_boundary(start);
        let sample = Sample { text, start, offset: start, head: &file.text, path: &file.path, language };
        is_whole.then(|| patterns.kind(&file.path, &text[start..]).unwrap_or_else(|| classify(&sample)))
    };
    spots.iter().map(|(spot, number)| (*number, kind(spot))).collect()
}
