//! Passages that are kept in the index are those of a search, whatever happened to the index and to the file meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::identical::{texts, words};
use crate::naive::{indexed, open};
use crate::shown::Shown;
use dupi::corpus::Formats;
use dupi::index::home::is_kept_name;
use dupi::index::snapshot::{DocumentId, Snapshot};
use dupi::ingest::{Options, Silent, Updater, bring_up_to_date};
use dupi::judge::search::{Passages, SearchSettings};
use dupi::judge::{PassageOrder, kept};
use dupi::passage::Measure;
use dupi::session::{Listing, SearchState, Update};
use dupi::storage::Folder;
use dupi::taboo::{TabooEntry, TabooList, TabooSet, today};
use proptest::prelude::*;

pub fn settings(gap: u32) -> SearchSettings {
    SearchSettings { measure: Measure { gap, ..Measure::default() }, ..SearchSettings::default() }
}

pub fn find(snapshot: &Snapshot, settings: &SearchSettings) -> Passages {
    Passages::find(snapshot, settings, PassageOrder::default(), &|_| Ok(())).unwrap()
}

/// Everything that a result has, with the names of documents.
fn all_of(snapshot: &Snapshot, passages: &Passages) -> Vec<String> {
    let name =
        |id: DocumentId| (snapshot.path(snapshot.file_of(id)).to_owned(), snapshot.document(id).record);
    let Passages {
        sources, found, order, texts, copy_texts, trees, suppressed, omissions, is_settled, ..
    } = passages;
    let names = |documents: &[DocumentId]| documents.iter().map(|&id| name(id)).collect::<Vec<_>>();
    let sources = sources.iter().map(|source| format!("{source:?} {:?}", name(source.id)));
    let found = found.iter().enumerate().map(|(number, passage)| {
        let others = copy_texts.others(passage.id);
        let tree = trees.get(number as u32);
        let tree = tree.map(|tree| (names(&tree.documents), &tree.rows, names(&tree.others)));
        format!("{passage:?} {:?} {others:?} {tree:?}", texts.get(passage.id))
    });
    sources.chain(found).chain([format!("{order:?} {omissions:?} {suppressed:?} {is_settled}")]).collect()
}

pub fn kept_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| is_kept_name(path.file_name().unwrap().to_str().unwrap())).collect();
    files.sort();
    files
}

type Documents = BTreeMap<String, String>;

/// Files in folders, of which some are the same, one a file of records.
fn documents() -> impl Strategy<Value = Documents> {
    let chosen = prop::collection::btree_map("[a-b](/[c-d]){0,2}/[e-f]", (0_usize..5, 0..4_u8), 1..12);
    let records = prop::collection::vec(0_usize..5, 0..4);
    (texts(), chosen, records).prop_map(|(texts, chosen, records)| {
        let text = |(at, variant): (usize, u8)| {
            let text = &texts[at % texts.len()];
            match variant {
                0 | 1 => text.clone(),
                2 => format!("{text}{}", words(9, 5)),
                _ => text.replacen(' ', " other ", 1),
            }
        };
        let record = |at: usize| format!("{{\"id\":{at},\"text\":\"{}\"}}\n", texts[at % texts.len()]);
        let files = chosen.into_iter().map(|(name, of)| (format!("{name}.txt"), text(of)));
        let records = (!records.is_empty()).then(|| records.into_iter().map(record).collect());
        files.chain(records.map(|records| ("x.jsonl".to_owned(), records))).collect()
    })
}

/// What some words of a text hide.
pub fn taboo(text: &str, most: usize, snapshot: &Snapshot) -> TabooSet {
    let text = text.split_whitespace().skip(3).take(most).collect::<Vec<_>>().join(" ");
    let entry = TabooEntry { text, added: today(), reason: None, language: None };
    TabooSet::new(&TabooList::from_iter([entry]), &snapshot.manifest().recipe)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn kept_passages_are_those_that_were_found(documents in documents(), near: bool, across: bool) {
        let formats = Some(Formats::of_jsonl("text"));
        let (_folder, snapshot) = indexed(&documents, |usual| Options { formats, ..usual });
        let settings = SearchSettings { across, ..settings(if near { 8 } else { 0 }) };
        prop_assert!(kept::load(&snapshot, &settings).is_none());
        let found = find(&snapshot, &settings);
        kept::save(&snapshot, &settings, &found);
        let loaded = kept::load(&snapshot, &settings).unwrap();
        let recipe = &snapshot.manifest().recipe;
        for text in documents.values() {
          for most in [30, 500] {
            let taboo = taboo(text, most, &snapshot);
            prop_assert_eq!(loaded.hidden(25, &taboo, recipe), found.hidden(25, &taboo, recipe));
          }
        }
        prop_assert_eq!(all_of(&snapshot, &loaded), all_of(&snapshot, &found));
        let other = SearchSettings { across: !across, ..settings.clone() };
        prop_assert!(kept::load(&snapshot, &other).is_none(), "of other settings");
        let more = SearchSettings { memory: settings.memory * 2, ..settings };
        prop_assert!(kept::load(&snapshot, &more).is_some(), "more memory finds the same");
        let less = SearchSettings { memory: more.memory / 4, ..more };
        prop_assert!(kept::load(&snapshot, &less).is_none(), "less may not");
    }
}

