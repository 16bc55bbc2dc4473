//! Term-Split finds what a whole search finds: here the features and buckets of all blocks are joined without Spark.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dupi::index::snapshot::Snapshot;
use dupi::near::blocks::{BlockPlan, Sharing, bound, print_features, reduce, shatter, take_links, tally};
use dupi::near::clusters::Linkage;
use dupi::near::search::find;
use dupi::near::settings::Keep;
use dupi::near::settings::{ClusterRule, FingerprintRule, Method, NearSettings, Shingling};
use dupi::storage::Folder;
use proptest::prelude::*;

use crate::near_parts::{corpus, methods, usual, words};

type Row = [u64; 4];

/// The rows that a block prints.
fn printed(plan: &BlockPlan, block: u32) -> Vec<Row> {
    let mut printed = Vec::new();
    print_features(plan, block, &mut printed).unwrap();
    let numbers: Vec<u64> =
        printed.chunks_exact(8).map(|number| u64::from_le_bytes(number.try_into().unwrap())).collect();
    assert_eq!(numbers.last(), Some(&0), "the end");
    let (mut found, mut rest) = (Vec::new(), &numbers[..numbers.len() - 1]);
    while let [rows, batch @ ..] = rest {
        let rows = *rows as usize;
        found.extend((0..rows).map(|row| std::array::from_fn(|column| batch[column * rows + row])));
        rest = &batch[4 * rows..];
    }
    found
}

/// What Spark does with the features of all blocks: for each two documents that share one, what they share.
fn by_features(rows: &[Row]) -> BTreeMap<(u64, u64), (u64, u64)> {
    let mut by_feature: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
    rows.iter().for_each(|row| by_feature.entry(row[2]).or_default().push(*row));
    let mut common: BTreeMap<(u64, u64), (u64, u64)> = BTreeMap::new();
    for have in by_feature.values() {
        for (at, [one, size, _, count]) in have.iter().enumerate() {
            for [other, other_size, _, other_count] in &have[at + 1..] {
                let key = (*one.min(other), *one.max(other));
                let both = common.entry(key).or_insert((0, size + other_size));
                both.0 += count.min(other_count);
            }
        }
    }
    common
}

/// What Spark does with the buckets of all blocks: for each two documents that share one with few others the first of them,
/// and each document that shares one with many.
fn by_buckets(rows: &[Row], crowd: usize) -> BTreeMap<(u64, u64), (u64, u64)> {
    let mut buckets: BTreeMap<(u64, u64), BTreeMap<u64, u64>> = BTreeMap::new();
    for &[document, identity, table, key] in rows {
        let first = buckets.entry((table, key)).or_default().entry(identity).or_insert(document);
        *first = document.min(*first);
    }
    let mut links = BTreeMap::new();
    for ((table, _), documents) in buckets {
        let documents: BTreeSet<u64> = documents.into_values().collect();
        for &one in &documents {
            if documents.len() > crowd {
                links.insert((one, one), (0, 0));
            } else {
                for &other in documents.range(one + 1..) {
                    let link = links.entry((one, other)).or_insert((table, 0));
                    link.0 = table.min(link.0);
                }
            }
        }
    }
    links
}

/// The links of each two blocks.
fn linked(plan: &BlockPlan) -> BTreeMap<u64, Vec<Row>> {
    let rows: Vec<Row> = (0..plan.blocks()).flat_map(|block| printed(plan, block)).collect();
    let found = match plan.sharing().unwrap() {
        Sharing::Features => by_features(&rows),
        Sharing::Bands { crowd } => by_buckets(&rows, crowd),
        Sharing::Tables { .. } => by_buckets(&rows, usize::MAX),
    };
    let mut links: BTreeMap<u64, Vec<Row>> = (0..plan.links()).map(|task| (task, Vec::new())).collect();
    for ((one, other), (common, sizes)) in found {
        let (earlier, later) = (one >> 32, other >> 32);
        let row = [one & 0xffff_ffff, other & 0xffff_ffff, common, sizes];
        links.get_mut(&(later * (later + 1) / 2 + earlier)).unwrap().push(row);
    }
    links
}

