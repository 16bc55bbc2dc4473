//! From similar pairs to clusters, by agglomeration: the two most similar clusters are joined again and again, as long as
//! their similarity is not below the threshold (Lance & Williams, “A general theory of classificatory sorting
//! strategies”, 1967).
//!
//! Only pairs at or above the threshold are known at first. This is enough for the two extreme linkages: clusters that
//! are joined at some level need no pair below it. The average over all pairs of two clusters can contain pairs below the
//! threshold. These count with their true similarity, which is computed when it can decide: until then the threshold is
//! taken for it, which it does not exceed. So the result is that of an agglomeration which knows all pairs, and clusters
//! at a higher threshold lie within those at a lower one. To count unknown pairs as 0 instead would keep two clusters
//! apart for one pair that is hardly below the threshold, and would make the clusters at different thresholds cross.
//!
//! An item can stand for many equal documents: its weight is their number. The components of the graph of pairs are
//! independent of each other and are done in parallel. In each, the links of a cluster are a sparse map; the smaller map
//! is merged into the larger one. The next join comes from a heap whose entries may be too optimistic and are checked when
//! they come up. Similarities are integers, so sums do not depend on their order; ties are broken by the numbers of the
//! items.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rayon::prelude::*;

use super::forest::Forest;
use super::pair::Pair;

/// The similarity 1 as an integer. An `f32` from ½ on is exact in this unit.
const ONE: f64 = (1 << 24) as f64;
/// How many similarities may be looked up in a component in addition to a multiple of its pairs. Beyond that, unknown ones
/// count as 0.
const LOOKUPS: u64 = 1 << 20;
/// That multiple.
const LOOKUPS_A_PAIR: u64 = 64;

/// The similarity of two clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    /// That of their least similar pair: all members of a cluster are similar to each other.
    Complete,
    /// The mean over all their pairs.
    #[default]
    Average,
    /// That of their most similar pair: clusters are the connected components.
    Single,
}

/// Two or more items.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The items, sorted.
    pub members: Vec<u32>,
    /// The smallest similarity of two of them; `None` if the cluster is too large to compute it.
    pub least: Option<f32>,
}

/// The similarity of any two items.
pub type Similarity<'a> = dyn Fn(u32, u32) -> f64 + Sync + 'a;

/// The clusters of items, sorted by their first member. Items without a partner are in none.
///
/// `weights` has for each item the number of equal documents that it stands for. `pairs` are pairs of items at or above
/// the threshold, each once, in any order. The result depends on the numbers of the items where similarities are equal,
/// and on nothing else that is not similarity.
pub fn clusters(
    weights: &[u32],
    pairs: &[Pair],
    threshold: f64,
    linkage: Linkage,
    similarity: &Similarity,
) -> Vec<Cluster> {
    // A similarity is rounded, and may so fall below the threshold.
    let cut = pairs.iter().map(|pair| units(f64::from(pair.similarity))).min().unwrap_or(0);
    let cut = cut.min(units(threshold));
    let components = components(weights.len(), pairs);
    let of_component =
        |pairs: &Vec<Pair>| Component::new(weights, pairs, cut, linkage, similarity).clusters();
    let mut found: Vec<Cluster> = components.par_iter().flat_map_iter(of_component).collect();
    found.sort_unstable_by_key(|cluster| cluster.members[0]);
    found
}

fn units(similarity: f64) -> u64 {
    (similarity * ONE).round() as u64
}

/// The pairs of each connected component, sorted by their numbers.
fn components(items: usize, pairs: &[Pair]) -> Vec<Vec<Pair>> {
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
    components.par_iter_mut().for_each(|pairs| pairs.sort_unstable_by_key(|pair| (pair.a, pair.b)));
    components
}

/// What is known about the pairs of two clusters.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The sum of the known similarities, each as often as its weight says.
    sum: u64,
    /// The weight of the pairs that are known.
    known: u64,
    /// The smallest known similarity.
    least: u64,
    /// Some unknown similarities count as 0.
    is_incomplete: bool,
}

