//! Why a change cannot be read.

use std::path::PathBuf;

use dupi_base::corpus::SkipReason;
use dupi_base::storage::shown;

/// Why a change cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// There is no repository.
    #[error("{} is in no git repository; name one with -C, or give a patch with --patch", shown(.0))]
    NoRepository(PathBuf),
    /// A bare repository.
    #[error("{} is a bare repository, which has no files: run this in a clone or a worktree", shown(.0))]
    Bare(PathBuf),
    /// No name of a main branch.
    #[error(
        "there is no main branch (origin/HEAD, main, master or trunk); name the base: dupi-tui review BASE"
    )]
    NoMainBranch,
    /// Not a commit.
    #[error("`{0}` names no commit of this repository; `git log {0}` tells more")]
    NoCommit(String),
    /// The common ancestor is not there.
    #[error(
        "HEAD and `{0}` have no common ancestor in this shallow clone; fetch more of the history, \
         as `git fetch --unshallow` does"
    )]
    Shallow(String),
    /// Two histories.
    #[error("HEAD and `{0}` have no common ancestor; name a commit of the history of HEAD as the base")]
    Unrelated(String),
    /// There is no program git.
    #[error("there is no program git, which reads repositories; install it, or give a patch with --patch")]
    NoGit,
    /// A control file of the repository that would never end.
    #[error("{} is not a regular file, so git would wait for it; put a regular file in its place", shown(.0))]
    NotRegular(PathBuf),
    /// Git waits for something that does not come.
    #[error(
        "git waits for a file of the repository {}, as a FIFO or one on a disk that does not answer; try `git status` there, \
         and put a regular file in its place",
        shown(.0)
    )]
    Waits(PathBuf),
    /// More files than fit into the memory.
    #[error(
        "a commit or the index of {} has more files, or longer paths, than can be compared (4 million files, 256 MiB of \
         paths); name a smaller repository with -C",
        shown(.0)
    )]
    TooLarge(PathBuf),
    /// Nobody wants to know any more.
    #[error("interrupted")]
    Stopped,
    /// Two histories, of a range.
    #[error(
        "no commit by first parents up to the end of the range is part of `{base}`; name a base that it began at"
    )]
    NoCommonBegin {
        /// The base of the range.
        base: String,
    },
    /// Another commit than the one that is checked out.
    #[error("`{0}` is not checked out; review reads the files of the working tree: check it out first")]
    NotHead(String),
    /// Git failed.
    #[error("cannot read the git repository {}: {}", shown(path), detail)]
    Git {
        /// The repository.
        path: PathBuf,
        /// Its message.
        detail: String,
    },
    /// A file of the working tree.
    #[error("cannot read {}: {}", shown(.0), .1)]
    File(PathBuf, SkipReason),
    /// A malformed patch.
    #[error("line {line} of the patch {wrong}")]
    Patch {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        wrong: &'static str,
    },
    /// A patch of other files.
    #[error(
        "the patch is not applied to {} ({how}){}; apply it first: `git apply` or `git checkout`",
        shown(path),
        more_files(*more)
    )]
    NotApplied {
        /// The first file.
        path: PathBuf,
        /// In what it differs.
        how: String,
        /// How many more files differ.
        more: usize,
    },
}

fn more_files(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " and to 1 more file".to_owned(),
        more => format!(" and to {more} more files"),
    }
}
