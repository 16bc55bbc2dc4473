use super::*;
use crate::SearchError;
use proptest::prelude::*;

const GO: &Tick = &|_| Ok(());

fn unlimited() -> PairLimit {
    PairLimit::for_list(u64::MAX)
}

/// All pairs of documents, by comparing each with each.
fn naive(sets: &FeatureSets, threshold: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for b in 0..sets.len() {
        for a in 0..b {
            let resemblance = sets.resemblance(a, b);
            if resemblance > 0.0 && resemblance >= threshold {
                pairs.push(Pair { a: a as u32, b: b as u32, similarity: resemblance as f32 });
            }
        }
    }
    sort_pairs(&mut pairs);
    pairs
}

/// All pairs of documents, by prefix filtering.
fn filtered(sets: &FeatureSets, threshold: f64) -> Vec<Pair> {
    let equal = Equal::find(sets);
    let found = pairs(sets, &equal, threshold, &unlimited(), GO).unwrap();
    let mut all: Vec<Pair> = equal.all_pairs(&found).filter(|_| threshold <= 1.0).collect();
    sort_pairs(&mut all);
    all
}

fn sets(documents: &[Vec<u64>], are_bags: bool) -> FeatureSets {
    let mut sets = FeatureSets::default();
    for document in documents {
        sets.add(document.clone(), are_bags);
    }
    sets
}

/// Documents of few features, frequent ones more often than rare ones, some of them edited copies of others.
fn documents() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let feature = (0_u32..6).prop_flat_map(|bits| 0_u64..1 << bits);
    let document = proptest::collection::vec(feature.clone(), 0..25);
    let copies = proptest::collection::vec(
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), feature),
        0..12,
    );
    (proptest::collection::vec(document, 1..25), copies).prop_map(|(mut documents, copies)| {
        for (of, at, feature) in copies {
            let mut copy = documents[of.index(documents.len())].clone();
            if !copy.is_empty() {
                let at = at.index(copy.len());
                copy[at] = feature;
            }
            documents.push(copy);
        }
        documents
    })
}

/// Thresholds, many of which are the resemblance of some pair.
fn threshold() -> impl Strategy<Value = f64> {
    prop_oneof![
        (0_u32..=100).prop_map(|percent| f64::from(percent) / 100.0),
        (1_u32..12, 12_u32..30).prop_map(|(of, parts)| f64::from(of) / f64::from(parts)),
        Just(1.0),
        -0.1..1.1_f64,
    ]
}

proptest! {
    #[test]
    fn filtering_finds_what_comparing_all_finds(
        documents in documents(),
        threshold in threshold(),
        are_bags in any::<bool>(),
    ) {
        let sets = sets(&documents, are_bags);
        prop_assert_eq!(filtered(&sets, threshold), naive(&sets, threshold));
    }

    #[test]
    fn parts_by_document_find_the_same(
        documents in documents(),
        border in any::<prop::sample::Index>(),
        threshold in threshold(),
        are_bags in any::<bool>(),
    ) {
        let sets = sets(&documents, are_bags);
        let border = border.index(documents.len()) as u32;
        let across = Threshold::new(threshold)
            .map_or(Ok(Vec::new()), |threshold| join_across(&sets, border, threshold, &unlimited(), GO));
        let mut expected = naive(&sets, threshold);
        expected.retain(|pair| pair.a < border && border <= pair.b);
        prop_assert_eq!(across.unwrap(), expected);
    }

    #[test]
    fn two_documents_of_different_sets_are_compared_as_those_of_one(
        a in proptest::collection::vec(0_u64..9, 0..12),
        b in proptest::collection::vec(0_u64..9, 0..12),
        threshold in threshold(),
        are_bags in any::<bool>(),
    ) {
        let found = Threshold::new(threshold).and_then(|threshold| {
            let [a, b] = [&a, &b].map(|features| FeatureSets::of_one(features.clone(), are_bags));
            threshold.compare(a.get(0), b.get(0))
        });
        let both = naive(&sets(&[a, b], are_bags), threshold);
        prop_assert_eq!(found, both.first().map(|pair| pair.similarity));
    }
}

/// Documents that begin alike and go on differently, of many lengths.
fn stepped(number: u64) -> Vec<Vec<u64>> {
    (0..number)
        .map(|n| (0..40 + n % 17).map(|at| if at < 20 + n % 19 { at } else { n % 23 * 1000 + at }).collect())
        .collect()
}

#[test]
fn one_thread_and_two_find_the_same() {
    let sets = sets(&stepped(400), false);
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| filtered(&sets, 0.6))
    });
    assert_eq!(one, naive(&sets, 0.6));
    assert_eq!(one, two);
}

#[test]
fn a_resemblance_that_equals_the_threshold_is_enough() {
    for parts in 1..60_u64 {
        for both in 1..=parts {
            let (a, b): (Vec<u64>, Vec<u64>) = ((0..parts).collect(), (0..both).collect());
            let sets = sets(&[a, b], false);
            let threshold = both as f64 / parts as f64;
            assert_eq!(filtered(&sets, threshold).len(), 1, "{both} of {parts}");
            assert!(filtered(&sets, threshold.next_up()).is_empty(), "{both} of {parts}");
        }
    }
}

#[test]
fn copies_of_one_document_are_compared_once() {
    let mut documents = vec![(0..2000).collect(); 10_000];
    documents.push((1..2000).collect());
    let sets = sets(&documents, false);
    let equal = Equal::find(&sets);
    let found = pairs(&sets, &equal, 0.5, &unlimited(), GO).unwrap();
    assert_eq!(found, [Pair { a: 0, b: 10_000, similarity: 0.9995 }]);
    assert_eq!(equal.groups.len(), 1);
    assert_eq!(equal.groups[0].len(), 10_000);
}

#[test]
fn documents_without_features_are_in_no_pair() {
    let sets = sets(&[vec![], vec![], vec![1]], false);
    assert!(filtered(&sets, 0.0).is_empty());
}

#[test]
fn the_caller_can_stop_the_search() {
    let sets = sets(&stepped(300), false);
    let stop = |done: f64| if done > 0.5 { Err(SearchError::Stopped) } else { Ok(()) };
    let stopped = pairs(&sets, &Equal::find(&sets), 0.5, &unlimited(), &stop);
    assert!(matches!(stopped, Err(NearError::Search(SearchError::Stopped))));
}

#[test]
fn a_low_threshold_ends_before_all_pairs_are_in_memory() {
    let alike: Vec<Vec<u64>> = (0..1000).map(|own| vec![1_000_000, 1_000_001, own]).collect();
    let sets = sets(&alike, false);
    let found = |limit: &PairLimit| pairs(&sets, &Equal::find(&sets), 0.3, limit, GO);
    assert_eq!(found(&unlimited()).unwrap().len(), 499_500);
    let error = found(&PairLimit::for_clusters(0)).unwrap_err();
    assert!(matches!(error, NearError::Pairs { .. }), "{error}");
}
