//! A document as a preview shows it.

use std::path::PathBuf;
use std::sync::Arc;

use dupi_index::query::ByteSpan;
use dupi_passage::whole_lines::LineStretch;

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

impl DocumentView {
    /// A copy as it is highlighted: in source code extended to the lines that it covers whole; and whether it begins
    /// and whether it ends inside a line of source code.
    pub fn in_lines(&self, copy: ByteSpan) -> (ByteSpan, [bool; 2]) {
        let (start, end) = (copy.start as usize, copy.end as usize);
        if self.language.is_none() || self.text.get(start..end).is_none() {
            return (copy, [false; 2]);
        }
        let LineStretch { span, begins_inside, ends_inside } = LineStretch::of(&self.text, start..end);
        (ByteSpan { start: span.start as u64, end: span.end as u64 }, [begins_inside, ends_inside])
    }
}

/// A run of duplicated tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicated {
    /// Its span in the document's text.
    pub span: ByteSpan,
    /// Whether all of it lies in taboo text.
    pub taboo: bool,
}
