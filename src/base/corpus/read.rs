//! Reads a whole file into a reusable buffer, and never blocks on anything but the disk.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::{SkipReason, Stamp, handles};
use crate::config::Size;
use crate::storage::in_words;

/// `O_NONBLOCK`, so that opening a FIFO that replaced a file returns at once.
const NONBLOCK: i32 = libc::O_NONBLOCK | libc::O_NOCTTY;
/// How many bytes are hashed at a time.
const PIECE: usize = 1 << 16;

/// Reads a file of at most `max` bytes into `buffer`. Returns its stamp when it was opened.
///
/// # Errors
/// Why the file is skipped.
pub fn read(path: &Path, max: u64, buffer: &mut Vec<u8>) -> Result<Stamp, SkipReason> {
    buffer.clear();
    open(path, max, |file, stamp| {
        fill(file, max, stamp.size, buffer)?;
        if buffer.is_empty() { Err(SkipReason::Empty) } else { Ok(stamp) }
    })
}

/// The XXH3 hash of a file of at most `max` bytes, and its stamp when it was opened. The file is read in pieces, so
/// this takes little memory for files of any size.
///
/// # Errors
/// Why the file would be skipped.
pub fn hash(path: &Path, max: u64) -> Result<(u64, Stamp), SkipReason> {
    open(path, max, |file, stamp| {
        let mut file = file.take(max + 1);
        let mut piece = vec![0; PIECE.min(stamp.size as usize + 1)];
        let (mut hash, mut length) = (Xxh3::new(), 0);
        loop {
            match file.read(&mut piece) {
                Ok(0) if length > max => return Err(SkipReason::TooLarge(length)),
                Ok(0) => return Ok((hash.digest(), stamp)),
                Ok(read) => {
                    hash.update(&piece[..read]);
                    length += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(SkipReason::from_io(&error)),
            }
        }
    })
}

/// The most bytes of a stream, such as standard input. Spans of text are counted in 32 bits.
const MOST_OF_STREAM: u64 = u32::MAX as u64;

/// Reads a stream to its end, which may never come: no more than the largest file has.
///
/// # Errors
/// The system's, and [`ErrorKind::FileTooLarge`] for a longer stream.
pub fn read_stream(stream: impl Read) -> io::Result<Vec<u8>> {
    read_at_most(stream, MOST_OF_STREAM)
}

fn read_at_most(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if stream.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        let sentence = format!("it has more than {}", Size(most));
        return Err(io::Error::new(ErrorKind::FileTooLarge, sentence));
    }
    Ok(bytes)
}

/// Opens a regular file of at most `max` bytes and passes it with its stamp to `take`.
fn open<T>(
    path: &Path,
    max: u64,
    take: impl FnOnce(&File, Stamp) -> Result<T, SkipReason>,
) -> Result<T, SkipReason> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(error) = failing::error_of(path) {
        return Err(SkipReason::from_io(&error));
    }
    let open = || OpenOptions::new().read(true).custom_flags(NONBLOCK).open(path);
    handles::with_handle(open, |file| {
        let file = file.map_err(|error| SkipReason::from_io(&error))?;
        let stamp = regular(file.metadata())?;
        if stamp.size > max { Err(SkipReason::TooLarge(stamp.size)) } else { take(&file, stamp) }
    })
}

/// The stamp of a regular file; `None` if there is none.
pub fn stamp(path: &Path) -> Option<Stamp> {
    stamp_of_file(path, true).ok()
}

/// The stamp of a regular file. Without `follows`, a symbolic link is none.
///
/// # Errors
/// Why the file would be skipped.
pub fn stamp_of_file(path: &Path, follows: bool) -> Result<Stamp, SkipReason> {
    regular(if follows { path.metadata() } else { path.symlink_metadata() })
}

fn regular(metadata: io::Result<Metadata>) -> Result<Stamp, SkipReason> {
    let metadata = metadata.map_err(|error| SkipReason::from_io(&error))?;
    match special(metadata.file_type()) {
        None => Ok(stamp_of(&metadata)),
        Some(special) => Err(SkipReason::NotRegular(special.to_owned())),
    }
}

/// Reads a file to its end. It may grow or shrink meanwhile: `length` is a hint, `max` a limit.
fn fill(file: &File, max: u64, length: u64, buffer: &mut Vec<u8>) -> Result<(), SkipReason> {
    buffer.reserve_exact(length as usize + 1);
    match file.take(max + 1).read_to_end(buffer) {
        Ok(read) if read as u64 > max => Err(SkipReason::TooLarge(read as u64)),
        Ok(_) => Ok(()),
        Err(error) => Err(SkipReason::from_io(&error)),
    }
}

impl SkipReason {
    /// The skip reason of a system error.
    pub fn from_io(error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Vanished,
            _ if is_temporary(error) => Self::NotNow(in_words(error)),
            _ => Self::Unreadable(in_words(error)),
        }
    }
}

