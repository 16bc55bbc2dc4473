//! What the tests and words of a filter find in documents, and so in the blots that stand there.
//!
//! The documents are read once. When words stand in few of them, as a rare word or a phrase does, these are
//! shattered again: what is no blot of the repeated text around these words is refused without a lookup. Else the
//! first blots are looked up one by one, so that their rows are there soon; who asks for more gets one walk through
//! all postings, which costs no more than looking up some ten thousand.

use std::ops::Range;

use rayon::prelude::*;

use super::{bits, file_bits, is_set, text_of};
use crate::blot::Blot;
use crate::index::IndexError;
use crate::index::posting::{SHARDS, shard_of};
use crate::index::snapshot::{FileId, Snapshot};
use crate::index::stream::merge_shard;
use crate::query::filter::{Fact, Facts, FileTest, Filter, Quantity, State, Words};
use crate::query::page::{Reader, RepeatedRun};

/// So many blots are looked up one by one.
const ONE_BY_ONE: usize = 1 << 11;

/// Few files have no more bytes than this: their blots are held in memory.
const MOST: u64 = 32 << 20;

/// What is known of the documents of one snapshot.
pub struct Documents {
    snapshot: Snapshot,
    /// By segment and number; nothing when nothing holds for any.
    files: Vec<Vec<Found>>,
    /// The files for which something holds, when they were read and are few.
    few: Vec<FileId>,
    looked_up: usize,
    /// After few files were shattered again, or after a walk through all postings.
    blots: Option<Blots>,
}

/// What is known of the blots for which something holds, by shard and in order.
type Blots = Vec<Vec<(Blot, Found)>>;

/// What is known of a document, or of all those of a blot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The tests that hold for a file.
    pub files: u64,
    /// The words that may stand in a row.
    pub texts: u64,
}

impl Found {
    fn with(self, other: Self) -> Self {
        Self { files: self.files | other.files, texts: self.texts | other.texts }
    }
}

impl Documents {
    /// Asks all documents. Reads them when the filter asks for words; `is_cancelled` ends that early, and
    /// what is known then holds for nothing.
    pub fn new(filter: &Filter, snapshot: &Snapshot, is_cancelled: &(dyn Fn() -> bool + Sync)) -> Self {
        let asks = !filter.files().is_empty() || !filter.texts().is_empty();
        let all: Vec<FileId> = if asks { snapshot.texts().collect() } else { Vec::new() };
        let of_file = |reader: &mut Reader, &file: &FileId| {
            if is_cancelled() {
                return None;
            }
            let found = found_in(filter, snapshot, reader, file);
            (found != Found::default()).then_some((file, found))
        };
        let mut found: Vec<(FileId, Found)> =
            all.par_iter().map_init(|| Reader::new(snapshot), of_file).flatten_iter().collect();
        leave_out(filter, &mut found);
        let of_found: u64 = found.iter().map(|&(file, _)| snapshot.file(file).stamp.size).sum();
        // Files of which only the names were asked may be far away on a disk.
        let are_few = !filter.texts().is_empty() && of_found <= MOST;
        let few = if are_few { found.iter().map(|(file, _)| *file).collect() } else { Vec::new() };
        let mut files = Vec::new();
        if !found.is_empty() {
            let counts = snapshot.segments().iter().map(|live| live.segment().table().file_count());
            files.extend(counts.map(|count| vec![Found::default(); count]));
        }
        for (FileId { segment, file }, found) in found {
            files[segment as usize][file as usize] = found;
        }
        Self { snapshot: snapshot.clone(), files, few, looked_up: 0, blots: None }
    }

