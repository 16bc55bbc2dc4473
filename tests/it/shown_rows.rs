//! What a session shows of passages, and of the documents they stand in: found, followed, compared, silenced.

use std::fs;
use std::sync::Arc;

use crate::shown::{Shown, words};
use dupi::query::ByteSpan;
use dupi::session::{Item, Listing, Phase, Preview, Progress, Request, Sort, Subject, Update, View};
use dupi::taboo::TabooScope;

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
fn copies_of_code_are_shown_in_whole_lines_with_what_they_begin_in() {
    let text = format!("rope({});", words("knot", 30).replace(' ', ", "));
    let inside = format!("void moor(void)\n{{\n\tif (one) {text} two();\n}}\n");
    let shown = Shown::new(&[
        ("a.c", format!("int dock(int boat)\n{{\n\t{text}\n\tdone();\n}}\n")),
        ("b.c", inside.clone()),
    ]);
    let row = shown.rows(&[2]).rows[0].clone();
    let copies = |current: usize, path: &str| {
        shown.ask(Request::Preview { row: row.clone(), current });
        shown.preview("the copy", |preview| {
            preview.unread == 0
                && preview.document.as_ref().is_some_and(|document| document.path.ends_with(path))
        })
    };
    let first = copies(0, "a.c");
    let within_: Vec<Option<&str>> = first.within.iter().map(Option::as_deref).collect();
    assert_eq!(within_, [Some("int dock(int boat)"), Some("void moor(void)")]);
    let document = &first.document.as_ref().unwrap().text;
    assert_eq!(first.copies, [within(document, &format!("\t{text}"))]);
    let second = copies(1, "b.c");
    assert_eq!(second.copies[0].start, within(&inside, "rope").start, "it begins inside a line");
}

