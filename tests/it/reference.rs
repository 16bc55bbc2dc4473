//! The index against a naive reference that keeps every window in a hash map: any corpus, any order of
//! arrival, any number of threads, built at once or file by file, with merges and tombstones in between.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::naive::{Documents, expected, held, ranked, text};
use dupi::blot::{Blotter, Recipe, RecipeChoice, Selection};
use dupi::index::IndexError;
use dupi::index::ranking::Ranking;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Options, Silent, Updater, bring_up_to_date};
use dupi::query::unblot::unblot;
use dupi::storage::Folder;
use dupi::token::TokenMode;
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// A corpus on disk and its index.
pub(crate) struct World {
    folder: tempfile::TempDir,
    recipe: Recipe,
    threads: usize,
}

impl World {
    pub(crate) fn new(recipe: Recipe, threads: usize) -> Self {
        let folder = crate::tempdir().unwrap();
        fs::create_dir(folder.path().join("corpus")).unwrap();
        Self { folder, recipe, threads }
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("corpus").join(name)
    }

    pub(crate) fn write(&self, name: &str, words: &[u8]) {
        fs::write(self.at(name), text(words)).unwrap();
    }

    fn open(&self) -> Box<Updater> {
        let recipe = RecipeChoice::from(self.recipe);
        let home = Folder::new(self.folder.path().join("index"));
        let options = Options { recipe, memory: 1 << 20, threads: self.threads, ..Options::new(home) };
        crate::naive::open(&options, self.at("")).unwrap()
    }

    pub(crate) fn update(&self) -> Snapshot {
        let mut updater = self.open();
        bring_up_to_date(&mut updater, &Silent).unwrap();
        updater.snapshot().clone()
    }

    fn update_paths(&self, names: &[&str]) -> Snapshot {
        let mut updater = self.open();
        let base = self.at("").canonicalize().unwrap();
        let paths: Vec<PathBuf> = names.iter().map(|name| base.join(name)).collect();
        updater.update_paths(&paths, &Silent).unwrap();
        updater.merge_all(&Silent).unwrap();
        updater.snapshot().clone()
    }
}

/// Every place in the documents where a window's tokens stand: (document, first word).
fn windows(documents: &Documents, width: usize) -> HashMap<Vec<u8>, Vec<(String, usize)>> {
    let mut windows: HashMap<Vec<u8>, Vec<(String, usize)>> = HashMap::new();
    for (name, words) in documents {
        for (first, window) in words.windows(width).enumerate() {
            windows.entry(window.to_vec()).or_default().push((name.clone(), first));
        }
    }
    windows
}

/// Unblotting gives each place of the documents that keep the blot, and nothing that is not there.
fn check_unblot(snapshot: &Snapshot, documents: &Documents, recipe: &Recipe) {
    let windows = windows(documents, recipe.k as usize);
    for (blot, names) in expected(documents, recipe).into_iter().take(20) {
        for snippet in unblot(snapshot, blot).unwrap() {
            let words: Vec<u8> =
                snippet.text.split_whitespace().map(|word| word[1..].parse().unwrap()).collect();
            let places = windows[&words].iter().filter(|(name, _)| names.contains(name));
            let expected: BTreeSet<(String, usize)> =
                places.map(|(name, first)| (name.clone(), text(&documents[name][..*first]).len())).collect();
            let found: BTreeSet<(String, usize)> = snippet
                .occurrences
                .iter()
                .map(|at| (at.path.display().to_string(), at.span.start as usize))
                .collect();
            assert_eq!(found, expected);
        }
    }
}

