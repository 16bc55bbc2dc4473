//! The corpus: which files belong to it, how they become text, and which of them changed.
//!
//! This room does not know tokens or the index. The corpus is only read, never written.

mod choice;
mod decode;
mod exclusions;
mod handles;
pub mod lossless;
mod portions;
mod read;
mod records;
mod resolve;
mod rule_files;
mod unread;
mod walk;
mod watch;

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::storage::{in_words, one_line, shown};

pub use choice::{FileChoice, FileMatcher};
pub use decode::{Text, decode, decode_owned};
pub use exclusions::{Exclusions, PathScope};
pub use handles::raise_limit;
pub use lossless::LosslessPath;
pub use portions::{part, portions};
#[cfg(any(test, feature = "testing"))]
pub use read::failing;
pub use read::{hash, read, read_stream, stamp, stamp_of_file};
pub use records::{Record, Records};
pub use resolve::{MountedRoots, read_list};
pub use unread::Unread;
pub use walk::{Walked, check, walk, walk_paths};
pub use watch::{Watch, WatchEvent, Watcher};

/// What is indexed: one or more roots below a common base folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corpus {
    /// The real (canonical, absolute) folder that document paths are relative to.
    #[serde(with = "lossless")]
    pub base: PathBuf,
    /// The real paths, files or folders at or below `base`, that are walked.
    #[serde(with = "lossless::list")]
    pub roots: Vec<PathBuf>,
}

/// Which files below the roots are documents; the meanings are ripgrep's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkRules {
    /// Include hidden files and folders.
    pub hidden: bool,
    /// Do not apply `.gitignore`, `.ignore` and similar files.
    pub no_ignore: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Globs that include files, or exclude them with a leading `!`.
    pub globs: Vec<String>,
    /// File types by ripgrep's names; empty for all.
    pub types: Vec<String>,
    /// File types that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types_not: Vec<String>,
    /// The largest file that is read, in bytes.
    pub max_filesize: u64,
}

/// Formats in which a file holds several documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formats {
    /// In `.jsonl` and `.ndjson` files each line is a document; its text is the string in this field.
    pub jsonl: Option<String>,
}

impl Formats {
    /// Only JSONL, with the text in this field.
    pub fn of_jsonl(field: &str) -> Self {
        Self { jsonl: Some(field.to_owned()) }
    }
}

/// Size and time of a file: unchanged files are recognised by them without being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970.
    pub mtime: i64,
}

/// A regular file that belongs to the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// Relative to [`Corpus::base`].
    pub path: PathBuf,
    /// Its stamp when it was found.
    pub stamp: Stamp,
    /// Time of the last status change (ctime) in nanoseconds since 1970. No tool can set this time back.
    pub changed: i64,
}

/// A file, or a record of a file, that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Relative to [`Corpus::base`].
    #[serde(with = "lossless")]
    pub path: PathBuf,
    /// Why.
    pub reason: SkipReason,
    /// How many further entries of this file and kind of reason are counted but not listed. Only the last listed
    /// entry has a number other than 0.
    #[serde(default, skip_serializing_if = "is_none")]
    pub more: u64,
}

fn is_none(more: &u64) -> bool {
    *more == 0
}

impl Skipped {
    /// How many entries are listed for one file and kind of reason; further ones are counted.
    pub const LISTED: usize = 10;

    /// A single entry.
    pub fn new(path: impl Into<PathBuf>, reason: SkipReason) -> Self {
        Self { path: path.into(), reason, more: 0 }
    }

    /// How many skipped files or records this entry stands for.
    pub fn count(&self) -> u64 {
        1 + self.more
    }

    /// How many files and records were skipped in all.
    pub fn count_all(list: &[Self]) -> u64 {
        list.iter().map(Self::count).sum()
    }

