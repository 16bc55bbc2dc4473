use std::sync::mpsc::Receiver;
use std::{fs, io};

use notify::event::{CreateKind, Flag};
use notify::{Config, EventHandler, WatcherKind};

use super::*;

const LONG: Duration = Duration::from_secs(10);

/// A system that refuses to watch folders of one name, and all folders after a number of them.
struct Refusing(&'static str, usize);

impl notify::Watcher for Refusing {
    fn new<F: EventHandler>(_: F, _: Config) -> notify::Result<Self> {
        Ok(Self("", usize::MAX))
    }

    fn watch(&mut self, path: &Path, _: RecursiveMode) -> notify::Result<()> {
        if path.ends_with(self.0) {
            return Err(notify::Error::io(io::Error::from(io::ErrorKind::PermissionDenied)));
        }
        self.1 = self.1.checked_sub(1).ok_or_else(|| notify::Error::new(ErrorKind::MaxFilesWatch))?;
        Ok(())
    }

    fn unwatch(&mut self, _: &Path) -> notify::Result<()> {
        Ok(())
    }

    fn kind() -> WatcherKind {
        WatcherKind::NullWatcher
    }
}

/// A watcher that uses this system, and its events.
fn watch(
    system: impl FnOnce() -> notify::Result<Refusing>,
    folders: &[PathBuf],
) -> (Watcher, Receiver<WatchEvent>) {
    let (sender, changes) = channel();
    let sink = move |change| drop(sender.send(change));
    let system = |_| Ok(Box::new(system()?) as Box<dyn notify::Watcher>);
    (Watcher::with(system, &[], folders, Watch::Events, None, sink), changes)
}

fn corpus(root: &Path) -> Corpus {
    Corpus { base: root.to_owned(), roots: vec![root.to_owned()] }
}

fn trouble(changes: &Receiver<WatchEvent>) -> String {
    match changes.recv_timeout(LONG).unwrap() {
        WatchEvent::Trouble(sentence) => sentence,
        other => panic!("{other:?}"),
    }
}

fn created(path: &str) -> notify::Result<notify::Event> {
    Ok(notify::Event::new(EventKind::Create(CreateKind::File)).add_path(path.into()))
}

#[test]
fn a_burst_is_reported_when_it_is_quiet_or_old() {
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
    assert_eq!(debounce.due(), Some(at(0) + MAX_DELAY));
    assert_eq!(debounce.take(), Some(WatchEvent::Paths(vec!["/a".into(), "/b".into()])));
    assert_eq!((debounce.due(), debounce.take()), (None, None));
}

#[test]
fn an_overflow_causes_a_rescan_and_reading_causes_nothing() {
    let mut debounce = Debounce::default();
    let read = EventKind::Access(AccessKind::Open(AccessMode::Any));
    debounce.push(Ok(notify::Event::new(read).add_path("/a".into())), Instant::now());
    assert_eq!(debounce.due(), None);
    debounce.push(created("/a"), Instant::now());
    debounce.push(Ok(notify::Event::new(EventKind::Other).set_flag(Flag::Rescan)), Instant::now());
    assert_eq!(debounce.take(), Some(WatchEvent::Rescan));
}

#[test]
fn changes_in_a_folder_and_in_one_that_is_watched_later_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (sender, changes) = channel();
    let sink = move |change| drop(sender.send(change));
    let mut watcher = Watcher::start(&corpus(&root), std::slice::from_ref(&root), Watch::Events, None, sink);
    let wait_for = |path: &Path| {
        let told = |change: &WatchEvent| matches!(change, WatchEvent::Paths(paths) if paths.iter().any(|told| told == path));
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
fn changes_in_a_recreated_folder_are_reported_after_renewal() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (sub, file) = (root.join("sub"), root.join("sub/file"));
    fs::create_dir(&sub).unwrap();
    let (sender, changes) = channel();
    let sink = move |change| drop(sender.send(change));
    let mut watcher = Watcher::start(&corpus(&root), &[root.clone(), sub.clone()], Watch::Events, None, sink);
    fs::remove_dir(&sub).unwrap();
    fs::create_dir(&sub).unwrap();
    loop {
        let WatchEvent::Paths(paths) = changes.recv_timeout(LONG).unwrap() else { panic!() };
        if paths.contains(&file) {
            break;
        }
        watcher.renew(Some(&paths));
        assert!(watcher.follow(std::slice::from_ref(&sub)).is_empty(), "it was followed");
        fs::write(&file, "x").unwrap();
    }
    fs::remove_dir_all(&sub).unwrap();
    watcher.renew(None);
    fs::create_dir(&sub).unwrap();
    assert_eq!(watcher.follow(std::slice::from_ref(&sub)), [sub]);
}

#[test]
fn a_folder_that_is_not_walked_any_more_is_not_watched_and_its_other_path_is() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let [sub, deep, link, last] = ["sub", "sub/deep", "link", "last"].map(|name| root.join(name));
    fs::create_dir_all(&deep).unwrap();
    fs::create_dir(&last).unwrap();
    std::os::unix::fs::symlink(&sub, &link).unwrap();
    let (sender, changes) = channel();
    let sink = move |change| drop(sender.send(change));
    let folders = [&root, &sub, &deep, &link, &last].map(PathBuf::clone);
    let mut watcher = Watcher::start(&corpus(&root), &folders, Watch::Events, None, sink);
    let told_until_last = |watcher: &mut Watcher| {
        fs::write(deep.join("file"), "x").unwrap();
        fs::write(sub.join("file"), "x").unwrap();
        fs::write(last.join("file"), "x").unwrap();
        let mut told = BTreeSet::new();
        while !told.contains(&last.join("file")) {
            let WatchEvent::Paths(paths) = changes.recv_timeout(LONG).unwrap() else { panic!() };
            told.extend(paths);
        }
        (watcher.folders(), told.contains(&deep.join("file")), told.contains(&sub.join("file")))
    };
    // Elsewhere nothing is forgotten.
    watcher.forget(Some(std::slice::from_ref(&last)), std::slice::from_ref(&last));
    assert_eq!(watcher.folders(), 5);
    watcher.forget(None, &[root, link.clone(), deep.clone(), last.clone()]);
    assert_eq!(watcher.follow(std::slice::from_ref(&sub)), std::slice::from_ref(&sub), "it comes back");
    watcher.forget(Some(&[deep.clone(), link]), &[]);
    assert_eq!(told_until_last(&mut watcher), (3, false, true));
    assert_eq!(watcher.follow(std::slice::from_ref(&deep)), std::slice::from_ref(&deep));
    assert_eq!(told_until_last(&mut watcher), (4, true, true));
}

