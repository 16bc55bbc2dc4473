//! Passages that are amended by a change are those of a search of all documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::naive;
use dupi::blot::{Profile, RecipeChoice};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Options, Silent, Updater, bring_up_to_date};
use dupi::judge::PassageOrder;
use dupi::judge::amend::{DocumentChanges, amend_by_index};
use dupi::judge::kept::{self, LatestPassages};
use dupi::judge::search::{Passages, SearchSettings};
use dupi::judge::suppressed::SuppressedCopy;
use dupi::passage::Measure;
use dupi::storage::Folder;
use dupi::token::TokenMode;
use proptest::prelude::*;

/// A piece of a common text, with words of its own behind it: the text, the first word, how many, how many own ones, and
/// whether a mark suppresses it.
type Piece = (u16, usize, usize, u16, bool);

/// What is done to a document: it gets these pieces, or is removed.
type Change = (usize, Option<Vec<Piece>>);

const DOCUMENTS: usize = 14;

/// A document of which some pieces are marked: one in so many documents has marks.
fn document_with(marks: f64) -> impl Strategy<Value = Vec<Piece>> {
    let piece = move |has_marks: bool| {
        let marked = prop::bool::weighted(if has_marks { 0.6 } else { 0.0 });
        (0..4_u16, 0..40_usize, 10..70_usize, 0..30_u16, marked)
    };
    prop::bool::weighted(marks).prop_flat_map(move |has_marks| prop::collection::vec(piece(has_marks), 1..4))
}

fn document() -> impl Strategy<Value = Vec<Piece>> {
    document_with(0.0)
}

fn change_with(marks: f64) -> impl Strategy<Value = Change> {
    (0..DOCUMENTS, prop::option::weighted(0.7, document_with(marks)))
}

fn change() -> impl Strategy<Value = Change> {
    change_with(0.0)
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec(change(), 1..5)
}

/// A corpus with an index that follows its changes.
struct Followed {
    folder: tempfile::TempDir,
    updater: Box<Updater>,
    own: u32,
}

impl Followed {
    fn new(documents: &[Vec<Piece>]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("corpus")).unwrap();
        let mut own = 10_000;
        for (number, pieces) in documents.iter().enumerate() {
            write(folder.path(), number, Some(pieces), &mut own);
        }
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..Profile::Default.choice() };
        let index = Folder::new(folder.path().join("index"));
        let options = Options { recipe, threads: 1, ..Options::new(index) };
        let mut updater = naive::open(&options, folder.path().join("corpus")).unwrap();
        bring_up_to_date(&mut updater, &Silent).unwrap();
        Self { folder, updater, own }
    }

    fn change(&mut self, (number, pieces): &Change) -> Snapshot {
        write(self.folder.path(), *number, pieces.as_deref(), &mut self.own);
        bring_up_to_date(&mut self.updater, &Silent).unwrap();
        self.updater.snapshot().clone()
    }
}

fn write(folder: &Path, number: usize, pieces: Option<&[Piece]>, own: &mut u32) {
    let path = folder.join("corpus").join(format!("{number:02}.md"));
    let Some(pieces) = pieces else {
        let _ = fs::remove_file(path);
        return;
    };
    let mut text = String::new();
    for &(of, from, len, between, is_marked) in pieces {
        let words = (from..from + len).map(|at| format!("w{} ", usize::from(of) * 200 + at));
        let words: String = words.collect();
        match is_marked {
            true => text += &format!("\n<!-- dupi:ignore-start -->\n{words}\n<!-- dupi:ignore-end -->\n"),
            false => text += &words,
        }
        text.extend((*own..*own + u32::from(between)).map(|at| format!("w{at} ")));
        *own += u32::from(between);
    }
    fs::write(path, text).unwrap();
}

/// The copies of each row: paths, first tokens and numbers of tokens.
fn rows(snapshot: &Snapshot, passages: &Passages) -> BTreeSet<Vec<(String, u32, u32)>> {
    let path = |source: u32| {
        let id = passages.sources[source as usize].id;
        snapshot.path(snapshot.file_of(id)).to_str().unwrap().to_owned()
    };
    let copies = |copies: &[dupi::judge::passages::PassageCopy]| {
        copies.iter().map(|copy| (path(copy.source), copy.first, copy.tokens)).collect()
    };
    passages.found.iter().map(|passage| copies(&passage.copies)).collect()
}

