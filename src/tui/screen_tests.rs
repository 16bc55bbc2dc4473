//! Snapshots of the screen: a grid of glyphs, a grid of styles, and what the styles are.

use std::fmt::Write;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Style;

use super::action::{BINDINGS, key_table};
use super::fixture::{indexing, model, model_of, preview, showing, tell};
use super::line::Line;
use super::model::{Ask, Focus, Model, Overlay, Prompt};
use super::page::{PAGES, Page};
use super::theme::{ASCII, Theme, UNICODE};
use super::view;
use crate::corpus::{SkipReason, Skipped};

use crate::session::{Listing, PassageSearch, Phase, Progress, Sort, Subject, Update};

/// The screen as text: glyphs, then one letter a cell for its style, then a legend.
pub(super) fn screen(model: &Model, theme: &Theme) -> String {
    let mut terminal = Terminal::new(TestBackend::new(model.size.0, model.size.1)).unwrap();
    terminal.draw(|frame| view::draw(frame, model, theme)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut styles: Vec<Style> = Vec::new();
    let (mut glyphs, mut letters) = (String::new(), String::new());
    for line in buffer.content().chunks(usize::from(model.size.0)) {
        let (mut shown, mut worn) = (String::new(), String::new());
        for cell in line {
            let style = cell.style();
            let number = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
                styles.push(style);
                styles.len() - 1
            });
            shown += cell.symbol();
            worn.push(char::from(b'a' + number as u8));
        }
        writeln!(glyphs, "{}", shown.trim_end()).unwrap();
        writeln!(letters, "{worn}").unwrap();
    }
    let mut legend = String::new();
    for (number, style) in styles.iter().enumerate() {
        writeln!(
            legend,
            "{} {:?} on {:?} {:?}",
            char::from(b'a' + number as u8),
            style.fg,
            style.bg,
            style.add_modifier
        )
        .unwrap();
    }
    format!("{glyphs}\n{letters}\n{legend}")
}

#[test]
fn in_the_grid_a_wide_character_has_its_place_and_the_empty_one_behind_it() {
    let model = model(80, 24);
    let text = screen(&model, &plain());
    let (at, line) = text.lines().enumerate().find(|(_, line)| line.contains("the 港")).unwrap();
    let place = |of: &str| line[..line.find(of).unwrap()].chars().count();
    assert_eq!(place("is closed"), place("港") + 3, "{line}");
    // Behind the 24 lines and an empty one are the styles, a letter for each cell.
    let styles = text.lines().nth(24 + 1 + at).unwrap();
    assert_eq!(styles.chars().count(), 80);
    assert_eq!(styles.chars().nth(place("港")), styles.chars().nth(place("港") + 1), "{styles}");
}

pub(super) fn plain() -> Theme {
    Theme::colourless(UNICODE)
}

#[test]
fn the_first_frame_says_what_goes_on() {
    insta::assert_snapshot!(screen(&Model::new("/home/ida/letters".into(), (80, 24)), &plain()));
}

#[test]
fn indexing_shows_how_far_it_is() {
    let mut model = Model::new("/home/ida/letters".into(), (80, 24));
    tell(&mut model, indexing());
    insta::assert_snapshot!(screen(&model, &plain()));
}

const SIZES: [(u16, u16); 4] = [(40, 10), (80, 24), (120, 40), (200, 60)];

#[test]
fn every_view_at_every_size_with_and_without_colours() {
    for page in PAGES {
        for (columns, lines) in SIZES {
            let model = showing(page, columns, lines);
            let name = |theme| format!("{}_{columns}x{lines}_{theme}", page.name());
            insta::assert_snapshot!(name("dark"), screen(&model, &Theme::dark(UNICODE)));
            insta::assert_snapshot!(name("plain"), screen(&model, &plain()));
        }
    }
}

#[test]
fn the_column_of_the_sort_stays() {
    let mut model = model_of(Subject::Passages, 40, 10);
    model.view.sort = Sort::Score;
    tell(&mut model, Update::Searching(PassageSearch::At(0.426)));
    insta::assert_snapshot!("passages_by_score_40x10", screen(&model, &plain()));
}

