//! Which document of a cluster is kept: its representative.

use std::cmp::Reverse;
use std::os::unix::ffi::OsStrExt;

use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::Document;

/// The representative of a cluster. Of equals, the first one by path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The document with the most tokens.
    #[default]
    Longest,
    /// The document whose file was changed first.
    Oldest,
    /// The document whose file was changed last.
    Newest,
    /// The document whose path has the fewest bytes.
    ShortestPath,
    /// The document that is the most similar to the others, on average. Similarities below the threshold count as 0.
    Central,
}

impl Keep {
    /// Chooses among documents, each with its number and the sum of its similarities to the others. The numbers ascend
    /// with the paths.
    pub(super) fn choose(
        self,
        snapshot: &Snapshot,
        documents: &[Document],
        members: impl Iterator<Item = (u32, f64)>,
    ) -> Option<u32> {
        let path = |document: &Document| {
            snapshot.path(snapshot.file_of(document.id)).as_os_str().as_bytes().len() as i64
        };
        let merit = |(number, sum): (u32, f64)| {
            let document = &documents[number as usize];
            let merit = match self {
                Self::Longest => i64::from(document.tokens),
                Self::Oldest => document.mtime.saturating_neg(),
                Self::Newest => document.mtime,
                Self::ShortestPath => -path(document),
                // Sums of up to a billion similarities, to six digits.
                Self::Central => (sum * 1e6) as i64,
            };
            (merit, Reverse(number))
        };
        members.map(merit).max().map(|(_, Reverse(number))| number)
    }
}
