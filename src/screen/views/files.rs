//! The files view: the content of one folder by the share of duplicated text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::column::{COPIES, Column, DOCUMENTS, SHARE, TOKENS};
use super::documents::documents_with;
use super::spec::MARKED;
use super::{Bars, ExportSpec, FooterSpec, ListSpec, RowStyles, ViewSpec};
use crate::action::Action as A;
use crate::cells;
use crate::text::put;
use crate::theme::Theme;
use dupi_base::storage::shown;
use dupi_index::query::filter::path_term;
use dupi_session::Item;

/// The view.
pub(super) static VIEW: ListSpec = ListSpec {
    view: ViewSpec {
        name: "files",
        id: "files",
        keys: &["4"],
        words: "folders and files, the most duplicated first",
        also: "tree directories",
        footer: FooterSpec {
            keys: &[A::Enter, A::Back, A::PassagesOf, A::Filter, A::Help, A::Quit, A::FilesOf, A::Sort],
            marked: MARKED,
            words: &[(A::Enter, "open"), (A::NextCopy, "next stretch"), (A::FilesOf, "documents")],
        },
    },
    head: "in the corpus",
    has_folders: true,
    columns: &[SHARE, TOKENS, Column { least: 24, ..COPIES }, Column { least: 20, ..DOCUMENTS }],
    bars: Bars { from: [44, 30], always: true, ..Bars::SORTED },
    export: ExportSpec::DUPLICATES,
    beside: None,
    reads_documents: true,
    stand_in: None,
    has_sigma: false,
    unit: "passage",
    one_order: None,
    empty: |list| (!list.hides_rows).then(|| vec!["This folder has no documents.".to_owned()]),
    has_text: false,
    draw,
    filter,
    files: |row| Some(documents_with(filter(row)?, row)),
    #[cfg(test)]
    example: crate::fixture::rows::folder,
};

fn filter(row: &Item) -> Option<String> {
    if let Item::Folder(row) = row { Some(path_term(&row.path)) } else { None }
}

fn draw(buffer: &mut Buffer, room: Rect, row: &Item, styles: RowStyles, _: &Theme) {
    let Item::Folder(row) = row else { return };
    let name = shown(row.path.file_name().unwrap_or(row.path.as_os_str())).text();
    let name = format!("{name}{}", if row.is_folder { "/" } else { "" });
    let fitted = cells::fit_end(&name, usize::from(room.width));
    put(buffer, room.x, room.y, room.width, &fitted, styles.text);
}
