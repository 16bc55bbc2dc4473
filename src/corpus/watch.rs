//! Follows a corpus: says which paths changed, once they are quiet.
//!
//! Each folder that the walk entered is watched on its own, never the folders that it stays out of: the
//! system's watches are few. Where they run out, or where the system cannot watch, the folder is walked
//! again from time to time instead, and that is said.
//!
//! Limits: changes by another machine on a network folder are not reported by the system (`--poll` finds
//! them). A disk that is taken out from under a folder *within* a root looks like a folder whose files
//! were deleted; under a root itself it is noticed, and the documents stay.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Scope;
use notify::event::{AccessKind, AccessMode, EventKind, MetadataKind, ModifyKind};
use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Changes are told when nothing happened for this long,
const QUIET: Duration = Duration::from_millis(10);
/// and when the first of them is this old.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often a folder is walked that cannot be watched.
const FALL_BACK: Duration = Duration::from_secs(5);

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
    events: Option<RecommendedWatcher>,
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
        folders: &[PathBuf],
        mode: WatchMode,
        exclude: Option<&Path>,
        sink: impl Fn(Change) + Send + 'static,
    ) -> Self {
        let (signals, inbox) = channel();
        thread::spawn(move || run(&inbox, mode, &sink));
        let exclude = exclude.map(Path::to_owned);
        let mut watcher = Self { events: None, mode, signals, exclude, followed: HashSet::new() };
        if mode == WatchMode::Events {
            let signals = watcher.signals.clone();
            match notify::recommended_watcher(move |event| drop(signals.send(Signal::Event(event)))) {
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
            let Some(events) = &mut self.events else { break };
            if self.exclude.as_ref() == Some(folder) {
                continue;
            }
            if self.followed.insert(folder.clone()) {
                new.push(folder.clone());
            }
            match events.watch(folder, RecursiveMode::NonRecursive) {
                Err(error) if !matches!(error.kind, ErrorKind::PathNotFound) && folder.is_dir() => {
                    self.fall_back(&error);
                }
                _ => {}
            }
        }
        new
    }

    /// Forgets folders that lie at or below some paths and are gone: one of the same name will be new.
    pub fn forget(&mut self, paths: &[PathBuf]) {
        let gone = Scope::new(paths.iter().map(PathBuf::as_path).filter(|path| !path.is_dir()));
        self.followed.retain(|folder| !gone.contains(folder));
    }

    /// How the corpus is followed now.
    pub fn mode(&self) -> WatchMode {
        self.mode
    }

    fn fall_back(&mut self, error: &notify::Error) {
        let seconds = FALL_BACK.as_secs();
        let sentence = match error.kind {
            ErrorKind::MaxFilesWatch => format!(
                "The system's file watches are used up: the folder is looked at every {seconds} seconds instead; \
                 raise the sysctl fs.inotify.max_user_watches to follow it at once."
            ),
            _ => format!(
                "The folder cannot be watched ({error}): it is looked at every {seconds} seconds instead."
            ),
        };
        self.events = None;
        self.mode = WatchMode::Poll(FALL_BACK);
        // The thread lives as long as `signals`.
        let _ = self.signals.send(Signal::Mode(self.mode));
        let _ = self.signals.send(Signal::Trouble(sentence));
    }
}

