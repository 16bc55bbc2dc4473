//! Lists the files of a corpus in parallel, with ripgrep's rules.
//!
//! A file excluded by a rule is not part of the corpus. A file of the corpus that cannot be a document – a FIFO, a
//! file that is too large, a folder that cannot be listed, or whose rules cannot be read – is reported with the reason. So
//! is a file or folder that the user left out; nothing below such a folder is looked at.
//!
//! Limit: a folder that is moved within the corpus during a walk may be missed in both places; the watcher or the
//! next walk finds it.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs::{FileType, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, Error, WalkBuilder, WalkState};

use super::choice::{FileChoice, FileMatcher};
use super::exclusions::{Exclusions, LeftOut};
use super::read::{nanoseconds, special, stamp_of};
use super::rule_files::{RefusedRules, refused_in, refused_of_user};
use super::{Corpus, CorpusError, FoundFile, PathScope, SkipReason, Skipped, WalkRules, handles};
use crate::storage::shown;

/// The result of a walk.
#[derive(Debug, Default, PartialEq)]
pub struct Walked {
    /// The files, sorted by path.
    pub files: Vec<FoundFile>,
    /// The skipped files, sorted by path.
    pub skipped: Vec<Skipped>,
    /// The folders that were entered and roots that are files, absolute: the paths to watch.
    pub folders: Vec<PathBuf>,
}

/// Walks the whole corpus. `seen` is called from time to time with the number of files found so far; `cancel` ends the
/// walk early.
///
/// # Errors
/// When a glob or type is invalid, or a root no longer exists.
pub fn walk(
    corpus: &Corpus,
    rules: &WalkRules,
    exclusions: &Exclusions,
    threads: usize,
    cancel: &AtomicBool,
    seen: &(dyn Fn(u64) + Sync),
) -> Result<Walked, CorpusError> {
    check_roots(corpus)?;
    let compiled = CompiledRules::new(corpus, rules)?;
    let left_out = LeftOut::new(corpus, rules, exclusions);
    let mut walked = Walked::default();
    let roots: Vec<&PathBuf> = corpus.roots.iter().filter(|root| !left_out.takes(root)).collect();
    check_rules(rules, &roots)?;
    let mut roots = roots.into_iter();
    if let Some(first) = roots.next() {
        let mut builder = compiled.builder(first);
        for root in roots {
            builder.add(root);
        }
        builder.threads(threads.clamp(1, handles::max_open()));
        let entries = left_out.clone();
        builder.filter_entry(move |entry| !entries.takes_entry(entry));
        walked = collect(corpus, rules, &builder, cancel, seen);
        // A root may have vanished during the walk.
        check_roots(corpus)?;
    }
    walked.leave_out(&left_out);
    Ok(walked.sorted())
}

/// Walks some files and folders of the corpus (absolute paths) that changed. Paths that no longer exist are not in
/// the result. A file in `known`, by its relative path, is still part of the corpus; for any other file its folder
/// is listed, because the folder's rules decide.
///
/// # Errors
/// When a root no longer exists.
pub fn walk_paths(
    corpus: &Corpus,
    rules: &WalkRules,
    exclusions: &Exclusions,
    paths: &[PathBuf],
    known: &PathScope,
) -> Result<Walked, CorpusError> {
    check_roots(corpus)?;
    let scope = Arc::new(PathScope::new(paths.iter().map(PathBuf::as_path)));
    let is_root = |path: &Path| corpus.roots.iter().any(|root| root == path);
    let left_out = LeftOut::new(corpus, rules, exclusions);
    let mut found = Walked::default();
    let mut starts = BTreeSet::new();
    for path in paths.iter().filter(|path| !scope.is_above(path)) {
        let name = corpus.relative(path);
        // What lies below a folder that is left out is not met; the folder itself is, as an entry of the one above.
        if exclusions.by_user.is_above(&name) {
            continue;
        }
        match path.symlink_metadata() {
            Err(error) if SkipReason::from_io(&error) == SkipReason::Vanished => {}
            Ok(_) if is_root(path) && left_out.takes(path) => {}
            Ok(_) if exclusions.by_user.names(&name) => drop(starts.insert(path.parent().unwrap_or(path))),
            Ok(metadata) if metadata.is_file() && known.names(&name) => {
                found.add(name, rules, metadata.file_type(), || Ok(metadata));
            }
            // The walk starts one folder above: rules apply to the entries of a folder, not to the start of a walk.
            _ => drop(starts.insert(if is_root(path) { path } else { path.parent().unwrap_or(path) })),
        }
    }
    let starts: Vec<&Path> = starts.into_iter().filter(|start| is_root(start) || start.is_dir()).collect();
    if !starts.is_empty() {
        check_rules(rules, &corpus.roots)?;
    }
    // The walk opens the rules of all folders above its start.
    let is_refused = |above: &Path| !is_root(above) && left_out.refuses(above);
    let is_open = |start: &&Path| {
        let mut below_root = start.ancestors().take_while(|above| above.starts_with(&corpus.base));
        !below_root.any(is_refused)
    };
    let mut starts = starts.into_iter().filter(is_open);
    if let Some(first) = starts.next() {
        let mut builder = CompiledRules::new(corpus, rules)?.builder(first);
        for start in starts {
            builder.add(start);
        }
        let (scope, entries) = (Arc::clone(&scope), left_out.clone());
        builder.filter_entry(move |entry| {
            (entry.depth() == 0 || scope.contains(entry.path())) && !entries.takes_entry(entry)
        });
        for entry in builder.build() {
            match entry {
                Ok(entry) => found.take(corpus, rules, &entry),
                Err(error) => found.refuse(corpus, &error, None),
            }
        }
    }
    check_roots(corpus)?;
    found.leave_out(&left_out);
    found.folders.retain(|folder| scope.contains(folder));
    Ok(found.sorted())
}

