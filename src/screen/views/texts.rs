//! The views of texts: passages with all their copies, and blots, which are tiles that occur in several documents; adjacent
//! ones are joined.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::{Action, ViewPage};
use crate::cells;
use crate::text::Canvas;
use crate::views::documents::documents_with;
use crate::views::spec::{
    Bars, COPIES, Column, DOCUMENTS, ListSpec, RANK, RowStyles, TOKENS, ViewSpec, column, number_sorted_by,
    percent,
};
use dupi_index::query::filter::ReviewState;
use dupi_judge::since_visit::News;
use dupi_passage::unit::Unit;
use dupi_report::in_short;
use dupi_session::{Item, Sort, Subject};

/// The view.
pub(crate) static PASSAGES: ListSpec = ListSpec {
    view: ViewSpec {
        name: "passages",
        id: "passages",
        keys: &["1"],
        words: "passages: whole stretches with all their copies",
        ..ViewSpec::USUAL
    },
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
    stand_in: Some(Subject::Blots),
    empty: |list| {
        let blots = (list.key)(Action::Show(ViewPage::List(Subject::Blots)));
        (!list.hides_rows)
            .then(|| format!("Nothing long is written more\nthan once here.\n\n{blots} shows what is short."))
    },
    draw: draw_passage,
    filter: passage_filter,
    files: |row| Some(documents_with(passage_filter(row)?, row)),
    #[cfg(test)]
    example: crate::fixture::rows::passage,
    ..ListSpec::USUAL
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
const LEAST_PASSAGE: u16 = 28;

fn draw_passage(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
    let members = if let Item::Passage(row) = row { row.members } else { 0 };
    let left = draw_more(canvas, room, members, LEAST_PASSAGE, styles);
    draw_row_text(canvas, left, row, styles);
}

fn passage_filter(row: &Item) -> Option<String> {
    if let Item::Passage(passage) = row { Some(format!("passage:{}", passage.id)) } else { None }
}

/// The view.
pub(crate) static BLOTS: ListSpec = ListSpec {
    view: ViewSpec {
        name: "blots",
        id: "blots",
        keys: &["2"],
        words: "blots: what most documents have, however short",
        ..ViewSpec::USUAL
    },
    columns: &[Column { least: 60, ..RANK }, DOCUMENTS, Column { least: 45, ..COPIES }],
    bars: Bars { from: [72, 68], ..Bars::SORTED },
    has_sigma: true,
    unit: "row",
    one_order: Some(|key| {
        let passages = key(Action::Show(ViewPage::List(Subject::Passages)));
        format!("Blots come by their documents alone; {passages} shows passages, which can be sorted.")
    }),
    empty: |list| {
        let lower = (list.key)(Action::SigmaDown);
        list.has_sigma.then(|| format!("No blot is that frequent.\n\n{lower} lowers σ."))
    },
    draw: draw_blots,
    filter: |row| if let Item::Row(row) = row { Some(format!("blot:{}", row.id())) } else { None },
    files: |row| match row {
        // Adjacent blots have the same documents.
        Item::Row(blots) => Some(documents_with(format!("blot:{}", blots.id()), row)),
        _ => None,
    },
    #[cfg(test)]
    example: crate::fixture::rows::row,
    ..ListSpec::USUAL
};

/// So much of a text is seen before anything stands behind it.
const LEAST_BLOT: u16 = 20;

fn draw_blots(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
    let more = if let Item::Row(of) = row { of.blots.len().saturating_sub(1) as u64 } else { 0 };
    let left = draw_more(canvas, room, more, LEAST_BLOT, styles);
    draw_row_text(canvas, left, row, styles);
}

/// Draws the text of a row behind its marks: its state, what is new, and whether its copies are whole documents.
pub(crate) fn draw_row_text(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
    let room = draw_state(canvas, room, row, styles);
    let room = draw_news(canvas, room, row, styles);
    let room = draw_unit(canvas, room, row, styles);
    canvas.put(room, &cells::line(&row.headline(), usize::from(room.width)), styles.text);
}

/// The least width of the text behind a mark in words.
const LEAST_TEXT: u16 = 20;

/// Draws a mark in words before the text of a row, if there is room for both.
fn draw_mark(canvas: &mut Canvas, room: Rect, words: &str, style: Style) -> Rect {
    if room.width < words.len() as u16 + LEAST_TEXT { room } else { canvas.put(room, words, style) }
}

/// Draws what is new in a passage since the screen was left.
fn draw_news(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) -> Rect {
    let Item::Passage(passage) = row else { return room };
    match passage.news {
        Some(News::New) => draw_mark(canvas, room, "new: ", styles.accepted),
        Some(News::MoreCopies(copies)) => {
            draw_mark(canvas, room, &format!("{} new: ", in_short(u64::from(copies))), styles.accepted)
        }
        None => room,
    }
}

/// Says that the copies of a passage are whole documents or folders.
fn draw_unit(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) -> Rect {
    match row {
        Item::Passage(passage) if passage.unit != Unit::Passage => {
            draw_mark(canvas, room, "identical: ", styles.text.patch(canvas.theme.quiet))
        }
        _ => room,
    }
}

/// Draws the number of other rows that a row stands for at its end. Returns the area before it.
fn draw_more(canvas: &mut Canvas, room: Rect, more: u64, least: u16, styles: RowStyles) -> Rect {
    let words = format!(" +{}", in_short(more));
    if more == 0 || room.width < least + words.len() as u16 {
        return room;
    }
    canvas.put_right(room, &words, styles.text.patch(canvas.theme.quiet))
}

/// Draws what was decided about a row; a plus says that it has more copies than were accepted.
pub(crate) fn draw_state(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) -> Rect {
    let (glyphs, style) = (canvas.theme.glyphs, styles.text);
    let (mark, style) = match row.state() {
        ReviewState::Taboo => (glyphs.cross.to_owned(), style),
        ReviewState::Fix => (glyphs.fix.to_owned(), styles.fix),
        ReviewState::Accepted => (glyphs.check.to_owned(), styles.accepted),
        ReviewState::Open if row.outgrown().is_some() => {
            (format!("{}+", glyphs.check), style.patch(canvas.theme.quiet))
        }
        ReviewState::Open => return room,
    };
    canvas.put(room, &(mark + " "), style)
}
