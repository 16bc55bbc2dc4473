//! Exact passages against a naive reference: every window of words in a map.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use crate::naive::{Documents, common_words, indexed, text};
use dupi::blot::{Profile, RecipeChoice};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::location::{LocatedCopy, locate};
use dupi::judge::passages::{Passage, PassageId};
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::passage::unit::Unit;
use dupi::taboo::TabooSet;
use dupi::token::TokenMode;
use proptest::prelude::*;

/// A copy: the document, its first word, and the one behind its last.
pub(crate) type Span = (String, usize, usize);

pub(crate) struct World {
    _folder: tempfile::TempDir,
    pub(crate) snapshot: Snapshot,
}

impl World {
    pub(crate) fn new(documents: &Documents, profile: Profile) -> Self {
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..profile.choice() };
        let texts = documents.iter().map(|(name, words)| (name, text(words)));
        let (folder, snapshot) =
            indexed(texts, |usual| Options { recipe, memory: 1 << 20, threads: 2, ..usual });
        Self { snapshot, _folder: folder }
    }

    pub(crate) fn find(&self, settings: &SearchSettings) -> Vec<(Passage, Vec<Span>)> {
        self.find_without(settings, &TabooSet::default())
    }

    pub(crate) fn find_without(
        &self,
        settings: &SearchSettings,
        taboo: &TabooSet,
    ) -> Vec<(Passage, Vec<Span>)> {
        let passages = Passages::find(&self.snapshot, settings, PassageOrder::Copies, &|_| Ok(())).unwrap();
        let hidden = passages.hidden(settings.measure.least, taboo, &self.snapshot.manifest().recipe);
        let shown = passages.found.iter().zip(hidden).filter(|(_, hidden)| !hidden);
        let all: Vec<_> = shown.map(|(passage, _)| passage).collect();
        let located = locate(&self.snapshot, &passages.sources, &all, None);
        let spans = located.into_iter().map(|located| {
            let span = |copy: LocatedCopy| {
                let at = copy.occurrence;
                let name = at.path.display().to_string();
                let whole = fs::read_to_string(self._folder.path().join("corpus").join(&name)).unwrap();
                let words = |end: u64| whole[..end as usize].split_whitespace().count();
                let span = (name, words(at.span.start), words(at.span.end));
                assert_eq!(at.column, at.span.start as u32 + 1);
                span
            };
            located.copies.into_iter().map(span).collect()
        });
        all.into_iter().cloned().zip(spans).collect()
    }
}

fn settings(least: u32, gap: u32) -> SearchSettings {
    SearchSettings { measure: Measure { least, gap, ..Measure::default() }, ..SearchSettings::default() }
}

pub(crate) fn exact(min_tokens: u32) -> SearchSettings {
    settings(min_tokens, 0)
}

/// The words that lie in a window which stands at two places, in two documents if `across`.
fn repeated(documents: &Documents, width: usize, across: bool) -> BTreeSet<(String, usize)> {
    let mut windows: HashMap<&[u8], Vec<(&String, usize)>> = HashMap::new();
    for (name, words) in documents {
        for (first, window) in words.windows(width).enumerate() {
            windows.entry(window).or_default().push((name, first));
        }
    }
    let is_repeated = |places: &&Vec<(&String, usize)>| {
        if across { places.iter().any(|place| place.0 != places[0].0) } else { places.len() > 1 }
    };
    let places = windows.values().filter(is_repeated).flatten();
    places.flat_map(|&(name, first)| (first..first + width).map(|word| (name.clone(), word))).collect()
}

/// All occurrences of some words, overlapping ones too.
fn occurrences(documents: &Documents, wanted: &[u8]) -> Vec<(String, usize)> {
    let of = |(name, words): (&String, &Vec<u8>)| {
        let found = words.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted);
        found.map(|(first, _)| (name.clone(), first)).collect::<Vec<_>>()
    };
    documents.iter().flat_map(of).collect()
}

