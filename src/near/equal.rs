//! Documents that have equal features.

use std::collections::HashMap;

use rayon::prelude::*;

use super::features::FeatureSets;
use super::mix::scatter;
use super::pair::{Pair, sort_pairs};

/// Documents by their numbers, those with equal features together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Equal {
    /// The first document of each set of features that occurs, ascending. Documents without features are left out.
    pub distinct: Vec<u32>,
    /// The documents of each set that more than one of them has, ascending, and the groups by their first document.
    pub groups: Vec<Vec<u32>>,
}

impl Equal {
    /// Groups the documents. Takes time in the number of features, not in the number of equal pairs.
    pub fn find(sets: &FeatureSets) -> Self {
        let features = |document: &u32| (sets.of(*document as usize), sets.counts(*document as usize));
        let with_hash = |document: u32| {
            let (features, counts) = features(&document);
            let fold = |hash: u64, number: u64| scatter(hash.rotate_left(29) ^ number);
            let hash = features.iter().fold(0, |hash, &feature| fold(hash, feature));
            (counts.iter().fold(hash, |hash, &count| fold(hash, u64::from(count))), document)
        };
        let mut hashed: Vec<(u64, u32)> = (0..sets.len() as u32)
            .into_par_iter()
            .filter(|document| !features(document).0.is_empty())
            .map(with_hash)
            .collect();
        hashed.par_sort_unstable();
        let mut found = Self::default();
        for alike in hashed.chunk_by(|(a, _), (b, _)| a == b) {
            let mut documents: Vec<u32> = alike.iter().map(|&(_, document)| document).collect();
            // Equal hashes are no proof.
            if documents.iter().any(|document| features(document) != features(&documents[0])) {
                documents.sort_by(|a, b| features(a).cmp(&features(b)));
            }
            for equal in documents.chunk_by(|a, b| features(a) == features(b)) {
                found.distinct.push(equal[0]);
                found.groups.extend((equal.len() > 1).then(|| equal.to_vec()));
            }
        }
        found.distinct.par_sort_unstable();
        found.groups.par_sort_unstable();
        found
    }

    /// All pairs of documents, sorted, from those of different sets: the documents of a group have the pairs of the first
    /// of them, and are similar to each other by 1. A group of n documents gives n (n − 1) / 2 pairs.
    pub fn all_pairs(&self, distinct: &[Pair]) -> Vec<Pair> {
        let groups: HashMap<u32, &[u32]> = self.groups.iter().map(|group| (group[0], &group[..])).collect();
        let group = |first: &u32| groups.get(first).copied().map_or(vec![*first], <[u32]>::to_vec);
        let mut pairs = Vec::with_capacity(distinct.len());
        for &Pair { a, b, similarity } in distinct {
            let others = group(&b);
            for a in group(&a) {
                pairs.extend(others.iter().map(|&b| Pair { a: a.min(b), b: a.max(b), similarity }));
            }
        }
        for group in &self.groups {
            for (at, &a) in group.iter().enumerate() {
                pairs.extend(group[at + 1..].iter().map(|&b| Pair { a, b, similarity: 1.0 }));
            }
        }
        sort_pairs(&mut pairs);
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_grouped_and_empty_ones_left_out() {
        let mut sets = FeatureSets::default();
        for features in [vec![5], vec![], vec![1, 2], vec![5], vec![], vec![2, 1], vec![3], vec![5]] {
            sets.add_set(features);
        }
        let found = Equal::find(&sets);
        assert_eq!(found.distinct, [0, 2, 6]);
        assert_eq!(found.groups, [vec![0, 3, 7], vec![2, 5]]);
    }

    #[test]
    fn bags_with_other_counts_are_not_equal() {
        let mut bags = FeatureSets::default();
        for features in [vec![1, 2], vec![1, 2, 2], vec![2, 1]] {
            bags.add_bag(features);
        }
        let found = Equal::find(&bags);
        assert_eq!(found.distinct, [0, 1]);
        assert_eq!(found.groups, [[0, 2]]);
    }
}
