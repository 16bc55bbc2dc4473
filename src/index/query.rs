//! Queries to a snapshot of the index: where a blot occurs in the files, and which rows a filter selects.
//!
//! The index only says where to look. Every quoted text is verified, token by token, against the file as it is now.

use std::path::PathBuf;

use serde::Serialize;

pub mod blot_rows;
pub mod current;
pub mod documents;
pub mod filter;
pub mod offsets;
pub mod page;
pub mod unblot;

/// A range of bytes. The end is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ByteSpan {
    /// The first byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}

/// One verified copy of a snippet.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Occurrence {
    /// The file, relative to the corpus's base.
    pub path: PathBuf,
    /// The number of the record in the file, from 1, when the file holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<u32>,
    /// Its position in the bytes of the file.
    pub span: ByteSpan,
    /// Its position in the text of the file, decoded to UTF-8 without a byte-order mark.
    #[serde(skip)]
    pub text_span: ByteSpan,
    /// Line of its first character, from 1.
    pub line: u32,
    /// Column of its first character, from 1, in characters.
    pub column: u32,
    /// Line of its last character, from 1.
    pub end_line: u32,
    /// Column after its last character, from 1, in characters.
    pub end_column: u32,
}
