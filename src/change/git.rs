//! Runs the program git in a repository.
//!
//! A repository may come from anywhere: git runs no program that its configuration or its attributes name, follows no
//! variable that points elsewhere, and uses no network. Control files that would never end, as a FIFO, are found before git
//! is run. What git waits for all the same, as the target of `include.path`, ends with an error when git neither prints
//! nor works. Git is killed when nobody wants its answer any more, and when this process ends.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "two calls of the system between fork and exec")
)]

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};

use super::error::ChangeError;

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

/// How often a git that prints nothing is looked at.
const LOOKED_AT: Duration = Duration::from_millis(50);
/// How often one is looked at that has printed all.
const ENDS_SOON: Duration = Duration::from_millis(1);
/// After so many looks in a row without progress, a git that sleeps waits for something that does not come.
const ASLEEP: u32 = 40;
/// The same for one that waits for a disk, which may have to spin up, and where the system does not tell what it does.
const AT_DISK: u32 = 600;
/// How much memory git may take for data, in bytes: large files are read by it as a whole.
const MEMORY: u64 = 4 << 30;
/// After so many looks a git that compares trees has usually printed something.
const SOON: u32 = 20;
/// How much of git's messages is kept, in bytes.
const MOST_SAID: u64 = 1 << 14;

/// Whether an answer is still wanted.
pub type Wanted<'w> = &'w dyn Fn() -> bool;

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
        let device =
            |folder: &Path| folder.metadata().map(|found| std::os::unix::fs::MetadataExt::dev(&found)).ok();
        let own = device(place);
        for root in place.ancestors().take_while(|above| device(above) == own) {
            let inside = root.join(".git");
            let folder = match inside.metadata() {
                Ok(found) if !found.is_dir() => Some(root.join(pointed(&inside, "gitdir: ")?)),
                Ok(_) => Some(inside),
                Err(_) => None,
            };
            for folder in folder.into_iter().chain([root.to_owned()]) {
                if is_repository(&folder) {
                    let is_inside = folder == root && root.ends_with(".git");
                    let root = root.parent().filter(|_| is_inside).unwrap_or(root);
                    return Self::checked(root.to_owned(), folder).map(Some);
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
            git.check(name)?;
        }
        Ok(git)
    }

    /// Checks that a file of the repository, if it is there, is one that ends.
    pub(super) fn check(&self, name: &str) -> Result<(), ChangeError> {
        [&self.folder, &self.common].iter().try_for_each(|folder| check_file(&folder.join(name)))
    }

    /// Where a file of this working tree is, as the index.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where a file is that all working trees share.
    pub(super) fn shared(&self, name: &str) -> PathBuf {
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
        let mut command = Command::new("git");
        for (name, _) in env::vars_os() {
            if name.as_bytes().starts_with(b"GIT_") && !KEPT.iter().any(|kept| name == *kept) {
                command.env_remove(name);
            }
        }
        command
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("GIT_OPTIONAL_LOCKS", "0");
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
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
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => ChangeError::NoGit,
            _ => self.failed(error),
        })?;
        let (input, output, messages) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let messages = Some(thread::spawn(move || said(messages)));
        let watch = ProcessWatch { process: child.id(), is_wanted, seen: None, quiet: 0 };
        Ok(Running { child, input, output, messages, watch })
    }

    /// What git prints, and whether it succeeds; it fails in silence by ending with 1.
    pub(super) fn run(&self, arguments: &[&str], is_wanted: Wanted) -> Result<(bool, String), ChangeError> {
        let mut printed = Vec::new();
        let mut running = self.start(arguments, None, is_wanted)?;
        running.read_to_end(&mut printed).map_err(|error| self.ended(error))?;
        let is_done = self.end(running, true)?;
        Ok((is_done, String::from_utf8_lossy(&printed).trim_end_matches('\n').to_owned()))
    }

    /// Waits until git has ended. Returns whether it succeeded; otherwise it fails, unless it `may_refuse` by ending with 1.
    pub(super) fn end(&self, mut running: Running, may_refuse: bool) -> Result<bool, ChangeError> {
        match running.wait().map_err(|error| self.ended(error))? {
            (Some(0), _) => Ok(true),
            (Some(1), _) if may_refuse => Ok(false),
            // Of malloc or of inflate.
            (_, said) if said.to_lowercase().contains("out of memory") => {
                Err(ChangeError::TooLarge(self.root.clone()))
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

/// Whether a folder has what a repository has.
fn is_repository(folder: &Path) -> bool {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    is_there("HEAD") && (is_there("commondir") || (is_there("objects") && is_there("refs")))
}

/// The path that a small file names behind a word.
fn pointed(file: &Path, word: &str) -> Result<PathBuf, ChangeError> {
    let mut bytes = Vec::new();
    check_file(file)?;
    let read = crate::corpus::read(file, 1 << 16, &mut bytes);
    read.map_err(|reason| ChangeError::File(file.to_owned(), reason))?;
    let path = bytes.strip_prefix(word.as_bytes()).unwrap_or_default();
    Ok(OsStr::from_bytes(path.trim_ascii_end()).into())
}

/// Refuses what is there and is no regular file: whoever opens a FIFO waits.
pub(super) fn check_file(path: &Path) -> Result<(), ChangeError> {
    match path.metadata() {
        Ok(found) if !found.is_file() => Err(ChangeError::NotRegular(path.to_owned())),
        _ => Ok(()),
    }
}

/// The begin of what git says on standard error, which is read to its end.
fn said(mut pipe: Option<ChildStderr>) -> Vec<u8> {
    let mut said = Vec::new();
    if let Some(pipe) = &mut pipe {
        // What cannot be read is not said.
        let _ = pipe.take(MOST_SAID).read_to_end(&mut said);
        let _ = io::copy(pipe, &mut io::sink());
    }
    said
}

/// Has the system kill a program when the thread that starts it ends, and limits its memory.
fn bind_to_this_process(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, set_parent_process_death_signal, setrlimit};
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

/// A git that runs. What it prints is read from this. It is killed when this is dropped.
pub(super) struct Running<'w> {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    messages: Option<JoinHandle<Vec<u8>>>,
    watch: ProcessWatch<'w>,
}

/// Tells whether a process goes on.
struct ProcessWatch<'w> {
    process: u32,
    is_wanted: Wanted<'w>,
    /// What the system said of the process when it was last looked at.
    seen: Option<String>,
    /// How often in a row nothing had changed since.
    quiet: u32,
}

impl ProcessWatch<'_> {
    /// Fails when nobody wants the answer any more, and when git has made no progress for long.
    fn look(&mut self) -> io::Result<()> {
        if !(self.is_wanted)() {
            return Err(ErrorKind::ConnectionAborted.into());
        }
        let now = fs::read_to_string(format!("/proc/{}/stat", self.process)).ok();
        let is_asleep =
            now.as_ref().is_some_and(|now| now.rsplit(") ").next().is_some_and(|of| of.starts_with('S')));
        self.quiet = if now.is_some() && now != self.seen { 0 } else { self.quiet + 1 };
        self.seen = now;
        let most = if is_asleep { ASLEEP } else { AT_DISK };
        if self.quiet > most { Err(ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

impl Running<'_> {
    /// Sends a line.
    pub(super) fn ask(&mut self, line: &str) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| input.write_all(format!("{line}\n").as_bytes()))
    }

    /// Waits for a moment. Returns whether there is something to read, or no more.
    fn is_ready(&mut self) -> io::Result<bool> {
        let Some(output) = &self.output else { return Ok(true) };
        let patience = Timespec { tv_sec: 0, tv_nsec: LOOKED_AT.subsec_nanos().into() };
        match poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&patience)) {
            Ok(0) | Err(Errno::INTR) => self.watch.look().map(|()| false),
            Ok(_) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether it prints something within a second, or ends.
    pub(super) fn prints_soon(&mut self) -> io::Result<bool> {
        for _ in 0..SOON {
            if self.is_ready()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Waits until it has ended: its code, and what it said first when it failed.
    fn wait(&mut self) -> io::Result<(Option<i32>, String)> {
        (self.input, self.output) = (None, None);
        let mut waited = Duration::ZERO;
        let code = loop {
            if let Some(status) = self.child.try_wait()? {
                break status.code();
            }
            if waited >= LOOKED_AT {
                self.watch.look()?;
                waited = Duration::ZERO;
            }
            thread::sleep(ENDS_SOON);
            waited += ENDS_SOON;
        };
        let said = self.messages.take().and_then(|messages| messages.join().ok()).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let line = said.lines().find_map(|line| line.strip_prefix("fatal: ")).or(said.lines().next());
        Ok((code, line.unwrap_or("git failed").to_owned()))
    }
}

impl Read for Running<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.is_ready()? {}
        self.watch.quiet = 0;
        self.output.as_mut().map_or(Ok(0), |output| output.read(buffer))
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            // It may have ended by itself in between.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            let _ = self.child.wait();
        }
    }
}
