//! How near two texts are as wholes, by the blots they share.

use std::collections::HashSet;

use crate::blot::Blot;

/// The share of the blots of either that both have: the resemblance of Broder (“On the resemblance and
/// containment of documents”, 1997). 1 for the same set, 0 for nothing in common or nothing at all.
pub fn resemblance(a: &HashSet<Blot>, b: &HashSet<Blot>) -> f64 {
    let both = a.intersection(b).count();
    let either = a.len() + b.len() - both;
    if either == 0 { 0.0 } else { both as f64 / either as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blots(hashes: &[u64]) -> HashSet<Blot> {
        hashes.iter().map(|hash| Blot::from_hash(hash << 40)).collect()
    }

    #[test]
    fn resemblance_is_what_both_have_of_what_either_has() {
        assert_eq!(resemblance(&blots(&[1, 2, 3]), &blots(&[2, 3, 4])), 0.5);
        assert_eq!(resemblance(&blots(&[1]), &blots(&[1])), 1.0);
        assert_eq!(resemblance(&blots(&[1]), &blots(&[2])), 0.0);
        assert_eq!(resemblance(&blots(&[]), &blots(&[])), 0.0);
    }
}
