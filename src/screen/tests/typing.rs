//! Lines that are typed, questions over the screen, and what comes between: keys, the mouse, the session.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent};
use crate::fixture::{keys, model_of, mouse, showing, tell};
use crate::model::{Focus, Menu, Model, Overlay};
use crate::tests::screen::{plain, screen};
use crate::update::update;
use crate::view::header::tabs;
use dupi_base::config::SavedFilters;
use dupi_session::{Names, Request, Subject, TabooDifference, TabooPreview, Update};

fn click(model: &mut Model, at: Position) -> Vec<Effect> {
    let kind = MouseEventKind::Down(MouseButton::Left);
    let event = MouseEvent { kind, column: at.x, row: at.y, modifiers: KeyModifiers::NONE };
    let now = model.now + Duration::from_secs(1);
    update(model, TuiEvent::Mouse(event), now)
}

fn tab(model: &Model, page: ViewPage) -> Position {
    let tabs = tabs(model, model.layout().header);
    tabs.into_iter().find(|(of, ..)| *of == page).map(|(.., tab)| tab.as_position()).unwrap()
}

#[test]
fn what_another_decision_would_hide_is_not_taken_for_this_one() {
    let mut model = model_of(Subject::Passages, 80, 24);
    let told = |row: usize, complete: bool| {
        let rows = vec![model_of(Subject::Passages, 80, 24).list.listing.rows[row].clone()];
        let all = TabooDifference { is_least: !complete, ..TabooDifference::default() };
        Update::TabooPreview(TabooPreview { rows, all, complete, ..TabooPreview::default() }.into())
    };
    keys(&mut model, "B");
    tell(&mut model, told(5, true));
    assert!(screen(&model, &plain()).contains("Counting what else"));
    tell(&mut model, told(0, false));
    assert!(screen(&model, &plain()).contains("Hides at least "), "{}", screen(&model, &plain()));
    tell(&mut model, told(0, true));
    let shown = screen(&model, &plain());
    assert!(shown.contains("Hides ") && !shown.contains("at least"), "{shown}");
}

#[test]
fn the_activity_has_no_panes_to_click_on() {
    let mut model = showing(ViewPage::Activity, 120, 40);
    let before = (model.reader.split, model.focus);
    let panes = model_of(Subject::Passages, 120, 40).layout();
    for pane in [panes.divider, panes.rule, panes.strip, panes.document, panes.copies, panes.rows] {
        assert!(!pane.is_empty());
        click(&mut model, pane.as_position());
        model.now = Duration::ZERO;
        mouse(&mut model, MouseEventKind::Drag(MouseButton::Left), (90, 30));
        assert_eq!((model.reader.split, model.focus), before);
    }
    let mut small = showing(ViewPage::Activity, 120, 10);
    let at = panes.document.as_position();
    mouse(&mut small, MouseEventKind::ScrollDown, (at.x, 5));
    assert_eq!((small.list.first_row, small.focus), (3, Focus::Rows));
    let blots = tab(&model, ViewPage::List(Subject::Blots));
    click(&mut model, blots);
    assert_eq!(model.page, ViewPage::List(Subject::Blots));
}

#[test]
fn a_filter_is_completed_with_what_the_corpus_has() {
    let mut model = model_of(Subject::Passages, 80, 24);
    let asked = keys(&mut model, "/ e x t :");
    assert!(asked.iter().any(|effect| matches!(effect, Effect::Ask(Request::Names))));
    let names = Names { extensions: vec!["md".into()], folders: vec!["src".into()], ..Names::default() };
    tell(&mut model, Update::Names(names.into()));
    keys(&mut model, "Tab Space p a t h : s Tab");
    assert_eq!(model.list.view.filter, "ext:md path:src/");
}

#[test]
fn a_letter_with_ctrl_is_no_answer() {
    let mut model = model_of(Subject::Passages, 80, 24);
    tell(&mut model, Update::Mismatch("built with another recipe".into()));
    assert!(keys(&mut model, "Ctrl-r Alt-r Ctrl-k").is_empty() && model.dialogue.overlay.is_some());
    let saved: SavedFilters = [("code".to_owned(), "ext:c".to_owned())].into_iter().collect();
    (model.settings.saved, model.dialogue.overlay) = (Arc::new(saved), Some(Overlay::Menu(Menu::Filters, 0)));
    assert!(keys(&mut model, "Ctrl-d Alt-d").is_empty() && model.dialogue.overlay.is_some());
    assert!(matches!(&keys(&mut model, "d")[..], [Effect::SaveFilter(_, None)]));
    model.dialogue.overlay = Some(Overlay::Replace(Request::Undo, "a".into()));
    assert!(keys(&mut model, "Ctrl-y Alt-y").is_empty() && model.dialogue.overlay.is_some());
    assert!(matches!(&keys(&mut model, "y")[..], [Effect::Ask(Request::Undo)]));
}
