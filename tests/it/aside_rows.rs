//! What a session lists of kinds that are set aside: a line for each at the end, and below an open line its passages.

use std::sync::Arc;

use crate::set_aside::files;
use crate::shown::Shown;
use dupi::config::Kind;
use dupi::session::{Item, Listing, Request, Subject, View};

fn shown() -> Shown {
    let files = files();
    Shown::new(&files)
}

fn view() -> View {
    View { of: Subject::Passages, wanted: 100, ..View::default() }
}

/// The list of a view, which may not be complete.
fn listed(shown: &Shown, view: &View) -> Arc<Listing> {
    listed_as(shown, view, |listing| listing.rows.last().is_some_and(is_settled))
}

/// The first list of a view that is as wanted. A long list comes in parts.
fn listed_as(shown: &Shown, view: &View, is_it: impl Fn(&Listing) -> bool) -> Arc<Listing> {
    shown.ask(Request::Rows(view.clone()));
    shown.wait("the list", |update| {
        let dupi::session::Update::Rows(listing) = update else { return None };
        (!listing.is_provisional && listing.view == *view && is_it(&listing)).then_some(listing)
    })
}

/// Whether the last row is not a line whose passages are still to come.
fn is_settled(last: &Item) -> bool {
    if let Item::Aside(line) = last { !line.is_open } else { true }
}

/// The kinds of passages, and lines as they are: `+data` folded, `-data` open.
fn rows(listing: &Listing) -> Vec<String> {
    let name = |row: &Item| match row {
        Item::Passage(passage) => passage.kind.unwrap().to_string(),
        Item::Aside(line) => format!("{}{}", if line.is_open { "-" } else { "+" }, line.summary.kind),
        other => panic!("{other:?}"),
    };
    listing.rows.iter().map(name).collect()
}

#[test]
fn what_is_set_aside_is_a_line_a_kind_that_opens_and_folds() {
    let shown = shown();
    let listing = |open: &[Kind]| listed(&shown, &View { open: open.to_vec(), ..view() });
    let folded = listing(&[]);
    assert_eq!(rows(&folded)[3..], ["+licence", "+data"]);
    assert!(folded.complete);
    let Item::Aside(line) = &folded.rows[3] else { panic!() };
    assert_eq!((line.summary.passages, line.summary.copies), (1, 3));
    assert!(line.summary.tokens > 150, "{line:?}");
    assert_eq!(rows(&listing(&[Kind::Licence]))[3..], ["-licence", "licence", "+data"]);
    assert_eq!(rows(&listing(&[Kind::Data]))[3..], ["+licence", "-data", "data"]);
    let both = listing(&[Kind::Data, Kind::Licence, Kind::Code]);
    assert_eq!(rows(&both)[3..], ["-licence", "licence", "-data", "data"]);
    assert!(both.complete && both.aside == folded.aside);
    assert_eq!(rows(&listing(&[])), rows(&folded));
}

#[test]
fn the_lines_are_of_what_passes_the_filter_and_of_the_kinds_of_the_view() {
    let shown = shown();
    let listing = |filter: &str| listed(&shown, &View { filter: filter.to_owned(), ..view() });
    assert_eq!(rows(&listing("path:licence")), ["licence"], "a list is not empty because all is set aside");
    let mut asked_for = rows(&listing("kind:licence,code"));
    asked_for.sort_unstable();
    assert_eq!(asked_for, ["code", "code", "licence"]);
    assert_eq!(rows(&listing("copies:2 -path:family -path:letters")), ["code", "+data"]);
    let aside = |kinds: &[Kind]| rows(&listed(&shown, &View { aside: Some(kinds.to_vec()), ..view() }));
    let all = aside(&[]);
    assert_eq!((all.len(), all.iter().any(|row| row.starts_with('+'))), (5, false));
    let prose = aside(&[Kind::Prose]);
    assert_eq!((prose.len(), prose[4].as_str()), (5, "+prose"));
    let shown_all = rows(&listed(&shown, &View { show_aside: true, ..view() }));
    assert_eq!((shown_all.len(), shown_all.iter().any(|row| row.starts_with('+'))), (6, false));
}

