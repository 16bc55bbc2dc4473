//! A search for similar documents in parts finds what a whole search finds, however many parts there are and in whatever
//! order they are done.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use dupi::corpus::{Formats, SkipReason};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Options, Silent};
use dupi::near::NearError;
use dupi::near::blocks::{BlockPlan, bound, query, reduce, shatter, tally};
use dupi::near::clusters::Linkage;
use dupi::near::search::find;
use dupi::near::settings::Keep;
use dupi::near::settings::{
    ClusterRule, FingerprintRule, Identity, Method, NearSettings, Shingling, SignatureRule, SpotRule,
};
use dupi::near::spotsigs::{Antecedents, IdfBounds};
use dupi::storage::Folder;
use dupi::storage::sealed::{SealedError, from_bytes, to_bytes};
use proptest::prelude::*;

use crate::attack::sealed;
use crate::naive::indexed;
use crate::support::Home;

/// A text of words, some of which depend on the edits, with stop words between them; topic 3 is empty, and edits from 6 on
/// change case and spaces only.
pub(crate) fn words(topic: u32, edits: u32) -> String {
    let word = |at: u32| {
        let is_edited = edits < 6 && edits > 0 && (at * 7 + topic) % 40 < edits;
        let stop = if at.is_multiple_of(3) { "the " } else { "" };
        format!("{stop}{}{} ", if is_edited { "edited" } else { "word" }, topic * 1000 + at * at % 97)
    };
    let text: String = (0..[90, 12, 60, 0][topic as usize]).map(word).collect();
    if edits >= 6 { text.to_uppercase().replace(' ', "  ") } else { text }
}

/// Files with a topic and edits each, and some of records.
pub(crate) fn corpus(
    files: &[(u32, u32)],
    records: &[Vec<(u32, u32)>],
    sketches: bool,
) -> (tempfile::TempDir, Snapshot) {
    let plain = files.iter().zip(0..).map(|((topic, edits), number)| {
        (format!("{}/{number}.txt", ["a", "b b", "ü"][number % 3]), words(*topic, *edits))
    });
    let record = |(topic, edits): &(u32, u32)| format!("{{\"text\": \"{}\"}}\n", words(*topic, *edits));
    let lists = records
        .iter()
        .zip(0..)
        .map(|(topics, number)| (format!("{number}.jsonl"), topics.iter().map(record).collect::<String>()));
    let all: Vec<(String, String)> = plain.chain(lists).collect();
    indexed(all.iter().map(|(name, text)| (name, text)), |options: Options| Options {
        formats: Some(Formats::of_jsonl("text")),
        sketches: Some(sketches),
        threads: 1,
        ..options
    })
}

pub(crate) fn methods() -> Vec<Method> {
    let sets = Shingling::default();
    let bags = Shingling { size: NonZeroUsize::new(2).unwrap(), bag: true };
    let spots = |idf| Method::SpotSigs(SpotRule { antecedents: Antecedents::of_all_languages(), idf });
    vec![
        Method::Jaccard(sets),
        Method::Jaccard(bags),
        spots(IdfBounds::default()),
        spots(IdfBounds { min: 0.3, max: 0.9 }),
        Method::SimHash(FingerprintRule { distance: 6, shingle: sets.size }),
        Method::MinHash(SignatureRule { shingling: sets, verify: true }),
        Method::MinHash(SignatureRule { shingling: bags, verify: false }),
        Method::Identical(Identity::Tokens),
        Method::Identical(Identity::Bytes),
    ]
}

