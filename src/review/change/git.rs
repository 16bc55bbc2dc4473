//! Runs the program git in a repository.
//!
//! A repository may come from anywhere: git runs no program that its configuration or its attributes name, follows no
//! variable that points elsewhere, and uses no network. Control files that would never end, as a FIFO, are found before git
//! is run. What git waits for all the same, as the target of `include.path`, ends with an error on Linux when git neither
//! prints nor works. Git is killed when nobody wants its answer any more, and when this process ends.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "two calls of the system between fork and exec")
)]

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::error::ChangeError;
use super::running::{Running, Wanted};
use dupi_base::corpus::SkipReason;
use dupi_base::storage::{in_words, shown};

/// Variables for git that are kept: where git and the settings of the user are. All others are of a hook that runs this
/// program, or would make git look elsewhere.
const KEPT: [&str; 4] = ["GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/// Settings that take precedence over those of the repository. The commands that are used here ask for no others by which
/// a program is run.
const SETTINGS: [&str; 7] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.alternateRefsCommand=false",
    "core.sshCommand=false",
    "log.showSignature=false",
    "protocol.allow=never",
];

/// Files of a repository that git reads, in its own folder or in the one that it shares with other working trees.
const CONTROL_FILES: [&str; 14] = [
    "HEAD",
    "config",
    "config.worktree",
    "commondir",
    "index",
    "packed-refs",
    "shallow",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "reftable/tables.list",
];

/// How much memory git may take for data, in bytes: large files are read by it as a whole.
const MEMORY: u64 = 4 << 30;
/// Where a repository is.
#[derive(Clone, Debug)]
pub(super) struct Git {
    /// Its working tree, or its own folder if it is bare.
    pub(super) root: PathBuf,
    /// Its own folder, `.git`.
    folder: PathBuf,
    /// The folder that it shares with other working trees of the same repository.
    common: PathBuf,
}

impl Git {
    /// The repository that a folder lies in, the innermost one; `None` without one. As git does, this stays on one file system.
    pub(super) fn find(place: &Path) -> Result<Option<Self>, ChangeError> {
        let device = |folder: &Path| folder.metadata().map(|found| found.dev()).ok();
        let own = device(place);
        for root in place.ancestors().take_while(|above| device(above) == own) {
            let inside = root.join(".git");
            let found = if_there(&inside, inside.metadata())?;
            let leads = found.as_ref().is_some_and(|found| !found.is_dir());
            let named = if leads { root.join(pointed(&inside, "gitdir: ")?) } else { inside.clone() };
            for folder in found.map(|_| named).into_iter().chain([root.to_owned()]) {
                if is_repository(&folder)? {
                    let is_inside = folder == root && root.ends_with(".git");
                    let root = root.parent().filter(|_| is_inside).unwrap_or(root);
                    return Self::checked(root.to_owned(), folder).map(Some);
                }
                if leads {
                    let detail = format!(
                        "{} leads to no repository; `git worktree repair` may mend it",
                        shown(&inside)
                    );
                    return Err(ChangeError::Git { path: root.to_owned(), detail });
                }
            }
        }
        Ok(None)
    }

    /// Checks that no control file makes git wait.
    fn checked(root: PathBuf, folder: PathBuf) -> Result<Self, ChangeError> {
        let shared = folder.join("commondir");
        let common = match shared.symlink_metadata() {
            Ok(_) => folder.join(pointed(&shared, "")?),
            Err(_) => folder.clone(),
        };
        let git = Self { root, folder, common };
        for name in CONTROL_FILES {
            git.check(name.as_ref())?;
        }
        Ok(git)
    }

    /// Checks that a file of the repository, if it is there, is one that ends.
    pub(super) fn check(&self, name: &Path) -> Result<(), ChangeError> {
        [&self.folder, &self.common].iter().try_for_each(|folder| check_file(&folder.join(name)))
    }

    /// Where a file of this working tree is, as the index.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where a file is that all working trees share.
    pub(super) fn shared(&self, name: &Path) -> PathBuf {
        self.common.join(name)
    }

    pub(super) fn failed(&self, detail: impl ToString) -> ChangeError {
        ChangeError::Git { path: self.root.clone(), detail: detail.to_string() }
    }

