use std::ffi::OsStr;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use super::*;
use crate::{Observer, Opened, Options, Progress, Silent, Updater, bring_up_to_date};
use dupi_base::corpus::WalkRules;
use dupi_base::storage::{Folder, shown};

/// No plan.
const NOTHING: [Vec<String>; 3] = [const { Vec::new() }; 3];

/// A corpus that was indexed long after its files were written.
struct Indexed {
    _place: tempfile::TempDir,
    corpus: Corpus,
    updater: Box<Updater>,
}

impl Indexed {
    fn new(files: &[&str]) -> Self {
        Self::with(files, None)
    }

    fn with(files: &[&str], rules: Option<WalkRules>) -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        let corpus = Corpus::resolve(&[place.path().join("corpus")]).unwrap();
        files.iter().for_each(|name| write(&corpus.absolute(Path::new(name)), name));
        let home = Folder::new(place.path().join("index"));
        let options = Options { rules, memory: 1 << 24, threads: 1, ..Options::new(home) };
        let Opened::Ready(mut updater) = options.open(&corpus).unwrap() else { panic!() };
        bring_up_to_date(&mut updater, &Silent).unwrap();
        Self { _place: place, corpus, updater }
    }

    fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.corpus.absolute(name.as_ref())
    }

    /// The plan after a change of these paths: names to read, dead names, moved names.
    fn plan(&self, changed: &[&str]) -> [Vec<String>; 3] {
        let paths: Vec<PathBuf> = changed.iter().map(|name| self.at(name)).collect();
        let found = corpus::walk_paths(
            &self.corpus,
            &Default::default(),
            &Default::default(),
            &paths,
            &PathScope::default(),
        );
        let scope = PathScope::new(changed.iter().map(Path::new));
        let unknown = PathScope::default();
        let walked_part = WalkedPart { scope: Some(&scope), unknown: &unknown, walked: None };
        let snapshot = self.updater.snapshot();
        let plan = Plan::new(&self.corpus, snapshot, found.unwrap().files, &walked_part, 1 << 20, &|| false);
        let name = |path: &Path| shown(path).to_string();
        let read = plan.read.iter().map(|file| name(&file.path)).collect();
        let mut dead: Vec<String> = plan.dead.iter().map(|&id| name(snapshot.path(id))).collect();
        dead.sort();
        let moved = plan.moved.iter().map(|(id, to)| format!("{} {}", name(snapshot.path(*id)), name(to)));
        [read, dead, moved.collect()]
    }
}

/// Writes a text of fixed length with an old time.
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{text:<60}")).unwrap();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
}

