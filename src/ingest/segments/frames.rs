//! Documents in a stream, for programs that hand over texts instead of files.
//!
//! ```text
//! document   length of the path, path · time of the last change · length of the bytes, bytes
//! ```
//!
//! Lengths and the time, in nanoseconds since 1970, are varints of the integer-encoding crate (LEB128), as protocol
//! buffers have them. The path is relative to the root, or absolute; the bytes are those that the file has or will have there.

use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use integer_encoding::VarIntReader;

use super::SegmentError;
use dupi_base::corpus::Stamp;

/// A longer path is not one.
const LONGEST_PATH: u64 = 1 << 16;

/// A document in a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its path, relative to the root.
    pub path: PathBuf,
    /// Its size and time.
    pub stamp: Stamp,
    /// Its bytes; `None` if there are more than are read.
    pub bytes: Option<Vec<u8>>,
}

/// Reads documents from a stream. After an error there is nothing more to read.
///
/// # Errors
/// [`SegmentError::Wrong`] if the stream ends within a document, or is something else.
pub struct FrameReader<R> {
    stream: R,
    most: u64,
}

impl<R: Read> FrameReader<R> {
    /// A reader that passes over the bytes of documents with more than `most`.
    pub fn new(stream: R, most: u64) -> Self {
        Self { stream, most }
    }

    /// The next document; `None` at the end.
    fn read_next(&mut self) -> Result<Option<Frame>, SegmentError> {
        let mut first = [0];
        let length = loop {
            match self.stream.read(&mut first) {
                Ok(0) => return Ok(None),
                Ok(_) => {
                    break first.as_slice().chain(&mut self.stream).read_varint::<u64>().map_err(wrong)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(wrong(error)),
            }
        };
        if length == 0 || length > LONGEST_PATH {
            return Err(faulty(&format!("it has a path of {length} bytes")));
        }
        let path = PathBuf::from(std::ffi::OsString::from_vec(self.bytes(length)?));
        if path.as_os_str().as_bytes().contains(&0) {
            return Err(faulty("it has a path with a NUL"));
        }
        let mtime = self.stream.read_varint::<u64>().map_err(wrong)?;
        let mtime = i64::try_from(mtime).unwrap_or(i64::MAX);
        let size = self.stream.read_varint::<u64>().map_err(wrong)?;
        let bytes = if size > self.most {
            let passed = io::copy(&mut (&mut self.stream).take(size), &mut io::sink()).map_err(wrong)?;
            if passed < size {
                return Err(wrong(ErrorKind::UnexpectedEof.into()));
            }
            None
        } else {
            Some(self.bytes(size)?)
        };
        Ok(Some(Frame { path, stamp: Stamp { size, mtime }, bytes }))
    }

    /// The next bytes. A length that the stream does not keep costs no memory.
    fn bytes(&mut self, length: u64) -> Result<Vec<u8>, SegmentError> {
        let mut bytes = Vec::new();
        let read = (&mut self.stream).take(length).read_to_end(&mut bytes).map_err(wrong)?;
        if (read as u64) < length { Err(wrong(ErrorKind::UnexpectedEof.into())) } else { Ok(bytes) }
    }
}

impl<R: Read> Iterator for FrameReader<R> {
    type Item = Result<Frame, SegmentError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_next().transpose()
    }
}

fn wrong(error: io::Error) -> SegmentError {
    faulty(&match error.kind() {
        ErrorKind::UnexpectedEof => "it ends within a document".to_owned(),
        _ => dupi_base::storage::in_words(&error),
    })
}

fn faulty(detail: &str) -> SegmentError {
    SegmentError::Wrong(format!("standard input is not a sequence of documents: {detail}"))
}

#[cfg(test)]
mod tests {
    use integer_encoding::VarIntWriter;
    use proptest::prelude::*;

    use super::*;

    fn framed(documents: &[(String, u64, Vec<u8>)]) -> Vec<u8> {
        let mut stream = Vec::new();
        for (path, mtime, bytes) in documents {
            stream.write_varint(path.len() as u64).unwrap();
            stream.extend_from_slice(path.as_bytes());
            stream.write_varint(*mtime).unwrap();
            stream.write_varint(bytes.len() as u64).unwrap();
            stream.extend_from_slice(bytes);
        }
        stream
    }

    fn read(stream: &[u8], most: u64) -> Result<Vec<Frame>, String> {
        FrameReader::new(stream, most).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    proptest! {
        #[test]
        fn what_was_framed_is_read_and_a_cut_is_noticed(
            documents in prop::collection::vec(("[a-z/é]{1,200}", 0..u64::MAX / 2, prop::collection::vec(any::<u8>(), 0..300)), 0..5),
            cut in any::<prop::sample::Index>(),
        ) {
            let stream = framed(&documents);
            let found = read(&stream, 1 << 20).unwrap();
            let expected = documents.iter().map(|(path, mtime, bytes)| Frame {
                path: path.into(),
                stamp: Stamp { size: bytes.len() as u64, mtime: *mtime as i64 },
                bytes: Some(bytes.clone()),
            });
            prop_assert_eq!(&found, &expected.collect::<Vec<_>>());
            // A large document is passed over, and the next one is found.
            let short = read(&stream, 100).unwrap();
            prop_assert_eq!(short.len(), found.len());
            for (short, found) in short.iter().zip(&found) {
                prop_assert_eq!(short.bytes.as_ref(), found.bytes.as_ref().filter(|bytes| bytes.len() <= 100));
            }
            let at = cut.index(stream.len() + 1);
            let whole: Vec<usize> = (0..=documents.len()).map(|count| framed(&documents[..count]).len()).collect();
            prop_assert_eq!(read(&stream[..at], 100).is_ok(), whole.contains(&at));
        }

        #[test]
        fn no_stream_panics(stream in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&stream, 50);
        }
    }
}