/// Some more functions and tables than are loaded at a time, each in two files.
fn many() -> Vec<(String, String)> {
    let function = |number: u32| {
        let word = |at: u32| format!("w{number}_{at}");
        let lines = (0..6).map(|at| {
            format!(
                "\tif ({}->{} > {})\n\t\treturn {}({});\n",
                word(at),
                word(at + 10),
                word(at + 20),
                word(at + 30),
                word(at + 40)
            )
        });
        format!("int f{number}(struct s{number} *p{number})\n{{\n{}}}\n", lines.collect::<String>())
    };
    let pair = |name: String, text: String| {
        ["a", "b"].map(|place| (format!("{place}/{name}.c"), format!("char {place}{name};\n{text}")))
    };
    let functions = (0..70).flat_map(|number| pair(format!("f{number}"), function(number)));
    let cells = |number: u64| {
        let cell =
            |at: u64| format!("0x{:04x}, ", (number * 100 + at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48);
        (0..60).map(cell).collect::<String>()
    };
    let table = |number| format!("static const int t[] = {{\n\t{}\n}};\n", cells(number));
    let tables = (0..70).flat_map(|number| pair(format!("t{number}"), table(number)));
    functions.chain(tables).collect()
}

#[test]
fn the_lines_of_a_long_list_stand_below_the_rows_that_are_loaded() {
    let files = many();
    let shown = Shown::new(&files);
    let of = |wanted: usize, open: &[Kind]| View { wanted, open: open.to_vec(), ..view() };
    let all = || listed_as(&shown, &of(1000, &[Kind::Data]), |listing| listing.complete);
    let whole = rows(&all());
    let codes = whole.iter().position(|row| row == "-data").unwrap();
    assert!(codes > 64 && whole.len() - codes > 65, "{} {}", codes, whole.len());
    let part = listed_as(&shown, &of(10, &[]), |listing| listing.rows.len() >= 65);
    assert_eq!((part.rows.len(), rows(&part)[64].as_str(), part.complete), (65, "+data", false));
    assert!(part.searched < 1.0);
    let open = listed_as(&shown, &of(10, &[Kind::Data]), |listing| listing.rows.len() >= 129);
    assert_eq!((rows(&open)[64].as_str(), open.rows.len(), open.complete), ("-data", 129, false));
    let is_whole =
        |listing: &Listing, at: usize| matches!(&listing.rows[at], Item::Aside(line) if line.is_whole);
    assert!(!is_whole(&open, 64) && is_whole(&part, 64));
    let all = all();
    assert!(all.complete && is_whole(&all, codes));
}

/// The number of the row of a passage of some kind.
fn first_of(listing: &Listing, kind: &str) -> usize {
    rows(listing).iter().position(|row| row == kind).unwrap()
}

/// The next list whose rows, sorted, are these.
fn until(shown: &Shown, expected: &[&str]) -> Arc<Listing> {
    shown.listing(&format!("{expected:?}"), |listing| {
        let mut rows = rows(listing);
        rows.sort_unstable();
        rows == expected
    })
}

#[test]
fn a_kind_is_listed_or_set_aside_for_good_until_that_is_undone() {
    let mut shown = shown();
    let listing = listed(&shown, &view());
    assert_eq!(listing.aside_kinds, Kind::ASIDES);
    shown.ask(Request::SetAside { kind: Kind::Licence, to: Some(false), is_aside: false });
    until(&shown, &["+data", "code", "code", "licence", "prose"]);
    shown.said("Passages of the kind licence are listed in this corpus from now on");
    shown.ask(Request::SetAside { kind: Kind::Prose, to: Some(true), is_aside: true });
    until(&shown, &["+data", "+prose", "code", "code", "licence"]);
    shown.said("Passages of the kind prose are set aside");
    shown.open();
    until(&shown, &["+data", "+prose", "code", "code", "licence"]);
    shown.ask(Request::Undo);
    until(&shown, &["+data", "code", "code", "licence", "prose"]);
    shown.said("Undone: prose set aside");
    shown.ask(Request::SetAside { kind: Kind::Licence, to: None, is_aside: true });
    until(&shown, &["+data", "+licence", "code", "code", "prose"]);
    shown.said("Passages of the kind licence are set aside");
    shown.ask(Request::SetAside { kind: Kind::Licence, to: None, is_aside: true });
    shown.said("This was decided already.");
}

#[test]
fn a_corrected_kind_stays_with_the_text_wherever_that_stands() {
    let mut shown = shown();
    let listing = listed(&shown, &View { open: vec![Kind::Licence], ..view() });
    let (licence, prose) = (first_of(&listing, "licence"), first_of(&listing, "prose"));
    let rows_of = |numbers: &[usize]| numbers.iter().map(|&at| listing.rows[at].clone()).collect::<Vec<_>>();
    shown.ask(Request::SetKind { rows: rows_of(&[licence]), kind: Some(Kind::Comment) });
    until(&shown, &["+data", "code", "code", "comment", "prose"]);
    shown.said("Set to comment: 1 passage");
    shown.ask(Request::SetKind { rows: rows_of(&[prose, licence]), kind: Some(Kind::Data) });
    let both = until(&shown, &["+data", "code", "code"]);
    shown.said("Set to data: 2 passages");
    assert_eq!(both.aside[0].passages, 3);
    // The filter knows it too.
    let of_data = listed(&shown, &View { filter: "kind:data".to_owned(), ..view() });
    assert_eq!(rows(&of_data), ["data", "data", "data"]);
    shown.show(Subject::Passages);
    until(&shown, &["+data", "code", "code"]);
    shown.ask(Request::Undo);
    until(&shown, &["+data", "code", "code", "comment", "prose"]);
    shown.said("Undone: kind data \"");
    // In other files, after another start.
    shown.close();
    for name in ["anchor", "buoy", "crane"] {
        let corpus = shown.place.path().join("corpus");
        std::fs::rename(corpus.join(format!("licence/{name}.c")), corpus.join(format!("{name}.c"))).unwrap();
    }
    shown.open();
    until(&shown, &["+data", "code", "code", "comment", "prose"]);
    shown.ask(Request::SetKind { rows: rows_of(&[licence, prose]), kind: None });
    until(&shown, &["+data", "+licence", "code", "code", "prose"]);
    shown.said("Of the kind that the rules say: 1 passage");
    shown.ask(Request::SetKind { rows: vec![listing.rows[licence - 1].clone()], kind: None });
    shown.said("Only passages have a kind.");
}