#[test]
fn when_watches_run_out_the_folder_is_polled_and_the_sysctl_is_named() {
    let folders = ["/1", "/2", "/3"].map(PathBuf::from);
    let (watcher, changes) = watch(|| Ok(Refusing("none", 2)), &folders);
    assert_eq!(watcher.mode(), Watch::Poll(FALLBACK_INTERVAL));
    assert!(trouble(&changes).contains("sysctl fs.inotify.max_user_watches"));
    assert_eq!(changes.recv_timeout(FALLBACK_INTERVAL * 4), Ok(WatchEvent::Rescan));
}

#[test]
fn when_there_is_no_watcher_left_that_sysctl_is_named() {
    let none = || Err(notify::Error::io(io::Error::from_raw_os_error(libc::EMFILE)));
    let (watcher, changes) = watch(none, &["/1".into()]);
    assert_eq!(watcher.mode(), Watch::Poll(FALLBACK_INTERVAL));
    assert!(trouble(&changes).contains("sysctl fs.inotify.max_user_instances"));
}

#[test]
fn a_folder_that_cannot_be_watched_matters_only_when_it_can_be_listed() {
    let folder = tempfile::tempdir().unwrap();
    let (closed, open) = (folder.path().join("closed"), folder.path().join("open"));
    fs::create_dir(&open).unwrap();
    let (mut watcher, _changes) = watch(|| Ok(Refusing("closed", 9)), std::slice::from_ref(&closed));
    assert_eq!((watcher.mode(), watcher.follow(&[closed, open.clone()])), (Watch::Events, vec![open]));
    let (watcher, changes) = watch(|| Ok(Refusing("", 9)), &[folder.path().into()]);
    assert_eq!(watcher.mode(), Watch::Poll(FALLBACK_INTERVAL));
    assert!(trouble(&changes).contains("cannot be watched"));
}

