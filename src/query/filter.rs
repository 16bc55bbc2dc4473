//! Stands in for what is being built.
use crate::config::SavedFilters;
use std::ops::Range;
/// S.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// O.
    Open,
    /// A.
    Accepted,
    /// T.
    Taboo,
}
/// Values.
pub struct Values<'a> {
    /// L.
    pub languages: &'a [String],
    /// E.
    pub extensions: &'a [String],
    /// S.
    pub saved: &'a SavedFilters,
}
/// C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What of the filter it replaces.
    pub span: Range<usize>,
    /// By what; the cursor goes behind it.
    pub text: String,
    /// What it means, in a few words; may be empty.
    pub about: String,
}
/// C.
pub fn complete(_: &str, _: usize, _: &Values) -> Vec<Candidate> {
    Vec::new()
}
/// A text as one exact term of a filter.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
