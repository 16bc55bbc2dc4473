//! Documents that have equal features.

use std::collections::HashMap;

use rayon::prelude::*;

use super::features::FeatureSets;
use super::pair::Pair;
use dupi_text::sketch::mix::scatter;

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

    /// Groups documents by what is equal for equal ones and different for others.
    pub(super) fn of_digests<D: Copy + Ord + Send>(all: &mut [(D, u32)]) -> Self {
        all.par_sort_unstable();
        let mut found = Self::default();
        for equal in all.chunk_by(|a, b| a.0 == b.0) {
            found.distinct.push(equal[0].1);
            let group = || equal.iter().map(|&(_, number)| number).collect();
            found.groups.extend((equal.len() > 1).then(group));
        }
        found.distinct.par_sort_unstable();
        found.groups.par_sort_unstable();
        found
    }

    /// All pairs of documents, the most similar first, from those of different sets: the documents of a group have the
    /// pairs of the first of them, and are similar to each other by 1. The pairs of two groups stay together. A group
    /// of n documents gives n (n − 1) / 2 pairs, so they are made one by one.
    pub fn all_pairs(&self, distinct: &[Pair]) -> impl Iterator<Item = Pair> + '_ {
        let groups: HashMap<u32, &[u32]> = self.groups.iter().map(|group| (group[0], &group[..])).collect();
        let equal = self.groups.iter().map(|group| Pair { a: group[0], b: group[0], similarity: 1.0 });
        let mut pairs: Vec<Pair> = equal.chain(distinct.iter().copied()).collect();
        pairs.par_sort_by(|x, y| y.similarity.total_cmp(&x.similarity).then((x.a, x.b).cmp(&(y.a, y.b))));
        pairs.into_iter().flat_map(move |Pair { a, b, similarity }| {
            let of = |first: u32| groups.get(&first).map_or(vec![first], |group| group.to_vec());
            let (ours, theirs) = (of(a), of(b));
            ours.into_iter().enumerate().flat_map(move |(number, x)| {
                let skip = if a == b { number + 1 } else { 0 };
                let others = theirs.get(skip..).unwrap_or_default().to_vec();
                others.into_iter().map(move |y| Pair { a: x.min(y), b: x.max(y), similarity })
            })
        })
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
    fn the_pairs_of_groups_are_those_of_their_documents() {
        let equal = Equal { distinct: vec![0, 1], groups: vec![vec![0, 3], vec![1, 2, 4]] };
        let found: Vec<_> = equal.all_pairs(&[Pair { a: 0, b: 1, similarity: 0.5 }]).collect();
        let numbers = |from: &[Pair]| from.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>();
        assert_eq!(numbers(&found[..4]), [(0, 3), (1, 2), (1, 4), (2, 4)]);
        assert!(found[..4].iter().all(|pair| pair.similarity == 1.0));
        assert_eq!(numbers(&found[4..]), [(0, 1), (0, 2), (0, 4), (1, 3), (2, 3), (3, 4)]);
        assert!(found[4..].iter().all(|pair| pair.similarity == 0.5));
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