/// The passages with suppressed copies: whether none is listed, and the copies, with the line of their mark.
type Suppressed = BTreeSet<(bool, Vec<(String, u32, u32, Option<u32>)>)>;

fn suppressed(snapshot: &Snapshot, passages: &Passages) -> Suppressed {
    let marks = &passages.suppressed.marks;
    assert!(marks.is_sorted_by_key(|mark| (mark.source, mark.line)), "marks are sorted");
    let copy = |copy: &SuppressedCopy| {
        let id = passages.sources[copy.source as usize].id;
        let path = snapshot.path(snapshot.file_of(id)).to_str().unwrap().to_owned();
        let mark = copy.mark.map(|_| &marks[passages.suppressed.mark_of(copy).unwrap()]);
        assert!(mark.is_none_or(|mark| mark.source == copy.source));
        (path, copy.start, copy.end, mark.map(|mark| mark.line))
    };
    let passages = &passages.suppressed.passages;
    assert!(passages.is_sorted_by_key(|passage| passage.id));
    passages.iter().map(|of| (of.is_gone, of.copies.iter().map(copy).collect())).collect()
}

/// What holds of the passages of any search.
fn check_sound(passages: &Passages) {
    let ids: BTreeMap<_, _> = passages.found.iter().map(|passage| (passage.id, passage)).collect();
    assert_eq!(ids.len(), passages.found.len(), "ids are unique");
    let mut members = BTreeMap::new();
    for passage in &passages.found {
        let places: Vec<_> = passage.copies.iter().map(|copy| (copy.source, copy.start)).collect();
        assert!(places.is_sorted(), "copies are sorted");
        assert!((passage.representative as usize) < passage.copies.len());
        assert_eq!(ids[&passage.family].family, passage.family, "the head of a family is its own head");
        assert!(passage.parent.is_none_or(|parent| ids.contains_key(&parent)));
        assert_eq!(passages.texts.get(passage.id).len(), passage.tokens() as usize);
        *members.entry(passage.family).or_insert(0) += 1;
    }
    for (family, count) in members {
        assert_eq!(ids[&family].members + 1, count);
    }
}

fn settings(least: u32, gap: u32) -> SearchSettings {
    SearchSettings { measure: Measure { least, gap, ..Measure::default() }, ..SearchSettings::default() }
}

fn search(snapshot: &Snapshot, settings: &SearchSettings) -> Passages {
    Passages::find(snapshot, settings, PassageOrder::default(), &|_| Ok(())).unwrap()
}

fn amended(
    before: &Snapshot,
    known: &Passages,
    now: &Snapshot,
    settings: &SearchSettings,
) -> Option<Passages> {
    amend_by_index(known, &DocumentChanges::between(before, now), settings, &|_| Ok(())).unwrap()
}