/// Every run of `guarantee` equal words in two documents shares a blot.
fn check_guarantee(snapshot: &Snapshot, documents: &Documents, recipe: &Recipe) {
    let ranked = ranked(snapshot);
    for places in windows(documents, recipe.guarantee() as usize).values() {
        let names: BTreeSet<&String> = places.iter().map(|(name, _)| name).collect();
        for pair in names.iter().collect::<Vec<_>>().windows(2) {
            let shared =
                ranked.values().any(|documents| documents.contains(*pair[0]) && documents.contains(*pair[1]));
            assert!(shared, "{pair:?}");
        }
    }
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let blotters = prop_oneof![Just(Blotter::Ordered), Just(Blotter::Circular)];
    let selections = prop_oneof![Just(Selection::Every), (2_u32..6).prop_map(Selection::Winnow)];
    (1_u32..5, blotters, selections).prop_map(|(k, blotter, selection)| Recipe {
        tokens: TokenMode::Words,
        k,
        blotter,
        selection,
        ..Recipe::default()
    })
}

fn documents() -> impl Strategy<Value = Documents> {
    let words = proptest::collection::vec(0_u8..5, 0..40);
    proptest::collection::btree_map("[a-f]", words, 0..6)
}

/// What may happen to a folder.
#[derive(Clone, Debug)]
enum Step {
    Write(String, Vec<u8>),
    Remove(String),
    Rename(String, String),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = || "[a-f]";
    let step = prop_oneof![
        3 => (name(), proptest::collection::vec(0_u8..5, 1..40)).prop_map(|(name, words)| Step::Write(name, words)),
        1 => name().prop_map(Step::Remove),
        1 => (name(), name()).prop_map(|(from, to)| Step::Rename(from, to)),
    ];
    proptest::collection::vec(step, 1..14)
}

