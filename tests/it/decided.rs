//! What a session does when somebody decides: hides, accepts, takes back, also after a restart; what it says of
//! decisions before and after; and what it writes down.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use crate::shown::{Shown, words};
use dupi::query::filter::ReviewState;
use dupi::session::{
    DecisionResult, HiddenCounts, Item, ListedTaboo, Listing, Preview, Request, Subject, TabooPreview,
    Update, View,
};
use dupi::storage::Folder;
use dupi::taboo::{AcceptedEntry, AcceptedId, AcceptedList, LIST, TabooEntry, TabooList, TabooScope};

/// Three texts that stand in four, three and two documents.
pub(crate) fn three() -> Shown {
    let texts = [("ash", 4), ("birch", 3), ("cedar", 2)];
    let files = texts.into_iter().flat_map(|(tree, count)| {
        (1..=count)
            .map(move |number| (format!("{tree}{number}"), format!("{number}{tree} {}", words(tree, 40))))
    });
    let files: Vec<(String, String)> = files.collect();
    Shown::new(&files)
}

fn taboo_rows(listing: &Listing) -> Vec<Arc<ListedTaboo>> {
    let row = |row: &Item| match row {
        Item::Taboo(row) => Arc::clone(row),
        other => panic!("{other:?}"),
    };
    listing.rows.iter().map(row).collect()
}

#[test]
fn one_decision_over_many_rows_is_one_step_which_is_undone_after_a_restart() {
    let mut shown = three();
    let rows = shown.rows(&[4, 3, 2]);
    shown.ask(Request::Taboo {
        rows: rows.rows[..2].to_vec(),
        reason: Some("trees".into()),
        scope: TabooScope::Corpus,
    });
    assert_eq!(shown.rows(&[2]).hidden, HiddenCounts { rows: 2, copies: 7, documents: 7 });
    let (_, result) = shown.decided("Taboo: 2 texts; 2 passages with 7 copies in 7 documents hidden");
    assert_eq!(result, DecisionResult::Done);
    shown.open();
    shown.rows(&[2]);
    shown.ask(Request::Undo);
    assert!(shown.rows(&[4, 3, 2]).hidden.is_empty());
    let (said, result) = shown.decided("Undone: taboo \"ash0 ");
    assert_eq!(result, DecisionResult::Undone);
    assert!(said.ends_with(" and 1 more; 2 passages with 7 copies in 7 documents shown again"), "{said}");
    shown.ask(Request::Redo);
    shown.rows(&[2]);
    assert!(shown.said("Redone: taboo \"ash0 ").ends_with("hidden"));
    shown.ask(Request::Redo);
    assert_eq!(shown.decided("There is nothing to redo.").1, DecisionResult::Nothing);
    // Another process decides; then it is undone here.
    let entry =
        TabooEntry { text: words("cedar", 40), added: dupi::taboo::today(), reason: None, language: None };
    TabooList::edit(&Folder::new(shown.beside("index")), |list| list.add(entry)).unwrap();
    shown.ask(Request::Undo);
    shown.said("Undone: taboo \"cedar0 ");
    shown.ask(Request::ShowAgain { rows: rows.rows[..1].to_vec() });
    shown.rows(&[4, 2]);
    shown.said("No longer taboo: 1 passage with 4 copies in 4 documents shown again");
}

#[test]
fn what_was_decided_just_before_the_end_holds() {
    let mut shown = three();
    for (times, left) in [&[4, 3, 2][..], &[3, 2], &[2]].iter().enumerate() {
        let rows = shown.rows(left).rows.clone();
        shown.ask(Request::Taboo { rows: rows[..1].to_vec(), reason: None, scope: TabooScope::Corpus });
        shown.close();
        let list = TabooList::load(&Folder::new(shown.beside("index"))).unwrap();
        assert_eq!(list.entries().len(), times + 1);
        shown.open();
    }
}

