//! Text that is selected with the mouse: which bytes it is, how it is seen, and what becomes of it.

use std::time::Duration;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::Modifier;

use crate::event::{Effect, TuiEvent};
use crate::fixture::{drawn, model_of, press, preview, show_copy, tell};
use crate::model::{Focus, Model};
use crate::reader::SCROLL_INTERVAL;
use crate::tests::reading::{lines, reading};
use crate::theme::{Charset, Theme};
use crate::update::update;
use dupi_session::Subject;

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

fn mouse_at(model: &mut Model, kind: MouseEventKind, at: Position, now: Duration) -> Vec<Effect> {
    let event = MouseEvent { kind, column: at.x, row: at.y, modifiers: KeyModifiers::NONE };
    update(model, TuiEvent::Mouse(event), now)
}

fn mouse(model: &mut Model, kind: MouseEventKind, at: Position) -> Vec<Effect> {
    let now = model.now;
    mouse_at(model, kind, at, now)
}

/// What is sent to the clipboard when the mouse is dragged from one cell to another.
fn dragged(model: &mut Model, from: Position, to: Position) -> Option<String> {
    mouse(model, DOWN, from);
    mouse(model, DRAG, to);
    sent(mouse(model, UP, to))
}

fn sent(effects: Vec<Effect>) -> Option<String> {
    effects.into_iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text),
        _ => None,
    })
}

/// The cell of the document a number of cells behind the beginning of a text.
fn cell(model: &Model, text: &str, further: u16) -> Position {
    let buffer = drawn(model, &Theme::colourless(Charset::Unicode));
    let area = model.layout().document;
    let found = area.positions().find(|at| {
        let rest =
            (at.x..area.right()).map(|x| buffer[(x, at.y)].symbol()).filter(|symbol| !symbol.is_empty());
        rest.collect::<String>().starts_with(text)
    });
    let at = found.unwrap_or_else(|| panic!("{text:?} is not on the screen"));
    Position { x: at.x + further, ..at }
}

#[test]
fn what_was_dragged_over_is_sent_whichever_way_it_was_dragged() {
    let mut model = reading("first line\nsecond line copy\nthird line\n", None, (120, 40));
    let (start, end) = (cell(&model, "second", 0), cell(&model, "line copy", 3));
    for (from, to) in [(start, end), (end, start)] {
        assert_eq!(dragged(&mut model, from, to).as_deref(), Some("second line"));
    }
    let (first, third) = (cell(&model, "first", 6), cell(&model, "third", 4));
    assert_eq!(dragged(&mut model, third, first).as_deref(), Some("line\nsecond line copy\nthird"));
    // Behind the end of a line stands what ends it, when it goes on below.
    let behind = cell(&model, "first", 30);
    let to = cell(&model, "second", 0);
    assert_eq!(dragged(&mut model, behind, to).as_deref(), Some("\ns"));
    // The margin stands for what begins beside it.
    let margin = Position { x: model.layout().document.x, ..start };
    let to = cell(&model, "third", 0);
    assert_eq!(dragged(&mut model, margin, to).as_deref(), Some("second line copy\nt"));
}

#[test]
fn tabs_wide_letters_and_signs_of_several_bytes_are_taken_whole() {
    let mut model = reading("a\tb 港の室 é\u{1b}[0m copy\n", Some("Rust"), (120, 40));
    let a = cell(&model, "a ", 0);
    let at = |x| Position { x: a.x + x, ..a };
    assert_eq!(dragged(&mut model, at(3), at(8)).as_deref(), Some("\tb"), "the middle of a tab");
    assert_eq!(dragged(&mut model, at(13), at(11)).as_deref(), Some("港の"), "the second half of a letter");
    let (start, end) = (cell(&model, "é", 0), cell(&model, "[0m", 2));
    assert_eq!(dragged(&mut model, start, end).as_deref(), Some("é\u{1b}[0m"));
}

