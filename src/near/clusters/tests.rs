use std::sync::atomic::AtomicU64;

use proptest::prelude::*;

use super::*;

/// The clusters of items of one feature each.
fn clustered(
    weights: &[u32],
    pairs: &[Pair],
    threshold: f64,
    linkage: Linkage,
    of: &(dyn Fn(u32, u32) -> f64 + Sync),
) -> Vec<Cluster> {
    let similarity = Similarity { of, size: &|_| 1 };
    clusters(weights, pairs, threshold, linkage, &similarity, &|_| Ok(())).unwrap()
}

/// The clusters by agglomeration over all pairs: each step looks at every two clusters.
fn naive(weights: &[u32], matrix: &[Vec<f64>], threshold: f64, linkage: Linkage) -> Vec<Vec<u32>> {
    let mut clusters: Vec<Vec<u32>> = (0..weights.len() as u32).map(|item| vec![item]).collect();
    let label = |cluster: &[u32]| *cluster.iter().max().unwrap();
    let level = |a: &[u32], b: &[u32]| {
        let all = || a.iter().flat_map(|&x| b.iter().map(move |&y| (x as usize, y as usize)));
        let similarity = |(x, y): (usize, usize)| units(matrix[x][y]);
        let weight = |(x, y): (usize, usize)| u64::from(weights[x]) * u64::from(weights[y]);
        match linkage {
            Linkage::Complete => all().map(similarity).min().unwrap(),
            Linkage::Single => all().map(similarity).max().unwrap(),
            Linkage::Average => {
                let sum: u64 = all().map(|of| similarity(of) * weight(of)).sum();
                sum / all().map(weight).sum::<u64>()
            }
        }
    };
    loop {
        let mut best = None;
        for (second, b) in clusters.iter().enumerate() {
            for (first, a) in clusters[..second].iter().enumerate() {
                let level = level(a, b);
                let labels = (label(a).min(label(b)), label(a).max(label(b)));
                if level >= units(threshold) && level > 0 {
                    best = best.max(Some((level, Reverse(labels), first, second)));
                }
            }
        }
        let Some((_, _, first, second)) = best else { break };
        let mut goes = clusters.remove(second);
        clusters[first].append(&mut goes);
    }
    clusters.retain(|cluster| cluster.len() > 1);
    clusters.iter_mut().for_each(|cluster| cluster.sort_unstable());
    clusters.sort();
    clusters
}

fn pairs_of(matrix: &[Vec<f64>], threshold: f64) -> Vec<Pair> {
    let all = (0..matrix.len()).flat_map(|a| (a + 1..matrix.len()).map(move |b| (a, b)));
    let similar = all.filter(|&(a, b)| matrix[a][b] >= threshold && matrix[a][b] > 0.0);
    similar.map(|(a, b)| Pair { a: a as u32, b: b as u32, similarity: matrix[a][b] as f32 }).collect()
}

fn found(weights: &[u32], matrix: &[Vec<f64>], threshold: f64, linkage: Linkage) -> Vec<Cluster> {
    let similarity = |a: u32, b: u32| matrix[a as usize][b as usize];
    clustered(weights, &pairs_of(matrix, threshold), threshold, linkage, &similarity)
}

fn members(clusters: &[Cluster]) -> Vec<Vec<u32>> {
    clusters.iter().map(|cluster| cluster.members.clone()).collect()
}

