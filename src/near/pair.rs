//! Two similar documents.

/// Two documents, by their numbers, and how similar they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The smaller number.
    pub a: u32,
    /// The larger number.
    pub b: u32,
    /// From 0 to 1, in the measure of the method that found the pair.
    pub similarity: f32,
}

/// Sorts pairs by their numbers, and drops repeated ones.
pub fn sort_pairs(pairs: &mut Vec<Pair>) {
    pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
    pairs.dedup_by_key(|pair| (pair.a, pair.b));
}
