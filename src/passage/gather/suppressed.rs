//! The tokens of documents that marks in the source suppress.

use std::ops::Range;
use std::path::Path;

use crate::taboo::{SuppressedText, suppressed_texts, tokens_in};
use crate::token::Token;

/// Tokens of a document that a mark suppresses.
#[derive(Clone, Debug)]
pub(in crate::passage) struct SuppressedTokens {
    /// The index of the document in the sources.
    pub(in crate::passage) document: u32,
    /// The indices of the tokens in the document.
    pub(in crate::passage) tokens: Range<u32>,
    /// The line of the mark, from 1.
    pub(in crate::passage) line: u32,
    /// Whether it is a start without an end.
    pub(in crate::passage) is_open: bool,
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
