//! What near passages promise, each promise against a naive statement of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use crate::naive::indexed;
use dupi::blot::{Profile, RecipeChoice};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::passage::like::{Probe, like, like_by_index};
use dupi::token::{LexState, TokenMode, Tokeniser};
use proptest::prelude::*;

/// Documents by name, as words.
pub type Texts = BTreeMap<String, Vec<u16>>;
/// A copy: the document, and the words.
pub type Span = (String, Range<usize>);
/// A row: for each copy its words, and its similarity.
pub type Row = Vec<(Span, f32)>;

pub struct World {
    folder: tempfile::TempDir,
    snapshot: Snapshot,
}

impl World {
    fn new(texts: &Texts) -> Self {
        Self::with(texts, Profile::Default)
    }

    pub fn with(texts: &Texts, profile: Profile) -> Self {
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..profile.choice() };
        let files = texts.iter().map(|(name, words)| (name, written(words)));
        let (folder, snapshot) = indexed(files, |usual| Options { recipe, threads: 1, ..usual });
        Self { folder, snapshot }
    }

    /// The rows that hold to a measure.
    pub fn rows(&self, measure: Measure) -> Vec<Row> {
        let settings = SearchSettings { measure, ..SearchSettings::default() };
        let passages = Passages::find(&self.snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap();
        let name = |source: u32| {
            let id = passages.sources[source as usize].id;
            self.snapshot.path(self.snapshot.file_of(id)).to_str().unwrap().to_owned()
        };
        let row = |found: &dupi::judge::passages::Passage| {
            let span = |copy: &dupi::judge::passages::PassageCopy| {
                let words = copy.first as usize..copy.end_token() as usize;
                ((name(copy.source), words), copy.similarity)
            };
            found.copies.iter().map(span).collect()
        };
        passages.found.iter().map(row).collect()
    }

    /// The documents that `like` names for a document other than itself.
    pub fn like(&self, name: &str, measure: Measure) -> BTreeSet<String> {
        self.liked(name, measure, false)
    }

    /// The same, with `by_index` only by the tiles in the index.
    pub fn liked(&self, name: &str, measure: Measure, by_index: bool) -> BTreeSet<String> {
        let text = fs::read_to_string(self.folder.path().join("corpus").join(name)).unwrap();
        let tokens = Tokeniser::Words.tokens(&text, LexState::default());
        let probe = Probe::new(tokens, &self.snapshot.manifest().recipe);
        let find = if by_index { like_by_index } else { like };
        let found = find(&self.snapshot, &probe, measure, usize::MAX).unwrap();
        let path = |run: &dupi::passage::like::SharedRun| run.occurrence.path.to_str().unwrap().to_owned();
        let names: BTreeSet<String> = found.iter().flat_map(|document| &document.shared).map(path).collect();
        names.into_iter().filter(|other| other != name).collect()
    }
}

fn written(words: &[u16]) -> String {
    words.iter().map(|word| format!("w{word} ")).collect()
}

pub fn texts<const N: usize>(texts: [Vec<u16>; N]) -> Texts {
    texts.into_iter().enumerate().map(|(number, words)| (format!("{number:02}.txt"), words)).collect()
}

/// The pairs of documents that have copies in one row.
pub fn pairs(rows: &[Row]) -> BTreeSet<(String, String)> {
    let of = |row: &Row| {
        let names: BTreeSet<String> = row.iter().map(|((name, _), _)| name.clone()).collect();
        let pair =
            |a: &String| names.range(a.clone()..).skip(1).map(|b| (a.clone(), b.clone())).collect::<Vec<_>>();
        names.iter().flat_map(pair).collect::<Vec<_>>()
    };
    rows.iter().flat_map(of).collect()
}