/// A corpus with an index that is changed.
pub struct World {
    pub place: tempfile::TempDir,
    pub updater: Box<Updater>,
}

impl World {
    pub fn new() -> Self {
        let place = crate::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        for (name, seed) in [("a", 1), ("b", 2), ("c/d", 1), ("c/e", 2), ("f/d", 1), ("f/e", 2), ("g", 3)] {
            let path = place.path().join("corpus").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, words(seed, 60) + &words(4, usize::from(seed) * 9)).unwrap();
        }
        let options = Options { threads: 1, ..Options::new(Folder::new(place.path().join("index"))) };
        let updater = open(&options, place.path().join("corpus")).unwrap();
        let mut world = Self { place, updater };
        world.update();
        world
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.place.path().join("corpus").join(name)
    }

    pub fn update(&mut self) {
        bring_up_to_date(&mut self.updater, &Silent).unwrap();
    }

    pub fn snapshot(&self) -> &Snapshot {
        self.updater.snapshot()
    }

    pub fn index(&self) -> PathBuf {
        self.place.path().join("index")
    }

    /// Searches with some settings, and keeps that.
    pub fn keep(&self, settings: &SearchSettings) {
        kept::save(self.snapshot(), settings, &find(self.snapshot(), settings));
    }

    /// Whether passages are kept for the newest generation: those that a search finds.
    fn is_kept(&self, settings: &SearchSettings) -> bool {
        let loaded = kept::load(self.snapshot(), settings);
        let found = find(self.snapshot(), settings);
        loaded.is_some_and(|loaded| {
            assert_eq!(all_of(self.snapshot(), &loaded), all_of(self.snapshot(), &found));
            true
        })
    }
}

#[test]
fn they_outlive_whatever_leaves_the_texts_as_they_are() {
    let (mut world, settings) = (World::new(), settings(8));
    world.keep(&settings);
    assert!(world.is_kept(&settings));
    // Other numbers of segments and documents.
    for name in ["a", "c/e", "g"] {
        let text = fs::read(world.at(name)).unwrap();
        fs::remove_file(world.at(name)).unwrap();
        world.update();
        assert!(!world.is_kept(&settings), "without {name}");
        fs::write(world.at(name), text).unwrap();
        world.update();
        assert!(world.is_kept(&settings), "with {name} again");
    }
    world.updater.merge_all(&Silent).unwrap();
    assert!(world.is_kept(&settings));
    // Files that were only touched.
    let file = fs::File::options().write(true).open(world.at("b")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    world.update();
    assert!(world.is_kept(&settings));
    // Files that are no text.
    fs::write(world.at("binary"), [0, 1, 0, 2]).unwrap();
    world.update();
    assert!(world.is_kept(&settings));
    // Names count, and texts.
    fs::rename(world.at("g"), world.at("h")).unwrap();
    world.update();
    assert!(!world.is_kept(&settings));
    world.keep(&settings);
    assert!(world.is_kept(&settings));
    fs::write(world.at("h"), words(7, 60)).unwrap();
    world.update();
    assert!(!world.is_kept(&settings));
    assert_eq!(kept_files(&world.index()).len(), 1, "one for the settings");
}

#[test]
fn the_passages_of_documents_that_are_not_as_indexed_are_not_kept() {
    let (mut world, settings) = (World::new(), settings(8));
    fs::write(world.at("a"), words(7, 60)).unwrap();
    world.keep(&settings);
    assert_eq!(kept_files(&world.index()).len(), 0, "a file has changed");
    world.update();
    let before = world.snapshot().clone();
    let found = find(&before, &settings);
    fs::write(world.at("new"), words(2, 70)).unwrap();
    world.update();
    kept::save(&before, &settings, &found);
    assert_eq!(kept_files(&world.index()).len(), 0, "the index is newer");
    fs::remove_file(world.at("new")).unwrap();
    world.keep(&settings);
    assert_eq!(kept_files(&world.index()).len(), 0, "a file is gone");
    world.update();
    world.keep(&settings);
    assert!(world.is_kept(&settings));
}

#[test]
fn a_damaged_file_is_never_believed() {
    let (world, settings) = (World::new(), settings(8));
    world.keep(&settings);
    let file = kept_files(&world.index()).remove(0);
    let whole = fs::read(&file).unwrap();
    let snapshot = world.snapshot();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, &bytes).unwrap();
        assert!(kept::load(snapshot, &settings).is_none(), "byte {at}");
        if at % 7 == 0 {
            fs::write(&file, &whole[..at]).unwrap();
            assert!(kept::load(snapshot, &settings).is_none(), "{at} bytes");
        }
    }
    fs::write(&file, [&whole[..], &whole].concat()).unwrap();
    assert!(kept::load(snapshot, &settings).is_none());
    world.keep(&settings);
    assert_eq!(fs::read(&file).unwrap(), whole, "it is replaced");
    assert!(world.is_kept(&settings));
    // Nor is it when it is of an earlier generation.
    let mut world = world;
    fs::write(world.at("new"), words(2, 70)).unwrap();
    world.update();
    let latest = || kept::load_latest(world.snapshot(), &settings);
    assert!(latest().is_some_and(|latest| !latest.are_unchanged()));
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, &bytes).unwrap();
        assert!(latest().is_none(), "byte {at}");
    }
}

