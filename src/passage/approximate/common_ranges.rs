//! Finds the ranges of a representative that groups of members share. One representative can contain several passages,
//! also nested ones, each with its own copies.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::grow::Member;

/// A passage: a range of the representative's stretch, and the members that contain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonRange {
    /// In tokens of the stretch.
    pub range: Range<u32>,
    /// The indices of the members.
    pub members: Vec<usize>,
}

/// The most clusters that are searched linearly.
const FEW: usize = 16;

/// Members whose ranges in the representative are nearly equal.
struct Cluster {
    range: Range<u32>,
    own: Vec<usize>,
}

/// Clusters with different ranges, hashed by range: by its length rounded to a power of two, and by its start in units of
/// that length. Few clusters share a slot, so the time of a lookup does not depend on their number.
#[derive(Default)]
struct Clusters {
    clusters: Vec<Cluster>,
    places: HashMap<(u32, u32), Vec<u32>>,
}

impl Clusters {
    /// The slot of a range: the bits of its length, and its start in units of that length.
    fn place(range: &Range<u32>) -> (u32, u32) {
        let bits = u32::BITS - (range.end - range.start).leading_zeros();
        (bits, range.start.checked_shr(bits).unwrap_or(0))
    }

    /// Adds members to the first cluster with a nearly equal range, or to a new one.
    fn put(&mut self, range: Range<u32>, mut own: Vec<usize>) {
        match self.find(&range) {
            Some(number) => self.clusters[number].own.append(&mut own),
            None => {
                self.clusters.push(Cluster { range, own });
                // A few clusters are not hashed.
                let placed = match self.clusters.len() {
                    ..=FEW => return,
                    count if count == FEW + 1 => 0,
                    count => count - 1,
                };
                for (number, cluster) in self.clusters.iter().enumerate().skip(placed) {
                    self.places.entry(Self::place(&cluster.range)).or_default().push(number as u32);
                }
            }
        }
    }

    fn find(&self, range: &Range<u32>) -> Option<usize> {
        let is_it = |number: &usize| is_nearly(&self.clusters[*number].range, range);
        if self.clusters.len() <= FEW {
            return (0..self.clusters.len()).find(is_it);
        }
        let (bits, _) = Self::place(range);
        // Nearly equal ranges differ in length by less than a factor of two, and their starts by less than their length.
        let starts = [range.start.saturating_sub(range.end - range.start), range.end];
        let of_bits = |bits: u32| {
            let [first, last] = starts.map(|start| start.checked_shr(bits).unwrap_or(0));
            (first..=last).map(move |slot| (bits, slot))
        };
        let near = (bits.saturating_sub(1)..=bits + 1).flat_map(of_bits);
        let near = near.filter_map(|place| self.places.get(&place)).flatten();
        near.map(|&number| number as usize).filter(is_it).min()
    }
}

/// The passages of a representative. Members with nearly equal ranges form one; members with longer ranges that contain
/// it belong to it as well.
pub fn common_ranges(members: &[Member]) -> Vec<CommonRange> {
    let range = |number: usize| members[number].agreement.a.clone();
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&number| (Reverse(range(number).len()), range(number).start));
    let mut found = Clusters::default();
    for number in order {
        found.put(range(number), vec![number]);
    }
    let mut moved = Clusters::default();
    for Cluster { range: own, own: numbers } in found.clusters {
        let middle = |mut ends: Vec<u32>| {
            let at = ends.len() / 2;
            *ends.select_nth_unstable(at).1
        };
        let start = middle(numbers.iter().map(|&number| range(number).start).collect());
        let end = middle(numbers.iter().map(|&number| range(number).end).collect());
        moved.put(if start < end { start..end } else { own }, numbers);
    }
    let clusters = moved.clusters;
    let mut cluster_of = vec![0; members.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        cluster.own.iter().for_each(|&member| cluster_of[member] = number);
    }
    let reach = IntervalTree::new(members);
    let passage = |cluster: &Cluster| {
        let is_longer = |&number: &usize| {
            let other = &clusters[cluster_of[number]];
            other.range.len() > cluster.range.len()
                && shared(&range(number), &cluster.range) * 10 >= cluster.range.len() * 9
        };
        // A range that contains nine tenths of another contains its middle.
        let mut members = reach.over(cluster.range.start + cluster.range.len() as u32 / 2);
        members.retain(is_longer);
        members.extend(&cluster.own);
        members.sort_unstable();
        CommonRange { range: cluster.range.clone(), members }
    };
    clusters.iter().map(passage).collect()
}

/// Finds the members whose ranges in the representative contain a place: a binary tree of the ranges sorted by start, in
/// which each node has the greatest end below it.
struct IntervalTree {
    /// Start, end, and index of the member.
    runs: Vec<(u32, u32, usize)>,
    /// The greatest end below each node; node `n` has the children `2n` and `2n + 1`.
    ends: Vec<u32>,
}

