//! Identical documents against a naive reference: documents sorted by their texts.

use std::collections::{BTreeMap, BTreeSet};

use crate::naive::indexed;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::passages::{Passage, PassageId};
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::passage::unit::Unit;
use proptest::prelude::*;

/// The fewest words of a passage.
const LEAST: usize = 25;

type Documents = BTreeMap<String, String>;

fn find(snapshot: &Snapshot, gap: u32, threads: usize) -> Passages {
    let measure = Measure { gap, ..Measure::default() };
    let settings = SearchSettings { measure, ..SearchSettings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let order = PassageOrder::default();
    pool.install(|| Passages::find(snapshot, &settings, order, &|_| Ok(()))).unwrap()
}

/// What is found: of each passage its family, what it is, how many members it has, and the documents and bytes of its
/// copies.
type Found = BTreeMap<PassageId, (PassageId, Unit, u64, Vec<(String, u32, u32)>)>;

fn found(documents: &Documents, gap: u32, threads: usize) -> Found {
    let (_folder, snapshot) = indexed(documents, |usual| Options { threads, ..usual });
    let passages = find(&snapshot, gap, threads);
    let name = |source: u32| {
        let id = passages.sources[source as usize].id;
        snapshot.path(snapshot.file_of(id)).to_str().unwrap().to_owned()
    };
    let of = |passage: &Passage| {
        let copies = passage.copies.iter().map(|copy| (name(copy.source), copy.start, copy.end)).collect();
        (passage.id, (passage.family, passage.unit, passage.members, copies))
    };
    let found: Found = passages.found.iter().map(of).collect();
    assert_eq!(found.len(), passages.found.len(), "no two have one id");
    found
}

/// The sets of documents that have the same text.
fn identical(documents: &Documents) -> BTreeSet<BTreeSet<String>> {
    let mut by_text: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, text) in documents.iter().filter(|(_, text)| text.split_whitespace().count() >= LEAST) {
        by_text.entry(text).or_default().insert(name.clone());
    }
    by_text.into_values().filter(|names| names.len() > 1).collect()
}

fn check(documents: &Documents, found: &Found) {
    let sets = identical(documents);
    let names = |copies: &[(String, u32, u32)]| -> BTreeSet<String> {
        copies.iter().map(|(name, ..)| name.clone()).collect()
    };
    let told = found.values().filter(|(_, unit, ..)| *unit == Unit::Document);
    let told: Vec<_> = told.map(|(family, .., copies)| (*family, copies)).collect();
    assert_eq!(told.iter().map(|(_, copies)| names(copies)).collect::<BTreeSet<_>>(), sets);
    assert_eq!(told.len(), sets.len(), "each set once");
    for (_, copies) in &told {
        for (name, start, end) in *copies {
            assert_eq!(&documents[name][*start as usize..*end as usize], documents[name].trim_end());
        }
    }
    let mut members: BTreeMap<PassageId, u64> = BTreeMap::new();
    for (id, (family, unit, _, copies)) in found {
        assert_eq!(found[family].0, *family, "a head is its own head");
        *members.entry(*family).or_default() += u64::from(id != family);
        let holder = told.iter().find(|(_, of)| names(copies).is_subset(&names(of)));
        if let Some((of_documents, _)) = holder.filter(|_| *unit == Unit::Passage) {
            assert_eq!(family, of_documents, "what stands nowhere else is in the family of the documents");
        }
    }
    for (id, (family, _, count, _)) in found {
        assert_eq!(*count, if id == family { members[id] } else { 0 });
    }
}

/// Words that depend on a seed.
pub(crate) fn words(seed: u8, count: usize) -> String {
    let word = |at: usize| (usize::from(seed) * 7919 + at * at * 31 + at * 7) % 1009;
    (0..count).map(|at| format!("w{} ", word(at))).collect()
}

/// Texts of a few pieces each, several of which are the same.
pub(crate) fn texts() -> impl Strategy<Value = Vec<String>> {
    let piece = (0..6_u8, 8..60_usize).prop_map(|(seed, count)| words(seed, count));
    let text = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    prop::collection::vec(text, 1..5)
}

