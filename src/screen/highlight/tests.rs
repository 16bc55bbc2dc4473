use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ratatui::style::Color;

use super::*;
use crate::document::Document;
use crate::theme::TerminalTraits;
use dupi_base::config::ThemeName;
use dupi_session::DocumentView;

fn document(path: &str, text: &str) -> Document {
    let line_starts =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
    Arc::new(DocumentView {
        path: path.into(),
        text: text.to_owned().into(),
        line_starts,
        ..DocumentView::default()
    })
}

fn job(path: &str, text: &str, lines: Range<usize>) -> HighlightJob {
    HighlightJob { document: document(path, text), lines, is_beside: false }
}

fn next(inbox: &Receiver<Highlighted>) -> Highlighted {
    inbox.recv_timeout(Duration::from_secs(30)).unwrap()
}

fn paint(term: &str) -> SyntaxPaint {
    TerminalTraits::from_environment(|name| (name == "TERM").then(|| term.to_owned()))
        .theme(ThemeName::Dark)
        .paint()
}

#[test]
fn code_gets_colours_and_prose_none() {
    let (events, inbox) = channel();
    let highlighter = Highlighter::start(move |known| drop(events.send(known)));
    highlighter.send(vec![job("a.txt", "fn f() {}\n", 0..1)], paint("xterm-direct"));
    highlighter.send(vec![job("a.rs", "fn f() {}\n// x\n", 1..2)], paint("xterm-direct"));
    let found = next(&inbox);
    assert_eq!((found.job.lines.clone(), found.colours.len()), (1..2, 1));
    assert_eq!(found.colours[0].last().map(|stretch| stretch.0), Some(5));
}

#[test]
fn both_documents_of_a_request_get_colours_and_prose_beside_code_takes_none_away() {
    let (events, inbox) = channel();
    let highlighter = Highlighter::start(move |known| drop(events.send(known)));
    let beside = |of: HighlightJob| HighlightJob { is_beside: true, ..of };
    let (code, prose) = (job("a.rs", "fn f() {}\n", 0..1), job("a.txt", "fn f() {}\n", 0..1));
    let other = beside(job("b.c", "int g;\n", 0..1));
    highlighter.send(vec![code, other.clone()], paint("xterm-direct"));
    let found =
        [next(&inbox), next(&inbox)].map(|found| (found.job.is_beside, found.job.document.path.clone()));
    assert_eq!(found, [(false, "a.rs".into()), (true, "b.c".into())]);
    highlighter.send(vec![prose, other], paint("xterm-direct"));
    assert!(next(&inbox).job.is_beside);
}

#[test]
fn a_terminal_gets_only_colours_that_it_has() {
    let mut painter = Painter::load();
    let job = job("a.rs", "fn f() {} // x\n", 0..1);
    let mut colours = |term| painter.colour(&job, paint(term), &|| true);
    let of =
        |lines: Option<LineColours>| lines.unwrap()[0].iter().map(|stretch| stretch.1).collect::<Vec<_>>();
    assert!(of(colours("xterm-direct")).iter().all(|colour| matches!(colour, Color::Rgb(..))));
    assert!(of(colours("xterm-256color")).iter().all(|colour| matches!(colour, Color::Indexed(16..))));
    assert!(colours("xterm").is_none());
}

#[test]
fn going_back_parses_nothing_anew_even_in_a_document_that_was_read_again() {
    let mut painter = Painter::load();
    let text = "f(1)\n".repeat(600);
    let mut colour = |path: &str, text: &str, lines| {
        let before = painter.parsed;
        painter.colour(&job(path, text, lines), paint("xterm-direct"), &|| true).unwrap();
        painter.parsed - before
    };
    assert_eq!(colour("a.rs", &text, 500..520), RUN_UP + 20);
    assert_eq!(colour("b.rs", &text.replace('1', "2"), 500..520), RUN_UP + 20);
    assert_eq!(colour("a.rs", &text, 500..520), 0);
    assert_eq!(colour("b.rs", &text.replace('1', "2"), 500..520), 0);
    assert_eq!(colour("a.rs", &text.replace('f', "g"), 500..520), RUN_UP + 20);
    assert_eq!(colour("a.rs", &text, 0..20), 20);
}

#[test]
fn a_job_that_is_no_longer_wanted_is_dropped_where_it_stands() {
    let mut painter = Painter::load();
    let job = job("a.rs", &"f()\n".repeat(60), 0..60);
    let asked = Cell::new(0);
    let is_wanted = || {
        asked.set(asked.get() + 1);
        asked.get() <= 10
    };
    assert!(painter.colour(&job, paint("xterm-direct"), &is_wanted).is_none());
    assert_eq!(painter.parsed, 10);
    assert!(painter.colour(&job, paint("xterm-direct"), &|| true).is_some());
}

#[test]
fn what_was_used_last_is_kept_and_there_is_an_end_to_it() {
    let mut cache = ColourCache::default();
    let lines = |count: usize| Arc::new(vec![vec![(1, Color::Reset); 98]; count]);
    cache.put(1, lines(200));
    cache.put(2, lines(200));
    assert!(cache.get(1).is_some());
    cache.put(3, lines(300));
    assert_eq!((cache.get(1).is_some(), cache.get(2).is_some()), (true, false));
    cache.put(4, lines(1000));
    assert!(cache.known.is_empty());
}

#[test]
fn only_the_newest_request_is_answered_and_the_thread_ends_with_its_owner() {
    let ((begun, begins), (released, release)) = (channel(), channel::<()>());
    let highlighter = Highlighter::start(move |known: Highlighted| {
        begun.send(known).unwrap();
        let _ = release.recv();
    });
    let ask = |line: usize| {
        highlighter.send(vec![job("a.rs", "fn f() {}\n// x\n//y\n", line..line + 1)], paint("xterm-direct"));
    };
    ask(0);
    assert_eq!(next(&begins).job.lines, 0..1);
    // The thread waits meanwhile.
    ask(1);
    ask(2);
    released.send(()).unwrap();
    assert_eq!(next(&begins).job.lines, 2..3);
    drop((highlighter, released));
    assert!(begins.recv_timeout(Duration::from_secs(30)).is_err());
}