/// A missing root is an error and not an empty corpus: perhaps a disk was removed.
pub(super) fn check_roots(corpus: &Corpus) -> Result<(), CorpusError> {
    let check = |root: &PathBuf| match root.symlink_metadata() {
        Ok(_) => Ok(()),
        Err(source) => Err(CorpusError::Unreachable { path: root.clone(), source }),
    };
    corpus.roots.iter().try_for_each(check)
}

/// The rules of the roots, of the folders above them and of the user apply to all of a corpus: it cannot be walked without
/// them.
fn check_rules(rules: &WalkRules, roots: &[impl AsRef<Path>]) -> Result<(), CorpusError> {
    if rules.no_ignore {
        return Ok(());
    }
    let folders: BTreeSet<&Path> =
        roots.iter().map(AsRef::as_ref).filter(|root| root.is_dir()).flat_map(Path::ancestors).collect();
    let refused = folders.into_iter().find_map(refused_in).or_else(refused_of_user);
    let Some(RefusedRules { file, why }) = refused else { return Ok(()) };
    let file = shown(&file);
    Err(CorpusError::Wrong(format!(
        "{file} {why}, so its ignore rules are unknown; correct or remove that file, or use --no-ignore"
    )))
}

/// Checks the rules without walking.
///
/// # Errors
/// When a glob or type is invalid.
pub fn check(corpus: &Corpus, rules: &WalkRules) -> Result<(), CorpusError> {
    CompiledRules::new(corpus, rules).map(drop)
}

/// The rules compiled for the walker.
struct CompiledRules<'a> {
    rules: &'a WalkRules,
    matcher: FileMatcher,
}

impl<'a> CompiledRules<'a> {
    fn new(corpus: &Corpus, rules: &'a WalkRules) -> Result<Self, CorpusError> {
        let WalkRules { globs, types, types_not, .. } = rules.clone();
        Ok(Self { rules, matcher: FileChoice { globs, types, types_not }.matcher(&corpus.base)? })
    }

    fn builder(&self, root: &Path) -> WalkBuilder {
        let mut builder = WalkBuilder::new(root);
        builder
            .standard_filters(!self.rules.no_ignore)
            .hidden(!self.rules.hidden)
            .follow_links(self.rules.follow)
            .overrides(self.matcher.overrides.clone());
        if let Some(types) = &self.matcher.types {
            builder.types(types.clone());
        }
        builder
    }
}

fn collect(
    corpus: &Corpus,
    rules: &WalkRules,
    builder: &WalkBuilder,
    cancel: &AtomicBool,
    seen: &(dyn Fn(u64) + Sync),
) -> Walked {
    /// How many files are found between two calls of `seen`.
    const INTERVAL: u64 = 256;
    let all = Mutex::new(Walked::default());
    let count = AtomicU64::new(0);
    builder.build_parallel().run(|| {
        let mut mine = ThreadResult { walked: Walked::default(), all: &all };
        let (count, corpus) = (&count, corpus);
        Box::new(move |entry| {
            if cancel.load(Relaxed) {
                return WalkState::Quit;
            }
            match entry {
                Ok(entry) => mine.walked.take(corpus, rules, &entry),
                Err(error) => mine.walked.refuse(corpus, &error, None),
            }
            let number = count.fetch_add(1, Relaxed);
            if number.is_multiple_of(INTERVAL) {
                seen(number);
            }
            WalkState::Continue
        })
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner).sorted()
}

/// The result of one thread; added to the others when it is dropped.
struct ThreadResult<'a> {
    walked: Walked,
    all: &'a Mutex<Walked>,
}

