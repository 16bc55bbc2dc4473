//! Lists the files of a tree or of the index, as `git ls-tree` and `git ls-files` print them.
//!
//! A few kilobytes of objects can name more files than fit into any memory, as folders in which the same folder lies many
//! times. So a list has a limit.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;

use super::error::ChangeError;
use super::git::{Git, Wanted};
use super::objects::ObjectId;

/// The most files of a tree or an index. The largest repositories have some million.
const MOST_FILES: usize = 4_000_000;
/// The most bytes of all paths together.
const MOST_BYTES: usize = 256 << 20;
/// The longest path, in bytes: the longest one that a system opens. It limits how deep folders are too.
const LONGEST_PATH: usize = 4096;

/// The longest line before the end of a path: with its mode and the name of its object.
const LONGEST_LINE: u64 = LONGEST_PATH as u64 + 96;
/// How many lines `--debug` adds to an entry of the index.
const KNOWN_LINES: usize = 5;
/// How much is read from git at a time, in bytes.
const BUFFER: usize = 1 << 16;

/// Bits of the flags of an entry of the index.
const SKIP_WORKTREE: u32 = 1 << 30;
const INTENT_TO_ADD: u32 = 1 << 29;

/// The files of a tree or of the index, sorted by path.
#[derive(Default)]
pub(super) struct State {
    paths: Vec<u8>,
    pub(super) entries: Vec<Entry>,
}

/// A file of a state.
pub(super) struct Entry {
    path: Range<usize>,
    pub(super) id: ObjectId,
    pub(super) mode: Mode,
    /// What the index has besides.
    pub(super) known: Known,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    File,
    Link,
    /// Another repository.
    Repository,
    /// A folder that is not checked out.
    Sparse,
}

/// What the index knows of a file.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// When the file was changed, in seconds and nanoseconds.
    pub(super) mtime: (u32, u32),
    /// The size of the file modulo 2^32.
    pub(super) size: u32,
    /// Whether it is one side of a conflict.
    pub(super) is_unmerged: bool,
    /// Whether it is not checked out, by a sparse checkout.
    pub(super) is_skipped: bool,
    /// Whether it is only to be added later.
    pub(super) is_intended: bool,
}

impl State {
    /// The path of an entry.
    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        &self.paths[entry.path.clone()]
    }

    /// The files of a tree.
    pub(super) fn of_tree(git: &Git, tree: ObjectId, is_wanted: Wanted) -> Result<Self, ChangeError> {
        let tree = tree.to_string();
        let words = ["ls-tree", "-r", "-z", "--full-tree", &tree];
        Self::printed(git, &words.map(OsStr::new), None, is_wanted)
    }

    /// The files of the index, or of another file like it.
    pub(super) fn of_index(git: &Git, file: Option<&Path>, is_wanted: Wanted) -> Result<Self, ChangeError> {
        Self::printed(git, &["ls-files", "--stage", "--debug", "-z"].map(OsStr::new), file, is_wanted)
    }

    /// The files that a command of git prints.
    pub(super) fn printed(
        git: &Git,
        words: &[&OsStr],
        index: Option<&Path>,
        is_wanted: Wanted,
    ) -> Result<Self, ChangeError> {
        let mut running = BufReader::with_capacity(BUFFER, git.start(words, index, is_wanted)?);
        let mut state = Self::default();
        match state.fill(&mut running, words[0] == "ls-files") {
            Ok(()) => git.end(running.into_inner(), false).map(|_| state),
            Err(error) if error.kind() == ErrorKind::QuotaExceeded => {
                Err(ChangeError::TooLarge(git.root.clone()))
            }
            Err(error) => Err(git.ended(error)),
        }
    }

    /// Reads `100644 blob 0123… TAB path NUL` of a tree, and `100644 0123… 0 TAB path NUL` of an index, behind which other
    /// lines follow.
    fn fill(&mut self, running: &mut impl BufRead, is_index: bool) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = running.by_ref().take(LONGEST_LINE).read_until(0, &mut line)?;
            if length == 0 {
                return Ok(());
            }
            let is_too_long = length as u64 == LONGEST_LINE && line.last() != Some(&0);
            if is_too_long || self.entries.len() == MOST_FILES || self.paths.len() > MOST_BYTES {
                return Err(ErrorKind::QuotaExceeded.into());
            }
            let wrong = || io::Error::new(ErrorKind::InvalidData, "git prints its files in another form");
            let tab = line.iter().position(|byte| *byte == b'\t').ok_or_else(wrong)?;
            let mut words = line[..tab].split(|byte| *byte == b' ');
            let (mode, second, third) = (words.next(), words.next(), words.next());
            let (id, stage) = if is_index { (second, third) } else { (third, None) };
            let id = id.and_then(ObjectId::from_hex).ok_or_else(wrong)?;
            let mode = match mode.unwrap_or_default() {
                b"160000" => Mode::Repository,
                b"040000" => Mode::Sparse,
                mode if mode.starts_with(b"100") => Mode::File,
                _ => Mode::Link,
            };
            let mut known = Known::default();
            if is_index {
                known = read_known(running)?;
                known.is_unmerged = stage != Some(b"0");
            }
            let start = self.paths.len();
            self.paths.extend_from_slice(line[tab + 1..].strip_suffix(&[0]).unwrap_or_default());
            self.entries.push(Entry { path: start..self.paths.len(), id, mode, known });
        }
    }
}

/// Reads the lines that `--debug` adds to an entry: `  mtime: 17:5`, `  size: 9 TAB flags: 0`, and others. A number that is
/// not there is zero, so that the entry stands for no file.
fn read_known(running: &mut impl BufRead) -> io::Result<Known> {
    let mut known = Known::default();
    let mut line = String::new();
    for _ in 0..KNOWN_LINES {
        line.clear();
        running.by_ref().take(LONGEST_LINE).read_line(&mut line)?;
        let line = line.trim();
        if let Some((seconds, nanos)) = line.strip_prefix("mtime: ").and_then(|time| time.split_once(':')) {
            known.mtime = (seconds.parse().unwrap_or(0), nanos.parse().unwrap_or(0));
        } else if let Some((size, flags)) =
            line.strip_prefix("size: ").and_then(|line| line.split_once("\tflags: "))
        {
            known.size = size.parse().unwrap_or(0);
            let flags = u32::from_str_radix(flags, 16).unwrap_or(0);
            (known.is_skipped, known.is_intended) = (flags & SKIP_WORKTREE != 0, flags & INTENT_TO_ADD != 0);
        }
    }
    Ok(known)
}
