use std::collections::BTreeSet;

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::error::PairLimit;
use crate::jaccard;
use crate::pairs::Equal;

fn hash(word: &str) -> u64 {
    Words::new(word).next().unwrap().hash
}

#[test]
fn each_language_has_antecedents_and_words_that_are_only_skipped() {
    let languages = ["English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch"];
    assert_eq!(Antecedents::languages(), languages);
    for (language, word, skipped) in [
        ("english", "The", "of"),
        ("German", "dem", "zwischen"),
        ("French", "était", "avec"),
        ("Spanish", "está", "entre"),
        ("Italian", "è", "perché"),
        ("Portuguese", "são", "não"),
        ("Dutch", "het", "omdat"),
    ] {
        let found = Antecedents::of_language(language).unwrap();
        assert_eq!(found.spot(hash(word)), Some(Spot::default()), "{word}");
        assert_eq!(found.spot(hash(skipped)).map(|spot| spot.chain), Some(0), "{skipped}");
        assert_eq!(found.spot(hash("Elefant")), None);
    }
    let all = Antecedents::of_all_languages();
    assert!(["the", "dem", "het"].iter().all(|word| all.spot(hash(word)) == Some(Spot::default())));
    let said = Antecedents::of_language("Klingon").unwrap_err().to_string();
    assert!(said.contains("Klingon") && said.contains("English, German"), "{said}");
}

/// How many words the published lists have, and the sum of the xxh3-64 of them: no word is ours.
#[test]
fn the_words_of_a_language_are_those_of_the_published_list() {
    let published = [
        ("English", 153, 0x044e_e573_64ca_da61),
        ("German", 236, 0x368c_6bc4_bf4c_e6f5),
        ("French", 170, 0x4bb1_5a76_dc96_77da),
        ("Spanish", 315, 0x4c40_4192_6eb1_5623),
        ("Italian", 279, 0xb15e_452f_e5da_323e),
        ("Portuguese", 207, 0x443c_daa0_b9cb_169d),
        ("Dutch", 101, 0xc89c_e8ee_7eac_c36c),
    ];
    for ((language, list), (name, words, sum)) in sections().zip(published) {
        let sorted: BTreeSet<&str> = list.split_whitespace().filter(|word| *word != "-").collect();
        let hashes = sorted.iter().map(|word| xxh3_64(word.as_bytes()));
        let found = hashes.fold(0, u64::wrapping_add);
        assert_eq!((language, sorted.len(), found), (name, words, sum), "{language}: {found:#018x}");
    }
}

#[test]
fn a_list_of_the_user_has_words_with_distances_and_lengths() {
    let list = Antecedents::parse("# mine\nThe\n\n IS 2 3 \nof 1 0\nwas 4\r\n").unwrap();
    for (word, distance, chain) in [("the", 1, 2), ("is", 2, 3), ("of", 1, 0), ("was", 4, 2)] {
        assert_eq!(list.spot(hash(word)), Some(Spot { distance, chain }), "{word}");
    }
    for wrong in ["two-words", "the 0", "the x", "the 1 2 3", "the -1", "...", "the 1 70000"] {
        let said = Antecedents::parse(&format!("a\n{wrong}")).unwrap_err();
        assert_eq!(said, AntecedentsError::Line { line: 2 }, "{wrong}");
    }
}

fn tokens(text: &str) -> Vec<u64> {
    Words::new(text).map(|token| token.hash).collect()
}

fn signature(words: &str) -> u64 {
    tokens(words).into_iter().fold(0, |hash, word| hash.rotate_left(1) ^ word)
}

#[test]
fn a_signature_is_an_antecedent_and_the_content_words_behind_it() {
    let english = Antecedents::of_language("English").unwrap();
    let text = "At a rally to kick off a weeklong campaign for the South Carolina primary, the end";
    let expected = ["a rally kick", "a weeklong campaign", "the South Carolina"].map(signature);
    assert_eq!(signatures(&tokens(text), &english), expected);
    assert!(signatures(&tokens("Banners and menus; links, links"), &english).is_empty());
    assert!(signatures(&[], &english).is_empty());
}

#[test]
fn distances_skip_content_words() {
    let list = Antecedents::parse("the 2 2\nis 1 1\nof 1 0").unwrap();
    let text = "the one two of three four is five the six";
    assert_eq!(signatures(&tokens(text), &list), ["the two four", "is five"].map(signature));
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn bounds_leave_out_frequent_and_rare_features(bags in bags(), min in 0.0..1.0, max in 0.0..1.0) {
        let bounded = IdfBounds { min, max }.apply(&bags);
        prop_assert_eq!(bounded.len(), bags.len());
        let documents = bags.len() as f64;
        for document in 0..bags.len() {
            let counts = |feature: &u64| {
                let having = (0..bags.len()).filter(|&other| bags.features(other).contains(feature)).count() as f64;
                let idf = if documents > 1.0 { 1.0 - having.ln() / documents.ln() } else { 1.0 };
                (min - 1e-9..=max + 1e-9).contains(&idf)
            };
            let kept: Vec<(usize, u64)> =
                bags.features(document).iter().copied().enumerate().filter(|(_, feature)| counts(feature)).collect();
            prop_assert_eq!(bounded.features(document), kept.iter().map(|kept| kept.1).collect::<Vec<_>>());
            let counts = bags.get(document).counts;
            if !counts.is_empty() {
                let kept: Vec<u32> = kept.iter().map(|kept| counts[kept.0]).collect();
                prop_assert_eq!(bounded.get(document).counts, kept);
            }
        }
        prop_assert_eq!(IdfBounds::default().apply(&bags), bags);
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
        bags.add_bag(signatures(&tokens(&text), &english));
    }
    let limit = PairLimit::for_list(u64::MAX);
    let found = jaccard::pairs(&bags, &Equal::find(&bags), USUAL_THRESHOLD, &limit, &|_| Ok(())).unwrap();
    assert_eq!(found.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(0, 1)]);
    assert!(found[0].similarity > 0.9);
}
