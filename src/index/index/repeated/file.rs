//! The repeated blots in a sealed file, which many processes map.
//!
//! The head says of which index and of which of its files it is, and the size of each shard's filter. The body has the words
//! of the filters, and then of each segment a bit for each part, in whole words.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{KeyFilter, Repeated, words_of_parts};
use crate::index::IndexError;
use crate::index::posting::{KEY_BITS, SHARDS};
use crate::index::snapshot::Snapshot;
use dupi_base::storage::sealed::{FileKind, SealedError, to_bytes};
use dupi_base::storage::{Folder, StorageError, shown};

/// The version is raised when other blots count as repeated, too.
const REPEATED: FileKind = FileKind {
    magic: b"dupi rpt",
    version: 2,
    remedy: "remove it, and make it again with `dupi-tui segment tally blots`",
};
/// What the names of files end with.
const ENDING: &str = "repeated";

/// Why the repeated blots of an index cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RepeatedError {
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The file.
    #[error(transparent)]
    File(#[from] SealedError),
    /// The file is missing.
    #[error(
        "there is no file of repeated blots {}; if the index was updated since it was made, it has another name: make it again with \
         `dupi-tui segment tally blots`",
        shown(.0)
    )]
    Missing(PathBuf),
    /// The file is of another generation of the index.
    #[error(
        "the file of repeated blots {} is of another generation of the index, or of other files of it; make it again with \
         `dupi-tui segment tally blots` and the same options",
        shown(.0)
    )]
    OtherIndex(PathBuf),
}

/// Writes the repeated blots of a snapshot to a file of a folder, unless it is there. Returns its name.
///
/// # Errors
/// When the index cannot be read, or the file cannot be written.
pub fn tallied(snapshot: &Snapshot, folder: &Folder) -> Result<String, RepeatedError> {
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
pub fn shared(snapshot: &Snapshot, path: &Path) -> Result<Repeated, RepeatedError> {
    Repeated::open(snapshot, path).map_err(|error| match error {
        RepeatedError::File(SealedError::Storage(error)) if error.source.kind() == ErrorKind::NotFound => {
            RepeatedError::Missing(path.to_owned())
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
    fn open(snapshot: &Snapshot, path: &Path) -> Result<Self, RepeatedError> {
        let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let file = REPEATED.open(&folder, name)?;
        file.check()?;
        let (fingerprint, bits): (u128, Vec<u8>) = file.value()?;
        if fingerprint != snapshot.fingerprint() {
            return Err(RepeatedError::OtherIndex(path.to_owned()));
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
