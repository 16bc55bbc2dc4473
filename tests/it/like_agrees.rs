//! `like` and `passages` agree: what one says of two texts, the other says too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::naive::{indexed, open};
use crate::near_promises::{Texts, World, pairs, texts};
use dupi::blot::{Profile, RecipeChoice};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Options, Silent, bring_up_to_date};
use dupi::judge::PassageOrder;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::passage::like::voted::voted;
use dupi::passage::like::{Probe, like, like_by_index};
use dupi::storage::Folder;
use dupi::token::{Comments, LexState, TokenMode, Tokeniser, folded_name};
use proptest::prelude::*;

/// Two documents that share a text, of which up to a third of the words is edited, with words of their own around it,
/// and sometimes a second copy. Every third word is one of a few.
fn documents() -> impl Strategy<Value = Texts> {
    let own = || prop::collection::vec(1000..9000_u16, 0..40);
    let text = prop::collection::vec(prop_oneof![2 => 0..900_u16, 1 => 900..930_u16], 20..150);
    let edits = prop::collection::vec((0..100_u8, 0..3_u8, 900..6000_u16), 211);
    (text, edits, 0..33_u8, own(), own(), own(), 0..4_u8).prop_map(|(text, edits, share, a, b, c, form)| {
        let edit = |(at, &word): (usize, &u16)| match edits[at % edits.len()] {
            (random, kind, new) if random < share => match kind {
                0 => vec![new],
                1 => vec![],
                _ => vec![word, new],
            },
            _ => vec![word],
        };
        let copy: Vec<u16> = text.iter().enumerate().flat_map(edit).collect();
        let again = if form == 0 { text.clone() } else { Vec::new() };
        texts([[a, text, b.clone(), again].concat(), [c, copy, b].concat()])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn like_names_a_document_exactly_when_passages_has_a_row_with_it(
        texts in documents(),
        is_ocr: bool,
        least in 8..45_u32,
        gap in prop_oneof![1 => Just(0_u32), 6 => 1..14_u32],
        overlap in 0.3..0.9_f32,
        one_sided: bool,
    ) {
        let world = World::with(&texts, if is_ocr { Profile::Ocr } else { Profile::Default });
        let measure = Measure { least, overlap, one_sided, gap };
        let rows = world.rows(measure);
        for name in texts.keys() {
            let is_alike = !world.like(name, measure).is_empty();
            prop_assert_eq!(is_alike, !pairs(&rows).is_empty(), "{} {:?}\n{:?}", name, measure, rows);
            // The index knows of a document with a run of so many words in common.
            let by_index = !world.liked(name, measure, true).is_empty();
            let guarantee = Measure { least: if is_ocr { 6 } else { 12 }, gap: 0, ..measure };
            let is_known = !pairs(&world.rows(guarantee)).is_empty();
            let expected = if is_known { is_alike } else { by_index && is_alike };
            prop_assert_eq!(by_index, expected, "{} {:?}\n{:?}", name, measure, rows);
        }
    }
}

/// Lines of C, each by its form and the numbers of its names.
fn lines(some: &[(u8, [u8; 3])], name: impl Fn(u8) -> String) -> String {
    let line = |&(form, [a, b, c]): &(u8, [u8; 3])| {
        let (a, b, c) = (name(a), name(b), name(c));
        match form {
            0 => format!("if ({a} > {b}) return {c};"),
            1 => format!("{a} = {b}[{c}] + 1;"),
            2 => format!("for ({a} = 0; {a} < {b}; {a}++) {c} |= {a};"),
            3 => format!("{a}->{b} -= sizeof({c}) << 3;"),
            4 => format!("while ({a} && !{b}) {c}--;"),
            _ => format!("switch ({a}) {{ case {b}: {c}(); break; default: goto out; }}"),
        }
    };
    some.iter().map(|some| line(some) + "\n").collect()
}

/// Two documents of C that share lines, with other names in the one, of which some stand for two of the other.
fn renamed_documents() -> impl Strategy<Value = BTreeMap<String, String>> {
    let some = |count| prop::collection::vec((0..6_u8, prop::array::uniform3(0..7_u8)), count);
    let changes = prop::collection::vec((0..40_usize, 0..3_usize, 0..7_u8), 0..4);
    let own = || (some(0..6), some(0..6));
    (some(4..30), changes, own(), own(), prop::option::of(some(2..9))).prop_map(
        |(text, changes, a, b, again)| {
            let mut copy = text.clone();
            for (line, slot, name) in changes {
                let at = line % copy.len();
                copy[at].1[slot] = name;
            }
            let first = |number: u8| format!("first_{number}");
            let second = |number: u8| format!("other_{}", number * 3 % 7);
            let ends = again.map_or_else(String::new, |again| lines(&again, second));
            let a_text = lines(&a.0, first) + &lines(&text, first) + &lines(&a.1, first);
            let b_text = lines(&b.0, second) + &lines(&copy, second) + &lines(&b.1, second) + &ends;
            BTreeMap::from([("a.c".to_owned(), a_text), ("b.c".to_owned(), b_text)])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn like_names_a_document_with_consistent_names_exactly_when_passages_has_a_row_with_it(
        texts in renamed_documents(),
        least in 12..60_u32,
    ) {
        let recipe = RecipeChoice { tokens: Some(TokenMode::Renamed), ..Profile::Default.choice() };
        let (_folder, snapshot) = indexed(&texts, |usual| Options { recipe, threads: 1, ..usual });
        let measure = Measure { least, gap: 0, ..Measure::default() };
        let is_in_both = |consistent| {
            let settings = SearchSettings { measure, consistent, ..SearchSettings::default() };
            let found = Passages::find(&snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap().found;
            found.iter().any(|row| row.copies.iter().map(|copy| copy.source).collect::<BTreeSet<_>>().len() > 1)
        };
        let is_alike = |name: &String, with_names| {
            let text = &texts[name];
            let tokeniser = Tokeniser::for_file(TokenMode::Renamed, Comments::Keep, Path::new(name), text);
            let tokens = tokeniser.tokens(text, LexState::default());
            let names = tokens.iter().map(|token| folded_name(text, token, tokeniser)).collect();
            let probe = Probe::new(tokens, &snapshot.manifest().recipe);
            let probe = if with_names { probe.with_names(names) } else { probe };
            let found = like(&snapshot, &probe, measure, usize::MAX).unwrap();
            found.iter().any(|other| other.shared[0].occurrence.path != Path::new(name))
        };
        for name in texts.keys() {
            prop_assert_eq!(is_alike(name, true), is_in_both(true), "{} {}\n{:?}", name, least, texts);
            prop_assert_eq!(is_alike(name, false), is_in_both(false), "{} {}\n{:?}", name, least, texts);
        }
    }
}

/// Texts as files, each in a segment of its own, in an order. Passes a snapshot of them to `check`.
fn in_segments(texts: &[(&str, &str)], check: impl FnOnce(&Snapshot)) {
    let folder = crate::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    let options = Options { threads: 1, ..Options::new(Folder::new(folder.path().join("index"))) };
    let mut updater = open(&options, corpus.clone()).unwrap();
    for (name, text) in texts {
        fs::write(corpus.join(name), text).unwrap();
        bring_up_to_date(&mut updater, &Silent).unwrap();
    }
    check(updater.snapshot());
}

#[test]
fn the_best_documents_are_named_however_the_index_was_built() {
    let words = |numbers: std::ops::Range<u32>| numbers.map(|word| format!("w{word} ")).collect::<String>();
    let text = words(0..200);
    // Most in common first; two documents are equal.
    let documents = [("e", 160), ("a", 120), ("c", 80), ("d", 80), ("b", 40)];
    let documents: Vec<(&str, String)> = (1..)
        .zip(documents)
        .map(|(number, (name, shared))| (name, words(0..shared) + &words(number * 1000..number * 1000 + 50)))
        .collect();
    let documents: Vec<(&str, &str)> = documents.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let reversed: Vec<(&str, &str)> = documents.iter().rev().copied().collect();
    for order in [&documents, &reversed] {
        in_segments(order, |snapshot| {
            let tokens = Tokeniser::Words.tokens(&text, LexState::default());
            let probe = Probe::new(tokens, &snapshot.manifest().recipe);
            for limit in [1, 2, 4, 5, 9] {
                let expected = ["e", "a", "c", "d", "b"].into_iter().take(limit).collect::<Vec<_>>();
                let candidates = voted(snapshot, probe.blots(), limit).unwrap();
                let name = |id| snapshot.path(snapshot.file_of(id)).to_str().unwrap().to_owned();
                let names: Vec<String> = candidates.into_iter().map(|(document, _)| name(document)).collect();
                assert_eq!(names, expected, "candidates, {limit}");
                let found = like_by_index(snapshot, &probe, Measure::default(), limit).unwrap();
                let names: Vec<&str> = found
                    .iter()
                    .map(|document| document.shared[0].occurrence.path.to_str().unwrap())
                    .collect();
                assert_eq!(names, expected, "documents, {limit}");
            }
        });
    }
}
