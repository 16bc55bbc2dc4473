//! A run of gathered tokens: a copy of a passage during the search.

/// A run of gathered tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenRun {
    /// The place of its first token.
    pub place: u32,
    /// How many tokens it has.
    pub tokens: u32,
    /// Its similarity to the representative, 0 to 1.
    pub similarity: f32,
}

impl TokenRun {
    /// The place after its last token.
    pub fn end(&self) -> u32 {
        self.place + self.tokens
    }
}
