//! A session on a disk that refuses things: what failed is owed and tried again, later and later; what is removed
//! from under it is built anew; and no two writers meet.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::faulty::{FaultyDisk, Op};
use crate::followed::{content, names};
use dupi::blot::RecipeChoice;
use dupi::corpus::Corpus;
use dupi::index::manifest;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::{Silent, Updater};
use dupi::session::{
    ActivityKind, Item, Options, Phase, Progress, Request, Session, Subject, Update, View, Watch,
};
use dupi::storage::Folder;
use dupi::taboo::{TabooEntry, TabooList};
use dupi::token::TokenMode;

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(20);
/// So many segments of one size are merged.
const MERGED: u8 = 8;

/// A corpus and a disk for its index.
pub(crate) struct World {
    place: tempfile::TempDir,
    disk: FaultyDisk,
}

/// A session, and what it tells.
pub(crate) struct Running {
    pub(crate) session: Session,
    updates: Receiver<Update>,
}

impl World {
    pub(crate) fn new() -> Self {
        let place = crate::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        Self { place, disk: FaultyDisk::default() }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.place.path().join("index")
    }

    pub(crate) fn write(&self, name: &str, seed: u8) {
        fs::write(self.place.path().join("corpus").join(name), content(seed)).unwrap();
    }

    fn corpus(&self) -> Corpus {
        Corpus::resolve(&[self.place.path().join("corpus")]).unwrap()
    }

    fn options(&self, watch: Watch) -> Options {
        let home = Folder::on(Arc::new(self.disk.clone()), self.home());
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..RecipeChoice::default() };
        Options { recipe, memory: 1 << 24, threads: 1, watch, ..Options::new(home) }
    }

    /// An updater of the index; it holds the index's lock.
    pub(crate) fn updater(&self) -> Box<Updater> {
        crate::naive::open(&self.options(Watch::Off), self.place.path().join("corpus")).unwrap()
    }

    /// As many segments as are worth a merge.
    fn with_segments() -> Self {
        let world = Self::new();
        let mut updater = world.updater();
        for number in 0..MERGED {
            world.write(&format!("{number}"), number);
            updater.update_all(&Silent).unwrap();
        }
        assert_eq!(updater.snapshot().segments().len(), usize::from(MERGED));
        world
    }

    pub(crate) fn start(&self, watch: Watch) -> Running {
        self.start_with(watch, |_| {})
    }

    /// Opens a session; `look` sees everything that it tells, before anybody else.
    fn start_with(&self, watch: Watch, look: impl Fn(&Update) + Send + Sync + 'static) -> Running {
        let (sender, updates) = channel();
        let session = Session::start(self.corpus(), self.options(watch), move |update| {
            look(&update);
            drop(sender.send(update));
        });
        Running { session, updates }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot::open(&Folder::new(self.home())).unwrap()
    }
}

impl Running {
    pub(crate) fn wait<T>(&self, what: &str, mut wanted: impl FnMut(Update) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let update = self.updates.recv_timeout(left);
            let Ok(update) = update else { panic!("waited for {what}") };
            if let Some(found) = wanted(update) {
                return found;
            }
        }
    }

    pub(crate) fn progress(&self, what: &str, is_it: impl Fn(&Progress) -> bool) {
        self.wait(what, |update| match update {
            Update::Progress(progress) => is_it(&progress).then_some(()),
            _ => None,
        });
    }

    /// Waits until nothing is owed and nothing runs, and there are so many documents.
    pub(crate) fn idle(&self, documents: u64) {
        self.progress("an idle session", |progress| {
            progress.phase == Phase::Idle && !progress.merging && progress.documents == documents
        });
    }
}

