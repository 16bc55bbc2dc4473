//! Lists the files of a tree or of the index, as `git ls-tree` and `git ls-files` print them.
//!
//! A few kilobytes of objects can name more files than fit into any memory, as folders in which the same folder lies many
//! times. So a list has a limit.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;

use super::error::ChangeError;
use super::git::Git;
use super::objects::ObjectId;
use super::running::{Running, Wanted};

/// The most files of a tree or an index. The largest repositories have some million.
const MOST_FILES: usize = 4_000_000;
/// The most bytes of all paths together.
const MOST_BYTES: usize = 256 << 20;
/// The longest path, in bytes: the longest one that a system opens. It limits how deep folders are too.
const LONGEST_PATH: usize = 4096;

/// The longest line before the end of a path: with its mode and the name of its object.
const LONGEST_LINE: u64 = LONGEST_PATH as u64 + 96;
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
    /// It is not there.
    Absent,
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

impl Mode {
    /// The one with some octal digits.
    pub(super) fn parse(digits: &[u8]) -> Self {
        match digits {
            b"000000" => Self::Absent,
            b"040000" => Self::Sparse,
            b"160000" => Self::Repository,
            digits if digits.starts_with(b"100") => Self::File,
            _ => Self::Link,
        }
    }
}

impl State {
    /// The path of an entry.
    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        &self.paths[entry.path.clone()]
    }

    fn push(&mut self, path: &[u8], mode: &[u8], id: &[u8], known: Known) -> io::Result<()> {
        if self.entries.len() == MOST_FILES || self.paths.len() + path.len() > MOST_BYTES {
            return Err(ErrorKind::QuotaExceeded.into());
        }
        let id = ObjectId::from_hex(id).ok_or_else(strange)?;
        let mode = Mode::parse(mode);
        let start = self.paths.len();
        self.paths.extend_from_slice(path);
        self.entries.push(Entry { path: start..self.paths.len(), id, mode, known });
        Ok(())
    }

    /// The files of a tree, or only what is at some paths of it.
    pub(super) fn of_tree(git: &Git, words: &[&OsStr], is_wanted: Wanted) -> Result<Self, ChangeError> {
        let words = [&["ls-tree", "-z", "--full-tree"].map(OsStr::new), words].concat();
        // `100644 blob 0123… TAB path`
        read(git, git.start(&words, None, is_wanted)?, |records, state: &mut Self| {
            while let Some(line) = records.next()? {
                let [mode, _, id, path] = fields(line)?;
                state.push(path, mode, id, Known::default())?;
            }
            Ok(())
        })
    }

    /// The files of the index, or of another file like it.
    pub(super) fn of_index(git: &Git, file: Option<&Path>, is_wanted: Wanted) -> Result<Self, ChangeError> {
        let words = ["ls-files", "--stage", "--debug", "-z"].map(OsStr::new);
        // `100644 0123… 0 TAB path`, and other lines.
        read(git, git.start(&words, file, is_wanted)?, |records, state: &mut Self| {
            state.fill_from_index(records)
        })
    }

    fn fill_from_index(&mut self, records: &mut Records<impl BufRead>) -> io::Result<()> {
        while let Some(line) = records.next()? {
            let [mode, id, stage, path] = fields(line)?;
            let known = Known { is_unmerged: stage != b"0", ..Known::default() };
            self.push(path, mode, id, known)?;
            let last = self.entries.len() - 1;
            records.read_known(&mut self.entries[last].known)?;
        }
        Ok(())
    }

    /// The files in which two trees differ, or a tree and the index: as they were and as they are.
    pub(super) fn differing(
        git: &Git,
        words: &[&str],
        trees: &[ObjectId],
        index: Option<&Path>,
        is_wanted: Wanted,
    ) -> Result<[Self; 2], ChangeError> {
        let names: Vec<String> = trees.iter().map(ObjectId::to_string).collect();
        let words: Vec<&OsStr> =
            words.iter().copied().chain(names.iter().map(String::as_str)).map(OsStr::new).collect();
        let mut running = git.start(&words, index, is_wanted)?;
        // It compares before it prints, which would never end for trees that have too many files.
        if !running.prints_soon().map_err(|error| git.ended(error))? {
            for name in &names {
                Self::of_tree(git, &["-r".as_ref(), name.as_ref()], is_wanted)?;
            }
        }
        // `:100644 100644 0123… 4567… M`, and the path.
        read(git, running, |records, [old, new]: &mut [Self; 2]| {
            while let Some(line) = records.next()? {
                let line = line.strip_prefix(b":").ok_or_else(strange)?.to_vec();
                let [modes @ .., status] = &fields::<5>(&line)?;
                let path = records.next()?.ok_or_else(strange)?;
                old.push(path, modes[0], modes[2], Known::default())?;
                let known = Known { is_unmerged: *status == b"U", ..Known::default() };
                new.push(path, modes[1], modes[3], known)?;
            }
            Ok(())
        })
    }
}

