//! What a session copies to the clipboard and writes to files.

use std::fs;
use std::sync::Arc;

use crate::decided::three;
use crate::shown::{Shown, words};
use dupi::session::{Item, Listing, Request, Subject, Update, WriteResult};
use dupi::taboo::{TabooList, TabooScope};

#[test]
fn rows_are_copied_and_written_with_all_their_copies_and_no_file_is_lost() {
    let shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    shown.ask(Request::Text { rows: rows[1..].to_vec() });
    let text = shown.wait("the texts", |update| match update {
        Update::Text(text) => Some(text),
        _ => None,
    });
    assert_eq!(text, format!("{}\n\n{}", words("birch", 40), words("cedar", 40)));
    let written = || {
        shown.wait("what was written", |update| match update {
            Update::Written(written) => Some(written),
            _ => None,
        })
    };
    let file = shown.beside("rows.jsonl");
    let export = |replace| Request::Export { rows: rows.clone(), file: file.clone(), replace };
    shown.ask(export(false));
    assert!(matches!(written(), WriteResult::Done(_)));
    let lines = fs::read_to_string(&file).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let copies = |line: &serde_json::Value| line["occurrences"].as_array().unwrap().len();
    assert_eq!(lines.iter().map(copies).collect::<Vec<_>>(), [4, 3, 2]);
    assert_eq!(lines[2]["text"], words("cedar", 40));
    shown.ask(export(false));
    assert_eq!(written(), WriteResult::Exists(file.clone()));
    let other = shown.beside("rows.pdf");
    shown.ask(Request::Export { rows: rows.clone(), file: other.clone(), replace: false });
    let refused = written();
    assert!(
        matches!(&refused, WriteResult::Failed(why) if why.contains("rows.pdf: the name of the file must end in .")),
        "{refused:?}"
    );
    assert!(!other.exists(), "no name is taken for what is not written");
    shown.show(Subject::Blots);
    let blots = shown.listing("rows of blots", |listing| matches!(listing.rows[0], Item::Row(_)));
    shown.ask(Request::Export { rows: vec![blots.rows[0].clone()], file: file.clone(), replace: true });
    assert!(matches!(written(), WriteResult::Done(_)));
    let line: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(copies(&line) as u64, blots.rows[0].copies().unwrap());
    shown.ask(Request::Taboo { rows: rows[..2].to_vec(), reason: None, scope: TabooScope::Corpus });
    shown.said("Taboo: 2 texts");
    let file = shown.beside("taboo-to-share.toml");
    let texts = Some(vec![words("ash", 40)]);
    shown.ask(Request::ExportTaboo { file: file.clone(), texts, replace: false });
    assert!(matches!(written(), WriteResult::Done(_)));
    let shared = TabooList::parse(&file, &fs::read(&file).unwrap()).unwrap();
    assert_eq!(shared.entries().len(), 1);
}

#[test]
fn documents_and_folders_are_written_as_their_verbs_print_them() {
    let shown = three();
    shown.rows(&[4, 3, 2]);
    for of in [Subject::Documents, Subject::Files] {
        shown.show(of);
        let is_of = |listing: &Listing| listing.view.of == of && !listing.rows.is_empty();
        let rows = shown.listing("its rows", is_of).rows.clone();
        let file = shown.beside(&format!("{of:?}.jsonl"));
        shown.ask(Request::Export { rows: rows.clone(), file: file.clone(), replace: false });
        shown.wait("what was written", |update| {
            matches!(update, Update::Written(WriteResult::Done(_))).then_some(())
        });
        let text = fs::read_to_string(&file).unwrap();
        let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(text.lines().count(), rows.len());
        assert_eq!(line["path"], rows[0].text().as_ref());
        assert!(line["share"].as_f64().unwrap() > 0.9, "{line}");
    }
}

#[test]
fn who_leaves_still_gets_the_files_that_were_asked_for() {
    let mut shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    let files = ["one.jsonl", "two.jsonl"].map(|name| shown.beside(name));
    for file in &files {
        shown.ask(Request::Export { rows: rows.clone(), file: file.clone(), replace: false });
    }
    shown.close();
    for file in &files {
        assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 3, "{}", file.display());
    }
}

#[test]
fn a_text_that_is_gone_is_not_copied() {
    // Longer than what a row shows of it.
    let [gone, stays] = [words("larch", 200), words("hazel", 200)];
    let shown = Shown::new(&[
        ("1", gone.clone()),
        ("2", gone.clone()),
        ("3", gone),
        ("4", stays.clone()),
        ("5", stays.clone()),
    ]);
    let rows = shown.rows(&[3, 2]).rows.clone();
    for name in ["1", "2", "3"] {
        shown.write(name, "something else");
    }
    let said = || {
        shown.wait("what was said", |update| match update {
            Update::Text(text) => Some(Ok(text)),
            Update::Notice(sentence) => Some(Err(sentence)),
            _ => None,
        })
    };
    shown.ask(Request::Text { rows: rows[..1].to_vec() });
    assert!(said().is_err_and(|sentence| sentence.contains("has changed")));
    shown.ask(Request::Text { rows });
    assert_eq!(said(), Ok(stays));
    assert_eq!(said(), Err("1 row is left out: the text has changed.".to_owned()));
}

#[test]
fn a_document_that_did_not_change_is_the_same_text_in_the_next_generation() {
    let shown = three();
    shown.show(Subject::Blots);
    let is_blots = |listing: &Listing| matches!(listing.rows.first(), Some(Item::Row(_)));
    let blots = shown.listing("rows of blots", is_blots);
    shown.ask(Request::Preview { row: blots.rows[0].clone(), current: 0 });
    let before = shown.preview("all copies", |preview| preview.unread == 0 && preview.document.is_some());
    shown.write("another", &words("maple", 40));
    let is_next = |listing: &Listing| listing.generation > blots.generation;
    let next = shown.listing("the next generation", is_next);
    shown.ask(Request::Preview { row: next.rows[0].clone(), current: 0 });
    shown.preview("the same text", |preview| {
        let (old, new) = (before.document.as_ref().unwrap(), preview.document.as_ref());
        preview.unread == 0 && new.is_some_and(|new| Arc::ptr_eq(&new.text, &old.text))
    });
}
