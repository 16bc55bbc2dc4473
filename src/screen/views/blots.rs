//! The blots view: tiles that occur in several documents; adjacent ones are joined.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::column::{COPIES, Column, DOCUMENTS, RANK};
use super::documents::documents_with;
use super::row_text::{draw_more, draw_row_text};
use super::{Bars, ExportSpec, FooterSpec, ListSpec, RowStyles, ViewPage, ViewSpec};
use crate::action::Action;
use crate::theme::Theme;
use dupi_session::{Item, Subject};

/// The view.
pub(super) static VIEW: ListSpec = ListSpec {
    view: ViewSpec {
        name: "blots",
        id: "blots",
        keys: &["2"],
        words: "blots: what most documents have, however short",
        also: "",
        footer: FooterSpec::OF_TEXTS,
    },
    head: "text",
    has_folders: false,
    columns: &[Column { least: 60, ..RANK }, DOCUMENTS, Column { least: 45, ..COPIES }],
    bars: Bars { from: [72, 68], ..Bars::SORTED },
    export: ExportSpec::DUPLICATES,
    beside: None,
    reads_documents: true,
    stand_in: None,
    has_sigma: true,
    unit: "row",
    one_order: Some(|key| {
        let passages = key(Action::Show(ViewPage::List(Subject::Passages)));
        format!("Blots come by their documents alone; {passages} shows passages, which can be sorted.")
    }),
    empty: |list| {
        list.has_sigma.then(|| {
            vec![
                "No blot is that frequent.".into(),
                String::new(),
                format!("{} lowers σ.", (list.key)(Action::SigmaDown)),
            ]
        })
    },
    has_text: true,
    draw,
    filter: |row| if let Item::Row(row) = row { Some(format!("blot:{}", row.id())) } else { None },
    files: |row| match row {
        // Adjacent blots have the same documents.
        Item::Row(blots) => Some(documents_with(format!("blot:{}", blots.id()), row)),
        _ => None,
    },
    #[cfg(test)]
    example: crate::fixture::rows::row,
};

/// So much of a text is seen before anything stands behind it.
const LEAST_WORDS: u16 = 20;

fn draw(buffer: &mut Buffer, room: Rect, row: &Item, styles: RowStyles, theme: &Theme) {
    let more = if let Item::Row(of) = row { of.blots.len().saturating_sub(1) as u64 } else { 0 };
    let behind = draw_more(buffer, room, more, LEAST_WORDS, styles, theme);
    draw_row_text(buffer, Rect { width: room.width - behind, ..room }, row, styles, theme);
}