impl IntervalTree {
    fn new(members: &[Member]) -> Self {
        let run =
            |(number, member): (usize, &Member)| (member.agreement.a.start, member.agreement.a.end, number);
        let mut runs: Vec<_> = members.iter().enumerate().map(run).collect();
        runs.sort_unstable();
        let leaves = runs.len().next_power_of_two();
        let mut ends = vec![0; leaves * 2];
        for (at, run) in runs.iter().enumerate() {
            ends[leaves + at] = run.1;
        }
        for node in (1..leaves).rev() {
            ends[node] = ends[node * 2].max(ends[node * 2 + 1]);
        }
        Self { runs, ends }
    }

    /// The indices of the members whose ranges contain a place.
    fn over(&self, place: u32) -> Vec<usize> {
        let leaves = self.ends.len() / 2;
        let begun = self.runs.partition_point(|run| run.0 <= place);
        let mut found = Vec::new();
        // Nodes, each with its first leaf and its number of leaves.
        let mut open = vec![(1, 0, leaves)];
        while let Some((node, first, count)) = open.pop() {
            if first >= begun || self.ends[node] <= place {
                continue;
            }
            if count == 1 {
                found.push(self.runs[first].2);
            } else {
                open.push((node * 2, first, count / 2));
                open.push((node * 2 + 1, first + count / 2, count / 2));
            }
        }
        found
    }
}

/// Whether the intersection of two ranges is at least three fifths of their union.
fn is_nearly(a: &Range<u32>, b: &Range<u32>) -> bool {
    let both = shared(a, b);
    both * 5 >= (a.len() + b.len() - both) * 3
}

fn shared(a: &Range<u32>, b: &Range<u32>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start)) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::extend::Agreement;
    use super::*;

    fn member(range: Range<u32>) -> Member {
        let agreement = Agreement {
            b: range.clone(),
            a: range,
            matches: 0,
            agreeing: 0,
            differing: 0,
            lost: [0; 2],
            equal: Vec::new(),
            steps: 0,
        };
        Member { stretch: 0, agreement }
    }

    /// The same by comparing each member with all clusters, and each cluster with all members.
    fn naive(members: &[Member]) -> Vec<CommonRange> {
        let range = |number: usize| members[number].agreement.a.clone();
        let put = |clusters: &mut Vec<Cluster>, range: Range<u32>, own: Vec<usize>| match clusters
            .iter_mut()
            .find(|cluster| is_nearly(&cluster.range, &range))
        {
            Some(cluster) => cluster.own.extend(own),
            None => clusters.push(Cluster { range, own }),
        };
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|&number| (Reverse(range(number).len()), range(number).start));
        let (mut found, mut moved) = (Vec::new(), Vec::new());
        for number in order {
            put(&mut found, range(number), vec![number]);
        }
        for Cluster { range: own, own: numbers } in found {
            let middle = |mut ends: Vec<u32>| {
                ends.sort_unstable();
                ends[ends.len() / 2]
            };
            let start = middle(numbers.iter().map(|&number| range(number).start).collect());
            let end = middle(numbers.iter().map(|&number| range(number).end).collect());
            put(&mut moved, if start < end { start..end } else { own }, numbers);
        }
        let holds = |number: usize, of: &Range<u32>| shared(&range(number), of) * 10 >= of.len() * 9;
        let passage = |cluster: &Cluster| {
            let longer = moved.iter().filter(|other| other.range.len() > cluster.range.len());
            let longer = longer.flat_map(|other| &other.own).filter(|&&number| holds(number, &cluster.range));
            let mut members: Vec<usize> = longer.chain(&cluster.own).copied().collect();
            members.sort_unstable();
            CommonRange { range: cluster.range.clone(), members }
        };
        moved.iter().map(passage).collect()
    }

    proptest! {
        #[test]
        fn passages_are_those_that_comparing_all_with_all_finds(
            runs in prop::collection::vec((0..400_u32, 1..200_u32), 0..60),
        ) {
            let members: Vec<Member> = runs.iter().map(|&(start, len)| member(start..start + len)).collect();
            prop_assert_eq!(common_ranges(&members), naive(&members));
        }
    }

    #[test]
    fn many_clusters_are_found_in_a_moment() {
        // Adjacent ranges, each a cluster of its own, and one that contains them all.
        const COUNT: u32 = 100_000;
        let mut members: Vec<Member> = (0..COUNT).map(|at| member(at * 30..at * 30 + 30)).collect();
        members.push(member(0..COUNT * 30));
        let found = common_ranges(&members);
        assert_eq!(found.len(), COUNT as usize + 1);
        assert!(found[1..].iter().all(|passage| passage.members.len() == 2));
    }
}
