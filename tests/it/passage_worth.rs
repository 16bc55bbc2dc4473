//! The worth of passages in whole corpora: what changes it, and what does not.

use std::collections::BTreeMap;

use crate::naive::indexed;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::passages::PassageId;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;

type Documents = BTreeMap<String, String>;

/// Words in an order that depends on `seed`, out of so many from `first` on; a few of them are frequent.
fn words(seed: u64, count: usize, first: u64, different: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = (state >> 11) as f64 / (1_u64 << 53) as f64;
        first + (uniform * uniform * uniform * different as f64) as u64
    };
    (0..count).map(|_| format!("word{} ", next())).collect()
}

/// Forty documents in which a dozen passages stand two to six times.
fn corpus() -> Documents {
    let passages: Vec<String> =
        (0..12).map(|number| words(number + 1, 30 + number as usize * 5, 0, 900)).collect();
    let document = |number: usize| {
        let held = passages.iter().enumerate().filter(|(at, _)| number.is_multiple_of(7 + at));
        let held: String = held.map(|(_, passage)| format!("{passage}\n")).collect();
        let own = words(1000 + number as u64, 200, 0, 900);
        (
            format!("{}/{number}.txt", number % 5),
            format!("{own}\n{held}{}", words(2000 + number as u64, 50, 0, 900)),
        )
    };
    (0..40).map(document).collect()
}

fn find(snapshot: &Snapshot, gap: u32) -> Passages {
    let settings =
        SearchSettings { measure: Measure { gap, ..Measure::default() }, ..SearchSettings::default() };
    Passages::find(snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap()
}

/// The worth of all passages, in an index that is made by so many threads.
fn worths(documents: &Documents, gap: u32, threads: usize) -> BTreeMap<PassageId, u64> {
    let (_folder, snapshot) = indexed(documents, |usual| Options { threads, ..usual });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let passages = pool.install(|| find(&snapshot, gap));
    assert!(passages.found.is_sorted_by(|a, b| a.worth >= b.worth), "the worthiest comes first");
    passages.found.iter().map(|passage| (passage.id, passage.worth)).collect()
}

#[test]
fn worth_depends_on_no_thread_and_on_no_file_with_nothing_that_is_repeated() {
    let documents = corpus();
    for gap in [0, 8] {
        let before = worths(&documents, gap, 1);
        assert!(before.len() >= 12 && before.values().all(|&worth| worth > 50), "{before:?}");
        assert_eq!(worths(&documents, gap, 4), before);
        let mut more = documents.clone();
        more.insert("2/alone.txt".to_owned(), words(77, 5000, 1_000_000, 1_000_000_000));
        assert_eq!(worths(&more, gap, 2), before);
    }
}

#[test]
fn a_file_that_repeats_other_text_changes_worth_by_little() {
    let documents = corpus();
    let before = worths(&documents, 8, 2);
    let mut more = documents;
    // As much text again as all passages have in all their copies.
    for number in 0..4 {
        more.insert(format!("9/{number}.txt"), words(88, 600, 5000, 900));
    }
    let after = worths(&more, 8, 2);
    for (id, worth) in &before {
        let change = after[id] as f64 / *worth as f64 - 1.0;
        assert!(change.abs() < 0.12, "{id}: {worth}, then {}", after[id]);
    }
}

#[test]
fn the_orders_by_copies_and_by_folders_are_there_too() {
    let mut documents = Documents::new();
    let (often, wide) = (words(1, 40, 0, 900), words(2, 40, 0, 900));
    for number in 0..6 {
        documents.insert(format!("one/{number}.txt"), format!("{often} own{number}"));
    }
    for number in 0..3 {
        documents.insert(format!("folder{number}/a.txt"), format!("{wide} other{number}"));
    }
    let (_folder, snapshot) = indexed(&documents, |usual| usual);
    let passages = find(&snapshot, 8);
    let copies = |order| -> Vec<usize> {
        let sorted = passages.sorted(&snapshot, order);
        sorted.into_iter().map(|number| passages.found[number as usize].copies.len()).collect()
    };
    assert_eq!((copies(PassageOrder::Copies), copies(PassageOrder::Spread)), (vec![6, 3], vec![3, 6]));
}
