//! From similar pairs to clusters, by agglomeration: the two most similar clusters are joined again and again, as long
//! as their similarity is not below the threshold (Lance & Williams, “A general theory of classificatory sorting
//! strategies”, 1967).
//!
//! Only pairs at or above the threshold are known at first. This is enough for the two extreme linkages: clusters that
//! are joined at some level need no pair below it. The average over all pairs of two clusters can contain pairs below
//! the threshold. These count with their true similarity, which is computed when it can decide: until then the
//! threshold is taken for it, which it does not exceed. So the result is that of an agglomeration which knows all
//! pairs, and clusters at a higher threshold lie within those at a lower one. To count unknown pairs as 0 instead would
//! keep two clusters apart for one pair that is hardly below the threshold, and would make the clusters at different
//! thresholds cross.
//!
//! An item can stand for many equal documents: its weight is their number. The components of the graph of pairs are
//! independent of each other and are done in parallel. In each, the links of a cluster are a sparse map; the smaller
//! map is merged into the larger one. The next join comes from a heap whose entries may be too optimistic and are
//! checked when they come up. Similarities are integers, so sums do not depend on their order; ties are broken by the
//! numbers of the items.
//!
//! What is computed is limited by its cost, so that the time grows with the pairs and the documents, and not with the
//! square of the documents of a component times their size.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::pairs::{Equal, Pair, components, numbers_of};
use crate::{SearchError, Tick};
use dupi_base::parallel;

/// The similarity 1 as an integer. An `f32` from ½ on is exact in this unit.
const ONE: f64 = (1 << 24) as f64;
/// What the similarities that are computed in a component may cost at least.
const LEAST_BUDGET: u64 = 1 << 20;
/// How many times the sizes of all items of a component they may cost in addition: so many items can always be compared
/// each with each.
const PASSES: u64 = 256;
/// What they may cost in addition for each pair of the component.
const COST_A_PAIR: u64 = 256;
/// The caller is asked whether to go on after each such amount of work.
const COST_A_TICK: u64 = 1 << 20;
/// What a step of the agglomeration costs beside the similarities.
const COST_A_STEP: u64 = 256;

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
pub struct Similarity<'a> {
    /// Computes it.
    pub of: &'a (dyn Fn(u32, u32) -> f64 + Sync),
    /// How many features an item has: what it costs to compute the similarity of two items is the sum of their sizes.
    pub size: &'a (dyn Fn(u32) -> u64 + Sync),
}

/// The clusters of items, sorted by their first member. Items without a partner are in none.
///
/// `weights` has for each item the number of equal documents that it stands for. `pairs` are pairs of items at or above
/// the threshold, each once, in any order. The result depends on the numbers of the items where similarities are equal,
/// and on nothing else that is not similarity.
///
/// # Errors
/// The error of `tick`, which gets the progress, 0 to 1.
pub fn clusters(
    weights: &[u32],
    pairs: &[Pair],
    threshold: f64,
    linkage: Linkage,
    similarity: &Similarity,
    tick: &Tick,
) -> Result<Vec<Cluster>, SearchError> {
    // A similarity is rounded, and may so fall below the threshold.
    let cut = pairs.iter().map(|pair| units(f64::from(pair.similarity))).min().unwrap_or(0);
    let cut = cut.min(units(threshold));
    let components = components(weights.len(), pairs);
    let done = AtomicUsize::new(0);
    let progress = || tick(done.load(Ordering::Relaxed) as f64 / pairs.len() as f64);
    let of_component = |own: &Vec<Pair>| {
        let found = Component::new(weights, own, cut, linkage, similarity).clusters(&progress)?;
        done.fetch_add(own.len(), Ordering::Relaxed);
        progress()?;
        Ok(found)
    };
    let found: Result<Vec<Vec<Cluster>>, SearchError> = parallel::try_map(&components, of_component);
    let mut found = found?.concat();
    found.sort_unstable_by_key(|cluster| cluster.members[0]);
    Ok(found)
}

/// The clusters of different items with those that are equal to them: of pairs, as [`clusters`] finds them, and of equal items
/// that are in no such cluster. Of a group of equal items only the first is a member.
///
/// # Errors
/// The error of `tick`, which gets the progress, 0 to 1.
pub(super) fn clusters_with_equal(
    items: usize,
    equal: &Equal,
    pairs: &[Pair],
    threshold: f64,
    linkage: Linkage,
    similarity: &Similarity,
    tick: &Tick,
) -> Result<Vec<Cluster>, SearchError> {
    let mut weights = vec![1_u32; items];
    equal.groups.iter().for_each(|group| weights[group[0] as usize] = group.len() as u32);
    let mut found = clusters(&weights, pairs, threshold, linkage, similarity, tick)?;
    let mut is_clustered = vec![false; items];
    found.iter().flat_map(|cluster| &cluster.members).for_each(|&of| is_clustered[of as usize] = true);
    let alone = equal.groups.iter().filter(|group| !is_clustered[group[0] as usize]);
    found.extend(alone.map(|group| Cluster { members: vec![group[0]], least: Some(1.0) }));
    Ok(found)
}

/// What the similarities that are computed in a component may cost, in features that are compared. Beyond that, unknown
/// similarities count as 0. `sizes` are those of all its items, added up.
fn budget(sizes: u64, pairs: usize) -> u64 {
    LEAST_BUDGET
        .saturating_add(PASSES.saturating_mul(sizes))
        .saturating_add(COST_A_PAIR.saturating_mul(pairs as u64))
}

