//! How reports name documents and parts of documents, paths as URIs (RFC 3986), and numbers, shares and days as people read them.

use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::ser::Serializer;

use dupi_base::storage::{shown_spelling, spelled, unspelled};
use dupi_index::query::Occurrence;

/// A number as people read it where there is little room: 950, `1.2k`, `34k`, `5.6M`.
pub fn in_short(number: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    // What rounds to a thousand of a unit is one of the next.
    let unit = UNITS.iter().find(|(unit, _)| number.saturating_mul(2_000) >= unit.saturating_mul(1_999));
    match unit {
        None => number.to_string(),
        Some((unit, sign)) => {
            let tenths = (u128::from(number) * 10 + u128::from(*unit) / 2) / u128::from(*unit);
            if tenths < 100 {
                format!("{}.{}{sign}", tenths / 10, tenths % 10)
            } else {
                format!("{}{sign}", (u128::from(number) + u128::from(*unit) / 2) / u128::from(*unit))
            }
        }
    }
}

/// How alike a copy is, to stand behind its place; nothing when it is equal. What differs is never 100 %.
pub(super) fn alike(similarity: f64) -> String {
    if similarity < 1.0 { format!(" ({:.0} %)", (similarity * 100.0).floor()) } else { String::new() }
}

/// A share, for people; what is not all is never 100 %.
pub(super) fn percent(part: u64, of: u64) -> String {
    tenths(part * 1000 / of.max(1))
}

/// Thousandths as per cent.
pub(super) fn tenths(thousandths: u64) -> String {
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

/// A share, to four digits.
pub fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

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
    fn large_numbers_are_shortened() {
        let shortened = |numbers: &[u64]| numbers.iter().map(|&number| in_short(number)).collect::<Vec<_>>();
        assert_eq!(shortened(&[0, 7, 998, 1_000, 1_249]), ["0", "7", "998", "1.0k", "1.2k"]);
        assert_eq!(shortened(&[9_949, 9_999, 10_499, 345_678]), ["9.9k", "10k", "10k", "346k"]);
        assert_eq!(shortened(&[999_499, 999_900, 1_250_000]), ["999k", "1.0M", "1.3M"]);
        assert_eq!(shortened(&[u64::MAX]), ["18446744T"]);
    }

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
