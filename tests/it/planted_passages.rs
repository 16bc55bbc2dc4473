//! Near passages in corpora of which it is known what was planted: how much of it is found, and told as what
//! it is. The table of the page of figures is made by [`table`].

pub(crate) mod table;

use std::collections::HashMap;

use crate::naive::{common_words, indexed};
use crate::planted::{Label, Language, Noise, Piece, Place, Plan, Planted};
use crate::scored::{Score, Scorer};
use dupi::blot::Profile;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::passages::{Passage, PassageCopy};
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;

/// What the search reaches at the least in copies of a kind.
#[derive(Clone, Copy, Debug)]
struct Case {
    profile: Profile,
    noise: Noise,
    copies: (usize, usize),
    least: Score,
}

const MIXED: (usize, usize) = (2, 60);
const TWO: (usize, usize) = (2, 2);
const MANY: (usize, usize) = (5, 12);

impl Case {
    const fn new(noise: Noise, copies: (usize, usize), least: Score) -> Self {
        Self { profile: Profile::Default, noise, copies, least }
    }

    const fn ocr(self) -> Self {
        Self { profile: Profile::Ocr, ..self }
    }

    fn plan(&self, seed: u64, documents: usize, groups: usize) -> Plan {
        Plan { seed, documents, groups, copies: self.copies, noise: self.noise }
    }
}

const LIGHT: Case = Case::new(Noise::Edit(0.03), MIXED, Score { found: 0.995, ..Score::ANY });
const USUAL: Case = Case::new(
    Noise::Edit(0.08),
    MIXED,
    Score { found: 0.97, grouped: 0.95, inside: 0.97, ends: 2.0, ..Score::ANY },
);
const HEAVY: Case = Case::new(Noise::Edit(0.15), MIXED, Score { found: 0.88, ..Score::ANY });
/// Copies of which as much is found, all of it planted.
const fn covered(noise: f64, copies: (usize, usize), covered: f64) -> Case {
    Case::new(Noise::Edit(noise), copies, Score { covered, inside: 0.99, ..Score::ANY })
}

const TWO_HEAVY: Case = covered(0.15, TWO, 0.90);
const MANY_HEAVY: Case = covered(0.15, MANY, 0.97);
const TWO_WORN: Case = covered(0.20, TWO, 0.70);
const MANY_WORN: Case = covered(0.20, MANY, 0.90);
const TWO_HEAVY_OCR: Case = covered(0.15, TWO, 0.93).ocr();
const MANY_HEAVY_OCR: Case = covered(0.15, MANY, 0.98).ocr();
const TWO_WORN_OCR: Case = covered(0.20, TWO, 0.85).ocr();
const MISREAD: Case = Case::new(Noise::Ocr(0.08), MIXED, Score { found: 0.97, ..Score::ANY });

/// How many tokens the ends of a single copy may be off: as many as a gap has.
const SLACK: usize = 8;

/// A planted corpus with its index.
pub(crate) struct World<'a> {
    _folder: tempfile::TempDir,
    snapshot: Snapshot,
    planted: &'a Planted,
}

impl<'a> World<'a> {
    pub(crate) fn new(planted: &'a Planted) -> Self {
        Self::with(planted, Profile::Default)
    }

    pub(crate) fn with(planted: &'a Planted, profile: Profile) -> Self {
        let options = |usual| Options { recipe: profile.choice(), ..usual };
        let (folder, snapshot) = indexed(planted.documents.iter().map(|(name, text)| (name, text)), options);
        Self { snapshot, planted, _folder: folder }
    }

    /// The usual criteria of its profile.
    fn usual(&self) -> Measure {
        Measure::usual(&self.snapshot.manifest().recipe)
    }

