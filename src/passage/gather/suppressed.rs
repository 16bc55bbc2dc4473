//! The tokens of documents that marks in the source suppress.

use std::ops::Range;
use std::path::Path;

use dupi_index::taboo::{SuppressedText, suppressed_texts, tokens_in};
use dupi_text::token::Token;

/// Tokens of a document that a mark suppresses.
#[derive(Clone, Debug)]
pub struct SuppressedTokens {
    /// The index of the document in the sources.
    pub document: u32,
    /// The indices of the tokens in the document.
    pub tokens: Range<u32>,
    /// The line of the mark, from 1.
    pub line: u32,
    /// Whether it is a start without an end.
    pub is_open: bool,
}

/// The tokens of a document that marks suppress.
pub(super) fn suppressed_tokens(
    path: &Path,
    text: &str,
    document: u32,
    tokens: &[Token],
) -> impl Iterator<Item = SuppressedTokens> {
    suppressed_texts(path, text).into_iter().map(move |SuppressedText { bytes, line, is_open }| {
        SuppressedTokens { document, tokens: tokens_in(tokens, &bytes), line, is_open }
    })
}
