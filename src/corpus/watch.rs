//! Follows a corpus: says which paths changed, once they are quiet.
//!
//! Each folder that the walk entered is watched on its own, never the folders that it stays out of: the
//! system's watches are few. Where they run out, or where the system cannot watch, the corpus is walked
//! again from time to time instead, until the session ends, and that is said. What the system had no room
//! to report is found by such a walk too. A folder that was made again lost its watch: [`Watcher::renew`]
//! gives it one *before* it is walked, so that a change is either found or reported.
//!
//! Limits. What the system does not report is found by the next walk, at the next start or with `--poll`:
//! changes by another machine on a network folder, writes through a memory map or another hard link,
//! changes of what a symbolic link to a file leads to, and of ignore rules outside of the corpus or within
//! `.git`. A disk that is taken out from under a folder *within* a root looks like a folder whose files were
//! deleted; under a root itself it is noticed (`disks`), and the documents stay.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{Corpus, Scope};
use notify::event::{AccessKind, AccessMode, EventKind, MetadataKind, ModifyKind};
use notify::{ErrorKind, RecursiveMode};

/// Changes are told when nothing happened for this long,
const QUIET: Duration = Duration::from_millis(10);
/// and when the first of them is this old.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often a folder is walked that cannot be watched.
const FALL_BACK: Duration = Duration::from_secs(5);

/// How often the roots are looked at: the system reports neither a disk that comes or goes, nor that a
/// folder above is renamed.
const LOOK: Duration = Duration::from_secs(2);

/// How a corpus is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchMode {
    /// By what the system reports.
    Events,
    /// By looking again each time this has passed.
    Poll(Duration),
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// These files and folders came, went or changed; absolute, in order.
    Paths(Vec<PathBuf>),
    /// Anything may have: look at all of it.
    Rescan,
    /// The folder is followed otherwise than was asked: a sentence that says why.
    Trouble(String),
}

/// Follows a corpus until dropped.
pub struct Watcher {
    events: Option<Box<dyn notify::Watcher>>,
    mode: WatchMode,
    signals: Sender<Signal>,
    exclude: Option<PathBuf>,
    followed: HashSet<PathBuf>,
}

enum Signal {
    Event(notify::Result<notify::Event>),
    Mode(WatchMode),
    Trouble(String),
}

impl Watcher {
    /// Follows a corpus whose folders are known. `sink` is called from a thread of the watcher.
    pub fn start(
        corpus: &Corpus,
        folders: &[PathBuf],
        mode: WatchMode,
        exclude: Option<&Path>,
        sink: impl Fn(Change) + Send + 'static,
    ) -> Self {
        Self::with(system, &corpus.roots, folders, mode, exclude, sink)
    }

    fn with(
        events: impl FnOnce(Sender<Signal>) -> notify::Result<Box<dyn notify::Watcher>>,
        roots: &[PathBuf],
        folders: &[PathBuf],
        mode: WatchMode,
        exclude: Option<&Path>,
        sink: impl Fn(Change) + Send + 'static,
    ) -> Self {
        let (signals, inbox) = channel();
        let roots = Roots::new(roots);
        thread::spawn(move || run(&inbox, mode, roots, &sink));
        let exclude = exclude.map(Path::to_owned);
        let mut watcher = Self { events: None, mode, signals, exclude, followed: HashSet::new() };
        if mode == WatchMode::Events {
            match events(watcher.signals.clone()) {
                Ok(events) => watcher.events = Some(events),
                Err(error) => watcher.fall_back(&error),
            }
            watcher.follow(folders);
        }
        watcher
    }

    /// Follows more folders, and says which of them are new: what happened in these before they were
    /// followed was not reported. Those that are followed already, or are gone, do no harm.
    pub fn follow(&mut self, folders: &[PathBuf]) -> Vec<PathBuf> {
        let mut new = Vec::new();
        for folder in folders {
            let is_known = self.followed.contains(folder) || self.exclude.as_ref() == Some(folder);
            if !is_known && self.watch(folder) {
                self.followed.insert(folder.clone());
                new.push(folder.clone());
            }
        }
        new
    }

    /// Before some paths, or all, are walked once more: follows the folders there anew that are followed
    /// already, and forgets those that are gone.
    pub fn renew(&mut self, paths: Option<&[PathBuf]>) {
        let scope = paths.map(|paths| Scope::new(paths.iter().map(PathBuf::as_path)));
        let mut followed = std::mem::take(&mut self.followed);
        followed.retain(|folder| {
            let is_meant = scope.as_ref().is_none_or(|scope| scope.contains(folder));
            !is_meant || self.watch(folder)
        });
        self.followed = followed;
    }

    /// Has the system report what happens in a folder; whether it does.
    fn watch(&mut self, folder: &Path) -> bool {
        let Some(events) = &mut self.events else { return false };
        let Err(error) = events.watch(folder, RecursiveMode::NonRecursive) else { return true };
        // Of what cannot be listed there is nothing to report; the folder above tells when that changes.
        if matches!(error.kind, ErrorKind::MaxFilesWatch) || fs::read_dir(folder).is_ok() {
            self.fall_back(&error);
        }
        false
    }

