//! Finds the passages that have a copy near given places, without a search of the whole corpus; and a first look at a large corpus.
//!
//! The tiles at the places are looked up in the index. The documents that have one of them are searched as
//! [`Passages::find`] searches a large corpus: the text around repeated tiles is read, here around those that the documents
//! of the places have. So what is found near the places is what a search of all documents finds there. The weights of
//! tokens are those in the text that is read.
//!
//! In a small corpus all documents are searched, as `passages` does: there a copy need not share a tile with the text.
//!
//! The first look shows some of the worthiest passages, long before all are found. The repeated blots of a sample tell how many
//! tokens each file has in common with how many documents: about what the passages in it are worth. The files with the most are
//! searched as places, so only the documents that share text with them are read. What is found is right as far as it goes: a
//! passage can have more copies, and others can be worth more.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use rayon::prelude::*;

use crate::kept;
use crate::search::{Passages, SearchSettings};
use crate::sort::PassageOrder;
use dupi_base::parallel;
use dupi_index::index::IndexError;
use dupi_index::index::posting::{PartId, PartRef};
use dupi_index::index::repeated::Repeated;
use dupi_index::index::scan::sampled_blots;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{DocumentId, FileId, LivePart, Snapshot, is_repeated};
use dupi_index::query::page::DocumentReader;
use dupi_passage::search::bytes;
use dupi_text::blot::{Blot, kept_tiles_of};

/// The most bytes of a corpus whose documents are all searched.
pub(super) const SEARCH_ALL: u64 = 16 << 20;
/// The most bytes of the documents that are read for a tile; more frequent tiles are not looked for.
const READ: u64 = 32 << 20;

/// The passages near some places.
pub struct PassagesAround {
    /// The passages; there may be others that are not near.
    pub passages: Passages,
    /// How many tiles at the places stand in so many documents that these were not read.
    pub frequent: u64,
}

/// The passages that have a copy near some places: ranges of the text of files, in bytes.
///
/// # Errors
/// As [`Passages::find`].
pub fn find_around(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    places: &[(FileId, Vec<Range<u32>>)],
    tick: &Tick,
) -> Result<PassagesAround, SearchError> {
    if bytes(snapshot) <= SEARCH_ALL {
        return Ok(PassagesAround { passages: kept::load_or_find(snapshot, settings, tick)?, frequent: 0 });
    }
    find_around_by_index(snapshot, settings, places, tick)
}

/// The same by the index, however small the corpus is.
///
/// # Errors
/// As [`Passages::find`].
pub fn find_around_by_index(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    places: &[(FileId, Vec<Range<u32>>)],
    tick: &Tick,
) -> Result<PassagesAround, SearchError> {
    let (all, near) = tiles(snapshot, settings, places);
    let (found, frequent) = documents_with(snapshot, &near)?;
    let own = places.iter().flat_map(|(file, _)| parts_of(snapshot, *file));
    let repeated = Repeated::find(snapshot, all, found.into_iter().chain(own));
    let passages = Passages::find_in(snapshot, settings, PassageOrder::default(), Some(repeated), tick)?;
    Ok(PassagesAround { passages, frequent })
}

