//! Sealed files of our own, mapped into memory or read.
//!
//! If a mapped file shrinks, accesses to it end the process with SIGBUS. Only a process that may write to the file
//! can shrink it; removing or replacing its name in the folder leaves the map intact. So a file is mapped only if
//! it belongs to this user or root and no other user may write to it, which is checked on the open file; any other
//! file is copied into memory. Our files are created with mode 0600 (those of older versions get it before they are
//! mapped) and are mapped only after they are sealed. No code of ours truncates or writes to a sealed file; it is
//! only unlinked. The remaining risk is that the user or root damages a file in use by other means. Scans of whole
//! runs read the file instead of the map. Files of the corpus, which anybody may truncate at any time, are never
//! mapped.
#![expect(unsafe_code, reason = "memory maps; the head says why they are sound")]

use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::ops::Deref;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use memmap2::{Advice, Mmap, UncheckedAdvice};

use super::guard::is_safe_to_map;

/// A file of at most this size is read: that is faster than mapping it and taking the page faults.
const READ_WHOLE: u64 = 256 << 10;

/// The bytes of a sealed file.
#[derive(Debug)]
pub enum FileBytes {
    /// Read into memory.
    Read(Vec<u8>),
    /// Mapped, and also open for reading.
    Mapped(Mmap, File),
}

impl FileBytes {
    /// Maps or reads a file of our own that is sealed, whatever it is.
    pub fn whole(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let sealed = Self::open(file, length)?;
        sealed.expect(0, length);
        Ok(sealed)
    }

    /// As [`Self::whole`], for a file of this length of which only parts may be read.
    pub fn open(file: File, length: u64) -> io::Result<Self> {
        let is_safe = is_safe_to_map(&file)?;
        Self::of(file, length, is_safe)
    }

    fn of(file: File, length: u64, is_safe: bool) -> io::Result<Self> {
        if length <= READ_WHOLE || !is_safe {
            let mut bytes = vec![0; length as usize];
            file.read_exact_at(&mut bytes, 0)?;
            return Ok(Self::Read(bytes));
        }
        // SAFETY: nobody but its owner can write to the file, and sealed files are never written to or
        // truncated by us, see the head of this module.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self::Mapped(map, file))
    }

    /// Announces that a range within the file will be read completely: its pages are mapped at once instead of one
    /// by one.
    pub fn expect(&self, start: u64, end: u64) {
        #[cfg(target_os = "linux")]
        if let Self::Mapped(map, _) = self {
            // Kernels before 5.14 do not support this. It is only an optimisation.
            let _ = map.advise_range(Advice::PopulateRead, start as usize, (end - start) as usize);
        }
    }

    /// Copies a range within the file without touching the map.
    pub fn copy(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Read(bytes) => {
                into.copy_from_slice(&bytes[start as usize..start as usize + into.len()]);
                Ok(())
            }
            Self::Mapped(_, file) => file.read_exact_at(into, start),
        }
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(map, _) => map,
        }
    }
}

/// The part of a scratch file, in bytes, that is written at a time. A system that keeps a file in larger pieces than this, because it was
/// written in them, maps all of one where a byte of it is read.
const WRITTEN: usize = 64 << 10;

/// Numbers and bytes that did not fit into memory, in a file that no other process can open; or those of a sealed file.
pub struct Scratch(Place);

enum Place {
    /// In a map, from a byte on.
    Mapped { map: Arc<Mmap>, at: usize, numbers: usize, bytes: usize },
    /// In memory, because the file must not be mapped.
    Held { numbers: Vec<u64>, bytes: Vec<u8> },
}

/// A sealed file of our own with numbers, mapped once: a process may not have many maps.
#[derive(Debug)]
pub(super) struct SealedNumbers(Arc<Mmap>);

