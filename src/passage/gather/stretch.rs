//! What is gathered: documents, stretches of their tokens, and the tokens that marks suppress.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::measure::Measure;
use dupi_base::corpus::Stamp;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::page::{DocumentReader, OpenFile};
use dupi_index::taboo::{SuppressedText, suppressed_texts, tokens_in};
use dupi_text::blot::{Recipe, Selection};
use dupi_text::token::{Language, Token, Tokeniser};

/// A gathered run of tokens of one document.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct TokenStretch {
    /// The index of the document in the sources.
    pub document: u32,
    /// The place of its first token: its number among all gathered tokens.
    #[serde(skip)]
    pub base: u32,
    /// The index of its first token in its document.
    pub first: u32,
    /// How many tokens it has.
    pub len: u32,
    #[serde(skip)]
    pub(super) chunk: u32,
    #[serde(skip)]
    pub(super) at: u32,
    pub(super) spans: u32,
    #[serde(skip)]
    pub(super) lines: u32,
}

impl TokenStretch {
    /// Where its tokens are held. Stretches of identical documents may share them.
    pub(crate) fn held_at(&self) -> (u32, u32) {
        (self.chunk, self.at)
    }
}

/// Which stretches are gathered.
#[derive(Clone, Copy, Debug)]
pub struct StretchCriteria {
    /// The fewest tokens of a stretch.
    pub least: u32,
    /// The greatest distance, in tokens, between the starts of consecutive repeated tiles of one stretch.
    pub reach: u32,
    /// How many tokens before the first and after the last repeated tile belong to the stretch.
    pub margin: u32,
    /// Whether the names of folded tokens are gathered too.
    pub names: bool,
}

impl StretchCriteria {
    /// All stretches that can contain equal runs of `least` tokens.
    pub fn exact(recipe: &Recipe, least: u32) -> Self {
        let window = match recipe.selection {
            Selection::Every => 1,
            Selection::Winnow(window) => window,
        };
        Self { least, reach: window, margin: window - 1, names: false }
    }

    /// The stretches that can contain approximate copies.
    pub fn approximate(recipe: &Recipe, &Measure { least, gap, .. }: &Measure) -> Self {
        let margin = least + gap;
        Self { least: least / 2, reach: margin * 2 + recipe.tile_tokens(), margin, names: false }
    }
}

/// Tokens of a document that a mark suppresses.
#[derive(Clone, Debug, Serialize, Deserialize)]
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

/// Computes flags of a document from its text, while the search has it at hand. Only the caller knows what they mean.
pub type FlagsOf = fn(&str) -> u8;

/// A document that was read for a search, with the stamp of its file at that time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
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