fn take(world: &World, documents: &mut Documents, step: &Step) -> Vec<String> {
    match step {
        Step::Write(name, words) => {
            world.write(name, words);
            documents.insert(name.clone(), words.clone());
            vec![name.clone()]
        }
        Step::Remove(name) => {
            if documents.remove(name).is_some() {
                fs::remove_file(world.at(name)).unwrap();
            }
            vec![name.clone()]
        }
        Step::Rename(from, to) => {
            if let Some(words) = documents.remove(from) {
                fs::rename(world.at(from), world.at(to)).unwrap();
                documents.insert(to.clone(), words);
            }
            vec![from.clone(), to.clone()]
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_index_has_what_the_reference_has(recipe in recipes(), documents in documents(), threads in 1_usize..4) {
        let world = World::new(recipe, threads);
        for (name, words) in &documents {
            world.write(name, words);
        }
        let snapshot = world.update();
        let documents = held(&documents);
        prop_assert_eq!(ranked(&snapshot), expected(&documents, &recipe));
        check_unblot(&snapshot, &documents, &recipe);
        check_guarantee(&snapshot, &documents, &recipe);
    }

    #[test]
    fn a_folder_that_changes_is_followed(recipe in recipes(), steps in steps()) {
        let world = World::new(recipe, 2);
        let mut documents = Documents::new();
        let mut known: Option<(Snapshot, Ranking)> = None;
        for (number, step) in steps.iter().enumerate() {
            let touched = take(&world, &mut documents, step);
            let touched: Vec<&str> = touched.iter().map(String::as_str).collect();
            let snapshot = if number % 3 == 0 { world.update() } else { world.update_paths(&touched) };
            prop_assert_eq!(ranked(&snapshot), expected(&held(&documents), &recipe), "after step {}", number);
            let scanned = Ranking::scan(&snapshot, usize::MAX).unwrap();
            for limit in [0, 1, 3] {
                let first = Ranking::scan(&snapshot, limit).unwrap();
                prop_assert_eq!(&first.entries[..], &scanned.entries[..limit.min(scanned.entries.len())]);
                prop_assert_eq!((first.repeated, first.stats), (scanned.repeated, scanned.stats));
            }
            let all = expected(&held(&documents), &recipe).into_keys();
            let looked_up = Ranking::of_blots(&snapshot, all, &|| false).unwrap();
            prop_assert_eq!(&looked_up.entries, &scanned.entries, "looked up after step {}", number);
            if scanned.stats.blots > 0 {
                let stopped = Ranking::scan_unless(&snapshot, 3, &|| true);
                prop_assert!(matches!(stopped, Err(IndexError::Stopped)));
            }
            if let Some((of, known)) = &known {
                let amended = known.amended(of, &snapshot, 0, &|| false).unwrap().unwrap();
                prop_assert_eq!(&amended, &scanned, "amended after step {}", number);
                if let Some(soon) = known.amended_by_what_came(of, &snapshot, 0, &|| false).unwrap() {
                    let entry = |ranking: &Ranking, blot| ranking.entries.iter().copied().find(|entry| entry.blot() == blot);
                    for name in touched.iter().filter(|name| held(&documents).contains_key(**name)) {
                        for blot in expected(&Documents::from([(name.to_string(), documents[*name].clone())]), &recipe).into_keys() {
                            prop_assert_eq!(entry(&soon, blot), entry(&scanned, blot), "soon after step {}", number);
                        }
                    }
                }
                let mut head = known.clone();
                head.entries.truncate(known.entries.len() / 2);
                let amended = head.amended(of, &snapshot, 0, &|| false).unwrap().unwrap();
                let is_prefix = scanned.entries.starts_with(&amended.entries);
                prop_assert!(is_prefix, "the head after step {}", number);
                prop_assert_eq!((amended.repeated, amended.stats), (scanned.repeated, scanned.stats));
            }
            known = Some((snapshot, scanned));
        }
        let at_once = World::new(recipe, 1);
        for (name, words) in &documents {
            at_once.write(name, words);
        }
        let (grown, fresh) = (world.update(), at_once.update());
        let entries = |snapshot| Ranking::scan(snapshot, usize::MAX).unwrap().entries;
        prop_assert_eq!(entries(&grown), entries(&fresh), "the order does not depend on how the index came about");
        check_unblot(&grown, &held(&documents), &recipe);
    }
}

/// The postings of segments that are not among those named.
fn postings_beside(snapshot: &Snapshot, known: &BTreeSet<String>) -> u64 {
    let segments = snapshot.segments().iter().filter(|live| !known.contains(&live.name().name));
    segments.map(|live| live.counts().postings).sum()
}

fn names(snapshot: &Snapshot) -> BTreeSet<String> {
    snapshot.segments().iter().map(|live| live.name().name.clone()).collect()
}

#[test]
fn a_thousand_commits_leave_few_segments_and_little_merging() {
    let world = World::new(Recipe { tokens: TokenMode::Words, ..Recipe::default() }, 1);
    let mut updater = world.open();
    let base = world.at("").canonicalize().unwrap();
    let mut documents = Documents::new();
    let (mut most, mut merged) = (0, 0);
    for number in 0..1000_u32 {
        let name = format!("{number}");
        let words: Vec<u8> = (0..60).map(|at| ((number * 7 + at * at * (number % 5)) % 211) as u8).collect();
        world.write(&name, &words);
        documents.insert(name.clone(), words);
        updater.update_paths(&[base.join(&name)], &Silent).unwrap();
        let before = names(updater.snapshot());
        updater.merge_all(&Silent).unwrap();
        merged += postings_beside(updater.snapshot(), &before);
        most = most.max(updater.snapshot().segments().len());
    }
    let postings = postings_beside(updater.snapshot(), &BTreeSet::new());
    // Eight of a size become one: seven may wait in each of the sizes that there are, log₈ 1000 of them.
    assert!(most <= 7 * 4, "{most} segments");
    assert!(merged <= 6 * postings, "{merged} postings were merged for {postings}");
    assert_eq!(ranked(updater.snapshot()), expected(&documents, &world.recipe));
}

#[test]
fn a_renamed_file_is_not_read_again_and_an_unchanged_one_neither() {
    let world = World::new(Recipe { tokens: TokenMode::Words, ..Recipe::default() }, 1);
    world.write("a.txt", &[1, 2, 3, 4, 5, 6, 7, 8]);
    world.write("b.txt", &[1, 2, 3, 4, 5, 6, 7, 8]);
    age(&world.at("a.txt"));
    age(&world.at("b.txt"));
    let before = world.update();
    fs::rename(world.at("b.txt"), world.at("c.txt")).unwrap();
    let after = world.update();
    assert_eq!(names(&before), names(&after));
    assert!(ranked(&after).values().all(|names| names.contains("c.txt") && !names.contains("b.txt")));
    assert_eq!(world.update().manifest().generation, after.manifest().generation);
}

/// Makes a file look as if it was written some time ago.
fn age(path: &Path) {
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
}

#[test]
fn a_long_document_is_unblotted_in_parts_and_counted_once() {
    let world = World::new(Recipe { tokens: TokenMode::Words, ..Recipe::default() }, 1);
    let passage = "here begins the passage that stands in the long document three times in all";
    let filler = |from: u32| (from..from + 200_000).map(|number| format!("n{number} ")).collect::<String>();
    let long = format!("{passage} {}{passage} {}{passage}", filler(0), filler(200_000));
    assert!(long.len() > 2 << 20);
    fs::write(world.at("long"), &long).unwrap();
    fs::write(world.at("short"), passage).unwrap();
    let snapshot = world.update();
    let ranking = Ranking::scan(&snapshot, usize::MAX).unwrap();
    let first = &ranking.entries[0];
    assert_eq!((first.documents(), first.is_marked()), (2, true));
    let snippets = unblot(&snapshot, first.blot()).unwrap();
    let starts: Vec<u64> = snippets[0].occurrences.iter().map(|at| at.span.start).collect();
    let text = &snippets[0].text;
    let mut expected: Vec<u64> = long.match_indices(text.as_str()).map(|(at, _)| at as u64).collect();
    expected.push(passage.find(text.as_str()).unwrap() as u64);
    assert_eq!(starts, expected);
}

#[test]
fn a_file_that_changed_since_it_was_indexed_is_not_misquoted() {
    let world = World::new(Recipe { tokens: TokenMode::Words, ..Recipe::default() }, 1);
    for name in ["a", "b", "c"] {
        world.write(name, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    let snapshot = world.update();
    let blot = Ranking::scan(&snapshot, 1).unwrap().entries[0].blot();
    fs::write(world.at("a"), "something else, then w1 w2 w3 w4 w5 w6 w7 w8 w9").unwrap();
    fs::remove_file(world.at("b")).unwrap();
    let found = unblot(&snapshot, blot).unwrap();
    let places: Vec<String> = found[0].occurrences.iter().map(|at| at.path.display().to_string()).collect();
    assert_eq!(places, ["a", "c"]);
    let at = &found[0].occurrences[0];
    let bytes = fs::read_to_string(world.at("a")).unwrap();
    assert_eq!(&bytes[at.span.start as usize..at.span.end as usize], found[0].text.trim());
}

#[test]
fn a_ranking_that_cannot_be_read_is_written_anew_though_nothing_changed() {
    let world = World::new(Recipe::default(), 1);
    let words: Vec<u8> = (0..100).collect();
    world.write("a", &words);
    world.write("b", &words);
    let before = world.update();
    let home = before.folder();
    let kept = Ranking::read(home, &before).unwrap();
    let mut manifest = before.manifest().clone();
    let named = manifest.ranking.as_mut().unwrap();
    // As an older version wrote it.
    let mut bytes = home.read(&named.name).unwrap().unwrap();
    bytes[..8].copy_from_slice(b"dupi rnk");
    home.replace(&named.name, &bytes).unwrap();
    named.checksum = xxh3_64(&bytes);
    manifest.commit(home).unwrap();
    let after = world.update();
    assert_eq!(after.manifest().content, before.manifest().content);
    assert_eq!(Ranking::read(home, &Snapshot::open(home).unwrap()), Some(kept));
    let again = world.update();
    assert_eq!(again.manifest().ranking, after.manifest().ranking, "a good one stays as it is");
}
