//! A document as a preview shows it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::query::ByteSpan;

/// A document as the preview shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentView {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// The file's text, decoded to UTF-8.
    pub text: Arc<String>,
    /// Byte offset of each line's start in `text`.
    pub line_starts: Arc<[u32]>,
    /// The name of the language when it is source code.
    pub language: Option<&'static str>,
    /// The duplicated runs of tokens within `examined`, in order, not overlapping.
    pub duplicated: Vec<Duplicated>,
    /// The part of `text` in which duplicated runs were searched. A long document is examined in parts.
    pub examined: ByteSpan,
}

/// A run of duplicated tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicated {
    /// Its span in the document's text.
    pub span: ByteSpan,
    /// Whether all of it lies in taboo text.
    pub taboo: bool,
}
