//! Reading a document: by keys, by the mouse, on the screen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{MouseButton, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::event::TuiEvent;
use crate::fixture::{drawn, model_of, mouse, press, processor_time, tell};
use crate::model::{Focus, Model};
use crate::reader::search::TextSearch;
use crate::theme::{Charset, Theme};
use crate::update::update;
use crate::view;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_session::{DocumentView, Duplicated, Preview, Subject, Update};

/// A screen that shows a document: its copies are the places of `copy`, its duplicated runs those of `twice`,
/// and `taboo` is taboo.
pub(crate) fn reading(text: &str, language: Option<&'static str>, size: (u16, u16)) -> Model {
    let mut model = model_of(Subject::Passages, size.0, size.1);
    model.focus = Focus::Document;
    let spans = |word: &str| -> Vec<ByteSpan> {
        let span = |(at, word): (usize, &str)| ByteSpan { start: at as u64, end: (at + word.len()) as u64 };
        text.match_indices(word).map(span).collect()
    };
    let run = |taboo| move |span| Duplicated { span, taboo };
    let mut duplicated: Vec<Duplicated> =
        spans("twice").into_iter().map(run(false)).chain(spans("taboo").into_iter().map(run(true))).collect();
    duplicated.sort_by_key(|run| run.span);
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
    let document = DocumentView {
        path: "a.txt".into(),
        text: text.to_owned().into(),
        line_starts: starts.collect(),
        language,
        duplicated,
        examined: ByteSpan { start: 0, end: text.len() as u64 / 2 },
    };
    let at = |text_span| Occurrence { path: "a.txt".into(), text_span, ..Occurrence::default() };
    let copies = spans("copy");
    let preview = Preview {
        row: model.list.row().cloned(),
        occurrences: Arc::new(copies.iter().copied().map(at).collect()),
        document: Some(Arc::new(document)),
        copies,
        is_compared: true,
        ..Preview::default()
    };
    tell(&mut model, Update::Preview(Arc::new(preview)));
    model
}

/// Lines of which every hundredth has a word of its own.
pub(crate) fn lines() -> String {
    let word = |line: usize| match line {
        100 => "twice",
        200 => "taboo",
        300 => "copy",
        400 => "Needle",
        500 => "twice",
        600 => "needle",
        _ => "nothing",
    };
    (0..1000).map(|line| format!("line {line} {}\n", word(line))).collect()
}

fn screen(model: &Model, theme: &Theme) -> Vec<String> {
    let buffer = drawn(model, theme);
    let cells = buffer.content().chunks(usize::from(model.size.0));
    cells.map(|line| line.iter().map(ratatui::buffer::Cell::symbol).collect()).collect()
}

/// Whether a line of the document is on the screen.
fn shows(model: &Model, line: usize) -> bool {
    let height = usize::from(model.layout().document.height);
    (model.reader.scroll.line..model.reader.scroll.line + height).contains(&line)
}

#[test]
fn a_search_in_a_long_document_goes_on_in_slices_until_it_is_done() {
    let text = "some words that are nowhere else\n".repeat(200_000) + "needle";
    let mut model = reading(&text, None, (120, 40));
    press(&mut model, "/needle");
    assert_eq!(model.patience(Duration::from_secs(5)), Duration::ZERO, "there is more to search");
    let mut ticks = 0;
    while model.patience(Duration::from_secs(5)).is_zero() {
        update(&mut model, TuiEvent::Tick, Duration::ZERO);
        ticks += 1;
    }
    assert!(shows(&model, 200_000) && ticks > 10);
    assert_eq!(model.reader.search.as_ref().map(TextSearch::count), Some("1 of 1".to_owned()));
}

#[test]
fn wrapping_is_kept_for_each_kind_of_document() {
    let long = "word ".repeat(100) + "copy\n";
    let mut model = reading(&long, Some("Rust"), (120, 40));
    assert!(!model.wraps());
    press(&mut model, "w");
    let wraps = std::mem::take(&mut model.reader.wraps);
    let mut prose = reading(&long, None, (120, 40));
    prose.reader.wraps = wraps;
    assert!(prose.wraps());
    press(&mut prose, "w");
    assert!(!prose.wraps());
    let mut code = reading(&long, Some("Rust"), (120, 40));
    code.reader.wraps = prose.reader.wraps;
    assert!(code.wraps());
    // What is wrapped is not scrolled to the side.
    let before = code.reader.scroll;
    press(&mut code, "ll");
    assert_eq!(code.reader.scroll, before);
}