#[test]
fn wrapped_and_cut_off_lines_are_selected_where_they_are_seen() {
    let words: String = (100..160).map(|number| format!("w{number} ")).collect();
    let mut model = reading(&format!("{words}copy\nend\n"), None, (112, 30));
    let (start, end) = (cell(&model, "w102", 0), cell(&model, "w115", 3));
    assert!(start.y < end.y, "the line is wrapped");
    let expected = &words[words.find("w102").unwrap()..words.find("w115").unwrap() + 4];
    assert_eq!(dragged(&mut model, start, end).as_deref(), Some(expected));
    press(&mut model, "w");
    while model.reader.scroll.column < 24 {
        press(&mut model, "l");
    }
    let from = cell(&model, "w107", 0);
    let to = cell(&model, "w108", 3);
    assert_eq!(dragged(&mut model, from, to).as_deref(), Some("w107 w108"));
}

#[test]
fn held_beyond_the_edge_it_pulls_the_document_along() {
    let mut model = reading(&lines(), None, (120, 40));
    press(&mut model, "g");
    let area = model.layout().document;
    let below = Position { x: area.x + 20, y: area.bottom() + 1 };
    let start = cell(&model, "line 3", 0);
    mouse(&mut model, DOWN, start);
    mouse(&mut model, DRAG, below);
    let mut now = Duration::ZERO;
    for step in 1..=50 {
        assert_eq!(model.patience(Duration::from_secs(5)), SCROLL_INTERVAL, "it is scrolled again soon");
        now += SCROLL_INTERVAL;
        update(&mut model, TuiEvent::Tick, now);
        assert_eq!(model.reader.scroll.line, step * 2, "by as much as it is beyond the edge");
    }
    let text = sent(mouse_at(&mut model, UP, below, now)).unwrap();
    let last = 100 + usize::from(area.height) - 1;
    assert!(
        text.starts_with("line 3 nothing\nline 4") && text.ends_with(&format!("\nline {last} nothi")),
        "{text}"
    );
    assert_eq!(model.patience(Duration::from_secs(5)), Duration::from_secs(5), "and then no more");
    let above = Position { x: area.x, y: 0 };
    let start = cell(&model, "line 110", 0);
    mouse_at(&mut model, DOWN, start, now);
    mouse_at(&mut model, DRAG, above, now);
    update(&mut model, TuiEvent::Tick, now + Duration::from_secs(1));
    assert!(model.reader.scroll.line < 100);
}

#[test]
fn held_beside_a_line_that_is_cut_off_it_pulls_that_along() {
    let digits = "0123456789".repeat(30);
    let mut model = reading(&format!("{digits} copy\n"), Some("Rust"), (100, 30));
    press(&mut model, "g");
    let area = model.layout().document;
    let start = cell(&model, "0123", 0);
    mouse(&mut model, DOWN, start);
    mouse(&mut model, DRAG, Position { x: area.right() + 9, ..start });
    for step in 1..200 {
        update(&mut model, TuiEvent::Tick, SCROLL_INTERVAL * step);
    }
    let text = sent(mouse(&mut model, UP, start)).unwrap();
    assert!(text.ends_with("copy") && text.starts_with("0123"), "{text}");
}

#[test]
fn the_selection_is_seen_with_and_without_colours_until_the_next_key_or_click() {
    for theme in [Theme::colourless(Charset::Unicode), Theme::dark(Charset::Unicode)] {
        let mut model = reading("first copy line\n", None, (120, 40));
        let (start, end) = (cell(&model, "first", 3), cell(&model, "copy", 5));
        let before = drawn(&model, &theme);
        let turned = |model: &Model| -> Vec<u16> {
            let now = drawn(model, &theme);
            let is_reversed = |buffer: &Buffer, x| buffer[(x, start.y)].modifier.contains(Modifier::REVERSED);
            (0..120).filter(|&x| is_reversed(&now, x) != is_reversed(&before, x)).collect()
        };
        let all: Vec<u16> = (start.x..=end.x).collect();
        for key in ["n", "q", "\u{1b}"] {
            dragged(&mut model, start, end);
            assert_eq!(turned(&model), all);
            press(&mut model, key);
            assert_eq!(turned(&model), [0; 0], "{key:?}");
        }
        dragged(&mut model, start, end);
        mouse(&mut model, DOWN, end);
        assert_eq!(turned(&model), [0; 0]);
    }
}

