//! The clusters view: folders that are the same, identical documents, and clusters of similar ones, each unfolded in its
//! place.

use ratatui::layout::Rect;

use crate::action::{Action as A, ViewPage};
use crate::text::{Canvas, behind, grouped, path_of, several};
use crate::theme::glyphs;
use crate::views::spec::{
    Bars, COPIES, Column, ExportSpec, FooterSpec, ListSpec, RowLink, RowStyles, ViewSpec, column,
    number_sorted_by, percent, view_of,
};
use crate::views::texts::draw_state;
use dupi_index::query::filter::path_term;
use dupi_report::in_short;
use dupi_session::{Item, ItemId, Likeness, ListedCluster, ListedMember, Sort, Subject, View};

/// The view.
pub(super) static VIEW: ListSpec = ListSpec {
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
    draw,
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

/// So much of a path is seen behind the words for what a cluster is.
const LEAST_PATH: usize = 18;
/// So far to the right the members of a cluster stand.
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

fn draw(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
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
