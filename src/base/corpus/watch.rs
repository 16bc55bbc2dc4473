//! Watches a corpus and reports which paths changed, debounced.
//!
//! Each folder that the walk entered is watched individually, and no other folder: the system's watches are
//! limited. If they run out, or the system cannot watch, the corpus is walked periodically until the session ends,
//! and the user is told. After an overflow of the system's queue, the corpus is walked once. A folder that was
//! deleted and created again lost its watch: [`Watcher::renew`] watches it again *before* it is walked, so that a
//! change is either found or reported. A folder that a walk does not enter any more is no longer watched.
//!
//! Limits. Changes that the system does not report are found by the next walk, at the next start or with `--poll`:
//! changes by another machine in a network folder, writes through a memory map or another hard link, changes of the
//! target of a symbolic link, and of ignore rules outside of the corpus or, as long as they can be read, within `.git`. A disk that is unmounted
//! from a folder *within* a root looks like a folder whose files were deleted; for a root itself this is noticed
//! (`mounted_roots`), and its documents stay.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::{Corpus, PathScope};
use notify::event::{AccessKind, AccessMode, EventKind, MetadataKind, ModifyKind};
use notify::{ErrorKind, RecursiveMode};

/// Changes are reported when nothing happened for this long,
const QUIET: Duration = Duration::from_millis(10);
/// or when the first of them is this old.
const MAX_DELAY: Duration = Duration::from_millis(200);
/// How often a corpus is walked that cannot be watched.
const FALLBACK_INTERVAL: Duration = Duration::from_secs(5);

/// How often the roots are checked: the system reports neither mounts and unmounts nor that a folder above is
/// renamed.
const ROOT_CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// Whether and how a corpus is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Not at all.
    #[default]
    Off,
    /// By file events of the system, or by polling if that fails.
    Events,
    /// By a walk at this interval.
    Poll(Duration),
}

/// What the watcher reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchEvent {
    /// These files and folders were created, changed or removed; absolute, sorted.
    Paths(Vec<PathBuf>),
    /// Anything may have changed: walk the whole corpus.
    Rescan,
    /// The corpus is not watched as requested: a sentence that says why.
    Trouble(String),
}

/// Watches a corpus until dropped.
pub struct Watcher {
    events: Option<Box<dyn notify::Watcher>>,
    mode: Watch,
    messages: Sender<Message>,
    exclude: Option<PathBuf>,
    followed: HashSet<PathBuf>,
}

enum Message {
    Event(notify::Result<notify::Event>),
    Mode(Watch),
    Trouble(String),
}

impl Watcher {
    /// Starts to watch the folders of a corpus. `sink` is called from a thread of the watcher.
    pub fn start(
        corpus: &Corpus,
        folders: &[PathBuf],
        mode: Watch,
        exclude: Option<&Path>,
        sink: impl Fn(WatchEvent) + Send + 'static,
    ) -> Self {
        Self::with(system, &corpus.roots, folders, mode, exclude, sink)
    }

    fn with(
        events: impl FnOnce(Sender<Message>) -> notify::Result<Box<dyn notify::Watcher>>,
        roots: &[PathBuf],
        folders: &[PathBuf],
        mode: Watch,
        exclude: Option<&Path>,
        sink: impl Fn(WatchEvent) + Send + 'static,
    ) -> Self {
        let (messages, inbox) = channel();
        let roots = Roots::new(roots);
        thread::spawn(move || run(&inbox, mode, roots, &sink));
        let exclude = exclude.map(Path::to_owned);
        let mut watcher = Self { events: None, mode, messages, exclude, followed: HashSet::new() };
        if mode == Watch::Events {
            match events(watcher.messages.clone()) {
                Ok(events) => watcher.events = Some(events),
                Err(error) => watcher.fall_back(&error),
            }
            watcher.follow(folders);
        }
        watcher
    }

    /// Watches more folders and returns the new ones: changes in these before they were watched were not reported.
    /// Folders that are watched already or no longer exist are ignored.
    pub fn follow(&mut self, folders: &[PathBuf]) -> Vec<PathBuf> {
        let mut new = Vec::new();
        for folder in folders {
            let is_known = self.followed.contains(folder) || self.exclude.as_ref() == Some(folder);
            if !is_known && self.watch(folder) {
                self.followed.insert(folder.clone());
                new.extend(changed(folder.clone()));
            }
        }
        new
    }

