//! The gathered stretches of some files, in memory or in a scratch file.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use super::line_starts::LineStarts;
use super::stretch::TokenStretch;
use crate::gather::stretch::SourceDocument;
use crate::gather::stretch::SuppressedTokens;
use dupi_base::storage::Folder;
use dupi_base::storage::map::Scratch;
use dupi_text::token::Tokeniser;

/// The stretches of some files.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Chunk {
    /// The files, in the order of what was gathered of them.
    pub(super) files: Vec<GatheredFile>,
    pub(super) sources: Vec<SourceDocument>,
    pub(super) stretches: Vec<TokenStretch>,
    #[serde(skip)]
    pub(super) tokens: Vec<u64>,
    /// For each token the hash of its name, when names are folded and it is one, else 0; only if they are wanted.
    #[serde(skip)]
    pub(super) names: Vec<u32>,
    /// For each token, as varints: its distance from the end of the token before, and its length.
    #[serde(skip)]
    pub(super) spans: Vec<u8>,
    /// Which tokens begin a line; after those of each stretch, whether the token behind it does.
    pub(super) lines: LineStarts,
    /// What marks suppress.
    pub(super) suppressed: Vec<SuppressedTokens>,
    /// The tokens and spans, when they are in a scratch file.
    #[serde(skip)]
    pub(super) scratch: Option<Arc<Scratch>>,
}

/// A file of which something was gathered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct GatheredFile {
    /// Its number among the files that are read.
    pub(super) number: u32,
    pub(super) sources: Range<usize>,
    pub(super) stretches: Range<usize>,
    pub(super) suppressed: Range<usize>,
    /// What its text is, if others may have the same.
    pub(super) text: Option<TextPrint>,
    /// The number of an equal file, whose stretches are those of this one too.
    pub(super) same_as: Option<u32>,
}

/// What two documents must share to have the same tokens, at the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct TextPrint {
    /// xxh3-128 of the text; its seed is made of the bytes of the file and the tokeniser.
    pub(super) print: u128,
    /// How many tokens it has.
    pub(super) tokens: u32,
}

impl TextPrint {
    /// That of a text in a file with this hash and size. Its tokens are not known yet.
    pub(super) fn new(text: &str, (hash, size): (u64, u64), tokeniser: Tokeniser) -> Self {
        let seed = xxh3_64(format!("{hash} {size} {tokeniser:?}").as_bytes());
        Self { print: xxh3_128_with_seed(text.as_bytes(), seed), tokens: 0 }
    }
}

impl Chunk {
    /// Adds a file of which everything was gathered since some lengths of the sources, stretches and suppressed tokens.
    pub(super) fn add_file(&mut self, since: [usize; 3], file: GatheredFile) {
        let [sources, stretches, suppressed] = since;
        self.files.push(GatheredFile {
            sources: sources..self.sources.len(),
            stretches: stretches..self.stretches.len(),
            suppressed: suppressed..self.suppressed.len(),
            ..file
        });
    }

    /// The numbers of sources, stretches and suppressed tokens.
    pub(super) fn lengths(&self) -> [usize; 3] {
        [self.sources.len(), self.stretches.len(), self.suppressed.len()]
    }

    /// The bytes that it takes in memory.
    pub(super) fn held(&self) -> u64 {
        (self.tokens.len() * size_of::<u64>() + self.names.len() * size_of::<u32>() + self.spans.len()) as u64
    }

    pub(super) fn tokens(&self) -> &[u64] {
        self.scratch.as_ref().map_or(&self.tokens, |scratch| scratch.numbers())
    }

    pub(super) fn spans(&self) -> &[u8] {
        self.scratch.as_ref().map_or(&self.spans, |scratch| scratch.bytes())
    }

    /// Moves tokens and spans to a scratch file, if it can be written.
    pub(super) fn spill(&mut self, folder: &Folder, number: usize) {
        let name = format!("passages-{number}");
        let written = folder.scratch(&name).map_err(|error| error.to_string()).and_then(|file| {
            Scratch::write(file, [&self.tokens[..]], &self.spans).map_err(|error| error.to_string())
        });
        match written {
            Ok(scratch) => {
                (self.tokens, self.spans) = Default::default();
                self.scratch = Some(Arc::new(scratch));
            }
            Err(error) => {
                tracing::warn!(error, "no scratch file; the search for passages exceeds its memory limit");
            }
        }
    }
}