/// What is found in so many blocks. The order of the tasks depends on `order`, and some of them run twice.
fn in_parts(snapshot: &Snapshot, settings: &NearSettings, blocks: u32, order: u64, folder: &Path) -> String {
    let plan = BlockPlan::new(snapshot, settings, Folder::new(folder), blocks);
    let shuffled = |tasks: u64| {
        let mut tasks: Vec<u64> = (0..tasks).chain((0..tasks).step_by(3)).collect();
        tasks.sort_by_cached_key(|task| (task + 1).wrapping_mul(order | 1).rotate_left(17));
        tasks
    };
    for task in shuffled(blocks.into()) {
        shatter(&plan, task as u32, &|_| Ok(())).unwrap();
    }
    if plan.is_bounded() {
        tally(&plan, &|_| Ok(())).unwrap();
        shuffled(blocks.into()).iter().for_each(|&task| drop(bound(&plan, task as u32).unwrap()));
    }
    for task in shuffled(plan.queries()) {
        query(&plan, task, &|_| Ok(())).unwrap();
    }
    let plan = BlockPlan::in_folder(snapshot, settings, Folder::new(folder)).unwrap();
    assert_eq!(plan.blocks(), blocks);
    format!("{:#?}", reduce(&plan, &|_| Ok(())).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 60, ..ProptestConfig::default() })]
    #[test]
    fn parts_find_what_the_whole_finds(
        files in prop::collection::vec((0..4_u32, 0..8_u32), 0..24),
        records in prop::collection::vec(prop::collection::vec((0..4_u32, 0..8_u32), 0..5), 0..3),
        order: u64,
        sketches: bool,
        memory in prop_oneof![Just(1 << 30), Just(0)],
        linkage in prop_oneof![Just(Linkage::Average), Just(Linkage::Complete), Just(Linkage::Single)],
        keep in prop_oneof![Just(Keep::Longest), Just(Keep::Central), Just(Keep::ShortestPath)],
    ) {
        let (folder, snapshot) = corpus(&files, &records, sketches);
        for (number, method) in methods().into_iter().enumerate() {
            for clusters in [true, false] {
                let rule = ClusterRule { threshold: 0.5, linkage, keep };
                let settings = NearSettings { method: method.clone(), rule, clusters, memory };
                let whole = format!("{:#?}", find(&snapshot, &settings, &|_| Ok(())).unwrap());
                for blocks in [1, 2, 8] {
                    let parts = folder.path().join(format!("parts-{number}-{clusters}-{blocks}"));
                    let found = in_parts(&snapshot, &settings, blocks, order, &parts);
                    prop_assert_eq!(&found, &whole, "{:?} in {} blocks", method, blocks);
                }
            }
        }
    }
}

/// A damaged part, one of other documents and one that is missing are refused with what to do.
#[test]
fn what_is_wrong_with_a_part_is_said() {
    let (folder, snapshot) = corpus(&[(0, 0), (0, 1), (2, 0), (2, 2)], &[], true);
    let settings = usual();
    let parts = folder.path().join("parts");
    let whole = in_parts(&snapshot, &settings, 2, 1, &parts);
    let reduced = |settings: &NearSettings| reduced(&snapshot, settings, &parts);
    for entry in fs::read_dir(&parts).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        for at in [0, 20, 40, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
            let mut flipped = bytes.clone();
            flipped[at] ^= 64;
            for wrong in [&flipped[..], &bytes[..at]] {
                fs::write(&path, wrong).unwrap();
                match reduced(&settings) {
                    Err(NearError::File(error)) => {
                        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
                    }
                    // Features of documents that are in no pair are not read.
                    Ok(found) => assert_eq!(found, whole),
                    Err(other) => panic!("{other}"),
                }
            }
        }
        fs::remove_file(&path).unwrap();
        let said = reduced(&settings).unwrap_err().to_string();
        assert!(said.contains("with the same options") && said.contains("dupi-tui segment"), "{said}");
        fs::write(&path, &bytes).unwrap();
    }
    assert_eq!(reduced(&settings).unwrap(), whole);
    let other =
        NearSettings { method: Method::Jaccard(Shingling { bag: true, ..<_>::default() }), ..settings };
    assert!(reduced(&other).unwrap_err().to_string().contains("no block 0 of 1"));
}

/// The settings of the tests below.
pub(crate) fn usual() -> NearSettings {
    NearSettings {
        method: Method::Jaccard(Shingling::default()),
        rule: ClusterRule { threshold: 0.5, ..ClusterRule::default() },
        clusters: true,
        memory: 1 << 30,
    }
}

/// What is found in the parts of a folder.
fn reduced(snapshot: &Snapshot, settings: &NearSettings, parts: &Path) -> Result<String, NearError> {
    let plan = BlockPlan::in_folder(snapshot, settings, Folder::new(parts))?;
    reduce(&plan, &|_| Ok(())).map(|found| format!("{found:#?}"))
}

