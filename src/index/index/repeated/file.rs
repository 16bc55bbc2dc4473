//! The repeated blots in a sealed file, which many processes map.
//!
//! ```text
//! head      magic · version u32 · 0 u32 · fingerprint of the index and of its files u128 ·
//!           of each shard the binary logarithm of the bits of its filter, (u8)
//! words     the filters of the shards, and then of each segment a bit for each part, in whole words (u64 each)
//! checksum  xxh3-64 of all before
//! ```
//!
//! Numbers are little-endian.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::error::RepeatedError;
use super::{KeyFilter, Repeated, Words, words_of_parts};
use crate::index::map::{Scratch, SealedNumbers};
use crate::index::posting::{KEY_BITS, SHARDS};
use crate::index::snapshot::Snapshot;
use dupi_base::storage::{Folder, StorageError};

const MAGIC: &[u8; 8] = b"dupi rpt";
/// The version of the format. It is raised when other blots count as repeated, too.
const VERSION: u32 = 1;
const HEAD: usize = 32 + SHARDS;
const CHECKSUM: usize = 8;
/// Bytes that are read or written at a time.
const PIECE: usize = 1 << 20;
/// What the names of files end with.
const ENDING: &str = "repeated";

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
    repeated.write(snapshot, folder, &name)?;
    Ok(name)
}

/// Opens the file with the repeated blots of a snapshot.
///
/// # Errors
/// When the file is missing, cannot be read, is damaged, or is of another generation or other files of the index.
pub fn shared(snapshot: &Snapshot, path: &Path) -> Result<Repeated, RepeatedError> {
    Repeated::open(snapshot, path).map_err(|error| match error {
        RepeatedError::Storage(error) if error.source.kind() == io::ErrorKind::NotFound => {
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
    pub(super) fn write(&self, snapshot: &Snapshot, folder: &Folder, name: &str) -> Result<(), StorageError> {
        let mut head = [&MAGIC[..], &VERSION.to_le_bytes(), &[0; 4]].concat();
        head.extend(snapshot.fingerprint().to_le_bytes());
        head.extend(self.filters.iter().map(|filter| filter.bits as u8));
        // A task that outlives its job does not make the job's folder again.
        folder.create_in_parent()?;
        // Another attempt may be writing the same file.
        let mut draft = folder.draft_unique(name)?;
        let mut sum = Xxh3::new();
        sum.update(&head);
        draft.write(&head)?;
        for piece in self.words().chunks(PIECE / 8) {
            let bytes: Vec<u8> = piece.iter().flat_map(|word| word.to_le_bytes()).collect();
            sum.update(&bytes);
            draft.write(&bytes)?;
        }
        draft.write(&sum.digest().to_le_bytes())?;
        draft.seal()
    }

    /// Opens and checks a file.
    fn open(snapshot: &Snapshot, path: &Path) -> Result<Self, RepeatedError> {
        let damaged = |detail| RepeatedError::Damaged { path: path.to_owned(), detail };
        let failed = |error| StorageError::of("read", path)(error);
        let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let file = folder.open(name)?;
        let length = file.metadata().map_err(failed)?.len();
        let end = length.checked_sub(CHECKSUM as u64).filter(|end| *end >= HEAD as u64);
        let end = end.ok_or_else(|| damaged("it is too short"))?;
        let mut head = [0; HEAD];
        file.read_exact_at(&mut head, 0).map_err(failed)?;
        let Some(version) = head.strip_prefix(MAGIC).and_then(|rest| rest.first_chunk()) else {
            return Err(damaged("it does not begin as such a file does"));
        };
        if u32::from_le_bytes(*version) != VERSION {
            return Err(RepeatedError::Version(path.to_owned()));
        }
        let map = SealedNumbers::of(&file).map_err(failed)?;
        let (mut sum, mut at, mut piece) = (Xxh3::new(), 0, vec![0; PIECE]);
        let mut held = Vec::new();
        while at < end {
            let piece = &mut piece[..(end - at).min(PIECE as u64) as usize];
            file.read_exact_at(piece, at).map_err(failed)?;
            sum.update(piece);
            if map.is_none() {
                held.extend_from_slice(piece);
            }
            at += piece.len() as u64;
        }
        let mut checksum = [0; CHECKSUM];
        file.read_exact_at(&mut checksum, end).map_err(failed)?;
        if sum.digest() != u64::from_le_bytes(checksum) {
            return Err(damaged("it does not agree with its checksum"));
        }
        if head[16..32] != snapshot.fingerprint().to_le_bytes() {
            return Err(RepeatedError::OtherIndex(path.to_owned()));
        }
        let (filters, parts, words) =
            placed(snapshot, &head[32..]).ok_or_else(|| damaged("a filter is too large"))?;
        if end - HEAD as u64 != words as u64 * 8 {
            return Err(damaged("its length is wrong"));
        }
        let words = match map.and_then(|map| Scratch::of_sealed(&map, HEAD as u64, words, 0)) {
            Some(mapped) => Words::Mapped(mapped),
            None => {
                let bytes = held.get(HEAD..).unwrap_or_default();
                Words::Held(bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
            }
        };
        Ok(Self { filters, parts, words })
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
