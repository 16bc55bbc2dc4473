//! A search for similar documents that follows a corpus finds what a whole search of each generation finds.

use std::cell::Cell;
use std::fs;
use std::sync::Arc;

use dupi::blot::RecipeChoice;
use dupi::corpus::Formats;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Options, Silent, Updater, bring_up_to_date};
use dupi::near::clusters::Linkage;
use dupi::near::search::find;
use dupi::near::settings::{ClusterRule, Method, NearSettings, Shingling, SignatureRule};
use dupi::near::successive::StandingSearch;
use dupi::storage::Folder;
use dupi::token::TokenMode;
use proptest::prelude::*;

use crate::naive::open;

/// A change of the corpus.
#[derive(Clone, Debug)]
enum Change {
    /// File, topic, edits.
    Write(u32, u32, u32),
    Remove(u32),
    Move(u32, u32),
    /// A file of records with these topics and edits.
    Records(u32, Vec<(u32, u32)>),
    Merge,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        8 => (0..16_u32, 0..3_u32, 0..7_u32).prop_map(|(file, topic, edits)| Change::Write(file, topic, edits)),
        2 => (0..16_u32).prop_map(Change::Remove),
        1 => (0..16_u32, 0..16_u32).prop_map(|(from, to)| Change::Move(from, to)),
        2 => (0..3_u32, prop::collection::vec((0..4_u32, 0..5_u32), 0..4))
            .prop_map(|(file, topics)| Change::Records(file, topics)),
        1 => Just(Change::Merge),
    ]
}

/// A text of words, some of which depend on the edits; topic 3 is empty.
fn text(topic: u32, edits: u32) -> String {
    let word = |at: u32| {
        let is_edited = edits > 0 && (at * 7 + topic) % 40 < edits;
        format!("{}{} ", if is_edited { "edited" } else { "word" }, topic * 1000 + at * at % 97)
    };
    (0..[90, 12, 60, 0][topic as usize]).map(word).collect()
}

/// A corpus with an index.
struct World {
    folder: tempfile::TempDir,
    updater: Box<Updater>,
}

impl World {
    fn new(sketches: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let corpus = folder.path().join("corpus");
        fs::create_dir(&corpus).unwrap();
        for file in 0..6 {
            fs::write(corpus.join(format!("{file}.txt")), text(file % 3, file / 3)).unwrap();
        }
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..RecipeChoice::default() };
        let formats = Formats::of_jsonl("text");
        let home = Folder::new(folder.path().join("index"));
        let options = Options {
            recipe,
            formats: Some(formats),
            threads: 1,
            sketches: Some(sketches),
            ..Options::new(home)
        };
        Self { updater: open(&options, corpus).unwrap(), folder }
    }

    fn apply(&mut self, change: &Change) {
        let corpus = self.folder.path().join("corpus");
        let file = |number: &u32| corpus.join(format!("{number}.txt"));
        match change {
            Change::Write(number, topic, edits) => fs::write(file(number), text(*topic, *edits)).unwrap(),
            Change::Remove(number) => drop(fs::remove_file(file(number))),
            Change::Move(from, to) => drop(fs::rename(file(from), file(to))),
            Change::Records(number, topics) => {
                let record =
                    |(topic, edits): &(u32, u32)| format!("{{\"text\": \"{}\"}}\n", text(*topic, *edits));
                let all: String = topics.iter().map(record).collect();
                fs::write(corpus.join(format!("{number}.jsonl")), all).unwrap();
            }
            Change::Merge => self.updater.merge_all(&Silent).unwrap(),
        }
    }

    fn snapshot(&mut self) -> Snapshot {
        bring_up_to_date(&mut self.updater, &Silent).unwrap();
        self.updater.snapshot().clone()
    }
}

fn settings(method: Method, linkage: Linkage) -> NearSettings {
    let rule = ClusterRule { threshold: 0.5, linkage, ..ClusterRule::default() };
    NearSettings { method, rule, clusters: true, memory: 1 << 30 }
}

fn check(changes: &[(Change, bool)], settings: &NearSettings, sketches: bool) -> (u32, u32) {
    let mut world = World::new(sketches);
    let mut standing: Option<StandingSearch> = None;
    let (renewed, all) = (Cell::new(0), Cell::new(0));
    for (change, is_looked_at) in changes {
        world.apply(change);
        if !is_looked_at {
            continue;
        }
        let snapshot = world.snapshot();
        let whole = find(&snapshot, settings, &|_| Ok(())).unwrap();
        all.set(all.get() + 1);
        let next = standing.as_ref().and_then(|standing| standing.renewed(&snapshot, &|_| Ok(())).unwrap());
        standing = match next {
            Some(next) => {
                renewed.set(renewed.get() + 1);
                let found = next.found();
                assert_eq!(found.documents, whole.documents);
                assert_eq!(found.equal, whole.equal);
                assert_eq!(found.pairs, whole.pairs);
                assert_eq!(found.clusters, whole.clusters);
                Some(next)
            }
            None => StandingSearch::new(&snapshot, settings, Arc::new(whole), &|_| Ok(())).unwrap(),
        };
    }
    (renewed.get(), all.get())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 60, ..ProptestConfig::default() })]
    #[test]
    fn a_search_that_follows_changes_finds_what_a_whole_search_finds(
        changes in prop::collection::vec((change(), any::<bool>()), 10..40),
        is_signed: bool,
        sketches: bool,
        linkage in prop_oneof![Just(Linkage::Average), Just(Linkage::Complete), Just(Linkage::Single)],
    ) {
        let shingling = Shingling::default();
        let method = match is_signed {
            true => Method::MinHash(SignatureRule { shingling, verify: true }),
            false => Method::Jaccard(shingling),
        };
        let (renewed, all) = check(&changes, &settings(method, linkage), sketches);
        prop_assert!(renewed + 1 >= all, "{renewed} of {all}");
    }
}