    fn find(&self, measure: Measure) -> Passages {
        let settings = SearchSettings { measure, ..SearchSettings::default() };
        Passages::find(&self.snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap()
    }

    /// The passages, each as the places of its copies.
    pub(crate) fn places(&self) -> Vec<Vec<Place>> {
        self.places_by(self.usual())
    }

    fn places_by(&self, measure: Measure) -> Vec<Vec<Place>> {
        let Passages { sources, found, .. } = self.find(measure);
        let names = self.planted.documents.iter().map(|(name, _)| name.as_str());
        let numbers: HashMap<&str, usize> = names.zip(0..).collect();
        let path = |source: u32| {
            let file = self.snapshot.file_of(sources[source as usize].id);
            self.snapshot.path(file).to_str().unwrap().to_owned()
        };
        let documents: Vec<usize> = (0..sources.len() as u32).map(|source| numbers[&*path(source)]).collect();
        let places = |passage: &Passage| {
            let place = |spot: &PassageCopy| Place {
                document: documents[spot.source as usize],
                bytes: spot.start as usize..spot.end as usize,
            };
            passage.copies.iter().map(place).collect()
        };
        found.iter().map(places).collect()
    }
}

/// Searches a planted corpus: how many passages there are, and how good they are.
fn search(case: &Case, plan: &Plan) -> (usize, Score) {
    let planted = plan.grow();
    let passages = World::with(&planted, case.profile).places();
    (passages.len(), Scorer::new(&planted).score(&passages))
}

/// Searches small corpora with some noise.
fn check(case: Case) {
    let scores = [1, 2].map(|seed| search(&case, &case.plan(seed, 400, 60)));
    println!("{case:?}: {scores:?}");
    assert!(scores.iter().all(|(_, score)| score.reaches(&case.least)), "{case:?}: {scores:?}");
}

#[test]
fn copies_that_are_edited_lightly_are_found() {
    check(LIGHT);
}

#[test]
fn edited_copies_are_found_grouped_and_told_from_end_to_end() {
    check(USUAL);
}

#[test]
fn copies_that_are_edited_heavily_are_found() {
    check(HEAVY);
}

#[test]
fn misread_copies_are_found() {
    check(MISREAD);
}

#[test]
fn of_two_copies_that_are_edited_heavily_most_is_found() {
    [TWO_HEAVY, TWO_WORN, TWO_HEAVY_OCR, TWO_WORN_OCR].into_iter().for_each(check);
}

#[test]
fn of_several_copies_that_are_edited_heavily_nearly_all_is_found() {
    [MANY_HEAVY, MANY_HEAVY_OCR].into_iter().for_each(check);
}

/// A piece of some passage, unchanged.
fn copy_of(group: usize, passage: &[String]) -> Piece {
    Piece { group: Some(group), words: passage.to_owned() }
}

/// Searches a corpus whose passages are just the planted ones, with just the planted copies.
fn check_rows(planted: &Planted) {
    let passages = World::new(planted).places();
    let scorer = Scorer::new(planted);
    let mut told: Vec<Option<Vec<usize>>> =
        passages.iter().map(|passage| scorer.labels_of(passage, SLACK)).collect();
    told.sort();
    let mut expected: Vec<Vec<usize>> = Vec::new();
    for (number, label) in planted.labels.iter().enumerate() {
        expected.resize_with(expected.len().max(label.group + 1), Vec::new);
        expected[label.group].push(number);
    }
    expected.sort();
    let expected: Vec<Option<Vec<usize>>> = expected.into_iter().map(Some).collect();
    assert_eq!(told, expected, "{passages:?}\n{:?}", planted.labels);
}

#[test]
fn swapped_blocks_are_two_passages() {
    for (seed, has_host) in [(1, false), (2, false), (3, true), (4, true)] {
        let mut language = Language::new(seed);
        let (a, b) = (language.text(200), language.text(300));
        let mut between = || has_host.then(|| language.host(40..=60));
        let mut document = |blocks: [Piece; 2]| {
            let [first, second] = blocks;
            [between(), Some(first), Some(second), between()].into_iter().flatten().collect()
        };
        let documents =
            [document([copy_of(0, &a), copy_of(1, &b)]), document([copy_of(1, &b), copy_of(0, &a)])];
        check_rows(&language.write(&documents));
    }
}

/// One passage in 18 copies, each edited on its own.
fn edited_copies(seed: u64) -> Planted {
    let mut language = Language::new(seed);
    let passage = language.text(120);
    let mut document = |_| {
        let words = language.copy(&passage, Noise::Edit(0.05));
        vec![language.host(30..=60), Piece { group: Some(0), words }, language.host(30..=60)]
    };
    let documents: Vec<_> = (0..18).map(&mut document).collect();
    language.write(&documents)
}

#[test]
fn all_copies_of_a_row_are_alike() {
    for seed in 1..=5 {
        let planted = edited_copies(seed);
        let scorer = Scorer::new(&planted);
        let passages = World::new(&planted).places();
        let is_whole = |passage: &&Vec<Place>| {
            scorer.labels_of(passage, SLACK).is_some_and(|labels| labels.into_iter().eq(0..18))
        };
        let whole = passages.iter().find(is_whole).expect("a row with all copies");
        let copies: Vec<Vec<String>> = whole.iter().map(|place| scorer.folded(place)).collect();
        for (number, a) in copies.iter().enumerate() {
            for b in &copies[..number] {
                assert!(common_words(a, b) * 2 >= a.len().max(b.len()), "{a:?}\n{b:?}");
            }
        }
    }
}

#[test]
fn copies_that_are_all_alike_are_one_row() {
    for seed in 1..=5 {
        check_rows(&edited_copies(seed));
    }
}

#[test]
fn passages_that_meet_in_one_document_stay_apart() {
    for (seed, has_host) in [(1, false), (2, false), (3, true), (4, true)] {
        let mut language = Language::new(seed);
        let (long, p, q) = (language.text(400), language.text(60), language.text(80));
        let mut documents = Vec::new();
        for own in [copy_of(1, &p), copy_of(2, &q)] {
            let between = has_host.then(|| language.host(40..=60));
            let around = [language.host(40..=60), language.host(40..=60)];
            let [before, behind] = around;
            let pieces = [Some(before), Some(copy_of(0, &long)), between, Some(own.clone()), Some(behind)];
            documents.push(pieces.into_iter().flatten().collect());
            for _ in 0..3 {
                documents.push(vec![language.host(40..=60), own.clone(), language.host(40..=60)]);
            }
        }
        check_rows(&language.write(&documents));
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let planted =
        Plan { seed: 5, documents: 100, groups: 20, copies: MIXED, noise: Noise::Edit(0.08) }.grow();
    let world = World::new(&planted);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| world.find(world.usual()))
    };
    let (one, two) = (with(1), with(2));
    assert!(!one.found.is_empty());
    assert_eq!(one.found, two.found);
    let ids = |passages: &Passages| passages.sources.iter().map(|source| source.id).collect::<Vec<_>>();
    assert_eq!(ids(&one), ids(&two));
}