#[test]
fn a_line_that_is_cut_off_says_so_on_either_side() {
    let text = "0123456789".repeat(30) + "\nshort\n\ncopy\n";
    let mut model = reading(&text, Some("Rust"), (120, 40));
    let first = |model: &Model, theme: &Theme| -> String {
        screen(model, theme)[usize::from(model.layout().document.y)].chars().skip(54).collect()
    };
    assert!(
        first(&model, &Theme::dark(Charset::Unicode)).contains("0123")
            && !first(&model, &Theme::dark(Charset::Unicode)).contains('‹')
    );
    assert!(
        first(&model, &Theme::dark(Charset::Unicode)).contains('›')
            && first(&model, &Theme::dark(Charset::Ascii)).contains('>')
    );
    press(&mut model, "l");
    assert!(first(&model, &Theme::dark(Charset::Unicode)).contains("‹90123"));
    press(&mut model, &"l".repeat(100));
    let end = first(&model, &Theme::dark(Charset::Unicode));
    assert!(end.contains("6789") && !end.contains('›'), "it stops at the end of the longest line: {end}");
    press(&mut model, &"h".repeat(100));
    assert_eq!(model.reader.scroll.column, 0);
}

#[test]
fn a_copy_of_code_is_shown_in_whole_lines_or_it_is_marked_that_it_is_not() {
    let mut model = reading("nothing\n  (copy);\nfoo copy bar\n", Some("Rust"), (120, 40));
    let theme = Theme::dark(Charset::Unicode);
    let styles = |model: &Model, line: &str| {
        let buffer = drawn(model, &theme);
        let y = screen(model, &theme).iter().position(|shown| shown.contains(line)).unwrap();
        let row = &buffer.content()[y * 120..(y + 1) * 120];
        let shown: Vec<&str> = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        let start = shown.windows(line.len()).position(|part| part.concat() == line).unwrap();
        let marked: String = (start..start + line.len())
            .map(|x| if row[x].bg == theme.text.bg.unwrap_or_default() { ' ' } else { '^' })
            .collect();
        (marked, shown[start - 1] == "…")
    };
    assert_eq!(styles(&model, "  (copy);"), ("^^^^^^^^^".to_owned(), false));
    let second = Preview { current: 1, ..Preview::clone(&model.reader.preview) };
    model.reader.want_copy(1);
    tell(&mut model, Update::Preview(Arc::new(second)));
    assert_eq!(styles(&model, "foo copy bar"), ("    ^^^^    ".to_owned(), true));
}

#[test]
fn a_document_is_shown_from_the_beginning_of_a_line() {
    let text = format!("{}\n{}copy{}\n", "word ".repeat(400), "word ".repeat(60), " word".repeat(400));
    let model = reading(&text, None, (120, 40));
    assert_eq!((model.reader.scroll.line, model.reader.scroll.byte), (1, 0));
    // So that it is seen, not if the line is too long.
    let text = format!("{}copy{}\n", "word ".repeat(400), " word".repeat(400));
    let model = reading(&text, None, (120, 40));
    assert!(model.reader.scroll.byte > 0);
}

#[test]
fn the_strip_maps_the_whole_document_and_a_click_goes_there() {
    let mut model = reading(&lines(), Some("Rust"), (120, 40));
    let strip = model.layout().strip;
    let marks: String = (strip.y..strip.bottom())
        .map(|y| screen(&model, &Theme::colourless(Charset::Unicode))[usize::from(y)].chars().last().unwrap())
        .collect();
    // Of 1001 lines one stands in each 23rd of the strip: lines 100, 200, 300 and 500, and the second half unknown.
    assert_eq!(marks.chars().filter(|mark| *mark == '│').count(), 2, "{marks}");
    assert_eq!((marks.matches('┊').count(), marks.matches('▌').count()), (1, 1), "{marks}");
    assert!(marks.ends_with("··········") && !marks.starts_with('·'), "{marks}");
    let down = MouseEventKind::Down(MouseButton::Left);
    let cell = strip.y + marks.chars().position(|mark| mark == '│').unwrap() as u16;
    mouse(&mut model, down, (strip.x, cell));
    assert!(shows(&model, 100));
    mouse(&mut model, MouseEventKind::Drag(MouseButton::Left), (3, strip.bottom() - 1));
    assert!(shows(&model, 960), "it is held, wherever the mouse is");
    mouse(&mut model, MouseEventKind::Up(MouseButton::Left), (3, 3));
    assert_eq!(model.reader.dragged, None);
}

