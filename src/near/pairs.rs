//! Pairs of similar documents, groups of equal ones, and what is connected by them.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::features::{FeatureSets, Features};
use dupi_base::parallel;

/// Two documents, by their numbers, and how similar they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The smaller number.
    pub a: u32,
    /// The larger number.
    pub b: u32,
    /// From 0 to 1, in the measure of the method that found the pair.
    pub similarity: f32,
}

/// Sorts pairs by their numbers, and drops repeated ones, of which the first stays.
pub fn sort_pairs(pairs: &mut Vec<Pair>) {
    pairs.par_sort_by_key(|pair| (pair.a, pair.b));
    pairs.dedup_by_key(|pair| (pair.a, pair.b));
}

/// Names the documents of pairs by other numbers, which ascend with the numbers that they have.
pub(super) fn renamed(pairs: impl IntoIterator<Item = Pair>, names: &[u32]) -> Vec<Pair> {
    let name = |number: u32| names[number as usize];
    pairs.into_iter().map(|pair| Pair { a: name(pair.a), b: name(pair.b), ..pair }).collect()
}

/// The numbers of the documents in some pairs, ascending.
pub(super) fn numbers_of(pairs: &[Pair]) -> Vec<u32> {
    let mut numbers: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

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
        let is_wanted = |document: usize| !sets.features(document).is_empty();
        let with_features = parallel::filter_numbers(sets.len(), is_wanted);
        let with_digest = |bytes: &mut Vec<u8>, _, &document: &usize| {
            write_features(sets.get(document), bytes);
            (xxh3_128(bytes), document as u32)
        };
        Self::of_digests(parallel::map_init(&with_features, Vec::new, with_digest))
    }

    /// Groups documents by what is equal for equal ones and different for others.
    pub(super) fn of_digests<D: Copy + Ord + Send>(mut all: Vec<(D, u32)>) -> Self {
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

    /// The groups by their first documents.
    pub(super) fn by_first(&self) -> HashMap<u32, &[u32]> {
        self.groups.iter().map(|group| (group[0], &group[..])).collect()
    }

    /// All pairs of documents, the most similar first, from those of different sets: the documents of a group have the
    /// pairs of the first of them, and are similar to each other by 1. The pairs of two groups stay together. A group
    /// of n documents gives n (n − 1) / 2 pairs, so they are made one by one.
    pub fn all_pairs(&self, distinct: &[Pair]) -> impl Iterator<Item = Pair> + '_ {
        let groups = self.by_first();
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

/// The features of a document as bytes, and then their counts.
pub(super) fn write_features(document: Features, bytes: &mut Vec<u8>) {
    bytes.clear();
    bytes.extend(document.features.iter().flat_map(|feature| feature.to_le_bytes()));
    bytes.extend(document.counts.iter().flat_map(|count| count.to_le_bytes()));
}

/// Disjoint sets of the numbers below a limit, as a forest (Tarjan, “Efficiency of a good but not linear set union
/// algorithm”, 1975). The root of a tree is its smallest member, so the trees do not depend on the order of the pairs.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    parents: Vec<usize>,
}

impl Forest {
    /// Each number in a set of its own.
    pub(super) fn new(members: usize) -> Self {
        Self { parents: (0..members).collect() }
    }

    /// The smallest member of a number's set.
    pub(super) fn root(&mut self, mut member: usize) -> usize {
        while self.parents[member] != member {
            // Path halving.
            self.parents[member] = self.parents[self.parents[member]];
            member = self.parents[member];
        }
        member
    }

    /// Joins the sets of two numbers. Returns whether they were different sets.
    pub(super) fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
        a != b
    }
}

/// The pairs of each connected component, sorted by their numbers.
pub(super) fn components(items: usize, pairs: &[Pair]) -> Vec<Vec<Pair>> {
    let mut forest = Forest::new(items);
    for pair in pairs {
        forest.join(pair.a as usize, pair.b as usize);
    }
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let mut components: Vec<Vec<Pair>> = Vec::new();
    for pair in pairs {
        let next = components.len();
        let number = *numbers.entry(forest.root(pair.a as usize)).or_insert(next);
        if number == next {
            components.push(Vec::new());
        }
        components[number].push(*pair);
    }
    parallel::for_each_mut(&mut components, |_, pairs| pairs.sort_unstable_by_key(|pair| (pair.a, pair.b)));
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_and_bags_are_grouped_and_empty_ones_left_out() {
        let (mut sets, mut bags) = (FeatureSets::default(), FeatureSets::default());
        for features in [vec![5], vec![], vec![1, 2], vec![5], vec![], vec![2, 1], vec![3], vec![5]] {
            sets.add_set(features);
        }
        let groups = vec![vec![0, 3, 7], vec![2, 5]];
        assert_eq!(Equal::find(&sets), Equal { distinct: vec![0, 2, 6], groups });
        for features in [vec![1, 2], vec![1, 2, 2], vec![2, 1]] {
            bags.add_bag(features);
        }
        assert_eq!(Equal::find(&bags), Equal { distinct: vec![0, 1], groups: vec![vec![0, 2]] });
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
}