/// The tiles that an index keeps of the files of some places: all of them, and those near the places; sorted, and without
/// duplicates.
fn tiles(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    places: &[(FileId, Vec<Range<u32>>)],
) -> (Vec<Blot>, Vec<Blot>) {
    let recipe = snapshot.manifest().recipe;
    let margin = settings.measure.least + settings.measure.gap;
    let of_file = |reader: &mut DocumentReader, (file, ranges): &(FileId, Vec<Range<u32>>)| {
        let (mut all, mut near) = (Vec::new(), Vec::new());
        let segment = file.segment;
        for document in snapshot.segment(segment).table().documents_of(file.file) {
            let Ok(page) = reader.whole(snapshot, DocumentId { segment, document }) else { continue };
            let number = |byte: u32| page.tokens.partition_point(|token| token.end <= byte) as u32;
            let wanted: Vec<Range<u32>> = ranges
                .iter()
                .map(|range| {
                    let last = page.tokens.partition_point(|token| token.start < range.end) as u32;
                    number(range.start).saturating_sub(margin)..last + margin
                })
                .collect();
            let length = recipe.tile_tokens();
            kept_tiles_of(&page.tokens, &recipe, |tile| {
                all.push(tile.blot);
                if wanted.iter().any(|range| tile.first < range.end && range.start < tile.first + length) {
                    near.push(tile.blot);
                }
            });
        }
        (all, near)
    };
    let reader = || DocumentReader::new(snapshot);
    let read = parallel::map_init(places, reader, |reader, _, place| of_file(reader, place));
    let read: (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let distinct = |blots: Vec<Vec<Blot>>| {
        let mut blots = blots.concat();
        blots.par_sort_unstable();
        blots.dedup();
        blots
    };
    (distinct(read.0), distinct(read.1))
}

/// The places of repeated blots, those of the rarest first, until their documents are too large together. Also returns how
/// many blots were left out.
fn documents_with(snapshot: &Snapshot, blots: &[Blot]) -> Result<(Vec<LivePart>, u64), IndexError> {
    let found: Vec<(Blot, Vec<LivePart>)> =
        parallel::try_map(blots, |&blot| Ok::<_, IndexError>((blot, snapshot.find(blot)?)))?;
    let mut found: Vec<_> = found.into_iter().filter(|(_, places)| is_repeated(places)).collect();
    found.sort_by_key(|(blot, places)| (places.len(), *blot));
    let (mut known, mut read, mut taken) = (BTreeSet::new(), 0_u64, Vec::new());
    let count = found.len();
    for (number, (_, places)) in found.into_iter().enumerate() {
        for place in &places {
            let file = snapshot.file_of(snapshot.document_at(*place));
            if known.insert(file) {
                read += snapshot.file(file).stamp.size;
            }
        }
        if read > READ && number > 0 {
            return Ok((taken, (count - number) as u64));
        }
        taken.extend(places);
    }
    Ok((taken, 0))
}

/// The parts of a file, as places.
fn parts_of(snapshot: &Snapshot, file: FileId) -> Vec<LivePart> {
    let table = snapshot.segment(file.segment).table();
    let parts = table.documents_of(file.file).flat_map(|document| table.parts_of(document));
    parts.map(|part| LivePart { segment: file.segment, place: PartRef::new(PartId(part), false) }).collect()
}

/// The most bytes of a corpus that is searched without a first look: that takes less than a second.
const SHORT: u64 = 4 << 20;
/// Text that stands in more documents is left out: it is mostly licences, and takes long to read.
const MOST_DOCUMENTS: u32 = 128;
/// The most bytes that are searched of all files,
const SEARCHED: u64 = 2 << 20;
/// but at most 1 / this of a small corpus,
const SHARE: u64 = 64;
/// and of each of them.
const LARGEST: u64 = 256 << 10;

/// Some passages of a snapshot; `None` if all are found soon.
///
/// # Errors
/// As [`Passages::find`].
pub fn first_look(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    if bytes(snapshot) <= SHORT { Ok(None) } else { some_passages(snapshot, settings, tick).map(Some) }
}

/// Some passages of a snapshot, however small it is.
///
/// # Errors
/// As [`Passages::find`].
pub fn some_passages(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Passages, SearchError> {
    let whole =
        |file: FileId| -> (FileId, Vec<Range<u32>>) { (file, std::iter::once(0..u32::MAX).collect()) };
    let places: Vec<_> = worthiest_files(snapshot, tick)?.into_iter().map(whole).collect();
    Ok(find_around_by_index(snapshot, settings, &places, tick)?.passages)
}

/// The files whose text is worth the most by a sample of its blots.
fn worthiest_files(snapshot: &Snapshot, tick: &Tick) -> Result<Vec<FileId>, SearchError> {
    let mut worths: HashMap<FileId, u64> = HashMap::new();
    let sampled = match sampled_blots(snapshot, MOST_DOCUMENTS, &|| tick(0.0).is_err()) {
        Err(IndexError::Stopped) => return Err(SearchError::Stopped),
        sampled => sampled?,
    };
    for blot in sampled {
        *worths.entry(blot.first).or_default() += u64::from(blot.documents - 1);
    }
    let mut files: Vec<(Reverse<u64>, FileId)> =
        worths.into_iter().map(|(file, worth)| (Reverse(worth), file)).collect();
    files.sort_unstable();
    let mut left = (bytes(snapshot) / SHARE).clamp(LARGEST, SEARCHED);
    let mut is_chosen = |file: FileId| {
        let size = snapshot.file(file).stamp.size;
        let is_chosen = size <= LARGEST.min(left);
        left -= if is_chosen { size } else { 0 };
        is_chosen
    };
    Ok(files.into_iter().map(|(_, file)| file).filter(|&file| is_chosen(file)).collect())
}
