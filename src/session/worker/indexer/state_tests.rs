use super::*;

/// A state with a clock that the test sets.
struct TestState {
    state: IndexerState,
    start: Instant,
    now: Instant,
}

impl TestState {
    /// The state at the start: all is owed.
    fn new() -> Self {
        let start = Instant::now();
        Self { state: IndexerState::new(start), start, now: start }
    }

    /// Up to date, with nothing to merge.
    fn idle() -> Self {
        let mut world = Self::new();
        world.take([IndexerEvent::Updated, IndexerEvent::NothingToMerge]);
        assert_eq!(world.next(), IndexerStep::Wait(world.start + LOOK));
        world
    }

    fn take(&mut self, events: impl IntoIterator<Item = IndexerEvent>) {
        events.into_iter().for_each(|event| self.state.handle(event, self.now));
    }

    fn next(&self) -> IndexerStep {
        self.state.next(self.now)
    }

    /// Sets the clock this many milliseconds later; the index was just checked.
    fn later(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
        self.take([IndexerEvent::Looked]);
    }
}

fn changed(paths: &[&str]) -> IndexerEvent {
    IndexerEvent::Changed(paths.iter().map(PathBuf::from).collect())
}

fn paths(paths: &[&str]) -> IndexerStep {
    IndexerStep::Update(Some(paths.iter().map(PathBuf::from).collect()))
}

#[test]
fn at_first_all_is_looked_at_and_then_perhaps_merged() {
    let mut world = TestState::new();
    assert_eq!(world.next(), IndexerStep::Update(None));
    world.take([IndexerEvent::Updated]);
    assert_eq!(world.next(), IndexerStep::BeginMerge);
    world.take([IndexerEvent::MergeBegan]);
    assert_eq!(world.next(), IndexerStep::Wait(world.start + LOOK));
    world.take([IndexerEvent::Merged]);
    assert_eq!(world.next(), IndexerStep::BeginMerge, "one merge may make another worth doing");
}

#[test]
fn what_waits_is_taken_together() {
    let mut world = TestState::idle();
    world.take([changed(&["b"]), changed(&["a", "b"])]);
    assert_eq!(world.next(), paths(&["a", "b"]));
    world.take((0..1000).map(|_| IndexerEvent::ChangedAnywhere));
    world.take([changed(&["c"])]);
    assert_eq!(world.next(), IndexerStep::Update(None));
    world.take([IndexerEvent::Updated, IndexerEvent::NothingToMerge]);
    assert!(matches!(world.next(), IndexerStep::Wait(_)), "a thousand rescans are one");
    world.take([changed(&[])]);
    assert!(matches!(world.next(), IndexerStep::Wait(_)));
}

#[test]
fn a_failed_update_is_owed_until_a_whole_one_went_through() {
    let mut world = TestState::idle();
    world.take([changed(&["a"]), IndexerEvent::UpdateFailed]);
    world.later(100);
    world.take([changed(&["b"]), IndexerEvent::Merged, IndexerEvent::NothingToMerge]);
    assert!(matches!(world.next(), IndexerStep::Wait(_)), "others do not make it go shorten");
    world.later(400);
    assert_eq!(world.next(), IndexerStep::Update(None));
    world.take([IndexerEvent::Updated, IndexerEvent::NothingToMerge]);
    assert!(matches!(world.next(), IndexerStep::Wait(_)));
}

