//! A first look at a large corpus: some of its worthiest passages, long before all are found.
//!
//! The repeated blots of a sample tell how many tokens each file has in common with how many documents: about what the
//! passages in it are worth. The files with the most are searched as places ([`super::around`]), so only the documents that
//! share text with them are read. What is found is right as far as it goes: a passage can have more copies, and others can
//! be worth more.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::around::find_around_by_index;
use super::search::{Passages, SearchSettings};
use dupi_index::index::IndexError;
use dupi_index::index::scan::sampled_blots;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_passage::search::bytes;

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
