//! Finds which tests and word patterns of a filter match documents, and so the blots in them.
//!
//! The documents are read once. Those with matching words are shattered again around the words; a blot that is not
//! among the repeated blots there is rejected without a lookup. When these documents are few, as for a rare word or a
//! phrase, this is done first. Otherwise the first blots are looked up one by one, so that their rows appear soon.
//! After these, all postings are scanned once, which costs no more than some ten thousand lookups.

use std::collections::HashSet;
use std::ops::Range;

use rayon::prelude::*;

use super::{bits, file_bits, is_set, merged_ranges, text_of};
use dupi_index::index::IndexError;
use dupi_index::index::posting::{SHARDS, shard_of};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::index::stream::merge_shard;
use dupi_index::query::filter::{Fact, Facts, FileTest, Filter, Quantity, ReviewState, WordPattern};
use dupi_index::query::page::{DocumentReader, RepeatedRun, touches};
use dupi_text::blot::Blot;

/// How many blots are looked up one by one.
const ONE_BY_ONE: usize = 1 << 11;

/// Files with at most this many bytes together are few: they are shattered again at once.
const FEW: u64 = 32 << 20;

/// The matches of a filter in the documents of one snapshot.
pub(super) struct Documents {
    snapshot: Snapshot,
    /// By segment and index of the file; empty when nothing matches.
    files: Vec<Vec<MatchBits>>,
    has_words: bool,
    /// Whether the files with matching words are few.
    are_few: bool,
    looked_up: usize,
    /// The word patterns that match near each blot, once their files were shattered again.
    texts: Option<Blots>,
    /// The matches of each blot, once all postings were scanned.
    all: Option<Blots>,
}

/// The blots with matches, by shard and sorted.
type Blots = Vec<Vec<(Blot, MatchBits)>>;

/// The matches of a filter in a document, or in all documents of a blot, as bits by the indices of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MatchBits {
    /// The file tests that hold.
    pub files: u64,
    /// The word patterns that may match.
    pub texts: u64,
}

impl MatchBits {
    fn with(self, other: Self) -> Self {
        Self { files: self.files | other.files, texts: self.texts | other.texts }
    }
}

impl Documents {
    /// Tests all documents. Reads them when the filter asks for words. `is_cancelled` ends that early; then the results
    /// are invalid.
    pub(super) fn new(
        filter: &Filter,
        snapshot: &Snapshot,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let asks = !filter.files().is_empty() || !filter.texts().is_empty();
        let all: Vec<FileId> = if asks { snapshot.texts().collect() } else { Vec::new() };
        let of_file = |reader: &mut DocumentReader, &file: &FileId| {
            if is_cancelled() {
                return None;
            }
            let found = matches_of_file(filter, snapshot, reader, file);
            (found != MatchBits::default()).then_some((file, found))
        };
        let mut found: Vec<(FileId, MatchBits)> =
            all.par_iter().map_init(|| DocumentReader::new(snapshot), of_file).flatten_iter().collect();
        drop_impossible_matches(filter, &mut found);
        let has_words = found.iter().any(|(_, found)| found.texts != 0);
        let sizes = found.iter().filter(|(_, found)| found.texts != 0);
        let are_few = sizes.map(|&(file, _)| snapshot.file(file).stamp.size).sum::<u64>() <= FEW;
        let mut files = Vec::new();
        if !found.is_empty() {
            let counts = snapshot.segments().iter().map(|live| live.segment().table().file_count());
            files.extend(counts.map(|count| vec![MatchBits::default(); count]));
        }
        for (FileId { segment, file }, found) in found {
            files[segment as usize][file as usize] = found;
        }
        let snapshot = snapshot.clone();
        Self { snapshot, files, has_words, are_few, looked_up: 0, texts: None, all: None }
    }