#[test]
fn what_changes_nothing_is_no_step_and_said_so() {
    let shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    shown.ask(Request::SetState { rows: rows[..1].to_vec(), state: ReviewState::Accepted });
    shown.said("Accepted: 1 passage");
    let home = Folder::new(shown.beside("index"));
    let (list, _) = AcceptedList::edit(&home, |list| {
        let entry = list.entries()[0].clone();
        list.replace(&entry, AcceptedEntry { added: jiff::civil::date(2020, 1, 2), ..entry.clone() })
    })
    .unwrap();
    shown.ask(Request::SetState { rows: rows[..1].to_vec(), state: ReviewState::Accepted });
    shown.said("This is accepted already.");
    shown.ask(Request::SetState { rows: rows[..2].to_vec(), state: ReviewState::Accepted });
    shown.said("Accepted: 1 passage");
    assert_eq!(AcceptedList::load(&home).unwrap().entries()[0], list.entries()[0]);
    shown.ask(Request::Preview { row: rows[2].clone(), current: 0 });
    let is_marked = |preview: &Preview, taboo: bool| {
        let document = preview.document.as_ref();
        document.is_some_and(|shown| shown.duplicated.iter().any(|run| run.taboo == taboo))
    };
    shown.preview("the document with its marks", |preview| is_marked(preview, false));
    shown.ask(Request::Taboo { rows: rows[2..].to_vec(), reason: None, scope: TabooScope::Corpus });
    // Whichever comes first.
    let (mut is_said, mut is_taboo) = (false, false);
    shown.wait("the decision, and the document with other marks", |update| {
        match update {
            Update::Decided { sentence, .. } => is_said |= sentence.starts_with("Taboo: 1 passage"),
            Update::Preview(preview) => is_taboo |= is_marked(&preview, true),
            _ => {}
        }
        (is_said && is_taboo).then_some(())
    });
    let list = TabooList::load(&Folder::new(shown.beside("index"))).unwrap();
    let entry = list.entries()[0].clone();
    shown.ask(Request::EditTaboo { scope: TabooScope::Corpus, text: entry.text.clone(), entry });
    shown.said("The entry is unchanged.");
    shown.ask(Request::Undo);
    shown.said("Undone: taboo \"cedar0");
    let pipe = shown.beside("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    shown.ask(Request::ImportTaboo { file: pipe });
    assert!(shown.said("cannot read").contains("FIFO"));
    shown.ask(Request::ImportTaboo { file: "/no/such/list".into() });
    shown.said("There is no file /no/such/list; check the path.");
}

#[test]
fn what_others_decide_is_shown_too() {
    let shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    let home = Folder::new(shown.beside("index"));
    let added = jiff::civil::date(2026, 1, 2);
    let entry = TabooEntry { text: words("cedar", 40), added, reason: None, language: None };
    TabooList::edit(&home, |list| list.add(entry)).unwrap();
    shown.rows(&[4, 3]);
    let Item::Passage(ash) = &rows[0] else { panic!() };
    let of = AcceptedId::Passage(ash.id.0);
    let accepted = AcceptedEntry {
        of,
        text: "ash".into(),
        copies: 4,
        fix: false,
        texts: Default::default(),
        added,
        reason: None,
    };
    AcceptedList::edit(&home, |list| list.decide([accepted])).unwrap();
    shown.listing("an accepted row", |listing| listing.rows.len() == 2 && listing.rows[0].is_accepted());
    fs::write(home.at(LIST), "spoilt").unwrap();
    shown.wait("what is wrong", |update| match update {
        Update::Notice(sentence) => sentence.contains("correct the file").then_some(()),
        _ => None,
    });
    shown.ask(Request::Taboo { rows: rows[..1].to_vec(), reason: None, scope: TabooScope::Corpus });
    assert_eq!(shown.decided("the taboo list ").1, DecisionResult::Failed);
    shown.show(Subject::Passages);
    shown.rows(&[4, 3]);
    fs::remove_file(home.at(LIST)).unwrap();
    shown.rows(&[4, 3, 2]);
}

#[test]
fn what_is_hidden_is_counted_over_all_passages_not_only_those_that_were_loaded() {
    let shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    shown.ask(Request::Rows(View { of: Subject::Passages, wanted: 1, ..View::default() }));
    shown.ask(Request::Taboo { rows: rows[1..].to_vec(), reason: None, scope: TabooScope::Corpus });
    shown.wait("the count", |update| match update {
        Update::Rows(listing) => {
            (listing.hidden == HiddenCounts { rows: 2, copies: 5, documents: 5 }).then_some(())
        }
        _ => None,
    });
    shown.said("Taboo: 2 texts; 2 passages with 5 copies in 5 documents hidden");
}

#[test]
fn what_was_accepted_is_open_again_when_it_has_more_copies() {
    use ReviewState::{Accepted, Open, Taboo};

    let mut shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    shown.ask(Request::SetState {
        rows: vec![rows[1].clone(), rows[2].clone()],
        state: ReviewState::Accepted,
    });
    let states = |states: [ReviewState; 3]| {
        move |listing: &Listing| listing.rows.iter().map(Item::state).eq(states.iter().copied())
    };
    shown.listing("two accepted rows", states([Open, Accepted, Accepted]));
    shown.said("Accepted: 2 passages");
    shown.open();
    shown.listing("two accepted rows after a restart", states([Open, Accepted, Accepted]));
    shown.write("6", &format!("six {}", words("cedar", 40)));
    shown.wait("that it is open again", |update| match update {
        Update::Notice(sentence) => {
            (sentence == "1 accepted passage has more copies now and is open again.").then_some(())
        }
        _ => None,
    });
    let listing =
        shown.listing("an open row", |listing| listing.rows.iter().any(|row| row.outgrown() == Some(2)));
    let outgrown = listing.rows.iter().find(|row| row.outgrown().is_some()).unwrap().clone();
    shown.ask(Request::SetState { rows: vec![outgrown], state: ReviewState::Accepted });
    shown.listing("it accepted with more", states([Open, Accepted, Accepted]));
    shown.ask(Request::SetState { rows: vec![rows[1].clone()], state: ReviewState::Open });
    shown.listing("one of them open", |listing| {
        listing.rows.iter().filter(|row| row.is_accepted()).count() == 1
    });
    shown.said("Open again: 1 passage");
    shown.ask(Request::Undo);
    shown.said("Undone: open again \"birch0");
    let filtered = |filter: &str, copies: &[u64]| {
        let filter = filter.to_owned();
        shown.ask(Request::Rows(View { of: Subject::Passages, wanted: 9, filter, ..View::default() }));
        shown.rows(copies);
    };
    filtered("state:open", &[4]);
    filtered("state:accepted", &[3, 3]);
    shown.show(Subject::Passages);
    // Taboo goes before accepted.
    shown.ask(Request::Taboo { rows: vec![rows[1].clone()], reason: None, scope: TabooScope::Corpus });
    shown.ask(Request::Rows(View { of: Subject::Passages, wanted: 9, show_taboo: true, ..View::default() }));
    shown.listing("a taboo row", |listing| listing.rows.iter().any(|row| row.state() == Taboo));
    let list = AcceptedList::load(&Folder::new(shown.beside("index"))).unwrap();
    assert_eq!(list.entries().iter().map(|entry| entry.copies).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn the_taboo_view_says_what_each_entry_hides_and_shows_where() {
    let shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    shown.ask(Request::Taboo { rows: vec![rows[0].clone()], reason: None, scope: TabooScope::Corpus });
    let entry = |text: &str| TabooEntry {
        text: text.into(),
        added: jiff::civil::date(2020, 1, 2),
        reason: None,
        language: None,
    };
    let file = shown.beside("shared.toml");
    // Together they leave too little of the birches, alone they do not.
    let half = |from: usize, to: usize| {
        let words: Vec<String> = (from..to).map(|number| format!("birch{number}")).collect();
        words.join(" ")
    };
    let shared: TabooList = [entry("of no use to anybody at all"), entry(&half(0, 14)), entry(&half(26, 40))]
        .into_iter()
        .collect();
    fs::write(&file, shared.to_text().unwrap()).unwrap();
    shown.ask(Request::ImportTaboo { file });
    shown.said("Taboo: 3 of 3 texts were new; 1 passage with 3 copies in 3 documents hidden");
    shown.show(Subject::Taboo);
    let hides = |row: &ListedTaboo| row.hides.map(|hides| (hides.rows, hides.copies, hides.documents));
    let listing = shown.listing("four counted entries", |listing| {
        listing.rows.len() == 4 && taboo_rows(listing).iter().all(|row| row.hides.is_some())
    });
    let counted: Vec<_> = taboo_rows(&listing).iter().map(|row| (row.tokens, hides(row).unwrap())).collect();
    assert_eq!(counted, [(40, (1, 4, 4)), (14, (1, 3, 3)), (14, (1, 3, 3)), (7, (0, 0, 0))]);
    shown.ask(Request::Preview { row: listing.rows[0].clone(), current: 3 });
    let preview = shown.preview("the places that it hides", |preview| {
        preview.unread == 0
            && preview.document.as_ref().is_some_and(|document| document.path.ends_with("ash4"))
    });
    let texts = preview.occurrences.iter().map(|at| (at.text_span.end - at.text_span.start) as usize);
    assert_eq!(texts.collect::<Vec<_>>(), [words("ash", 40).len(); 4]);
    shown.ask(Request::Preview { row: listing.rows[3].clone(), current: 0 });
    shown.preview("the text itself", |preview| {
        preview.problem.is_some()
            && preview
                .document
                .as_ref()
                .is_some_and(|document| *document.text == *"of no use to anybody at all")
    });
    let Item::Taboo(row) = &listing.rows[0] else { panic!() };
    let reasoned = TabooEntry { reason: Some("ours".into()), ..row.entry.clone() };
    shown.ask(Request::Preview { row: listing.rows[0].clone(), current: 0 });
    shown.ask(Request::EditTaboo {
        scope: TabooScope::Corpus,
        text: row.entry.text.clone(),
        entry: reasoned.clone(),
    });
    let listing = shown.listing("the reason", |listing| {
        taboo_rows(listing).iter().any(|row| row.entry == reasoned) && taboo_rows(listing)[3].hides.is_some()
    });
    assert!(shown.said("Changed: ").starts_with("Changed: why \"ash0"));
    shown.ask(Request::Preview { row: listing.rows[0].clone(), current: 0 });
    shown.preview("the reason beside the copies", |preview| preview.row.as_ref() == Some(&listing.rows[0]));
    let Item::Taboo(row) = &listing.rows[3] else { panic!() };
    let better = TabooEntry { reason: Some("because".into()), text: words("cedar", 40), ..row.entry.clone() };
    shown.ask(Request::EditTaboo {
        scope: TabooScope::Corpus,
        text: row.entry.text.clone(),
        entry: better.clone(),
    });
    shown.listing("what it hides now", |listing| {
        taboo_rows(listing).iter().any(|row| row.entry == better && hides(row) == Some((1, 2, 2)))
    });
    shown.said("Changed: taboo \"cedar0");
    shown.ask(Request::RemoveTaboo { texts: vec![better.text, half(0, 14)] });
    shown.listing("two entries", |listing| listing.rows.len() == 2);
    shown.said("No longer taboo: 2 texts; 2 passages with 5 copies");
}

#[test]
fn before_a_decision_it_is_said_what_else_would_vanish() {
    let tail = words("moss", 40);
    let whole = format!("{} {tail}", words("rock", 60));
    let shown = Shown::new(&[
        ("1", whole.clone()),
        ("2", whole),
        ("3", format!("three {tail}")),
        ("4", format!("four {tail}")),
        ("5", format!("five {}", words("sand", 40))),
        ("6", format!("six {}", words("sand", 40))),
    ]);
    let rows = shown.rows(&[4, 2, 2]).rows.clone();
    let longest = rows.iter().max_by_key(|row| row.tokens()).unwrap().clone();
    let would = |rows: Vec<Item>| -> Arc<TabooPreview> {
        shown.ask(Request::TabooPreview { rows });
        shown.wait("what would vanish", |update| match update {
            Update::TabooPreview(would) => Some(would),
            _ => None,
        })
    };
    let told = would(vec![longest]);
    assert_eq!((told.all.sum.rows, told.others.sum.rows), (2, 1));
    assert_eq!(told.others.sum, HiddenCounts { rows: 1, copies: 4, documents: 4 });
    assert!(told.first.len() == 1 && told.first[0].0.starts_with("moss0") && told.first[0].1 == 4);
    assert!(told.complete);
    // Nothing was decided.
    assert!(TabooList::load(&Folder::new(shown.beside("index"))).unwrap().entries().is_empty());
    shown.show(Subject::Blots);
    let blots = shown.listing("rows of blots", |listing| matches!(listing.rows[0], Item::Row(_)));
    let told = would(vec![blots.rows[0].clone()]);
    assert!(told.all.sum.rows >= 1 && told.complete, "{told:?}");
}

#[test]
fn what_a_taboo_text_hides_is_counted_in_passages_though_no_view_has_shown_them() {
    let mut shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    shown.ask(Request::Taboo { rows: rows[..2].to_vec(), reason: None, scope: TabooScope::Corpus });
    shown.said("Taboo: ");
    shown.open_at(Subject::Taboo);
    let hides = |row: &ListedTaboo| row.hides.map(|hides| (hides.rows, hides.copies, hides.documents));
    let listing = shown.wait("the counted entries", |update| {
        let Update::Rows(listing) = update else { return None };
        taboo_rows(&listing).iter().any(|row| row.hides.is_some()).then_some(listing)
    });
    let mut counted: Vec<_> = taboo_rows(&listing).iter().map(|row| hides(row).unwrap()).collect();
    counted.sort_unstable();
    assert_eq!(counted, [(1, 3, 3), (1, 4, 4)], "the first counts are right");
}

#[test]
fn what_is_too_short_for_a_passage_hides_rows_of_blots() {
    let line =
        |name: &str| format!("{} {} {}", words(name, 30), words("fern", 12), words(&format!("z{name}"), 30));
    let shown = Shown::new(&[("1", line("one")), ("2", line("two")), ("3", line("three"))]);
    shown.rows(&[]);
    shown.show(Subject::Blots);
    let is_blots = |listing: &Listing| matches!(listing.rows.first(), Some(Item::Row(_)));
    let blots = shown.listing("rows of blots", is_blots);
    shown.ask(Request::Taboo { rows: blots.rows.clone(), reason: None, scope: TabooScope::Corpus });
    shown.said("Taboo: ");
    shown.show(Subject::Taboo);
    let listing =
        shown.listing("what it hides", |listing| taboo_rows(listing).iter().any(|row| row.hides.is_some()));
    let hides = taboo_rows(&listing)[0].hides.unwrap();
    assert_eq!((hides.rows, hides.documents), (1, 3));
}