/// Two documents with two copies of each of two passages of four words, between host text of two.
fn tiny() -> Planted {
    let text = "One two. A b c d three,\nfour e f g h five six\n".to_owned();
    let place = |document, words: &str| {
        let start = text.find(words).unwrap();
        Place { document, bytes: start..start + words.len() }
    };
    let label = |group, document, words| Label { group, place: place(document, words) };
    let labels =
        vec![label(0, 0, "A b c d"), label(1, 0, "e f g h"), label(0, 1, "A b c d"), label(1, 1, "e f g h")];
    let documents = ["0.txt", "1.txt"].map(|name| (name.to_owned(), text.clone()));
    Planted { labels, documents: documents.into() }
}

#[test]
fn the_score_falls_with_all_that_goes_wrong() {
    let planted = tiny();
    let scorer = Scorer::new(&planted);
    let places: Vec<Place> = planted.labels.iter().map(|label| label.place.clone()).collect();
    let [a0, b0, a1, b1] = &places[..] else { panic!() };
    let row = |places: &[&Place]| places.iter().copied().cloned().collect::<Vec<_>>();
    let whole = Score { found: 1.0, covered: 1.0, grouped: 1.0, inside: 1.0, ends: 0.0 };
    assert_eq!(scorer.score(&[row(&[a0, a1]), row(&[b0, b1])]), whole);
    assert_eq!(scorer.score(&[]), Score::ANY);
    assert_eq!(
        scorer.score(&[row(&[a0, a1])]),
        Score { found: 0.5, covered: 0.5, ..whole },
        "a passage is missing"
    );
    assert_eq!(
        scorer.score(&[row(&[a0, a1]), row(&[b0])]),
        Score { found: 0.5, covered: 0.5, ..whole },
        "a copy alone is none"
    );
    assert_eq!(scorer.score(&[row(&[a0, b0]), row(&[a1, b1])]).found, 0.0, "copies of different passages");

    // From "two" to "three": one token more at each end, and another one off in the other document.
    let wide = |place: &Place| Place { bytes: place.bytes.start - 5..place.bytes.end + 6, ..*place };
    let score = scorer.score(&[row(&[&wide(a0), a1]), row(&[b0, b1])]);
    assert_eq!(score, Score { inside: 16.0 / 18.0, ends: 2.0 / 8.0, ..whole }, "outside text is told");
    // "A b" is half of the copy, "A" is not.
    let cut = |place: &Place, len| Place { bytes: place.bytes.start..place.bytes.start + len, ..*place };
    let score = scorer.score(&[row(&[&cut(a0, 3), a1]), row(&[b0, b1])]);
    assert_eq!(score, Score { covered: 0.5, ends: 2.0 / 8.0, ..whole });
    assert_eq!(scorer.score(&[row(&[&cut(a0, 1), a1]), row(&[b0, b1])]).found, 0.5);
    assert!(!score.reaches(&whole) && whole.reaches(&score) && score.reaches(&Score::ANY));

    assert_eq!(scorer.labels_of(&row(&[a0, a1]), 0), Some(vec![0, 2]));
    assert_eq!(scorer.labels_of(&row(&[&wide(a0), a1]), 0), None);
    assert_eq!(scorer.labels_of(&row(&[&wide(a0), a1]), 1), Some(vec![0, 2]));
}

