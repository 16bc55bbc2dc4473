//! Rows of the passages view: kinds that are set aside, passages that are new, and the first of them during a search.

use std::sync::Arc;

use crate::event::Effect;
use crate::fixture::rows::passage;
use crate::fixture::{asked_view, keys, list, model_of, tell};
use crate::model::Model;
use crate::tests::screen::{plain, screen};
use dupi_base::config::Kind;
use dupi_judge::aside::AsideSummary;
use dupi_judge::known::News;
use dupi_session::{
    Item, ItemId, ListedAside, ListedPassage, Listing, Request, SearchState, Subject, Update,
};

fn line(kind: Kind, is_open: bool, is_whole: bool) -> Item {
    let summary = AsideSummary { kind, passages: 31, copies: 1204, tokens: 88_123 };
    Item::Aside(Arc::new(ListedAside { summary, is_open, is_whole }))
}

/// Passages with these numbers, then a folded line, then an open one with passages below it.
fn rows(first: u64, below: u64, is_whole: bool) -> Vec<Item> {
    let mut rows: Vec<Item> = (0..first).map(|number| passage(number, "text")).collect();
    rows.push(line(Kind::Licence, false, true));
    rows.push(line(Kind::Data, true, is_whole));
    rows.extend((1000..1000 + below).map(|number| passage(number, "0x00")));
    rows
}

fn shows(model: &mut Model, rows: Vec<Item>, searched: f64) {
    let view = model.list.view.clone();
    let complete = searched >= 1.0;
    tell(model, Update::Rows(Listing { view, rows, searched, complete, ..Listing::default() }.into()));
}

fn model(columns: u16, lines: u16) -> Model {
    let mut model = model_of(Subject::Passages, columns, lines);
    model.list.view.open = vec![Kind::Data];
    shows(&mut model, rows(6, 2, true), 1.0);
    model
}

#[test]
fn the_lines_say_how_much_they_stand_for() {
    let mut model = model(120, 24);
    keys(&mut model, "G k k k");
    insta::assert_snapshot!("aside_120x24", screen(&model, &plain()));
}

#[test]
fn a_kind_is_listed_for_good_or_set_aside_by_a_key() {
    let mut model = model(120, 24);
    let mut listing = (*model.list.listing).clone();
    listing.aside_kinds = Kind::ASIDES.to_vec();
    listing.view = model.list.view.clone();
    tell(&mut model, Update::Rows(listing.into()));
    keys(&mut model, "G k k k");
    let asked = |effects: &[Effect]| match effects {
        [Effect::Ask(Request::SetAside { kind, to, is_aside })] => Some((*kind, *to, *is_aside)),
        _ => None,
    };
    assert_eq!(asked(&keys(&mut model, "Z")), Some((Kind::Licence, Some(false), false)));
    // Where the settings say the same, there is nothing to decide.
    model.settings.aside = Some(vec![]);
    assert_eq!(asked(&keys(&mut model, "Z")), Some((Kind::Licence, None, false)));
    keys(&mut model, "g");
    assert_eq!(asked(&keys(&mut model, "Z")), None);
    assert!(model.said().is_some_and(|said| said.contains("has no kind")));
}

#[test]
fn what_a_passage_is_can_be_corrected() {
    let mut model = model_of(Subject::Passages, 80, 24);
    keys(&mut model, "j K");
    insta::assert_snapshot!("kinds_80x24", screen(&model, &plain()));
}