#[test]
fn what_fails_is_tried_again_later_and_later_and_waits_anew_once_it_went_well() {
    let mut world = TestState::idle();
    let mut delays = Vec::new();
    for _ in 0..9 {
        world.take([IndexerEvent::ChangedAnywhere, IndexerEvent::UpdateFailed]);
        let failed = world.now;
        // At the very end of the delay, whichever events arrive meanwhile.
        while matches!(world.next(), IndexerStep::Wait(_)) {
            world.take([changed(&["a"]), IndexerEvent::Merged, IndexerEvent::NothingToMerge]);
            world.later(500);
        }
        assert_eq!(world.next(), IndexerStep::Update(None));
        delays.push((world.now - failed).as_millis());
    }
    assert_eq!(delays, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    world.take([IndexerEvent::Updated, IndexerEvent::NothingToMerge, IndexerEvent::UpdateFailed]);
    world.later(500);
    assert_eq!(world.next(), IndexerStep::Update(None), "the delay is short again");
}

#[test]
fn a_rescan_that_is_asked_for_need_not_wait_long_but_is_never_at_once() {
    let mut world = TestState::idle();
    for _ in 0..5 {
        world.take([IndexerEvent::UpdateFailed]);
        world.later(100);
    }
    world.take([IndexerEvent::ChangedAnywhere]);
    assert!(matches!(world.next(), IndexerStep::Wait(_)));
    world.later(400);
    assert_eq!(world.next(), IndexerStep::Update(None));
}

#[test]
fn a_failed_merge_waits_and_keeps_no_update_waiting() {
    let mut world = TestState::idle();
    world.take([changed(&["a"]), IndexerEvent::Updated, IndexerEvent::MergeBegan, IndexerEvent::MergeFailed]);
    assert_eq!(world.next(), IndexerStep::Wait(world.start + FIRST_DELAY));
    world.take([changed(&["b"])]);
    assert_eq!(world.next(), paths(&["b"]));
    world.take([IndexerEvent::Updated]);
    assert_eq!(world.next(), IndexerStep::Wait(world.start + FIRST_DELAY), "its delay goes on");
    // An update that fails has a delay of its own, and the merge's failures leave it alone.
    world.take([IndexerEvent::UpdateFailed]);
    world.later(500);
    assert_eq!(world.next(), IndexerStep::BeginMerge);
    world.take([IndexerEvent::MergeFailed]);
    assert_eq!(world.next(), IndexerStep::Update(None));
    let mut world = TestState::idle();
    for _ in 0..20 {
        world.take([IndexerEvent::MergeFailed]);
        assert!(matches!(world.next(), IndexerStep::Wait(_)));
        world.later(LONGEST_UNAWAITED.as_millis() as u64);
        assert_eq!(world.next(), IndexerStep::BeginMerge);
    }
}

#[test]
fn a_folder_that_always_changes_keeps_neither_merges_nor_looking_from_their_turn() {
    let mut world = TestState::idle();
    let (mut looked, mut merged) = (0, 0);
    for _ in 0..100 {
        world.now += Duration::from_millis(100);
        world.take([changed(&["a"])]);
        loop {
            match world.next() {
                IndexerStep::Look => {
                    looked += 1;
                    world.take([IndexerEvent::Looked]);
                }
                IndexerStep::BeginMerge => {
                    merged += 1;
                    world.take([IndexerEvent::NothingToMerge]);
                }
                IndexerStep::Update(_) => {
                    // More came while it ran.
                    world.take([IndexerEvent::Updated, changed(&["a"])]);
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
    for (event, why) in [
        (IndexerEvent::Rebuild, LeaveReason::Rebuild),
        (IndexerEvent::Lost, LeaveReason::Lost),
        (IndexerEvent::Stop, LeaveReason::Stop),
    ] {
        let mut world = TestState::idle();
        world.take([IndexerEvent::MergeBegan, IndexerEvent::ChangedAnywhere, event]);
        assert_eq!(world.next(), IndexerStep::EndMerge);
        world.take([IndexerEvent::MergeFailed]);
        assert_eq!(world.next(), IndexerStep::Leave(why));
    }
    let mut world = TestState::idle();
    world.take([IndexerEvent::Stop, IndexerEvent::Lost, IndexerEvent::Rebuild]);
    world.take((0..1000).map(|_| IndexerEvent::ChangedAnywhere));
    assert_eq!(world.next(), IndexerStep::Leave(LeaveReason::Stop));
    let mut world = TestState::idle();
    world.take([IndexerEvent::Lost, IndexerEvent::Rebuild]);
    assert_eq!(world.next(), IndexerStep::Leave(LeaveReason::Lost));
}

#[test]
fn what_could_not_be_read_now_is_looked_at_again_later_and_later() {
    let mut world = TestState::new();
    world.take([IndexerEvent::UpdatedInPart]);
    assert_eq!(world.next(), IndexerStep::BeginMerge, "what was read counts");
    world.take([IndexerEvent::NothingToMerge]);
    assert_eq!(world.next(), IndexerStep::Wait(world.start + FIRST_DELAY));
    world.later(500);
    assert_eq!(world.next(), IndexerStep::Update(None));
    world.take([IndexerEvent::UpdatedInPart, IndexerEvent::NothingToMerge]);
    world.later(999);
    assert!(matches!(world.next(), IndexerStep::Wait(_)));
    world.take([changed(&["a"])]);
    assert_eq!(world.next(), paths(&["a"]), "what changes meanwhile does not wait");
    world.take([IndexerEvent::PathsUpdated, IndexerEvent::NothingToMerge]);
    world.later(1);
    assert_eq!(world.next(), IndexerStep::Update(None));
    world.take([IndexerEvent::Updated, IndexerEvent::NothingToMerge]);
    assert_eq!(world.next(), IndexerStep::Wait(world.now + LOOK));
}

#[test]
fn changes_that_keep_coming_are_gathered() {
    for (cost, updates) in [(5, 110..=130), (100, 70..=90), (400, 18..=30), (5000, 18..=30)] {
        let mut world = TestState::idle();
        let (mut done, mut first) = (0, None);
        for change in 0..3000 {
            world.later(20);
            world.take([changed(&["grows"])]);
            if world.next() == paths(&["grows"]) {
                first = first.or(Some(change));
                done += 1;
                let charged = IndexerEvent::Charged(Duration::from_millis(cost));
                world.take([IndexerEvent::PathsUpdated, IndexerEvent::NothingToMerge, charged]);
            }
        }
        assert_eq!(first, Some(0), "the first one does not wait");
        assert!(updates.contains(&done), "{cost} ms: {done} updates in a minute");
        world.later(10_000);
        assert_eq!(world.next(), paths(&["grows"]));
        world.take([IndexerEvent::PathsUpdated, IndexerEvent::NothingToMerge]);
        world.later(10_000);
        world.take([changed(&["another"])]);
        assert_eq!(world.next(), paths(&["another"]), "what changes after a quiet time does not wait");
    }
}