/// Tells a test of something, and holds it up until the test lets it go on.
fn gate() -> (impl Fn() + Send + Sync + 'static, Receiver<()>, Sender<()>) {
    let (reached, is_reached) = channel();
    let (go, may_go) = channel::<()>();
    let may_go = Mutex::new(may_go);
    let pass = move || {
        let _ = reached.send(());
        let _ = may_go.lock().unwrap().recv_timeout(PATIENCE);
    };
    (pass, is_reached, go)
}

#[test]
fn a_merge_that_fails_is_said_once_and_tried_again_later_and_later() {
    let world = World::with_segments();
    let (sender, attempts) = channel();
    world.disk.refuse(move |op| {
        let is_merge = op.begins_segment();
        if is_merge {
            let _ = sender.send(Instant::now());
        }
        is_merge
    });
    let running = world.start(Watch::Off);
    let first = attempts.recv_timeout(PATIENCE).unwrap();
    let second = attempts.recv_timeout(PATIENCE).unwrap();
    assert!(second - first >= Duration::from_millis(400), "at once: {:?}", second - first);
    let third = attempts.recv_timeout(PATIENCE).unwrap();
    assert!(third - second >= Duration::from_millis(800), "no later: {:?}", third - second);
    let mut said = Vec::new();
    running.session.send(Request::Activity);
    running.wait("what happened", |update| match update {
        Update::Notice(sentence) => {
            said.push(sentence);
            None
        }
        Update::Progress(progress) => {
            assert!(!matches!(progress.phase, Phase::Failed(_)), "the index is up to date");
            None
        }
        Update::Activity(_) => Some(()),
        _ => None,
    });
    assert!(said.len() == 1 && said[0].contains("cannot create"), "{said:?}");
    running.session.stop();
    // What could not be merged is as it was; with room it is merged.
    world.disk.refuse(|_| false);
    assert_eq!(world.snapshot().segments().len(), usize::from(MERGED));
    let running = world.start(Watch::Off);
    running.idle(u64::from(MERGED));
    running.session.stop();
    assert_eq!(world.snapshot().segments().len(), 1);
}

#[test]
fn a_merge_that_failed_once_comes_about() {
    let world = World::with_segments();
    let failures = Mutex::new(1);
    world.disk.refuse(move |op| {
        let mut failures = failures.lock().unwrap();
        let is_refused = op.begins_segment() && *failures > 0;
        *failures -= u32::from(is_refused);
        is_refused
    });
    let running = world.start(Watch::Off);
    running.session.send(Request::Activity);
    running.wait("a merge", |update| match update {
        Update::Activity(activity) => {
            let is_merge = |what: &ActivityKind| matches!(what, ActivityKind::Merged { .. });
            activity.events.iter().any(|event| is_merge(&event.what)).then_some(())
        }
        _ => None,
    });
    running.session.stop();
    assert_eq!(world.snapshot().segments().len(), 1);
}

#[test]
fn what_a_failed_update_did_not_read_is_read_after_others_went_through() {
    let world = World::new();
    world.write("a", 1);
    let running = world.start(Watch::Events);
    running.idle(1);
    // The walk after the watch was set is over once this is known.
    world.write("b", 1);
    running.idle(2);
    let failures = Mutex::new(1);
    world.disk.refuse(move |op| {
        let mut failures = failures.lock().unwrap();
        let is_refused = op.begins_segment() && *failures > 0;
        *failures -= u32::from(is_refused);
        is_refused
    });
    world.write("c", 2);
    running.progress("a failed update", |progress| matches!(progress.phase, Phase::Failed(_)));
    world.write("d", 3);
    running.idle(4);
    running.session.stop();
    assert!(names(&world.snapshot()).iter().eq(["a", "b", "c", "d"]));
}