    /// Called before some paths, or all, are walked again: renews the watches of the folders there and forgets
    /// folders that no longer exist.
    pub fn renew(&mut self, paths: Option<&[PathBuf]>) {
        let scope = paths.map(|paths| PathScope::new(paths.iter().map(PathBuf::as_path)));
        let mut followed = std::mem::take(&mut self.followed);
        followed.retain(|folder| {
            let is_affected = scope.as_ref().is_none_or(|scope| scope.contains(folder));
            !is_affected || self.watch(folder)
        });
        self.followed = followed;
    }

    /// Called after some paths, or all, were walked again: the folders there that the walk did not enter any more are no
    /// longer watched, such as those that the user left out. `found` are the folders that it entered.
    pub fn forget(&mut self, paths: Option<&[PathBuf]>, found: &[PathBuf]) {
        let Some(events) = &mut self.events else { return };
        let scope = paths.map(|paths| PathScope::new(paths.iter().map(PathBuf::as_path)));
        let found: HashSet<&PathBuf> = found.iter().collect();
        let is_left = |folder: &PathBuf| {
            !found.contains(folder) && scope.as_ref().is_none_or(|scope| scope.contains(folder))
        };
        let left: Vec<PathBuf> = self.followed.extract_if(is_left).collect();
        // The watch of a folder that does not exist any more is gone already.
        let ended = left.iter().filter(|folder| events.unwatch(folder).is_ok()).count();
        // The system has one watch for all paths to a folder: another path to it has lost its watch too.
        if ended > 0 {
            self.renew(None);
        }
    }

    /// Watches a folder. Returns whether the system reports its changes.
    fn watch(&mut self, folder: &Path) -> bool {
        let Some(events) = &mut self.events else { return false };
        let Err(error) = events.watch(folder, RecursiveMode::NonRecursive) else { return true };
        // A folder that cannot be listed has nothing to report; its parent reports when that changes.
        if matches!(error.kind, ErrorKind::MaxFilesWatch) || fs::read_dir(folder).is_ok() {
            self.fall_back(&error);
        }
        false
    }

    /// How the corpus is watched now.
    pub fn mode(&self) -> Watch {
        self.mode
    }

    /// How many folders the system watches.
    pub fn folders(&self) -> u64 {
        if self.events.is_some() { self.followed.len() as u64 } else { 0 }
    }

    fn fall_back(&mut self, error: &notify::Error) {
        let seconds = FALLBACK_INTERVAL.as_secs();
        let instead = format!("the folder is checked every {seconds} seconds instead");
        let sentence = match &error.kind {
            ErrorKind::MaxFilesWatch => format!(
                "The system has no file watches left: {instead}; \
                 raise the sysctl fs.inotify.max_user_watches to see changes at once."
            ),
            ErrorKind::Io(error) if error.raw_os_error() == Some(libc::EMFILE) => format!(
                "The system has no file watchers left: {instead}; raise the sysctl \
                 fs.inotify.max_user_instances, or the limit of open files, to see changes at once."
            ),
            _ => format!("The folder cannot be watched ({error}): {instead}."),
        };
        self.events = None;
        self.mode = Watch::Poll(FALLBACK_INTERVAL);
        // The receiving thread lives as long as `messages`.
        let _ = self.messages.send(Message::Mode(self.mode));
        let _ = self.messages.send(Message::Trouble(sentence));
    }
}

/// The system's file watcher.
fn system(messages: Sender<Message>) -> notify::Result<Box<dyn notify::Watcher>> {
    let events = notify::recommended_watcher(move |event| drop(messages.send(Message::Event(event))))?;
    Ok(Box::new(events))
}

