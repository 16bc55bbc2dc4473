use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;

use proptest::prelude::*;

use super::*;
use crate::storage::shown;

struct Folder {
    _folder: tempfile::TempDir,
    corpus: Corpus,
    left_out: Vec<PathBuf>,
}

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let corpus = Corpus::resolve(&[folder.path().to_owned()]).unwrap();
        Self { _folder: folder, corpus, left_out: Vec::new() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.corpus.base.join(name)
    }

    fn leaving_out(self, names: &[&str]) -> Self {
        Self { left_out: names.iter().map(PathBuf::from).collect(), ..self }
    }

    fn exclusions(&self) -> Exclusions {
        let by_user = PathScope::new(self.left_out.iter().map(PathBuf::as_path));
        Exclusions { index: Some(self.at("index")), by_user: Arc::new(by_user) }
    }

    fn walk(&self, rules: &WalkRules) -> Walked {
        let walked = |threads| walk_with(&self.corpus, rules, &self.exclusions(), threads).unwrap();
        assert_eq!(walked(1), walked(4));
        walked(2)
    }

    /// What a walk of some paths finds.
    fn changed(&self, names: &[&str], known: &PathScope) -> Walked {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.at(name)).collect();
        walk_paths(&self.corpus, &WalkRules::default(), &self.exclusions(), &paths, known).unwrap()
    }

    fn names(&self, rules: &WalkRules) -> Vec<String> {
        found(&self.walk(rules)).0
    }
}

fn walk_with(
    corpus: &Corpus,
    rules: &WalkRules,
    exclusions: &Exclusions,
    threads: usize,
) -> Result<Walked, CorpusError> {
    walk(corpus, rules, exclusions, threads, &AtomicBool::new(false), &|_| {})
}