#[test]
fn the_lines_between_the_panes_are_dragged_and_the_one_beside_the_list_moved_by_keys() {
    let mut model = reading(&lines(), None, (120, 40));
    let before = model.layout();
    press(&mut model, ">>");
    assert_eq!(model.layout().divider.x, before.divider.x + 4);
    press(&mut model, "<<");
    assert_eq!(model.layout().divider.x, before.divider.x);
    let (down, drag) = (MouseEventKind::Down(MouseButton::Left), MouseEventKind::Drag(MouseButton::Left));
    for x in [40, 33, 90, 119, 0] {
        let divider = model.layout().divider;
        mouse(&mut model, down, (divider.x, 20));
        mouse(&mut model, drag, (x, 20));
        mouse(&mut model, MouseEventKind::Up(MouseButton::Left), (x, 20));
        assert_eq!(model.layout().divider.x, x.clamp(20, 90));
    }
    let rule = model.layout().rule;
    mouse(&mut model, down, (rule.x + 5, rule.y));
    mouse(&mut model, drag, (rule.x + 5, rule.y + 6));
    assert_eq!(model.layout().copies.height, before.copies.height + 6);
    mouse(&mut model, MouseEventKind::Up(MouseButton::Left), (0, 0));
    press(&mut model, "z");
    assert_eq!((model.layout().document.width, model.layout().copies.height), (119, 0));
    press(&mut model, "z");
    assert!(model.layout().copies.height > 0);
}

/// The least processor time of a key with its frame, near the end of a text of this length.
fn cost_of_a_frame(lines: usize, language: Option<&'static str>) -> Duration {
    let text = "some words that are here twice, and a few more of them, so that the line is a long one\n"
        .repeat(lines);
    let mut model = reading(&text, language, (80, 24));
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    press(&mut model, "G");
    let frame = |number: usize| {
        let begun = processor_time();
        press(&mut model, if number.is_multiple_of(2) { "k" } else { "j" });
        terminal.draw(|frame| view::draw(frame, &model, &Theme::dark(Charset::Unicode))).unwrap();
        processor_time() - begun
    };
    (0..20).map(frame).min().unwrap()
}

#[test]
fn a_frame_of_a_long_document_costs_what_one_of_a_short_one_costs() {
    for language in [None, Some("Rust")] {
        let [short, long] = [100, 100_000].map(|lines| cost_of_a_frame(lines, language));
        assert!(long < 4 * short, "{long:?} instead of {short:?}, {language:?}");
    }
}

/// `cargo test --release --lib frames_of_long_documents -- --ignored --nocapture`
#[test]
#[ignore = "measures"]
fn frames_of_long_documents() {
    let words = "some words that are here twice, and a few more of them\n";
    let documents = [
        ("10 KB", words.repeat((10 << 10) / words.len())),
        ("1 MB", words.repeat((1 << 20) / words.len())),
        ("100 MB", words.repeat((100 << 20) / words.len())),
        ("64 MB in one line", words.replace('\n', " ").repeat((64 << 20) / words.len())),
        ("64 MB in one line, Chinese", "港的圖書室已經關閉 ".repeat((64 << 20) / 28)),
    ];
    for (name, mut text) in documents {
        text.insert_str(text.floor_char_boundary(text.len() / 2), "copy");
        for language in [None, Some("Rust")] {
            let mut model = reading(&text, language, (200, 60));
            press(&mut model, "z/here");
            let mut terminal = Terminal::new(TestBackend::new(200, 60)).unwrap();
            let theme = Theme::dark(Charset::Unicode);
            let mut slowest = [Duration::ZERO; 2];
            for key in "jjkklllG]][[/x\rnnNgG".chars().chain(":99\r".chars()).cycle().take(300) {
                let started = Instant::now();
                press(&mut model, &key.to_string());
                slowest[0] = slowest[0].max(started.elapsed());
                let started = Instant::now();
                terminal.draw(|frame| view::draw(frame, &model, &theme)).unwrap();
                slowest[1] = slowest[1].max(started.elapsed());
            }
            let kind = if language.is_some() { "not wrapped" } else { "wrapped" };
            println!("| {name}, {kind} | key {:?} | frame {:?} |", slowest[0], slowest[1]);
        }
    }
}
