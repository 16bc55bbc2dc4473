//! The files of kept passages in the folder of an index: how they are opened and written, and how many there are.

use std::fs;
use std::io::ErrorKind;
use std::time::SystemTime;

use dupi_base::storage::StorageError;
use dupi_base::storage::map::FileBytes;
use dupi_index::index::home::{hidden_name, kept_name, kept_settings};
use dupi_index::index::snapshot::Snapshot;

/// How many results are kept: those that were used last.
const MOST: usize = 4;
/// All of them together take at most 1 / this of the corpus's bytes …
const SHARE: u64 = 8;
/// … and this number of bytes.
const ALWAYS: u64 = 4 << 20;

/// The most bytes of all kept files.
fn most_bytes(snapshot: &Snapshot) -> u64 {
    snapshot.totals().bytes / SHARE + ALWAYS
}

/// Opens a kept file; `None` if there is none, or it is not a file that could be kept.
pub(super) fn open(snapshot: &Snapshot, name: &str) -> Option<FileBytes> {
    let opened = snapshot.folder().open(name).and_then(|file| {
        let of = StorageError::of("read", snapshot.folder().at(name));
        let length = file.metadata().map(|found| found.len());
        let is_possible = length.as_ref().is_ok_and(|length| *length <= most_bytes(snapshot));
        let whole = length.and_then(|_| is_possible.then(|| FileBytes::whole(file)).transpose());
        whole.map_err(of)
    });
    match opened {
        Err(error) if error.source.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            tracing::warn!(%error, "the kept passages cannot be read; they are searched again");
            None
        }
        Ok(file) => file,
    }
}

/// Notes that a kept file was used. Without the permission to do that it counts as older.
pub(super) fn touch(snapshot: &Snapshot, name: &str) {
    let _ = snapshot.folder().open(name).map(|file| file.set_modified(SystemTime::now()));
}

/// Writes a kept file, and removes those that are too many. Returns whether it is not too large to be kept.
pub(super) fn write(
    snapshot: &Snapshot,
    name: &str,
    head: &[u8],
    sections: &[Vec<u8>],
) -> Result<bool, StorageError> {
    let length = head.len() + sections.iter().map(Vec::len).sum::<usize>();
    let most = most_bytes(snapshot);
    if length as u64 > most {
        return Ok(false);
    }
    // Another process may be writing the same file, so the name of the draft is not known before.
    let mut draft = snapshot.folder().draft_unique(name)?;
    draft.write(head)?;
    sections.iter().try_for_each(|section| draft.write(section))?;
    draft.seal()?;
    remove_others(snapshot, name, most - length as u64);
    Ok(true)
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