#[test]
fn what_differs_from_the_copy_compared_with_is_marked() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let selected = model.row().cloned().unwrap();
    tell(&mut model, preview(&selected, 1));
    insta::assert_snapshot!("differs_120x30", screen(&model, &plain()));
    model.beside = Some(Focus::Rows);
    insta::assert_snapshot!("beside_120x30", screen(&model, &Theme::dark(UNICODE)));
    model.size = (60, 24);
    insta::assert_snapshot!("beside_60x24", screen(&model, &plain()));
}

#[test]
fn a_small_screen_shows_one_of_them() {
    let mut model = model(40, 10);
    insta::assert_snapshot!("small_rows", screen(&model, &plain()));
    model.focus = Focus::Document;
    insta::assert_snapshot!("small_document", screen(&model, &plain()));
    model.size = (12, 3);
    insta::assert_snapshot!("too_small", screen(&model, &plain()));
}

#[test]
fn without_unicode_the_screen_is_made_of_ascii() {
    let mut model = model(80, 24);
    model.title = "letters".into();
    let text = screen(&model, &Theme::colourless(ASCII));
    assert!(text.is_ascii(), "{text}");
    assert!(text.contains("#") && text.contains("|"));
}

#[test]
fn a_filter_is_typed_over_the_last_line() {
    let mut model = model(80, 24);
    model.prompt = Some(Prompt::new(Ask::Filter, Line::new("nobody \u{1b}[2J")));
    insta::assert_snapshot!(screen(&model, &plain()).lines().nth(22).unwrap());
}

#[test]
fn overlays_lie_over_the_screen() {
    let mut model = model(80, 24);
    model.overlay = Some(Overlay::Help(model.place(), 0));
    insta::assert_snapshot!("help", screen(&model, &plain()));
    let left = |path: &str, reason| Skipped { path: path.into(), reason };
    let files =
        vec![left("a/b.bin", SkipReason::Binary), left("pipe\u{7}", SkipReason::NotRegular("FIFO".into()))];
    model.overlay = Some(Overlay::Skipped(Some(files.into()), 0));
    insta::assert_snapshot!("skipped", screen(&model, &plain()));
    model.overlay = Some(Overlay::Mismatch("the index was built with k 5; you ask for k 6".into()));
    insta::assert_snapshot!("mismatch", screen(&model, &plain()));
}

#[test]
fn an_empty_list_says_why_it_is_empty() {
    let said_of = |of: Subject, phase: Phase, listing: Listing| {
        let mut model = Model::new("letters".into(), (80, 24));
        model.view.of = of;
        model.page = Page::List(of);
        tell(&mut model, Update::Progress(Progress { phase, documents: 2, ..Progress::default() }));
        model.listing = listing.into();
        screen(&model, &plain())
            .lines()
            .skip(4)
            .take(3)
            .map(|line| line.chars().take(32).collect::<String>().trim().to_owned())
            .collect::<Vec<_>>()
    };
    let said = |phase, listing| said_of(Subject::Blots, phase, listing);
    let complete = Listing { complete: true, ..Listing::default() };
    assert_eq!(said(Phase::Idle, complete.clone())[0], "Nothing is written more");
    let of_passages = |listing| said_of(Subject::Passages, Phase::Idle, listing);
    assert_eq!(of_passages(complete.clone())[0], "Nothing long is written more");
    let provisional = Listing { is_provisional: true, ..complete.clone() };
    assert_eq!(of_passages(provisional)[0], "Nothing is written more");
    assert_eq!(of_passages(Listing::default())[0], "Looking…");
    assert_eq!(said(Phase::Walking, complete)[0], "Reading your documents.");
    assert_eq!(said(Phase::Failed("disk full".into()), Listing::default())[0], "There is nothing to show.");
}

#[test]
fn a_failure_is_said_whole_on_a_small_screen() {
    let mut model = Model::new("letters".into(), (80, 24));
    let sentence = "cannot write /home/ida/.local/share/dupi-tui/1f6e/tmp-00000002.segment: No space left on \
                    device; make room on its disk";
    tell(
        &mut model,
        Update::Progress(Progress { phase: Phase::Failed(sentence.into()), ..Progress::default() }),
    );
    let screen = screen(&model, &plain());
    let said: Vec<&str> = screen.lines().take(2).map(str::trim_end).collect();
    assert_eq!(said.join(" "), sentence);
}

#[test]
fn the_readme_has_the_keys_that_there_are() {
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&key_table()), "put this into the README:\n{}", key_table());
    assert!(BINDINGS.len() > 20);
}
