//! What a session shows of filtered rows.

use std::sync::Arc;

use crate::shown::{Shown, words};
use crate::shown_rows::{listed, view};
use dupi::config::SavedFilters;
use dupi::session::{Item, ItemId, Listing, Request, Subject, Update, View};
use dupi::taboo::TabooScope;

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

#[test]
fn that_all_that_matches_is_taboo_is_known() {
    let (text, other) = (words("otter", 40), words("heron", 30));
    let shown = Shown::new(&[
        ("a", format!("one {text}")),
        ("b", format!("two {text}")),
        ("c", format!("one {other}")),
        ("d", format!("two {other}")),
        ("e", format!("six {other}")),
    ]);
    let herons = shown.rows(&[3, 2]).rows[0].clone();
    shown.ask(Request::Taboo { rows: vec![herons], reason: None, scope: TabooScope::Corpus });
    shown.said("Taboo: ");
    let hides = |of: Subject, filter: &str| {
        let listing = listed(&shown, View { filter: filter.into(), ..view(of) }, |listing| listing.complete);
        assert!(listing.rows.is_empty(), "{of:?} {filter}: {listing:?}");
        listing.hides_matches
    };
    for of in [Subject::Passages, Subject::Blots] {
        assert_eq!(["heron9", "path:c", "docs:3"].map(|filter| hides(of, filter)), [true; 3], "{of:?}");
        assert_eq!(["path:nowhere", "docs:4"].map(|filter| hides(of, filter)), [false; 2], "{of:?}");
    }
}

#[test]
fn a_word_finds_the_documents_and_files_whose_text_has_it() {
    let tree = words("tree", 60);
    let mail = |word: &str| format!("From ida@x Mon Jan  5 10:00:00 2026\nSubject: {word}\n\n{tree}\n\n");
    let shown = Shown::new(&[
        ("src/other.txt", format!("{tree} heron {}", words("reed", 30))),
        ("src/more.txt", tree.clone()),
        ("list.mbox", mail("bittern") + &mail("heron")),
        ("alone.txt", format!("a heron and {}", words("alone", 30))),
    ]);
    let of = |of: Subject, filter: &str| -> Vec<String> {
        let view = View { of, wanted: 100, filter: filter.to_owned(), ..View::default() };
        shown.ask(Request::Rows(view.clone()));
        let listing = shown.listing(filter, |listing| listing.view == view);
        let record = |row: &Item| match row {
            Item::Document(document) => document.record.map(|record| format!("#{record}")),
            _ => None,
        };
        let mut names: Vec<String> = listing
            .rows
            .iter()
            .map(|row| row.text().into_owned() + &record(row).unwrap_or_default())
            .collect();
        names.sort();
        names
    };
    assert_eq!(of(Subject::Documents, "'heron"), ["list.mbox#2", "src/other.txt"]);
    assert_eq!(of(Subject::Documents, "hern path:src"), ["src/other.txt"], "a misspelt word too");
    assert_eq!(of(Subject::Documents, "-heron"), ["list.mbox#1", "src/more.txt"]);
    assert_eq!(of(Subject::Documents, "other"), ["src/other.txt"], "the path is compared too");
    assert_eq!(of(Subject::Files, "'heron"), ["alone.txt", "list.mbox", "src"]);
    assert_eq!(of(Subject::Files, "nothing"), [""; 0]);
}