fn check(documents: &Documents, found: &[(Passage, Vec<Span>)], width: usize, across: bool) {
    let mut union = BTreeSet::new();
    let mut seen: BTreeMap<&[u8], PassageId> = BTreeMap::new();
    for (passage, spans) in found {
        let words = |(name, start, end): &Span| &documents[name][*start..*end];
        let own = words(&spans[0]);
        assert!(spans.len() > 1 && own.len() >= width && own.len() == passage.tokens() as usize);
        assert_eq!(spans.len(), passage.copies.len());
        // Identical documents are told beside the passage that has their text and other copies too.
        let is_its_text =
            |(other, others): &(Passage, Vec<Span>)| other.unit == Unit::Passage && words(&others[0]) == own;
        if passage.unit == Unit::Document && found.iter().any(is_its_text) {
            assert!(spans.iter().all(|span| words(span) == own && documents[&span.0].len() == own.len()));
            continue;
        }
        assert!(seen.insert(own, passage.id).is_none(), "twice: {own:?}");
        let names: BTreeSet<&String> = spans.iter().map(|span| &span.0).collect();
        assert_eq!(names.len(), passage.documents as usize);
        for span in spans {
            assert_eq!(words(span), own, "copies are equal");
            union.extend((span.1..span.2).map(|word| (span.0.clone(), word)));
        }
        let all = occurrences(documents, own);
        // Those that are not told overlap others, and their words are told.
        for (name, first) in &all {
            let is_told =
                |word: usize| spans.iter().any(|span| span.0 == *name && span.1 <= word && word < span.2);
            assert!((*first..first + own.len()).all(is_told));
        }
        let beside = |shift: &dyn Fn(usize) -> Option<usize>| -> BTreeSet<Option<u8>> {
            all.iter()
                .map(|(name, first)| shift(*first).and_then(|at| documents[name].get(at).copied()))
                .collect()
        };
        let (before, behind) =
            (beside(&|first| first.checked_sub(1)), beside(&|first| Some(first + own.len())));
        let parts = |beside: &BTreeSet<Option<u8>>| beside.len() > 1 || beside.contains(&None);
        assert!(parts(&before) && parts(&behind), "it can be extended: {own:?}");
    }
    assert_eq!(union, repeated(documents, width, across));
    for (passage, spans) in found {
        let Some(parent) = passage.parent else { continue };
        let (of, parents) = found.iter().find(|(other, _)| other.id == parent).expect("the parent is told");
        assert!(of.tokens() > passage.tokens());
        let lies_in = |span: &Span| {
            parents.iter().any(|other| other.0 == span.0 && other.1 <= span.1 && span.2 <= other.2)
        };
        assert!(spans.iter().any(lies_in));
    }
}