impl Link {
    fn merge(&mut self, other: &Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.known += other.known;
        self.least = self.least.min(other.least);
        self.is_incomplete |= other.is_incomplete;
    }
}

/// A possible join, the most similar first, and then the one with the smallest labels.
type Join = (u64, Reverse<(u32, u32)>, u32, u32);

/// A connected component while its clusters grow. A cluster is named by one of its members' local numbers.
struct Component<'a> {
    /// The items, sorted; the other fields have their local numbers.
    items: Vec<u32>,
    /// Sorted.
    pairs: &'a [Pair],
    cut: u64,
    linkage: Linkage,
    similarity: &'a Similarity<'a>,
    lookups: u64,
    item_weights: Vec<u64>,
    weights: Vec<u64>,
    members: Vec<Vec<u32>>,
    /// The largest item of each cluster: it grows with the cluster, so entries of the heap never become better.
    labels: Vec<u32>,
    links: Vec<HashMap<u32, Link>>,
    least: Vec<u64>,
    is_incomplete: Vec<bool>,
    heap: BinaryHeap<Join>,
}

impl<'a> Component<'a> {
    fn new(
        weights: &[u32],
        pairs: &'a [Pair],
        cut: u64,
        linkage: Linkage,
        similarity: &'a Similarity<'a>,
    ) -> Self {
        let mut items: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
        items.sort_unstable();
        items.dedup();
        let count = items.len();
        let item_weights: Vec<u64> = items.iter().map(|&item| u64::from(weights[item as usize])).collect();
        Self {
            pairs,
            cut,
            linkage,
            similarity,
            lookups: LOOKUPS + LOOKUPS_A_PAIR * pairs.len() as u64,
            weights: item_weights.clone(),
            item_weights,
            members: (0..count as u32).map(|item| vec![item]).collect(),
            labels: (0..count as u32).collect(),
            links: Vec::new(),
            least: vec![ONE as u64; count],
            is_incomplete: vec![false; count],
            heap: BinaryHeap::new(),
            items,
        }
    }

    fn clusters(mut self) -> Vec<Cluster> {
        if self.linkage == Linkage::Single {
            return vec![self.whole()];
        }
        self.begin();
        while let Some(join) = self.heap.pop() {
            self.try_join(join);
        }
        let of = |number: usize| {
            let mut members: Vec<u32> =
                self.members[number].iter().map(|&member| self.items[member as usize]).collect();
            members.sort_unstable();
            let least = (self.least[number] as f64 / ONE) as f32;
            Cluster { members, least: (!self.is_incomplete[number]).then_some(least) }
        };
        (0..self.items.len()).filter(|&number| self.members[number].len() > 1).map(of).collect()
    }

    /// The component as one cluster.
    fn whole(self) -> Cluster {
        let count = self.items.len() as u64;
        let all = || (0..count as u32).flat_map(|a| (a + 1..count as u32).map(move |b| (a, b)));
        let is_small = count * (count - 1) / 2 <= self.lookups;
        let least = is_small.then(|| all().map(|(a, b)| self.similarity_of(a, b)).min());
        let least = least.flatten().map(|least| (least as f64 / ONE) as f32);
        Cluster { members: self.items, least }
    }

    fn begin(&mut self) {
        self.links = vec![HashMap::new(); self.items.len()];
        let local: HashMap<u32, u32> = self.items.iter().copied().zip(0..).collect();
        let mut joins = Vec::with_capacity(self.pairs.len());
        for pair in self.pairs {
            let (a, b) = (local[&pair.a], local[&pair.b]);
            let known = self.weights[a as usize] * self.weights[b as usize];
            let least = units(f64::from(pair.similarity));
            let link = Link { sum: known.saturating_mul(least), known, least, is_incomplete: false };
            self.links[a as usize].insert(b, link);
            self.links[b as usize].insert(a, link);
            joins.extend(self.join(a, b, &link));
        }
        self.heap = joins.into();
    }