impl SealedNumbers {
    /// `None` if the file must not or cannot be mapped, or if this machine has the bytes of numbers in another order.
    pub(super) fn map(file: &File) -> io::Result<Option<Self>> {
        if !is_safe_to_map(file)? || cfg!(target_endian = "big") {
            return Ok(None);
        }
        // SAFETY: nobody but its owner can write to the file, and sealed files are never written to or truncated by us, see
        // the head of this module.
        match unsafe { Mmap::map(file) } {
            Ok(map) => Ok(Some(Self(Arc::new(map)))),
            // There are too many maps, or the address space is limited.
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl From<Vec<u64>> for Scratch {
    fn from(numbers: Vec<u64>) -> Self {
        Self(Place::Held { numbers, bytes: Vec::new() })
    }
}

impl Scratch {
    /// Writes them to a file that must have no name. The numbers are in parts.
    pub fn write<'n>(
        file: File,
        numbers: impl IntoIterator<Item = &'n [u64]>,
        bytes: &[u8],
    ) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(WRITTEN, file);
        let mut count = 0;
        for some in numbers {
            count += some.len();
            // SAFETY: a number has no padding, so that its bytes are bytes.
            let (_, of_numbers, _) = unsafe { some.align_to() };
            of_numbers.chunks(WRITTEN).try_for_each(|piece| file.write_all(piece))?;
        }
        bytes.chunks(WRITTEN).try_for_each(|piece| file.write_all(piece))?;
        let file = file.into_inner().map_err(IntoInnerError::into_error)?;
        // SAFETY: the file has no name, so no other process can open it, and we do not write to it again.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self(Place::Mapped { map: Arc::new(map), at: 0, numbers: count, bytes: bytes.len() }))
    }

    /// Numbers and the bytes behind them in a sealed file, from a multiple of eight on; `None` if it does not have them.
    pub(super) fn of_sealed(file: &SealedNumbers, at: u64, numbers: usize, bytes: usize) -> Option<Self> {
        let at = usize::try_from(at).ok().filter(|at| at.is_multiple_of(size_of::<u64>()))?;
        let end = numbers.checked_mul(size_of::<u64>())?.checked_add(bytes)?.checked_add(at)?;
        (end <= file.0.len()).then(|| Self(Place::Mapped { map: Arc::clone(&file.0), at, numbers, bytes }))
    }

    /// The numbers at the beginning of some bytes, and the bytes behind them.
    pub(super) fn held(all: &[u8], numbers: usize) -> Self {
        let (words, bytes) = all.split_at(numbers * size_of::<u64>());
        let numbers = words.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        Self(Place::Held { numbers, bytes: bytes.to_vec() })
    }

    /// The numbers.
    #[inline]
    pub fn numbers(&self) -> &[u64] {
        match &self.0 {
            Place::Mapped { map, at, numbers, .. } => {
                // SAFETY: they begin at a multiple of eight in a page, so they are aligned, and any eight bytes are a number.
                let (_, numbers, _) = unsafe { map[*at..][..numbers * size_of::<u64>()].align_to() };
                numbers
            }
            Place::Held { numbers, .. } => numbers,
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Place::Mapped { map, at, numbers, bytes } => &map[at + numbers * size_of::<u64>()..][..*bytes],
            Place::Held { bytes, .. } => bytes,
        }
    }

    /// Says that what was read of it is not needed for now: its pages no longer count as memory of this process. They are
    /// read again from the file, or from the system's cache of it.
    pub fn rest(&self) {
        if let Place::Mapped { map, at, numbers, bytes } = &self.0 {
            let length = numbers * size_of::<u64>() + bytes;
            // SAFETY: the map is never written to, so that its pages hold what the file does.
            let rested = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, *at, length) };
            // It is only a matter of memory.
            let _ = rested;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Folder;

    #[test]
    fn a_file_that_others_may_write_to_is_copied_and_not_mapped() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let bytes = vec![7; READ_WHOLE as usize + 1];
        folder.replace("a", &bytes).unwrap();
        std::fs::set_permissions(folder.at("a"), PermissionsExt::from_mode(0o666)).unwrap();
        let length = bytes.len() as u64;
        let opened = FileBytes::open(folder.open("a").unwrap(), length).unwrap();
        assert!(matches!(opened, FileBytes::Mapped(..)));
        let mode = folder.at("a").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "it is closed to others before it is mapped");
        let copied = FileBytes::of(folder.open("a").unwrap(), length, false).unwrap();
        assert!(matches!(copied, FileBytes::Read(_)) && *copied == bytes[..]);
    }

    #[test]
    fn scratch_data_is_read_back_and_leaves_no_file() {
        let place = tempfile::tempdir().unwrap();
        let file = Folder::new(place.path()).scratch("test").unwrap();
        let numbers: Vec<u64> = (0..1000).map(|number| number << 40 | 7).collect();
        let (some, others) = numbers.split_at(300);
        let scratch = Scratch::write(file, [some, &[], others], b"bytes").unwrap();
        for _ in 0..2 {
            assert_eq!((scratch.numbers(), scratch.bytes()), (&numbers[..], &b"bytes"[..]));
            scratch.rest();
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