/// What is found by links in so many blocks.
fn by_links(snapshot: &Snapshot, settings: &NearSettings, blocks: u32, folder: &Path) -> String {
    let plan = BlockPlan::new(snapshot, settings, Folder::new(folder), blocks);
    (0..blocks).for_each(|block| drop(shatter(&plan, block, &|_| Ok(())).unwrap()));
    if plan.is_bounded() {
        tally(&plan, &|_| Ok(())).unwrap();
        (0..blocks).for_each(|block| drop(bound(&plan, block).unwrap()));
    }
    for (task, rows) in linked(&plan).into_iter().rev() {
        take_links(&plan, task, &mut &stream(&rows)[..]).unwrap();
    }
    format!("{:#?}", reduce(&plan, &|_| Ok(())).unwrap())
}

/// The stream of some rows, in batches of two.
fn stream(rows: &[Row]) -> Vec<u8> {
    let batch = |rows: &[Row]| {
        let columns = (0..4).flat_map(|column| rows.iter().map(move |row| row[column]));
        [rows.len() as u64].into_iter().chain(columns).collect::<Vec<u64>>()
    };
    rows.chunks(2).flat_map(batch).chain([0]).flat_map(u64::to_le_bytes).collect()
}

#[test]
fn a_stream_that_is_cut_or_has_other_rows_leaves_no_file() {
    let files: Vec<(u32, u32)> = (0..12).map(|number| (number % 3, number / 3)).collect();
    let (folder, snapshot) = corpus(&files, &[], true);
    for (number, method) in linking().enumerate() {
        let settings = NearSettings { method, clusters: false, ..usual() };
        let parts = folder.path().join(format!("parts-{number}"));
        let plan = BlockPlan::new(&snapshot, &settings, Folder::new(&parts), 2);
        if plan.is_bounded() {
            continue;
        }
        (0..2).for_each(|block| drop(shatter(&plan, block, &|_| Ok(())).unwrap()));
        let files = || std::fs::read_dir(&parts).unwrap().count();
        let before = files();
        let refused = |task, stream: &[u8], why: &str| {
            let said = take_links(&plan, task, &mut &stream[..]).unwrap_err().to_string();
            assert!(said.starts_with("the stream of features or links is faulty: "), "{said}");
            assert!(said.contains(why) && files() == before, "{said}, but not {why}");
        };
        let links = linked(&plan);
        for (&task, rows) in &links {
            let whole = stream(rows);
            let batches = (0..rows.len().div_ceil(2)).map(|batch| batch * (8 + 2 * 32));
            batches
                .chain([whole.len() - 8, whole.len() - 1, 1])
                .for_each(|at| refused(task, &whole[..at], "unexpected end"));
            refused(task, &[&whole[..], &[0]].concat(), "follows");
        }
        refused(0, &(1_u64 << 40).to_le_bytes(), "more than 1048576 rows");
        let is_summed = plan.sharing() == Some(Sharing::Features);
        let sum = if is_summed { 2 } else { 0 };
        for (task, row) in [
            (0, [0, 1 << 20, 1, sum]),
            (0, [1 << 20, 1, 1, sum]),
            (1, [0, u64::MAX, 1, sum]),
            (0, [1, 0, 1, sum]),
        ] {
            refused(task, &stream(&[row]), "no link of these");
        }
        if is_summed {
            [[0, 1, 0, 0], [0, 1, 2, 3], [0, 0, 1, 2]]
                .iter()
                .for_each(|row| refused(0, &stream(&[*row]), "no link"));
        }
        refused(0, &stream(&[[0, 1, 1, sum], [1, 2, 1, sum], [0, 1, 1, sum]]), "linked twice");
        links.iter().for_each(|(task, rows)| drop(take_links(&plan, *task, &mut &stream(rows)[..]).unwrap()));
        assert_eq!(files(), before + 3);
    }
}

fn whole(snapshot: &Snapshot, settings: &NearSettings) -> String {
    format!("{:#?}", find(snapshot, settings, &|_| Ok(())).unwrap())
}