    /// Lists the first few entries of each file and kind of reason, and counts the others. The list must be sorted
    /// by path and line. Applying it twice changes nothing.
    pub fn first_of_each(list: Vec<Self>) -> Vec<Self> {
        let mut kept: Vec<Self> = Vec::with_capacity(list.len());
        // For the current file: each kind of reason, the index of its last entry in `kept`, and the number of
        // entries.
        let mut kinds: Vec<(Cow<'static, str>, usize, usize)> = Vec::new();
        for entry in list {
            if kept.last().is_none_or(|last| last.path != entry.path) {
                kinds.clear();
            }
            let kind = entry.reason.category();
            match kinds.iter_mut().find(|(known, ..)| *known == kind) {
                Some((_, last, Self::LISTED)) => kept[*last].more += entry.count(),
                Some((_, last, listed)) => {
                    (*last, *listed) = (kept.len(), *listed + 1);
                    kept.push(entry);
                }
                None => {
                    kinds.push((kind, kept.len(), 1));
                    kept.push(entry);
                }
            }
        }
        kept
    }
}

/// The maximal number of characters quoted from a line of an ignore file.
const RULE: usize = 400;

/// Why a file or record was skipped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "reason", content = "detail")]
pub enum SkipReason {
    /// It has no bytes.
    #[error("empty")]
    Empty,
    /// It holds NUL bytes or other bytes that do not occur in text.
    #[error("binary")]
    Binary,
    /// It is larger than [`WalkRules::max_filesize`].
    #[error("larger than --max-filesize ({0} bytes)")]
    TooLarge(u64),
    /// Files are read whole, and the memory limit has no room for it.
    #[error("larger than --memory allows ({0} bytes)")]
    TooLargeForMemory(u64),
    /// A FIFO, socket or device.
    #[error("not a regular file ({0})")]
    NotRegular(String),
    /// It was listed but no longer exists.
    #[error("vanished")]
    Vanished,
    /// The system refuses to list or read it; trying again does not help.
    #[error("unreadable: {0}")]
    Unreadable(String),
    /// The system could not list or read it now: no file handle or memory was left, or the disk failed. Another
    /// attempt may succeed.
    #[error("cannot be read now: {0}")]
    NotNow(String),
    /// A malformed line of an ignore file; its other lines apply.
    #[error("{}", one_line(.0, RULE))]
    BadRule(String),
    /// A file with its ignore rules cannot be read: what the rules exclude is not known.
    #[error("its ignore rules are unknown: {0}; correct or remove that file, or use --no-ignore")]
    Rules(String),
    /// The user decided to leave it out.
    #[error("left out by you")]
    LeftOut,
    /// A symbolic link that leads back to a folder above it.
    #[error("symlink loop")]
    SymlinkLoop,
    /// A line of a JSONL file without a string in the requested field.
    #[error("line {0} has no text in the field")]
    BadRecord(u64),
}

impl SkipReason {
    /// Whether the file exists but could not be read. Its content is unknown then, so what is indexed of it is
    /// kept.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::NotNow(_))
    }

    /// The kind of reason, without details of one file.
    pub fn category(&self) -> Cow<'static, str> {
        match self {
            Self::TooLarge(_) => "larger than --max-filesize".into(),
            Self::TooLargeForMemory(_) => "larger than --memory allows".into(),
            Self::NotRegular(_) => "not a regular file".into(),
            Self::Rules(_) => "ignore rules that cannot be read".into(),
            Self::BadRule(_) => "malformed line of an ignore file".into(),
            Self::BadRecord(_) => "lines without a text in the field".into(),
            other => other.to_string().into(),
        }
    }
}

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// Valid UTF-8.
    Utf8,
    /// Valid UTF-8 after a byte-order mark.
    Utf8Bom,
    /// UTF-16, little-endian, after a byte-order mark.
    Utf16Le,
    /// UTF-16, big-endian, after a byte-order mark.
    Utf16Be,
    /// Anything else that looks like text.
    Windows1252,
}

impl Default for WalkRules {
    fn default() -> Self {
        Self {
            hidden: false,
            no_ignore: false,
            follow: false,
            globs: Vec::new(),
            types: Vec::new(),
            types_not: Vec::new(),
            max_filesize: 64 << 20,
        }
    }
}

/// Why a corpus cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A path does not exist or is not accessible.
    #[error("cannot reach {}: {}; check the path and its permissions", shown(path), in_words(source))]
    Unreachable {
        /// The path as it was given.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The corpus, or what was said of it, cannot be used: a sentence that says why.
    #[error("{0}")]
    Wrong(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(path: &str, lines: std::ops::Range<u64>) -> Vec<Skipped> {
        lines.map(|line| Skipped::new(path, SkipReason::BadRecord(line))).collect()
    }

    #[test]
    fn of_each_file_and_kind_the_first_few_are_kept_and_the_others_counted() {
        let mut list = [bad("a", 1..1001), bad("b", 3..6)].concat();
        list.push(Skipped::new("b", SkipReason::Unreadable("why".to_owned())));
        let kept = Skipped::first_of_each(list.clone());
        assert_eq!(kept.len(), Skipped::LISTED + 4);
        assert_eq!(kept[..9], list[..9]);
        let expected = Skipped { more: 990, ..list[9].clone() };
        assert_eq!((&kept[9], &kept[10..]), (&expected, &list[1000..]));
        assert_eq!(Skipped::count_all(&kept), 1004);
        assert_eq!(Skipped::first_of_each(kept.clone()), kept, "once more changes nothing");
    }

    #[test]
    fn entries_of_older_versions_are_read_and_a_single_entry_is_written_as_before() {
        let old = r#"{"path":"a","reason":{"reason":"bad-record","detail":3}}"#;
        let read: Skipped = serde_json::from_str(old).unwrap();
        assert_eq!(read, Skipped::new("a", SkipReason::BadRecord(3)));
        assert_eq!(serde_json::to_string(&read).unwrap(), old);
    }
}
