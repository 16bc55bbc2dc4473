use super::*;

const SEARCH: SearchStep = SearchStep::Search(SearchKind { settles: false, is_ended_by_changes: true });
const SETTLING: SearchKind = SearchKind { settles: true, is_ended_by_changes: true };

/// A schedule, the state of its session, and a clock that the test sets.
struct TestSchedule {
    schedule: Schedule<u8>,
    facts: SearchFacts<u8>,
    start: Instant,
}

impl TestSchedule {
    /// A view is shown, the indexer is idle, and kept results were looked for.
    fn new() -> Self {
        let facts = SearchFacts { texts: 1, asked: 0, is_wanted: true, is_quiet: true, is_shown: false };
        let mut world = Self { schedule: Schedule::new(0), facts, start: Instant::now() };
        assert_eq!(world.next(0), SearchStep::Load);
        world
    }

    fn at(&self, seconds: u64) -> Instant {
        self.start + Duration::from_secs(seconds)
    }

    /// The next step at a time; kept results are looked for in passing.
    fn next(&mut self, seconds: u64) -> SearchStep {
        self.schedule.next(&self.facts, self.at(seconds))
    }

    fn next_search(&mut self, seconds: u64) -> SearchStep {
        match self.next(seconds) {
            SearchStep::Load | SearchStep::Keep => self.next_search(seconds),
            step => step,
        }
    }

    fn change(&mut self) {
        self.facts.texts += 1;
    }

    fn found(&mut self, seconds: u64, kind: ResultKind) {
        self.facts.is_shown = true;
        self.schedule.found(self.facts.texts, kind, self.at(seconds));
    }

    fn wait(&self, seconds: u64) -> SearchStep {
        SearchStep::Wait(Some(self.at(seconds)))
    }
}

#[test]
fn a_search_is_due_while_its_view_is_shown_and_the_indexer_is_idle() {
    let mut world = TestSchedule::new();
    assert_eq!(world.next(0), SEARCH);
    world.facts.is_quiet = false;
    assert_eq!(world.next(0), SearchStep::Wait(None));
    world.change();
    assert_eq!(world.next(0), SearchStep::Load, "what is kept is shown at once while nothing is");
    (world.facts.is_quiet, world.facts.is_wanted) = (true, false);
    assert_eq!(world.next(0), SearchStep::Wait(None));
    world.facts.is_wanted = true;
    assert_eq!(world.next(0), SEARCH);
    world.found(1, ResultKind::Searched);
    assert_eq!(world.next(1), SearchStep::Keep);
    assert_eq!(world.next(1), SearchStep::Wait(None));
    world.change();
    world.facts.is_quiet = false;
    assert_eq!(
        world.next(2),
        SearchStep::Wait(None),
        "what is shown is not replaced before the indexer rests"
    );
    world.facts.is_quiet = true;
    assert_eq!([world.next(2), world.next(2)], [SearchStep::Load, SEARCH]);
}

#[test]
fn other_criteria_begin_anew() {
    let mut world = TestSchedule::new();
    world.found(0, ResultKind::Amended);
    world.next(0);
    world.schedule.charge(SearchKind { settles: false, ..SETTLING }, world.at(0), Duration::from_secs(60));
    world.facts.asked = 1;
    assert_eq!([world.next(0), world.next(0)], [SearchStep::Load, SEARCH]);
    // What is shown by now is not searched anew at once, though it was asked for anew.
    world.found(0, ResultKind::Loaded(true));
    world.change();
    assert_eq!(world.next_search(1), world.wait(58));
}

#[test]
fn what_was_amended_is_kept_after_a_moment_and_what_was_loaded_is_kept_already() {
    let mut world = TestSchedule::new();
    world.found(0, ResultKind::Amended);
    assert_eq!(world.next(1), world.wait(2));
    assert_eq!(world.next(2), SearchStep::Keep);
    assert_eq!(world.next(2), world.wait(20));
    world.found(3, ResultKind::Loaded(false));
    assert_eq!(world.next(3), world.wait(23));
    world.found(4, ResultKind::Loaded(true));
    assert_eq!(world.next(4), SearchStep::Wait(None));
}

