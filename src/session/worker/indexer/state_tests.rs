use super::*;

/// A state, and a clock that stands still unless it is moved.
struct World {
    state: State,
    start: Instant,
    now: Instant,
}

impl World {
    /// All owed, as at the start.
    fn new() -> Self {
        let start = Instant::now();
        Self { state: State::new(start), start, now: start }
    }

    /// Up to date, with nothing to merge.
    fn idle() -> Self {
        let mut world = Self::new();
        world.take([Event::Updated, Event::NothingToMerge]);
        assert_eq!(world.next(), Step::Wait(world.start + LOOK));
        world
    }

    fn take(&mut self, events: impl IntoIterator<Item = Event>) {
        events.into_iter().for_each(|event| self.state.took(event, self.now));
    }

    fn next(&self) -> Step {
        self.state.next(self.now)
    }

    /// So many milliseconds later, when the index was just looked at.
    fn later(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
        self.take([Event::Looked]);
    }
}

fn changed(paths: &[&str]) -> Event {
    Event::Changed(paths.iter().map(PathBuf::from).collect())
}

fn paths(paths: &[&str]) -> Step {
    Step::Update(Owed::Paths(paths.iter().map(PathBuf::from).collect()))
}

#[test]
fn at_first_all_is_looked_at_and_then_perhaps_merged() {
    let mut world = World::new();
    assert_eq!(world.next(), Step::Update(Owed::All));
    world.take([Event::Updated]);
    assert_eq!(world.next(), Step::BeginMerge);
    world.take([Event::MergeBegan]);
    assert_eq!(world.next(), Step::Wait(world.start + LOOK));
    world.take([Event::Merged]);
    assert_eq!(world.next(), Step::BeginMerge, "one merge may make another worth doing");
}

#[test]
fn what_waits_is_taken_together() {
    let mut world = World::idle();
    world.take([changed(&["b"]), changed(&["a", "b"])]);
    assert_eq!(world.next(), paths(&["a", "b"]));
    world.take((0..1000).map(|_| Event::ChangedAnywhere));
    world.take([changed(&["c"])]);
    assert_eq!(world.next(), Step::Update(Owed::All));
    world.take([Event::Updated, Event::NothingToMerge]);
    assert!(matches!(world.next(), Step::Wait(_)), "a thousand rescans are one");
    world.take([changed(&[])]);
    assert!(matches!(world.next(), Step::Wait(_)));
}

#[test]
fn a_failed_update_is_owed_until_a_whole_one_went_through() {
    let mut world = World::idle();
    world.take([changed(&["a"]), Event::UpdateFailed]);
    world.later(100);
    world.take([changed(&["b"]), Event::Merged, Event::NothingToMerge]);
    assert!(matches!(world.next(), Step::Wait(_)), "others do not make it go sooner");
    world.later(400);
    assert_eq!(world.next(), Step::Update(Owed::All));
    world.take([Event::Updated, Event::NothingToMerge]);
    assert!(matches!(world.next(), Step::Wait(_)));
}