impl Drop for ThreadResult<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.files.append(&mut self.walked.files);
        all.skipped.append(&mut self.walked.skipped);
        all.folders.append(&mut self.walked.folders);
    }
}

impl Walked {
    fn sorted(mut self) -> Self {
        self.files.sort_unstable_by(|a, b| by_components(&a.path, &b.path));
        self.files.dedup_by(|a, b| a.path == b.path);
        self.skipped.sort_by_cached_key(|left| (left.path.clone(), left.reason.to_string()));
        self.skipped.dedup();
        self.folders.sort_unstable();
        self.folders.dedup();
        self
    }

    /// Adds what was left out. Folders whose rules cannot be read are watched too, until they can.
    fn leave_out(&mut self, left_out: &LeftOut) {
        let (skipped, folders) = left_out.met();
        self.skipped.extend(skipped);
        self.folders.extend(folders);
    }

    fn take(&mut self, corpus: &Corpus, rules: &WalkRules, entry: &DirEntry) {
        if let Some(error) = entry.error() {
            self.refuse(corpus, error, Some(entry.path()));
        }
        let Some(kind) = entry.file_type() else { return };
        if kind.is_dir() || entry.depth() == 0 {
            self.folders.push(entry.path().to_owned());
        }
        if kind.is_dir() {
            return;
        }
        if kind.is_symlink() {
            return;
        }
        let metadata = || entry.metadata().map_err(|error| reason_of(&error));
        self.add(corpus.relative(entry.path()), rules, kind, metadata);
    }

    fn add(
        &mut self,
        path: PathBuf,
        rules: &WalkRules,
        kind: FileType,
        metadata: impl FnOnce() -> Result<Metadata, SkipReason>,
    ) {
        let stamp = |metadata: Metadata| match metadata.len() {
            0 => Err(SkipReason::Empty),
            length if length > rules.max_filesize => Err(SkipReason::TooLarge(length)),
            _ => Ok((stamp_of(&metadata), nanoseconds(metadata.ctime(), metadata.ctime_nsec()))),
        };
        let outcome = match special(kind) {
            Some(special) => Err(SkipReason::NotRegular(special.to_owned())),
            None => metadata().and_then(stamp),
        };
        match outcome {
            Ok((stamp, changed)) => self.files.push(FoundFile { path, stamp, changed }),
            // A file that vanished during the walk is not reported.
            Err(SkipReason::Vanished) => {}
            Err(reason) => self.skipped.push(Skipped::new(path, reason)),
        }
    }

    fn refuse(&mut self, corpus: &Corpus, error: &Error, at: Option<&Path>) {
        let mut inner = error;
        let mut path = at.map(Path::to_owned);
        loop {
            inner = match inner {
                Error::WithPath { path: found, err } => {
                    path = Some(found.clone());
                    err
                }
                Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => err,
                Error::Loop { child, .. } => {
                    let path = corpus.relative(child);
                    self.skipped.push(Skipped::new(path, SkipReason::SymlinkLoop));
                    return;
                }
                Error::Partial(errors) => {
                    errors.iter().for_each(|error| self.refuse(corpus, error, path.as_deref()));
                    return;
                }
                _ => break,
            };
        }
        let reason = reason_of(inner);
        if reason != SkipReason::Vanished {
            let path = path.map_or_else(PathBuf::new, |path| corpus.relative(&path));
            self.skipped.push(Skipped::new(path, reason));
        }
    }
}

/// The order of `Path`, for paths as a walk makes them: with one separator between two names. The standard library looks at
/// each name of both.
fn by_components(a: &Path, b: &Path) -> Ordering {
    let (a, b) = (a.as_os_str().as_bytes(), b.as_os_str().as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    // A name ends before a longer one that begins with it.
    let rank = |byte: Option<&u8>| byte.map_or(0, |&byte| if byte == b'/' { 1 } else { u16::from(byte) + 2 });
    rank(a.get(same)).cmp(&rank(b.get(same)))
}

/// The skip reason of a walker's error. An error that is not from the system is from an ignore rule.
fn reason_of(error: &Error) -> SkipReason {
    error.io_error().map_or_else(|| SkipReason::BadRule(error.to_string()), SkipReason::from_io)
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