/// Documents that are made of shared pieces, runs of one word, and words of their own.
fn documents() -> impl Strategy<Value = Documents> {
    let piece = (0..5_u8, 1..40_usize, 0..200_u8);
    let document = prop::collection::vec(piece, 0..8);
    prop::collection::btree_map("[a-e]", document, 1..5).prop_map(|plans| {
        let piece = |(kind, length, seed): (u8, usize, u8)| -> Vec<u8> {
            match kind {
                0 => vec![seed % 3; length],
                1 => (0..length).map(|at| (at % 3) as u8 + seed % 2).collect(),
                // Pieces of one seed begin alike, so that they are shared in part.
                2 | 3 => (0..length)
                    .map(|at| ((usize::from(seed % 8) * 31 + at * at * 7) % 256) as u8 | 8)
                    .collect(),
                _ => (0..length)
                    .map(|at| seed.wrapping_mul(37).wrapping_add((at as u8).wrapping_mul(11)))
                    .collect(),
            }
        };
        let words = |plan: Vec<(u8, usize, u8)>| plan.into_iter().flat_map(piece).collect();
        plans.into_iter().map(|(name, plan)| (format!("{name}.txt"), words(plan))).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn exact_passages_are_all_there_is_and_nothing_else(
        documents in documents(),
        width in 12..40_u32,
        across: bool,
        profile in prop_oneof![Just(Profile::Default), Just(Profile::Compact), Just(Profile::Ocr), Just(Profile::Dupi)],
    ) {
        let world = World::new(&documents, profile);
        // So little memory that windows are sorted in several rounds.
        let found = world.find(&SearchSettings { across, memory: 1 << 14, ..exact(width) });
        check(&documents, &found, width as usize, across);
    }
}

/// The share of the words of the longer of two texts that stand in both in the same order.
fn alike(a: &[u8], b: &[u8]) -> f64 {
    common_words(a, b) as f64 / a.len().max(b.len()) as f64
}

/// Holds near passages against the equal ones, and their similarity against the naive one.
fn check_near(documents: &Documents, width: u32, gap: u32) {
    let world = World::new(documents, Profile::Default);
    // So little memory that texts go to scratch files.
    let near = SearchSettings { memory: 1 << 8, ..settings(width, gap) };
    let found = world.find(&near);
    let words = |(name, start, end): &Span| &documents[name][*start..*end];
    let mut told: BTreeSet<(String, usize)> = BTreeSet::new();
    for (passage, spans) in &found {
        assert!(spans.len() > 1 && passage.tokens() >= width);
        let holder = passage.parent.map(|parent| found.iter().find(|(other, _)| other.id == parent).unwrap());
        assert!(holder.is_none_or(|(holder, _)| holder.tokens() > passage.tokens()));
        let representative = words(&spans[passage.representative as usize]);
        for (span, copy) in spans.iter().zip(&passage.copies) {
            let truly = alike(representative, words(span));
            assert!(f64::from(copy.similarity) <= truly + 1e-6, "{} > {truly}", copy.similarity);
            told.extend((span.1..span.2).map(|word| (span.0.clone(), word)));
        }
    }
    for (_, spans) in world.find(&exact(width)) {
        // Near copies of one passage do not overlap.
        let is_apart = |(name, start, end): &Span| {
            let overlaps = |other: &&Span| other.0 == *name && other.1 < *end && *start < other.2;
            spans.iter().filter(overlaps).count() == 1
        };
        for (name, start, end) in spans.iter().filter(|span| is_apart(span)).cloned() {
            let missed = (start..end).filter(|&word| !told.contains(&(name.clone(), word))).count();
            assert!(missed as u32 <= 2 * gap, "{missed} of {name} {start}..{end}");
        }
    }
    assert_eq!(world.find(&settings(width, gap)), found, "the same with more memory");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn near_passages_hold_all_that_is_equal_and_copies_are_as_alike_as_is_said(
        documents in documents(),
        width in 12..40_u32,
        gap in 1..12_u32,
    ) {
        check_near(&documents, width, gap);
    }
}

/// Words that come again and again; the tests above failed on these once.
fn periodic(period: u8, length: usize) -> Vec<u8> {
    (0..length).map(|at| (at % usize::from(period)) as u8 + 1).collect()
}

#[test]
fn periodic_text_has_all_its_equal_passages() {
    let documents = Documents::from([("a.txt".into(), periodic(1, 38))]);
    let found = World::new(&documents, Profile::Compact).find(&exact(25));
    check(&documents, &found, 25, false);
}

#[test]
fn periodic_text_has_all_its_near_passages() {
    check_near(&Documents::from([("a.txt".into(), periodic(3, 42))]), 13, 1);
    check_near(&Documents::from([("a.txt".into(), periodic(1, 30))]), 12, 1);
    let with_ones = |length: usize, ones: usize| [periodic(3, length), vec![1; ones]].concat();
    let three = [("a.txt", periodic(3, 33)), ("b.txt", with_ones(29, 11)), ("c.txt", with_ones(9, 11))];
    check_near(&three.map(|(name, words)| (name.to_owned(), words)).into(), 19, 1);
}

/// Near passages as their copies and tokens.
fn near(documents: &Documents) -> Vec<(usize, u32)> {
    let found = World::new(documents, Profile::Default).find(&SearchSettings::default());
    found.iter().map(|(passage, spans)| (spans.len(), passage.tokens())).collect()
}

#[test]
fn rows_of_a_table_are_copies_of_one_row() {
    let row = |number: u16| [words(28, 100), number.to_le_bytes().to_vec()].concat();
    let table: Vec<u8> = (0..800).flat_map(row).collect();
    let found = near(&Documents::from([("table".into(), table)]));
    let most = found.iter().map(|&(copies, _)| copies).max();
    assert!(most.is_some_and(|most| most >= 790), "{found:?}");
    assert!(found.len() < 20, "{found:?}");
}

#[test]
fn runs_of_one_word_in_two_documents_are_found() {
    let run = || vec![7; 3000];
    let found = near(&Documents::from([("a".into(), run()), ("b".into(), run())]));
    assert!(found.contains(&(2, 3000)) && found.len() < 5, "{found:?}");
}

#[test]
fn copies_in_one_document_are_found_across_differences() {
    let copy =
        |first, second| [words(7, 10), vec![first], words(12, 30), vec![second], words(7, 50)].concat();
    let text = [words(9, 200), copy(90, 91), words(15, 100), copy(92, 93), words(9, 220)].concat();
    let found = near(&Documents::from([("a".into(), text)]));
    assert_eq!(found, [(2, 28)]);
}

#[test]
fn a_longer_passage_stays_beside_a_shorter_one_with_more_copies() {
    let (start, middle, end) = (words(12, 10), words(40, 30), words(60, 80));
    let whole = |own: u8| [vec![own], start.clone(), middle.clone(), end.clone(), vec![own]].concat();
    let part = [vec![3; 3], middle.clone(), vec![4; 3]].concat();
    let documents = [("a", whole(1)), ("b", whole(2)), ("c", part)];
    let found = near(&documents.map(|(name, text)| (name.to_owned(), text)).into());
    assert!(found.contains(&(2, 112)) && found.contains(&(3, 40)), "{found:?}");
}

/// A text of so many different words.
pub(crate) fn words(length: u8, first: u8) -> Vec<u8> {
    (0..length).map(|at| first.wrapping_add(at)).collect()
}

#[test]
fn a_licence_in_many_documents_is_one_passage() {
    let licence = words(100, 100);
    let of = |number: u32| {
        [vec![number as u8, (number >> 8) as u8], licence.clone(), vec![1, number as u8]].concat()
    };
    let documents: Documents = (0..3000).map(|number| (format!("{number:04}.txt"), of(number))).collect();
    let found = World::new(&documents, Profile::Default).find(&exact(25));
    let most = &found[0];
    assert_eq!((most.0.tokens(), most.0.copies.len(), most.0.documents), (100 + 1, 3000, 3000));
    assert!(found.len() < 600, "{}", found.len());
}

#[test]
fn what_repeats_itself_at_once_is_told_once() {
    let row = words(30, 50);
    for (text, tokens, copies) in
        [(vec![7; 1000], 25, 40), ([7, 8].repeat(100), 26, 8), (row.repeat(50), 30, 50), (vec![7; 26], 25, 2)]
    {
        let documents: Documents = [("a.txt".to_owned(), text.clone())].into();
        let found = World::new(&documents, Profile::Default).find(&exact(25));
        check(&documents, &found, 25, false);
        let [(passage, _)] = &found[..] else { panic!("{found:?}") };
        assert_eq!((passage.tokens(), passage.copies.len()), (tokens, copies));
    }
}

#[test]
fn a_long_run_of_one_word_costs_no_more_than_other_text() {
    let run = |length| vec![7_u8; length];
    let documents: Documents = [
        ("a.txt".to_owned(), [words(60, 100), run(300_000)].concat()),
        ("b.txt".to_owned(), [words(60, 100), run(200_000), vec![3]].concat()),
        ("c.txt".to_owned(), words(60, 100).repeat(2000)),
    ]
    .into();
    let world = World::new(&documents, Profile::Default);
    let found = Passages::find(&world.snapshot, &exact(25), PassageOrder::Tokens, &|_| Ok(())).unwrap().found;
    assert_eq!(found[0].tokens(), 200_060, "the words with the shorter run");
    assert!(found.len() < 10, "{}", found.len());
}

#[test]
fn of_equal_copies_that_overlap_as_few_are_told_as_cover_them_and_of_near_ones_those_that_do_not() {
    let run = |length: usize| -> Vec<u8> { (0..length).map(|at| (at % 3) as u8).collect() };
    let documents = Documents::from([("a.txt".into(), run(33)), ("b.txt".into(), run(27))]);
    let world = World::new(&documents, Profile::Default);
    let found = world.find(&exact(19));
    let (passage, _) = found.iter().find(|(passage, _)| passage.tokens() == 21).unwrap();
    assert_eq!((passage.copies.len(), passage.score()), (4, 33 + 27 - 21), "each token is saved once");
    for (_, spans) in world.find(&settings(19, 1)) {
        assert!(spans.windows(2).all(|two| two[0].0 != two[1].0 || two[0].2 <= two[1].1), "{spans:?}");
    }
}
