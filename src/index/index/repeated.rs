//! A compact, approximate set of the repeated blots, with few false positives and no false negatives; and the parts
//! of documents that have any of them.
//!
//! A scan of all postings makes it, shard by shard. Processes that need the same one share a sealed file (`file`).

use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::IndexError;
use super::posting::{KEY_BITS, PartId, SHARDS, key_of, shard_of};
use super::ranking::Tally;
use super::search::SearchError;
use super::snapshot::{LivePart, LiveSegment, Snapshot};
use super::stream::{PostingLists, merge_shard};

use dupi_base::storage::map::Scratch;
use dupi_base::storage::sealed::{FileKind, SealedError, to_bytes};
use dupi_base::storage::{Folder, StorageError, shown};
use dupi_text::blot::Blot;

/// Bits of a filter per blot in it; also the inverse of the rate of false positives.
const BITS_A_BLOT: u64 = 64;

/// The repeated blots of a snapshot, and the parts in which they occur.
pub struct Repeated {
    /// For each shard, where the filter of its keys lies among the words.
    filters: Vec<KeyFilter>,
    /// For each segment, where its bits, one for each part, begin among the words.
    parts: Vec<usize>,
    /// The words of the filters, and then those of the parts.
    words: Scratch,
}

/// A filter: a key is mapped to a bit by dropping its lowest bits.
#[derive(Clone, Copy)]
struct KeyFilter {
    /// Its first word.
    start: usize,
    /// The binary logarithm of the number of its bits.
    bits: u32,
}

impl Repeated {
    /// Scans all postings of a snapshot.
    pub fn scan(snapshot: &Snapshot) -> Result<Self, IndexError> {
        let parts = PartBits::new(snapshot);
        let filters = (0..SHARDS).into_par_iter().map(|shard| scan_shard(snapshot, shard, &parts));
        let filters = filters.collect::<Result<Vec<_>, IndexError>>()?;
        Ok(Self::joined(filters, parts.into_words()))
    }

    /// Given blots, and the parts that have any of some places: what a scan would find if nothing else were repeated.
    pub fn find(
        snapshot: &Snapshot,
        blots: impl IntoIterator<Item = Blot>,
        places: impl IntoIterator<Item = LivePart>,
    ) -> Self {
        let mut parts: Vec<Vec<u64>> = words_of_parts(snapshot).map(|words| vec![0; words]).collect();
        for LivePart { segment, place } in places {
            let part = place.part().0;
            parts[segment as usize][part as usize / 64] |= 1 << (part % 64);
        }
        let mut keys = vec![Vec::new(); SHARDS];
        for blot in blots {
            keys[shard_of(blot)].push(key_of(blot));
        }
        Self::joined(keys.iter().map(|keys| filter(keys)).collect(), parts)
    }

    /// Joins the filters of all shards and the bits of the parts of each segment.
    fn joined<T: AsRef<[u64]>>(filters: Vec<T>, parts: Vec<Vec<u64>>) -> Self {
        let of_filters = filters.iter().map(|filter| filter.as_ref().len()).sum::<usize>();
        let mut words = Vec::with_capacity(of_filters + parts.iter().map(Vec::len).sum::<usize>());
        let placed = filters.into_iter().map(|filter| {
            let (start, filter) = (words.len(), filter.as_ref());
            words.extend_from_slice(filter);
            KeyFilter { start, bits: (filter.len() as u64 * 64).ilog2() }
        });
        let filters: Vec<KeyFilter> = placed.collect();
        let placed = parts.iter().map(|bits| {
            let start = words.len();
            words.extend_from_slice(bits);
            start
        });
        let parts = placed.collect();
        Self { filters, parts, words: words.into() }
    }

    /// Whether a blot may be repeated. `false` is certain.
    #[inline]
    pub fn may_contain(&self, blot: Blot) -> bool {
        self.filters[shard_of(blot)].may_contain(self.words(), key_of(blot))
    }