    /// How the corpus is followed now.
    pub fn mode(&self) -> WatchMode {
        self.mode
    }

    /// On how many folders the system reports.
    pub fn folders(&self) -> u64 {
        if self.events.is_some() { self.followed.len() as u64 } else { 0 }
    }

    fn fall_back(&mut self, error: &notify::Error) {
        let seconds = FALL_BACK.as_secs();
        let instead = format!("the folder is looked at every {seconds} seconds instead");
        let sentence = match &error.kind {
            ErrorKind::MaxFilesWatch => format!(
                "The system's file watches are used up: {instead}; \
                 raise the sysctl fs.inotify.max_user_watches to follow it at once."
            ),
            ErrorKind::Io(error) if error.raw_os_error() == Some(libc::EMFILE) => format!(
                "The system's file watchers are used up: {instead}; raise the sysctl \
                 fs.inotify.max_user_instances, or the limit of open files, to follow it at once."
            ),
            _ => format!("The folder cannot be watched ({error}): {instead}."),
        };
        self.events = None;
        self.mode = WatchMode::Poll(FALL_BACK);
        // The thread lives as long as `signals`.
        let _ = self.signals.send(Signal::Mode(self.mode));
        let _ = self.signals.send(Signal::Trouble(sentence));
    }
}

/// What the system has for watching.
fn system(signals: Sender<Signal>) -> notify::Result<Box<dyn notify::Watcher>> {
    let events = notify::recommended_watcher(move |event| drop(signals.send(Signal::Event(event))))?;
    Ok(Box::new(events))
}

fn run(inbox: &Receiver<Signal>, mut mode: WatchMode, mut roots: Roots, sink: &dyn Fn(Change)) {
    let mut debounce = Debounce::default();
    let mut look = Instant::now() + LOOK;
    loop {
        let now = Instant::now();
        let wait = match (mode, debounce.due()) {
            (WatchMode::Poll(every), _) => every,
            (WatchMode::Events, due) => due.unwrap_or(look).min(look).saturating_duration_since(now),
        };
        match inbox.recv_timeout(wait) {
            Ok(Signal::Event(event)) => debounce.push(event, Instant::now()),
            Ok(Signal::Mode(new)) => mode = new,
            Ok(Signal::Trouble(sentence)) => sink(Change::Trouble(sentence)),
            Err(RecvTimeoutError::Timeout) if mode != WatchMode::Events => sink(Change::Rescan),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if look <= Instant::now() {
            look = Instant::now() + LOOK;
            if mode == WatchMode::Events && roots.are_others() {
                sink(Change::Rescan);
            }
        }
        if debounce.due().is_some_and(|due| due <= Instant::now())
            && let Some(change) = debounce.take()
        {
            sink(change);
        }
    }
}

/// The roots, and which files or folders they were when they were last looked at.
struct Roots {
    paths: Vec<PathBuf>,
    seen: Vec<Option<(u64, u64)>>,
}

impl Roots {
    fn new(paths: &[PathBuf]) -> Self {
        Self { paths: paths.to_owned(), seen: paths.iter().map(identity).collect() }
    }

    /// Whether one came, went, or is another one now.
    fn are_others(&mut self) -> bool {
        let seen = self.paths.iter().map(identity).collect();
        std::mem::replace(&mut self.seen, seen) != self.seen
    }
}

/// The device and number of a file or folder.
fn identity(path: &PathBuf) -> Option<(u64, u64)> {
    fs::symlink_metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Gathers changes until they are quiet.
#[derive(Default)]
struct Debounce {
    paths: BTreeSet<PathBuf>,
    rescan: bool,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Debounce {
    fn push(&mut self, event: notify::Result<notify::Event>, now: Instant) {
        match event {
            Ok(event) if event.need_rescan() => self.rescan = true,
            Ok(event) if is_change(event.kind) => {
                self.paths.extend(event.paths.iter().filter_map(|path| ruled(path)));
                self.paths.extend(event.paths);
            }
            Ok(_) => return,
            Err(error) => {
                tracing::warn!("watching: {error}");
                self.rescan = true;
            }
        }
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    fn due(&self) -> Option<Instant> {
        Some((self.first? + PATIENCE).min(self.last? + QUIET))
    }

    fn take(&mut self) -> Option<Change> {
        let Self { paths, rescan, first, .. } = std::mem::take(self);
        first?;
        Some(if rescan { Change::Rescan } else { Change::Paths(paths.into_iter().collect()) })
    }
}

/// Reading a file, or giving it another owner, changes no document.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Modify(ModifyKind::Metadata(what)) => {
            matches!(what, MetadataKind::WriteTime | MetadataKind::Any)
        }
        _ => true,
    }
}

/// The folder that a path has rules for: with them may change what belongs to it.
fn ruled(path: &Path) -> Option<PathBuf> {
    let is_rule = |name: &OsStr| name == ".ignore" || name == ".gitignore" || name == ".git";
    path.file_name().filter(|name| is_rule(name)).and_then(|_| path.parent()).map(Path::to_owned)
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