    /// Starts git. With `index`, another index than the repository's is read.
    pub(super) fn start<'w, A: AsRef<OsStr>>(
        &self,
        arguments: &[A],
        index: Option<&Path>,
        is_wanted: Wanted<'w>,
    ) -> Result<Running<'w>, ChangeError> {
        if !is_wanted() {
            return Err(ChangeError::Stopped);
        }
        let (program, folders) = program().ok_or(ChangeError::NoGit)?;
        let mut command = Command::new(program);
        for (name, _) in env::vars_os() {
            if name.as_bytes().starts_with(b"GIT_") && !KEPT.iter().any(|kept| name == *kept) {
                command.env_remove(name);
            }
        }
        command
            .env("PATH", folders)
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_LITERAL_PATHSPECS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C");
        if let Some(index) = index {
            command.env("GIT_INDEX_FILE", index);
        }
        command.arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        // Who names the folder is not asked whom it belongs to.
        command.arg("--git-dir").arg(&self.folder).args(arguments).current_dir(&self.root);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        bind_to_this_process(&mut command);
        let child = command.spawn().map_err(|error| self.failed(in_words(&error)))?;
        Ok(Running::new(child, is_wanted))
    }

    /// What git prints, without the last line end, and whether it succeeds; it fails in silence by ending with 1.
    pub(super) fn run<A: AsRef<OsStr>>(
        &self,
        arguments: &[A],
        is_wanted: Wanted,
    ) -> Result<(bool, OsString), ChangeError> {
        let mut printed = Vec::new();
        let mut running = self.start(arguments, None, is_wanted)?;
        running.read_to_end(&mut printed).map_err(|error| self.ended(error))?;
        let is_done = self.end(running, true)?;
        printed.pop_if(|last| *last == b'\n');
        Ok((is_done, OsString::from_vec(printed)))
    }

    /// Waits until git has ended. Returns whether it succeeded; otherwise it fails, unless it `may_refuse` by ending with 1.
    pub(super) fn end(&self, mut running: Running, may_refuse: bool) -> Result<bool, ChangeError> {
        match running.wait().map_err(|error| self.ended(error))? {
            (Some(0), _) => Ok(true),
            (Some(1), _) if may_refuse => Ok(false),
            // Of malloc or of inflate.
            (_, said) if said.to_lowercase().contains("out of memory") => {
                Err(self.failed("git has too little memory for a large file, or for too many files"))
            }
            (_, said) => Err(self.failed(said)),
        }
    }

    /// Why nothing more can be read from git.
    pub(super) fn ended(&self, error: io::Error) -> ChangeError {
        match error.kind() {
            ErrorKind::TimedOut => ChangeError::Waits(self.root.clone()),
            ErrorKind::ConnectionAborted => ChangeError::Stopped,
            _ => self.failed(error),
        }
    }
}

/// The program git, and the search path that it is given. It runs in the folder of a repository, to which an empty or
/// relative folder of the search path would lead: only absolute ones count.
fn program() -> Option<&'static (PathBuf, OsString)> {
    static FOUND: OnceLock<Option<(PathBuf, OsString)>> = OnceLock::new();
    let find = || {
        let known = env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
        let folders: Vec<PathBuf> = env::split_paths(&known).filter(|folder| folder.is_absolute()).collect();
        let is_program = |path: &PathBuf| {
            path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        };
        let program = folders.iter().map(|folder| folder.join("git")).find(is_program)?;
        Some((program, env::join_paths(folders).ok()?))
    };
    FOUND.get_or_init(find).as_ref()
}

/// What was found at a path, if something is there. What may not be seen is not taken for what is not there.
fn if_there(path: &Path, found: io::Result<Metadata>) -> Result<Option<Metadata>, ChangeError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(ChangeError::File(path.to_owned(), SkipReason::Unreadable(in_words(&error)))),
    }
}

/// Whether a folder has what a repository has.
fn is_repository(folder: &Path) -> Result<bool, ChangeError> {
    let is_there = |name: &str| {
        let path = folder.join(name);
        if_there(&path, path.symlink_metadata()).map(|found| found.is_some())
    };
    Ok(is_there("HEAD")? && (is_there("commondir")? || (is_there("objects")? && is_there("refs")?)))
}

/// The path that a small file names behind a word.
fn pointed(file: &Path, word: &str) -> Result<PathBuf, ChangeError> {
    let mut bytes = Vec::new();
    check_file(file)?;
    let read = dupi_base::corpus::read(file, 1 << 16, &mut bytes);
    read.map_err(|reason| ChangeError::File(file.to_owned(), reason))?;
    let path = bytes.strip_prefix(word.as_bytes()).unwrap_or_default();
    Ok(OsStr::from_bytes(path.trim_ascii_end()).into())
}

/// Refuses what git would wait for, as a FIFO. A folder ends at once: a branch `main/x` makes one of the name `main`.
pub(super) fn check_file(path: &Path) -> Result<(), ChangeError> {
    match path.metadata() {
        Ok(found) if !found.is_file() && !found.is_dir() => Err(ChangeError::NotRegular(path.to_owned())),
        _ => Ok(()),
    }
}

/// Has the system kill a program when the thread that starts it ends, and limits its memory.
fn bind_to_this_process(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{
            Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit,
        };
        let Rlimit { current, maximum } = getrlimit(Resource::Data);
        let at_most = |limit: Option<u64>| Some(limit.map_or(MEMORY, |limit| limit.min(MEMORY)));
        let (current, maximum) = (at_most(current), at_most(maximum));
        let prepare = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            Ok(setrlimit(Resource::Data, Rlimit { current, maximum })?)
        };
        // SAFETY: between fork and exec it makes two system calls, and nothing else: no lock is taken, no memory allocated.
        unsafe { command.pre_exec(prepare) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (command, MEMORY);
}