    /// Whether a part of a segment has a repeated blot.
    pub fn has_part(&self, segment: u32, part: PartId) -> bool {
        let word = self.words()[self.parts[segment as usize] + part.0 as usize / 64];
        word >> (part.0 % 64) & 1 == 1
    }

    #[inline]
    fn words(&self) -> &[u64] {
        self.words.numbers()
    }
}

/// The filter of the repeated blots of a shard. Their parts are added, also those of dead documents.
fn scan_shard(snapshot: &Snapshot, shard: usize, parts: &PartBits) -> Result<Vec<u64>, IndexError> {
    let segments = snapshot.segments();
    let mut keys = Vec::new();
    merge_shard(segments, shard, &|| false, |blot, lists| {
        if is_repeated(segments, &lists) {
            keys.push(key_of(blot));
            for (segment, places) in lists.iter() {
                places.iter().for_each(|place| parts.add_part(segment, place.part().0));
            }
        }
        Ok(())
    })?;
    Ok(filter(&keys))
}

fn is_repeated(segments: &[LiveSegment], lists: &PostingLists) -> bool {
    if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
        return false;
    }
    let mut tally = Tally::default();
    for (segment, places) in lists.iter() {
        tally.add(&segments[segment], places);
    }
    tally.is_repeated()
}

/// For each segment, a bit per part.
struct PartBits(Vec<Vec<AtomicU64>>);

impl PartBits {
    fn new(snapshot: &Snapshot) -> Self {
        let empty = |words: usize| (0..words).map(|_| AtomicU64::new(0)).collect();
        Self(words_of_parts(snapshot).map(empty).collect())
    }

    fn add_part(&self, segment: usize, part: u32) {
        let word = &self.0[segment][part as usize / 64];
        let bit = 1 << (part % 64);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn into_words(self) -> Vec<Vec<u64>> {
        self.0.into_iter().map(|bits| bits.into_iter().map(AtomicU64::into_inner).collect()).collect()
    }
}

/// How many words the bits of the parts of each segment take.
fn words_of_parts(snapshot: &Snapshot) -> impl Iterator<Item = usize> {
    snapshot.segments().iter().map(|live| live.segment().table().part_count().div_ceil(64))
}

/// The words of a filter with some keys.
fn filter(keys: &[u64]) -> Vec<u64> {
    let bits = (keys.len() as u64 * BITS_A_BLOT).next_power_of_two().ilog2().clamp(6, KEY_BITS);
    let mut words = vec![0; 1 << (bits - 6)];
    for key in keys {
        let at = key >> (KEY_BITS - bits);
        words[at as usize / 64] |= 1 << (at % 64);
    }
    words
}

impl KeyFilter {
    /// How many words it has.
    fn words(self) -> usize {
        1 << (self.bits - 6)
    }

    #[inline]
    fn may_contain(self, words: &[u64], key: u64) -> bool {
        let at = key >> (KEY_BITS - self.bits);
        words[self.start + at as usize / 64] >> (at % 64) & 1 == 1
    }
}

// The repeated blots in a sealed file, which many processes map.
//
// The head says of which index and of which of its files it is, and the size of each shard's filter. The body has the words
// of the filters, and then of each segment a bit for each part, in whole words.

/// The version is raised when other blots count as repeated, too.
const REPEATED: FileKind = FileKind {
    name: "the file of repeated blots",
    magic: b"dupi rpt",
    version: 2,
    remedy: "remove it, and make it again with `dupi-tui segment tally blots`",
};
/// What the names of files end with.
const ENDING: &str = "repeated";

/// Writes the repeated blots of a snapshot to a file of a folder, unless it is there. Returns its name.
///
/// # Errors
/// When the index cannot be read, or the file cannot be written.
pub fn tallied(snapshot: &Snapshot, folder: &Folder) -> Result<String, SearchError> {
    let name = repeated_name(snapshot);
    if shared(snapshot, &folder.at(&name)).is_ok() {
        return Ok(name);
    }
    let repeated = Repeated::scan(snapshot)?;
    repeated.write(snapshot, folder, &name).map_err(SealedError::from)?;
    Ok(name)
}

/// Opens the file with the repeated blots of a snapshot.
///
/// # Errors
/// When the file is missing, cannot be read, is damaged, or is of another generation or other files of the index.
pub fn shared(snapshot: &Snapshot, path: &Path) -> Result<Repeated, SearchError> {
    Repeated::open(snapshot, path).map_err(|error| match error {
        SearchError::File(SealedError::Storage(error)) if error.source.kind() == ErrorKind::NotFound => {
            SearchError::Repeated(format!(
                "there is no file of repeated blots {}; if the index was updated since it was made, it has another name: \
                 make it again with `dupi-tui segment tally blots`",
                shown(path)
            ))
        }
        error => error,
    })
}

/// The name of the file that [`tallied`] makes.
pub fn repeated_name(snapshot: &Snapshot) -> String {
    format!("{:032x}.{ENDING}", snapshot.fingerprint())
}

impl Repeated {
    /// Writes it to a file.
    fn write(&self, snapshot: &Snapshot, folder: &Folder, name: &str) -> Result<(), StorageError> {
        let bits: Vec<u8> = self.filters.iter().map(|filter| filter.bits as u8).collect();
        // A task that outlives its job does not make the job's folder again.
        folder.create_in_parent()?;
        let mut file = REPEATED.create(folder, name, &to_bytes(&(snapshot.fingerprint(), bits)))?;
        file.write_numbers(self.words(), u64::to_le_bytes)?;
        file.seal().map(drop)
    }