#[test]
fn copies_are_compared_with_the_representative() {
    let text = words("bird", 40);
    let other = text.replace("bird20 ", "raven swan ");
    let shown = Shown::new(&[("a", text.clone()), ("b", other.clone()), ("c", format!("{text}\n"))]);
    let row = shown.rows(&[3]).rows[0].clone();
    let has = |preview: &Preview, path: &str| {
        preview.document.as_ref().is_some_and(|document| document.path.ends_with(path))
    };
    shown.ask(Request::Preview { row: row.clone(), current: 1 });
    let preview = shown.preview("the second copy", |preview| has(preview, "b") && preview.is_compared);
    let beside = preview.beside.as_ref().unwrap();
    assert!(preview.similarity < 1.0 && beside.at.path.ends_with("a"));
    assert_eq!(preview.differs, [ByteSpan { end: within(&other, "swan").end, ..within(&other, "raven") }]);
    assert_eq!(beside.differs, [within(&text, "bird20")]);
    let after = (within(&other, "bird21").start as u32, within(&text, "bird21").start as u32);
    assert!(beside.pairs.contains(&after));
    shown.ask(Request::Preview { row, current: 2 });
    let equal = shown.preview("the third copy", |preview| has(preview, "c") && preview.is_compared);
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
    shown.ask(Request::Taboo { rows: vec![rows.rows[1].clone()], reason: None, scope: TabooScope::Corpus });
    assert_eq!(shown.rows(&[3]).hidden.rows, 1);
    shown.said("Taboo: 1 passage with 2 copies in 2 documents hidden");
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

/// Rows of a kind, as far as they are made from passages.
pub(crate) fn listed(shown: &Shown, view: View, is_it: impl Fn(&Listing) -> bool) -> Arc<Listing> {
    let of = view.clone();
    shown.ask(Request::Rows(view));
    shown.wait("the rows", |update| {
        let Update::Rows(listing) = update else { return None };
        (listing.view == of && !listing.is_provisional && is_it(&listing)).then_some(listing)
    })
}

pub(crate) fn view(of: Subject) -> View {
    View { of, sort: Sort::ways(of)[0], wanted: 100, ..View::default() }
}

#[test]
fn documents_and_files_follow_what_is_taboo() {
    let (tree, moss) = (words("tree", 60), words("moss", 30));
    let shown = Shown::new(&[
        ("a", format!("{tree} {moss}")),
        ("b", tree),
        ("c", format!("{} {moss}", words("own", 30))),
        ("d", words("alone", 50)),
    ]);
    let documents = listed(&shown, view(Subject::Documents), |_| true);
    let shares = |listing: &Listing| -> Vec<(String, u64)> {
        listing.rows.iter().map(|row| (row.text().into_owned(), row.tokens())).collect()
    };
    let named = |rows: &[(&str, u64)]| -> Vec<(String, u64)> {
        rows.iter().map(|&(name, tokens)| (name.to_owned(), tokens)).collect()
    };
    assert_eq!(shares(&documents), named(&[("a", 90), ("b", 60), ("c", 30)]), "by share, then by tokens");
    assert_eq!(documents.share, Some((180, 260)));
    let Item::Document(a) = &documents.rows[0] else { panic!() };
    let partner = a.partner.as_ref().unwrap();
    assert_eq!((partner.path.to_str(), partner.tokens, a.copies), (Some("b"), 60, 2));

    let rows = listed(&shown, view(Subject::Passages), |listing| listing.rows.len() == 2);
    let of_trees = rows.rows.iter().find(|row| row.text().starts_with("tree")).unwrap();
    shown.ask(Request::Taboo { rows: vec![of_trees.clone()], reason: None, scope: TabooScope::Corpus });
    shown.wait("what it did", |update| {
        let Update::Decided { sentence, .. } = update else { return None };
        sentence.contains("1 passage with 2 copies in 2 documents hidden").then_some(())
    });
    let left = listed(&shown, view(Subject::Documents), |listing| listing.hidden.rows == 1);
    assert_eq!(shares(&left), named(&[("c", 30), ("a", 30)]));
    let files = listed(&shown, view(Subject::Files), |_| true);
    assert_eq!(shares(&files), named(&[("c", 30), ("a", 30), ("b", 0), ("d", 0)]));
    assert_eq!(files.share, Some((60, 260)));
    let Item::Passage(trees) = of_trees else { panic!() };
    let belongs = |of, filter: &str| {
        let view = View { filter: filter.to_owned(), show_taboo: true, ..view(of) };
        shares(&listed(&shown, view, |_| true))
    };
    let name = format!("passage:{}", trees.id);
    assert_eq!(belongs(Subject::Documents, &name), named(&[("a", 90), ("b", 60)]));
    assert_eq!(belongs(Subject::Files, &name), named(&[("a", 90), ("b", 60)]));
    assert_eq!(belongs(Subject::Documents, "share:<100 copies:1"), named(&[("c", 30)]));
    assert_eq!(belongs(Subject::Files, "-path:a tokens:>0"), named(&[("b", 60), ("c", 30)]));
    let all = View { show_taboo: true, filter: "B".to_owned(), ..view(Subject::Files) };
    assert_eq!(shares(&listed(&shown, all, |_| true)), named(&[("b", 60)]));
    // What is undone while documents are shown is said and shown there.
    listed(&shown, view(Subject::Documents), |listing| listing.rows.len() == 2);
    shown.ask(Request::Undo);
    shown.wait("the trees again", |update| match update {
        Update::Decided { sentence, .. } => {
            assert!(sentence.contains("1 passage with 2 copies in 2 documents shown again"), "{sentence}");
            None
        }
        Update::Rows(listing) => (shares(&listing) == shares(&documents)).then_some(()),
        _ => None,
    });
    shown.write("e", &moss);
    listed(&shown, view(Subject::Documents), |listing| listing.rows.len() == 4);
}

#[test]
fn the_documents_of_a_blot_are_listed_though_none_of_their_text_is_a_passage() {
    let (tree, moss) = (words("tree", 60), words("moss", 16));
    let shown = Shown::new(&[
        ("a", tree.clone()),
        ("b", format!("{tree} {moss}")),
        ("c", format!("{} {moss}", words("own", 30))),
        ("d", format!("{} {moss}", words("alone", 30))),
    ]);
    let texts = |of: Subject, filter: &str| -> Vec<(String, u64)> {
        let listing = listed(&shown, View { filter: filter.to_owned(), ..view(of) }, |_| true);
        assert_eq!(listing.problems, []);
        listing.rows.iter().map(|row| (row.text().into_owned(), row.tokens())).collect()
    };
    let named = |rows: &[(&str, u64)]| -> Vec<(String, u64)> {
        rows.iter().map(|&(name, tokens)| (name.to_owned(), tokens)).collect()
    };
    assert_eq!(texts(Subject::Documents, ""), named(&[("a", 60), ("b", 60)]));
    let blots = listed(&shown, view(Subject::Blots), |listing| listing.complete);
    let of = |word: &str| {
        let row = blots.rows.iter().find(|row| row.text().starts_with(word)).unwrap();
        let Item::Row(row) = row else { panic!("{row:?}") };
        (format!("blot:{}", row.id()), row.documents)
    };
    let ((trees, of_trees), (mosses, of_mosses)) = (of("tree"), of("moss"));
    assert_eq!((of_trees, of_mosses), (2, 3));
    assert_eq!(texts(Subject::Documents, &trees), named(&[("a", 60), ("b", 60)]));
    assert_eq!(texts(Subject::Documents, &mosses), named(&[("b", 60), ("c", 0), ("d", 0)]));
    assert_eq!(texts(Subject::Documents, &format!("-{mosses}")), named(&[("a", 60)]));
    assert_eq!(texts(Subject::Documents, &format!("{mosses} -path:d {trees}")), named(&[("b", 60)]));
    assert_eq!(texts(Subject::Files, &mosses), named(&[("b", 60), ("c", 0), ("d", 0)]));
    let with = |of, filter| texts(of, filter).iter().filter(|(text, _)| text.starts_with("tree")).count();
    assert_eq!(with(Subject::Passages, &trees), 1);
    assert_eq!(texts(Subject::Passages, &mosses), []);
    assert_eq!((with(Subject::Blots, &trees), with(Subject::Blots, &mosses)), (1, 0));
    // A document without a passage is shown as it stands.
    let documents = View { filter: mosses, ..view(Subject::Documents) };
    let row = listed(&shown, documents, |_| true).rows[1].clone();
    shown.ask(Request::Preview { row, current: 0 });
    shown.preview("its text", |preview| {
        preview.document.as_ref().is_some_and(|document| document.path.ends_with("c"))
            && preview.problem.is_none()
    });
}

#[test]
fn a_document_is_walked_from_stretch_to_stretch_beside_its_partner() {
    let (tree, moss, fern) = (words("tree", 60), words("moss", 30), words("fern", 35));
    let part = tree.split_whitespace().take(40).collect::<Vec<_>>().join(" ");
    let other = tree.replace("tree50 ", "bush50 ");
    let text = format!("first {tree} then {moss} and {fern} last");
    let shown = Shown::new(&[
        ("a", text.clone()),
        ("b", format!("some {other} {}", words("long", 30))),
        ("c", format!("more {part}")),
        ("d", format!("{moss} less")),
        ("e", fern.clone()),
        ("f", words("alone", 30)),
    ]);
    let documents = listed(&shown, view(Subject::Documents), |_| true);
    let row = documents.rows.iter().find(|row| row.text() == "a").unwrap();
    assert_eq!(row.copies(), Some(3), "what lies within a longer copy is not counted");
    let at = |current: usize| {
        shown.ask(Request::Preview { row: row.clone(), current });
        shown.preview("the stretch", |preview| {
            preview.row.as_ref() == Some(row)
                && preview.current == current
                && preview.unread == 0
                && preview.document.as_ref().is_some_and(|document| !document.duplicated.is_empty())
        })
    };
    let first = at(0);
    let spans: Vec<ByteSpan> = first.occurrences.iter().map(|copy| copy.text_span).collect();
    assert_eq!(spans, [within(&text, &tree), within(&text, &moss), within(&text, &fern)]);
    assert_eq!(first.copies, spans);
    let beside = first.beside.as_ref().unwrap();
    assert!(beside.at.path.ends_with("b") && first.similarity < 1.0);
    assert_eq!(first.differs, [within(&text, "tree50")]);
    let second = at(1);
    assert!(second.beside.as_ref().unwrap().at.path.ends_with("d"), "the partner has nothing of it");
    assert_eq!((second.similarity, &second.differs[..]), (1.0, &[][..]));

    let files = listed(&shown, view(Subject::Files), |_| true);
    let row = |name: &str| files.rows.iter().find(|row| row.text() == name).unwrap().clone();
    shown.ask(Request::Preview { row: row("f"), current: 0 });
    shown.preview("a file of its own", |preview| {
        preview.document.as_ref().is_some_and(|document| document.path.ends_with("f"))
            && preview.occurrences.is_empty()
            && preview.problem.is_none()
    });
    shown.ask(Request::Preview { row: row("a"), current: 2 });
    let as_file = shown.preview("the same as a file", |preview| preview.occurrences.len() == 3);
    assert_eq!(as_file.copies, spans);
}

#[test]
fn while_the_folder_is_away_that_is_said_and_what_it_has_is_shown_when_it_is_back() {
    let text = words("otter", 40);
    let shown = Shown::new(&[("a", format!("one {text}")), ("b", format!("two {text}"))]);
    let row = shown.rows(&[2]).rows[0].clone();
    let (here, away) = (shown.beside("corpus"), shown.beside("away"));
    fs::rename(&here, &away).unwrap();
    let is_failed = |progress: &Progress| matches!(progress.phase, Phase::Failed(_));
    shown.wait("that the indexer knows", |update| {
        matches!(&update, Update::Progress(progress) if is_failed(progress)).then_some(())
    });
    shown.ask(Request::Preview { row, current: 0 });
    shown.preview("that the folder is away", |preview| {
        preview.problem.as_ref().is_some_and(|problem| problem.starts_with("The folder cannot be read now"))
    });
    fs::rename(&away, &here).unwrap();
    shown.preview("the copies again", |preview| preview.document.is_some() && preview.occurrences.len() == 2);
}

#[test]
fn a_folder_has_no_document_and_no_problem() {
    let text = words("tree", 60);
    let shown = Shown::new(&[("x/a", text.clone()), ("x/b", text), ("c", words("own", 30))]);
    let files = listed(&shown, view(Subject::Files), |_| true);
    let folder = files.rows[0].clone();
    assert_eq!((folder.text().as_ref(), folder.documents(), folder.tokens()), ("x", 2, 120));
    shown.ask(Request::Preview { row: folder.clone(), current: 0 });
    let preview =
        shown.preview("the folder", |preview| preview.row.as_ref() == Some(&folder) && preview.unread == 0);
    assert!(preview.document.is_none() && preview.problem.is_none());
    let inside = View { folder: "x".into(), ..view(Subject::Files) };
    let inside = listed(&shown, inside, |_| true);
    let names: Vec<_> = inside.rows.iter().map(|row| row.text().into_owned()).collect();
    assert_eq!((names, inside.share), (vec!["x/a".to_owned(), "x/b".to_owned()], Some((120, 120))));
}
