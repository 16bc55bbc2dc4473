//! The searches against a comparison of all pairs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rayon::prelude::*;

use super::pairs::{NearPairs, find_at_most};
use super::*;
use crate::SearchError;
use crate::pairs::Pair;

fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Random hashes, and near ones of some of them.
fn planted(random: u64, near: u64) -> Vec<u64> {
    let mut hashes: Vec<u64> = (0..random).map(mixed).collect();
    for number in 0..near {
        let bits = (0..number % 10).map(|bit| 1 << (mixed(number * 10 + bit + random) % 64));
        let flipped = bits.fold(0, |all: u64, bit: u64| all ^ bit);
        hashes.push(hashes[mixed(number + random * 2) as usize % hashes.len()] ^ flipped);
    }
    hashes
}

/// All pairs of different places in a list, each pair of values once.
fn compared(hashes: &[u64], distance: u32) -> Vec<(u64, u64)> {
    let mut sorted = hashes.to_vec();
    sorted.sort_unstable();
    let near = |at: usize| {
        let (a, behind) = (sorted[at], &sorted[at + 1..]);
        behind.iter().filter(|&b| (a ^ b).count_ones() <= distance).map(|&b| (a, b)).collect::<Vec<_>>()
    };
    let pairs: Vec<Vec<_>> = (0..sorted.len()).into_par_iter().map(near).collect();
    pairs.concat().into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}

/// Connected components, by the label that spreads.
fn connected(hashes: &[u64], pairs: &[(u64, u64)]) -> Vec<Vec<u64>> {
    let mut label: BTreeMap<u64, u64> = hashes.iter().map(|&hash| (hash, hash)).collect();
    loop {
        let before = label.clone();
        for (a, b) in pairs {
            let least = label[a].min(label[b]);
            label.insert(*a, least);
            label.insert(*b, least);
        }
        if label == before {
            break;
        }
    }
    let mut clusters: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut sorted = hashes.to_vec();
    sorted.sort_unstable();
    sorted.iter().for_each(|hash| clusters.entry(label[hash]).or_default().push(*hash));
    clusters.into_values().filter(|cluster| cluster.len() > 1).collect()
}

fn found(hashes: &[u64], distance: u32, blocks: Option<u32>) -> Vec<(u64, u64)> {
    find_all(hashes.to_vec(), SimHashSettings::new(distance, blocks).unwrap(), &|_| Ok(())).unwrap()
}