/// Those methods that have links.
fn linking() -> impl Iterator<Item = Method> {
    methods().into_iter().filter(|method| !matches!(method, Method::Identical(_)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, max_shrink_iters: 60, ..ProptestConfig::default() })]
    #[test]
    fn links_find_what_the_whole_finds(
        files in prop::collection::vec((0..4_u32, 0..8_u32), 0..24),
        records in prop::collection::vec(prop::collection::vec((0..4_u32, 0..8_u32), 0..5), 0..3),
        sketches: bool,
        clusters: bool,
        threshold in prop_oneof![Just(0.1), Just(0.5), Just(0.95)],
        linkage in prop_oneof![Just(Linkage::Average), Just(Linkage::Complete), Just(Linkage::Single)],
        memory in prop_oneof![Just(1 << 30), Just(0)],
    ) {
        let (folder, snapshot) = corpus(&files, &records, sketches);
        for (number, method) in linking().enumerate() {
            let rule = ClusterRule { threshold, linkage, keep: Keep::Longest };
            let settings = NearSettings { method: method.clone(), rule, clusters, memory };
            let whole = whole(&snapshot, &settings);
            for blocks in [1, 2, 8] {
                let parts = folder.path().join(format!("parts-{number}-{blocks}"));
                let found = by_links(&snapshot, &settings, blocks, &parts);
                prop_assert_eq!(&found, &whole, "{:?} in {} blocks", method, blocks);
            }
        }
    }
}

/// More documents than are compared with each other share a text, and so do some of the others.
#[test]
fn documents_that_share_a_bucket_with_too_many_are_found_as_in_a_whole() {
    let text = |number: u32| {
        let own: String =
            (0..1 + number % 4).map(|word| format!("own{} ", (number / 4) * 10 + word)).collect();
        words([0, 2][number as usize % 2], number / 2 % 2) + &own
    };
    let texts: Vec<(String, String)> =
        (0..560).map(|number| (format!("{number:03}.txt"), text(number))).collect();
    let (folder, snapshot) =
        crate::naive::indexed(texts.iter().map(|(name, text)| (name, text)), |options| options);
    let by_buckets = |method: &Method| matches!(method, Method::SimHash(_) | Method::MinHash(_));
    let methods: Vec<Method> = linking().filter(by_buckets).collect();
    assert!(!methods.is_empty());
    for (number, method) in methods.into_iter().enumerate() {
        let settings = NearSettings {
            method,
            rule: ClusterRule { threshold: 0.9, ..usual().rule },
            clusters: false,
            ..usual()
        };
        let parts = folder.path().join(format!("parts {number}"));
        assert!(by_links(&snapshot, &settings, 3, &parts) == whole(&snapshot, &settings), "{settings:?}");
    }
}

/// The pairs of another distance, and of a part of the blocks, are not taken for those that are asked for.
#[test]
fn links_of_other_options_are_not_taken_and_missing_ones_are_told() {
    let (folder, snapshot) = corpus(&[(0, 0), (0, 1), (2, 0), (2, 2), (0, 3)], &[], true);
    let parts = folder.path().join("parts");
    let settings = |distance| {
        let size = Shingling::default().size;
        NearSettings { method: Method::SimHash(FingerprintRule { distance, shingle: size }), ..usual() }
    };
    let near = settings(4);
    assert_eq!(by_links(&snapshot, &near, 2, &parts), whole(&snapshot, &near));
    let reduced = |settings: &NearSettings| {
        let plan = BlockPlan::in_folder(&snapshot, settings, Folder::new(&parts)).unwrap();
        reduce(&plan, &|_| Ok(())).map(|found| format!("{found:#?}"))
    };
    let far = settings(30);
    assert_eq!(reduced(&far).unwrap(), whole(&snapshot, &far));
    assert_ne!(whole(&snapshot, &far), whole(&snapshot, &near));
    let pairs = std::fs::read_dir(&parts).unwrap().map(|entry| entry.unwrap().path());
    let pairs: Vec<_> =
        pairs.filter(|path| path.extension().is_some_and(|ending| ending == "pairs")).collect();
    assert_eq!(pairs.len(), 3);
    std::fs::remove_file(&pairs[1]).unwrap();
    let said = reduced(&near).unwrap_err().to_string();
    assert!(said.contains("has no pairs of the blocks"), "{said}");
    for path in [&pairs[0], &pairs[2]] {
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(reduced(&near).unwrap(), whole(&snapshot, &near));
}