    /// Opens and checks a file.
    fn open(snapshot: &Snapshot, path: &Path) -> Result<Self, SearchError> {
        let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let file = REPEATED.open(&folder, name)?;
        file.check()?;
        let (fingerprint, bits): (u128, Vec<u8>) = file.value()?;
        if fingerprint != snapshot.fingerprint() {
            return Err(SearchError::Repeated(format!(
                "the file of repeated blots {} is of another generation of the index, or of other files of it; make it \
                 again with `dupi-tui segment tally blots` and the same options",
                shown(path)
            )));
        }
        let placed = placed(snapshot, &bits).filter(|_| bits.len() == SHARDS);
        let (filters, parts, words) = placed.ok_or_else(|| file.damaged("a filter is too large"))?;
        if file.length() != words as u64 * 8 {
            return Err(file.damaged("its length is wrong").into());
        }
        Ok(Self { filters, parts, words: file.numbers(0, words, 0)? })
    }
}

/// Where filters of these sizes and the parts of a snapshot lie among the words, and how many words there are; `None` if no
/// filter has such a size.
fn placed(snapshot: &Snapshot, bits: &[u8]) -> Option<(Vec<KeyFilter>, Vec<usize>, usize)> {
    let mut words = 0_usize;
    let place = |&bits: &u8| {
        let is_filter = (6..=KEY_BITS).contains(&u32::from(bits));
        let filter = is_filter.then_some(KeyFilter { start: words, bits: bits.into() })?;
        words += filter.words();
        Some(filter)
    };
    let filters = bits.iter().map(place).collect::<Option<_>>()?;
    let place = |of_segment: usize| {
        let start = words;
        words += of_segment;
        start
    };
    let parts = words_of_parts(snapshot).map(place).collect();
    Some((filters, parts, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_all_its_keys_and_few_false_positives() {
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 26;
        let of = |keys: &[u64]| {
            let others = (1..SHARDS).map(|_| filter(&[]));
            Repeated::joined(std::iter::once(filter(keys)).chain(others).collect(), Vec::new())
        };
        let keys: Vec<u64> = (0..1000).map(key).collect();
        let repeated = of(&keys);
        let has = |key: u64| repeated.filters[0].may_contain(repeated.words(), key);
        assert!(keys.iter().all(|&key| has(key)));
        let wrong = (1000..101_000).filter(|&number| has(key(number))).count();
        assert!(wrong < 3000, "{wrong} of 100,000");
        let none = of(&[]);
        assert!(!none.filters[0].may_contain(none.words(), 7));
        assert_eq!((repeated.filters[0].words(), repeated.filters[1].words()), (1 << 10, 1));
    }
}
