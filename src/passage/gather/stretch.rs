//! A gathered run of tokens.

/// A gathered run of tokens of one document.
#[derive(Clone, Copy, Debug)]
pub struct TokenStretch {
    /// The index of the document in the sources.
    pub document: u32,
    /// The place of its first token: its number among all gathered tokens.
    pub base: u32,
    /// The index of its first token in its document.
    pub first: u32,
    /// How many tokens it has.
    pub len: u32,
    pub(super) chunk: u32,
    pub(super) at: u32,
    pub(super) spans: u32,
    pub(super) lines: u32,
}

impl TokenStretch {
    /// Where its tokens are held. Stretches of identical documents may share them.
    pub(crate) fn held_at(&self) -> (u32, u32) {
        (self.chunk, self.at)
    }
}