#[test]
fn an_overflow_in_the_system_is_reported_as_a_rescan() {
    let (watcher, changes) = watch(|| Ok(Refusing("none", 9)), &[]);
    let overflow = notify::Event::new(EventKind::Other).set_flag(Flag::Rescan);
    watcher.messages.send(Message::Event(Ok(overflow))).unwrap();
    assert_eq!(changes.recv_timeout(LONG), Ok(WatchEvent::Rescan));
}

#[test]
fn a_change_of_ignore_rules_reports_their_folder() {
    for (path, told) in [
        ("/a/.ignore", &["/a", "/a/.ignore"][..]),
        ("/a/.gitignore", &["/a", "/a/.gitignore"]),
        ("/a/.git", &["/a", "/a/.git"]),
        ("/a/.git/info", &["/a"]),
        ("/a/.git/info/exclude", &["/a"]),
        ("/a/git", &["/a/git"]),
    ] {
        let mut debounce = Debounce::default();
        debounce.push(created(path), Instant::now());
        assert_eq!(debounce.take(), Some(WatchEvent::Paths(told.iter().map(PathBuf::from).collect())));
    }
}

#[test]
fn polling_reports_a_rescan() {
    let (sender, changes) = channel();
    let mode = Watch::Poll(Duration::from_millis(5));
    let _watcher =
        Watcher::start(&corpus(Path::new("/")), &[], mode, None, move |change| drop(sender.send(change)));
    assert_eq!(changes.recv_timeout(Duration::from_secs(10)), Ok(WatchEvent::Rescan));
}

#[test]
fn a_replaced_root_causes_a_rescan_though_nothing_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let above = folder.path().canonicalize().unwrap().join("above");
    let root = above.join("root");
    fs::create_dir_all(&root).unwrap();
    let (sender, changes) = channel();
    let sink = move |change| drop(sender.send(change));
    let folders = std::slice::from_ref(&root);
    let _watcher = Watcher::start(&corpus(&root), folders, Watch::Events, None, sink);
    fs::rename(&above, folder.path().join("elsewhere")).unwrap();
    assert_eq!(changes.recv_timeout(LONG), Ok(WatchEvent::Rescan), "it is gone");
    fs::create_dir_all(&root).unwrap();
    assert_eq!(changes.recv_timeout(LONG), Ok(WatchEvent::Rescan), "another one is there");
}

#[test]
fn roots_that_are_files_are_checked_for_what_was_not_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("file"), folder.path().join("other"));
    fs::write(&file, "one").unwrap();
    let mut roots = Roots::new(&[folder.path().to_owned(), file.clone()]);
    assert_eq!(roots.change(), None);
    fs::write(&file, "longer").unwrap();
    assert_eq!(roots.change(), Some(WatchEvent::Paths(vec![file.clone()])));
    fs::write(&other, "other").unwrap();
    assert_eq!(roots.change(), None, "what is in a folder is reported");
    fs::rename(&other, &file).unwrap();
    assert_eq!(roots.change(), Some(WatchEvent::Rescan));
    fs::remove_file(&file).unwrap();
    assert_eq!(roots.change(), Some(WatchEvent::Rescan));
    assert_eq!(roots.change(), None);
}
