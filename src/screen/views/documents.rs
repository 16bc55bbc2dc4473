//! The views of documents: documents, or the content of one folder, by the share of duplicated text; and clusters, which are
//! folders that are the same, identical documents and similar ones, each unfolded in its place.

use std::path::Path;

use ratatui::layout::Rect;

use crate::action::{Action as A, ViewPage};
use crate::cells;
use crate::text::{Canvas, behind, grouped, path_of, several};
use crate::theme::glyphs;
use crate::views::spec::{
    Bars, COPIES, Column, DOCUMENTS, ExportSpec, FooterSpec, ListSpec, MARKED, RANK, RowLink, RowStyles,
    SHARE, TOKENS, ViewSpec, column, documents_with, number_sorted_by, percent, view_of,
};
use crate::views::texts::draw_state;
use dupi_base::storage::shown;
use dupi_index::query::filter::path_term;
use dupi_report::in_short;
use dupi_session::{
    Item, ItemId, Likeness, ListedCluster, ListedDocument, ListedMember, Sort, Subject, View,
};

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
                TO_CLUSTERS,
                A::Filter,
                A::Help,
                A::Quit,
                A::Back,
                A::Sort,
                A::NextCopy,
                A::FilesOf,
            ],
            marked: MARKED,
            words: &[(A::NextCopy, "next stretch"), (A::FilesOf, "folder"), (TO_CLUSTERS, "clusters")],
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
const TO_CLUSTERS: A = A::Show(ViewPage::List(Subject::Clusters));

/// The room behind its path in which a document names the one it shares most with.
const PARTNER: usize = 24;
/// The indent of a document below its partner, in columns.
const BELOW: u16 = 2;

/// How much is shared with the partner. Behind the path the partner is named with its share: this is for those who
/// sort by it.
const SHARED: Column = column("shared", Some(Sort::Partner), 60, |_, row| match row {
    Item::Document(row) => row.partner.as_ref().map_or(0, |partner| partner.tokens),
    _ => 0,
});

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

/// The view.
pub(super) static CLUSTERS_VIEW: ListSpec = ListSpec {
    view: ViewSpec {
        name: "clusters",
        id: "clusters",
        keys: &["C"],
        words: "clusters of documents that are the same or similar",
        also: "near identical trees folders similar duplicates copies",
        footer: FooterSpec {
            keys: &[
                A::Enter,
                A::Accept,
                A::Export,
                BY_SHARE,
                A::Filter,
                A::Help,
                A::Quit,
                A::Back,
                A::Undo,
                A::Sort,
                A::Beside,
                A::NextCopy,
            ],
            marked: &[A::Export, A::Accept, A::Exclude, A::Back, A::Help, A::CopyText],
            words: &[(A::NextCopy, "next document"), (BY_SHARE, "by share")],
        },
    },
    head: "documents",
    columns: &[Column { words: copies, least: 8, ..COPIES }, WASTED, ALIKE, LEAST],
    bars: Bars { from: [84, 70], always: false, compares_all: true, number: bar_number },
    export: ExportSpec {
        file: "clusters.jsonl",
        endings: &[
            ".jsonl          the clusters, as `near --json` prints them",
            ".drop .keep     the files to drop or to keep, one a line; nothing is deleted",
            ".drop0 .keep0   the same, each path ended by a NUL byte",
        ],
    },
    beside: Some(Subject::Documents),
    unit: "cluster",
    empty: |_| Some("No two documents are the same\nor similar here.".to_owned()),
    has_text: false,
    draw: draw_row,
    filter: |row| row.place().map(|(path, _)| path_term(path)),
    files: |row| {
        let (path, is_folder) = row.place()?;
        let folder = if is_folder { Some(path) } else { path.parent() };
        let view = View { folder: folder?.to_owned(), ..view_of(Subject::Files) };
        Some(RowLink { view, selected: (!is_folder).then(|| ItemId::of_folder(path)) })
    },
    #[cfg(test)]
    example: crate::fixture::rows::cluster,
    ..ListSpec::USUAL
};

/// Shows the documents by their duplicated share, which this view stands beside.
const BY_SHARE: A = A::Show(ViewPage::List(Subject::Documents));

/// The least width of the path behind the words for what a cluster is.
const LEAST_PATH: usize = 18;
/// The indent of the members of a cluster, in columns.
const INDENT: u16 = 4;

fn bar_number(row: &Item, sort: Sort) -> u64 {
    match (sort, row) {
        (Sort::Wasted, Item::Cluster(cluster)) => cluster.wasted,
        (Sort::Similarity, Item::Cluster(cluster)) => (cluster.mean * 1000.0) as u64,
        (_, Item::Member(_)) => 0,
        _ => number_sorted_by(row, sort),
    }
}

/// Whether a row is of folders that are compared as a whole, so that there are no documents to show.
pub(crate) fn is_of_folders(row: Option<&Item>) -> bool {
    match row {
        Some(Item::Cluster(row)) => row.likeness == Likeness::Trees,
        Some(Item::Member(row)) => row.is_folder && row.differences == 0,
        _ => false,
    }
}