    /// The similarity of two items, by their local numbers.
    fn similarity_of(&self, a: u32, b: u32) -> u64 {
        let (a, b) = (self.items[a as usize], self.items[b as usize]);
        let (a, b) = (a.min(b), a.max(b));
        match self.pairs.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b)) {
            Ok(at) => units(f64::from(self.pairs[at].similarity)),
            Err(_) => units((self.similarity)(a, b)),
        }
    }

    /// How many pairs of documents two clusters have.
    fn total(&self, a: u32, b: u32) -> u64 {
        self.weights[a as usize] * self.weights[b as usize]
    }

    /// The join of two clusters; `None` if they are below the threshold.
    fn join(&self, a: u32, b: u32, link: &Link) -> Option<Join> {
        let unknown = self.total(a, b) - link.known;
        let level = match self.linkage {
            Linkage::Average => {
                let most = u128::from(link.sum) + u128::from(unknown) * u128::from(self.cut);
                (most / u128::from(self.total(a, b))) as u64
            }
            _ if unknown > 0 => 0,
            _ => link.least,
        };
        let (first, second) = (self.labels[a as usize], self.labels[b as usize]);
        let labels = (first.min(second), first.max(second));
        (level >= self.cut && level > 0).then_some((level, Reverse(labels), a, b))
    }

    /// Joins two clusters if what the heap says of them is still true.
    fn try_join(&mut self, join: Join) {
        let (_, _, a, b) = join;
        let Some(&link) = self.links[a as usize].get(&b) else { return };
        let Some(now) = self.join(a, b, &link) else { return };
        if (now.0, now.1) < (join.0, join.1) {
            self.heap.push(now);
        } else if (now.0, now.1) == (join.0, join.1) {
            if link.known < self.total(a, b) {
                self.look_up(a, b);
            } else {
                self.merge(a, b, &link);
            }
        }
        // Otherwise the heap has another entry.
    }

    /// Computes the unknown similarities between two clusters.
    fn look_up(&mut self, a: u32, b: u32) {
        let (ours, theirs) = (&self.members[a as usize], &self.members[b as usize]);
        let count = ours.len() as u64 * theirs.len() as u64;
        let mut link = Link { sum: 0, known: self.total(a, b), least: ONE as u64, is_incomplete: false };
        if count > self.lookups {
            link = Link { known: link.known, is_incomplete: true, ..self.links[a as usize][&b] };
        } else {
            self.lookups -= count;
            for &x in ours {
                for &y in theirs {
                    let similarity = self.similarity_of(x, y);
                    let weight = self.item_weights[x as usize] * self.item_weights[y as usize];
                    link.sum = link.sum.saturating_add(weight.saturating_mul(similarity));
                    link.least = link.least.min(similarity);
                }
            }
        }
        self.links[a as usize].insert(b, link);
        self.links[b as usize].insert(a, link);
        let join = self.join(a, b, &link);
        self.heap.extend(join);
    }

    /// Joins two clusters. The one with more links keeps its number.
    fn merge(&mut self, a: u32, b: u32, link: &Link) {
        let is_larger = self.links[a as usize].len() >= self.links[b as usize].len();
        let (stays, goes) = if is_larger { (a, b) } else { (b, a) };
        let (into, from) = (stays as usize, goes as usize);
        let mut moved = std::mem::take(&mut self.members[from]);
        self.members[into].append(&mut moved);
        self.weights[into] += self.weights[from];
        self.labels[into] = self.labels[into].max(self.labels[from]);
        self.least[into] = self.least[into].min(self.least[from]).min(link.least);
        self.is_incomplete[into] |= self.is_incomplete[from] | link.is_incomplete;
        self.links[into].remove(&goes);
        let links = std::mem::take(&mut self.links[from]);
        for (other, link) in links.into_iter().filter(|(other, _)| *other != stays) {
            let own = self.links[into].entry(other).and_modify(|own| own.merge(&link)).or_insert(link);
            let merged = *own;
            self.links[other as usize].remove(&goes);
            self.links[other as usize].insert(stays, merged);
            let join = self.join(stays, other, &merged);
            self.heap.extend(join);
        }
    }
}

#[cfg(test)]
mod tests;
