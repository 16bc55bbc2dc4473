//! The files of kept passages in the folder of an index: how they are opened and written, how many there are, and what a result
//! belongs to: the settings of its search, and the content of the documents.
//!
//! The content is a sum over the live text files, by path and bytes. So it is the same after a merge of segments, after
//! a rebuild, and when files were only touched; the numbers of documents in segments do not matter.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::time::SystemTime;

use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::search::SearchSettings;
use dupi_base::storage::StorageError;
use dupi_base::storage::sealed::{FileKind, SealedError, SealedFile};
use dupi_index::index::home::{hidden_name, kept_name, kept_settings};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_passage::search::{SEARCH_VERSION, is_read_whole};

/// The version is raised when the form of what is kept changes.
const KEPT: FileKind = FileKind {
    name: "the file of kept passages",
    magic: b"dupi kep",
    version: 5,
    remedy: "the passages are searched again, and it is replaced",
};
/// The most bytes that a file has besides its head and its sections.
const FRAME: u64 = 64;
/// How many results are kept: those that were used last.
const MOST: usize = 4;
/// All of them together take at most 1 / this of the corpus's bytes …
const SHARE: u64 = 8;
/// … and this number of bytes.
const ALWAYS: u64 = 4 << 20;

/// The most bytes of all kept files.
pub(super) fn most_bytes(snapshot: &Snapshot) -> u64 {
    snapshot.totals().bytes / SHARE + ALWAYS
}

/// Opens a kept file; `None` if there is none, or it is larger than those of this corpus.
pub(super) fn open(snapshot: &Snapshot, name: &str) -> Result<Option<SealedFile>, SealedError> {
    KEPT.open_within(snapshot.folder(), name, most_bytes(snapshot))
}

/// Notes that a kept file was used. Without the permission to do that it counts as older.
pub(super) fn touch(snapshot: &Snapshot, name: &str) {
    let _ = snapshot.folder().open(name).map(|file| file.set_modified(SystemTime::now()));
}

/// Writes a kept file, and removes those that are too many. Returns the checksum of its sections; `None` if it is too large to be
/// kept.
pub(super) fn write(
    snapshot: &Snapshot,
    name: &str,
    head: &[u8],
    sections: &[Vec<u8>],
) -> Result<Option<u64>, StorageError> {
    let length = (head.len() + sections.iter().map(Vec::len).sum::<usize>()) as u64 + FRAME;
    let most = most_bytes(snapshot);
    if length > most {
        return Ok(None);
    }
    let mut file = KEPT.create(snapshot.folder(), name, head)?;
    sections.iter().try_for_each(|section| file.write(section))?;
    let checksum = file.seal()?;
    remove_others(snapshot, name, most - length);
    Ok(Some(checksum))
}

/// Removes kept files besides one that is in use, but not those that were used last.
fn remove_others(snapshot: &Snapshot, own: &str, mut room: u64) {
    let entries = fs::read_dir(snapshot.folder().path()).into_iter().flatten().flatten();
    let mut others: Vec<(SystemTime, u64, String)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| name != own)?;
            let is_kept = kept_settings(&name).is_some_and(|settings| kept_name(settings) == name);
            let found = entry.metadata().ok().filter(|found| found.is_file() && is_kept)?;
            Some((found.modified().ok()?, found.len(), name))
        })
        .collect();
    others.sort_unstable_by(|a, b| b.cmp(a));
    for (number, (_, length, name)) in others.into_iter().enumerate() {
        let fits = number + 1 < MOST && length <= room;
        room = if fits { room - length } else { 0 };
        if !fits {
            let beside = kept_settings(&name).map(hidden_name);
            for name in [Some(name), beside].into_iter().flatten() {
                // What cannot be removed now is removed the next time.
                let _ = snapshot.folder().remove(&name);
            }
        }
    }
}

/// A fingerprint of everything besides the documents that a result depends on, except the memory limit.
pub(super) fn of_settings(snapshot: &Snapshot, settings: &SearchSettings) -> u128 {
    let manifest = snapshot.manifest();
    let SearchSettings { measure, across, consistent, patterns, memory: _ } = settings;
    // A new program may read, judge or sort texts in another way.
    let program = (SEARCH_VERSION, env!("CARGO_PKG_VERSION"));
    let kinds = patterns.fingerprint();
    let corpus = (manifest.recipe, &manifest.formats, manifest.rules.max_filesize);
    xxh3_128(format!("{program:?} {corpus:?} {measure:?} {across} {consistent} {kinds}").as_bytes())
}

/// The live text files of a snapshot.
pub(super) struct Content {
    /// A fingerprint of their paths and bytes.
    pub(super) hash: u128,
    /// The files, each with a fingerprint of its path and bytes.
    pub(super) files: Vec<(u64, FileId)>,
}

impl Content {
    /// Those of a snapshot.
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let files: Vec<FileId> = snapshot.texts().collect();
        let hashed = |&file: &FileId| {
            let path = xxh3_64(snapshot.path(file).as_os_str().as_bytes());
            let text = snapshot.segment(file.segment).table().hash(file.file);
            let fingerprint = xxh3_128(&[path.to_le_bytes(), text.to_le_bytes()].concat());
            (fingerprint, (fingerprint as u64, file))
        };
        let (sums, files): (Vec<u128>, Vec<(u64, FileId)>) = files.par_iter().map(hashed).unzip();
        let sum = sums.iter().fold(0_u128, |sum, of_file| sum.wrapping_add(*of_file));
        // A small corpus is searched in another way than a large one.
        let words = [sum, files.len() as u128, u128::from(is_read_whole(snapshot))];
        Self { hash: xxh3_128(&words.map(u128::to_le_bytes).concat()), files }
    }
}
