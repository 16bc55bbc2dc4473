//! The pairs against a comparison of each document with each.

use proptest::prelude::*;

use super::*;
use crate::equal::Equal;
use crate::error::NearError;
use crate::features::FeatureSets;
use crate::jaccard::pairs_within;
use crate::pair::{Pair, sort_pairs};
use crate::pair_limit::{PairLimit, PairUse};
use dupi_index::index::search::SearchError;

fn compared(bags: &FeatureSets, threshold: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for a in 0..bags.len() {
        for b in a + 1..bags.len() {
            let similarity = bags.resemblance(a, b);
            if similarity > 0.0 && similarity >= threshold {
                pairs.push(Pair { a: a as u32, b: b as u32, similarity: similarity as f32 });
            }
        }
    }
    pairs
}

/// The pairs as the search finds them.
fn pairs(bags: &FeatureSets, threshold: f64, limit: &PairLimit) -> Result<Vec<Pair>, NearError> {
    let equal = Equal::find(bags);
    let found = pairs_within(bags, &equal, threshold, limit, &|_| Ok(()))?;
    let mut all: Vec<Pair> = equal.all_pairs(&found).filter(|_| threshold <= 1.0).collect();
    sort_pairs(&mut all);
    Ok(all)
}

/// Bags of few features, some of them like another one; sets if `is_set`.
fn bags() -> impl Strategy<Value = FeatureSets> {
    let feature = prop_oneof![0..12_u64, 0..400_u64];
    let bag =
        prop_oneof![prop::collection::vec(feature.clone(), 0..8), prop::collection::vec(feature, 0..60),];
    let bags = prop::collection::vec((bag, any::<prop::sample::Index>(), 0..3_u8), 0..50);
    (bags, any::<bool>()).prop_map(|(made, is_set)| {
        let mut bags = FeatureSets::default();
        for (number, (mut features, other, of)) in made.iter().cloned().enumerate() {
            if of == 0 {
                let other = &made[other.index(number + 1)].0;
                features.truncate(6);
                features.extend(other);
            }
            if is_set { bags.add_set(features) } else { bags.add_bag(features) }
        }
        bags
    })
}

fn thresholds() -> impl Strategy<Value = f64> {
    prop_oneof![Just(USUAL_THRESHOLD), Just(0.5), Just(1.0), Just(1.0 / 3.0), Just(0.0), Just(1.1), 0.01..1.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn pairs_are_those_of_comparing_all(bags in bags(), threshold in thresholds()) {
        prop_assert_eq!(pairs(&bags, threshold, &PairLimit::none()).unwrap(), compared(&bags, threshold));
    }

    #[test]
    fn parts_by_signature_have_the_same_pairs(bags in bags(), threshold in thresholds(), parts in 1..5_u64) {
        let part = |part| intersections(&bags, part, parts, threshold, &|_| Ok(())).unwrap();
        prop_assert_eq!(pairs_of(&bags, (0..parts).map(part), threshold), compared(&bags, threshold));
    }

    #[test]
    fn parts_by_document_have_the_same_pairs(bags in bags(), threshold in thresholds(), size in 1..30_u32) {
        let starts = (0..bags.len() as u32).step_by(size as usize);
        let block = |start| {
            let none = PairLimit::none();
            pairs_in_block(&bags, start..start + size, threshold, &none, &|_| Ok(())).unwrap()
        };
        let mut found: Vec<Pair> = starts.flat_map(block).collect();
        found.sort_by_key(|pair| (pair.a, pair.b));
        prop_assert_eq!(found, compared(&bags, threshold));
    }

    #[test]
    fn bounds_leave_out_frequent_and_rare_features(bags in bags(), min in 0.0..1.0, max in 0.0..1.0) {
        let bounded = IdfBounds { min, max }.apply(bags.clone());
        prop_assert_eq!(bounded.len(), bags.len());
        let documents = bags.len() as f64;
        for document in 0..bags.len() {
            let counts = |feature: &u64| {
                let having = (0..bags.len()).filter(|&other| bags.of(other).contains(feature)).count() as f64;
                let idf = if documents > 1.0 { 1.0 - having.ln() / documents.ln() } else { 1.0 };
                (min - 1e-9..=max + 1e-9).contains(&idf)
            };
            let kept: Vec<(usize, u64)> =
                bags.of(document).iter().copied().enumerate().filter(|(_, feature)| counts(feature)).collect();
            prop_assert_eq!(bounded.of(document), kept.iter().map(|kept| kept.1).collect::<Vec<_>>());
            let counts = bags.counts(document);
            if !counts.is_empty() {
                let kept: Vec<u32> = kept.iter().map(|kept| counts[kept.0]).collect();
                prop_assert_eq!(bounded.counts(document), kept);
            }
        }
        prop_assert_eq!(IdfBounds::default().apply(bags.clone()), bags);
    }
}

#[test]
fn a_text_is_found_between_other_menus() {
    let english = Antecedents::of_language("English").unwrap();
    let story: String =
        (0..60).map(|n| format!("The wolf{n} is near the river{n} in a forest{n}. ")).collect();
    let menu = |site: &str| (0..80).map(|n| format!("{site}{n} | ")).collect::<String>();
    let other: String = (0..60).map(|n| format!("The ship{n} was on a sea{n}. ")).collect();
    let mut bags = FeatureSets::default();
    for text in [menu("home") + &story + &menu("about"), menu("shop") + &story, menu("home") + &other] {
        let tokens: Vec<u64> = dupi_text::token::Words::new(&text).map(|token| token.hash).collect();
        bags.add_bag(signatures(&tokens, &english));
    }
    let found = pairs(&bags, USUAL_THRESHOLD, &PairLimit::none()).unwrap();
    assert_eq!(found.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(0, 1)]);
    assert!(found[0].similarity > 0.9);
}

#[test]
fn a_comparison_ends_when_its_caller_says_so() {
    let mut bags = FeatureSets::default();
    (0..10).for_each(|_| bags.add_bag(vec![1, 2, 3]));
    let stop = |_| Err(SearchError::Stopped);
    assert!(matches!(
        pairs_in_block(&bags, 0..5, 0.5, &PairLimit::none(), &stop),
        Err(NearError::Search(SearchError::Stopped))
    ));
    assert!(matches!(intersections(&bags, 0, 1, 0.5, &stop), Err(SearchError::Stopped)));
}

#[test]
fn a_low_threshold_ends_before_all_pairs_are_in_memory() {
    let mut bags = FeatureSets::default();
    (0..1000).for_each(|own| bags.add_bag(vec![1_000_000, 1_000_001, own]));
    let limit = || PairLimit::new(0, PairUse::Clusters);
    assert!(matches!(pairs(&bags, 0.3, &limit()), Err(NearError::Pairs { .. })));
    let found = pairs_in_block(&bags, 0..1000, 0.3, &limit(), &|_| Ok(()));
    assert!(matches!(found, Err(NearError::Pairs { .. })));
}