/// Whether the error is temporary: another attempt may succeed.
fn is_temporary(error: &std::io::Error) -> bool {
    let temporary = [
        libc::EMFILE,
        libc::ENFILE,
        libc::ENOMEM,
        libc::ENOBUFS,
        libc::EIO,
        libc::EAGAIN,
        libc::EBUSY,
        libc::ESTALE,
        libc::ETIMEDOUT,
    ];
    error.raw_os_error().is_some_and(|code| temporary.contains(&code))
}

/// What a file is if it is not a regular file.
pub(super) fn special(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_file() => None,
        kind if kind.is_fifo() => Some("FIFO"),
        kind if kind.is_socket() => Some("socket"),
        kind if kind.is_symlink() => Some("symbolic link"),
        kind if kind.is_block_device() || kind.is_char_device() => Some("device"),
        _ => Some("folder"),
    }
}

/// The stamp of a file.
pub(super) fn stamp_of(metadata: &Metadata) -> Stamp {
    Stamp { size: metadata.len(), mtime: nanoseconds(metadata.mtime(), metadata.mtime_nsec()) }
}

pub(super) fn nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

/// Makes reading a file fail, for tests.
#[cfg(any(test, feature = "testing"))]
pub mod failing {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, PoisonError};

    static FAILING: Mutex<Vec<(PathBuf, i32)>> = Mutex::new(Vec::new());

    /// Reading the file fails with this error until the guard is dropped.
    pub fn let_fail(path: PathBuf, code: i32) -> Failing {
        FAILING.lock().unwrap_or_else(PoisonError::into_inner).push((path.clone(), code));
        Failing(path)
    }

    pub(super) fn error_of(path: &Path) -> Option<io::Error> {
        let failing = FAILING.lock().unwrap_or_else(PoisonError::into_inner);
        let found = failing.iter().find(|(failing, _)| failing == path)?;
        Some(io::Error::from_raw_os_error(found.1))
    }

    /// Lets reading succeed again when it is dropped.
    pub struct Failing(PathBuf);

    impl Drop for Failing {
        fn drop(&mut self) {
            FAILING.lock().unwrap_or_else(PoisonError::into_inner).retain(|(path, _)| *path != self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_stream_without_an_end_is_refused() {
        assert_eq!(read_at_most(io::repeat(1).take(9), 9).unwrap(), [1; 9]);
        let error = read_at_most(io::repeat(1), 2 << 10).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 2.0 KiB");
    }

    #[test]
    fn a_file_is_read_whole_and_each_bad_one_has_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("good"), "text").unwrap();
        fs::write(at("empty"), "").unwrap();
        fs::create_dir(at("folder")).unwrap();
        assert!(Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
        let mut buffer = b"what was here before".to_vec();
        assert_eq!(read(&at("good"), 9, &mut buffer).map(|stamp| stamp.size), Ok(4));
        assert_eq!(buffer, b"text");
        let mut reason = |name: &str| read(&at(name), 3, &mut buffer).unwrap_err();
        assert_eq!(reason("good"), SkipReason::TooLarge(4));
        assert_eq!(reason("empty"), SkipReason::Empty);
        assert_eq!(reason("gone"), SkipReason::Vanished);
        assert_eq!(reason("good/below"), SkipReason::Vanished);
        assert_eq!(reason("folder"), SkipReason::NotRegular("folder".into()));
        assert_eq!(reason("fifo"), SkipReason::NotRegular("FIFO".into()));
        assert_eq!(
            read(Path::new("/dev/null"), 3, &mut buffer),
            Err(SkipReason::NotRegular("device".into()))
        );
        let _socket = UnixListener::bind(at("socket")).unwrap();
        assert!(matches!(read(&at("socket"), 3, &mut buffer), Err(SkipReason::Unreadable(_))));
    }

    #[test]
    fn a_hash_in_pieces_is_that_of_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7] {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 7 % 251) as u8).collect();
            fs::write(&path, &bytes).unwrap();
            let (hash, stamp) = hash(&path, 1 << 20).unwrap();
            assert_eq!((hash, stamp.size), (xxhash_rust::xxh3::xxh3_64(&bytes), length as u64));
        }
        assert_eq!(super::hash(&path, 9), Err(SkipReason::TooLarge(3 * PIECE as u64 + 7)));
    }

    #[test]
    fn a_refusal_of_the_system_is_quoted() {
        let error = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(SkipReason::from_io(&error).to_string(), format!("unreadable: {error}"));
    }

    #[test]
    fn a_file_that_grows_while_it_is_read_stays_below_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("grows");
        fs::write(&path, "0123456789").unwrap();
        let file = File::open(&path).unwrap();
        let mut buffer = Vec::new();
        assert_eq!(fill(&file, 6, 3, &mut buffer), Err(SkipReason::TooLarge(7)));
    }
}