#[test]
fn an_update_that_fails_again_and_again_is_one_event() {
    let world = World::new();
    world.write("a", 1);
    let (sender, attempts) = channel();
    world.disk.refuse(move |op| {
        let is_refused = op.begins_segment();
        if is_refused {
            let _ = sender.send(());
        }
        is_refused
    });
    let running = world.start(Watch::Off);
    for _ in 0..3 {
        attempts.recv_timeout(PATIENCE).unwrap();
    }
    world.disk.refuse(|_| false);
    running.idle(1);
    running.session.send(Request::Activity);
    let failures = running.wait("what happened", |update| match update {
        Update::Activity(activity) => {
            let is_failure = |what: &ActivityKind| matches!(what, ActivityKind::Failed(_));
            Some(activity.events.iter().filter(|event| is_failure(&event.what)).count())
        }
        _ => None,
    });
    assert_eq!(failures, 1);
    running.session.stop();
}

#[test]
fn a_rebuild_waits_for_the_merge_that_runs() {
    let world = World::with_segments();
    let (pass, merge_runs, go_on) = gate();
    let is_first = Mutex::new(true);
    world.disk.refuse(move |op| {
        if op.begins_segment() && std::mem::take(&mut *is_first.lock().unwrap()) {
            pass();
        }
        false
    });
    let running = world.start(Watch::Off);
    merge_runs.recv_timeout(PATIENCE).unwrap();
    let before = world.disk.log().len();
    running.session.send(Request::Rebuild);
    world.write("9", 9);
    // Whatever is told meanwhile: it is not a new index.
    let told = running.updates.recv_timeout(Duration::from_millis(50));
    assert!(!matches!(told, Ok(Update::Progress(Progress { documents: 0, phase: Phase::Idle, .. }))));
    let log = world.disk.log();
    let is_commit = |op: &Op| matches!(op, Op::Rename(_, to) if to.ends_with(manifest::NAME));
    assert!(!log[before..].iter().any(is_commit), "a new index beside the merge");
    go_on.send(()).unwrap();
    running.idle(u64::from(MERGED) + 1);
    running.session.stop();
    let begun: Vec<PathBuf> = world
        .disk
        .log()
        .into_iter()
        .filter(Op::begins_segment)
        .map(|op| if let Op::Create(path, _) = op { path } else { unreachable!() })
        .collect();
    let mut once = begun.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), begun.len(), "two writers of one name: {begun:?}");
    assert_eq!(world.snapshot().totals().documents, u64::from(MERGED) + 1);
}

#[test]
fn who_leaves_while_a_merge_runs_leaves_the_index_free() {
    let world = World::with_segments();
    let (sender, begun) = channel();
    world.disk.refuse(move |op| {
        if op.begins_segment() {
            let _ = sender.send(());
        }
        false
    });
    let running = world.start(Watch::Off);
    begun.recv_timeout(PATIENCE).unwrap();
    running.session.stop();
    assert_eq!(world.updater().snapshot().totals().documents, u64::from(MERGED));
}

pub(crate) fn entry(text: &str) -> TabooEntry {
    TabooEntry { text: text.into(), added: dupi::taboo::today(), reason: None, language: None }
}

#[test]
fn decisions_of_others_are_shown_while_an_update_runs() {
    let world = World::new();
    world.write("a", 1);
    let (pass, walks, go_on) = gate();
    let walked = Mutex::new(0);
    let running = world.start_with(Watch::Events, move |update| {
        let Update::Progress(Progress { phase: Phase::Walking, .. }) = update else { return };
        let number = {
            let mut walked = walked.lock().unwrap();
            *walked += 1;
            *walked
        };
        // The first walk is before there is anything to show.
        if number == 2 {
            pass();
        }
    });
    walks.recv_timeout(PATIENCE).unwrap();
    running.session.send(Request::Rows(View { of: Subject::Taboo, wanted: 10, ..View::default() }));
    TabooList::edit(&Folder::new(world.home()), |list| list.add(entry("some words"))).unwrap();
    running.wait("what another process decided", |update| match update {
        Update::Rows(listing) => matches!(listing.rows[..], [Item::Taboo(_)]).then_some(()),
        _ => None,
    });
    go_on.send(()).unwrap();
    running.session.stop();
}