/// Documents of a few pieces each, of which several are the same, or the same but for a few words or upper case.
fn documents() -> impl Strategy<Value = Documents> {
    let texts = texts();
    let variant = prop_oneof![6 => Just(0), 1 => Just(1), 1 => Just(2), 1 => Just(3)];
    let chosen = prop::collection::btree_map("[a-c]/[a-h]", (0_usize..5, variant), 1..12);
    (texts, chosen).prop_map(|(texts, chosen)| {
        let text = |(at, variant): (usize, u8)| {
            let text = &texts[at % texts.len()];
            match variant {
                0 => text.clone(),
                1 => format!("{text}{}", words(9, 5)),
                2 => text.replacen("w1", "W1", 1),
                _ => text.replacen(' ', " other ", 1),
            }
        };
        chosen.into_iter().map(|(name, of)| (format!("{name}.txt"), text(of))).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn each_set_of_identical_documents_is_told_once_with_all_that_stands_only_there(
        documents in documents(),
        near: bool,
    ) {
        let gap = if near { 8 } else { 0 };
        let once = found(&documents, gap, 1);
        check(&documents, &once);
        prop_assert_eq!(&found(&documents, gap, 3), &once, "on more threads");
        let unrelated = ("b/zz.txt".to_owned(), words(201, 90).replace('w', "other"));
        let more: Documents = documents.into_iter().chain([unrelated]).collect();
        prop_assert_eq!(found(&more, gap, 2), once, "with an unrelated file");
    }
}

#[test]
fn a_document_of_many_parts_is_one_row() {
    let long =
        (0..400_u32).map(|seed| words((seed % 251) as u8, 97) + &format!("n{seed} ")).collect::<String>();
    let of = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let documents: Documents = [of("a.txt", &long), of("b/c.txt", &long), of("d.txt", &words(3, 80))].into();
    for gap in [0, 8] {
        check(&documents, &found(&documents, gap, 2));
    }
}

/// The folders of which the trees are the same, by a map from names to texts for each; without those that are the same
/// only because the folders around them are.
fn identical_folders(documents: &Documents) -> BTreeSet<BTreeSet<String>> {
    let mut trees: BTreeMap<String, BTreeMap<&str, &str>> = BTreeMap::new();
    for (name, text) in documents {
        for (at, _) in name.match_indices('/') {
            trees.entry(name[..at].to_owned()).or_default().insert(&name[at + 1..], text);
        }
    }
    let same = |folder: &str| -> BTreeSet<String> {
        trees.iter().filter(|(_, tree)| **tree == trees[folder]).map(|(name, _)| name.clone()).collect()
    };
    let is_long = |text: &&str| text.split_whitespace().count() >= LEAST;
    let is_row = |folder: &String| {
        let (tree, set) = (&trees[folder], same(folder));
        let parents: BTreeSet<&str> =
            set.iter().filter_map(|other| other.rsplit_once('/')).map(|(parent, _)| parent).collect();
        let of_parents = parents.first().map(|parent| same(parent)).unwrap_or_default();
        let within = parents.len() == set.len()
            && parents.iter().map(ToString::to_string).collect::<BTreeSet<_>>() == of_parents;
        tree.len() > 1 && set.len() > 1 && !within && tree.values().any(is_long)
    };
    trees.keys().filter(|folder| is_row(folder)).map(|folder| same(folder)).collect()
}

/// The folders of each row of folders, as the verb tells them.
fn told_folders(documents: &Documents) -> BTreeSet<BTreeSet<String>> {
    let (_folder, snapshot) = indexed(documents, |usual| usual);
    let passages = find(&snapshot, 8, 2);
    let folders = |passage: &Passage| -> Option<BTreeSet<String>> {
        let Unit::Folder(tree) = passage.unit else { return None };
        let path = |source: u32| snapshot.path(snapshot.file_of(passages.sources[source as usize].id));
        Some(
            passage
                .copies
                .iter()
                .map(|copy| tree.folder(path(copy.source)).to_str().unwrap().to_owned())
                .collect(),
        )
    };
    let told: Vec<_> = passages.found.iter().filter_map(folders).collect();
    let set: BTreeSet<_> = told.iter().cloned().collect();
    assert_eq!(set.len(), told.len(), "each set once");
    set
}

/// Folders of a few files each, in folders; a file may be too short for a passage.
fn folders() -> impl Strategy<Value = Documents> {
    let text = (0..4_u8).prop_map(|seed| words(seed, if seed == 3 { 6 } else { 30 + usize::from(seed) }));
    prop::collection::btree_map("[a-b](/[c-d]){0,2}/[e-f]", text, 1..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn each_set_of_identical_folders_is_told_once(documents in folders()) {
        let named = |documents: &Documents, ending: &str| -> Documents {
            documents.iter().map(|(name, text)| (format!("{name}{ending}"), text.clone())).collect()
        };
        let documents = named(&documents, ".txt");
        prop_assert_eq!(told_folders(&documents), identical_folders(&documents));
    }
}
