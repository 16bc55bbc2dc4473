//! Similar documents against a naive reference: sets of windows of words, all pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use crate::naive::indexed;
use dupi::blot::{Profile, RecipeChoice};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::near::found::Found;
use dupi::near::search::find;
use dupi::near::settings::{ClusterRule, Identity, Method, NearSettings, Shingling};
use dupi::token::TokenMode;
use proptest::prelude::*;

type Documents = BTreeMap<String, Vec<u8>>;

fn documents() -> impl Strategy<Value = Documents> {
    let words = prop::collection::vec(0..4_u8, 1..14);
    let texts = prop::collection::vec(words, 2..10);
    texts.prop_map(|texts| {
        let name = |number: usize| format!("{}/{number}.txt", number % 3);
        texts.into_iter().enumerate().map(|(number, words)| (name(number), words)).collect()
    })
}

fn snapshot(documents: &Documents, threads: usize) -> (tempfile::TempDir, Snapshot) {
    let text = |words: &Vec<u8>| words.iter().map(|word| format!("w{word} ")).collect::<String>();
    let texts: BTreeMap<String, String> =
        documents.iter().map(|(name, words)| (name.clone(), text(words))).collect();
    let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..Profile::Default.choice() };
    indexed(&texts, |usual| Options { recipe, threads, ..usual })
}

fn search(snapshot: &Snapshot, method: Method, threshold: f64, threads: usize) -> Found {
    let rule = ClusterRule { threshold, ..ClusterRule::default() };
    let settings = NearSettings { method, rule, clusters: true, memory: 1 << 30 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| find(snapshot, &settings, &|_| Ok(()))).unwrap()
}

/// All pairs by the names of the documents, with the similarity.
fn pairs(snapshot: &Snapshot, found: &Found) -> BTreeMap<(String, String), f32> {
    let name = |number: u32| {
        let id = found.documents[number as usize].id;
        snapshot.path(snapshot.file_of(id)).to_str().unwrap().to_owned()
    };
    found.all_pairs().map(|pair| ((name(pair.a), name(pair.b)), pair.similarity)).collect()
}

fn resemblance(a: &[u8], b: &[u8], size: usize) -> f64 {
    let shingles = |words: &[u8]| -> BTreeSet<Vec<u8>> {
        words.windows(size.min(words.len())).map(<[u8]>::to_vec).collect()
    };
    let (a, b) = (shingles(a), shingles(b));
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pairs_are_those_of_a_naive_search(documents in documents(), size in 1..4_usize, tenths in 1..=10_u8) {
        let threshold = f64::from(tenths) / 10.0;
        let (_folder, snapshot) = snapshot(&documents, 1);
        let shingling = Shingling { size: NonZeroUsize::new(size).unwrap(), bag: false };
        let found = search(&snapshot, Method::Jaccard(shingling), threshold, 2);
        let mut expected = BTreeMap::new();
        for (a, words) in &documents {
            for (b, others) in documents.range(a.clone()..).skip(1) {
                let similarity = resemblance(words, others, size);
                if similarity >= threshold {
                    expected.insert((a.clone(), b.clone()), similarity as f32);
                }
            }
        }
        prop_assert_eq!(pairs(&snapshot, &found), expected);
        let alone = search(&snapshot, Method::Jaccard(shingling), threshold, 1);
        prop_assert_eq!(alone.clusters, found.clusters);
    }

    #[test]
    fn identical_documents_are_those_with_equal_words(documents in documents()) {
        let (_folder, snapshot) = snapshot(&documents, 2);
        let found = search(&snapshot, Method::Identical(Identity::Tokens), 1.0, 2);
        let mut expected = BTreeSet::new();
        for (a, words) in &documents {
            let equal = documents.range(a.clone()..).skip(1).filter(|(_, others)| *others == words);
            expected.extend(equal.map(|(b, _)| (a.clone(), b.clone())));
        }
        prop_assert_eq!(pairs(&snapshot, &found).into_keys().collect::<BTreeSet<_>>(), expected);
    }
}
