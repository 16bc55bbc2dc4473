//! A document that is compared with others as a whole.

use xxhash_rust::xxh3::xxh3_64;

use super::documents::ReadDocument;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};

/// A document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its number in the snapshot.
    pub id: DocumentId,
    /// How many tokens it has.
    pub tokens: u32,
    /// How many bytes: of a file its size, of a record the length of its text.
    pub bytes: u64,
    /// xxh3-64 of its text.
    pub text: u64,
    /// When its file was modified, in nanoseconds since 1970.
    pub mtime: i64,
}

impl Document {
    /// A document as the index has it.
    pub fn indexed(snapshot: &Snapshot, id: DocumentId) -> Self {
        let row = snapshot.document(id);
        let table = snapshot.segment(id.segment).table();
        let stamp = table.stamp(row.file);
        let bytes = match row.record {
            0 => stamp.size,
            // The parts of a document cover its text.
            _ => table.parts_of(id.document).last().map_or(0, |part| u64::from(table.part(PartId(part)).end)),
        };
        Self { id, tokens: row.tokens, bytes, text: row.key, mtime: stamp.mtime }
    }

    /// A document as it was read.
    pub(super) fn read(snapshot: &Snapshot, read: &ReadDocument) -> Self {
        let bytes = match snapshot.document(read.id).record {
            0 => read.stamp.size,
            _ => read.text.len() as u64,
        };
        let text = xxh3_64(read.text.as_bytes());
        Self { id: read.id, tokens: read.tokens.len() as u32, bytes, text, mtime: read.stamp.mtime }
    }
}
