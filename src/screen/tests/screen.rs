//! Snapshots of the screen: a grid of glyphs, a grid of styles, and what the styles are.

use std::fmt::Write;

use ratatui::style::Style;

use crate::action::ViewPage;
use crate::fixture;
use crate::fixture::{indexing, keys, model, model_of, show_copy, showing, tell};
use crate::input_line::InputLine;
use crate::model::{Ask, Focus, HelpPage, Model, Overlay, Prompt};
use crate::theme::{Charset, Theme};
use crate::views::PAGES;
use dupi_base::corpus::{SkipReason, Skipped};
use dupi_session::{
    HiddenCounts, Item, ListedDocument, Listing, Phase, Preview, Progress, SearchState, Sort, Subject,
    TabooDifference, TabooPreview, Update,
};

/// The screen as text: glyphs, then one letter a cell for its style, then a legend.
pub(crate) fn screen(model: &Model, theme: &Theme) -> String {
    let buffer = fixture::drawn(model, theme);
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
    assert_eq!(styles.chars().nth(place("港")), styles.chars().nth(place("is closed")), "{styles}");
}

pub(crate) fn plain() -> Theme {
    Theme::colourless(Charset::Unicode)
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
            insta::assert_snapshot!(name("dark"), screen(&model, &Theme::dark(Charset::Unicode)));
            insta::assert_snapshot!(name("plain"), screen(&model, &plain()));
        }
    }
}

#[test]
fn the_column_of_the_sort_stays() {
    let mut model = model_of(Subject::Passages, 40, 10);
    model.list.view.sort = Sort::Score;
    tell(&mut model, Update::Searching(SearchState::At(0.426)));
    insta::assert_snapshot!("passages_by_score_40x10", screen(&model, &plain()));
}

#[test]
fn what_differs_from_the_copy_compared_with_is_marked() {
    let mut model = model_of(Subject::Passages, 120, 30);
    show_copy(&mut model, 1);
    insta::assert_snapshot!("differs_120x30", screen(&model, &plain()));
    model.beside = Some(Focus::Rows);
    insta::assert_snapshot!("beside_120x30", screen(&model, &Theme::dark(Charset::Unicode)));
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
    let text = screen(&model, &Theme::colourless(Charset::Ascii));
    assert!(text.is_ascii(), "{text}");
    assert!(text.contains("#") && text.contains("|"));
}

#[test]
fn a_filter_is_typed_over_the_last_line() {
    let mut model = model(80, 24);
    model.dialogue.prompt = Some(Prompt::new(Ask::Filter, InputLine::new("nobody \u{1b}[2J")));
    insta::assert_snapshot!(screen(&model, &plain()).lines().nth(22).unwrap());
}

#[test]
fn overlays_lie_over_the_screen() {
    let mut model = model(80, 24);
    model.dialogue.overlay = Some(Overlay::Help(HelpPage::new(model.key_context())));
    insta::assert_snapshot!("help", screen(&model, &plain()));
    let left = |path: &str, reason| Skipped::new(path, reason);
    let files =
        vec![left("a/b.bin", SkipReason::Binary), left("pipe\u{7}", SkipReason::NotRegular("FIFO".into()))];
    model.dialogue.overlay = Some(Overlay::Skipped(Some(files.into()), 0));
    insta::assert_snapshot!("skipped", screen(&model, &plain()));
    model.dialogue.overlay = Some(Overlay::Mismatch("the index was built with k 5; you ask for k 6".into()));
    insta::assert_snapshot!("mismatch", screen(&model, &plain()));
}

#[test]
fn what_taboo_would_hide_is_counted_first_and_scrolled() {
    for (columns, lines) in [(40, 10), (80, 24)] {
        let mut model = model_of(Subject::Passages, columns, lines);
        keys(&mut model, "B w h y");
        let sum = |rows| HiddenCounts { rows, copies: 1340, documents: 1180 };
        let of = |rows| TabooDifference { of: Subject::Passages, sum: sum(rows), is_least: false };
        let others = (0..20).map(|number| (format!("another text {number}"), 30 - number)).collect();
        let rows = model.list.chosen();
        let hides = TabooPreview { rows, all: of(39), others: of(38), first: others, complete: true };
        tell(&mut model, Update::TabooPreview(hides.into()));
        let name = |part| format!("before_{part}_{columns}x{lines}");
        insta::assert_snapshot!(name("first"), screen(&model, &plain()));
        keys(&mut model, "Down PgDn PgDn PgDn PgDn PgDn Down");
        insta::assert_snapshot!(name("last"), screen(&model, &plain()));
        keys(&mut model, "PgUp PgUp PgUp PgUp PgUp PgUp PgUp");
        assert!(matches!(&model.dialogue.overlay, Some(Overlay::Before(before)) if before.first == 0));
    }
}

