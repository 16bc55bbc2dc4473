//! What is kept between lists is never out of date.

use std::fs;

use super::*;
use crate::protocol::{ItemId, Listing, Subject};
use dupi_base::corpus::Corpus;
use dupi_base::storage::Folder;
use dupi_index::taboo::{AcceptedEntry, KindEntry, TabooEntry};
use dupi_ingest::{Opened, Options, Silent, bring_up_to_date};
use dupi_judge::search::{Passages, SearchSettings};

/// Sentences in two or three files, of which the first ones are longer; and a table of numbers in two files.
fn known(place: &tempfile::TempDir) -> Arc<KnownPassages> {
    let corpus = place.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    let mut texts = vec![String::new(); 4];
    for number in 0..8_usize {
        let words = (0..60 - number * 4).map(|word| format!("so{}as{word}", "abcdefgh".as_bytes()[number]));
        let passage = words.collect::<Vec<_>>().join(" ");
        for copy in 0..2 + number % 2 {
            let own: String = (0..30).map(|word| format!("own{number}x{copy}x{word} ")).collect();
            texts[(number + copy) % 4] += &format!("{passage}\n\n{own}\n\n");
        }
    }
    let table: String = (0..90).map(|number| format!("{}, ", 1000 + number)).collect();
    // In two documents that have little else in common.
    [0, 2].into_iter().for_each(|of| texts[of] += &format!("{table}\n"));
    for (name, text) in ["a.txt", "b.txt", "c.txt", "d.txt"].iter().zip(texts) {
        fs::write(corpus.join(name), text).unwrap();
    }
    let home = Folder::new(place.path().join("index"));
    let options = Options { memory: 1 << 24, threads: 1, ..Options::new(home) };
    let Opened::Ready(mut updater) = options.open(&Corpus::resolve(&[corpus]).unwrap()).unwrap() else {
        panic!("a new index")
    };
    bring_up_to_date(&mut updater, &Silent).unwrap();
    let (snapshot, settings) = (updater.snapshot().clone(), SearchSettings::default());
    let order = PassageOrder::default();
    let passages = Passages::find(&snapshot, &settings, order, &|_| Ok(())).unwrap();
    Arc::new(KnownPassages::new(snapshot, passages, settings))
}

/// The day of every decision.
const DAY: jiff::civil::Date = jiff::civil::date(2026, 1, 1);

/// What a list is made from.
struct State {
    view: View,
    decisions: Decisions,
}

impl State {
    fn list(&self, rows: &mut PassageRows) -> Listing {
        rows.list(&self.view, &self.decisions, &|| false, |_: &Listing| {}).unwrap()
    }
}

/// A change with its name.
type Change<'a> = (&'a str, Box<dyn Fn(&mut State) + 'a>);

/// What of a list depends on the split.
fn shown(listing: &Listing) -> impl PartialEq + std::fmt::Debug + use<> {
    let ids: Vec<_> = listing.rows.iter().map(|row| (row.id(), row.state())).collect();
    (ids, listing.aside.clone(), listing.in_families, listing.complete, listing.hides_matches)
}

