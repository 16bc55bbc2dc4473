//! From bytes of a file's text back to the files as they are now: lines and columns.

use rayon::prelude::*;

use super::found::{Passage, Source, Spot};
use crate::index::snapshot::Snapshot;
use crate::query::Occurrence;
use crate::query::page::{OpenFile, Reader};

/// A passage as it stands in its files now.
#[derive(Clone, Debug, Default)]
pub struct Located {
    /// The text of the representative.
    pub text: String,
    /// The copies whose files are as they were, each with its number among all copies.
    pub copies: Vec<(usize, Occurrence)>,
}

/// A copy that is looked for: which passage, which copy of it, and where.
struct Sought {
    passage: usize,
    copy: usize,
    spot: Spot,
}

/// Looks up some passages in the files. A copy whose file has changed since it was read is left out.
pub fn locate(snapshot: &Snapshot, sources: &[Source], passages: &[&Passage]) -> Vec<Located> {
    let mut sought: Vec<Sought> = passages
        .iter()
        .enumerate()
        .flat_map(|(passage, of)| {
            of.copies.iter().enumerate().map(move |(copy, spot)| Sought { passage, copy, spot: *spot })
        })
        .collect();
    sought.par_sort_unstable_by_key(|sought| (sought.spot.source, sought.passage, sought.copy));
    let groups: Vec<&[Sought]> = sought.chunk_by(|a, b| a.spot.source == b.spot.source).collect();
    let found: Vec<_> = groups
        .par_iter()
        .map_init(
            || Reader::new(snapshot),
            |reader, group| {
                let file = open(snapshot, reader, sources, group[0].spot.source);
                let in_file = move |sought| file.as_ref().map(|file| found_in(file, sought, passages));
                group.iter().filter_map(in_file).collect::<Vec<_>>()
            },
        )
        .flatten_iter()
        .collect();
    let mut located = vec![Located::default(); passages.len()];
    for (sought, occurrence, text) in found {
        let of = &mut located[sought.passage];
        of.copies.push((sought.copy, occurrence));
        if let Some(text) = text {
            of.text = text;
        }
    }
    located
}

/// A source's file, if it is as it was when it was read, and the record.
fn open(
    snapshot: &Snapshot,
    reader: &mut Reader,
    sources: &[Source],
    source: u32,
) -> Option<(std::sync::Arc<OpenFile>, Option<u32>)> {
    let source = sources[source as usize];
    let file = reader.file(snapshot.path(snapshot.file_of(source.id))).ok()?;
    let record = snapshot.document(source.id).record;
    (file.stamp() == source.stamp).then_some((file, (record > 0).then_some(record)))
}

fn found_in<'s>(
    (file, record): &(std::sync::Arc<OpenFile>, Option<u32>),
    sought: &'s Sought,
    passages: &[&Passage],
) -> (&'s Sought, Occurrence, Option<String>) {
    let (start, end) = (sought.spot.start as usize, sought.spot.end as usize);
    let is_representative = passages[sought.passage].representative as usize == sought.copy;
    let text = is_representative.then(|| file.text.get(start..end).unwrap_or_default().to_owned());
    (sought, file.occurrence(*record, start, end), text)
}
