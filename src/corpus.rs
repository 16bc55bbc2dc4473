//! The folder of documents: what belongs to it, how a file becomes text, and what changed.
//!
//! Nothing in this room knows of tokens or of the index. The corpus is only ever read.

mod decode;
mod disks;
mod lossless;
mod portions;
mod read;
mod records;
mod resolve;
mod scope;
mod walk;
mod watch;

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::storage::in_words;

pub use decode::{Text, decode, decode_owned};
pub use disks::Disks;
pub use lossless::LosslessPath;
pub use portions::portions;
pub use read::{read, stamp};
pub use records::{Record, Records};
pub use scope::Scope;
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
}

/// A file, or a record of one, that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Relative to [`Corpus::base`].
    #[serde(with = "lossless")]
    pub path: PathBuf,
    /// Why.
    pub reason: SkipReason,
}

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
    /// The system refused to list or read it.
    #[error("unreadable: {0}")]
    Unreadable(String),
    /// A line of an ignore file that cannot be made sense of; its other lines hold.
    #[error("{0}")]
    BadRule(String),
    /// A symbolic link that leads back to a folder above it.
    #[error("symlink loop")]
    SymlinkLoop,
    /// A line of a JSONL file without a string in the field asked for.
    #[error("line {0} has no text in the field")]
    BadRecord(u64),
}

impl SkipReason {
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
    #[error("cannot reach {}: {}; check the path and its permissions", path.display(), in_words(source))]
    Unreachable {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A root is an empty folder and was a mount point before.
    #[error(
        "cannot reach {}: it is an empty folder where a disk was mounted; mount the disk again, \
         or remove the index with dupi-tui clean", .0.display()
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