/// A ranking that a screen saves meanwhile is no other index.
#[test]
fn a_saved_ranking_leaves_the_parts_valid() {
    let (folder, snapshot) = corpus(&[(0, 0), (0, 1), (2, 0), (2, 2)], &[], true);
    let parts = folder.path().join("parts");
    let whole = in_parts(&snapshot, &usual(), 2, 1, &parts);
    // Only one that is damaged is saved again.
    let ranking = snapshot.manifest().ranking.as_ref().unwrap();
    fs::write(snapshot.folder().at(&ranking.name), "").unwrap();
    let options = Options::new(snapshot.folder().clone());
    let mut updater = crate::naive::open(&options, folder.path().join("corpus")).unwrap();
    let ranking = updater.ranking(None, &Silent).unwrap();
    updater.save_ranking(&ranking).unwrap();
    let later = Snapshot::open(snapshot.folder()).unwrap();
    assert_ne!(later.manifest(), snapshot.manifest());
    assert_eq!(reduced(&later, &usual(), &parts).unwrap(), whole);
}

/// A block without a document that could not be read for a moment would be taken for done.
#[test]
fn a_document_that_could_not_be_read_for_a_moment_is_in_no_block() {
    let (folder, snapshot) = corpus(&[(0, 0), (0, 1)], &[], true);
    let settings = usual();
    let plan = BlockPlan::new(&snapshot, &settings, Folder::new(folder.path().join("parts")), 1);
    snapshot.unread().note(Path::new("a/0.txt"), &SkipReason::NotNow("the disk failed".into()));
    let said = shatter(&plan, 0, &|_| Ok(())).unwrap_err().to_string();
    assert!(said.contains("a/0.txt (cannot be read now: the disk failed)"), "{said}");
    assert!(!folder.path().join("parts").exists());
    shatter(&plan, 0, &|_| Ok(())).unwrap();
}

/// The only file of a folder with such an ending.
fn ending(folder: &Path, ending: &str) -> std::path::PathBuf {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.into_iter().find(|path| path.extension().is_some_and(|own| own == ending)).unwrap()
}

fn is_damaged(error: &NearError) -> bool {
    matches!(error, NearError::File(SealedError::Damaged { .. }))
}

/// How long the head of a block is, which has its documents, is read before its checksum; how many documents it has, after it.
#[test]
fn a_block_of_more_documents_than_numbers_count_is_damaged() {
    let (folder, snapshot) = corpus(&[(0, 0), (0, 1)], &[], true);
    let parts = folder.path().join("parts");
    in_parts(&snapshot, &usual(), 1, 1, &parts);
    let path = ending(&parts, "features");
    let bytes = fs::read(&path).unwrap();
    for documents in [u64::MAX / 56, u64::MAX / 56 - 1, u64::MAX, 1 << 60, 3] {
        let longer = [&bytes[..16], &documents.to_le_bytes(), &bytes[24..]].concat();
        // Before the documents stand the key, two numbers, whether features have counts, and how many files were too large.
        let is_before = |end: &usize| from_bytes::<(u128, (u32, u32), bool, u64)>(&bytes[24..*end]).is_some();
        let before = &bytes[24..(24..bytes.len()).find(is_before).unwrap()];
        let head = [before, &to_bytes(&documents)].concat();
        for wrong in [longer, sealed(&bytes[..16], &head, head.len() as u64, &[])] {
            fs::write(&path, wrong).unwrap();
            let said = reduced(&snapshot, &usual(), &parts).unwrap_err();
            assert!(is_damaged(&said), "{said}");
        }
    }
}

/// The pairs of a part: two documents, and how similar they are.
type Pairs = Vec<(u32, u32, f32)>;

