//! Sealed files of one form: what is kept of a search, and the results of the tasks of a cluster. What is in such a file is
//! the matter of its kind; where it begins, which version it has and whether it is damaged is told here.
//!
//! ```text
//! magic (8 bytes) · version u32 · 0 u32 · length of the head u64 · head · zeros up to a multiple of eight ·
//! xxh3-64 of all before u64 · body · xxh3-64 of the body u64
//! ```
//!
//! Numbers are little-endian. The head is read and checked when the file is opened. The body, which may be large, is checked
//! when it is read as a whole or as a stream of records, or in parts by checksums that its kind has. A head, or a part, is a value that
//! serde describes, in the form of the crate postcard ([`to_bytes`], [`from_bytes`]). No memory is taken because a file
//! says so: a length is compared with that of the file first.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::map::{FileBytes, Scratch, SealedNumbers};
use super::{Draft, Folder, StorageError, shown};

/// The bytes before the head.
const BEFORE_HEAD: u64 = 24;
const CHECKSUM: u64 = 8;
/// The most bytes of a head. The heads of the largest corpora are smaller; but a file with a hole can have any size.
const LARGEST_HEAD: u64 = 1 << 30;
/// Bytes that are read or encoded at a time.
const PIECE: usize = 1 << 20;

/// A kind of sealed files.
#[derive(Debug)]
pub struct FileKind {
    /// What its files are, for people: `the block`.
    pub name: &'static str,
    /// The first bytes of its files.
    pub magic: &'static [u8; 8],
    /// The version of its format.
    pub version: u32,
    /// What a user does when such a file is damaged or of another version.
    pub remedy: &'static str,
}

/// Why a sealed file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SealedError {
    /// The system refused an operation.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The file is damaged.
    #[error("{kind} {} is damaged ({detail}); {remedy}", shown(path))]
    Damaged {
        /// What the file is.
        kind: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// The file was written by another version of the program.
    #[error(
        "{kind} {} has format version {found}, this program reads {reads}; {}{remedy}",
        shown(path),
        if found > reads { "use a newer dupi-tui, or " } else { "" }
    )]
    Version {
        /// What the file is.
        kind: &'static str,
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that is read.
        reads: u32,
        /// What to do.
        remedy: &'static str,
    },
}

/// A value as bytes.
pub fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    // A vector always has room, and no value of ours has a sequence of unknown length.
    postcard::to_stdvec(value).expect("a value of a known length is written to memory")
}

/// The value that all of these bytes are; `None` if they are invalid.
pub fn from_bytes<T: DeserializeOwned>(mut bytes: &[u8]) -> Option<T> {
    take_value(&mut bytes).filter(|_| bytes.is_empty())
}

/// Takes the value with which some bytes begin; `None` if they are invalid. A sequence is its length and its values.
#[inline]
pub fn take_value<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    *bytes = rest;
    Some(value)
}

impl FileKind {
    /// Begins a file, under a temporary name that no other process uses.
    pub fn create(&self, folder: &Folder, name: &str, head: &[u8]) -> Result<SealedDraft, StorageError> {
        let length = (head.len() as u64).to_le_bytes();
        let mut bytes = [&self.magic[..], &self.version.to_le_bytes(), &[0; 4], &length, head].concat();
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let mut draft = folder.draft_unique(name)?;
        draft.write(&bytes)?;
        draft.write(&xxh3_64(&bytes).to_le_bytes())?;
        Ok(SealedDraft { draft, sum: Xxh3::new() })
    }

    /// Writes a file that has a head only.
    pub fn write(&self, folder: &Folder, name: &str, head: &impl Serialize) -> Result<(), StorageError> {
        self.create(folder, name, &to_bytes(head))?.seal().map(drop)
    }

    /// Opens a file and checks its head.
    pub fn open(&'static self, folder: &Folder, name: &str) -> Result<SealedFile, SealedError> {
        let (path, file) = (folder.at(name), folder.open(name)?);
        let length = file.metadata().map_err(StorageError::during("read", &path))?.len();
        let mut opened =
            SealedFile { kind: self, path, file, head: Vec::new(), body: 0..0, map: OnceLock::new() };
        let begin = opened.read(0, BEFORE_HEAD.min(length))?;
        let Some((version, rest)) = begin.strip_prefix(self.magic).and_then(<[u8]>::split_first_chunk) else {
            return Err(opened.damaged("it does not begin as such a file does"));
        };
        let found = u32::from_le_bytes(*version);
        if found != self.version {
            let (kind, path, reads, remedy) = (self.name, opened.path, self.version, self.remedy);
            return Err(SealedError::Version { kind, path, found, reads, remedy });
        }
        let is_cut = || opened.damaged("it is too short");
        let head = rest.last_chunk().map(|length| u64::from_le_bytes(*length)).ok_or_else(is_cut)?;
        let body = (head <= LARGEST_HEAD).then(|| (BEFORE_HEAD + head).next_multiple_of(8) + CHECKSUM);
        let end = length.checked_sub(CHECKSUM);
        let body = body.zip(end).filter(|(start, end)| start <= end).ok_or_else(is_cut)?;
        opened.body = body.0..body.1;
        let mut bytes = opened.read(0, opened.body.start)?;
        if split_checksum(&mut bytes) != xxh3_64(&bytes) {
            return Err(opened.damaged("it does not agree with its checksum"));
        }
        opened.head = bytes;
        opened.head.truncate((BEFORE_HEAD + head) as usize);
        opened.head.drain(..BEFORE_HEAD as usize);
        Ok(opened)
    }

