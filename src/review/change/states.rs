//! Which files differ between two states of a repository, their lines, and which removed file an added one comes from.
//!
//! A change may end in the working tree, so renames are looked for here, as git does: equal texts first, then the most
//! similar ones of which at least half of the lines agree.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::files::{Entry, Mode, State};
use super::lines::{ChangedFile, ChangedLines, hunks, hunks_towards, lines_of};
use super::objects::ObjectId;
use xxhash_rust::xxh3::xxh3_64;

use dupi_base::corpus::Stamp;

/// A file that may be changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Its path.
    pub path: PathBuf,
    /// What it was.
    pub former: Option<ObjectId>,
    /// What it is.
    pub target: Target,
}

/// What a file is behind a change.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// What is in the working tree.
    File,
    /// An object. What is in the working tree may differ from it.
    Blob(ObjectId),
    /// Nothing.
    Gone,
}

/// The files that differ between two states, given what git says of them before and after.
pub(super) fn between(base: &State, target: &State) -> Vec<Candidate> {
    let mut found = Vec::new();
    for_each_path(base, target, |path, former, entry| {
        let (former, new) = (former.and_then(blob), entry.and_then(blob));
        let is_left_out = |entry: &Entry| is_other(entry) || entry.known.is_unmerged;
        if former != new && !entry.is_some_and(is_left_out) {
            let target = new.map_or(Target::Gone, Target::Blob);
            found.push(Candidate { path: path_of(path), former, target });
        }
    });
    found
}

/// The files that may differ between a state and the working tree. `differing` is what the state has of the files in which
/// it differs from the index, and `present` are the documents in the working tree. An entry of the index
/// with the time and size of the file stands for it, unless it is as young as the index, which was written at `written`.
pub(super) fn in_working_tree(
    differing: &State,
    (index, written): (&State, i64),
    root: &Path,
    present: &[(PathBuf, Stamp)],
) -> Vec<Candidate> {
    let mut files: Vec<(&[u8], &Stamp)> =
        present.iter().map(|(path, stamp)| (path.as_os_str().as_bytes(), stamp)).collect();
    // As the entries are sorted.
    files.sort_by_key(|(path, _)| *path);
    let mut files = files.into_iter().peekable();
    let mut untracked: Vec<&[u8]> = Vec::new();
    let mut closed: Vec<&[u8]> = Vec::new();
    let mut found = Vec::new();
    for_each_path(differing, index, |path, former, entry| {
        while let Some((before, _)) = files.next_if(|(file, _)| *file < path) {
            untracked.push(before);
        }
        let stamp = files.next_if(|(file, _)| *file == path).map(|(_, stamp)| stamp);
        if entry.is_some_and(is_other) {
            closed.push(path);
            return;
        }
        let former = former.or(entry).and_then(blob);
        let is_clean =
            |entry: &Entry, stamp: &Stamp| !entry.known.is_unmerged && stands_for(entry, stamp, written);
        match (stamp, entry) {
            (Some(stamp), Some(entry)) if former == blob(entry) && is_clean(entry, stamp) => {}
            (Some(_), _) => found.push(Candidate { path: path_of(path), former, target: Target::File }),
            // What is no document now is no removed one either.
            (None, entry) => {
                let path = path_of(path);
                let is_gone = || root.join(&path).symlink_metadata().is_err();
                if former.is_some() && !entry.is_some_and(is_absent) && is_gone() {
                    found.push(Candidate { path, former, target: Target::Gone });
                }
            }
        }
    });
    let mut repositories = HashMap::new();
    for path in untracked.into_iter().chain(files.map(|(path, _)| path)) {
        let is_below = |folder: &&[u8]| path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with(b"/"));
        let path_buf = path_of(path);
        if !closed.iter().any(is_below) && !is_in_other(root, &path_buf, &mut repositories) {
            found.push(Candidate { path: path_buf, former: None, target: Target::File });
        }
    }
    found
}

