//! The views of texts: passages with all their copies, blots, which are tiles that occur in several documents, adjacent
//! ones joined, and the taboo list with the hidden texts and the reasons.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::{Action, Action as A, ViewPage};
use crate::cells;
use crate::text::Canvas;
use crate::theme::glyphs;
use crate::views::spec::{
    Bars, COPIES, Column, DOCUMENTS, ExportSpec, FooterSpec, KeyNames, ListSpec, MEASURED, RANK, RowStyles,
    TOKENS, ViewSpec, column, counted, documents_with, number_sorted_by, percent,
};
use dupi_index::query::filter::{ReviewState, quoted};
use dupi_index::taboo::TabooScope;
use dupi_judge::known::News;
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

/// The least width of the text of a passage before the number of its members.
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

/// The least width of the text of a blot before the number of joined ones.
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
    let style = styles.text;
    let (mark, style) = match row.state() {
        ReviewState::Taboo => (glyphs::CROSS.to_owned(), style),
        ReviewState::Fix => (glyphs::FIX.to_owned(), styles.fix),
        ReviewState::Accepted => (glyphs::CHECK.to_owned(), styles.accepted),
        ReviewState::Open if row.outgrown().is_some() => {
            (format!("{}+", glyphs::CHECK), style.patch(canvas.theme.quiet))
        }
        ReviewState::Open => return room,
    };
    canvas.put(room, &(mark + " "), style)
}

/// The view.
pub(crate) static TABOO: ListSpec = ListSpec {
    view: ViewSpec {
        name: "taboo",
        id: "taboo-list",
        keys: &["5"],
        words: "the taboo list: what is hidden, and why",
        footer: FooterSpec {
            keys: &[
                A::EditEntry,
                A::RemoveEntry,
                A::Undo,
                A::Export,
                A::Help,
                A::Quit,
                A::Back,
                A::Enter,
                A::Filter,
                A::PassagesOf,
            ],
            marked: &[A::RemoveEntry, A::Export, A::CopyText, A::Back, A::Help],
            words: &[],
        },
        ..ViewSpec::USUAL
    },
    columns: &[ROWS, Column { least: 18, ..COPIES }, Column { least: 24, ..DOCUMENTS }, LIST, ADDED, REASON],
    // It is short enough to look for the entry that hides most.
    // In a narrow list the reasons need the room.
    bars: Bars { from: [80, 64], always: true, compares_all: true, ..Bars::SORTED },
    export: ExportSpec { file: "taboo.toml", endings: &[] },
    reads_documents: false,
    empty: |list| Some(empty_taboo(list.key)),
    draw: draw_row_text,
    filter: |row| if let Item::Taboo(row) = row { Some(quoted(&row.entry.text)) } else { None },
    #[cfg(test)]
    example: crate::fixture::rows::taboo,
    ..ListSpec::USUAL
};

/// The widest that the reasons are.
const WIDEST: usize = 18;

/// How many rows an entry hides.
const ROWS: Column = Column {
    words: counted,
    ..column("rows", None, 22, |_, row| match row {
        Item::Taboo(row) => row.hides.map_or(0, |hides| hides.rows),
        _ => 0,
    })
};
/// Whether it hides in all corpora, unless none does.
const LIST: Column = Column {
    words: |_, row| if is_of_user(row) { "all".to_owned() } else { String::new() },
    is_text: true,
    is_blank: |rows| !rows.iter().take(MEASURED).any(is_of_user),
    ..column("for", None, 17, |_, _| 0)
};
/// On which day it was added, unless that is the same day for all.
const ADDED: Column = Column {
    is_blank: |rows| rows.len() > 1 && rows.windows(2).all(|pair| added(&pair[0]) == added(&pair[1])),
    words: |_, row| if let Item::Taboo(row) = row { row.entry.added.to_string() } else { String::new() },
    ..column("added", Some(Sort::Recent), 26, |_, _| 1_000_000_000)
};
const REASON: Column = Column {
    words: |_, row| cells::line(reason(row), WIDEST),
    is_text: true,
    is_blank: |rows| rows.iter().take(MEASURED).all(|row| reason(row).is_empty()),
    ..column("reason", None, 16, |_, _| 0)
};

/// Whether an entry is in the user's list.
fn is_of_user(row: &Item) -> bool {
    matches!(row, Item::Taboo(taboo) if taboo.scope == TabooScope::User)
}

fn added(row: &Item) -> Option<jiff::civil::Date> {
    if let Item::Taboo(row) = row { Some(row.entry.added) } else { None }
}

/// Why a text is taboo, where that was said.
pub(crate) fn reason(row: &Item) -> &str {
    if let Item::Taboo(taboo) = row { taboo.entry.reason.as_deref().unwrap_or_default() } else { "" }
}

fn empty_taboo(key: KeyNames) -> String {
    let [passages, blots] = [Subject::Passages, Subject::Blots].map(|of| key(A::Show(ViewPage::List(of))));
    let taboo = key(A::Taboo);
    format!("Nothing is taboo yet.\n\nIn {passages} or {blots}, {taboo} hides a text\nwherever it stands.")
}