/// Pairs with the right checksum, but of a document with itself, twice, in another order, or of no similarity.
#[test]
fn pairs_that_no_task_writes_are_damaged() {
    let (folder, snapshot) = corpus(&[(0, 0), (0, 1), (0, 2)], &[], true);
    let parts = folder.path().join("parts");
    let whole = in_parts(&snapshot, &usual(), 1, 1, &parts);
    let path = ending(&parts, "pairs");
    let bytes = fs::read(&path).unwrap();
    let length = u64::from_le_bytes(*bytes[16..].first_chunk().unwrap()) as usize;
    let (key, blocks, _): (u64, (u32, u32), Pairs) = from_bytes(&bytes[24..][..length]).unwrap();
    let rewritten = |pairs: &[(u32, u32, f32)]| {
        let head = to_bytes(&(key, blocks, pairs));
        fs::write(&path, sealed(&bytes[..16], &head, head.len() as u64, &[])).unwrap();
        reduced(&snapshot, &usual(), &parts)
    };
    let wrong: [&[(u32, u32, f32)]; 7] = [
        &[(0, 0, 0.9)],
        &[(2, 1, 0.9)],
        &[(0, 1, 0.9), (0, 1, 0.9)],
        &[(0, 2, 0.9), (0, 1, 0.9)],
        &[(0, 1, f32::NAN)],
        &[(0, 1, 1.5)],
        &[(0, 1, 0.0)],
    ];
    for pairs in wrong {
        let said = rewritten(pairs).unwrap_err();
        assert!(is_damaged(&said), "{pairs:?}: {said}");
    }
    assert_ne!(rewritten(&[(0, 1, 0.9), (1, 2, 1.0)]).unwrap(), whole);
}

/// The options of each method.
const OPTIONS: [&[&str]; 8] = [
    &["--threshold", "0.3"],
    &["--bag", "--shingle", "2", "--linkage", "complete", "--keep", "central"],
    &["--method", "spotsigs", "--linkage", "single"],
    &["--method", "spotsigs", "--idf-min", "0.1", "--idf-max", "0.8", "--antecedents", "english"],
    &["--method", "simhash", "--distance", "8"],
    &["--method", "minhash", "--threshold", "0.3"],
    &["--method", "identical"],
    &["--method", "identical", "--bytes"],
];

/// How it is printed.
const PRINTED: [&[&str]; 4] = [&[], &["--json"], &["--pairs"], &["--pairs", "--format", "csv", "--top", "3"]];

/// A corpus with similar documents, and its index in `../index`.
pub(crate) fn home() -> Home {
    let home = Home::new();
    for (number, (topic, edits)) in
        [(0, 0), (0, 1), (2, 0), (0, 0), (2, 3), (1, 0), (1, 0), (0, 7)].into_iter().enumerate()
    {
        home.write(&format!("{number}/text.txt"), words(topic, edits));
    }
    home.write(
        "list.jsonl",
        format!("{{\"text\": \"{}\"}}\n{{\"text\": \"{}\"}}\n", words(0, 2), words(2, 0)),
    );
    home.stdout(&["index", "-q", "--jsonl", "text", "--index", "../index"]);
    home
}

#[test]
fn the_verbs_of_parts_give_what_near_prints() {
    let home = home();
    for options in OPTIONS {
        let has_clusters_only = ["--linkage", "--keep"];
        let mut compared = options.to_vec();
        while let Some(at) = compared.iter().position(|option| has_clusters_only.contains(option)) {
            compared.drain(at..at + 2);
        }
        let run = |verb: &str, more: &[&str]| {
            let fixed =
                ["segment", verb, "near", "--index", "../index", "--out", "../parts", "--blocks", "2"];
            home.stdout(&[&fixed[..], more, &compared].concat());
        };
        ["1", "0"].iter().for_each(|task| run("shatter", &["--task", task]));
        if options.contains(&"--idf-min") {
            run("tally", &[]);
            ["0", "1"].iter().for_each(|task| run("shatter", &["--tallied", "--task", task]));
        }
        if !options.contains(&"--method") || options.contains(&"spotsigs") {
            ["2", "0", "1"].iter().for_each(|task| run("query", &["--task", task]));
        }
        for printed in PRINTED {
            let asked = if printed.contains(&"--pairs") { &compared[..] } else { options };
            let ask =
                |more: &[&str]| home.run(&[&["near", "--index", "../index"], asked, printed, more].concat());
            let whole = ask(&["--no-update"]);
            assert_eq!(ask(&["--reduce", "../parts"]), whole, "{options:?} {printed:?}");
        }
    }
}

/// A task that outlives its job does not make the job's folder again.
#[test]
fn a_task_makes_no_folders_above_its_own() {
    let home = home();
    let fixed =
        ["segment", "shatter", "near", "--index", "../index", "--blocks", "1", "--task", "0", "--out"];
    home.refuses(&[&fixed[..], &["../gone/parts"]].concat(), "cannot create");
    assert!(!home.at("../gone").exists());
    home.stdout(&[&fixed[..], &["../parts"]].concat());
}