#[test]
fn a_change_during_a_settling_search_is_amended_and_not_searched_for() {
    let mut world = TestSchedule::new();
    world.found(0, ResultKind::Amended);
    assert_eq!(world.next_search(19), world.wait(20));
    assert_eq!(world.next_search(20), SearchStep::Search(SETTLING));
    // A change ends it only after a while.
    world.schedule.ended(SETTLING, true);
    world.change();
    assert_eq!(world.next_search(60), SEARCH, "the change is amended first");
    world.found(61, ResultKind::Amended);
    world.change();
    assert_eq!(world.next_search(62), SEARCH);
    world.schedule.ended(SearchKind { settles: false, ..SETTLING }, true);
    world.found(62, ResultKind::Amended);
    assert_eq!(
        world.next_search(82),
        SearchStep::Search(SETTLING),
        "changes end it, whatever was ended before"
    );
    world.found(90, ResultKind::Searched);
    assert_eq!(world.next_search(200), SearchStep::Wait(None));
}

#[test]
fn a_search_that_was_ended_is_followed_by_one_that_is_not() {
    let mut world = TestSchedule::new();
    let (search, stubborn) = (
        SearchKind { settles: false, ..SETTLING },
        SearchKind { settles: false, is_ended_by_changes: false },
    );
    assert_eq!(world.next_search(0), SEARCH);
    world.schedule.ended(search, false);
    assert_eq!(world.next_search(0), SEARCH, "the view was left and is shown again");
    world.schedule.ended(search, true);
    assert_eq!(world.next_search(0), SearchStep::Search(stubborn));
    world.found(0, ResultKind::Searched);
    world.change();
    assert_eq!(world.next_search(0), SEARCH);
    world.schedule.ended(search, true);
    world.found(0, ResultKind::Amended);
    world.change();
    assert_eq!(world.next_search(0), SEARCH, "what was amended does not wait for a search");
}

#[test]
fn settling_searches_that_changes_end_are_begun_ever_more_rarely() {
    let mut world = TestSchedule::new();
    let (mut begun, mut took) = (0, Duration::ZERO);
    // One change in half a minute, for a day; a search of all documents would take two minutes.
    for change in 0..24 * 120 {
        let now = 30 * change;
        world.found(now, ResultKind::Amended);
        if world.next_search(now + 20) == SearchStep::Search(SETTLING) {
            begun += 1;
            let cost = Duration::from_secs(20);
            took += cost;
            world.schedule.ended(SETTLING, true);
            world.schedule.charge(SETTLING, world.at(now + 30), cost);
        }
    }
    assert!(begun > 100, "{begun}");
    assert!(took <= Duration::from_secs(24 * 3600 / 10), "{took:?}");
}

#[test]
fn a_search_that_failed_is_not_repeated() {
    let mut world = TestSchedule::new();
    world.found(0, ResultKind::Amended);
    world.schedule.failed(world.facts.texts);
    assert_eq!(world.next_search(100), SearchStep::Wait(None));
    world.change();
    assert_eq!(world.next_search(100), SEARCH);
}

#[test]
fn searches_for_changes_have_a_pace_once_something_is_shown() {
    let mut world = TestSchedule::new();
    let (search, cost) = (SearchKind { settles: false, ..SETTLING }, Duration::from_secs(3));
    assert_eq!(world.next_search(0), SEARCH);
    world.schedule.charge(search, world.at(0), cost);
    world.found(0, ResultKind::Searched);
    world.change();
    assert_eq!(world.next_search(0), SEARCH, "the first search is not charged");
    world.schedule.charge(search, world.at(0), cost);
    world.found(0, ResultKind::Amended);
    world.change();
    assert_eq!(world.next_search(1), world.wait(2), "only what is amended is to be kept");
    assert_eq!(world.next_search(2), world.wait(28));
    assert_eq!(world.next_search(28), SEARCH);
}
