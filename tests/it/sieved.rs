//! A filter asked of blots before their rows are made passes the rows that it passes when all is known of them.

use std::collections::{HashMap, HashSet};
use std::fs;

use crate::known_row::KnownRow;
use crate::naive::indexed;
use dupi::blot::{Profile, RecipeChoice};
use dupi::config::SavedFilters;
use dupi::index::ranking::{RankedBlot, Ranking};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::filter::{BlotSieve, BlotsOf};
use dupi::query::blot_rows::BlotRun;
use dupi::query::blot_rows::{RowMaker, anchored_text_of};
use dupi::query::filter::{Fact, Filter, Quantity, ReviewState, parse};
use dupi::query::page::DocumentReader;
use dupi::query::unblot::documents_of;
use dupi::taboo::TabooSet;
use dupi::token::TokenMode;
use proptest::prelude::*;
use proptest::sample::select;

/// The rows of a snapshot that pass: by the sieve, and by looking at all there is. All groups are asked; of one of
/// so many the rows are made.
fn passing(snapshot: &Snapshot, filter: &str, unfolded: bool, of: usize) -> [Vec<BlotRun>; 2] {
    let parsed = || -> Filter { parse(filter, &SavedFilters::default()).0 };
    let (taboo, ranking) = (TabooSet::default(), Ranking::scan(snapshot, usize::MAX).unwrap());
    let (plain, never) = (parsed(), || false);
    let mut sieve = BlotSieve::new(parsed(), snapshot, BlotsOf::default(), &never);
    let mut maker = RowMaker::new(snapshot, &taboo, unfolded);
    let mut reader = DocumentReader::new(snapshot);
    let mut found = [Vec::new(), Vec::new()];
    let together =
        |a: &RankedBlot, b: &RankedBlot| !unfolded && (a.documents(), a.set()) == (b.documents(), b.set());
    for (number, group) in ranking.entries.chunk_by(together).enumerate() {
        let pass = sieve.pass(group, Fact::Is(ReviewState::Open), &never).unwrap();
        if number % of != 0 {
            continue;
        }
        for row in maker.rows(group).unwrap() {
            let documents = documents_of(snapshot, &snapshot.find(row.id()).unwrap()).into_iter();
            let path = |(document, _)| snapshot.path(snapshot.file_of(document)).to_owned();
            let text = anchored_text_of(snapshot, &mut reader, &row)
                .unwrap()
                .map_or(row.text.clone(), |(_, text)| text);
            let numbers = vec![
                (Quantity::Documents, u64::from(row.documents)),
                (Quantity::Tokens, u64::from(row.tokens)),
            ];
            let paths = documents.map(path).collect();
            let known = KnownRow { numbers, paths, texts: vec![text], blots: HashSet::new() };
            let expected = plain.verdict(&known).unwrap();
            let passes = pass != Some(false) && sieve.has_row(&row, &mut reader, &never).unwrap();
            assert!(pass != Some(true) || passes, "all of {group:?} pass, {row:?} does not");
            for (passes, rows) in [passes, expected].into_iter().zip(&mut found) {
                rows.extend(passes.then(|| row.clone()));
            }
        }
    }
    found
}

/// Rare words of which some are nearly others, and parts of texts that are shared.
fn documents() -> impl Strategy<Value = HashMap<String, String>> {
    const RARE: [&str; 8] =
        ["heron", "hern", "heron_nest", "kernel_free", "kfree", "kfreee", "tide", "tida_l"];
    let words = prop_oneof![30 => "[a-f][0-9]", 1 => select(&RARE).prop_map(str::to_owned)];
    let shared = prop::collection::vec(prop::collection::vec(words.clone(), 1..120), 1..4);
    let piece = prop_oneof![
        3 => any::<prop::sample::Index>().prop_map(Ok),
        1 => words.prop_map(Err)
    ];
    let document = prop::collection::vec(piece, 1..5);
    let documents = prop::collection::hash_map("[ab]/[a-d]\\.(txt|c)", document, 2..6);
    (shared, documents).prop_map(|(shared, documents)| {
        let text = |pieces: Vec<Result<prop::sample::Index, String>>| {
            let words = pieces.iter().map(|piece| match piece {
                Ok(index) => index.get(&shared).join(" "),
                Err(word) => word.clone(),
            });
            words.collect::<Vec<_>>().join("\n")
        };
        documents.into_iter().map(|(name, pieces)| (name, text(pieces))).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn rows_pass_a_filter_as_they_do_when_all_is_known_of_them(
        documents in documents(),
        filter in select(vec![
            "kfree", "-kfree", "heron tide", "'hern", "\"heron tide\"", "heron -tide", "kfre path:a", "-heron path:b",
            "hern_nst", "tokens:>12 kfree", "docs:>2 heron", "path:a -path:b", "ext:c tidal", "nothing", "",
        ]),
        profile in prop_oneof![Just(Profile::Default), Just(Profile::Dupi)],
        unfolded: bool,
        changed in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..profile.choice() };
        let (folder, snapshot) = indexed(&documents, |usual| Options { recipe, threads: 1, ..usual });
        if let Some(changed) = changed {
            let mut names: Vec<&String> = documents.keys().collect();
            names.sort();
            let path = folder.path().join("corpus").join(changed.get(&names));
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replace("heron", "crane kfree")).unwrap();
        }
        let [found, expected] = passing(&snapshot, filter, unfolded, 1);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn of_many_blots_the_same_rows_pass_as_of_few() {
    let document = |number: usize| -> String {
        (0..24).map(|at| format!("{}{number}x{at} ", if at + number == 90 { "heron" } else { "w" })).collect()
    };
    let documents: HashMap<String, String> = (0..160)
        .flat_map(|number| ["a", "b"].map(|folder| (format!("{folder}/{number}.txt"), document(number))))
        .collect();
    let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..Profile::Dupi.choice() };
    let (_folder, snapshot) = indexed(&documents, |usual| Options { recipe, ..usual });
    for (filter, count) in [("path:a -path:c", 200), ("path:c", 0), ("heron -path:c", 3), ("heron path:b", 3)]
    {
        let [found, expected] = passing(&snapshot, filter, true, 11);
        assert_eq!(found, expected, "{filter}");
        assert!(found.len() >= count && (count > 0 || found.is_empty()), "{filter}: {}", found.len());
    }
}
