//! The documents view and the files view: documents, or the content of one folder, by the share of duplicated text.

use std::path::Path;

use ratatui::layout::Rect;

use crate::action::{Action as A, ViewPage};
use crate::cells;
use crate::text::{Canvas, behind, path_of};
use crate::views::spec::{
    Bars, COPIES, Column, DOCUMENTS, FooterSpec, ListSpec, MARKED, RANK, RowLink, RowStyles, SHARE, TOKENS,
    ViewSpec, column, view_of,
};
use dupi_base::storage::shown;
use dupi_index::query::filter::path_term;
use dupi_session::{Item, ItemId, ListedDocument, Sort, Subject, View};

/// The view.
pub(crate) static DOCUMENTS_VIEW: ListSpec = ListSpec {
    view: ViewSpec {
        name: "documents",
        id: "documents",
        keys: &["3"],
        words: "documents: how much of each stands elsewhere",
        footer: FooterSpec {
            keys: &[
                A::Enter,
                A::PassagesOf,
                CLUSTERS,
                A::Filter,
                A::Help,
                A::Quit,
                A::Back,
                A::Sort,
                A::NextCopy,
                A::FilesOf,
            ],
            marked: MARKED,
            words: &[(A::NextCopy, "next stretch"), (A::FilesOf, "folder"), (CLUSTERS, "clusters")],
        },
        ..ViewSpec::USUAL
    },
    head: "document",
    columns: &[RANK, SHARE, SHARED, Column { least: 18, ..TOKENS }, Column { least: 20, ..COPIES }],
    // Names of files leave more room for bars than texts do, and the share is what documents are listed for.
    bars: Bars { from: [64, 30], always: true, ..Bars::SORTED },
    empty: |list| (!list.hides_rows).then(|| "No document has text that\noccurs anywhere else.".to_owned()),
    has_text: false,
    draw: draw_document,
    filter: |row| if let Item::Document(row) = row { Some(path_term(&row.path)) } else { None },
    files: |row| if let Item::Document(row) = row { Some(folder_of(&row.path)) } else { None },
    #[cfg(test)]
    example: crate::fixture::rows::document,
    ..ListSpec::USUAL
};

/// Shows clusters of documents, which this view stands beside.
const CLUSTERS: A = A::Show(ViewPage::List(Subject::Clusters));

/// The room behind its path in which a document names the one it shares most with.
const PARTNER: usize = 24;
/// So far to the right a document stands that is below its partner.
const BELOW: u16 = 2;

/// How much is shared with the partner. Behind the path the partner is named with its share: this is for those who
/// sort by it.
const SHARED: Column = column("shared", Some(Sort::Partner), 60, |_, row| match row {
    Item::Document(row) => row.partner.as_ref().map_or(0, |partner| partner.tokens),
    _ => 0,
});

/// The documents that pass a filter, which is of a row.
pub(crate) fn documents_with(filter: String, row: &Item) -> RowLink {
    // What only this text makes duplicated is not hidden with it.
    let view = View { filter, show_taboo: row.is_taboo(), ..view_of(Subject::Documents) };
    RowLink { view, selected: None }
}

/// The folder that a document lies in.
fn folder_of(path: &Path) -> RowLink {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    RowLink { view: View { folder, ..view_of(Subject::Files) }, selected: Some(ItemId::of_folder(path)) }
}

/// Draws a document's path, to the right of its partner's above it, and where there is room what it shares most with.
fn draw_document(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
    let Item::Document(row) = row else { return };
    let room = behind(room, if row.is_below { BELOW } else { 0 });
    let path = path_of(&row.path, "", row.record);
    let left = behind(canvas.put_end(room, &path, styles.text), 2);
    if cells::width(&path) + PARTNER <= usize::from(room.width)
        && let Some(words) = partner(row, usize::from(left.width))
    {
        canvas.put(left, &words, styles.text.patch(canvas.theme.quiet));
    }
}

/// What a document shares most with, and how much of it, in `width` columns: `50 % in b.md`.
pub(crate) fn partner(row: &ListedDocument, width: usize) -> Option<String> {
    let partner = row.partner.as_ref()?;
    let share = (partner.tokens as f64 / row.tokens.max(1) as f64 * 100.0) as u64;
    let head = format!("{share} % in ");
    let other = cells::fit_end(&path_of(&partner.path, "", partner.record), width.saturating_sub(head.len()));
    Some(head + &other)
}

/// The view.
pub(crate) static FILES_VIEW: ListSpec = ListSpec {
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
    empty: |list| (!list.hides_rows).then(|| "This folder has no documents.".to_owned()),
    has_text: false,
    draw: draw_folder,
    filter: folder_filter,
    files: |row| Some(documents_with(folder_filter(row)?, row)),
    #[cfg(test)]
    example: crate::fixture::rows::folder,
    ..ListSpec::USUAL
};

fn folder_filter(row: &Item) -> Option<String> {
    if let Item::Folder(row) = row { Some(path_term(&row.path)) } else { None }
}

fn draw_folder(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
    let Item::Folder(row) = row else { return };
    let name = shown(row.path.file_name().unwrap_or(row.path.as_os_str())).text();
    canvas.put_end(room, &format!("{name}{}", if row.is_folder { "/" } else { "" }), styles.text);
}