    /// Makes ready for so many more blots. Whether that came to its end: `is_cancelled` ends it early.
    pub fn expect(
        &mut self,
        filter: &Filter,
        blots: usize,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, IndexError> {
        if self.files.is_empty() || self.blots.is_some() {
            return Ok(true);
        }
        self.looked_up += blots;
        let found = if !self.few.is_empty() {
            self.shatter(filter, is_cancelled)
        } else if self.looked_up > ONE_BY_ONE {
            Some(self.walk(is_cancelled)?)
        } else {
            return Ok(true);
        };
        if is_cancelled() {
            return Ok(false);
        }
        self.blots = found;
        // When one of them changed, its blots in the index are not those of its text.
        self.few.clear();
        Ok(true)
    }

    /// What is known of the documents of a blot that is repeated.
    pub fn of(&self, blot: Blot) -> Result<Found, IndexError> {
        if self.files.is_empty() {
            return Ok(Found::default());
        }
        if let Some(blots) = &self.blots {
            let shard = &blots[shard_of(blot)];
            let at = shard.binary_search_by_key(&blot, |(blot, _)| *blot);
            return Ok(at.map_or(Found::default(), |at| shard[at].1));
        }
        let file = |place| self.snapshot.file_of(self.snapshot.document_at(place));
        let files = self.snapshot.find(blot)?.into_iter().map(file);
        Ok(files.map(|file| self.of_file(file)).fold(Found::default(), Found::with))
    }

    fn of_file(&self, FileId { segment, file }: FileId) -> Found {
        self.files[segment as usize][file as usize]
    }

    /// What is known of the blots of few files, of each whether words stand where its rows may reach; `None` when
    /// one of them changed since it was indexed.
    fn shatter(&self, filter: &Filter, is_cancelled: &(dyn Fn() -> bool + Sync)) -> Option<Blots> {
        let of_file = |reader: &mut Reader, &file: &FileId| {
            if is_cancelled() {
                return None;
            }
            let (text, runs) = reader.repeated_runs(&self.snapshot, file)?;
            let Found { files, texts } = self.of_file(file);
            let asked = filter.texts().iter().enumerate().filter(|(number, _)| is_set(texts, *number));
            let places: Vec<(usize, Vec<Range<usize>>)> =
                asked.map(|(number, words)| (number, words.places(&text))).collect();
            let found_in = |run: &RepeatedRun| {
                let stands = |place: &Range<usize>| place.start < run.span.end && run.span.start < place.end;
                let here = places.iter().filter(|(_, places)| places.iter().any(stands));
                Found { files, texts: here.fold(0, |texts, (number, _)| texts | 1 << number) }
            };
            let of_run = |run: RepeatedRun| {
                let found = found_in(&run);
                let blots = if found == Found::default() { Vec::new() } else { run.blots };
                blots.into_iter().map(move |blot| (blot, found))
            };
            Some(runs.into_iter().flat_map(of_run).collect())
        };
        let of_files = self.few.par_iter().map_init(|| Reader::new(&self.snapshot), of_file);
        let of_files: Vec<Vec<(Blot, Found)>> = of_files.collect::<Option<_>>()?;
        let mut all = of_files.concat();
        all.par_sort_unstable_by_key(|(blot, _)| *blot);
        all.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.with(next.1);
            }
            is_same
        });
        let mut blots = vec![Vec::new(); SHARDS];
        for shard in all.chunk_by(|(a, _), (b, _)| shard_of(*a) == shard_of(*b)) {
            blots[shard_of(shard[0].0)] = shard.to_vec();
        }
        Some(blots)
    }

    /// What is known of all repeated blots.
    fn walk(&self, is_cancelled: &(dyn Fn() -> bool + Sync)) -> Result<Blots, IndexError> {
        let segments = self.snapshot.segments();
        let of_shard = |shard: usize| {
            let mut known = Vec::new();
            if is_cancelled() {
                return Ok(known);
            }
            merge_shard(segments, shard, |blot, lists| {
                // Nine blots of ten occur once.
                if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
                    return Ok(());
                }
                let mut all = Found::default();
                for (segment, places) in lists.iter() {
                    let (live, files) = (&segments[segment], &self.files[segment]);
                    let table = live.segment().table();
                    let of_places = places.iter().map(|place| table.file_of(table.document_of(place.part())));
                    let alive = of_places.filter(|&file| live.is_live_file(file));
                    all = alive.map(|file| files[file as usize]).fold(all, Found::with);
                }
                if all != Found::default() {
                    known.push((blot, all));
                }
                Ok(())
            })?;
            Ok(known)
        };
        (0..SHARDS).into_par_iter().map(of_shard).collect()
    }
}

/// The text of a row is that of one document: where some words that it must have are missing, the others say
/// nothing.
fn leave_out(filter: &Filter, found: &mut Vec<(FileId, Found)>) {
    let files = found.iter().fold(0, |files, (_, found)| files | found.files);
    for (_, found) in &mut *found {
        if filter.verdict(&Alone { texts: found.texts, files }) == Some(false) {
            found.texts = 0;
        }
    }
    found.retain(|(_, found)| *found != Found::default());
}

/// A row whose text is that of a document, whatever its other documents are.
struct Alone {
    texts: u64,
    /// The tests that hold for any file.
    files: u64,
}

impl Facts for Alone {
    fn number(&self, _: Quantity) -> Fact<u64> {
        Fact::Unknown
    }

    fn state(&self) -> Fact<State> {
        Fact::Unknown
    }

    fn belongs_to(&self, _: u64) -> Option<bool> {
        None
    }

    fn has_blot(&self, _: Blot) -> Option<bool> {
        None
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        if is_set(self.files, number) { None } else { Some(false) }
    }

    fn has_text(&self, number: usize, _: &Words) -> Option<bool> {
        if is_set(self.texts, number) { None } else { Some(false) }
    }
}

fn found_in(filter: &Filter, snapshot: &Snapshot, reader: &mut Reader, file: FileId) -> Found {
    let path = snapshot.path(file);
    if filter.texts().is_empty() {
        let files = file_bits(filter, path, &mut || text_of(reader, path).into_owned());
        return Found { files, texts: 0 };
    }
    let text = text_of(reader, path);
    Found {
        files: file_bits(filter, path, &mut || text.to_string()),
        texts: bits(filter.texts().iter().map(|words| words.may_be_in(&text))),
    }
}
