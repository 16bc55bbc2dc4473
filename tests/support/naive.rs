//! A naive reference that keeps every window in a hash map.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

use dupi::blot::{Blot, Recipe, shatter};
use dupi::corpus::Corpus;
use dupi::index::ranking::Ranking;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Opened, Options, Silent, UpdateError, Updater, bring_up_to_date};
use dupi::sketch::{Sketcher, USUAL_SHINGLE};
use dupi::storage::Folder;
use dupi::token::{LexState, Tokeniser};

/// Opens the index of a folder for writing, or makes it.
pub fn open(options: &Options, corpus: PathBuf) -> Result<Box<Updater>, UpdateError> {
    Ok(match options.open(&Corpus::resolve(&[corpus]).unwrap())? {
        Opened::Ready(updater) | Opened::Mismatch { updater, .. } => updater,
    })
}

/// Texts as files of a corpus, and what an index of it shows, built as `options` say.
pub fn indexed<'a>(
    documents: impl IntoIterator<Item = (&'a String, impl AsRef<[u8]>)>,
    options: impl FnOnce(Options) -> Options,
) -> (tempfile::TempDir, Snapshot) {
    let folder = crate::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    for (name, text) in documents {
        let path = corpus.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let options = options(Options::new(Folder::new(folder.path().join("index"))));
    let mut updater = open(&options, corpus).unwrap();
    bring_up_to_date(&mut updater, &Silent).unwrap();
    (folder, updater.snapshot().clone())
}

/// Documents from a tiny alphabet repeat themselves and each other a lot.
pub fn text(words: &[u8]) -> String {
    words.iter().map(|word| format!("w{word} ")).collect()
}

pub type Documents = BTreeMap<String, Vec<u8>>;

/// Each document, read as words, has its sketch in the index.
pub fn check_sketches(snapshot: &Snapshot, documents: &Documents) {
    let mut sketcher = Sketcher::new(USUAL_SHINGLE);
    for file in snapshot.files() {
        let words = &documents[&snapshot.path(file).display().to_string()];
        let tokens = Tokeniser::Words.tokens(&text(words), LexState::default());
        tokens.iter().for_each(|token| sketcher.push(token.hash));
        let expected = sketcher.finish().map(|whole| whole.kept());
        let live = &snapshot.segments()[file.segment as usize];
        let sketches = live.sketches().unwrap().expect("the segment has sketches");
        let mut documents = live.segment().table().documents_of(file.file);
        assert!(documents.all(|document| sketches.get(document) == expected));
    }
}

/// For each repeated blot: the documents that keep it.
pub fn expected(documents: &Documents, recipe: &Recipe) -> BTreeMap<Blot, BTreeSet<String>> {
    let mut kept: BTreeMap<Blot, BTreeSet<String>> = BTreeMap::new();
    let mut counts: HashMap<Blot, usize> = HashMap::new();
    for (name, words) in documents {
        shatter(&text(words), Tokeniser::Words, LexState::default(), recipe, |tile| {
            kept.entry(tile.blot).or_default().insert(name.clone());
            *counts.entry(tile.blot).or_default() += 1;
        });
    }
    kept.retain(|blot, _| counts[blot] > 1);
    kept
}

/// The same, as the index has it.
pub fn ranked(snapshot: &Snapshot) -> BTreeMap<Blot, BTreeSet<String>> {
    let ranking = Ranking::scan(snapshot, usize::MAX).unwrap();
    let frequencies: Vec<u32> = ranking.entries.iter().map(|entry| entry.documents()).collect();
    assert!(frequencies.is_sorted_by(|a, b| a >= b), "{frequencies:?}");
    let names = |blot| {
        let places = snapshot.find(blot).unwrap();
        let file = |place| snapshot.file_of(snapshot.document_at(place));
        places
            .into_iter()
            .map(|place| snapshot.path(file(place)).display().to_string())
            .collect::<BTreeSet<_>>()
    };
    for entry in &ranking.entries {
        assert_eq!(names(entry.blot()).len(), entry.documents() as usize);
    }
    ranking.entries.iter().map(|entry| (entry.blot(), names(entry.blot()))).collect()
}

/// Documents that hold text: an empty file is left out.
pub fn held(documents: &Documents) -> Documents {
    documents
        .iter()
        .filter(|(_, words)| !words.is_empty())
        .map(|(name, words)| (name.clone(), words.clone()))
        .collect()
}

/// How many words two texts have in common in the same order: the length of a longest common subsequence.
pub fn common_words<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for word in a {
        let mut above_left = 0;
        for (at, other) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == other { above_left + 1 } else { above.max(row[at]) };
            above_left = above;
        }
    }
    row[b.len()]
}