    /// As [`Self::open`]; `None` if there is no such file, or it has more than some number of bytes.
    pub fn open_within(
        &'static self,
        folder: &Folder,
        name: &str,
        most: u64,
    ) -> Result<Option<SealedFile>, SealedError> {
        let is_missing = |error: &StorageError| error.source.kind() == std::io::ErrorKind::NotFound;
        let length = folder.open(name).map(|file| file.metadata().map_or(0, |found| found.len()));
        match length {
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(length) if length > most => Ok(None),
            Ok(_) => self.open(folder, name).map(Some),
        }
    }

    /// Reads the value that a file has as its head; `None` as for [`Self::open_within`].
    pub fn read<T: DeserializeOwned>(
        &'static self,
        folder: &Folder,
        name: &str,
        most: u64,
    ) -> Result<Option<T>, SealedError> {
        let Some(file) = self.open_within(folder, name, most)? else { return Ok(None) };
        file.check()?;
        file.value().map(Some)
    }
}

/// Takes a checksum off the end of some bytes that have one.
fn split_checksum(bytes: &mut Vec<u8>) -> u64 {
    let checksum = bytes.split_off(bytes.len() - CHECKSUM as usize);
    checksum.first_chunk().map_or(0, |sum| u64::from_le_bytes(*sum))
}

/// A sealed file that is being written.
pub struct SealedDraft {
    draft: Draft,
    sum: Xxh3,
}

impl SealedDraft {
    /// Appends bytes to the body.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        self.sum.update(bytes);
        self.draft.write(bytes)
    }

    /// Appends numbers to the body.
    pub fn write_numbers<T: Copy, const N: usize>(
        &mut self,
        numbers: &[T],
        bytes: impl Fn(T) -> [u8; N],
    ) -> Result<(), StorageError> {
        let mut pieces = numbers.chunks(PIECE / N);
        pieces.try_for_each(|piece| {
            self.write(&piece.iter().flat_map(|&number| bytes(number)).collect::<Vec<u8>>())
        })
    }

    /// Fills the body with zeros up to a multiple of eight bytes.
    pub fn align(&mut self) -> Result<(), StorageError> {
        let end = self.draft.written();
        self.write(&[0; 8][..(end.next_multiple_of(8) - end) as usize])
    }

    /// Seals the file. Returns the checksum of its body.
    pub fn seal(mut self) -> Result<u64, StorageError> {
        let checksum = self.sum.digest();
        self.draft.write(&checksum.to_le_bytes())?;
        self.draft.seal()?;
        Ok(checksum)
    }
}

/// An open sealed file of which the head was checked.
#[derive(Debug)]
pub struct SealedFile {
    kind: &'static FileKind,
    path: PathBuf,
    file: File,
    head: Vec<u8>,
    body: Range<u64>,
    /// The map of the file, once it was asked for; `None` if it must not be mapped.
    map: OnceLock<Option<SealedNumbers>>,
}

impl SealedFile {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The error of a file whose content is invalid.
    pub fn damaged(&self, detail: &'static str) -> SealedError {
        SealedError::Damaged {
            kind: self.kind.name,
            path: self.path.clone(),
            detail,
            remedy: self.kind.remedy,
        }
    }

