//! The documents that resemble one text.

use rayon::prelude::*;

use super::overlap::{Features, overlap, resemblance};
use crate::near::features::FeatureSets;
use crate::near::threshold::Threshold;

/// The documents whose resemblance to a text is `threshold` or more, and that resemblance, the most similar first. `probe`
/// has the features of the text in any order, with repetitions: they count if `sets` are bags. Each document is compared:
/// that takes one pass over their features.
pub fn like(sets: &FeatureSets, probe: Vec<u64>, threshold: f64) -> Vec<(u32, f32)> {
    let Some(threshold) = Threshold::new(threshold) else { return Vec::new() };
    let mut text = FeatureSets::default();
    if sets.are_bags() {
        text.add_bag(probe);
    } else {
        text.add_set(probe);
    }
    let text = Features::of(&text, 0);
    let size = text.size();
    let compare = |document: u32| {
        let other = Features::of(sets, document);
        let sum = size + other.size();
        let both = overlap(text, other, threshold.overlap(sum))?;
        Some((document, resemblance(both, sum)))
    };
    let mut found: Vec<(u32, f32)> = (0..sets.len() as u32).into_par_iter().filter_map(compare).collect();
    found.par_sort_unstable_by(|(a, similar), (b, other)| other.total_cmp(similar).then(a.cmp(b)));
    found
}
