//! Where the copies of a group go together: the same representative may hold several passages, one
//! within the other, each with copies of its own.

use std::ops::Range;

use super::grow::Member;

/// A passage: from where to where in the representative's stretch, and which members hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// In tokens of the stretch.
    pub range: Range<u32>,
    /// The numbers of the members.
    pub members: Vec<usize>,
}

/// Members whose runs in the representative are nearly the same.
struct Cluster {
    range: Range<u32>,
    own: Vec<usize>,
}

/// The passages of a representative. Members whose runs are nearly the same make one; longer ones
/// belong to it as well.
pub fn common(members: &[Member]) -> Vec<Common> {
    let range = |number: usize| members[number].agreement.a.clone();
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&number| (std::cmp::Reverse(range(number).len()), range(number).start));
    let mut clusters: Vec<Cluster> = Vec::new();
    for number in order {
        let own = range(number);
        match clusters.iter_mut().find(|cluster| is_nearly(&cluster.range, &own)) {
            Some(cluster) => cluster.own.push(number),
            None => clusters.push(Cluster { range: own, own: vec![number] }),
        }
    }
    let mut moved: Vec<Cluster> = Vec::new();
    for mut cluster in clusters {
        let middle = |mut ends: Vec<u32>| {
            let at = ends.len() / 2;
            *ends.select_nth_unstable(at).1
        };
        let start = middle(cluster.own.iter().map(|&number| range(number).start).collect());
        let end = middle(cluster.own.iter().map(|&number| range(number).end).collect());
        if start < end {
            cluster.range = start..end;
        }
        match moved.iter_mut().find(|known| is_nearly(&known.range, &cluster.range)) {
            Some(known) => known.own.append(&mut cluster.own),
            None => moved.push(cluster),
        }
    }
    let clusters = moved;
    let holds = |number: usize, cluster: &Cluster| {
        shared(&range(number), &cluster.range) * 10 >= cluster.range.len() * 9
    };
    let passage = |cluster: &Cluster| {
        let longer = clusters.iter().filter(|other| other.range.len() > cluster.range.len());
        let mut members: Vec<usize> =
            longer.flat_map(|other| &other.own).copied().filter(|&number| holds(number, cluster)).collect();
        members.extend(&cluster.own);
        members.sort_unstable();
        Common { range: cluster.range.clone(), members }
    };
    clusters.iter().map(passage).collect()
}

/// Whether two runs share three fifths of what either has.
fn is_nearly(a: &Range<u32>, b: &Range<u32>) -> bool {
    let both = shared(a, b);
    both * 5 >= (a.len() + b.len() - both) * 3
}

fn shared(a: &Range<u32>, b: &Range<u32>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start)) as usize
}
