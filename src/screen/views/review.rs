//! The review view: what a change copies, and which copies it changed on one side only.

use ratatui::layout::Rect;

use crate::action::{Action as A, ViewPage};
use crate::cells;
use crate::text::{Canvas, behind};
use crate::views::spec::{
    Bars, COPIES, Column, ExportSpec, FooterSpec, KeyNames, ListSpec, RowStyles, TOKENS, ViewSpec, column,
    documents_with,
};
use crate::views::texts::draw_state;
use dupi_base::storage::shown;
use dupi_index::query::Occurrence;
use dupi_index::query::filter::path_term;
use dupi_report::in_short;
use dupi_review::review::Verdict;
use dupi_session::{Item, ListedReview, Sort, Subject};

/// The view.
pub(super) static VIEW: ListSpec = ListSpec {
    view: ViewSpec {
        name: "review",
        id: "review",
        keys: &["R"],
        words: "review of a change: new copies, and drifted ones",
        also: "git branch diff merge pull request commit",
        footer: FooterSpec {
            keys: &[
                A::Enter,
                A::NextState,
                A::Beside,
                A::Undo,
                A::Filter,
                A::Help,
                A::Quit,
                A::Back,
                A::Edit,
                A::Blame,
                A::Accept,
                A::Export,
            ],
            marked: &[A::NextState, A::Export, A::CopyPlaces, A::Accept, A::Back, A::Help],
            words: &[],
        },
    },
    head: "copy",
    columns: &[WHAT, STATE, Column { least: 40, ..COPIES }, Column { least: 54, ..TOKENS }, WORTH],
    bars: Bars { from: [96, 84], always: true, compares_all: true, number: |row, _| worth(row) },
    export: ExportSpec {
        file: "review.md",
        endings: &[
            "The marked rows, or all that are shown, as `review` prints them:",
            ".md .html .sarif .jsonl .csv .dot .txt",
        ],
    },
    beside: Some(Subject::Passages),
    unit: "row",
    empty: |list| Some(empty(list.key)),
    draw,
    filter,
    files: |row| Some(documents_with(filter(row)?, row)),
    #[cfg(test)]
    example: crate::fixture::rows::review,
    ..ListSpec::USUAL
};

/// The least width of the path before its original is shown behind it,
const LEAST_PATH: usize = 12;
/// and of the line of the text behind both.
const LEAST_TEXT: u16 = 12;

/// What it is, in one or two words.
const WHAT: Column = Column {
    words: |_, row| if let Item::Review(row) = row { what(row.verdict).to_owned() } else { String::new() },
    is_text: true,
    ..column("what", None, 17, |_, _| 0)
};

/// What was decided about it.
const STATE: Column = Column {
    words: |_, row| row.state().words().to_owned(),
    is_text: true,
    ..column("state", None, 17, |_, _| 0)
};

/// What keeping one copy would save, in bits.
const WORTH: Column = Column {
    words: |number, row| match row {
        Item::Review(row) if row.passage.is_none() => String::new(),
        _ => in_short(number),
    },
    ..column("worth", Some(Sort::Worth), 48, |_, row| worth(row))
};

fn worth(row: &Item) -> u64 {
    if let Item::Review(row) = row { row.worth } else { 0 }
}

/// A verdict in one or two words.
const fn what(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::NewCopy => "new copy",
        Verdict::WithinChange => "within",
        Verdict::OneMore => "one more",
        Verdict::Drifted => "drifted",
    }
}

/// What a row is, in a sentence without its end.
pub(crate) fn sentence(row: &ListedReview) -> String {
    let ListedReview { copies, changed, before, .. } = row;
    match row.verdict {
        Verdict::NewCopy => format!("new copy of existing code: {before} before, {copies} now"),
        Verdict::WithinChange => "copy within the change".to_owned(),
        Verdict::OneMore => format!("one more copy of an accepted group: {before} before, {copies} now"),
        Verdict::Drifted => format!("drifted: {changed} of {copies} copies changed"),
    }
}

fn filter(row: &Item) -> Option<String> {
    match row {
        Item::Review(row) if row.passage.is_some() => Some(format!("passage:{}", row.id)),
        Item::Review(row) => Some(path_term(&row.at.path)),
        _ => None,
    }
}

/// Draws the place of the changed copy, that of its original, and where there is room a line of the text.
fn draw(canvas: &mut Canvas, room: Rect, row: &Item, styles: RowStyles) {
    let room = draw_state(canvas, room, row, styles);
    let Item::Review(review) = row else { return };
    let quiet = styles.text.patch(canvas.theme.quiet);
    let (own, other) = (place(&review.at), review.original.as_ref().map(place).unwrap_or_default());
    let joint = match review.verdict {
        Verdict::Drifted => " ≠ ",
        _ => " = ",
    };
    let width = usize::from(room.width);
    let has_other = !other.is_empty() && width >= 2 * LEAST_PATH + joint.len();
    let most = if has_other { cells::width(&own).min(width / 2) } else { width };
    let end = canvas.put_end(Rect { width: most as u16, ..room }, &own, styles.text).x;
    let mut left = behind(room, end - room.x);
    if has_other {
        left = canvas.put(left, joint, quiet);
        left = canvas.put_end(left, &other, quiet);
    }
    let left = behind(left, 2);
    if left.width >= LEAST_TEXT {
        canvas.put(left, &cells::line(review.headline.trim(), usize::from(left.width)), quiet);
    }
}

fn place(at: &Occurrence) -> String {
    format!("{}:{}", shown(&at.path), at.line)
}

fn empty(key: KeyNames) -> String {
    let passages = key(A::Show(ViewPage::List(Subject::Passages)));
    let none = "The change copies nothing.\n\nNo text that it adds was there before,";
    format!("{none}\nand no copy was changed on one side only.\n\n{passages} lists all copies of the corpus.")
}