#[test]
fn what_fails_is_tried_again_later_and_later_and_waits_anew_once_it_went_well() {
    let mut world = World::idle();
    let mut delays = Vec::new();
    for _ in 0..9 {
        world.take([Event::ChangedAnywhere, Event::UpdateFailed]);
        let failed = world.now;
        // At the very end of the delay, whatever comes meanwhile.
        while matches!(world.next(), Step::Wait(_)) {
            world.take([changed(&["a"]), Event::Merged, Event::NothingToMerge]);
            world.later(500);
        }
        assert_eq!(world.next(), Step::Update(Owed::All));
        delays.push((world.now - failed).as_millis());
    }
    assert_eq!(delays, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    world.take([Event::Updated, Event::NothingToMerge, Event::UpdateFailed]);
    world.later(500);
    assert_eq!(world.next(), Step::Update(Owed::All), "the delay is short again");
}

#[test]
fn a_rescan_that_is_asked_for_need_not_wait_long_but_is_never_at_once() {
    let mut world = World::idle();
    for _ in 0..5 {
        world.take([Event::UpdateFailed]);
        world.later(100);
    }
    world.take([Event::ChangedAnywhere]);
    assert!(matches!(world.next(), Step::Wait(_)));
    world.later(400);
    assert_eq!(world.next(), Step::Update(Owed::All));
}

#[test]
fn a_failed_merge_waits_and_keeps_no_update_waiting() {
    let mut world = World::idle();
    world.take([changed(&["a"]), Event::Updated, Event::MergeBegan, Event::MergeFailed]);
    assert_eq!(world.next(), Step::Wait(world.start + FIRST_DELAY));
    world.take([changed(&["b"])]);
    assert_eq!(world.next(), paths(&["b"]));
    world.take([Event::Updated]);
    assert_eq!(world.next(), Step::Wait(world.start + FIRST_DELAY), "its delay goes on");
    // An update that fails has a delay of its own, and the merge's failures leave it alone.
    world.take([Event::UpdateFailed]);
    world.later(500);
    assert_eq!(world.next(), Step::BeginMerge);
    world.take([Event::MergeFailed]);
    assert_eq!(world.next(), Step::Update(Owed::All));
    let mut world = World::idle();
    for _ in 0..20 {
        world.take([Event::MergeFailed]);
        assert!(matches!(world.next(), Step::Wait(_)));
        world.later(LONGEST_UNAWAITED.as_millis() as u64);
        assert_eq!(world.next(), Step::BeginMerge);
    }
}

#[test]
fn a_folder_that_always_changes_keeps_neither_merges_nor_looking_from_their_turn() {
    let mut world = World::idle();
    let (mut looked, mut merged) = (0, 0);
    for _ in 0..100 {
        world.now += Duration::from_millis(100);
        world.take([changed(&["a"])]);
        loop {
            match world.next() {
                Step::Look => {
                    looked += 1;
                    world.take([Event::Looked]);
                }
                Step::BeginMerge => {
                    merged += 1;
                    world.take([Event::NothingToMerge]);
                }
                Step::Update(_) => {
                    // More came while it ran.
                    world.take([Event::Updated, changed(&["a"])]);
                    break;
                }
                step => panic!("{step:?}"),
            }
        }
    }
    assert!(looked >= 9 && merged >= 99, "{looked}, {merged}");
}

#[test]
fn who_leaves_ends_the_merge_first_and_stopping_goes_before_all() {
    for (event, why) in [(Event::Rebuild, Why::Rebuild), (Event::Lost, Why::Lost), (Event::Stop, Why::Stop)] {
        let mut world = World::idle();
        world.take([Event::MergeBegan, Event::ChangedAnywhere, event]);
        assert_eq!(world.next(), Step::EndMerge);
        world.take([Event::MergeFailed]);
        assert_eq!(world.next(), Step::Leave(why));
    }
    let mut world = World::idle();
    world.take([Event::Stop, Event::Lost, Event::Rebuild]);
    world.take((0..1000).map(|_| Event::ChangedAnywhere));
    assert_eq!(world.next(), Step::Leave(Why::Stop));
    let mut world = World::idle();
    world.take([Event::Lost, Event::Rebuild]);
    assert_eq!(world.next(), Step::Leave(Why::Lost));
}

#[test]
fn what_could_not_be_read_now_is_looked_at_again_later_and_later() {
    let mut world = World::new();
    world.take([Event::UpdatedInPart]);
    assert_eq!(world.next(), Step::BeginMerge, "what was read counts");
    world.take([Event::NothingToMerge]);
    assert_eq!(world.next(), Step::Wait(world.start + FIRST_DELAY));
    world.later(500);
    assert_eq!(world.next(), Step::Update(Owed::All));
    world.take([Event::UpdatedInPart, Event::NothingToMerge]);
    world.later(999);
    assert!(matches!(world.next(), Step::Wait(_)));
    world.take([changed(&["a"])]);
    assert_eq!(world.next(), paths(&["a"]), "what changes meanwhile does not wait");
    world.take([Event::PathsUpdated, Event::NothingToMerge]);
    world.later(1);
    assert_eq!(world.next(), Step::Update(Owed::All));
    world.take([Event::Updated, Event::NothingToMerge]);
    assert_eq!(world.next(), Step::Wait(world.now + LOOK));
}