#[test]
fn a_click_selects_nothing_and_a_second_one_opens_the_editor() {
    let mut model = reading("first copy line\n", None, (120, 40));
    let at = cell(&model, "first", 0);
    model.focus = Focus::Rows;
    mouse(&mut model, DOWN, at);
    mouse(&mut model, DRAG, at);
    assert!(sent(mouse(&mut model, UP, at)).is_none() && model.reader.selection.is_none());
    assert_eq!(model.focus, Focus::Document);
    let opened = mouse(&mut model, DOWN, at);
    assert!(matches!(opened[..], [Effect::Edit { .. }]), "{opened:?}");
    mouse(&mut model, DRAG, Position { x: at.x + 4, ..at });
    assert!(sent(mouse(&mut model, UP, at)).is_none(), "what opens does not select");
}

#[test]
fn dragging_in_the_lists_and_over_another_document_selects_nothing() {
    let mut model = model_of(Subject::Passages, 120, 40);
    let layout = model.layout();
    let inside = |area: ratatui::layout::Rect| Position { x: area.x + 3, y: area.y + 1 };
    for from in [layout.rows, layout.copies, layout.header, layout.footer] {
        assert_eq!(dragged(&mut model, inside(from), inside(layout.document)), None);
    }
    let other = model.list.listing.rows[4].clone();
    mouse(&mut model, DOWN, inside(layout.document));
    let selected = model.list.row().cloned().unwrap();
    tell(&mut model, preview(&selected, 1));
    assert!(
        sent(mouse(&mut model, DRAG, inside(layout.strip))).is_none() && model.reader.selection.is_none()
    );
    mouse(&mut model, DOWN, inside(layout.document));
    model.list.selected = Some(other.id());
    mouse(&mut model, DRAG, inside(layout.rows));
    assert!(model.reader.selection.is_none());
}

#[test]
fn a_document_that_is_read_again_keeps_what_is_selected() {
    let mut model = model_of(Subject::Passages, 120, 40);
    let selected = model.list.row().cloned().unwrap();
    let at = cell(&model, "This message", 0);
    mouse(&mut model, DOWN, at);
    tell(&mut model, preview(&selected, 0));
    mouse(&mut model, DRAG, Position { x: at.x + 3, ..at });
    tell(&mut model, preview(&selected, 0));
    assert!(drawn(&model, &Theme::dark(Charset::Unicode))[at].modifier.contains(Modifier::REVERSED));
    assert_eq!(sent(mouse(&mut model, UP, at)).as_deref(), Some("This"));
}

#[test]
fn side_by_side_either_copy_is_selected_in_its_own_place() {
    let mut model = model_of(Subject::Passages, 120, 30);
    show_copy(&mut model, 1);
    press(&mut model, "v");
    let [left, right] = [model.layout().beside, model.layout().document];
    let start = cell(&model, "message is", 0);
    let theme = Theme::colourless(Charset::Unicode);
    // They are scrolled together, so that what belongs together stands on one line.
    let beside = Position { x: start.x - right.x + left.x, ..start };
    let end = |at: Position| Position { x: at.x + 13, ..at };
    let plain = drawn(&model, &theme);
    assert_eq!(dragged(&mut model, start, end(start)).as_deref(), Some("message is mea"));
    assert_eq!(drawn(&model, &theme)[beside], plain[beside], "only one of them");
    assert_eq!(dragged(&mut model, beside, end(beside)).as_deref(), Some("message, dear,"));
    assert_eq!(drawn(&model, &theme)[start], plain[start], "only the other");
}
