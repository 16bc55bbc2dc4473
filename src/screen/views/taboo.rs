//! The taboo view: hidden texts, and the reasons.

use crate::action::{Action as A, ViewPage};
use crate::cells;
use crate::views::spec::{
    Bars, COPIES, Column, DOCUMENTS, ExportSpec, FooterSpec, KeyNames, ListSpec, MEASURED, ViewSpec, column,
    counted,
};
use crate::views::texts::draw_row_text;
use dupi_index::query::filter::quoted;
use dupi_index::taboo::TabooScope;
use dupi_session::{Item, Sort, Subject};

/// The view.
pub(crate) static VIEW: ListSpec = ListSpec {
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
    empty: |list| Some(empty(list.key)),
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

fn empty(key: KeyNames) -> String {
    let [passages, blots] = [Subject::Passages, Subject::Blots].map(|of| key(A::Show(ViewPage::List(of))));
    let taboo = key(A::Taboo);
    format!("Nothing is taboo yet.\n\nIn {passages} or {blots}, {taboo} hides a text\nwherever it stands.")
}