/// A symmetric matrix of eighths, so that ties are frequent, and weights.
fn worlds() -> impl Strategy<Value = (Vec<u32>, Vec<Vec<f64>>, f64)> {
    (2..11_usize).prop_flat_map(|count| {
        let weights = prop::collection::vec(1..4_u32, count);
        let cells = prop::collection::vec(0..=8_u8, count * count);
        let matrix = cells.prop_map(move |cells| {
            let cell = |a: usize, b: usize| f64::from(cells[a.min(b) * count + a.max(b)]) / 8.0;
            (0..count).map(|a| (0..count).map(|b| if a == b { 1.0 } else { cell(a, b) }).collect()).collect()
        });
        (weights, matrix, (1..=8_u8).prop_map(|eighths| f64::from(eighths) / 8.0))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn clusters_are_those_of_an_agglomeration_over_all_pairs((weights, matrix, threshold) in worlds()) {
        for linkage in [Linkage::Complete, Linkage::Average, Linkage::Single] {
            let found = found(&weights, &matrix, threshold, linkage);
            prop_assert_eq!(members(&found), naive(&weights, &matrix, threshold, linkage), "{:?}", linkage);
            for cluster in found {
                let cells = cluster.members.iter().flat_map(|&a| {
                    let row = &matrix[a as usize];
                    cluster.members.iter().map(move |&b| row[b as usize])
                });
                let least = cells.fold(1.0, f64::min);
                prop_assert_eq!(cluster.least, Some(least as f32));
            }
        }
    }

    #[test]
    fn clusters_at_a_higher_threshold_lie_within_those_at_a_lower_one((weights, matrix, threshold) in worlds()) {
        for linkage in [Linkage::Complete, Linkage::Average, Linkage::Single] {
            let fine = members(&found(&weights, &matrix, threshold, linkage));
            let coarse = members(&found(&weights, &matrix, threshold - 0.125, linkage));
            for cluster in fine {
                let is_within = |other: &Vec<u32>| cluster.iter().all(|member| other.contains(member));
                prop_assert!(coarse.iter().any(is_within), "{:?} {:?} {:?}", linkage, cluster, coarse);
            }
        }
    }

    #[test]
    fn the_order_of_the_pairs_does_not_matter((weights, matrix, threshold) in worlds(), turn in 0..50_usize) {
        let mut pairs = pairs_of(&matrix, threshold);
        let similarity = |a: u32, b: u32| matrix[a as usize][b as usize];
        let before = clustered(&weights, &pairs, threshold, Linkage::Average, &similarity);
        let turn = turn % pairs.len().max(1);
        pairs.rotate_left(turn);
        pairs.reverse();
        prop_assert_eq!(clustered(&weights, &pairs, threshold, Linkage::Average, &similarity), before);
    }
}

#[test]
fn a_chain_does_not_bring_its_ends_together_unseen() {
    let pair = |a, b| Pair { a, b, similarity: 0.8 };
    let chain = [pair(0, 1), pair(1, 2)];
    let of = |linkage| members(&clustered(&[1; 3], &chain, 0.6, linkage, &|_, _| 0.1));
    assert_eq!(of(Linkage::Average), [[0, 1]]);
    assert_eq!(of(Linkage::Complete), [[0, 1]]);
    assert_eq!(of(Linkage::Single), [[0, 1, 2]]);
}

/// The number of members of the clusters at the level 0.6, and how many similarities were looked up for them.
fn counted(pairs: &[Pair], documents: u32) -> (Vec<usize>, u64) {
    let looked_up = AtomicU64::new(0);
    let similarity = |_: u32, _: u32| {
        looked_up.fetch_add(1, Ordering::Relaxed);
        0.3
    };
    let found = clustered(&vec![1; documents as usize], pairs, 0.6, Linkage::Average, &similarity);
    (found.iter().map(|cluster| cluster.members.len()).collect(), looked_up.into_inner())
}

#[test]
fn a_long_chain_and_a_star_look_up_few_similarities() {
    let count = 20_000;
    let pair = |a: u32, b: u32| Pair { a, b, similarity: 0.8 };
    let chain: Vec<Pair> = (1..count).map(|b| pair(b - 1, b)).collect();
    let (sizes, looked_up) = counted(&chain, count);
    assert_eq!(sizes, vec![2; count as usize / 2], "0.55 is too little to take in a third one");
    assert!(looked_up < 3 * u64::from(count), "{looked_up}");
    let star: Vec<Pair> = (1..count).map(|b| pair(0, b)).collect();
    let (sizes, looked_up) = counted(&star, count);
    assert_eq!(sizes, [2]);
    assert!(looked_up < 3 * u64::from(count), "{looked_up}");
}

/// How many features are compared for the clusters of `items` items, each of `size` features, of which each two have a
/// similarity of 0.7 and are a pair if their numbers differ by at most `near`. Also the clusters.
fn compared_features(items: u32, near: u32, size: u64, linkage: Linkage) -> (u64, Vec<Cluster>) {
    let pairs: Vec<Pair> = (0..items)
        .flat_map(|a| (a + 1..items.min(a + near + 1)).map(move |b| Pair { a, b, similarity: 0.7 }))
        .collect();
    let compared = AtomicU64::new(0);
    let of = |_: u32, _: u32| {
        compared.fetch_add(2 * size, Ordering::Relaxed);
        0.65
    };
    let similarity = Similarity { of: &of, size: &|_| size };
    let weights = vec![1; items as usize];
    let found = clusters(&weights, &pairs, 0.6, linkage, &similarity, &|_| Ok(())).unwrap();
    (compared.into_inner(), found)
}

#[test]
fn the_features_that_are_compared_grow_with_the_documents_and_pairs_and_not_with_their_square() {
    let (items, near) = (2000, 20);
    let size = 100_000;
    for linkage in [Linkage::Average, Linkage::Single] {
        let (compared, found) = compared_features(items, near, size, linkage);
        let most = budget(u64::from(items) * size, (items * near) as usize);
        assert!(compared <= most, "{linkage:?}: {compared}");
        // Beyond the budget, clusters stay apart or their smallest similarity is unknown.
        assert!(found.len() > 1 || found[0].least.is_none(), "{linkage:?}");
        assert!(compared <= 300 * u64::from(items) * size, "{linkage:?}: {compared}");
    }
}

#[test]
fn items_as_many_as_passes_are_compared_each_with_each_however_large_they_are() {
    for linkage in [Linkage::Average, Linkage::Single] {
        let (compared, found) = compared_features(PASSES as u32, 3, 1 << 40, linkage);
        assert!(compared > 0 && found.iter().all(|cluster| cluster.least.is_some()), "{linkage:?}");
    }
}

#[test]
fn the_caller_can_stop_the_clusters_while_similarities_are_computed() {
    let pairs: Vec<Pair> = (1..3000).map(|b| Pair { a: 0, b, similarity: 0.9 }).collect();
    for linkage in [Linkage::Complete, Linkage::Average, Linkage::Single] {
        let compared = AtomicU64::new(0);
        let of = |_: u32, _: u32| {
            compared.fetch_add(1, Ordering::Relaxed);
            0.85
        };
        let similarity = Similarity { of: &of, size: &|_| 1 << 20 };
        let stop = |_| Err(SearchError::Stopped);
        let found = clusters(&[1; 3000], &pairs, 0.6, linkage, &similarity, &stop);
        assert!(matches!(found, Err(SearchError::Stopped)), "{linkage:?}");
        assert!(compared.into_inner() < 10, "{linkage:?}");
    }
}

#[test]
fn progress_grows_to_the_whole() {
    let pairs: Vec<Pair> = (0..1000).map(|of| Pair { a: 2 * of, b: 2 * of + 1, similarity: 0.9 }).collect();
    let most = std::sync::Mutex::new(0.0_f64);
    let tick = |share: f64| {
        let mut most = most.lock().unwrap();
        *most = most.max(share);
        Ok(())
    };
    let similarity = Similarity { of: &|_, _| 0.0, size: &|_| 1 };
    let found = clusters(&[1; 2000], &pairs, 0.6, Linkage::Average, &similarity, &tick).unwrap();
    assert_eq!((found.len(), most.into_inner().unwrap()), (1000, 1.0));
}
