//! The passages view: maximal duplicated passages with all their copies.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::column::{COPIES, Column, DOCUMENTS, RANK, TOKENS, column, percent};
use super::documents::documents_with;
use super::row_text::{draw_more, draw_row_text};
use super::spec::number_sorted_by;
use super::{Bars, ExportSpec, FooterSpec, ListSpec, RowStyles, ViewPage, ViewSpec};
use crate::action::Action;
use crate::theme::Theme;
use dupi_report::in_short;
use dupi_session::{Item, Sort, Subject};

/// The view.
pub(super) static VIEW: ListSpec = ListSpec {
    view: ViewSpec {
        name: "passages",
        id: "passages",
        keys: &["1"],
        words: "passages: whole stretches with all their copies",
        also: "",
        footer: FooterSpec::OF_TEXTS,
    },
    head: "text",
    has_folders: false,
    columns: &[
        Column { least: 60, ..RANK },
        WORTH,
        Column { least: 45, ..COPIES },
        Column { least: 48, ..DOCUMENTS },
        Column { least: 50, ..TOKENS },
        SCORE,
        LINES,
        ALIKE,
    ],
    bars: Bars { from: [72, 68], always: true, compares_all: true, number: worth },
    export: ExportSpec::DUPLICATES,
    beside: None,
    reads_documents: true,
    stand_in: Some(Subject::Blots),
    has_sigma: false,
    unit: "passage",
    one_order: None,
    empty: |list| {
        let blots = Action::Show(ViewPage::List(Subject::Blots));
        (!list.hides_rows).then(|| {
            vec![
                "Nothing long is written more".into(),
                "than once here.".into(),
                String::new(),
                format!("{} shows what is short.", (list.key)(blots)),
            ]
        })
    },
    has_text: true,
    draw,
    filter,
    files: |row| Some(documents_with(filter(row)?, row)),
    #[cfg(test)]
    example: crate::fixture::rows::passage,
};

/// The worth of a passage, whatever the list is sorted by.
fn worth(row: &Item, sort: Sort) -> u64 {
    if let Item::Passage(passage) = row { passage.worth } else { number_sorted_by(row, sort) }
}

/// What keeping one copy would save, in bits.
const WORTH: Column = Column {
    words: |number, _| in_short(number),
    ..column(
        "worth",
        Some(Sort::Worth),
        45,
        |_, row| if let Item::Passage(row) = row { row.worth } else { 0 },
    )
};

const SCORE: Column =
    column("score", Some(Sort::Score), 58, |_, row| if let Item::Passage(row) = row { row.score } else { 0 });

/// The whole lines that could be deleted if only one copy were kept.
const LINES: Column =
    column("lines", Some(Sort::Lines), 62, |_, row| if let Item::Passage(row) = row { row.lines } else { 0 });

/// How alike the copies are; where all are equal that goes without saying.
const ALIKE: Column = Column {
    is_blank: |rows| {
        rows.iter().take(1000).all(|row| match row {
            Item::Passage(row) => row.similarity >= 1.0,
            _ => true,
        })
    },
    ..percent("alike", None, 47, |_, row| match row {
        Item::Passage(row) => (row.similarity * 100.0) as u64,
        _ => 100,
    })
};

/// So much of a text is seen before the number of members stands behind it.
const LEAST_WORDS: u16 = 28;

fn draw(buffer: &mut Buffer, room: Rect, row: &Item, styles: RowStyles, theme: &Theme) {
    let members = if let Item::Passage(row) = row { row.members } else { 0 };
    let behind = draw_more(buffer, room, members, LEAST_WORDS, styles, theme);
    draw_row_text(buffer, Rect { width: room.width - behind, ..room }, row, styles, theme);
}

fn filter(row: &Item) -> Option<String> {
    if let Item::Passage(passage) = row { Some(format!("passage:{}", passage.id)) } else { None }
}