/// Passes each path of two sorted states with its first entries in them.
fn for_each_path<'s>(
    a: &'s State,
    b: &'s State,
    mut take: impl FnMut(&'s [u8], Option<&'s Entry>, Option<&'s Entry>),
) {
    let (mut left, mut right) = (a.entries.iter().peekable(), b.entries.iter().peekable());
    loop {
        let paths = (left.peek().map(|entry| a.path(entry)), right.peek().map(|entry| b.path(entry)));
        let path = match paths {
            (Some(one), Some(other)) => one.min(other),
            (Some(path), None) | (None, Some(path)) => path,
            (None, None) => return,
        };
        let mut first = None;
        while let Some(entry) = left.next_if(|entry| a.path(entry) == path) {
            first = first.or(Some(entry));
        }
        let mut second = None;
        while let Some(entry) = right.next_if(|entry| b.path(entry) == path) {
            second = second.or(Some(entry));
        }
        take(path, first, second);
    }
}

pub(super) fn path_of(path: &[u8]) -> PathBuf {
    PathBuf::from(std::ffi::OsStr::from_bytes(path))
}

/// The object of an entry that is a regular file.
pub(super) fn blob(entry: &Entry) -> Option<ObjectId> {
    (entry.mode == Mode::File && !entry.known.is_intended).then_some(entry.id)
}

/// Whether an entry is of another repository.
fn is_other(entry: &Entry) -> bool {
    entry.mode == Mode::Repository
}

/// Whether an entry is not checked out: of a sparse checkout.
fn is_absent(entry: &Entry) -> bool {
    entry.mode == Mode::Sparse || entry.known.is_skipped
}

/// Whether a file with a stamp is as it was when an entry was made.
fn stands_for(entry: &Entry, stamp: &Stamp, written: i64) -> bool {
    let (seconds, nanos) = entry.known.mtime;
    // Some programs write no nanoseconds.
    let second = 1_000_000_000;
    let comparable = |time: i64| if nanos == 0 { time.div_euclid(second) * second } else { time };
    let mtime = i64::from(seconds) * second + i64::from(nanos);
    let is_same_size = u64::from(entry.known.size) == stamp.size & u64::from(u32::MAX);
    comparable(stamp.mtime) == mtime && is_same_size && comparable(written) > mtime
}

/// Whether a file that no entry names lies in another repository below this one, or behind a symbolic link: git sees only
/// the link.
pub(super) fn is_in_other(root: &Path, path: &Path, known: &mut HashMap<PathBuf, bool>) -> bool {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return false };
    if let Some(&is_in) = known.get(folder) {
        return is_in;
    }
    let real = root.join(folder);
    let is_in =
        real.is_symlink() || real.join(".git").symlink_metadata().is_ok() || is_in_other(root, folder, known);
    known.insert(folder.to_owned(), is_in);
    is_in
}

/// The texts of a candidate.
pub(super) struct Texts {
    /// Its path.
    pub path: PathBuf,
    /// Before the change, if it existed; empty for what is not text.
    pub former: Option<String>,
    /// Behind the change, if that is not what the working tree has.
    pub target: Option<String>,
    /// In the working tree, if it is there.
    pub new: Option<String>,
}

fn text(of: Option<&String>) -> &str {
    of.map_or("", String::as_str)
}

/// The changed lines of some texts. Added files are paired with removed ones.
pub(super) fn changed_lines(texts: &[Texts]) -> ChangedLines {
    let is_added = |of: &&Texts| of.former.is_none() && of.new.is_some();
    let is_removed = |of: &&Texts| of.former.is_some() && of.new.is_none();
    let added: Vec<&Texts> = texts.iter().filter(is_added).collect();
    let removed: Vec<&Texts> = texts.iter().filter(is_removed).collect();
    let froms: Vec<&str> = removed.iter().map(|of| text(of.former.as_ref())).collect();
    let tos: Vec<&str> = added.iter().map(|of| text(of.new.as_ref())).collect();
    let from = renames(&froms, &tos);
    let renamed: HashMap<&Path, &Texts> = added
        .iter()
        .zip(&from)
        .filter_map(|(to, from)| Some((to.path.as_path(), removed[(*from)?])))
        .collect();
    let taken: Vec<&Path> = renamed.values().map(|from| from.path.as_path()).collect();
    let mut changed = ChangedLines::new();
    for of in texts {
        let source = renamed.get(of.path.as_path());
        let former = source.map_or(&of.former, |from| &from.former);
        let plain = text(former.as_ref());
        let mut towards = |target: &str, new: &str| {
            let (hunks, is_lost) = hunks_towards(plain, target, new);
            if is_lost {
                changed.note_absent(of.path.clone());
            }
            hunks
        };
        let file = match (&of.new, &of.target) {
            (Some(new), target) => ChangedFile {
                former: source.map(|from| from.path.clone()),
                existed: former.is_some(),
                is_removed: false,
                hunks: match target {
                    Some(target) => towards(target, new),
                    None => hunks(plain, new),
                },
            },
            (None, _) if taken.contains(&of.path.as_path()) => continue,
            (None, _) => ChangedFile::removal(plain),
        };
        changed.add(of.path.clone(), file);
    }
    changed
}