#[test]
fn only_named_paths_are_checked() {
    let indexed = Indexed::new(&["a", "b", "c/d", "c/e/f", "c-g/h"]);
    for name in ["a", "c/d", "c/e/f", "c-g/h"] {
        fs::write(indexed.at(name), "new").unwrap();
    }
    fs::remove_file(indexed.at("b")).unwrap();
    for (changed, read, dead) in [
        (&["a"][..], &["a"][..], &["a"][..]),
        (&["b"], &[], &["b"]),
        (&["c"], &["c/d", "c/e/f"], &["c/d", "c/e/f"]),
        (&["c", "c/e", "c/d"], &["c/d", "c/e/f"], &["c/d", "c/e/f"]),
        (&["c/e"], &["c/e/f"], &["c/e/f"]),
        (&["never", "never/was", "c/e/f/below"], &[], &[]),
        (&[""], &["a", "c-g/h", "c/d", "c/e/f"], &["a", "b", "c-g/h", "c/d", "c/e/f"]),
    ] {
        let [mut found_read, found_dead, moved] = indexed.plan(changed);
        found_read.sort();
        assert_eq!((found_read, found_dead, moved.len()), (strings(read), strings(dead), 0), "{changed:?}");
    }
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_change_with_the_same_size_and_time_is_found_by_the_next_walk_and_files_are_compared_once() {
    let mut indexed = Indexed::new(&["a", "c/d"]);
    let text = |indexed: &Indexed| {
        let snapshot = indexed.updater.snapshot();
        snapshot.files().map(|file| snapshot.file(file).hash).collect::<Vec<_>>()
    };
    let state = |indexed: &Indexed| indexed.updater.snapshot().manifest().clone();
    let before = (text(&indexed), state(&indexed));
    write(&indexed.at("a"), "other");
    indexed.updater.update_all(&Silent).unwrap();
    assert_ne!(text(&indexed), before.0, "it was read anew");
    let after = state(&indexed);
    assert!(before.1.walked.is_some() && after.walked > before.1.walked);
    // Only the ctime differs: nothing is indexed again, and compared files are not compared again. The ctime may be
    // too early.
    std::thread::sleep(Duration::from_nanos(CLOCK_TICK as u64));
    write(&indexed.at("c/d"), "c/d");
    indexed.updater.update_all(&Silent).unwrap();
    let compared = state(&indexed);
    assert_eq!((compared.content, compared.segments), (after.content, after.segments));
    assert!(compared.walked > after.walked);
}

#[test]
fn a_change_with_the_same_size_and_time_is_found_if_the_file_is_named() {
    let indexed = Indexed::new(&["a", "c/d"]);
    write(&indexed.at("a"), "other");
    write(&indexed.at("c/d"), "other");
    assert_eq!(indexed.plan(&["a"])[0], ["a"]);
    assert_eq!(indexed.plan(&["c/d"])[0], ["c/d"]);
    assert_eq!(indexed.plan(&["c"]), NOTHING, "a stated limit");
}

#[test]
fn moved_files_are_recognised_by_their_content_unless_their_name_changes_how_they_are_read() {
    let names: Vec<String> = (0..500).map(|number| format!("one/{number}.txt")).collect();
    let mut indexed = Indexed::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    fs::rename(indexed.at("one"), indexed.at("two")).unwrap();
    fs::rename(indexed.at("two/7.txt"), indexed.at("two/7.rs")).unwrap();
    fs::rename(indexed.at("two/8.txt"), indexed.at("two/txt")).unwrap();
    let [read, dead, moved] = indexed.plan(&["one", "two"]);
    assert_eq!(read, ["two/7.rs", "two/txt"]);
    assert_eq!(dead, ["one/7.txt", "one/8.txt"]);
    assert_eq!(moved.len(), 498);
    assert!(moved.contains(&"one/9.txt two/9.txt".to_owned()));
    let paths = ["one", "two"].map(|name| indexed.at(name));
    indexed.updater.update_paths(&paths, &Silent).unwrap();
    assert_eq!(indexed.plan(&[""]), NOTHING);
}

#[test]
fn names_need_not_be_text() {
    let mut indexed = Indexed::new(&["a"]);
    let odd = OsStr::from_bytes(b"odd \xff");
    let paths = [indexed.at(odd), indexed.at("a")];
    write(&paths[0], "odd");
    indexed.updater.update_paths(&paths, &Silent).unwrap();
    let has = |indexed: &Indexed| {
        let snapshot = indexed.updater.snapshot();
        snapshot.files().any(|file| snapshot.path(file) == Path::new(odd))
    };
    assert!(has(&indexed));
    fs::remove_file(&paths[0]).unwrap();
    indexed.updater.update_paths(&paths, &Silent).unwrap();
    assert!(!has(&indexed));
}

#[test]
fn paths_outside_of_the_corpus_are_ignored() {
    let mut indexed = Indexed::new(&["a"]);
    let above = indexed.corpus.base.parent().unwrap().to_owned();
    write(&above.join("beside"), "beside");
    let paths = [above.clone(), above.join("beside")];
    assert!(indexed.updater.update_paths(&paths, &Silent).unwrap().is_empty());
    assert_eq!(indexed.updater.snapshot().files().count(), 1);
}

#[test]
fn files_in_a_folder_that_cannot_be_listed_completely_are_neither_new_nor_removed() {
    let indexed = Indexed::new(&["a/one", "a/two", "b"]);
    let found = corpus::walk_paths(
        &indexed.corpus,
        &WalkRules::default(),
        &Default::default(),
        &[indexed.at("a/one")],
        &PathScope::default(),
    );
    let unknown = PathScope::new([Path::new("a")]);
    let walked_part = WalkedPart { scope: None, unknown: &unknown, walked: None };
    let snapshot = indexed.updater.snapshot();
    let plan = Plan::new(&indexed.corpus, snapshot, found.unwrap().files, &walked_part, 1 << 20, &|| false);
    let dead: Vec<&Path> = plan.dead.iter().map(|&id| snapshot.path(id)).collect();
    assert_eq!((plan.read.len(), dead), (0, vec![Path::new("b")]));
}

#[test]
fn a_malformed_rule_neither_keeps_nor_doubles_a_document() {
    let rules = WalkRules { hidden: true, ..WalkRules::default() };
    let mut indexed = Indexed::with(&["a", "b"], Some(rules));
    fs::write(indexed.at(".ignore"), "{b\n{a\n").unwrap();
    fs::remove_file(indexed.at("b")).unwrap();
    for _ in 0..2 {
        indexed.updater.update_all(&Silent).unwrap();
        let snapshot = indexed.updater.snapshot();
        let mut names: Vec<&Path> = snapshot.files().map(|file| snapshot.path(file)).collect();
        names.sort();
        assert_eq!(names, [Path::new(".ignore"), Path::new("a")]);
    }
}

/// Takes the corpus away as soon as its files are to be read.
struct Unplugging {
    root: PathBuf,
    aside: PathBuf,
}

impl Observer for Unplugging {
    fn progress(&self, _: Progress) {}

    fn committed(&self, _: &Snapshot) {}

    fn is_cancelled(&self) -> bool {
        let _ = fs::rename(&self.root, &self.aside);
        false
    }
}

#[test]
fn a_root_that_is_lost_while_its_files_are_read_keeps_its_documents() {
    let mut indexed = Indexed::new(&["a.txt", "b.txt"]);
    write(&indexed.at("a.txt"), "something else");
    let (root, changed) = (indexed.at(""), indexed.at("a.txt"));
    let observer = Unplugging { aside: root.with_file_name("elsewhere"), root };
    let error = indexed.updater.update_paths(std::slice::from_ref(&changed), &observer).unwrap_err();
    assert!(error.to_string().contains("cannot reach"), "{error}");
    assert_eq!(indexed.updater.snapshot().totals().documents, 2);
    fs::rename(&observer.aside, &observer.root).unwrap();
    indexed.updater.update_paths(&[changed], &Silent).unwrap();
    assert_eq!(indexed.updater.snapshot().totals().documents, 2);
}