#[test]
fn a_split_that_is_kept_is_the_one_that_would_be_made() {
    let place = tempfile::tempdir().unwrap();
    let known = known(&place);
    let longest =
        &known.passages.found[known.passages.sorted(&known.snapshot, PassageOrder::Tokens)[0] as usize];
    let mut rows = PassageRows::new(Arc::clone(&known));
    let home = Folder::new(place.path().join("index"));
    let (decisions, wrong) = Decisions::load(home, known.snapshot.manifest().recipe, None);
    assert_eq!(wrong, Vec::<String>::new());
    let mut state = State { view: View { wanted: 50, ..View::default() }, decisions };
    let kept = |rows: &PassageRows| Arc::clone(&rows.split.as_ref().unwrap().1);
    let view =
        |name, change: fn(&mut View)| -> Change { (name, Box::new(move |state| change(&mut state.view))) };
    let hide = |state: &mut State| {
        let mut reader = DocumentReader::new(&known.snapshot);
        let copy = OpenCopy::new(&known.snapshot, &mut reader, &known.passages.sources, longest).unwrap();
        let entry = TabooEntry { text: copy.text().to_owned(), added: DAY, reason: None, language: None };
        assert!(state.decisions.edit::<TabooEntry, _>(|list| list.add(entry)).unwrap());
    };
    let second = known.passages.found.iter().find(|passage| passage.id != longest.id).unwrap();
    let of = AcceptedId::Passage(second.id.0);
    let accept = |state: &mut State| {
        let copies = second.copies.len() as u64;
        let entry = AcceptedEntry {
            of,
            text: String::new(),
            copies,
            fix: false,
            texts: Default::default(),
            added: DAY,
            reason: None,
        };
        state.decisions.edit::<AcceptedEntry, _>(|list| list.decide([entry])).unwrap();
    };
    let correct = |state: &mut State| {
        let entry =
            KindEntry { of, kind: Kind::Licence, text: String::new(), texts: Default::default(), added: DAY };
        assert_eq!(state.decisions.edit::<KindEntry, _>(|list| list.decide([entry])).unwrap(), 1);
    };
    let unhide = |state: &mut State| {
        assert_eq!(state.decisions.edit::<TabooEntry, _>(|list| list.remove_all(|_| true)).unwrap(), 1);
    };
    let changes: Vec<Change> = vec![
        view("nothing", |_| ()),
        view("order", |view| view.sort = Sort::Tokens),
        view("reverse", |view| view.is_reversed = true),
        view("aside", |view| view.show_aside = true),
        view("aside again", |view| view.show_aside = false),
        view("no reverse", |view| view.is_reversed = false),
        view("filter", |view| view.filter = "copies:>2".to_owned()),
        view("no filter", |view| view.filter.clear()),
        ("taboo", Box::new(hide)),
        view("taboo is shown", |view| view.show_taboo = true),
        view("filter by decision", |view| view.filter = "is:open".to_owned()),
        ("accepted", Box::new(accept)),
        view("filter by another decision", |view| view.filter = "is:taboo".to_owned()),
        view("taboo is not shown", |view| view.show_taboo = false),
        ("nothing is taboo", Box::new(unhide)),
        view("kind", |view| view.filter = "kind:data".to_owned()),
        view("no kind", |view| view.filter.clear()),
        ("another kind", Box::new(correct)),
        view("an open kind", |view| view.open = vec![Kind::Licence]),
    ];
    let mut lists = Vec::new();
    for (name, change) in changes {
        change(&mut state);
        let listing = state.list(&mut rows);
        let mut new = PassageRows::new(Arc::clone(&known));
        assert_eq!(shown(&listing), shown(&state.list(&mut new)), "{name}");
        let before = kept(&rows);
        state.view.wanted += 1;
        assert_eq!(shown(&state.list(&mut rows)), shown(&listing), "{name}");
        assert!(Arc::ptr_eq(&before, &kept(&rows)), "{name}: more rows of the same list");
        lists.push(format!("{:?}", shown(&listing)));
    }
    lists.sort();
    lists.dedup();
    assert!(lists.len() >= 8, "most of the changes show: {}", lists.len());
}

#[test]
fn the_reverse_of_an_order_lists_the_same_passages_and_keeps_the_lines_at_the_end() {
    let place = tempfile::tempdir().unwrap();
    let known = known(&place);
    let home = Folder::new(place.path().join("index"));
    let (decisions, _) = Decisions::load(home, known.snapshot.manifest().recipe, None);
    let view = View { wanted: 50, open: vec![Kind::Data], ..View::default() };
    let mut state = State { view, decisions };
    let mut rows = PassageRows::new(Arc::clone(&known));
    for &sort in Sort::ways(Subject::Passages) {
        let mut parts = [false, true].map(|is_reversed| {
            (state.view.sort, state.view.is_reversed) = (sort, is_reversed);
            let ids: Vec<ItemId> = state.list(&mut rows).rows.iter().map(Item::id).collect();
            let line = ids.iter().position(|id| matches!(id, ItemId::Aside(_))).unwrap();
            (ids[..line].to_vec(), ids[line..].to_vec())
        });
        parts[1].0.reverse();
        assert!(parts[0].0.len() > 2);
        assert_eq!(parts[0], parts[1], "{sort:?}");
    }
}
