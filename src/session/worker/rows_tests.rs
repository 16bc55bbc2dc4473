use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use super::*;
use crate::known::RankingCache;
use crate::protocol::{Request, SearchState};
use crate::worker::schedule::{Schedule, SearchStep};
use crate::worker::searches::{Search, SearchRun, facts_of, run_search};
use crate::worker::shared::SharedState;
use dupi_base::corpus::Corpus;
use dupi_base::storage::Folder;
use dupi_index::index::search::Tick;
use dupi_index::taboo::{DecisionList, TabooEntry, TabooList, TabooScope, today};
use dupi_ingest::{Opened, Options, Silent};
use dupi_judge::PassageOrder;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_text::blot::Recipe;

/// The updates about the blots of two equal documents, with a limit on the entries of a ranking.
fn told(most_ranked: usize, is_stopped: bool) -> Vec<Update> {
    let place = tempfile::tempdir().unwrap();
    let corpus = place.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    let text: String = (0..400).map(|number| format!("word{number} ")).collect();
    ["a", "b"].iter().for_each(|name| fs::write(corpus.join(name), &text).unwrap());
    let home = Folder::new(place.path().join("index"));
    let options = Options { memory: 1 << 24, threads: 1, ..Options::new(home.clone()) };
    let Opened::Ready(mut updater) = options.open(&Corpus::resolve(&[corpus]).unwrap()).unwrap() else {
        panic!("a new index")
    };
    updater.update_all(&Silent).unwrap();
    let updates = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&updates);
    let mut shared = SharedSession::new(0, channel().0, move |update| sink.lock().unwrap().push(update));
    shared.rankings.most = most_ranked;
    {
        let mut state = shared.state();
        state.snapshot = Some(updater.snapshot().clone());
        state.decisions = Some(Decisions::load(home, updater.snapshot().manifest().recipe, None).0);
        state.asked.view = Some(View { of: Subject::Blots, wanted: 10, ..View::default() });
    }
    if is_stopped {
        shared.signals.close();
    }
    let mut makers = ListMakers::default();
    for _ in 0..2 {
        let listed = list(&shared, &mut makers, 0);
        assert_eq!(matches!(listed, Err(IndexError::Stopped)), is_stopped);
    }
    drop(shared);
    std::mem::take(&mut updates.lock().unwrap())
}

fn notices(told: &[Update]) -> Vec<&String> {
    told.iter()
        .filter_map(|update| if let Update::Notice(said) = update { Some(said) } else { None })
        .collect()
}

fn last_listing(told: &[Update]) -> &Listing {
    let mut listings =
        told.iter().filter_map(|update| if let Update::Rows(rows) = update { Some(rows) } else { None });
    listings.next_back().unwrap()
}

#[test]
fn a_list_of_blots_ends_where_its_memory_does_and_says_so_once() {
    let told = told(8, false);
    let said = notices(&told);
    assert!(said.len() == 1 && said[0].contains("after 8 of ") && said[0].contains("--memory"), "{said:?}");
    let listing = last_listing(&told);
    assert!(listing.complete && listing.rows.len() == 1 && listing.repeated > 8);
}

#[test]
fn a_list_of_blots_that_has_room_says_nothing() {
    let told = told(HEAD, false);
    assert!(notices(&told).is_empty());
    assert!(last_listing(&told).complete);
}

#[test]
fn who_leaves_waits_for_no_ranking() {
    assert!(told(8, true).is_empty());
}

