//! No row of the usual list has more than half of its bytes in the rows above it: counted byte by byte.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::identical::{texts as made_texts, words};
use crate::made_news::texts;
use crate::naive::indexed;
use crate::planted::{Noise, Plan, Planted};
use crate::set_aside::files;
use dupi::index::snapshot::{DocumentId, Snapshot};
use dupi::judge::PassageOrder;
use dupi::judge::aside::AsideRule;
use dupi::judge::choice::PassageChoice;
use dupi::judge::passages::Passage;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::passage::unit::Unit;
use dupi::query::filter::Filter;
use dupi::taboo::{AcceptedSet, CorrectedKinds, TabooSet};
use proptest::prelude::*;

type Documents = BTreeMap<String, String>;

/// The rows of the usual list.
fn listed<'p>(snapshot: &Snapshot, passages: &'p Passages) -> Vec<&'p Passage> {
    let (taboo, accepted, corrected) = <(TabooSet, AcceptedSet, CorrectedKinds)>::default();
    let choice = PassageChoice {
        filter: Filter::default(),
        taboo: &taboo,
        shows_taboo: false,
        accepted: &accepted,
        corrected: &corrected,
        least: Measure::default().least,
        min_copies: 2,
        path: None,
        kinds: &[],
        aside: AsideRule::default(),
        order: PassageOrder::default(),
        is_reversed: false,
        most: usize::MAX,
    };
    choice.of(snapshot, passages).unwrap().listed
}

/// The bytes that a row is about: those of its copies, or of the documents of its folders that a passage can be in.
fn bytes_of(
    snapshot: &Snapshot,
    passages: &Passages,
    row: &Passage,
    of_documents: &BTreeMap<DocumentId, (u32, u32)>,
) -> BTreeSet<(DocumentId, u32)> {
    let id = |source: u32| passages.sources[source as usize].id;
    let path = |document| snapshot.path(snapshot.file_of(document));
    if let Unit::Folder(tree) = row.unit {
        let folders: Vec<&Path> = row.copies.iter().map(|copy| tree.folder(path(id(copy.source)))).collect();
        let lies_within =
            |document: &DocumentId| folders.iter().any(|folder| path(*document).starts_with(folder));
        let within = of_documents.iter().filter(|(document, _)| lies_within(document));
        return within.flat_map(|(document, &(start, end))| (start..end).map(|at| (*document, at))).collect();
    }
    let bytes = |copy: &dupi::judge::passages::PassageCopy| {
        let document = id(copy.source);
        (copy.start..copy.end).map(move |at| (document, at))
    };
    row.copies.iter().flat_map(bytes).collect()
}

/// Checks all rows of a corpus. Returns how many there are, and how many of them are documents or folders.
fn check(documents: &Documents, gap: u32) -> (usize, usize) {
    let (_folder, snapshot) = indexed(documents, |usual| usual);
    let measure = Measure { gap, ..Measure::default() };
    let settings = SearchSettings { measure, ..SearchSettings::default() };
    let passages = Passages::find(&snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap();
    let mut whole = BTreeMap::new();
    for passage in passages.found.iter().filter(|passage| passage.unit == Unit::Document) {
        let span = |copy: &dupi::judge::passages::PassageCopy| {
            (passages.sources[copy.source as usize].id, (copy.start, copy.end))
        };
        whole.extend(passage.copies.iter().map(span));
    }
    let listed = listed(&snapshot, &passages);
    let mut above: BTreeSet<(DocumentId, u32)> = BTreeSet::new();
    for (rank, row) in listed.iter().enumerate() {
        let own = bytes_of(&snapshot, &passages, row, &whole);
        let again = own.intersection(&above).count();
        assert!(
            again * 2 <= own.len(),
            "row {rank} of {}: {again} of {} bytes stand above, {row:?}",
            listed.len(),
            own.len()
        );
        above.extend(own);
    }
    assert!(listed.is_sorted_by_key(|row| std::cmp::Reverse(row.worth)), "the list is in the order of worth");
    (listed.len(), listed.iter().filter(|row| row.unit != Unit::Passage).count())
}

/// Documents of a few pieces, several of which are the same, in folders of which several are the same.
fn documents() -> impl Strategy<Value = Documents> {
    let texts = made_texts();
    let names = "[a-c](/[c-d]){0,2}/[e-h]";
    let chosen = prop::collection::btree_map(
        names,
        (0_usize..5, prop_oneof![4 => Just(false), 1 => Just(true)]),
        2..16,
    );
    let copied = prop::collection::vec(("[a-c]", "[x-z]"), 0..3);
    (texts, chosen, copied).prop_map(|(texts, chosen, copied)| {
        let text = |(at, differs): (usize, bool)| {
            let text = &texts[at % texts.len()];
            if differs { text.replacen(' ', " other ", 1) } else { text.clone() }
        };
        let mut documents: Documents =
            chosen.into_iter().map(|(name, of)| (format!("{name}.txt"), text(of))).collect();
        for (from, to) in copied {
            let below = |(name, text): (&String, &String)| {
                let below = name.strip_prefix(&from)?.to_owned();
                Some((format!("{to}{below}"), text.clone()))
            };
            let copies: Vec<(String, String)> = documents.iter().filter_map(below).collect();
            documents.extend(copies);
        }
        documents
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn no_row_has_more_than_half_of_its_bytes_in_rows_above(documents in documents(), near: bool) {
        check(&documents, if near { 8 } else { 0 });
    }
}

/// A text of which two files consist mostly stands in others too, and is worth more than the two files.
#[test]
fn identical_documents_that_mostly_stand_above_are_no_row() {
    let (common, own) = (words(1, 60), words(2, 40));
    let mut documents: Documents =
        ["a.txt", "b.txt"].map(|name| (name.to_owned(), format!("{common}{own}"))).into();
    for number in 0..2 {
        documents.insert(format!("other{number}.txt"), format!("{common}{}", words(10 + number, 50)));
    }
    assert_eq!(check(&documents, 0), (1, 0));
    // If the files are the larger part of it, it is one of theirs.
    documents.remove("other1.txt");
    assert_eq!(check(&documents, 0), (1, 1));
}

#[test]
fn identical_folders_hold_files_of_which_another_folder_has_a_copy() {
    let mut documents = Documents::new();
    for folder in ["one", "two", "three"] {
        for number in 0..6 {
            documents.insert(format!("{folder}/{number}.txt"), words(number, 50));
        }
    }
    documents.insert("three/0.txt".to_owned(), words(100, 50));
    assert_eq!(check(&documents, 8), (1, 1));
}

#[test]
fn the_corpora_of_other_tests_have_no_row_that_mostly_stands_above() {
    let planted = |planted: Planted| planted.documents.into_iter().collect::<Documents>();
    let news = texts().into_iter().take(400).map(|text| (text.path, text.text)).collect();
    for (name, documents) in [
        ("set aside", files().into_iter().collect()),
        (
            "planted",
            planted(
                Plan { seed: 7, documents: 30, groups: 10, copies: (2, 20), noise: Noise::Edit(0.1) }.grow(),
            ),
        ),
        ("news", news),
    ] {
        let (rows, _) = check(&documents, 8);
        assert!(rows > 2, "{name}");
    }
}
