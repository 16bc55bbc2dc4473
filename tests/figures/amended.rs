//! How soon the passages of a changed file are known, and how far they agree with those of a search of all documents.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dupi::corpus::Corpus;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Opened, Options, Silent, Updater, bring_up_to_date};
use dupi::judge::PassageOrder;
use dupi::judge::amend::{DocumentChanges, amend_by_index};
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::storage::Folder;

use crate::support::page::figure;

/// How many files are copied, one after another.
const COPIED: usize = 9;

/// A copy of a passage: path, first token, tokens.
type Place = (String, u32, u32);

/// Prints the figures for copies of files of a folder that may be written to.
pub fn figures(corpus: &Path) {
    let index = tempfile::tempdir().unwrap();
    let options = Options::new(Folder::new(index.path().join("index")));
    let mut updater = match options.open(&Corpus::resolve(&[corpus.to_owned()]).unwrap()).unwrap() {
        Opened::Ready(updater) | Opened::Mismatch { updater, .. } => updater,
    };
    let follow = |updater: &mut Updater| -> Snapshot {
        bring_up_to_date(updater, &Silent).unwrap();
        updater.snapshot().clone()
    };
    let before = follow(&mut updater);
    let measure = Measure::usual(&before.manifest().recipe);
    let settings = SearchSettings { measure, ..SearchSettings::default() };
    let search = |snapshot: &Snapshot| {
        let started = Instant::now();
        let found = Passages::find(snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap();
        (found, started.elapsed())
    };
    let (known, whole) = search(&before);
    let copied = files_of(corpus);
    let folder = corpus.join("dupi-figures-copies");
    fs::create_dir(&folder).unwrap();
    let (mut times, mut agreed, mut rows_agreed) = (Vec::new(), [0_usize; 2], [0_usize; 2]);
    for (number, file) in copied.iter().enumerate() {
        let copy = folder.join(format!("{number}.txt")).with_extension(file.extension().unwrap_or_default());
        let text = fs::read(file).unwrap();
        fs::write(&copy, &text[..text.len() / 2]).unwrap();
        let now = follow(&mut updater);
        let started = Instant::now();
        let changes = DocumentChanges::between(&before, &now);
        let amended = amend_by_index(&known, &changes, &settings, &|_| Ok(())).unwrap();
        times.push(started.elapsed());
        let amended = amended.expect("an amendment");
        let (expected, _) = search(&now);
        let name = copy.strip_prefix(corpus).unwrap().to_str().unwrap().to_owned();
        let (covered, wanted) = (in_file(&now, &amended, &name), in_file(&now, &expected, &name));
        agreed[0] += covered.intersection(&wanted).count();
        agreed[1] += wanted.union(&covered).count();
        let (of, expected) = (rows(&now, &amended), rows(&now, &expected));
        rows_agreed[0] += of.intersection(&expected).count();
        rows_agreed[1] += expected.len();
        fs::remove_file(&copy).unwrap();
        let now = follow(&mut updater);
        assert_eq!(now.totals().documents, before.totals().documents);
    }
    fs::remove_dir(&folder).unwrap();
    times.sort();
    figure!("| what | figure |");
    figure!("| --- | --- |");
    figure!("| a search of all documents | {:.2} s |", whole.as_secs_f64());
    figure!(
        "| half of a file copied in: passages amended, median · slowest of {COPIED} | {:.0} ms · {:.0} ms |",
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[times.len() - 1].as_secs_f64() * 1e3
    );
    figure!(
        "| tokens of the copy in a passage with another document, of those of a search of all documents | {:.1} % |",
        agreed[0] as f64 * 100.0 / agreed[1] as f64
    );
    figure!(
        "| rows of fewer than 50 copies with the same copies, of those of a search of all documents | {:.2} % |",
        rows_agreed[0] as f64 * 100.0 / rows_agreed[1] as f64
    );
}

/// Text files of 5 to 40 KB, spread evenly over a folder.
fn files_of(corpus: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ignore::Walk::new(corpus)
        .flatten()
        .filter(|entry| {
            entry.metadata().is_ok_and(|data| data.is_file() && (5_000..40_000).contains(&data.len()))
        })
        .map(ignore::DirEntry::into_path)
        .collect();
    files.sort();
    let step = (files.len() / COPIED).max(1);
    files.into_iter().step_by(step).take(COPIED).collect()
}

fn places(snapshot: &Snapshot, passages: &Passages, number: usize) -> Vec<Place> {
    let path = |source: u32| {
        let id = passages.sources[source as usize].id;
        snapshot.path(snapshot.file_of(id)).to_string_lossy().into_owned()
    };
    let copies = &passages.found[number].copies;
    copies.iter().map(|copy| (path(copy.source), copy.first, copy.tokens)).collect()
}

/// The tokens of a file that stand in a passage with a copy in another one.
fn in_file(snapshot: &Snapshot, passages: &Passages, name: &str) -> BTreeSet<u32> {
    let mut tokens = BTreeSet::new();
    for number in 0..passages.found.len() {
        let here = |source: u32| {
            let id = passages.sources[source as usize].id;
            snapshot.path(snapshot.file_of(id)) == Path::new(name)
        };
        let copies = &passages.found[number].copies;
        if copies.iter().any(|copy| !here(copy.source)) {
            let own = copies.iter().filter(|copy| here(copy.source));
            own.for_each(|copy| tokens.extend(copy.first..copy.end_token()));
        }
    }
    tokens
}

/// The rows with fewer than 50 copies.
fn rows(snapshot: &Snapshot, passages: &Passages) -> BTreeSet<Vec<Place>> {
    let few = (0..passages.found.len()).filter(|&number| passages.found[number].copies.len() < 50);
    few.map(|number| places(snapshot, passages, number)).collect()
}
