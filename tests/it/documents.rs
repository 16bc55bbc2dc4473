//! How much of documents and folders stands elsewhere too, against a naive reference: every word of every
//! document is marked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::naive::text;
use dupi::corpus::Formats;
use dupi::index::snapshot::Snapshot;
use dupi::judge::PassageOrder;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::query::page::DocumentReader;
use dupi::session::{Item, ListedDocument, ListedFolder, Options, Overview, Sort, Subject, View};
use dupi::taboo::{TabooEntry, TabooList, TabooSet};
use proptest::prelude::*;

/// Files with the words of their records; a file that is no JSONL has one.
type Files = BTreeMap<String, Vec<Vec<u8>>>;

/// A document: its file, and from 1 which record of it.
type Name = (String, Option<u32>);

/// Files in folders, made of few pieces: they hold each other's text, whole and in part.
fn files() -> impl Strategy<Value = Files> {
    let piece = (0..6_u8, 5..40_usize, any::<u8>());
    let record = prop::collection::vec(piece, 0..6).prop_map(|pieces| {
        let words = |(kind, length, seed): (u8, usize, u8)| -> Vec<u8> {
            let word = |at: usize| match kind {
                0 => (at % 2) as u8,
                1..4 => ((usize::from(kind) * 31 + at * at * 7) % 251) as u8,
                _ => seed.wrapping_mul(37).wrapping_add((at as u8).wrapping_mul(11)),
            };
            (0..length).map(word).collect()
        };
        pieces.into_iter().flat_map(words).collect::<Vec<u8>>()
    });
    let name = prop_oneof!["[a-c]", "x/[a-c]", "x/y/[a-c]", "x[.]y/[ab]", "x/[ab][.]jsonl"];
    prop::collection::btree_map(name, prop::collection::vec(record, 1..4), 1..7).prop_map(|files| {
        let file = |(name, mut records): (String, Vec<Vec<u8>>)| {
            let is_split = name.ends_with(".jsonl");
            records.truncate(if is_split { 4 } else { 1 });
            (if is_split { name } else { format!("{name}.txt") }, records)
        };
        files.into_iter().map(file).collect()
    })
}

fn written(name: &str, records: &[Vec<u8>]) -> String {
    let line = |words: &Vec<u8>| {
        if name.ends_with(".jsonl") { format!("{{\"text\": \"{}\"}}\n", text(words)) } else { text(words) }
    };
    records.iter().map(line).collect()
}

fn indexed(files: &Files) -> (tempfile::TempDir, Snapshot) {
    let texts: BTreeMap<&String, String> =
        files.iter().map(|(name, records)| (name, written(name, records))).collect();
    let formats = Some(Formats::of_jsonl("text"));
    crate::naive::indexed(texts, |usual| Options { formats, memory: 1 << 20, threads: 2, ..usual })
}

/// Which words of each document lie in passages that are not hidden, by the passage's number.
fn marked(
    snapshot: &Snapshot,
    passages: &Passages,
    hidden: &[bool],
) -> BTreeMap<Name, BTreeMap<usize, BTreeSet<usize>>> {
    let mut marked: BTreeMap<Name, BTreeMap<usize, BTreeSet<usize>>> = BTreeMap::new();
    let mut reader = DocumentReader::new(snapshot);
    for (number, passage) in passages.found.iter().enumerate().filter(|(number, _)| !hidden[*number]) {
        for spot in &passage.copies {
            let (file, record) = passages.sources[spot.source as usize].open(snapshot, &mut reader).unwrap();
            let own = marked.entry((file.path.display().to_string(), record)).or_default();
            // Where in the file a record begins does not matter: no word is in two.
            let words = |end: u32| file.text[..end as usize].matches('w').count();
            own.entry(number).or_default().extend(words(spot.start)..words(spot.end));
        }
    }
    marked
}

fn documents(overview: &mut Overview, sort: Sort) -> Vec<ListedDocument> {
    let view = View { of: Subject::Documents, sort, wanted: usize::MAX, ..View::default() };
    let rows = overview.list(&view, &|| false).unwrap().rows;
    rows.into_iter()
        .filter_map(|row| if let Item::Document(row) = row { Some((*row).clone()) } else { None })
        .collect()
}

fn inside(overview: &mut Overview, folder: &Path, filter: &str) -> (Vec<ListedFolder>, (u64, u64)) {
    let (folder, filter) = (folder.to_owned(), filter.to_owned());
    let view = View { of: Subject::Files, folder, filter, wanted: usize::MAX, ..View::default() };
    let listing = overview.list(&view, &|| false).unwrap();
    let row = |row: Item| if let Item::Folder(row) = row { Some((*row).clone()) } else { None };
    (listing.rows.into_iter().filter_map(row).collect(), listing.share.unwrap())
}