/// The most pairs that are compared; with more, only equal texts are paired.
const MOST_PAIRS: usize = 1 << 16;

/// For each added text the index of the removed text that it comes from, if there is one. Each removed text is taken once.
fn renames(removed: &[&str], added: &[&str]) -> Vec<Option<usize>> {
    let mut from = vec![None; added.len()];
    let mut is_taken = vec![false; removed.len()];
    let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, text) in removed.iter().enumerate().rev().filter(|(_, text)| !text.is_empty()) {
        by_text.entry(text).or_default().push(number);
    }
    for (number, text) in added.iter().enumerate() {
        if let Some(same) = by_text.get_mut(text).and_then(Vec::pop) {
            (from[number], is_taken[same]) = (Some(same), true);
        }
    }
    if removed.len().saturating_mul(added.len()) > MOST_PAIRS {
        return from;
    }
    let bags: Vec<LineBag> = removed.iter().map(|text| LineBag::from_text(text)).collect();
    let mut pairs = Vec::new();
    for (to, text) in added.iter().enumerate().filter(|(to, _)| from[*to].is_none()) {
        let bag = LineBag::from_text(text);
        let open = bags.iter().enumerate().filter(|(number, _)| !is_taken[*number]);
        pairs.extend(open.filter_map(|(number, other)| Some((Reverse(bag.shared(other)?), to, number))));
    }
    pairs.sort_unstable();
    for (_, to, number) in pairs {
        if from[to].is_none() && !is_taken[number] {
            (from[to], is_taken[number]) = (Some(number), true);
        }
    }
    from
}

/// The lines of a text with their bytes, without their order.
struct LineBag {
    lines: HashMap<u64, (u64, u64)>,
    bytes: u64,
}

impl LineBag {
    fn from_text(text: &str) -> Self {
        let mut lines: HashMap<u64, (u64, u64)> = HashMap::new();
        for line in lines_of(text) {
            let (count, bytes) = lines.entry(xxh3_64(line.trim_end().as_bytes())).or_default();
            (*count, *bytes) = (*count + 1, line.len() as u64);
        }
        Self { lines, bytes: text.len() as u64 }
    }

    /// The bytes of the lines that both have, if they are at least half of the larger text.
    fn shared(&self, other: &Self) -> Option<u64> {
        let most = self.bytes.max(other.bytes);
        if self.bytes.min(other.bytes) * 2 < most {
            return None;
        }
        let both = |(line, (count, bytes)): (&u64, &(u64, u64))| {
            other.lines.get(line).map_or(0, |(theirs, _)| count.min(theirs) * bytes)
        };
        let shared: u64 = self.lines.iter().map(both).sum();
        (shared > 0 && shared * 2 >= most).then_some(shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_come_first_then_the_most_similar() {
        let [a, b, c] = ["a\nb\nc\nd\n", "a\nb\nX\nd\n", "q\nr\ns\n"];
        assert_eq!(renames(&[a, c], &[c, b]), [Some(1), Some(0)]);
        assert_eq!(renames(&[b, a], &[a]), [Some(1)]);
        assert_eq!(renames(&[c], &[a, b]), [None, None]);
        assert_eq!(renames(&[a], &["a\nb\nX\nY\nZ\n", b]), [None, Some(0)], "each is taken once");
        assert_eq!(renames(&[a], &["a\nX\nY\nZ\n"]), [None], "less than half");
        assert_eq!(renames(&["", ""], &["", "a"]), [None, None], "empty files come from nowhere");
        assert_eq!(renames(&[], &[a]), [None]);
    }
}
