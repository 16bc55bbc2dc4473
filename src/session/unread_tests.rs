use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::{Request, Session, Subject, Update, View};
use dupi_base::corpus::failing::let_fail;
use dupi_base::corpus::{Corpus, SkipReason, Watch};
use dupi_base::storage::Folder;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::unblot::unblot;
use dupi_ingest::{Opened, Options, Silent, Updater, bring_up_to_date};
use dupi_judge::PassageOrder;
use dupi_judge::location::locate;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_passage::Measure;
use dupi_passage::like::{Probe, like};
use dupi_text::token::{LexState, Tokeniser};

/// Three documents that have one text.
struct Indexed {
    place: tempfile::TempDir,
    corpus: Corpus,
    updater: Box<Updater>,
}

fn words(of: &str) -> String {
    (0..40).map(|number| format!("{of}{number} ")).collect()
}

impl Indexed {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        let corpus = Corpus::resolve(&[place.path().join("corpus")]).unwrap();
        for name in ["a", "b", "c"] {
            fs::write(corpus.absolute(Path::new(name)), words("word")).unwrap();
        }
        let options = Self::options(&place);
        let Opened::Ready(mut updater) = options.open(&corpus).unwrap() else { panic!() };
        bring_up_to_date(&mut updater, &Silent).unwrap();
        Self { place, corpus, updater }
    }

    fn options(place: &tempfile::TempDir) -> Options {
        let home = Folder::new(place.path().join("index"));
        Options { memory: 1 << 24, threads: 2, watch: Watch::Off, ..Options::new(home) }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.corpus.absolute(Path::new(name))
    }

    fn snapshot(&self) -> &Snapshot {
        self.updater.snapshot()
    }

    fn update(&mut self) {
        bring_up_to_date(&mut self.updater, &Silent).unwrap();
    }

    fn files(&self) -> Vec<&Path> {
        let mut files: Vec<&Path> = self.snapshot().files().map(|file| self.snapshot().path(file)).collect();
        files.sort();
        files
    }

    fn reasons(&self) -> Vec<SkipReason> {
        self.snapshot().skipped().into_iter().map(|entry| entry.reason).collect()
    }

    /// The document frequency of the most frequent text.
    fn most(&self) -> usize {
        let ranking = dupi_index::index::ranking::Ranking::scan(self.snapshot(), usize::MAX).unwrap();
        ranking.entries.first().map_or(0, |entry| entry.documents() as usize)
    }
}

/// System errors: no file handle left, a failing disk, no permission.
const CODES: [i32; 3] = [libc::EMFILE, libc::EIO, libc::EACCES];

#[test]
fn a_changed_file_that_cannot_be_read_keeps_what_the_index_has_of_it_until_it_can() {
    for code in CODES {
        let mut indexed = Indexed::new();
        fs::write(indexed.at("b"), words("other") + "longer").unwrap();
        fs::write(indexed.at("c"), words("third") + "and longer").unwrap();
        let failing = let_fail(indexed.at("b"), code);
        indexed.update();
        assert_eq!(indexed.files(), ["a", "b", "c"].map(Path::new));
        assert_eq!(indexed.most(), 2, "what b had is there, and c was read");
        assert!(matches!(&indexed.reasons()[..], [reason] if reason.is_refusal()));
        // What needs leave is listed; what may pass is said too.
        assert_eq!(indexed.snapshot().unread().take_message().is_some(), code != libc::EACCES);
        drop(failing);
        indexed.update();
        assert_eq!((indexed.most(), indexed.reasons()), (0, vec![]), "all three differ now");
        assert_eq!(indexed.files(), ["a", "b", "c"].map(Path::new));
        assert_eq!(indexed.snapshot().unread().take_message(), None);
    }
}

#[test]
fn a_new_file_that_cannot_be_read_is_said_and_read_when_it_can_be() {
    let mut indexed = Indexed::new();
    fs::write(indexed.at("new"), words("word")).unwrap();
    let failing = let_fail(indexed.at("new"), libc::EMFILE);
    indexed.update();
    assert_eq!((indexed.most(), indexed.reasons().len()), (3, 1));
    let said = indexed.snapshot().unread().take_message().unwrap();
    assert!(said.starts_with("1 file could not be read") && said.contains("new"), "{said}");
    drop(failing);
    indexed.update();
    assert_eq!((indexed.most(), indexed.reasons().len()), (4, 0));
}

#[test]
fn every_answer_says_which_files_it_could_not_read() {
    let indexed = Indexed::new();
    let snapshot = indexed.snapshot();
    let recipe = snapshot.manifest().recipe;
    let find = || {
        let settings = SearchSettings::default();
        Passages::find(snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap()
    };
    let whole = find();
    let blot = dupi_index::index::ranking::Ranking::scan(snapshot, usize::MAX).unwrap().entries[0].blot();
    let tokens = Tokeniser::for_file(recipe.tokens, recipe.comments, Path::new("x"), &words("word"));
    let probe = Probe::new(tokens.tokens(&words("word"), LexState::default()), &recipe);
    // How many of three copies each finds.
    let passages = || find().found.first().map_or(0, |passage| passage.copies.len());
    let located = || {
        let passages: Vec<_> = whole.found.iter().collect();
        locate(snapshot, &whole.sources, &passages, None)[0].copies.len()
    };
    let unblotted = || unblot(snapshot, blot).unwrap()[0].occurrences.len();
    let alike = || like(snapshot, &probe, Measure::usual(&recipe), 9).unwrap().len();
    let answers: [(&str, &dyn Fn() -> usize); 4] =
        [("passages", &passages), ("located", &located), ("unblot", &unblotted), ("like", &alike)];
    for (number, (name, answer)) in answers.into_iter().enumerate() {
        // Each file is named once, so each answer gets a list of its own.
        let unread = |expected: Option<&str>| match (snapshot.unread().take_message(), expected) {
            (said, None) => assert_eq!(said, None, "{name}"),
            (said, Some(file)) => {
                assert!(said.as_ref().is_some_and(|said| said.contains(file)), "{name}: {said:?}");
            }
        };
        assert_eq!(answer(), 3, "{name}");
        unread(None);
        let copy = format!("d{number}");
        fs::rename(indexed.at("c"), indexed.at(&copy)).unwrap();
        assert_eq!(answer(), 2, "{name}");
        // A file that is gone lacks nothing.
        unread(None);
        fs::rename(indexed.at(&copy), indexed.at("c")).unwrap();
        snapshot.unread().forget();
        let failing = let_fail(indexed.at("c"), CODES[number % CODES.len()]);
        assert_eq!(answer(), 2, "{name}");
        unread(Some("c ("));
        drop(failing);
    }
}

#[test]
fn a_session_says_what_its_rows_could_not_read() {
    let indexed = Indexed::new();
    let failing = let_fail(indexed.at("a"), libc::EMFILE);
    let Indexed { place, corpus, updater } = indexed;
    drop(updater);
    let (sender, updates) = channel();
    let options = Indexed::options(&place);
    let session = Session::start(corpus, options, move |update| drop(sender.send(update)));
    session.send(Request::Rows(View { of: Subject::Blots, wanted: 10, ..View::default() }));
    let patience = Duration::from_secs(20);
    let said = std::iter::from_fn(|| updates.recv_timeout(patience).ok()).find_map(|update| match update {
        Update::Notice(said) => said.contains("could not be read").then_some(said),
        _ => None,
    });
    assert!(said.is_some_and(|said| said.contains("a (")));
    session.stop();
    drop(failing);
}
