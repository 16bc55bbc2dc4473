//! What is new since the screen was left stands before the text of a row, where there is room for both.

use std::sync::Arc;

use super::screen::{plain, screen};
use crate::fixture::{model_of, passage, tell};
use dupi_passage::since_visit::News;
use dupi_session::{Item, ListedPassage, Listing, Subject, Update};

fn shown(width: u16) -> String {
    let mut model = model_of(Subject::Passages, width, 24);
    let news = [None, Some(News::New), Some(News::MoreCopies(1200))];
    let row = |(number, news)| match passage(number, "a text of some words") {
        Item::Passage(row) => Item::Passage(Arc::new(ListedPassage { news, taboo: false, ..(*row).clone() })),
        other => other,
    };
    let rows = (0..).zip(news).map(row).collect();
    let view = model.list.view.clone();
    tell(&mut model, Update::Rows(Listing { view, rows, complete: true, ..Listing::default() }.into()));
    screen(&model, &plain())
}

#[test]
fn news_stand_before_the_text() {
    let wide = shown(120);
    for line in [" a text of some words", " new: a text of some words", " 1.2k new: a text of some words"] {
        assert!(wide.lines().any(|shown| shown.contains(line)), "{line}: {wide}");
    }
    assert!(!shown(30).contains("new:"));
}
