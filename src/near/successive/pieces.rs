//! Groups of equal documents and pairs, carried over to the numbers of a later generation.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::forest::Forest;
use crate::found::Found;
use crate::pair::{Pair, sort_pairs};

/// Documents in groups of equal ones, and the pairs that are left of an earlier generation.
pub(super) struct Pieces {
    /// Connects equal documents; the root of a group is its first one.
    equal: Forest,
    /// Pairs of documents that stayed.
    pairs: Vec<Pair>,
    /// Documents of which a group lost a member, or whose partner left.
    changed: Vec<u32>,
}

impl Pieces {
    /// `of_former` are the numbers of the former documents among all `documents`; none of those that left.
    pub(super) fn new(former: &Found, of_former: &[Option<u32>], documents: usize) -> Self {
        let mut equal = Forest::new(documents);
        let mut changed = Vec::new();
        // The first document of each former group that stayed; none if all left.
        let mut firsts: HashMap<u32, Option<u32>> = HashMap::new();
        for group in &former.equal.groups {
            let stayed: Vec<u32> = group.iter().filter_map(|&of| of_former[of as usize]).collect();
            for two in stayed.windows(2) {
                equal.join(two[0] as usize, two[1] as usize);
            }
            if stayed.len() < group.len() {
                changed.extend(stayed.first());
            }
            firsts.insert(group[0], stayed.first().copied());
        }
        let number = |of: u32| firsts.get(&of).copied().unwrap_or(of_former[of as usize]);
        let mut pairs = Vec::with_capacity(former.pairs.len());
        for pair in &former.pairs {
            match (number(pair.a), number(pair.b)) {
                (Some(a), Some(b)) => pairs.push(Pair { a, b, ..*pair }),
                (one, other) => changed.extend(one.or(other)),
            }
        }
        Self { equal, pairs, changed }
    }

    /// The first document that is equal to one.
    pub(super) fn first_of(&mut self, number: u32) -> u32 {
        self.equal.root(number as usize) as u32
    }

    /// Notes that two documents are equal.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        self.equal.join(a as usize, b as usize);
    }

    /// The groups of equal documents; all pairs, with `more`, each group named by its first document; and the documents
    /// among these names that are affected by a change: those of `added` and their partners among them.
    pub(super) fn joined(
        &mut self,
        more: Vec<Pair>,
        added: &[u32],
    ) -> (Vec<Vec<u32>>, Vec<Pair>, HashSet<u32>) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.extend(more);
        for pair in &mut pairs {
            let (a, b) = (self.first_of(pair.a), self.first_of(pair.b));
            (pair.a, pair.b) = (a.min(b), a.max(b));
        }
        sort_pairs(&mut pairs);
        let changed = std::mem::take(&mut self.changed);
        let dirty = changed.iter().chain(added).map(|&number| self.first_of(number)).collect();
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for number in 0..self.equal.len() as u32 {
            let first = self.first_of(number);
            if first != number {
                groups.entry(first).or_insert_with(|| vec![first]).push(number);
            }
        }
        (groups.into_values().collect(), pairs, dirty)
    }
}

/// For each of so many documents, whether it is connected with one of `dirty` by groups and pairs.
pub(super) fn connected(
    documents: usize,
    groups: &[Vec<u32>],
    pairs: &[Pair],
    dirty: &HashSet<u32>,
) -> Vec<bool> {
    let mut forest = Forest::new(documents);
    for pair in pairs {
        forest.join(pair.a as usize, pair.b as usize);
    }
    for group in groups {
        for &of in group {
            forest.join(group[0] as usize, of as usize);
        }
    }
    let roots: HashSet<usize> = dirty.iter().map(|&number| forest.root(number as usize)).collect();
    (0..documents).map(|number| roots.contains(&forest.root(number))).collect()
}