/// Documents, tokens, and duplicated tokens of the files that are meant.
fn sums(
    files: &Files,
    duplicated: &BTreeMap<Name, usize>,
    is_meant: impl Fn(&str) -> bool,
) -> (u64, u64, u64) {
    let mut sums = (0, 0, 0);
    for (name, records) in files.iter().filter(|(name, _)| is_meant(name)) {
        for (number, words) in (1..).zip(records) {
            let record = name.ends_with(".jsonl").then_some(number);
            // An empty file is left out; an empty record is a document.
            sums.0 += u64::from(!words.is_empty() || record.is_some());
            sums.1 += words.len() as u64;
            sums.2 += duplicated.get(&(name.clone(), record)).copied().unwrap_or(0) as u64;
        }
    }
    sums
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn documents_and_folders_have_what_marking_every_word_gives(
        files in files(),
        gap in prop_oneof![Just(0_u32), Just(6)],
        taboo: bool,
    ) {
        let (_folder, snapshot) = indexed(&files);
        let settings = SearchSettings { measure: Measure { least: 12, gap, ..Measure::default() }, ..SearchSettings::default() };
        let set = if taboo { taboo_of(&files, &snapshot) } else { TabooSet::default() };
        let passages = Passages::find(&snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap();
        let hidden = passages.hidden(12, &set, &snapshot.manifest().recipe);
        let marked = marked(&snapshot, &passages, &hidden);
        let union = |of: &BTreeMap<usize, BTreeSet<usize>>| of.values().flatten().collect::<BTreeSet<_>>().len();
        let duplicated: BTreeMap<Name, usize> =
            marked.iter().map(|(name, own)| (name.clone(), union(own))).collect();
        let mut overview = Overview::new(snapshot, passages, settings, set);
        let rows = documents(&mut overview, Sort::Path);
        let told: Vec<Name> = rows.iter().map(|row| (row.path.display().to_string(), row.record)).collect();
        assert!(told.iter().eq(marked.keys()), "{told:?} {:?}", marked.keys());
        for (row, name) in rows.iter().zip(&told) {
            let own = &marked[name];
            let words = &files[&name.0][name.1.unwrap_or(1) as usize - 1];
            assert_eq!((row.tokens, row.duplicated), (words.len() as u64, union(own) as u64));
            let shared = |other: &Name| {
                let both = own.iter().filter(|(passage, _)| marked[other].contains_key(passage));
                both.flat_map(|(_, words)| words).collect::<BTreeSet<_>>().len() as u64
            };
            let best = marked.keys().filter(|other| *other != name).map(shared).max().unwrap_or(0);
            let partner = row.partner.as_ref().map_or(0, |partner| {
                assert_eq!(partner.tokens, shared(&(partner.path.display().to_string(), partner.record)));
                partner.tokens
            });
            assert_eq!(partner, best);
        }
        let shares: Vec<f64> =
            documents(&mut overview, Sort::Share).iter().map(|row| row.duplicated as f64 / row.tokens as f64).collect();
        assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
        let mut by_partner = documents(&mut overview, Sort::Partner);
        let mut above = BTreeSet::new();
        for row in &mut by_partner {
            let has_partner = row.partner.as_ref().is_some_and(|of| above.contains(&(of.path.clone(), of.record)));
            assert_eq!(std::mem::take(&mut row.is_below), has_partner);
            above.insert((row.path.clone(), row.record));
        }
        by_partner.sort_by_key(|row| told.iter().position(|name| *name == (row.path.display().to_string(), row.record)));
        assert_eq!(by_partner, rows);

        let mut open = vec![(Path::new("").to_owned(), "")];
        open.push((open[0].0.clone(), "A.TXT"));
        while let Some((folder, filter)) = open.pop() {
            let (rows, share) = inside(&mut overview, &folder, filter);
            let passes = |name: &str| name.to_uppercase().contains(filter);
            let of_folder = sums(&files, &duplicated, |name| Path::new(name).starts_with(&folder) && passes(name));
            assert_eq!(share, (of_folder.2, of_folder.1));
            let mut names = BTreeSet::new();
            for row in &rows {
                let lies_in = |name: &str| Path::new(name).starts_with(&row.path) && passes(name);
                assert_eq!((row.documents, row.tokens, row.duplicated), sums(&files, &duplicated, lies_in));
                assert_eq!(row.path.parent(), Some(&*folder));
                assert!(names.insert(row.path.clone()));
                if row.is_folder {
                    open.push((row.path.clone(), filter));
                } else {
                    assert_eq!(overview.row(&row.path).as_ref(), Some(row));
                }
            }
            assert_eq!(rows.iter().map(|row| row.documents).sum::<u64>(), of_folder.0);
        }
    }
}

/// Some words of the first document are taboo.
fn taboo_of(files: &Files, snapshot: &Snapshot) -> TabooSet {
    let words = files.values().flatten().next().map(|words| text(&words[..words.len().min(30)]));
    let entry = |text| TabooEntry { text, added: dupi::taboo::today(), reason: None, language: None };
    TabooSet::new(&words.map(entry).into_iter().collect::<TabooList>(), &snapshot.manifest().recipe)
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let piece = |seed: usize, length: usize| {
        (0..length).map(|at| (seed * 31 + at * at * 7) as u8).collect::<Vec<_>>()
    };
    let of =
        |number: usize| [piece(number % 7, 60), piece(number % 3 + 10, 40), piece(number + 40, 30)].concat();
    let files: Files =
        (0..60).map(|number| (format!("d{}/f{number}.txt", number % 4), vec![of(number)])).collect();
    let (_folder, snapshot) = indexed(&files);
    let rows = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let settings = SearchSettings::default();
            let passages = Passages::find(&snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap();
            let mut overview = Overview::new(snapshot.clone(), passages, settings, TabooSet::default());
            (documents(&mut overview, Sort::Share), inside(&mut overview, Path::new(""), ""))
        })
    };
    let one = rows(1);
    assert_eq!(one.0.len(), 60);
    assert_eq!(one, rows(3));
}
