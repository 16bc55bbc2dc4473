//! A passage passes a filter when one of its copies has the words or blots, near copies too: compared with reading
//! every copy.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::known_row::KnownRow;
use crate::naive::indexed;
use dupi::blot::{Blot, Profile, Recipe, RecipeChoice, tiles_of};
use dupi::config::SavedFilters;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::filter::PassageSieve;
use dupi::judge::passages::Passage;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::query::filter::{Filter, Quantity, ReviewState, parse};
use dupi::token::{LexState, TokenMode, Tokeniser};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// All blots of a text of words.
fn blots_of(text: &str, recipe: &Recipe) -> Vec<Blot> {
    let mut blots = Vec::new();
    let tokens = Tokeniser::Words.tokens(text, LexState::default());
    tiles_of(tokens.into_iter(), recipe, |tile| blots.push(tile.blot));
    blots
}

/// What there is to know of a passage. The index tells the documents of a blot; the representative is always looked at.
fn known(folder: &Path, snapshot: &Snapshot, passages: &Passages, passage: &Passage) -> KnownRow {
    let numbers = vec![(Quantity::Copies, passage.copies.len() as u64)];
    let mut known = KnownRow { numbers, paths: Vec::new(), texts: Vec::new(), blots: HashSet::new() };
    for (number, spot) in passage.copies.iter().enumerate() {
        let document = passages.sources[spot.source as usize].id;
        let path = snapshot.path(snapshot.file_of(document));
        let whole = fs::read_to_string(folder.join("corpus").join(path)).unwrap();
        let text = whole[spot.start as usize..spot.end as usize].to_owned();
        let is_named = |blot: &Blot| {
            let places = snapshot.find(*blot).unwrap();
            places.into_iter().any(|place| snapshot.document_at(place) == document)
        };
        let all = blots_of(&text, &snapshot.manifest().recipe).into_iter();
        let blots = all.filter(|blot| number == passage.representative as usize || is_named(blot));
        known.blots.extend(blots);
        known.paths.push(path.to_owned());
        known.texts.push(text);
    }
    known
}

fn searched(
    documents: &BTreeMap<String, String>,
    profile: Profile,
) -> (tempfile::TempDir, Snapshot, Passages) {
    let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..profile.choice() };
    let (folder, snapshot) = indexed(documents, |usual| Options { recipe, threads: 1, ..usual });
    let settings = SearchSettings::default();
    let passages = Passages::find(&snapshot, &settings, PassageOrder::Worth, &|_| Ok(())).unwrap();
    (folder, snapshot, passages)
}

fn parsed(filter: &str) -> Filter {
    let (filter, problems) = parse(filter, &SavedFilters::default());
    assert_eq!(problems, []);
    filter
}

fn passing(snapshot: &Snapshot, passages: &Passages, filter: &str) -> Vec<u32> {
    let kinds = Arc::default();
    let sieve = PassageSieve::new(parsed(filter), snapshot, passages, kinds, &|| false).unwrap();
    let numbers = 0..passages.found.len() as u32;
    numbers.filter(|&number| sieve.passes_as(passages, number, ReviewState::Open)).collect()
}

/// Copies of a few texts, each with some words replaced by rare ones.
fn documents() -> impl Strategy<Value = BTreeMap<String, String>> {
    const RARE: [&str; 6] = ["tirnes", "time,s", "heron", "hern", "heron_nest", "Heron"];
    let shared = vec(vec("[a-f][0-9]", 30..60), 1..4);
    let change = (any::<Index>(), select(&RARE));
    let copy = (any::<Index>(), vec(change, 0..4));
    let document = vec(copy, 1..3);
    (shared, btree_map("[ab]/[a-d]\\.txt", document, 2..6)).prop_map(|(shared, documents)| {
        let text = |copies: Vec<(Index, Vec<(Index, &str)>)>| {
            let copies = copies.into_iter().map(|(of, changes)| {
                let mut words = of.get(&shared).clone();
                for (at, rare) in changes {
                    *at.get_mut(&mut words) = rare.to_owned();
                }
                words.join(" ")
            });
            copies.collect::<Vec<_>>().join(" . \n")
        };
        documents.into_iter().map(|(name, copies)| (name, text(copies))).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_passage_passes_when_one_of_its_copies_does(
        documents in documents(),
        filter in select(vec![
            "'tirnes", "tirnes", "-tirnes", "\"time,s\"", "heron -tirnes", "heron tirnes", "hernn", "path:a heron",
            "-path:b tirnes", "copies:>2 heron",
        ]),
        profile in prop_oneof![Just(Profile::Default), Just(Profile::Dupi)],
        of: Index,
    ) {
        let (folder, snapshot, passages) = searched(&documents, profile);
        let texts: Vec<&String> = documents.values().collect();
        let text = texts[of.index(texts.len())];
        let blots = blots_of(text, &snapshot.manifest().recipe);
        let named = blots.get(of.index(blots.len().max(1))).map(|blot| format!("blot:{blot}"));
        for filter in std::iter::once(filter.to_owned()).chain(named.clone()).chain(named.map(|of| format!("-{of}"))) {
            let meant = parsed(&filter);
            let is_meant = |number: &u32| {
                let passage = &passages.found[*number as usize];
                meant.verdict(&known(folder.path(), &snapshot, &passages, passage)).unwrap()
            };
            let expected: Vec<u32> = (0..passages.found.len() as u32).filter(is_meant).collect();
            prop_assert_eq!(passing(&snapshot, &passages, &filter), expected, "{}", filter);
        }
    }
}

#[test]
fn a_word_and_a_blot_of_one_near_copy_find_its_passage() {
    let words: Vec<String> = (0..40).map(|at| format!("word{at}")).collect();
    let mut near = words.clone();
    near[20] = "tirnes".to_owned();
    // Whole documents that are identical would be a row of their own.
    let longer: Vec<String> = words.iter().cloned().chain((0..9).map(|at| format!("own{at}"))).collect();
    let documents: BTreeMap<String, String> = [("a", &words), ("b", &near), ("c", &longer)]
        .map(|(name, words)| (name.to_owned(), words.join(" ")))
        .into();
    let (_folder, snapshot, passages) = searched(&documents, Profile::Dupi);
    assert_eq!(passages.found.len(), 1);
    let blot = |words: &[String]| blots_of(&words[18..28].join(" "), &snapshot.manifest().recipe)[0];
    let (own, common) = (blot(&near), blot(&words));
    for filter in
        ["'tirnes".to_owned(), "tirnes word3".to_owned(), format!("blot:{own}"), format!("blot:{common}")]
    {
        assert_eq!(passing(&snapshot, &passages, &filter), [0], "{filter}");
    }
    assert!(passing(&snapshot, &passages, "-tirnes").is_empty(), "not without the word in all copies");
    assert!(passing(&snapshot, &passages, "'tirn3s").is_empty());
}