#[test]
fn the_palette_stays_in_its_place_while_something_is_typed() {
    for (columns, lines) in [(40, 10), (80, 24), (120, 40)] {
        let mut model = model_of(Subject::Passages, columns, lines);
        keys(&mut model, ": s o r");
        insta::assert_snapshot!(format!("palette_{columns}x{lines}"), screen(&model, &plain()));
        let frame = |model: &Model| {
            let shown = screen(model, &plain());
            let lines = shown.lines().enumerate().skip(2);
            let edges = lines.filter(|(_, line)| line.contains("────")).map(|(y, line)| (y, line.to_owned()));
            edges.collect::<Vec<_>>()
        };
        let before = frame(&model);
        keys(&mut model, "x x x");
        assert_eq!(frame(&model), before);
    }
}

#[test]
fn the_help_of_a_small_screen_has_words_below_their_keys() {
    let mut model = model_of(Subject::Blots, 40, 30);
    model.dialogue.overlay =
        Some(Overlay::Help(HelpPage { first: 30, ..HelpPage::new(model.key_context()) }));
    insta::assert_snapshot!("help_40x30", screen(&model, &plain()));
    model.size = (160, 60);
    model.dialogue.overlay = Some(Overlay::Help(HelpPage::new(model.key_context())));
    insta::assert_snapshot!("help_160x60", screen(&model, &plain()));
}

#[test]
fn a_folder_that_is_selected_says_what_lies_in_it() {
    for (columns, lines) in [(80, 24), (120, 40)] {
        let mut model = model_of(Subject::Files, columns, lines);
        keys(&mut model, "j");
        let Some(row) = model.list.row().cloned() else { panic!("no folder") };
        let nothing = Preview { row: Some(row), ..Preview::default() };
        tell(&mut model, Update::Preview(nothing.into()));
        insta::assert_snapshot!(format!("folder_{columns}x{lines}"), screen(&model, &plain()));
    }
}

#[test]
fn a_document_says_what_it_shares_most_with_at_every_size() {
    for (columns, lines) in SIZES {
        let mut model = model_of(Subject::Documents, columns, lines);
        keys(&mut model, "j");
        show_copy(&mut model, 0);
        let shown = screen(&model, &plain());
        assert!(shown.contains("48 % in letters/2024/1.md"), "{columns}×{lines}\n{shown}");
        if columns == 80 {
            insta::assert_snapshot!("partner_80x24", shown);
        }
    }
}

#[test]
fn the_menu_of_orders_shows_the_present_one_and_its_direction() {
    let mut model = model_of(Subject::Passages, 80, 24);
    keys(&mut model, "s j r");
    insta::assert_snapshot!("reversed_80x24", screen(&model, &plain()));
    keys(&mut model, "s j");
    insta::assert_snapshot!("orders_80x24", screen(&model, &plain()));
}

#[test]
fn sorted_by_partner_documents_stand_to_the_right_below_theirs() {
    let mut model = model_of(Subject::Documents, 120, 30);
    keys(&mut model, "s j Enter");
    let rows = model.list.listing.rows.clone().into_iter().enumerate().map(|(at, row)| match row {
        Item::Document(row) => {
            Item::Document(ListedDocument { is_below: at % 3 > 0, ..(*row).clone() }.into())
        }
        _ => row,
    });
    fixture::list(&mut model, rows);
    insta::assert_snapshot!(screen(&model, &plain()));
}

#[test]
fn where_sigma_cuts_is_marked_and_said() {
    let mut model = model(120, 30);
    let mut rows = (*model.list.listing).clone();
    (rows.cut, rows.view.sigma, model.list.view.sigma) = (Some(37), Some(1.5), Some(1.5));
    model.list.listing = rows.into();
    let shown = screen(&model, &plain());
    let line = shown.lines().nth(28).unwrap();
    assert!(line.starts_with("σ ≥ 1.5: docs ≥ 37 ") && line.contains("docs 2 █▇▆▅│▄▃▂ 3,127 "), "{line}");
}

