//! What a session shows of passages: found, followed, compared, silenced.

#[path = "support/shown.rs"]
mod shown;

use std::fs;
use std::sync::Arc;

use dupi::config::SavedFilters;
use dupi::query::ByteSpan;
use dupi::session::{Item, ItemId, Preview, Request, Sort, Subject, Update, View};
use shown::{Shown, words};

fn within(text: &str, word: &str) -> ByteSpan {
    let start = text.find(word).unwrap() as u64;
    ByteSpan { start, end: start + word.len() as u64 }
}

#[test]
fn passages_follow_the_folder_and_keep_their_names() {
    let text = words("fish", 40);
    let shown = Shown::new(&[("a", format!("one {text}")), ("b", format!("two {text}"))]);
    let first = shown.rows(&[2]).rows[0].clone();
    let ask = || shown.ask(Request::Preview { row: first.clone(), current: 0 });
    ask();
    shown.preview("both copies", |preview| preview.occurrences.len() == 2 && preview.unread == 0);
    shown.write("c", &format!("three {text}"));
    let more = shown.rows(&[3]);
    assert_eq!(more.rows[0].id(), first.id());
    // It may have been told before the rows were.
    ask();
    shown.preview("the third copy", |preview| preview.occurrences.len() == 3);
    let corpus = shown.place.path().join("corpus");
    fs::rename(corpus.join("c"), corpus.join("d")).unwrap();
    shown.preview("it under its new name", |preview| {
        preview.occurrences.len() == 3 && preview.occurrences[2].path.ends_with("d")
    });
    shown.write("a", "nothing of the kind");
    shown.write("b", "nor this");
    shown.rows(&[]);
}

#[test]
fn copies_are_compared_with_the_representative() {
    let text = words("bird", 40);
    let other = text.replace("bird20 ", "raven swan ");
    let shown = Shown::new(&[("a", text.clone()), ("b", other.clone()), ("c", text.clone())]);
    let row = shown.rows(&[3]).rows[0].clone();
    let has = |preview: &Preview, path: &str| {
        preview.document.as_ref().is_some_and(|document| document.path.ends_with(path))
    };
    shown.ask(Request::Preview { row: row.clone(), current: 1 });
    let preview = shown.preview("the second copy", |preview| has(preview, "b"));
    let beside = preview.beside.as_ref().unwrap();
    assert!(preview.similarity < 1.0 && beside.at.path.ends_with("a"));
    assert_eq!(preview.differs, [ByteSpan { end: within(&other, "swan").end, ..within(&other, "raven") }]);
    assert_eq!(beside.differs, [within(&text, "bird20")]);
    let after = (within(&other, "bird21").start as u32, within(&text, "bird21").start as u32);
    assert!(beside.pairs.contains(&after));
    shown.ask(Request::Preview { row, current: 2 });
    let equal = shown.preview("the third copy", |preview| has(preview, "c"));
    assert_eq!((equal.similarity, &equal.differs[..]), (1.0, &[][..]));
}

#[test]
fn what_lies_within_a_taboo_passage_is_hidden_now_and_later() {
    let text = words("tree", 60);
    let rest = words("moss", 30);
    let shown = Shown::new(&[
        ("a", text.clone()),
        ("b", text.clone()),
        ("c", format!("one {rest}")),
        ("d", format!("two {rest}")),
        ("e", format!("three {rest}")),
    ]);
    let rows = shown.rows(&[3, 2]);
    shown.ask(Request::Taboo { rows: vec![rows.rows[1].clone()], reason: None });
    shown.said("Taboo: 1 passage, 2 copies, 2 documents hidden; u undoes it");
    assert_eq!(shown.rows(&[3]).hidden.rows, 1);
    // Some of it, and too little else to count.
    let part = text.split_whitespace().skip(10).take(30).collect::<Vec<_>>().join(" ");
    let little = words("fern", 10);
    shown.write("f", &format!("four {part} {little} end"));
    shown.write("g", &format!("five {part} {little} stop"));
    shown.write("h", &format!("six {rest}"));
    assert!(shown.rows(&[4]).hidden.rows >= 1);
    shown.ask(Request::Rows(View {
        of: Subject::Passages,
        wanted: 100,
        show_taboo: true,
        ..View::default()
    }));
    shown.wait("the taboo rows", |update| {
        let Update::Rows(listing) = update else { return None };
        let taboo = listing.rows.iter().filter(|row| row.is_taboo()).count();
        (taboo >= 1 && listing.rows.len() > taboo).then_some(())
    });
    shown.ask(Request::Undo);
    shown.wait("all of it again", |update| {
        let Update::Rows(listing) = update else { return None };
        (listing.hidden.is_empty() && listing.rows.len() > 1).then_some(())
    });
}

#[test]
fn a_filter_chooses_rows_of_either_kind_and_says_what_it_does_not_understand() {
    let (text, other) = (words("otter", 40), words("heron", 30));
    let shown = Shown::new(&[
        ("old/a", format!("one {text}")),
        ("old/b", format!("two {text}")),
        ("new/c", format!("one {other}")),
        ("new/d", format!("two {other}")),
        ("new/e", format!("six {other}")),
    ]);
    let all = shown.rows(&[3, 2]);
    let saved: SavedFilters = [("own".to_owned(), "path:old".to_owned())].into_iter().collect();
    let saved = Arc::new(saved);
    let mut view = View { of: Subject::Passages, wanted: 100, saved, ..View::default() };
    let mut listed = |of: Subject, filter: &str| {
        (view.of, view.filter) = (of, filter.to_owned());
        shown.ask(Request::Rows(view.clone()));
        shown.wait(filter, |update| {
            let Update::Rows(listing) = update else { return None };
            (listing.view == view && listing.complete).then_some(listing)
        })
    };
    let texts =
        |listing: &Listing| -> String { listing.rows.iter().map(|row| row.text()[..1].to_owned()).collect() };
    let (blots, heron) = (listed(Subject::Blots, ""), all.rows[0].id());
    let ItemId::Passage(heron) = heron else { panic!("{heron:?}") };
    let of_heron = texts(&blots).chars().filter(|first| *first == 'h').count();
    assert!(0 < of_heron && of_heron < blots.rows.len());
    for of in [Subject::Passages, Subject::Blots] {
        let only = |listing: &Listing, first: char| {
            assert!(
                !listing.rows.is_empty() && texts(listing).chars().all(|one| one == first),
                "{listing:?}"
            );
        };
        only(&listed(of, "@own"), 'o');
        only(&listed(of, "-@own is:open"), 'h');
        only(&listed(of, "docs:>2 tokens:<100"), 'h');
        only(&listed(of, "otter1"), 'o');
        only(&listed(of, &format!("passage:{heron}")), 'h');
        only(&listed(of, &format!("-passage:{heron}")), 'o');
        assert!(listed(of, "is:taboo").rows.is_empty());
        let partly = listed(of, "copies:many path:old otr:3");
        only(&partly, 'o');
        let wrong: Vec<_> = partly.problems.iter().map(|problem| problem.span.clone()).collect();
        assert_eq!(wrong, [0..11, 21..26]);
    }
}