/// How many words two ranges share.
fn shared(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

/// Words of which a share is changed, removed or added.
fn edited(words: &[u16], edits: &[(u8, u16)]) -> Vec<u16> {
    let edit = |(at, &word): (usize, &u16)| match edits[at % edits.len()] {
        (0, new) => vec![new],
        (1, _) => vec![],
        (2, new) => vec![word, new],
        _ => vec![word],
    };
    words.iter().enumerate().flat_map(edit).collect()
}

/// Edits, about one for seven words.
pub fn edits() -> impl Strategy<Value = Vec<(u8, u16)>> {
    prop::collection::vec((0..20_u8, 5000..6000_u16), 97)
}

/// Two documents with edited copies of one text.
pub fn two_documents() -> impl Strategy<Value = Texts> {
    let own = || prop::collection::vec(6000..9000_u16, 0..40);
    (prop::collection::vec(0..2000_u16, 30..120), edits(), own(), own(), own(), own()).prop_map(
        |(text, edits, a, b, c, d)| {
            texts([[a, text.clone(), b].concat(), [c, edited(&text, &edits), d].concat()])
        },
    )
}

/// Some documents with pieces of a few texts, edited, in any order.
fn documents(most: usize) -> impl Strategy<Value = Texts> {
    let piece = (0..4_u16, 0..60_usize, 1..80_usize, edits(), any::<bool>(), 0..30_u16);
    prop::collection::vec(prop::collection::vec(piece, 1..4), 2..most).prop_map(|plans| {
        let mut own = 10_000_u16;
        let mut piece =
            |(text, from, len, edits, is_edited, between): (u16, usize, usize, Vec<_>, bool, u16)| {
                let words: Vec<u16> = (from..from + len).map(|at| text * 200 + at as u16).collect();
                let words = if is_edited { edited(&words, &edits) } else { words };
                own += between;
                words.into_iter().chain(own - between..own).collect::<Vec<u16>>()
            };
        let words = |plan: Vec<_>| plan.into_iter().flat_map(&mut piece).collect();
        let all: Vec<Vec<u16>> = plans.into_iter().map(words).collect();
        all.into_iter().enumerate().map(|(number, words)| (format!("{number:02}.txt"), words)).collect()
    })
}

fn measure(least: u32) -> Measure {
    Measure { least, ..Measure::default() }
}

/// Runs of four words and one of eight, with a word of its own behind each: only the eight can share a tile.
fn in_short_runs(own: u16) -> Vec<u16> {
    let length = |number| if number == 4 { 8 } else { 4 };
    let run = |number: u16| (0..length(number)).map(move |at| number * 20 + at).chain([own + number]);
    (0..10).flat_map(run).collect()
}

#[test]
fn a_row_stays_while_the_minimum_rises_to_its_length() {
    for seed in 0..40 {
        let shift = |words: Vec<u16>| words.into_iter().map(|word| word + seed * 400).collect();
        let texts = texts([shift(in_short_runs(20_000)), shift(in_short_runs(30_000))]);
        let world = World::new(&texts);
        for least in [11, 12, 20, 25, 40, 50] {
            let lengths: Vec<Vec<usize>> = world
                .rows(measure(least))
                .iter()
                .map(|row| row.iter().map(|copy| copy.0.1.len()).collect())
                .collect();
            assert_eq!(lengths, [[53, 53]], "{seed}: {least}");
        }
    }
}

#[test]
fn copies_of_periodic_text_do_not_overlap() {
    let run = |length: u16| (0..length).map(|at| at % 3).collect();
    let rows = World::new(&texts([run(33), run(27)])).rows(Measure { gap: 1, ..measure(19) });
    assert!(!rows.is_empty());
    rows.iter().for_each(check_apart);
}

/// No word is in two copies of one row.
fn check_apart(row: &Row) {
    for (number, ((name, words), _)) in row.iter().enumerate() {
        let overlaps = |other: &&(Span, f32)| other.0.0 == *name && shared(&other.0.1, words) > 0;
        assert_eq!(row[..number].iter().find(overlaps), None, "{row:?}");
    }
}

#[test]
fn equal_text_within_other_passages_is_in_one_row() {
    // Documents 1 and 2 share twenty words. Both are in rows with others: 1 with 0 and 3, and 2 with 3.
    let run = |from: u16, to: u16| (from..to).collect::<Vec<u16>>();
    let edited = [run(26, 35), run(39, 42), vec![43], run(47, 55), run(56, 60), vec![5556, 60]];
    let more = [run(62, 66), vec![5564, 66, 67, 5340], run(68, 75)];
    let cut = [run(44, 64), run(59, 67), run(72, 83)].concat();
    let texts = texts([[edited.concat(), more.concat()].concat(), run(18, 71), cut, run(30, 90)]);
    check_equal_pairs(&texts, 9, 20);
}

/// Whether each two equal passages are told in one row, except for `gap` words at either end. Copies that overlap others
/// of their own row count for their documents only.
fn check_equal_pairs(texts: &Texts, gap: u32, least: u32) {
    let world = World::new(texts);
    let exact = world.rows(Measure { gap: 0, ..measure(least) });
    let near = world.rows(Measure { gap, ..measure(least) });
    assert_eq!(pairs(&exact).difference(&pairs(&near)).next(), None, "{exact:?}\n{near:?}");
    for row in &exact {
        let is_apart = |span: &Span| {
            row.iter().all(|(other, _)| other == span || other.0 != span.0 || shared(&other.1, &span.1) == 0)
        };
        let apart: Vec<&Span> = row.iter().map(|(span, _)| span).filter(|span| is_apart(span)).collect();
        let holds = |(copy, _): &(Span, f32), span: &Span| {
            copy.0 == span.0
                && copy.1.start <= span.1.start + gap as usize
                && span.1.end <= copy.1.end + gap as usize
        };
        for (number, a) in apart.iter().enumerate() {
            for b in &apart[..number] {
                let has_both = |row: &Row| {
                    let of = |span: &Span| {
                        row.iter()
                            .filter(|copy| holds(copy, span))
                            .map(|copy| copy.0.clone())
                            .collect::<Vec<_>>()
                    };
                    of(a).iter().any(|a| of(b).iter().any(|b| a != b))
                };
                assert!(near.iter().any(has_both), "{a:?} {b:?}\n{near:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_found_at_a_smaller_minimum_is_found_at_a_larger_one(
        texts in two_documents(), least in 8..40_u32, more in 1..30_u32,
    ) {
        let world = World::new(&texts);
        let is_long = |row: &Row| row.iter().all(|copy| copy.0.1.len() as u32 >= least + more);
        let small = world.rows(measure(least));
        if small.iter().any(is_long) {
            prop_assert!(!world.rows(measure(least + more)).is_empty(), "{small:?}");
        }
    }

    #[test]
    fn copies_are_apart_and_as_similar_as_is_asked(
        texts in documents(7), least in 12..30_u32, gap in 1..12_u32, overlap in 0.2..0.9_f32, one_sided: bool,
    ) {
        for row in World::new(&texts).rows(Measure { least, gap, overlap, one_sided }) {
            prop_assert!(row.len() > 1);
            check_apart(&row);
            prop_assert!(row.iter().all(|copy| copy.1 >= overlap), "{row:?}");
        }
    }

    #[test]
    fn equal_passages_are_together_at_every_gap(texts in documents(6), gap in 1..16_u32, least in 12..30_u32) {
        check_equal_pairs(&texts, gap, least);
    }

    #[test]
    fn tolerance_finds_more(
        texts in two_documents(), overlap in 0.1..0.9_f32, less in 0.0..0.5_f32, gap in 1..12_u32, more in 1..12_u32,
    ) {
        let world = World::new(&texts);
        let strict = Measure { overlap, gap, ..measure(25) };
        if !world.rows(strict).is_empty() {
            let lower = Measure { overlap: overlap * (1.0 - less), ..strict };
            for measure in [lower, Measure { one_sided: true, ..strict }, Measure { gap: gap + more, ..strict }] {
                prop_assert!(!world.rows(measure).is_empty(), "{measure:?}");
            }
        }
    }

    #[test]
    fn other_files_change_nothing(
        texts in documents(6), least in 12..30_u32, count in 1..6_usize, is_shared: bool, seed: u16,
    ) {
        let before = World::new(&texts).rows(measure(least));
        let vocabulary = |number: usize, at: usize| {
            let random = (number * 7919 + at * 104_729 + usize::from(seed) * 31) as u64;
            let random = random.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
            if is_shared { random as u16 % 800 } else { 40_000 + random as u16 % 20_000 }
        };
        let mut more = texts;
        for number in 0..count {
            more.insert(format!("{number}x.txt"), (0..150).map(|at| vocabulary(number, at)).collect());
        }
        // The other files may have a passage of their own.
        let is_of_documents = |row: &Row| row.iter().any(|((name, _), _)| !name.ends_with("x.txt"));
        let mut after = World::new(&more).rows(measure(least));
        after.retain(is_of_documents);
        let mut before = before;
        let text = |row: &Row| format!("{row:?}");
        before.sort_by_key(text);
        after.sort_by_key(text);
        prop_assert_eq!(before, after);
    }
}