#[test]
fn what_is_said_goes_before_the_sparkline_and_the_place_and_takes_the_lines_it_needs() {
    let sentence = "Taboo: 1 row with 113 copies in 113 documents hidden; u undoes it";
    for (columns, lines) in [(80, 24), (60, 20), (40, 10)] {
        let mut model = model(columns, lines);
        model.say(sentence);
        let shown = screen(&model, &plain());
        let said: Vec<&str> = shown.lines().skip(usize::from(lines) - 3).take(3).map(str::trim).collect();
        assert!(said.join(" ").contains(sentence), "{columns}×{lines}: {said:?}");
    }
    let mut model = model(40, 12);
    model.say(format!("{sentence}. {sentence}"));
    let shown = screen(&model, &plain());
    let said: Vec<&str> = shown.lines().take(12).skip(7).map(str::trim).collect();
    assert!(said.join(" ").ends_with(&format!("{sentence}. {sentence}")), "{said:?}");
}

#[test]
fn what_is_being_read_stands_apart_from_the_views_or_not_at_all() {
    for columns in 60..200 {
        let mut model = Model::new("letters".into(), (columns, 24));
        tell(&mut model, indexing());
        let shown = screen(&model, &plain());
        let line = shown.lines().nth(1).unwrap();
        let behind = line.split_once("6 activity ").map_or("", |(_, behind)| behind);
        assert!(columns < 72 || behind.starts_with('─'), "{columns}: {line}");
        assert!(!behind.contains("md") || behind.contains("1.md "), "{columns}: {line}");
    }
}

#[test]
fn an_empty_list_says_why_it_is_empty() {
    let said_of = |of: Subject, phase: Phase, listing: Listing| {
        let mut model = Model::new("letters".into(), (80, 24));
        model.list.view.of = of;
        model.page = ViewPage::List(of);
        tell(&mut model, Update::Progress(Progress { phase, documents: 2, ..Progress::default() }));
        model.list.listing = listing.into();
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
    assert_eq!(of_passages(provisional.clone())[0], "Looking…", "no blots, but perhaps passages");
    let filtered = |listing: Listing| {
        let mut model = Model::new("letters".into(), (80, 24));
        tell(
            &mut model,
            Update::Progress(Progress { phase: Phase::Idle, documents: 2, ..Progress::default() }),
        );
        model.list.view.filter = "x".to_owned();
        model.list.listing = listing.into();
        screen(&model, &plain())
    };
    assert!(filtered(provisional).contains("Looking for rows that match"));
    assert!(filtered(complete.clone()).contains("No row matches the filter."));
    let hides = filtered(Listing { hides_matches: true, ..complete.clone() });
    assert!(hides.contains("All that matches is taboo.") && hides.contains("T shows it"), "{hides}");
    assert_eq!(of_passages(Listing::default())[0], "Looking…");
    assert_eq!(said(Phase::Walking, complete)[0], "Reading your documents.");
    assert_eq!(said(Phase::Failed("disk full".into()), Listing::default())[0], "There is nothing to show.");
}

#[test]
fn a_failure_is_said_once_and_the_views_stay() {
    let sentence = "cannot write /home/ida/.local/share/dupi-tui/1f6e/tmp-00000002.segment: No space left on \
                    device; make room on its disk";
    let failed = || Progress { phase: Phase::Failed(sentence.into()), ..Progress::default() };
    for (columns, rows) in [(80, 30), (80, 0), (200, 30), (40, 30)] {
        let mut model = model_of(Subject::Passages, columns, 24);
        let listing = fixture::listing(&model, rows);
        tell(&mut model, listing);
        tell(&mut model, Update::Progress(failed()));
        let shown = screen(&model, &plain());
        assert_eq!(shown.matches("cannot write").count(), 1, "{shown}");
        assert!(shown.lines().nth(1).unwrap().contains(" 1 passages ─ 2"), "{shown}");
        let head = shown.lines().next().unwrap();
        let is_whole = columns == 200;
        assert_eq!(
            (head.contains(sentence), head.ends_with("6 says all")),
            (is_whole, rows > 0 && !is_whole)
        );
        model.page = ViewPage::Activity;
        let shown = screen(&model, &plain());
        assert_eq!(shown.matches("cannot write").count(), 1, "{shown}");
    }
}
