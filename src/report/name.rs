//! The name of a document.

use std::fmt::{self, Display};
use std::path::Path;

use serde::Serialize;
use serde::ser::Serializer;

use crate::storage::{shown_spelling, spelled};

/// A document, as reports name it: a path, or when it is a record of a file, `path#record`. JSON has the exact
/// [spelling](spelled), people see what a terminal shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentName(String);

impl DocumentName {
    /// The name of a file, or of a record of it.
    pub fn new(path: &Path, record: Option<u32>) -> Self {
        let path = spelled(path);
        Self(match record {
            Some(record) => format!("{path}#{record}"),
            None => path.into_owned(),
        })
    }
}

impl Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown_spelling(&self.0))
    }
}

impl Serialize for DocumentName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_with_its_file() {
        assert_eq!(DocumentName::new(Path::new("a/b"), None).to_string(), "a/b");
        assert_eq!(DocumentName::new(Path::new("a/b"), Some(3)).to_string(), "a/b#3");
    }
}
