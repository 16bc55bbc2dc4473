//! The similarity of whole documents: by the blots, shingles or signatures they share.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod blocks;
mod by_features;
mod by_fingerprints;
mod by_shingles;
mod by_signatures;
mod by_spots;
pub mod clusters;
mod compared;
mod content;
pub mod document;
pub mod documents;
pub mod equal;
mod error;
pub mod features;
mod forest;
pub mod found;
pub mod identical;
pub mod jaccard;
pub mod keep;
pub mod kept_files;
pub mod like;
mod memory;
pub mod minhash;
pub mod pair;
pub mod pair_limit;
mod proof;
pub mod search;
pub mod settings;
pub mod simhash;
mod sketch;
pub mod sketch_table;
mod sketched;
pub mod spotsigs;
mod threshold;
pub mod trees;

pub use error::NearError;

use std::cmp::Ordering;

use dupi_text::blot::Blot;

/// The resemblance of two sets of blots: the size of their intersection divided by the size of their union (Broder, “On
/// the resemblance and containment of documents”, 1997). It is 1 for equal sets and 0 for disjoint or empty sets. Both
/// slices must be sorted and free of duplicates.
pub fn resemblance(a: &[Blot], b: &[Blot]) -> f64 {
    let (mut rest_a, mut rest_b, mut both) = (a, b, 0);
    while let ([first_a, behind_a @ ..], [first_b, behind_b @ ..]) = (rest_a, rest_b) {
        let order = first_a.cmp(first_b);
        both += usize::from(order == Ordering::Equal);
        rest_a = if order == Ordering::Greater { rest_a } else { behind_a };
        rest_b = if order == Ordering::Less { rest_b } else { behind_b };
    }
    let either = a.len() + b.len() - both;
    if either == 0 { 0.0 } else { both as f64 / either as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blots(hashes: &[u64]) -> Vec<Blot> {
        hashes.iter().map(|hash| Blot::from_hash(hash << 40)).collect()
    }

    #[test]
    fn resemblance_is_intersection_divided_by_union() {
        assert_eq!(resemblance(&blots(&[1, 2, 3]), &blots(&[2, 3, 4])), 0.5);
        assert_eq!(resemblance(&blots(&[1]), &blots(&[1])), 1.0);
        assert_eq!(resemblance(&blots(&[1]), &blots(&[2])), 0.0);
        assert_eq!(resemblance(&blots(&[]), &blots(&[])), 0.0);
    }
}
