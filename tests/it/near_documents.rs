//! Documents of which it is known which ones are nearly the same: how many of these each method finds, and what else it
//! finds.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;

use crate::naive::indexed;
use crate::revised::{Revised, Revision, Texts, unrelated};
use crate::support::page::{figure, publish};
use dupi::index::snapshot::Snapshot;
use dupi::near::search::find;
use dupi::near::settings::{
    ClusterRule, FingerprintRule, Identity, Method, NearSettings, Shingling, SignatureRule, SpotRule,
};
use dupi::near::spotsigs::{Antecedents, IdfBounds};

/// A method, its name as the command takes it, and its threshold.
type Way = (&'static str, fn() -> Method, f64);

/// The methods at their default settings.
const DEFAULTS: [Way; 5] = [
    ("identical", || Method::Identical(Identity::Tokens), 1.0),
    ("jaccard", || Method::Jaccard(Shingling::default()), 0.5),
    ("minhash", || Method::MinHash(SignatureRule { shingling: Shingling::default(), verify: true }), 0.5),
    ("simhash", || simhash(3, 5), 0.0),
    ("spotsigs", spotsigs, 0.44),
];

/// The methods at settings for what is edited more.
const EDITED: [Way; 5] = [
    ("jaccard --shingle 3 --threshold 0.4", || Method::Jaccard(shingling(3)), 0.4),
    ("jaccard --shingle 2 --threshold 0.2", || Method::Jaccard(shingling(2)), 0.2),
    (
        "minhash --shingle 3 --threshold 0.4",
        || Method::MinHash(SignatureRule { shingling: shingling(3), verify: true }),
        0.4,
    ),
    ("simhash --shingle 1 --distance 4", || simhash(4, 1), 0.0),
    ("spotsigs --threshold 0.3", spotsigs, 0.3),
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

pub(crate) fn shingling(size: usize) -> Shingling {
    Shingling { size: NonZeroUsize::new(size).unwrap(), bag: false }
}

fn simhash(distance: u32, shingle: usize) -> Method {
    Method::SimHash(FingerprintRule { distance, shingle: NonZeroUsize::new(shingle).unwrap() })
}

fn spotsigs() -> Method {
    Method::SpotSigs(SpotRule { antecedents: Antecedents::of_all_languages(), idf: IdfBounds::default() })
}

/// The names of texts that have none.
fn names(revised: &Revised) -> Vec<String> {
    (0..revised.texts.len()).map(|number| format!("{number}.txt")).collect()
}

/// The texts as a corpus of files.
pub(crate) fn corpus(names: &[String], texts: &[String]) -> (tempfile::TempDir, Snapshot) {
    let files: BTreeMap<&String, &String> = names.iter().zip(texts).collect();
    indexed(files, |usual| usual)
}

/// The pairs that a method finds, by the places of their names.
pub(crate) fn found(
    names: &[String],
    snapshot: &Snapshot,
    method: Method,
    threshold: f64,
) -> BTreeSet<(u32, u32)> {
    let rule = ClusterRule { threshold, ..ClusterRule::default() };
    let settings = NearSettings { method, rule, clusters: false, memory: 1 << 30 };
    let found = find(snapshot, &settings, &|_| Ok(())).unwrap();
    let numbers: BTreeMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let number = |of: u32| {
        let path = snapshot.path(snapshot.file_of(found.documents[of as usize].id));
        numbers[path.to_str().unwrap()]
    };
    let pair = |(a, b): (u32, u32)| (a.min(b), a.max(b));
    found.all_pairs().map(|of| pair((number(of.a), number(of.b)))).collect()
}

/// Precision and recall of a method.
fn score(revised: &Revised, snapshot: &Snapshot, (_, method, threshold): &Way) -> (f64, f64) {
    revised.score(&found(&names(revised), snapshot, method(), *threshold))
}

#[test]
fn light_revisions_are_found_and_nothing_else_at_the_default_settings() {
    let cases = [
        (Revision::Edited(0.0), [1.0, 1.0, 1.0, 1.0, 1.0]),
        (Revision::Edited(0.03), [0.0, 0.95, 0.95, 0.0, 0.95]),
        (Revision::Moved, [0.0, 0.95, 0.95, 0.0, 0.9]),
        (Revision::Reposted, [0.0, 0.6, 0.6, 0.0, 0.6]),
    ];
    for (revision, least) in cases {
        let revised = Revised::grow(1, 120, revision);
        let (_folder, snapshot) = corpus(&names(&revised), &revised.texts);
        for (way, least) in DEFAULTS.iter().zip(least) {
            let (precision, recall) = score(&revised, &snapshot, way);
            assert!(precision == 1.0 && recall >= least, "{revision:?}, {}: {precision} {recall}", way.0);
        }
    }
}

fn seeds() -> Vec<u64> {
    let seeds = std::env::var("DUPI_SEED").unwrap_or_else(|_| "1".to_owned());
    seeds.split(',').map(|seed| seed.trim().parse().unwrap()).collect()
}

/// All methods in full size, as a table of means. `DUPI_SEED` is one seed, or several with commas.
#[test]
#[ignore = "large; run it optimised: cargo test --release --test it near_documents -- --ignored --nocapture"]
fn table_of_methods() {
    table(|revision| seeds().into_iter().map(|seed| Revised::grow(seed, 1000, revision)).collect());
    publish("Near documents");
}

/// The same table for originals that are the files of prose of a folder, `DUPI_TEXTS`.
#[test]
#[ignore = "needs a folder"]
fn table_of_methods_among_real_texts() {
    let Some(folder) = std::env::var_os("DUPI_TEXTS") else { return };
    let texts: Texts = unrelated(Path::new(&folder), 600);
    println!("{} texts", texts.len());
    table(|revision| seeds().into_iter().map(|seed| Revised::of_texts(seed, &texts, revision)).collect());
    publish("Near documents among real texts");
}

fn table(grow: impl Fn(Revision) -> Vec<Revised>) {
    let ways = || DEFAULTS.iter().chain(&EDITED);
    figure!("| revision | {} |", ways().map(|way| format!("`{}`", way.0)).collect::<Vec<_>>().join(" | "));
    figure!("| --- |{}", " --- |".repeat(DEFAULTS.len() + EDITED.len()));
    for revision in REVISIONS {
        let corpora: Vec<_> = grow(revision)
            .into_iter()
            .map(|revised| (corpus(&names(&revised), &revised.texts), revised))
            .collect();
        let cell = |way: &Way| {
            let scores: Vec<(f64, f64)> =
                corpora.iter().map(|((_, snapshot), revised)| score(revised, snapshot, way)).collect();
            let mean = |of: fn(&(f64, f64)) -> f64| scores.iter().map(of).sum::<f64>() / scores.len() as f64;
            let (precision, recall) = (mean(|score| score.0), mean(|score| score.1));
            let both = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
            format!("{:.1} · {:.1} · {both:.2}", precision * 100.0, recall * 100.0)
        };
        figure!("| {} | {} |", revision.name(), ways().map(cell).collect::<Vec<_>>().join(" | "));
    }
}