fn units(similarity: f64) -> u64 {
    (similarity * ONE).round() as u64
}

/// What is known about the pairs of two clusters.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The sum of the known similarities, each times its weight.
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

/// Says how far the work is; its error ends it.
type Progress<'a> = dyn Fn() -> Result<(), SearchError> + 'a;

/// A connected component while its clusters grow. A cluster is named by one of its members' local numbers.
struct Component<'a> {
    /// The items, sorted; the other fields have their local numbers.
    items: Vec<u32>,
    /// Sorted.
    pairs: &'a [Pair],
    cut: u64,
    linkage: Linkage,
    similarity: &'a Similarity<'a>,
    /// What may still be spent on computing similarities.
    budget: u64,
    /// What was spent since the last tick.
    spent: u64,
    sizes: Vec<u64>,
    /// The sizes of the members of each cluster, added up.
    all_sizes: Vec<u64>,
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
        let items = numbers_of(pairs);
        let count = items.len();
        let sizes: Vec<u64> = items.iter().map(|&item| (similarity.size)(item).max(1)).collect();
        let item_weights: Vec<u64> = items.iter().map(|&item| u64::from(weights[item as usize])).collect();
        Self {
            pairs,
            cut,
            linkage,
            similarity,
            budget: budget(sizes.iter().sum(), pairs.len()),
            spent: 0,
            all_sizes: sizes.clone(),
            sizes,
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

    /// The clusters. `progress` is called again and again, and its error ends the work.
    fn clusters(mut self, progress: &Progress) -> Result<Vec<Cluster>, SearchError> {
        if self.linkage == Linkage::Single {
            return Ok(vec![self.whole(progress)?]);
        }
        self.begin();
        while let Some(join) = self.heap.pop() {
            self.spend(COST_A_STEP, progress)?;
            self.try_join(join, progress)?;
        }
        let of = |number: usize| {
            let mut members: Vec<u32> =
                self.members[number].iter().map(|&member| self.items[member as usize]).collect();
            members.sort_unstable();
            let least = (self.least[number] as f64 / ONE) as f32;
            Cluster { members, least: (!self.is_incomplete[number]).then_some(least) }
        };
        Ok((0..self.items.len()).filter(|&number| self.members[number].len() > 1).map(of).collect())
    }

    /// The component as one cluster.
    fn whole(mut self, progress: &Progress) -> Result<Cluster, SearchError> {
        let count = self.items.len() as u32;
        // Each item is compared with all others.
        let cost = self.sizes.iter().sum::<u64>().saturating_mul(u64::from(count) - 1);
        let mut least = None;
        if cost <= self.budget {
            for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
                self.spend(self.sizes[a as usize] + self.sizes[b as usize], progress)?;
                least = least.into_iter().chain([self.similarity_of(a, b)]).min();
            }
        }
        Ok(Cluster { least: least.map(|least| (least as f64 / ONE) as f32), members: self.items })
    }

    /// Asks now and then whether to go on.
    fn spend(&mut self, cost: u64, progress: &Progress) -> Result<(), SearchError> {
        self.spent += cost;
        if self.spent >= COST_A_TICK {
            self.spent = 0;
            progress()?;
        }
        Ok(())
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
            Err(_) => units((self.similarity.of)(a, b)),
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
    fn try_join(&mut self, join: Join, progress: &Progress) -> Result<(), SearchError> {
        let (_, _, a, b) = join;
        let Some(&link) = self.links[a as usize].get(&b) else { return Ok(()) };
        let Some(now) = self.join(a, b, &link) else { return Ok(()) };
        if (now.0, now.1) < (join.0, join.1) {
            self.heap.push(now);
        } else if (now.0, now.1) == (join.0, join.1) {
            if link.known < self.total(a, b) {
                self.look_up(a, b, progress)?;
            } else {
                self.merge(a, b, &link);
            }
        }
        // Otherwise the heap has another entry.
        Ok(())
    }

    /// Computes the unknown similarities between two clusters.
    fn look_up(&mut self, a: u32, b: u32, progress: &Progress) -> Result<(), SearchError> {
        let count = |cluster: u32| self.members[cluster as usize].len() as u64;
        let size = |cluster: u32| self.all_sizes[cluster as usize];
        // Each member is compared with each of the others.
        let cost = size(a).saturating_mul(count(b)).saturating_add(size(b).saturating_mul(count(a)));
        let mut link = Link { sum: 0, known: self.total(a, b), least: ONE as u64, is_incomplete: false };
        if cost > self.budget {
            link = Link { known: link.known, is_incomplete: true, ..self.links[a as usize][&b] };
        } else {
            self.budget -= cost;
            let (ours, theirs) = (self.members[a as usize].clone(), self.members[b as usize].clone());
            for &x in &ours {
                for &y in &theirs {
                    self.spend(self.sizes[x as usize] + self.sizes[y as usize], progress)?;
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
        Ok(())
    }

    /// Joins two clusters. The one with more links keeps its number.
    fn merge(&mut self, a: u32, b: u32, link: &Link) {
        let is_larger = self.links[a as usize].len() >= self.links[b as usize].len();
        let (stays, goes) = if is_larger { (a, b) } else { (b, a) };
        let (into, from) = (stays as usize, goes as usize);
        let mut moved = std::mem::take(&mut self.members[from]);
        self.members[into].append(&mut moved);
        self.weights[into] += self.weights[from];
        self.all_sizes[into] += self.all_sizes[from];
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