/// A snapshot of these documents with its passages, and where its decisions are kept.
fn searched(place: &Path, documents: &[(&str, String)]) -> (Snapshot, KnownPassages, Folder) {
    let corpus = place.join("corpus");
    fs::create_dir(&corpus).unwrap();
    documents.iter().for_each(|(name, text)| fs::write(corpus.join(name), text).unwrap());
    let home = Folder::new(place.join("index"));
    let options = Options { memory: 1 << 24, threads: 1, ..Options::new(home.clone()) };
    let Opened::Ready(mut updater) = options.open(&Corpus::resolve(&[corpus]).unwrap()).unwrap() else {
        panic!("a new index")
    };
    updater.update_all(&Silent).unwrap();
    let snapshot = updater.snapshot().clone();
    let settings = SearchSettings::default();
    let passages = Passages::find(&snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap();
    (snapshot.clone(), KnownPassages::new(snapshot, passages, settings), home)
}

fn words(name: &str, count: usize) -> String {
    (0..count).map(|at| format!("{name}{at} ")).collect()
}

/// A session that knows the decisions about an index, and the lists that it sends.
fn listing_session(home: Folder, snapshot: &Snapshot) -> (SharedSession, Arc<Mutex<Vec<Arc<Listing>>>>) {
    let listings: Arc<Mutex<Vec<Arc<Listing>>>> = Arc::default();
    let sink = Arc::clone(&listings);
    let shared = SharedSession::new(1 << 24, channel().0, move |update| {
        if let Update::Rows(listing) = update {
            sink.lock().unwrap().push(listing);
        }
    });
    shared.state().decisions = Some(Decisions::load(home, snapshot.manifest().recipe, None).0);
    (shared, listings)
}

#[test]
fn a_first_look_is_listed_and_told_as_such_until_all_passages_are_found() {
    let place = tempfile::tempdir().unwrap();
    let text = words("head", 60);
    let (snapshot, known, home) = searched(place.path(), &[("a", text.clone()), ("b", text)]);
    let (shared, listings) = listing_session(home, &snapshot);
    let known = Arc::new(known);
    {
        let mut state = shared.state();
        state.first_look = Some(Arc::clone(&known));
        state.snapshot = Some(snapshot);
    }
    let mut makers = ListMakers::default();
    let mut listed = |of: Subject, filter: &str| {
        let view = View { of, filter: filter.to_owned(), wanted: 10, ..View::default() };
        shared.state().asked.view = Some(view);
        list(&shared, &mut makers, 0).unwrap();
        let last = std::mem::take(&mut *listings.lock().unwrap()).pop().unwrap();
        (last.rows.len(), last.is_first_look, last.is_provisional)
    };
    assert_eq!(listed(Subject::Passages, ""), (1, true, false));
    assert_eq!(listed(Subject::Passages, "'nowhere"), (0, true, true), "others may have the word");
    assert_eq!(listed(Subject::Documents, ""), (0, false, true), "their shares need all passages");
    shared.state().passages = Some(known);
    assert_eq!(listed(Subject::Passages, ""), (1, false, false));
    assert!(!listed(Subject::Documents, "").1);
}

#[test]
fn no_list_after_a_decision_differs_from_the_last_one() {
    let place = tempfile::tempdir().unwrap();
    let (head, around, other) = (words("head", 60), words("around", 40), words("other", 30));
    // The longer one with fewer copies belongs to the family of the one inside it.
    let documents = [
        ("a", format!("{head}{around}")),
        ("b", format!("x y z {head}{around}")),
        ("c", format!("{head} u v w")),
        ("d", format!("q {head}")),
        ("e", other.clone()),
        ("f", format!("r s {other}")),
    ];
    let (snapshot, known, home) = searched(place.path(), &documents);
    let (shared, listings) = listing_session(home, &snapshot);
    {
        let mut state = shared.state();
        state.asked.view = Some(View { of: Subject::Passages, wanted: 10, ..View::default() });
        state.passages = Some(Arc::new(known));
        state.snapshot = Some(snapshot);
    }
    let mut makers = ListMakers::default();
    let mut listed = || {
        list(&shared, &mut makers, 0).unwrap();
        let told = std::mem::take(&mut *listings.lock().unwrap());
        let texts = |listing: &Listing| -> Vec<String> {
            listing.rows.iter().map(|row| row.text()[..5].to_owned()).collect()
        };
        let last = told.last().unwrap();
        assert!(told.iter().all(|listing| texts(listing) == texts(last)), "{told:?}");
        (texts(last), last.rows[0].clone())
    };
    let (texts, first) = listed();
    assert_eq!(texts, ["head0", "other"]);
    shared.state().asked.decisions.push(Request::Taboo {
        rows: vec![first],
        reason: None,
        scope: TabooScope::Corpus,
    });
    assert_eq!(listed().0, ["head0", "other"], "the longer passage stands for the family");
    shared.state().asked.decisions.push(Request::Undo);
    assert_eq!(listed().0, ["head0", "other"]);
}

#[test]
fn a_list_that_was_asked_for_does_not_wait_because_a_publication_overtook_it() {
    let (mut due, now) = (DueList { pace: PACE, is_asked: false }, Instant::now());
    let long = Duration::from_secs(5);
    assert_eq!(due.woken(false, now), None);
    due.listed(true, long, now);
    assert!(due.woken(false, now).is_some(), "documents changed, and the last list was expensive");
    assert_eq!(due.woken(true, now), None, "a user asks");
    due.listed(false, long, now);
    assert_eq!(due.woken(false, now), None, "the list was abandoned, and the user still waits");
    due.listed(true, long, now);
    assert!(due.woken(false, now).is_some());
}

#[test]
fn rows_follow_decisions_that_are_read_again_and_differ() {
    let place = tempfile::tempdir().unwrap();
    let home = Folder::new(place.path());
    let shared = SharedSession::new(0, channel().0, |_| ());
    let read = || {
        let before = shared.signals.count(Concern::Rows);
        shared.read_decisions(|known| Decisions::load(home.clone(), Recipe::default(), known));
        shared.signals.count(Concern::Rows) - before
    };
    assert_eq!([read(), read()], [0, 0], "rows follow the index that is opened");
    let entry = TabooEntry { text: "some words".into(), added: today(), reason: None, language: None };
    DecisionList::edit(&home, |list: &mut TabooList| list.add(entry)).unwrap();
    assert_eq!([read(), read()], [1, 0]);
}

/// A search that stops for a reason of its own.
struct StopsByItself;

impl Search for StopsByItself {
    const CONCERN: Concern = Concern::Clusters;
    const FAILED: &'static str = "It failed";
    const UPDATE: fn(SearchState) -> Update = Update::Comparing;
    type Asked = ();

    fn asked(_: &SharedState) {}

    fn search(&mut self, _: &SearchRun<()>, _: &Tick) -> Result<(), Option<String>> {
        Err(None)
    }
}

#[test]
fn a_search_that_stops_by_itself_is_not_begun_again() {
    let place = tempfile::tempdir().unwrap();
    let (snapshot, ..) = searched(place.path(), &[("a", words("a", 20))]);
    let shared = SharedSession::new(0, channel().0, |_| ());
    {
        let mut state = shared.state();
        state.asked.view = Some(View { of: Subject::Clusters, ..View::default() });
        (state.snapshot, state.is_quiet) = (Some(snapshot.clone()), true);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (shared, pool, started) = (&shared, &pool, Instant::now());
    let run = SearchRun { shared, pool, snapshot, texts: 0, asked: (), started };
    let mut schedule = Schedule::new(());
    let mut next = || {
        let (_, facts) = facts_of::<StopsByItself>(&shared.state());
        let step = schedule.next(&facts, started);
        if let SearchStep::Search(kind) = step {
            run_search(&mut StopsByItself, &mut schedule, &run, kind);
        }
        step
    };
    assert_eq!(next(), SearchStep::Load);
    assert!(matches!(next(), SearchStep::Search(_)));
    assert_eq!(next(), SearchStep::Wait(None));
}

#[test]
fn the_taboo_list_answers_a_new_request_before_its_entries_are_counted() {
    let place = tempfile::tempdir().unwrap();
    let text = words("a", 60);
    let (snapshot, known, home) = searched(place.path(), &[("a", text.clone()), ("b", text.clone())]);
    let entry = TabooEntry { text, added: today(), reason: None, language: None };
    DecisionList::edit(&home, |list: &mut TabooList| list.add(entry)).unwrap();
    let (decisions, _) = Decisions::load(home, snapshot.manifest().recipe, None);
    let (clusters, review, is_first_look) = Default::default();
    let found = Found { snapshot, known: Some(Arc::new(known)), is_first_look, clusters, review };
    let view = View { of: Subject::Taboo, wanted: 10, ..View::default() };
    let sent = RefCell::new(Vec::new());
    let mut maker = list_maker(Subject::Taboo);
    let mut are_counted = |is_asked_anew: bool| -> Vec<bool> {
        let request = ListRequest {
            view: &view,
            decisions: &decisions,
            found: &found,
            rankings: &RankingCache::new(HEAD),
            is_overtaken: &|| false,
            is_asked_anew: &|| is_asked_anew,
            is_stopped: &|| false,
            send: &|listing| sent.borrow_mut().push(listing),
            notice: &|_| (),
        };
        maker.list(&request).unwrap();
        let is_counted = |listing: Listing| listing.rows[0].copies().is_some();
        sent.take().into_iter().map(is_counted).collect()
    };
    assert_eq!(are_counted(true), [false]);
    assert_eq!(are_counted(false), [false, true]);
    assert_eq!(are_counted(true), [true]);
}
