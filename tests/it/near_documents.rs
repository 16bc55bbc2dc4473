//! Documents of which it is known which ones are nearly the same: how many of these each method finds, and what else it
//! tells.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use crate::revised::{Revised, Revision};
use crate::support::page::{figure, publish};
use dupi::near::equal::Equal;
use dupi::near::features::FeatureSets;
use dupi::near::pair::Pair;
use dupi::near::pair_limit::PairLimit;
use dupi::near::{jaccard, minhash};
use dupi::sketch::shingles;
use dupi::token::{LexState, Tokeniser};

/// A way to find pairs of texts that are nearly the same.
type Method = fn(&[String]) -> Vec<Pair>;

/// The methods, each with its settings as the command takes them.
const METHODS: [(&str, Method); 5] = [
    ("jaccard", |texts| exact(texts, 5, 0.5)),
    ("jaccard --shingle 3 --threshold .3", |texts| exact(texts, 3, 0.3)),
    ("jaccard --shingle 2 --threshold .2", |texts| exact(texts, 2, 0.2)),
    ("minhash", |texts| hashed(texts, true)),
    ("minhash --no-verify", |texts| hashed(texts, false)),
];

const REVISIONS: [Revision; 8] = [
    Revision::Edited(0.0),
    Revision::Edited(0.05),
    Revision::Edited(0.1),
    Revision::Edited(0.2),
    Revision::Edited(0.3),
    Revision::Edited(0.4),
    Revision::Moved,
    Revision::Reposted,
];

/// The shingles of texts.
fn sets(texts: &[String], k: usize) -> FeatureSets {
    let mut sets = FeatureSets::default();
    for text in texts {
        let tokens = Tokeniser::Words.tokens(text, LexState::default());
        let tokens: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
        sets.add_set(shingles(&tokens, NonZeroUsize::new(k).unwrap()));
    }
    sets
}

fn exact(texts: &[String], k: usize, threshold: f64) -> Vec<Pair> {
    let sets = sets(texts, k);
    let equal = Equal::find(&sets);
    equal.all_pairs(&jaccard::pairs(&sets, &equal, threshold, &|_| Ok(())).unwrap()).collect()
}

fn hashed(texts: &[String], verify: bool) -> Vec<Pair> {
    let sets = sets(texts, 5);
    let equal = Equal::find(&sets);
    let settings = minhash::Settings { verify, ..minhash::Settings::default() };
    let found = minhash::pairs(&sets, &equal, 0.5, settings, &PairLimit::none(), &|_| Ok(())).unwrap();
    equal.all_pairs(&found).collect()
}

/// Precision and recall of a method.
fn score(revised: &Revised, method: Method) -> (f64, f64) {
    let told: BTreeSet<(u32, u32)> = method(&revised.texts).iter().map(|pair| (pair.a, pair.b)).collect();
    revised.score(&told)
}

#[test]
fn light_revisions_are_found_and_nothing_else_at_the_default_settings() {
    let cases = [
        (Revision::Edited(0.0), 1.0),
        (Revision::Edited(0.03), 0.95),
        (Revision::Moved, 0.95),
        (Revision::Reposted, 0.6),
    ];
    for (revision, least) in cases {
        let revised = Revised::grow(1, 120, revision);
        for (name, method) in METHODS.into_iter().filter(|(name, _)| !name.contains(' ')) {
            let (precision, recall) = score(&revised, method);
            assert!(precision == 1.0 && recall >= least, "{revision:?}, {name}: {precision} {recall}");
        }
    }
}

/// All methods in full size, as a table of means. `DUPI_SEED` is one seed, or several with commas.
#[test]
#[ignore = "large; run it optimised: cargo test --release --test it near_documents -- --ignored --nocapture"]
fn table_of_methods() {
    let seeds = std::env::var("DUPI_SEED").unwrap_or_else(|_| "1".to_owned());
    let seeds: Vec<u64> = seeds.split(',').map(|seed| seed.trim().parse().unwrap()).collect();
    figure!("| revision | {} |", METHODS.map(|(name, _)| format!("`{name}`")).join(" | "));
    figure!("| --- |{}", " --- |".repeat(METHODS.len()));
    for revision in REVISIONS {
        let grown: Vec<Revised> = seeds.iter().map(|&seed| Revised::grow(seed, 1000, revision)).collect();
        let cell = |(_, method): (&str, Method)| {
            let scores: Vec<(f64, f64)> = grown.iter().map(|revised| score(revised, method)).collect();
            let mean = |of: fn(&(f64, f64)) -> f64| scores.iter().map(of).sum::<f64>() / scores.len() as f64;
            let (precision, recall) = (mean(|score| score.0), mean(|score| score.1));
            let both = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
            format!("{:.1} % · {:.1} % · {both:.2}", precision * 100.0, recall * 100.0)
        };
        figure!("| {} | {} |", revision.name(), METHODS.map(cell).join(" | "));
    }
    publish("Near documents");
}