/// Lists of hashes: random, in a small ball, few bits that vary, many equal ones.
fn lists() -> impl Strategy<Value = Vec<u64>> {
    let near = (any::<u64>(), 0..64_u32, 0..64_u32).prop_map(|(_, a, b)| 1 << a ^ 1 << b);
    let some = prop_oneof![
        any::<u64>(),
        near,
        Just(0),
        0..64_u64,
        (0..1_u64 << 12).prop_map(|bits| bits << 30 | bits >> 6),
        (0..300_u64).prop_map(mixed),
    ];
    prop_oneof![prop::collection::vec(some.clone(), 0..40), prop::collection::vec(some, 200..500)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn all_near_pairs_are_found_and_each_once(
        hashes in lists(),
        distance in prop_oneof![0..=10_u32, 0..=64_u32],
        more in prop::option::of(1..8_u32),
    ) {
        let blocks = more.map(|more| (distance + more).min(64)).filter(|&blocks| blocks > distance);
        prop_assert_eq!(found(&hashes, distance, blocks), compared(&hashes, distance));
    }

    #[test]
    fn clusters_are_the_connected_components_of_the_pairs(hashes in lists(), distance in 0..10_u32) {
        let settings = SimHashSettings::new(distance, None).unwrap();
        let clusters = find_clusters(hashes.clone(), settings, &|_| Ok(())).unwrap();
        prop_assert_eq!(clusters, connected(&hashes, &compared(&hashes, distance)));
    }

    #[test]
    fn documents_are_in_pairs_as_their_fingerprints_are(
        fingerprints in prop::collection::btree_set(prop_oneof![0..64_u64, any::<u64>()], 0..80),
        order: u64,
        distance in 0..10_u32,
        most in 0..2000_usize,
    ) {
        let mut fingerprints: Vec<u64> = fingerprints.into_iter().collect();
        fingerprints.sort_by_key(|print| print.wrapping_mul(order | 1));
        let near = near(&fingerprints, distance, most);
        let mut expected = Vec::new();
        for (a, first) in (0..).zip(&fingerprints) {
            for (b, second) in (0..).zip(&fingerprints).skip(a as usize + 1) {
                let bits = (first ^ second).count_ones();
                if bits <= distance {
                    expected.push(Pair { a, b, similarity: 1.0 - bits as f32 / 64.0 });
                }
            }
        }
        if expected.len() <= most {
            prop_assert_eq!(near, NearPairs { pairs: expected, omitted: 0 });
        } else {
            prop_assert_eq!(near.pairs.len() as u64 + near.omitted, expected.len() as u64);
            prop_assert!(near.pairs.iter().all(|pair| expected.contains(pair)));
            let numbers: Vec<u64> = (0..fingerprints.len() as u64).collect();
            let connected = |pairs: &[Pair]| {
                let pairs: Vec<_> = pairs.iter().map(|pair| (u64::from(pair.a), u64::from(pair.b))).collect();
                super::tests::connected(&numbers, &pairs)
            };
            prop_assert_eq!(connected(&near.pairs), connected(&expected));
        }
    }
}

/// The pairs of documents with these fingerprints.
fn near(fingerprints: &[u64], distance: u32, most: usize) -> NearPairs {
    let settings = SimHashSettings::new(distance, None).unwrap();
    let documents = fingerprints.iter().copied().zip(0..).collect();
    near_pairs(documents, most, |hashes, sink| search_near(hashes, settings, sink, &|_| Ok(()))).unwrap()
}

#[test]
fn every_number_of_blocks_finds_the_pairs_of_every_distance() {
    let hashes = planted(500, 250);
    for distance in 0..=10 {
        let expected = compared(&hashes, distance);
        assert!(expected.len() as u32 >= 15 * distance);
        for blocks in distance + 1..=(distance + 5).min(64) {
            assert_eq!(found(&hashes, distance, Some(blocks)), expected, "{distance} of {blocks}");
        }
        assert_eq!(found(&hashes, distance, None), expected, "{distance}");
    }
}

#[test]
fn twenty_thousand_hashes_have_the_pairs_that_comparing_all_of_them_finds() {
    let hashes = planted(18_000, 2000);
    let all = compared(&hashes, 8);
    for distance in [3, 6, 8] {
        let mut expected = all.clone();
        expected.retain(|(a, b)| (a ^ b).count_ones() <= distance);
        assert_eq!(found(&hashes, distance, None), expected);
    }
}

/// Hashes that vary in few bits fill their buckets, and these are searched again by other blocks.
#[test]
fn crowded_hashes_are_searched_by_the_bits_that_vary() {
    let crowded: Vec<u64> = (0..3000).map(|number| mixed(number) & 0x0000_ffff_0000_ffff).collect();
    let few: Vec<u64> = (0..2048).map(|number| mixed(7) ^ number << 20).collect();
    for hashes in [crowded, few] {
        for blocks in [None, Some(3), Some(4), Some(20)] {
            assert_eq!(found(&hashes, 2, blocks), compared(&hashes, 2), "{blocks:?}");
        }
    }
}

#[test]
fn equal_hashes_are_one_pair_and_no_hashes_none() {
    for (hashes, expected) in [
        (vec![], vec![]),
        (vec![5], vec![]),
        (vec![5, 5], vec![(5, 5)]),
        (vec![0; 100_000], vec![(0, 0)]),
        (vec![5, 5, 4, 5], vec![(4, 5), (5, 5)]),
        (vec![u64::MAX, 0], vec![]),
    ] {
        for distance in [1, 3, 63] {
            assert_eq!(found(&hashes, distance, None), expected);
        }
    }
    assert_eq!(found(&[u64::MAX, 0], 64, None), [(0, u64::MAX)]);
    assert_eq!(found(&[5, 5, 4], 0, None), [(5, 5)]);
}

#[test]
fn pairs_of_very_many_near_fingerprints_are_reported_within_a_bound() {
    let fingerprints: Vec<u64> = (0..1 << 14).collect();
    let near = near(&fingerprints, 3, 10_000);
    assert_eq!(near.pairs.len(), (1 << 14) - 1);
    let near_each = 14 + 14 * 13 / 2 + 14 * 13 * 12 / 6;
    assert_eq!(near.pairs.len() as u64 + near.omitted, (1 << 14) * near_each / 2);
}

#[test]
fn a_search_ends_when_its_caller_says_so() {
    let settings = SimHashSettings::new(3, None).unwrap();
    let stop = |_| Err(SearchError::Stopped);
    let all = find_all(planted(9000, 0), settings, &stop);
    assert!(matches!(all, Err(HashPairsError::Search(SearchError::Stopped))));
    assert!(matches!(find_clusters(planted(9000, 0), settings, &stop), Err(SearchError::Stopped)));
}

#[test]
fn progress_grows_to_the_whole() {
    let reported = std::sync::Mutex::new(Vec::new());
    let tick = |share| {
        reported.lock().unwrap().push(share);
        Ok(())
    };
    find_all(planted(50_000, 0), SimHashSettings::new(3, Some(4)).unwrap(), &tick).unwrap();
    let reported = reported.into_inner().unwrap();
    let most = reported.into_iter().fold(0.0, f64::max);
    assert!((0.99..=1.0).contains(&most), "{most}");
}

#[test]
fn pairs_are_kept_up_to_a_number_and_more_are_an_error() {
    let near: Vec<u64> = (0..2000).collect();
    let find = |most| find_at_most(near.clone(), SimHashSettings::new(2, None).unwrap(), most, &|_| Ok(()));
    let all = find(usize::MAX).unwrap().len();
    assert_eq!(find(all).unwrap().len(), all);
    let error = find(all - 1).unwrap_err();
    assert!(matches!(error, HashPairsError::TooMany(most) if most == all - 1), "{error}");
}