fn run(inbox: &Receiver<Signal>, mut mode: WatchMode, sink: &dyn Fn(Change)) {
    let mut debounce = Debounce::default();
    loop {
        let now = Instant::now();
        let wait = match (mode, debounce.due()) {
            (WatchMode::Poll(every), _) => every,
            (WatchMode::Events, Some(due)) => due.saturating_duration_since(now),
            (WatchMode::Events, None) => Duration::MAX,
        };
        match inbox.recv_timeout(wait) {
            Ok(Signal::Event(event)) => debounce.push(event, Instant::now()),
            Ok(Signal::Mode(new)) => mode = new,
            Ok(Signal::Trouble(sentence)) => sink(Change::Trouble(sentence)),
            Err(RecvTimeoutError::Timeout) if mode != WatchMode::Events => sink(Change::Rescan),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if debounce.due().is_some_and(|due| due <= Instant::now())
            && let Some(change) = debounce.take()
        {
            sink(change);
        }
    }
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
            Ok(event) if is_change(event.kind) => self.paths.extend(event.paths),
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

#[cfg(test)]
mod tests {
    use std::fs;

    use notify::event::{CreateKind, Flag};

    use super::*;

    fn created(path: &str) -> notify::Result<notify::Event> {
        Ok(notify::Event::new(EventKind::Create(CreateKind::File)).add_path(path.into()))
    }

    #[test]
    fn a_burst_is_told_once_it_is_quiet_or_old() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut debounce = Debounce::default();
        debounce.push(created("/b"), at(0));
        debounce.push(created("/a"), at(30));
        debounce.push(created("/b"), at(30));
        assert_eq!(debounce.due(), Some(at(30) + QUIET));
        for step in 2..10 {
            debounce.push(created("/a"), at(step * 30));
        }
        assert_eq!(debounce.due(), Some(at(0) + PATIENCE));
        assert_eq!(debounce.take(), Some(Change::Paths(vec!["/a".into(), "/b".into()])));
        assert_eq!((debounce.due(), debounce.take()), (None, None));
    }

    #[test]
    fn an_overflow_asks_for_a_rescan_and_reading_for_nothing() {
        let mut debounce = Debounce::default();
        let read = EventKind::Access(AccessKind::Open(AccessMode::Any));
        debounce.push(Ok(notify::Event::new(read).add_path("/a".into())), Instant::now());
        assert_eq!(debounce.due(), None);
        debounce.push(created("/a"), Instant::now());
        debounce.push(Ok(notify::Event::new(EventKind::Other).set_flag(Flag::Rescan)), Instant::now());
        assert_eq!(debounce.take(), Some(Change::Rescan));
    }

    #[test]
    fn changes_in_a_folder_and_in_one_that_is_followed_later_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (sender, changes) = channel();
        let sink = move |change| drop(sender.send(change));
        let mut watcher = Watcher::start(std::slice::from_ref(&root), WatchMode::Events, None, sink);
        let wait_for = |path: &Path| {
            let told = |change: &Change| matches!(change, Change::Paths(paths) if paths.iter().any(|told| told == path));
            while !told(&changes.recv_timeout(Duration::from_secs(10)).unwrap()) {}
        };
        fs::write(root.join("a"), "x").unwrap();
        wait_for(&root.join("a"));
        fs::create_dir(root.join("sub")).unwrap();
        wait_for(&root.join("sub"));
        watcher.follow(&[root.join("sub")]);
        fs::write(root.join("sub/b"), "x").unwrap();
        wait_for(&root.join("sub/b"));
        fs::remove_file(root.join("a")).unwrap();
        wait_for(&root.join("a"));
    }

    #[test]
    fn without_watches_the_folder_is_looked_at_from_time_to_time_and_the_sysctl_is_named() {
        let (sender, changes) = channel();
        let sink = move |change| drop(sender.send(change));
        let mut watcher = Watcher::start(&[], WatchMode::Events, None, sink);
        watcher.fall_back(&notify::Error::new(ErrorKind::MaxFilesWatch));
        assert_eq!(watcher.mode(), WatchMode::Poll(FALL_BACK));
        let told = changes.recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(
            matches!(told, Change::Trouble(sentence) if sentence.contains("fs.inotify.max_user_watches"))
        );
        assert_eq!(changes.recv_timeout(FALL_BACK * 4), Ok(Change::Rescan));
    }

    #[test]
    fn polling_asks_to_look_again() {
        let (sender, changes) = channel();
        let mode = WatchMode::Poll(Duration::from_millis(5));
        let _watcher = Watcher::start(&[], mode, None, move |change| drop(sender.send(change)));
        assert_eq!(changes.recv_timeout(Duration::from_secs(10)), Ok(Change::Rescan));
    }
}
