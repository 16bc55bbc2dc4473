//! How reports name documents, parts of documents, and paths as URIs (RFC 3986).

use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::ser::Serializer;

use dupi_base::storage::{shown_spelling, spelled, unspelled};
use dupi_index::query::Occurrence;

/// A document, as reports name it: a path, or when it is a record of a file, `path#record`. JSON has the exact
/// [spelling](spelled), people see what a terminal shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentName {
    name: String,
    /// How much of the name is the path.
    path: usize,
}

impl DocumentName {
    /// The name of a file, or of a record of it.
    pub fn new(path: &Path, record: Option<u32>) -> Self {
        let spelling = spelled(path);
        let path = spelling.len();
        let name = match record {
            Some(record) => format!("{spelling}#{record}"),
            None => spelling.into_owned(),
        };
        Self { name, path }
    }

    /// The exact spelling, with the record.
    pub fn spelled(&self) -> &str {
        &self.name
    }

    /// The file.
    pub fn file(&self) -> PathBuf {
        unspelled(OsStr::new(&self.name[..self.path]))
    }
}

impl Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown_spelling(&self.name))
    }
}

impl Serialize for DocumentName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

/// One copy.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OccurrenceRow {
    /// The document.
    pub path: DocumentName,
    /// The part of it.
    #[serde(flatten)]
    pub part: Part,
}

/// A part of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its first byte in the file.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
    /// Line of its first character, from 1.
    pub line: u32,
    /// Column of its first character, from 1, in characters.
    pub column: u32,
    /// Line of its last character.
    pub end_line: u32,
    /// Column behind its last character.
    pub end_column: u32,
}

impl From<&Occurrence> for OccurrenceRow {
    fn from(found: &Occurrence) -> Self {
        let &Occurrence { span, line, column, end_line, end_column, .. } = found;
        Self {
            path: DocumentName::new(&found.path, found.record),
            part: Part { start: span.start, end: span.end, line, column, end_line, end_column },
        }
    }
}

/// A path as a URI: relative to some folder, or with the scheme `file` when it is absolute.
pub(super) fn uri_of(path: &Path) -> String {
    let scheme = if path.is_absolute() { "file://" } else { "" };
    format!("{scheme}{}", escaped(path))
}

/// A path in which whatever has a meaning in a URI is escaped.
pub(super) fn escaped(path: &Path) -> String {
    let mut uri = String::new();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(byte.into());
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_with_its_file() {
        assert_eq!(DocumentName::new(Path::new("a/b"), None).to_string(), "a/b");
        let record = DocumentName::new(Path::new("a/b"), Some(3));
        assert_eq!((record.to_string().as_str(), record.spelled()), ("a/b#3", "a/b#3"));
        assert_eq!(record.file(), Path::new("a/b"));
    }

    #[test]
    fn whatever_has_a_meaning_in_a_uri_is_escaped() {
        let uri = |bytes: &[u8]| uri_of(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(uri(b"a/b c:d?e#f%\xff"), "a/b%20c%3Ad%3Fe%23f%25%FF");
        assert_eq!(uri("/é".as_bytes()), "file:///%C3%A9");
    }
}