/// The files and the skipped paths of a walk.
fn found(walked: &Walked) -> (Vec<String>, Vec<String>) {
    let files = walked.files.iter().map(|file| shown(&file.path).to_string());
    let skipped = walked.skipped.iter().map(|left| format!("{}: {}", shown(&left.path), left.reason));
    (files.collect(), skipped.collect())
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn ignored_and_hidden_files_and_the_index_are_not_part_of_the_corpus() {
    let folder = Folder::new(&[
        ("b.txt", "b"),
        ("a/c.rs", "c"),
        (".hidden", "h"),
        (".ignore", "*.log\n"),
        ("x.log", "l"),
        ("index/1.segment", "s"),
    ]);
    assert_eq!(folder.names(&WalkRules::default()), ["a/c.rs", "b.txt"]);
    let all = WalkRules { hidden: true, no_ignore: true, ..WalkRules::default() };
    assert_eq!(folder.names(&all), [".hidden", ".ignore", "a/c.rs", "b.txt", "x.log"]);
    let globs = WalkRules { globs: vec!["*.rs".into()], ..WalkRules::default() };
    assert_eq!(folder.names(&globs), ["a/c.rs"]);
    let without = WalkRules { globs: vec!["!a/**".into()], ..WalkRules::default() };
    assert_eq!(folder.names(&without), ["b.txt"]);
    let types = WalkRules { types: vec!["rust".into()], ..WalkRules::default() };
    assert_eq!(folder.names(&types), ["a/c.rs"]);
}

#[test]
fn bad_globs_and_types_are_named() {
    let folder = Folder::new(&[("a", "a")]);
    let glob = WalkRules { globs: vec!["[".into()], ..WalkRules::default() };
    let kind = WalkRules { types: vec!["nonsuch".into()], ..WalkRules::default() };
    for (rules, part) in [(glob, "--glob ["), (kind, "nonsuch: no such file type")] {
        let error = walk_with(&folder.corpus, &rules, &Exclusions::default(), 1).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn what_cannot_be_a_document_is_skipped_with_its_reason() {
    let folder = Folder::new(&[("big", "0123456789"), ("empty", ""), ("fine", "x"), ("sub/x", "x")]);
    fifo(&folder.at("fifo"));
    let _socket = UnixListener::bind(folder.at("socket")).unwrap();
    symlink(folder.at(""), folder.at("sub/loop")).unwrap();
    symlink("/nowhere/at/all", folder.at("dangling")).unwrap();
    let rules = WalkRules { max_filesize: 9, follow: true, ..WalkRules::default() };
    let expected = [
        ("big", SkipReason::TooLarge(10)),
        ("empty", SkipReason::Empty),
        ("fifo", SkipReason::NotRegular("FIFO".into())),
        ("socket", SkipReason::NotRegular("socket".into())),
        ("sub/loop", SkipReason::SymlinkLoop),
    ];
    assert_eq!(folder.walk(&rules).skipped, expected.map(|(path, reason)| Skipped::new(path, reason)));
    let unfollowed = folder.walk(&WalkRules::default());
    assert!(unfollowed.skipped.iter().all(|left| left.reason != SkipReason::SymlinkLoop));
}

#[test]
fn a_root_that_is_a_file_is_a_document_whatever_the_rules_say() {
    let folder = Folder::new(&[(".hidden", "h"), (".ignore", ".hidden\n")]);
    let corpus = Corpus::resolve(&[folder.at(".hidden")]).unwrap();
    let walked = walk_with(&corpus, &WalkRules::default(), &Exclusions::default(), 1).unwrap();
    assert_eq!(walked.files[0].path, Path::new(".hidden"));
}

#[test]
fn a_root_that_is_gone_is_an_error_and_not_an_empty_corpus() {
    let folder = Folder::new(&[("a", "a")]);
    fs::remove_dir_all(folder.at("")).unwrap();
    let error = walk_with(&folder.corpus, &WalkRules::default(), &Exclusions::default(), 1).unwrap_err();
    assert!(matches!(error, CorpusError::Unreachable { .. }));
}

#[test]
fn a_walk_of_some_paths_finds_what_a_walk_of_all_finds_there() {
    let folder = Folder::new(&[
        (".ignore", "*.log\n"),
        ("a/one", "1"),
        ("a/two", "2"),
        ("a/deep/three", "3"),
        ("a/deep/x.log", "l"),
        ("a-b/four", "4"),
        ("five", "5"),
    ]);
    let whole = folder.walk(&WalkRules::default());
    for names in [
        &["a"][..],
        &["a/one", "a/two"],
        &["a", "a/deep", "a/deep/three"],
        &["a/deep", "gone", "gone/below", "five"],
        &["a/deep/x.log"],
        &[""],
    ] {
        let paths: Vec<PathBuf> = names.iter().map(|name| folder.at(name)).collect();
        let scope = PathScope::new(paths.iter().map(PathBuf::as_path));
        let there = |path: &Path| scope.contains(&folder.corpus.absolute(path));
        let files: Vec<&FoundFile> = whole.files.iter().filter(|file| there(&file.path)).collect();
        let folders: Vec<&PathBuf> = whole.folders.iter().filter(|folder| scope.contains(folder)).collect();
        // Known files take a shorter path.
        for known in
            [PathScope::default(), PathScope::new(whole.files.iter().map(|file| file.path.as_path()))]
        {
            let found = folder.changed(names, &known);
            assert_eq!(found.files.iter().collect::<Vec<_>>(), files, "{names:?}");
            assert_eq!(found.folders.iter().collect::<Vec<_>>(), folders, "{names:?}");
        }
    }
}

#[test]
fn a_known_file_is_checked_again() {
    let folder = Folder::new(&[("big", "0123456789"), ("empty", ""), ("folder/a", "a"), ("fine", "x")]);
    fifo(&folder.at("fifo"));
    symlink(folder.at("fine"), folder.at("link")).unwrap();
    let rules = WalkRules { max_filesize: 9, ..WalkRules::default() };
    let names = ["big", "empty", "fifo", "fine", "folder", "gone", "gone/below", "link"];
    let paths = names.map(|name| folder.at(name));
    let known = PathScope::new(names.iter().map(Path::new));
    let walked = walk_paths(&folder.corpus, &rules, &Exclusions::default(), &paths, &known).unwrap();
    let whole = walk_with(&folder.corpus, &rules, &Exclusions::default(), 1).unwrap();
    assert_eq!(walked, Walked { folders: vec![folder.at("folder")], ..whole });
}

#[test]
fn malformed_rules_are_reported_and_the_others_apply() {
    let folder = Folder::new(&[(".ignore", "{b\n*.log\n{a\n"), ("a", "a"), ("b.log", "b")]);
    let Walked { files, skipped, .. } = folder.walk(&WalkRules::default());
    assert_eq!(files.len(), 1);
    let reasons: Vec<String> = skipped.iter().map(|left| left.reason.to_string()).collect();
    assert!(skipped.iter().all(|left| matches!(left.reason, SkipReason::BadRule(_))), "{reasons:?}");
    assert!(reasons.len() == 2 && reasons[0].contains("{a"), "{reasons:?}");
    assert!(skipped.iter().all(|left| left.path == Path::new(".ignore")), "{skipped:?}");
}

#[test]
fn what_the_user_left_out_is_skipped_with_the_reason_and_not_entered() {
    let folder = Folder::new(&[
        ("a.txt", "a"),
        ("b.txt", "b"),
        ("vendor/c.txt", "c"),
        ("vendor/deep/d.txt", "d"),
        ("vendors/e.txt", "e"),
        (".ignore", "ignored\n"),
        ("ignored/f.txt", "f"),
    ]);
    let folder = folder.leaving_out(&["vendor", "b.txt", "gone", "ignored", "vendors/e.txt"]);
    let walked = folder.walk(&WalkRules::default());
    let left = ["b.txt", "vendor", "vendors/e.txt"].map(|name| format!("{name}: left out by you"));
    assert_eq!(found(&walked), (vec!["a.txt".to_owned()], left.to_vec()));
    assert_eq!(walked.folders, ["", "vendors"].map(|name| folder.at(name).components().collect::<PathBuf>()));
    // Nothing that is left out comes back because it changed, even if the index has it.
    let known = PathScope::new(["b.txt", "vendor/c.txt", "vendors/e.txt"].map(Path::new));
    let changed = |names: &[&str]| found(&folder.changed(names, &known));
    let none = Vec::<String>::new;
    assert_eq!(changed(&["vendor/c.txt", "vendor/deep", "vendor/new.txt"]), (none(), none()));
    assert_eq!(changed(&["b.txt", "vendor", "gone"]), (none(), left[..2].to_vec()));
    assert_eq!(changed(&["vendors"]), (none(), left[2..].to_vec()));
    assert_eq!(changed(&["a.txt"]), (vec!["a.txt".to_owned()], none()));
}

#[test]
fn a_root_can_be_left_out_and_names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let odd = Path::new(std::ffi::OsStr::from_bytes(b"b/\xff"));
    for path in [Path::new("a/x"), odd, Path::new("b/y")] {
        fs::create_dir_all(base.join(path).parent().unwrap()).unwrap();
        fs::write(base.join(path), "text").unwrap();
    }
    // A root that is a link is its target.
    symlink(base.join("b"), base.join("link")).unwrap();
    let corpus = Corpus::resolve(&[base.join("a"), base.join("link")]).unwrap();
    let walked = |left_out: &[&Path]| {
        let by_user = Arc::new(PathScope::new(left_out.iter().copied()));
        let exclusions = Exclusions { index: None, by_user };
        let rules = WalkRules::default();
        let whole = walk_with(&corpus, &rules, &exclusions, 2).unwrap();
        let again = walk_paths(&corpus, &rules, &exclusions, &corpus.roots, &PathScope::default()).unwrap();
        assert_eq!(found(&whole), found(&again));
        found(&whole)
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert_eq!(walked(&[Path::new("a")]), (words(&["b/y", "b/\\xff"]), words(&["a: left out by you"])));
    assert_eq!(walked(&[odd]), (words(&["a/x", "b/y"]), words(&["b/\\xff: left out by you"])));
    let all = [Path::new("a"), Path::new("b")];
    assert_eq!(walked(&all), (words(&[]), words(&["a: left out by you", "b: left out by you"])));
}

proptest! {
    #[test]
    fn paths_are_in_the_order_of_the_standard_library(
        a in "/?([ab.\\-0é]{1,3}/){0,3}[ab.\\-0é]{1,3}x", b in "/?([ab.\\-0é]{1,3}/){0,3}[ab.\\-0é]{1,3}x",
    ) {
        let is_plain = |path: &str| !path.split('/').any(|name| name == "." || name == "..");
        prop_assume!(is_plain(&a) && is_plain(&b));
        let (a, b) = (Path::new(&a), Path::new(&b));
        prop_assert_eq!(by_components(a, b), a.cmp(b));
        prop_assert_eq!(by_components(a, &a.join("b")), Ordering::Less);
    }
}

#[test]
fn a_folder_whose_rules_cannot_be_read_is_left_out_with_the_reason_and_watched() {
    let folder = Folder::new(&[("a/x", "x"), ("b/c/y", "y"), ("b/c/.git/info/e", ""), ("d/z", "z")]);
    fifo(&folder.at("a/.ignore"));
    fifo(&folder.at("b/c/.git/info/exclude"));
    let walked = folder.walk(&WalkRules::default());
    let why = |folder: &str, file: &str| {
        format!(
            "{folder}: its ignore rules are unknown: {file} is not a regular file (FIFO); correct or remove that file, \
             or use --no-ignore"
        )
    };
    let left = [why("a", ".ignore"), why("b/c", ".git/info/exclude")];
    assert_eq!(found(&walked), (vec!["d/z".to_owned()], left.to_vec()));
    let watched = ["", "a", "b", "b/c", "b/c/.git/info", "d"];
    assert_eq!(walked.folders, watched.map(|name| folder.corpus.base.join(name)));
    let without = WalkRules { no_ignore: true, ..WalkRules::default() };
    assert_eq!(folder.names(&without), ["a/x", "b/c/y", "d/z"]);
    // Changes below such a folder, and of it.
    let changed = |names: &[&str]| found(&folder.changed(names, &PathScope::default()));
    assert_eq!(changed(&["a/x", "b/c/y"]).1, left);
    assert_eq!(changed(&["a", "b"]).1, left);
    fs::remove_file(folder.at("a/.ignore")).unwrap();
    assert_eq!(changed(&["a", "b/c/y"]), (vec!["a/x".to_owned()], left[1..].to_vec()));
}

#[test]
fn a_corpus_whose_own_rules_cannot_be_read_is_an_error_that_names_the_file() {
    for file in [".ignore", "a/.gitignore"] {
        let folder = Folder::new(&[("a/x", "x"), ("a/b/y", "y")]);
        fifo(&folder.at(file));
        let corpus = Corpus::resolve(&[folder.at("a")]).unwrap();
        let rules = WalkRules::default();
        let none = Exclusions::default();
        let all = walk_with(&corpus, &rules, &none, 2);
        let some = walk_paths(&corpus, &rules, &none, &[folder.at("a/b")], &PathScope::default());
        for walked in [all, some] {
            let error = walked.unwrap_err().to_string();
            let named = format!("{} is not a regular file (FIFO)", shown(&folder.at(file)));
            assert!(error.starts_with(&named) && error.ends_with("use --no-ignore"), "{error}");
        }
        let one = Corpus::resolve(&[folder.at("a/x")]).unwrap();
        assert_eq!(walk_with(&one, &rules, &none, 2).unwrap().files.len(), 1);
    }
}