/// Passes what git prints, and what is to be made of it, to `fill`.
fn read<'w, T: Default>(
    git: &Git,
    running: Running<'w>,
    fill: impl FnOnce(&mut Records<BufReader<Running<'w>>>, &mut T) -> io::Result<()>,
) -> Result<T, ChangeError> {
    let running = BufReader::with_capacity(BUFFER, running);
    let (mut records, mut made) = (Records { running, line: Vec::new() }, T::default());
    match fill(&mut records, &mut made) {
        Ok(()) => git.end(records.running.into_inner(), false).map(|_| made),
        Err(error) if error.kind() == ErrorKind::QuotaExceeded => {
            Err(ChangeError::TooLarge(git.root.clone()))
        }
        Err(error) => Err(git.ended(error)),
    }
}

fn strange() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "git prints its files in another form than is known")
}

/// The parts of a line: words, the last of which may be a path behind a tab.
fn fields<const N: usize>(line: &[u8]) -> io::Result<[&[u8]; N]> {
    let tab = line.iter().position(|byte| *byte == b'\t');
    let words = line[..tab.unwrap_or(line.len())].split(|byte| *byte == b' ');
    let mut all = words.chain(tab.map(|tab| &line[tab + 1..]));
    let mut found = [&line[..0]; N];
    for field in &mut found {
        *field = all.next().ok_or_else(strange)?;
    }
    Ok(found)
}

/// What git prints, record after record.
struct Records<R> {
    running: R,
    line: Vec<u8>,
}

impl<R: BufRead> Records<R> {
    /// The next record, which ends with NUL.
    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let length = self.running.by_ref().take(LONGEST_LINE).read_until(0, &mut self.line)?;
        match self.line.strip_suffix(&[0]) {
            Some(line) => Ok(Some(line)),
            None if length == 0 => Ok(None),
            None if length as u64 == LONGEST_LINE => Err(ErrorKind::QuotaExceeded.into()),
            None => Err(ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Reads the lines that `--debug` adds to a file, which are indented: `  mtime: 17:5`, `  size: 9 TAB flags: 0`, and
    /// others. What is not there is zero, so that the entry stands for no file.
    fn read_known(&mut self, known: &mut Known) -> io::Result<()> {
        while self.running.fill_buf()?.first() == Some(&b' ') {
            self.line.clear();
            self.running.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line)?;
            let line = self.line.trim_ascii();
            if let Some(time) = line.strip_prefix(b"mtime: ") {
                let colon = time.iter().position(|byte| *byte == b':').unwrap_or(time.len());
                known.mtime =
                    (number(&time[..colon], 10), number(time.get(colon + 1..).unwrap_or_default(), 10));
            } else if let Some(size) = line.strip_prefix(b"size: ") {
                let mut parts = size.split(|byte| *byte == b'\t');
                known.size = number(parts.next().unwrap_or_default(), 10);
                let flags = parts.find_map(|part| part.strip_prefix(b"flags: ")).unwrap_or_default();
                let flags = number(flags, 16);
                (known.is_skipped, known.is_intended) =
                    (flags & SKIP_WORKTREE != 0, flags & INTENT_TO_ADD != 0);
            }
        }
        Ok(())
    }
}

/// The number that some digits are; 0 for none.
fn number(digits: &[u8], radix: u32) -> u32 {
    std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, radix).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_index_knows_is_read_in_whatever_form_git_tells_it() {
        let id = "0123456789012345678901234567890123456789";
        let usual =
            "  ctime: 8:1\n  mtime: 17:5\n  dev: 3\tino: 4\n  uid: 0\tgid: 0\n  size: 9\tflags: 40000000\n";
        let other = "  size: 9\tflags: 40000000\tmore: 1\n  birth: 3\n  mtime: 17:5\n  a\n  b\n  c\n";
        let short = "  mtime: 17:5\n";
        let printed: String =
            [usual, other, short, ""].map(|debug| format!("100644 {id} 0\ta b\0{debug}")).concat();
        let mut state = State::default();
        state.fill_from_index(&mut Records { running: printed.as_bytes(), line: Vec::new() }).unwrap();
        let known = |of: &Entry| (of.known.mtime, of.known.size, of.known.is_skipped);
        let all: Vec<_> = state.entries.iter().map(known).collect();
        assert_eq!(all, [((17, 5), 9, true), ((17, 5), 9, true), ((17, 5), 0, false), ((0, 0), 0, false)]);
    }
}