#[test]
fn what_is_no_file_of_ours_is_not_followed_and_is_replaced() {
    let (world, settings) = (World::new(), settings(8));
    world.keep(&settings);
    let file = kept_files(&world.index()).remove(0);
    let elsewhere = world.place.path().join("elsewhere");
    fs::rename(&file, &elsewhere).unwrap();
    let whole = fs::read(&elsewhere).unwrap();
    symlink(&elsewhere, &file).unwrap();
    assert!(kept::load(world.snapshot(), &settings).is_none());
    world.keep(&settings);
    assert!(file.symlink_metadata().unwrap().is_file() && world.is_kept(&settings));
    assert_eq!(fs::read(&elsewhere).unwrap(), whole);
    fs::remove_file(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert!(kept::load(world.snapshot(), &settings).is_none());
    world.keep(&settings);
    assert!(world.is_kept(&settings));
    fs::File::options().write(true).open(&file).unwrap().set_len(1 << 40).unwrap();
    assert!(kept::load(world.snapshot(), &settings).is_none(), "larger than any that is kept");
}

#[test]
fn the_last_four_settings_are_kept() {
    let world = World::new();
    let of = |least: u32| SearchSettings {
        measure: Measure { least, ..Measure::default() },
        ..SearchSettings::default()
    };
    for name in ["passages-1.kept", "passages-0123456789ABCDEF.kept", "passages-0123456789abcdef.kept.old"] {
        fs::write(world.index().join(name), "of others").unwrap();
    }
    // What was used is known to a second or better.
    let age = |seconds: u64| {
        for file in kept_files(&world.index()) {
            let before = file.metadata().unwrap().modified().unwrap();
            let file = fs::File::options().write(true).open(file).unwrap();
            file.set_modified(before - Duration::from_secs(seconds)).unwrap();
        }
    };
    for least in 20..24 {
        world.keep(&of(least));
        age(10);
    }
    assert!(kept::load(world.snapshot(), &of(20)).is_some());
    age(10);
    world.keep(&of(24));
    let is_kept = |least: u32| kept::load(world.snapshot(), &of(least)).is_some();
    assert_eq!([20, 21, 22, 23, 24].map(is_kept), [true, false, true, true, true]);
    assert_eq!(kept_files(&world.index()).len(), 4);
    assert_eq!(
        fs::read_dir(world.index())
            .unwrap()
            .filter(|entry| {
                entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("passages-")
            })
            .count(),
        7,
        "others' files stay"
    );
}

#[test]
fn a_session_shows_kept_passages_without_a_search() {
    let files = [("a.txt", words(1, 90)), ("b.txt", words(1, 90)), ("c.txt", words(2, 60) + &words(1, 40))];
    let mut shown = Shown::new(&files);
    let whole = |listing: &Listing| !listing.rows.is_empty();
    let first = shown.listing("passages", whole);
    let kept = |shown: &Shown| kept_files(&shown.beside("index"));
    // They are kept after they are shown.
    let deadline = Instant::now() + Duration::from_secs(20);
    while kept(&shown).is_empty() {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
    shown.open();
    let again = shown.wait("passages without a search", |update| match update {
        Update::Searching(SearchState::At(_)) => panic!("there is a search"),
        Update::Rows(listing) => (!listing.is_provisional && listing.complete).then_some(listing),
        _ => None,
    });
    assert_eq!(format!("{:?}", again.rows), format!("{:?}", first.rows));
    shown.write("d.txt", &words(1, 90));
    shown.open();
    shown.listing("the copy that is new", |listing| listing.rows.iter().any(|row| row.copies() == Some(3)));
}