#[test]
fn a_group_in_two_rows_is_not_in_one() {
    let text = "a b\na b\na b\na b\na b\n".to_owned();
    let places: Vec<Place> = (0..5).map(|at| Place { document: 0, bytes: at * 4..at * 4 + 3 }).collect();
    let labels = places.iter().map(|place| Label { group: 0, place: place.clone() }).collect();
    let planted = Planted { labels, documents: vec![("0.txt".to_owned(), text)] };
    let score = Scorer::new(&planted).score(&[places[..3].to_vec(), places[3..].to_vec()]);
    assert_eq!((score.found, score.grouped), (1.0, 0.6));
}

#[test]
fn what_is_planted_stands_where_its_label_says() {
    // How much of two copies agrees at the least, in tenths: fewer words where both were changed.
    for (noise, least) in [(Noise::Edit(0.0), 10), (Noise::Edit(0.08), 6), (Noise::Ocr(0.08), 6)] {
        let plan = Plan { seed: 7, documents: 50, groups: 5, copies: MIXED, noise };
        let planted = plan.grow();
        assert_eq!(planted.documents, plan.grow().documents, "the seed says it all");
        let scorer = Scorer::new(&planted);
        for group in 0..plan.groups {
            let copies = planted.labels.iter().filter(|label| label.group == group);
            let copies: Vec<Vec<String>> = copies.map(|label| scorer.folded(&label.place)).collect();
            assert!((2..=60).contains(&copies.len()));
            for copy in &copies {
                let common = common_words(&copies[0], copy);
                assert!(common * 10 >= copy.len().max(copies[0].len()) * least, "{copies:?}");
            }
            assert_eq!(copies.iter().all(|copy| *copy == copies[0]), least == 10);
        }
    }
}
