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

/// The numbers of the documents in some pairs, ascending.
pub(super) fn numbers_of(pairs: &[Pair]) -> Vec<u32> {
    let mut numbers: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