/// Makes the changes one by one and amends the passages; hands on the snapshot and the amended passages of each change
/// that did not ask for a new search.
fn follow(
    documents: &[Vec<Piece>],
    changes: &[Change],
    settings: &SearchSettings,
    mut check: impl FnMut(&Snapshot, &Passages) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut corpus = Followed::new(documents);
    let mut before = corpus.updater.snapshot().clone();
    let mut known = search(&before, settings);
    for change in changes {
        let now = corpus.change(change);
        let Some(after) = amended(&before, &known, &now, settings) else { continue };
        check_sound(&after);
        check(&now, &after)?;
        (before, known) = (now, after);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn exact_passages_are_those_of_a_whole_search(
        documents in prop::collection::vec(document(), DOCUMENTS),
        changes in changes(),
        least in 12..30_u32,
    ) {
        let settings = settings(least, 0);
        follow(&documents, &changes, &settings, |now, after| {
            prop_assert_eq!(rows(now, after), rows(now, &search(now, &settings)), "{:?} {:?}", documents, changes);
            Ok(())
        })?;
    }

    #[test]
    fn what_marks_suppress_is_that_of_a_whole_search(
        documents in prop::collection::vec(document_with(0.3), DOCUMENTS),
        changes in prop::collection::vec(change_with(0.3), 1..5),
        least in 12..30_u32,
    ) {
        let settings = settings(least, 0);
        follow(&documents, &changes, &settings, |now, after| {
            let whole = search(now, &settings);
            prop_assert_eq!(rows(now, after), rows(now, &whole), "{:?} {:?}", documents, changes);
            prop_assert_eq!(suppressed(now, after), suppressed(now, &whole), "{:?} {:?}", documents, changes);
            Ok(())
        })?;
    }

    #[test]
    fn approximate_passages_are_sound(
        documents in prop::collection::vec(document(), DOCUMENTS),
        changes in changes(),
    ) {
        follow(&documents, &changes, &settings(20, 8), |_, _| Ok(()))?;
    }

    #[test]
    fn kept_passages_of_an_earlier_generation_are_amended_in_another_process(
        documents in prop::collection::vec(document_with(0.2), DOCUMENTS),
        changes in prop::collection::vec((prop::collection::vec(change_with(0.2), 1..3), 0..4_u8), 1..4),
        gap in prop::sample::select(vec![0, 8]),
    ) {
        let settings = settings(if gap > 0 { 20 } else { 15 }, gap);
        let mut corpus = Followed::new(&documents);
        let first = corpus.updater.snapshot().clone();
        kept::save(&first, &settings, &search(&first, &settings));
        for (some, then) in &changes {
            for change in some {
                corpus.change(change);
            }
            if *then == 0 {
                corpus.updater.merge_all(&Silent).unwrap();
            }
            // As another process sees it.
            let now = Snapshot::open(corpus.updater.snapshot().folder()).unwrap();
            let latest = kept::load_latest(&now, &settings).expect("kept");
            let amended = match latest.are_unchanged() {
                true => latest.unchanged().unwrap(),
                false => {
                    prop_assert!(kept::load(&now, &settings).is_none(), "of an earlier generation");
                    let changes = DocumentChanges::since_kept(&latest.files, &now);
                    match amend_by_index(&latest.passages, &changes, &settings, &|_| Ok(())).unwrap() {
                        Some(amended) => amended,
                        None => {
                            kept::save(&now, &settings, &search(&now, &settings));
                            continue;
                        }
                    }
                }
            };
            check_sound(&amended);
            let whole = search(&now, &settings);
            if gap == 0 {
                prop_assert_eq!(rows(&now, &amended), rows(&now, &whole), "{:?} {:?}", documents, changes);
                prop_assert_eq!(suppressed(&now, &amended), suppressed(&now, &whole));
            }
            kept::save(&now, &settings, &amended);
            let again = kept::load_latest(&now, &settings).and_then(LatestPassages::unchanged).unwrap();
            prop_assert_eq!(format!("{:?}", again.found), format!("{:?}", amended.found));
            prop_assert_eq!(again.is_settled, amended.is_settled);
            prop_assert_eq!(&again.suppressed, &amended.suppressed);
            // What a verb prints is what a search of all documents finds.
            let printed = kept::load_or_find(&now, &settings, &|_| Ok(())).unwrap();
            prop_assert!(printed.is_settled);
            prop_assert_eq!(format!("{:?}", printed.found), format!("{:?}", whole.found));
            if *then == 1 {
                kept::save(&now, &settings, &amended);
            }
        }
    }
}

#[test]
fn marks_do_not_switch_amending_off() {
    for gap in [0, 8] {
        let settings = settings(20, gap);
        let piece = |of, own, is_marked| vec![(of, 0, 60, own, is_marked)];
        let documents: Vec<Vec<Piece>> =
            (0..DOCUMENTS as u16).map(|of| piece(of / 3, 20, of % 3 == 1)).collect();
        let mut corpus = Followed::new(&documents);
        let mut before = corpus.updater.snapshot().clone();
        let mut known = search(&before, &settings);
        assert!(!known.suppressed.is_empty());
        for change in [(0, None), (0, Some(piece(1, 10, false))), (1, Some(piece(0, 10, true))), (1, None)] {
            let now = corpus.change(&change);
            let after = amended(&before, &known, &now, &settings);
            let after = after.unwrap_or_else(|| panic!("not amended: gap {gap}, {change:?}"));
            assert_eq!(rows(&now, &after), rows(&now, &search(&now, &settings)), "gap {gap}, {change:?}");
            (before, known) = (now, after);
        }
    }
}