    /// The bytes of the head.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The value of the head.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, SealedError> {
        from_bytes(&self.head).ok_or_else(|| self.damaged("its numbers contradict each other"))
    }

    /// The length of the body.
    pub fn length(&self) -> u64 {
        self.body.end - self.body.start
    }

    /// Reads and checks the whole body.
    pub fn check(&self) -> Result<(), SealedError> {
        let (mut sum, mut piece, mut at) = (Xxh3::new(), vec![0; PIECE], self.body.start);
        while at < self.body.end {
            let length = (self.body.end - at).min(PIECE as u64) as usize;
            self.file
                .read_exact_at(&mut piece[..length], at)
                .map_err(StorageError::during("read", &self.path))?;
            sum.update(&piece[..length]);
            at += length as u64;
        }
        match split_checksum(&mut self.read(self.body.end, CHECKSUM)?) == sum.digest() {
            true => Ok(()),
            false => Err(self.damaged("it does not agree with its checksum")),
        }
    }

    /// Bytes of the body, which must have them.
    pub fn read_body(&self, range: Range<u64>) -> Result<Vec<u8>, SealedError> {
        match range.start <= range.end && range.end <= self.length() {
            true => self.read(self.body.start + range.start, range.end - range.start),
            false => Err(self.damaged("a part of it is missing")),
        }
    }

    /// Numbers in the body from a multiple of eight on, and the bytes behind them, mapped where that is safe.
    pub fn numbers(&self, at: u64, numbers: usize, bytes: usize) -> Result<Scratch, SealedError> {
        let map = match self.map.get() {
            Some(map) => map,
            None => {
                let map = SealedNumbers::map(&self.file).map_err(StorageError::during("read", &self.path))?;
                self.map.get_or_init(|| map)
            }
        };
        let length = numbers.checked_mul(size_of::<u64>()).and_then(|length| length.checked_add(bytes));
        let end = length.and_then(|length| at.checked_add(length as u64)).filter(|end| *end <= self.length());
        let end = end.ok_or_else(|| self.damaged("a part of it is missing"))?;
        match map.as_ref().and_then(|map| Scratch::of_sealed(map, self.body.start + at, numbers, bytes)) {
            Some(mapped) => Ok(mapped),
            None => Ok(Scratch::held(&self.read_body(at..end)?, numbers)),
        }
    }

    /// The whole body, mapped or read, and checked.
    pub fn body(&self) -> Result<SealedBody, SealedError> {
        let failed = || StorageError::during("read", &self.path);
        let bytes = FileBytes::whole(self.file.try_clone().map_err(failed())?).map_err(failed())?;
        let range = self.body.start as usize..self.body.end as usize;
        let checksum =
            bytes.get(range.end..).and_then(<[u8]>::first_chunk).map(|sum| u64::from_le_bytes(*sum));
        match bytes.get(range.clone()).map(xxh3_64).zip(checksum) {
            Some((found, checksum)) if found == checksum => Ok(SealedBody { bytes, range, checksum }),
            _ => Err(self.damaged("it does not agree with its checksum")),
        }
    }

    /// The records of the body in order, which have `N` bytes each; `buffer` bytes are read at once.
    pub fn into_records<const N: usize>(self, buffer: usize) -> Result<SealedRecords<N>, SealedError> {
        if !self.length().is_multiple_of(N as u64) {
            return Err(self.damaged("its length is wrong"));
        }
        let mut file = &self.file;
        let failed = || StorageError::during("read", &self.path);
        file.seek(SeekFrom::Start(self.body.start)).map_err(failed())?;
        let stream = BufReader::with_capacity(buffer, file.try_clone().map_err(failed())?);
        Ok(SealedRecords { left: Some(self.length() / N as u64), stream, sum: Xxh3::new(), file: self })
    }

    fn read(&self, at: u64, length: u64) -> Result<Vec<u8>, SealedError> {
        let mut bytes = vec![0; length as usize];
        self.file.read_exact_at(&mut bytes, at).map_err(StorageError::during("read", &self.path))?;
        Ok(bytes)
    }
}

/// The body of a sealed file, mapped or in memory.
#[derive(Debug)]
pub struct SealedBody {
    bytes: FileBytes,
    range: Range<usize>,
    /// Its checksum, which names the file by what it has.
    pub checksum: u64,
}

impl std::ops::Deref for SealedBody {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }
}

/// The records of a body. Whoever reads all of them knows that they are not damaged.
pub struct SealedRecords<const N: usize> {
    file: SealedFile,
    stream: BufReader<File>,
    sum: Xxh3,
    /// How many records are left; `None` after the end.
    left: Option<u64>,
}

impl<const N: usize> SealedRecords<N> {
    /// The next record; `None` after the last one.
    ///
    /// # Errors
    /// Behind the last record, when the body does not agree with its checksum.
    pub fn read(&mut self) -> Result<Option<[u8; N]>, SealedError> {
        let Some(left) = self.left else { return Ok(None) };
        self.left = left.checked_sub(1);
        let failed = StorageError::during("read", &self.file.path);
        if self.left.is_some() {
            let mut record = [0; N];
            self.stream.read_exact(&mut record).map_err(failed)?;
            self.sum.update(&record);
            return Ok(Some(record));
        }
        let mut checksum = [0; CHECKSUM as usize];
        self.stream.read_exact(&mut checksum).map_err(failed)?;
        match u64::from_le_bytes(checksum) == self.sum.digest() {
            true => Ok(None),
            false => Err(self.file.damaged("it does not agree with its checksum")),
        }
    }
}

#[cfg(test)]
#[path = "sealed_tests.rs"]
mod tests;
