//! A document that was read for a search.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use dupi_base::corpus::Stamp;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::page::{DocumentReader, OpenFile};
use dupi_text::token::{Language, Tokeniser};

/// Computes flags of a document from its text, while the search has it at hand. Only the caller knows what they mean.
pub type FlagsOf = fn(&str) -> u8;

/// A document that was read for a search, with the stamp of its file at that time.
#[derive(Clone, Copy, Debug)]
pub struct SourceDocument {
    /// The document.
    pub id: DocumentId,
    /// Its file's stamp.
    pub stamp: Stamp,
    /// How many tokens it had.
    pub tokens: u32,
    /// xxh3-64 of its text.
    pub text: u64,
    /// Its language, when it is source code.
    pub language: Option<Language>,
    /// The flags that the caller of the search computed, less than four.
    pub flags: u8,
}

impl SourceDocument {
    /// A document of a file with this stamp, with its text, the number of its tokens, how it was tokenised, and its flags.
    pub fn new(
        id: DocumentId,
        stamp: Stamp,
        text: &str,
        tokens: usize,
        (tokeniser, flags): (Tokeniser, u8),
    ) -> Self {
        let language = tokeniser.language();
        Self { id, stamp, tokens: tokens as u32, text: xxh3_64(text.as_bytes()), language, flags }
    }

    /// Opens its file, and returns it with the number of the document's record; `None` when the file has changed.
    pub fn open(
        &self,
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Option<(Arc<OpenFile>, Option<u32>)> {
        let file = reader.file(snapshot.path(snapshot.file_of(self.id))).ok()?;
        let record = snapshot.document(self.id).record;
        (file.stamp() == self.stamp).then_some((file, (record > 0).then_some(record)))
    }
}
