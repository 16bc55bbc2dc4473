//! Makes the documents of a preview, without duplicated runs.

use std::sync::Arc;

use crate::protocol::DocumentView;
use dupi_index::query::ByteSpan;
use dupi_index::query::page::{DocumentPage, line_starts};
use dupi_text::token::Language;

/// Whether a span lies within another one.
pub(super) fn holds(outer: ByteSpan, inner: ByteSpan) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The document of a page. No part of it is examined yet.
pub(super) fn view_of(page: &DocumentPage) -> DocumentView {
    let language = Language::detect(&page.file.path, &page.file.text).filter(|language| language.is_source());
    DocumentView {
        path: page.file.path.clone(),
        text: Arc::clone(&page.file.text),
        line_starts: Arc::clone(&page.file.line_starts),
        language: language.map(Language::name),
        duplicated: Vec::new(),
        examined: ByteSpan { end: page.span.start, ..page.span },
    }
}

/// A text that is in no document.
pub(super) fn text_view(text: &str) -> DocumentView {
    let line_starts = line_starts(text).into();
    DocumentView { text: text.to_owned().into(), line_starts, ..DocumentView::default() }
}