fn copies(number: u64, row: &Item) -> String {
    if matches!(row, Item::Member(_)) { String::new() } else { grouped(number) }
}

/// What keeping one copy would save; of a member what dropping it would.
const WASTED: Column = Column {
    words: |bytes, row| match row {
        Item::Member(row) if row.is_representative => String::new(),
        _ => bytes_in_short(bytes),
    },
    ..column("wasted", Some(Sort::Wasted), 10, |_, row| match row {
        Item::Cluster(row) => row.wasted,
        Item::Member(row) => row.bytes,
        _ => 0,
    })
};

/// The similarity of a member to the representative; of a cluster their mean.
const ALIKE: Column = Column {
    words: |number, row| match row {
        Item::Member(row) if row.is_representative => String::new(),
        _ => format!("{number} %"),
    },
    ..percent("alike", Some(Sort::Similarity), 12, |_, row| match row {
        Item::Cluster(row) => whole_percent(row.mean),
        Item::Member(row) => whole_percent(row.similarity),
        _ => 0,
    })
};

/// The smallest similarity inside a cluster; where all members are the same that goes without saying.
const LEAST: Column = Column {
    is_blank: |rows| {
        rows.iter().take(1000).all(|row| if let Item::Cluster(row) = row { row.least >= 1.0 } else { true })
    },
    words: |number, row| match row {
        Item::Cluster(_) => format!("{number} %"),
        _ => String::new(),
    },
    ..percent("least", None, 36, |_, row| match row {
        Item::Cluster(row) => whole_percent(row.least),
        _ => 0,
    })
};

/// A number of bytes in few characters: `41MB`.
pub(crate) fn bytes_in_short(bytes: u64) -> String {
    format!("{}B", in_short(bytes))
}

/// Rounded down: what differs is never 100 %.
fn whole_percent(similarity: f32) -> u64 {
    (similarity * 100.0) as u64
}

fn draw_row(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
    match row {
        Item::Cluster(cluster) => {
            let fold = glyphs::FOLDS[usize::from(cluster.is_open)];
            let room = canvas.put(room, &format!("{fold} "), styles.text);
            let room = draw_state(canvas, room, row, styles);
            draw_cluster(canvas, room, cluster, styles);
        }
        Item::Member(member) => draw_member(canvas, behind(room, INDENT), member, styles),
        _ => {}
    }
}

/// Draws what a cluster is, in as many words as leave room for the path of its representative, and that path.
fn draw_cluster(canvas: &mut Canvas, room: Rect, row: &ListedCluster, styles: RowStyles) {
    let path = name(row);
    let width = usize::from(room.width);
    let fits = |words: &String| words.chars().count() + LEAST_PATH.min(path.chars().count()) <= width;
    let sign = if row.least >= 1.0 { "= " } else { "" };
    let words = words_of(row).into_iter().find(fits).unwrap_or_else(|| sign.to_owned());
    let left = canvas.put(room, &words, styles.text.patch(canvas.theme.quiet));
    canvas.put_end(left, &path, styles.text);
}

/// What a cluster is, in more and in fewer words.
fn words_of(row: &ListedCluster) -> Vec<String> {
    match row.likeness {
        Likeness::Similar => vec![String::new()],
        Likeness::Identical => vec!["identical: ".to_owned(), "same: ".to_owned()],
        Likeness::Trees => {
            let how = if row.least >= 1.0 { "the same" } else { "almost the same" };
            let (files, bytes) = (several(row.files, "file"), bytes_in_short(row.bytes));
            let trees = several(row.copies, "tree");
            vec![
                format!("these {trees} are {how}: {files}, {bytes}: "),
                format!("{trees}, {files}: "),
                "trees: ".to_owned(),
            ]
        }
    }
}

/// The path of the representative of a cluster.
pub(crate) fn name(row: &ListedCluster) -> String {
    path_of(&row.path, if row.likeness == Likeness::Trees { "/" } else { "" }, row.record)
}

/// Draws the path of a member, and where there is room how it relates to the representative.
fn draw_member(canvas: &mut Canvas, room: Rect, row: &ListedMember, styles: RowStyles) {
    let slash = if row.is_folder { "/" } else { "" };
    let path = path_of(&row.path, slash, row.record);
    let said = match row {
        row if row.is_representative => " the others are compared with this".to_owned(),
        row if row.is_folder && row.differences == 0 => " the same".to_owned(),
        row if row.is_folder => format!(" {} differ", grouped(row.differences)),
        _ => String::new(),
    };
    let has_room = path.chars().count().max(LEAST_PATH) + said.chars().count() < usize::from(room.width);
    let left =
        if has_room { canvas.put_right(room, &said, styles.text.patch(canvas.theme.quiet)) } else { room };
    canvas.put_end(left, &path, styles.text);
}