fn run(inbox: &Receiver<Message>, mut mode: Watch, mut roots: Roots, sink: &dyn Fn(WatchEvent)) {
    let mut debounce = Debounce::default();
    let mut next_check = Instant::now() + ROOT_CHECK_INTERVAL;
    loop {
        let now = Instant::now();
        let wait = match (mode, debounce.due()) {
            (Watch::Poll(every), _) => every,
            (_, due) => due.unwrap_or(next_check).min(next_check).saturating_duration_since(now),
        };
        match inbox.recv_timeout(wait) {
            Ok(Message::Event(event)) => debounce.push(event, Instant::now()),
            Ok(Message::Mode(new)) => mode = new,
            Ok(Message::Trouble(sentence)) => sink(WatchEvent::Trouble(sentence)),
            Err(RecvTimeoutError::Timeout) if mode != Watch::Events => sink(WatchEvent::Rescan),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if next_check <= Instant::now() {
            next_check = Instant::now() + ROOT_CHECK_INTERVAL;
            if mode == Watch::Events
                && let Some(change) = roots.change()
            {
                sink(change);
            }
        }
        if debounce.due().is_some_and(|due| due <= Instant::now())
            && let Some(change) = debounce.take()
        {
            sink(change);
        }
    }
}

/// The roots, as they were at the last check.
struct Roots {
    paths: Vec<PathBuf>,
    seen: Vec<Option<RootState>>,
}

/// What is checked of a root.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RootState {
    device: u64,
    inode: u64,
    /// Size and modification time of a file. A change of a file that took the place of another may not be reported, as
    /// the system's watch ends with the former file.
    file: Option<(u64, i64, i64)>,
}

impl Roots {
    fn new(paths: &[PathBuf]) -> Self {
        Self { paths: paths.to_owned(), seen: paths.iter().map(RootState::read).collect() }
    }

    /// What has changed since the last check: a root was created, removed or replaced, or some are files with another
    /// content.
    fn change(&mut self) -> Option<WatchEvent> {
        let seen: Vec<Option<RootState>> = self.paths.iter().map(RootState::read).collect();
        let before = std::mem::replace(&mut self.seen, seen);
        let identity = |state: &Option<RootState>| state.map(|state| (state.device, state.inode));
        if !before.iter().map(identity).eq(self.seen.iter().map(identity)) {
            return Some(WatchEvent::Rescan);
        }
        let all = self.paths.iter().zip(before.iter().zip(&self.seen));
        let changed: BTreeSet<PathBuf> =
            all.filter(|(_, (before, now))| before != now).map(|(path, _)| path.clone()).collect();
        (!changed.is_empty()).then(|| WatchEvent::Paths(changed.into_iter().collect()))
    }
}

impl RootState {
    /// The state of a file or folder; `None` if there is none.
    fn read(path: &PathBuf) -> Option<Self> {
        let now = fs::symlink_metadata(path).ok()?;
        let file = now.is_file().then(|| (now.size(), now.mtime(), now.mtime_nsec()));
        Some(Self { device: now.dev(), inode: now.ino(), file })
    }
}

/// Collects changes until nothing happened for [`QUIET`].
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
                self.paths.extend(event.paths.into_iter().flat_map(changed));
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
        Some((self.first? + MAX_DELAY).min(self.last? + QUIET))
    }

    fn take(&mut self) -> Option<WatchEvent> {
        let Self { paths, rescan, first, .. } = std::mem::take(self);
        first?;
        Some(if rescan { WatchEvent::Rescan } else { WatchEvent::Paths(paths.into_iter().collect()) })
    }
}

/// Whether an event may change a document. Reading a file or changing its owner does not.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Modify(ModifyKind::Metadata(what)) => {
            matches!(what, MetadataKind::WriteTime | MetadataKind::Any)
        }
        _ => true,
    }
}

/// What a change of a path changes: the path, and the folder whose ignore rules stand there, as they decide which files
/// belong to the corpus. In `.git/info` it is the folder alone: what else is there may be no part of the corpus.
fn changed(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    let is_rule = |name: &OsStr| name == ".ignore" || name == ".gitignore" || name == ".git";
    let info = path.ancestors().find(|above| above.ends_with(".git/info"));
    let ruled = match info {
        Some(info) => info.ancestors().nth(2),
        None => path.file_name().filter(|name| is_rule(name)).and_then(|_| path.parent()),
    };
    let ruled = ruled.map(Path::to_owned);
    let itself = info.is_none().then_some(path);
    ruled.into_iter().chain(itself)
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