    /// The word patterns that may match a row of a repeated blot. `None` while it costs less to [test](Self::of) the
    /// documents of the blot, or when `is_cancelled` ended it early.
    pub(super) fn texts_of(
        &mut self,
        filter: &Filter,
        blot: Blot,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<u64>, IndexError> {
        if !self.has_words {
            return Ok(Some(0));
        }
        if self.texts.is_none() && (self.are_few || self.looked_up >= ONE_BY_ONE) {
            let texts = self.shatter(filter, is_cancelled)?;
            if is_cancelled() {
                return Ok(None);
            }
            (self.texts, self.looked_up) = (Some(texts), 0);
        }
        Ok(self.texts.as_ref().map(|texts| known(texts, blot).texts))
    }

    /// The matches in the documents of a repeated blot; `None` when `is_cancelled` ended it early.
    pub(super) fn of(
        &mut self,
        blot: Blot,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<MatchBits>, IndexError> {
        if self.files.is_empty() {
            return Ok(Some(MatchBits::default()));
        }
        if self.all.is_none() && self.looked_up >= ONE_BY_ONE {
            let all = self.scan_postings(|file| self.of_file(file), is_cancelled)?;
            if is_cancelled() {
                return Ok(None);
            }
            self.all = Some(all);
        }
        let found = match &self.all {
            Some(all) => known(all, blot),
            None => {
                self.looked_up += 1;
                let file = |place| self.snapshot.file_of(self.snapshot.document_at(place));
                let files = self.snapshot.find(blot)?.into_iter().map(file);
                files.map(|file| self.of_file(file)).fold(MatchBits::default(), MatchBits::with)
            }
        };
        let texts = self.texts.as_ref().map_or(found.texts, |texts| known(texts, blot).texts);
        Ok(Some(MatchBits { texts, ..found }))
    }

    fn of_file(&self, FileId { segment, file }: FileId) -> MatchBits {
        self.files[segment as usize][file as usize]
    }

    /// The word patterns that match near each blot, within the range that a row with the blot can have.
    fn shatter(
        &self,
        filter: &Filter,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Blots, IndexError> {
        let files: Vec<FileId> =
            self.snapshot.texts().filter(|&file| self.of_file(file).texts != 0).collect();
        let of_file = |reader: &mut DocumentReader, &file: &FileId| match is_cancelled() {
            true => Ok(Some(Vec::new())),
            false => self.shattered(filter, reader, file),
        };
        let of_files: Vec<Option<Vec<(Blot, MatchBits)>>> = files
            .par_iter()
            .map_init(|| DocumentReader::new(&self.snapshot), of_file)
            .collect::<Result<_, _>>()?;
        // The blots of a changed file in the index are not those of its text.
        let changed = files.into_iter().zip(&of_files).filter(|(_, found)| found.is_none());
        let changed: HashSet<FileId> = changed.map(|(file, _)| file).collect();
        let mut blots = vec![Vec::new(); SHARDS];
        if !changed.is_empty() {
            let of_file =
                |file| if changed.contains(&file) { self.of_file(file) } else { MatchBits::default() };
            blots = self.scan_postings(of_file, is_cancelled)?;
        }
        for found in of_files.into_iter().flatten().flatten() {
            blots[shard_of(found.0)].push(found);
        }
        blots.par_iter_mut().for_each(|shard| {
            shard.sort_unstable_by_key(|(blot, _)| *blot);
            shard.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                if is_same {
                    kept.1 = kept.1.with(next.1);
                }
                is_same
            });
        });
        Ok(blots)
    }

    /// The word patterns that match near the blots of one file; `None` when it changed since it was indexed.
    fn shattered(
        &self,
        filter: &Filter,
        reader: &mut DocumentReader,
        file: FileId,
    ) -> Result<Option<Vec<(Blot, MatchBits)>>, IndexError> {
        let Some(text) = reader.indexed_text(&self.snapshot, file) else { return Ok(None) };
        let texts = self.of_file(file).texts;
        let asked = filter.texts().iter().enumerate().filter(|(number, _)| is_set(texts, *number));
        let places: Vec<(usize, Vec<Range<usize>>)> =
            asked.map(|(number, words)| (number, merged_ranges(words.ranges_in(&text)))).collect();
        let all = merged_ranges(places.iter().flat_map(|(_, places)| places).cloned().collect());
        let of_run = |run: RepeatedRun| {
            let here = places.iter().filter(|(_, places)| touches(places, &run.span));
            let found = MatchBits { texts: here.fold(0, |texts, (number, _)| texts | 1 << number), files: 0 };
            run.blots.into_iter().map(move |blot| (blot, found))
        };
        let runs = reader.repeated_runs(&self.snapshot, file, &text, &all)?;
        Ok(Some(runs.into_iter().flat_map(of_run).collect()))
    }

    /// The matches of all repeated blots, from the matches of files. Scans all postings.
    fn scan_postings(
        &self,
        of_file: impl Fn(FileId) -> MatchBits + Sync,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Blots, IndexError> {
        let segments = self.snapshot.segments();
        let of_shard = |shard: usize| {
            let mut known = Vec::new();
            if is_cancelled() {
                return Ok(known);
            }
            merge_shard(segments, shard, &|| false, |blot, lists| {
                // Nine of ten blots occur once.
                if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
                    return Ok(());
                }
                let mut all = MatchBits::default();
                for (segment, places) in lists.iter() {
                    let live = &segments[segment];
                    let table = live.segment().table();
                    let of_places = places.iter().map(|place| table.file_of(table.document_of(place.part())));
                    let alive = of_places.filter(|&file| live.is_live_file(file));
                    let found = alive.map(|file| of_file(FileId { segment: segment as u32, file }));
                    all = found.fold(all, MatchBits::with);
                }
                if all != MatchBits::default() {
                    known.push((blot, all));
                }
                Ok(())
            })?;
            Ok(known)
        };
        (0..SHARDS).into_par_iter().map(of_shard).collect()
    }
}

/// The matches of a blot.
fn known(blots: &Blots, blot: Blot) -> MatchBits {
    let shard = &blots[shard_of(blot)];
    let at = shard.binary_search_by_key(&blot, |(blot, _)| *blot);
    at.map_or(MatchBits::default(), |at| shard[at].1)
}

/// Removes matches of words in documents that lack other required words. The text of a row comes from one document, so
/// it cannot match there.
fn drop_impossible_matches(filter: &Filter, found: &mut Vec<(FileId, MatchBits)>) {
    let files = found.iter().fold(0, |files, (_, found)| files | found.files);
    for (_, found) in &mut *found {
        if filter.verdict(&TextFacts { texts: found.texts, files }) == Some(false) {
            found.texts = 0;
        }
    }
    found.retain(|(_, found)| *found != MatchBits::default());
}

/// The facts of a row with the text of one document and any other documents.
struct TextFacts {
    texts: u64,
    /// The file tests that hold for any file.
    files: u64,
}

impl Facts for TextFacts {
    fn number(&self, _: Quantity) -> Fact<u64> {
        Fact::Unknown
    }

    fn state(&self) -> Fact<ReviewState> {
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

    fn has_text(&self, number: usize, _: &WordPattern) -> Option<bool> {
        if is_set(self.texts, number) { None } else { Some(false) }
    }
}

fn matches_of_file(
    filter: &Filter,
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    file: FileId,
) -> MatchBits {
    let path = snapshot.path(file);
    if filter.texts().is_empty() {
        let files = file_bits(filter, path, &mut || text_of(reader, path).into_owned());
        return MatchBits { files, texts: 0 };
    }
    let text = text_of(reader, path);
    MatchBits {
        files: file_bits(filter, path, &mut || text.to_string()),
        texts: bits(filter.texts().iter().map(|words| words.may_match(&text))),
    }
}
