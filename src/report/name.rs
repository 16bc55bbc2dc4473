//! The name of a document.

use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::ser::Serializer;

use dupi_base::storage::{shown_spelling, spelled, unspelled};

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
}