#[test]
fn a_line_that_is_opened_at_the_lower_edge_shows_its_first_passages() {
    let mut model = model_of(Subject::Passages, 120, 24);
    let height = usize::from(model.layout().rows.height);
    let list = |below: u64, is_whole| {
        let mut rows: Vec<Item> = (0..40).map(|number| passage(number, "text")).collect();
        rows.push(line(Kind::Data, below > 0, is_whole));
        rows.extend((1000..1000 + below).map(|number| passage(number, "0x00")));
        rows.extend([line(Kind::Markup, false, true), line(Kind::Licence, false, true)]);
        rows
    };
    for (below, is_whole, seen) in [(2, true, 2), (60, false, height / 2), (60, true, height / 2)] {
        shows(&mut model, list(0, true), 1.0);
        keys(&mut model, "g G k k");
        assert_eq!(model.list.selected, Some(ItemId::Aside(Kind::Data)));
        // At the lower edge.
        model.list.first_row = 41 - height;
        keys(&mut model, "Enter");
        // The rows come in parts.
        shows(&mut model, list(below / 2, false), 1.0);
        shows(&mut model, list(below, is_whole), 1.0);
        let (at, first) = (model.list.selected_row().unwrap(), model.list.first_row);
        assert_eq!((at, first + height - at > seen), (40, true), "{below}: {first}");
        assert!(first <= at);
        // It is scrolled once only.
        keys(&mut model, "g");
        assert_eq!((model.list.first_row, model.list.opened), (0, None));
        model.list.view.open.clear();
    }
}

#[test]
fn a_passage_that_is_sought_is_loaded_below_an_open_line_too() {
    let wanted = |effects: &[Effect]| asked_view(effects).map(|view| view.wanted);
    let mut model = model_of(Subject::Passages, 120, 24);
    model.list.view.open = vec![Kind::Data];
    let sought = passage(1700, "0x00").id();
    (model.list.sought, model.list.selected, model.list.lost_at) = (Some(sought), Some(sought), None);
    let shown = |model: &mut Model, below: u64, is_whole: bool| {
        let view = model.list.view.clone();
        let rows = rows(6, below, is_whole);
        let listing = Listing { view, rows, searched: 1.0, complete: is_whole, ..Listing::default() };
        tell(model, Update::Rows(listing.into()))
    };
    let first = model.list.view.wanted as u64;
    assert_eq!(wanted(&shown(&mut model, first, false)), Some(2 * first as usize));
    assert_eq!(wanted(&shown(&mut model, first + 1, false)), None, "these rows are on their way");
    while model.list.sought.is_some() {
        let loaded = model.list.view.wanted as u64;
        assert!(loaded < 4000, "it is not found");
        shown(&mut model, loaded, false);
    }
    assert_eq!(model.list.selected, Some(sought));
    assert!(model.list.selected_row().is_some());
}

fn with_news(width: u16) -> String {
    let mut model = model_of(Subject::Passages, width, 24);
    let news = [None, Some(News::New), Some(News::MoreCopies(1200))];
    let row = |(number, news)| match passage(number, "a text of some words") {
        Item::Passage(row) => Item::Passage(Arc::new(ListedPassage { news, taboo: false, ..(*row).clone() })),
        other => other,
    };
    list(&mut model, (0..).zip(news).map(row));
    screen(&model, &plain())
}

#[test]
fn news_stand_before_the_text() {
    let wide = with_news(120);
    for line in [" a text of some words", " new: a text of some words", " 1.2k new: a text of some words"] {
        assert!(wide.lines().any(|shown| shown.contains(line)), "{line}: {wide}");
    }
    assert!(!with_news(30).contains("new:"));
}

#[test]
fn a_first_look_says_what_it_is() {
    let mut model = model_of(Subject::Passages, 100, 24);
    tell(&mut model, Update::Searching(SearchState::At(0.42)));
    let last = |model: &Model| screen(model, &plain()).lines().nth(22).unwrap().trim().to_owned();
    assert!(!last(&model).contains("some of them"));
    model.list.listing = Listing { is_first_look: true, ..(*model.list.listing).clone() }.into();
    assert!(last(&model).contains("looking for passages: 42 %; these are some of them"), "{}", last(&model));
    let none = Listing { rows: Vec::new(), is_provisional: true, ..(*model.list.listing).clone() };
    model.list.listing = none.into();
    assert!(!screen(&model, &plain()).contains("blots, until"));
}
