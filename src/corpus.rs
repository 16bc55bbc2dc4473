//! The folder of documents: what belongs to it, how a file becomes text, and what changed.
//!
//! Nothing in this room knows of tokens or of the index. The corpus is only ever read.

mod decode;
mod disks;
mod handles;
mod lossless;
mod portions;
mod read;
mod records;
mod resolve;
mod scope;
mod unread;
mod walk;
mod watch;

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::storage::{in_words, one_line, shown};

pub use decode::{Text, decode, decode_owned};
pub use disks::Disks;
pub use handles::raise_limit;
pub use lossless::LosslessPath;
pub use portions::portions;
#[cfg(test)]
pub(crate) use read::failing;
pub use read::{hash, read, stamp};
pub use records::{Record, Records};
pub use scope::Scope;
pub use unread::Unread;
pub use walk::{Walked, check, walk, walk_paths};
pub use watch::{Change, WatchMode, Watcher};

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
    /// Also hidden files and folders.
    pub hidden: bool,
    /// Do not honour `.gitignore`, `.ignore` and their kin.
    pub no_ignore: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Globs that include, or with a leading `!` exclude.
    pub globs: Vec<String>,
    /// File types by ripgrep's names; empty for all.
    pub types: Vec<String>,
    /// The largest file that is read, in bytes.
    pub max_filesize: u64,
}

/// How a file may hold several documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formats {
    /// In `.jsonl` and `.ndjson` files each line is a document, the string in this field its text.
    pub jsonl: Option<String>,
}

/// What tells an unchanged file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// As it stood when it was found.
    pub stamp: Stamp,
    /// When the system last noted a change of it, in nanoseconds since 1970. No tool can set this time back.
    pub changed: i64,
}

/// A file, or a record of one, that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Relative to [`Corpus::base`].
    #[serde(with = "lossless")]
    pub path: PathBuf,
    /// Why.
    pub reason: SkipReason,
    /// How much more of this file was left out for reasons of this kind and is not listed; only the last one that
    /// is listed has any.
    #[serde(default, skip_serializing_if = "is_none")]
    pub more: u64,
}

fn is_none(more: &u64) -> bool {
    *more == 0
}

impl Skipped {
    /// Of one file so many lines are listed that were left out for one kind of reason; the others are counted.
    pub const LISTED: usize = 10;

    /// Something that was left out, and nothing more of it.
    pub fn new(path: impl Into<PathBuf>, reason: SkipReason) -> Self {
        Self { path: path.into(), reason, more: 0 }
    }

    /// For how many it stands.
    pub fn count(&self) -> u64 {
        1 + self.more
    }

    /// How many were left out in all.
    pub fn count_all(list: &[Self]) -> u64 {
        list.iter().map(Self::count).sum()
    }

    /// The first few of each file and kind of reason, with the others counted. Of lists that are in the order of
    /// paths and lines, and may have been made so before.
    pub fn first_of_each(list: Vec<Self>) -> Vec<Self> {
        let mut kept: Vec<Self> = Vec::with_capacity(list.len());
        // Of the file at hand: where the last one of each kind stands in what is kept, and how many there are.
        let mut kinds: Vec<(Cow<'static, str>, usize, usize)> = Vec::new();
        for entry in list {
            if kept.last().is_none_or(|last| last.path != entry.path) {
                kinds.clear();
            }
            let kind = entry.reason.in_general();
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

/// A line of an ignore file is quoted up to so many characters.
const RULE: usize = 400;

/// Why a file was left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "reason", content = "detail")]
pub enum SkipReason {
    /// It has no bytes.
    #[error("empty")]
    Empty,
    /// It holds NUL bytes or other signs of not being text.
    #[error("binary")]
    Binary,
    /// It is larger than [`WalkRules::max_filesize`].
    #[error("larger than --max-filesize ({0} bytes)")]
    TooLarge(u64),
    /// It is read whole, and the memory has no room for it.
    #[error("larger than --memory allows ({0} bytes)")]
    TooLargeForMemory(u64),
    /// A FIFO, socket or device.
    #[error("not a regular file ({0})")]
    NotRegular(String),
    /// It was there when the folder was listed and is no more.
    #[error("vanished")]
    Vanished,
    /// The system refused to list or read it, and will until somebody allows it.
    #[error("unreadable: {0}")]
    Unreadable(String),
    /// The system could not list or read it now: it had no handle or memory left, or the disk failed.
    #[error("cannot be read now: {0}")]
    NotNow(String),
    /// A line of an ignore file that cannot be made sense of; its other lines hold.
    #[error("{}", one_line(.0, RULE))]
    BadRule(String),
    /// A symbolic link that leads back to a folder above it.
    #[error("symlink loop")]
    SymlinkLoop,
    /// A line of a JSONL file without a string in the field asked for.
    #[error("line {0} has no text in the field")]
    BadRecord(u64),
}

impl SkipReason {
    /// Whether the file is there and could not be read, so that nobody knows what stands in it: what was read
    /// of it before still holds.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::NotNow(_))
    }

    /// The reason without what is only of one file.
    pub fn in_general(&self) -> Cow<'static, str> {
        match self {
            Self::TooLarge(_) => "larger than --max-filesize".into(),
            Self::TooLargeForMemory(_) => "larger than --memory allows".into(),
            Self::NotRegular(_) => "not a regular file".into(),
            Self::BadRule(_) => "a line of an ignore file without meaning".into(),
            Self::BadRecord(_) => "lines without a text in the field".into(),
            other => other.to_string().into(),
        }
    }
}

/// How the bytes of a file were turned into text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// Valid UTF-8.
    Utf8,
    /// Valid UTF-8 behind a byte-order mark.
    Utf8Bom,
    /// UTF-16, little-endian, behind a byte-order mark.
    Utf16Le,
    /// UTF-16, big-endian, behind a byte-order mark.
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
            max_filesize: 64 << 20,
        }
    }
}

/// Why a folder of documents cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A path leads nowhere, or may not be entered.
    #[error("cannot reach {}: {}; check the path and its permissions", shown(path), in_words(source))]
    Unreachable {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A root is an empty folder and was a mount point before.
    #[error(
        "cannot reach {}: it is an empty folder where a disk was mounted; mount the disk again, \
         or remove the index with dupi-tui clean", shown(.0)
    )]
    Away(PathBuf),
    /// No path was given.
    #[error("no files or folders were named; give at least one path")]
    Nothing,
    /// The list of paths cannot be read.
    #[error("cannot read the list of paths from standard input: {}", in_words(.0))]
    List(io::Error),
    /// A glob is malformed.
    #[error("--glob {glob}: {detail}; see the globs of .gitignore")]
    Glob {
        /// The glob as it was given.
        glob: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A file type has no definition.
    #[error("--type {0}: no such file type; the names are ripgrep's (rg --type-list)")]
    Type(String),
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
    fn what_an_older_program_wrote_is_read_and_what_is_alone_is_written_as_it_did() {
        let old = r#"{"path":"a","reason":{"reason":"bad-record","detail":3}}"#;
        let read: Skipped = serde_json::from_str(old).unwrap();
        assert_eq!(read, Skipped::new("a", SkipReason::BadRecord(3)));
        assert_eq!(serde_json::to_string(&read).unwrap(), old);
    }
}
