//! The types that describe a view: its name and keys, its columns, its footer, and the links from its rows.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action as A;
use crate::text::{Canvas, grouped};
use dupi_session::{Activity, Item, ItemId, Progress, Request, Sort, Subject, View};

/// The common part of a view's description.
pub struct ViewSpec {
    /// Its name, in the header and in the settings.
    pub name: &'static str,
    /// The name in `config.toml` of the action that shows it.
    pub id: &'static str,
    /// The default keys of that action.
    pub keys: &'static [&'static str],
    /// Description for the help, at most 50 characters.
    pub words: &'static str,
    /// Synonyms, for the palette.
    pub also: &'static str,
    /// The keys in the footer.
    pub footer: FooterSpec,
}

impl ViewSpec {
    /// A view without a name, with the footer of a list of texts.
    pub const USUAL: Self =
        Self { name: "", id: "", keys: &[], words: "", also: "", footer: FooterSpec::OF_TEXTS };
}

/// The keys in the footer of a view.
pub struct FooterSpec {
    /// The relevant actions, the most important first.
    pub keys: &'static [A],
    /// The same while rows are marked.
    pub marked: &'static [A],
    /// Words for actions with a special meaning in this view.
    pub words: &'static [(A, &'static str)],
}

impl FooterSpec {
    /// The footer of a list of texts.
    pub const OF_TEXTS: Self = Self {
        keys: &[
            A::Enter,
            A::Taboo,
            A::Undo,
            A::Filter,
            A::Help,
            A::Quit,
            A::Back,
            A::NextCopy,
            A::Accept,
            A::Beside,
            A::Sort,
            A::TabooBecause,
        ],
        marked: MARKED,
        words: &[],
    };
}

/// The default footer while rows are marked.
pub(crate) const MARKED: &[A] = &[A::Taboo, A::Accept, A::Export, A::Back, A::Help, A::CopyText];

/// A view that lists rows.
pub struct ListSpec {
    /// The common part.
    pub view: ViewSpec,
    /// The heading of the text column.
    pub head: &'static str,
    /// Its rows lie in a folder, which is named above them and can be left.
    pub has_folders: bool,
    /// The available columns.
    pub columns: &'static [Column],
    /// The bars of its rows.
    pub bars: Bars,
    /// What its rows are exported to.
    pub export: ExportSpec,
    /// The view that it stands beside in the header: where names are short of room, the two share that of one.
    pub beside: Option<Subject>,
    /// Its rows come from documents: an empty list says when these are being read, or when there are none.
    pub reads_documents: bool,
    /// The subject that is listed instead until passages are found.
    pub stand_in: Option<Subject>,
    /// It has a σ threshold and joined rows: the footer shows both, and the distribution of document frequencies.
    pub has_sigma: bool,
    /// The noun for one row, where the footer counts hidden rows.
    pub unit: &'static str,
    /// The message when a list with a single sort order is to be sorted.
    pub one_order: Option<fn(KeyNames) -> String>,
    /// The message of an empty list that is complete and not filtered.
    pub empty: fn(&EmptyList) -> Option<String>,
    /// Its rows are texts, as opposed to documents and folders.
    pub has_text: bool,
    /// Draws the text of a row.
    pub draw: fn(&mut Canvas, Rect, &Item, RowStyles),
    /// The filter for what belongs to a row.
    pub filter: fn(&Item) -> Option<String>,
    /// The link from a row to its documents, or from a document to its folder.
    pub files: fn(&Item) -> Option<RowLink>,
    /// A made-up row with this number and text.
    #[cfg(test)]
    pub example: fn(u64, &str) -> Item,
}

impl ListSpec {
    /// What most lists have in common; the others say what they have instead.
    pub const USUAL: Self = Self {
        view: ViewSpec::USUAL,
        head: "text",
        has_folders: false,
        columns: &[],
        bars: Bars::SORTED,
        export: ExportSpec { file: "duplicates.jsonl", endings: &[] },
        beside: None,
        reads_documents: true,
        stand_in: None,
        has_sigma: false,
        unit: "passage",
        one_order: None,
        empty: |_| None,
        has_text: true,
        draw: |_, _, _, _| {},
        filter: |_| None,
        files: |_| None,
        #[cfg(test)]
        example: crate::fixture::rows::row,
    };
}

/// The bars between the columns and the texts of rows.
#[derive(Clone, Copy)]
pub struct Bars {
    /// The least list widths for long and for short bars; a narrower list has none.
    pub from: [u16; 2],
    /// Rows have bars even if the sort order has no number: of a share, or of what a passage is worth.
    pub always: bool,
    /// Bars are relative to the greatest number in the list, as opposed to that of the first row.
    pub compares_all: bool,
    /// The number that the bar of a row without a share stands for.
    pub number: fn(&Item, Sort) -> u64,
}

impl Bars {
    /// Bars of the number that rows are sorted by.
    pub const SORTED: Self =
        Self { from: [64, 50], always: false, compares_all: false, number: number_sorted_by };
}

/// The number that rows are sorted by, or that of their copies.
pub(crate) fn number_sorted_by(row: &Item, sort: Sort) -> u64 {
    match sort {
        Sort::Documents => row.documents(),
        Sort::Tokens => row.tokens(),
        _ => row.copies().unwrap_or_else(|| row.documents()),
    }
}

/// What the rows of a view are exported to.
#[derive(Clone, Copy)]
pub struct ExportSpec {
    /// The name of the file that is proposed.
    pub file: &'static str,
    /// The endings of names with a meaning of their own, explained above the prompt.
    pub endings: &'static [&'static str],
}

/// The styles of a row's text.
#[derive(Clone, Copy)]
pub struct RowStyles {
    /// The text.
    pub text: Style,
    /// The mark of an accepted row.
    pub accepted: Style,
    /// The mark of a row that is to be fixed.
    pub fix: Style,
}

/// The name of an action's first key, for sentences; empty if it has none.
pub(crate) type KeyNames<'k> = &'k dyn Fn(A) -> String;

/// The state of an empty list.
pub struct EmptyList<'k> {
    /// Whether taboo rows are hidden.
    pub hides_rows: bool,
    /// Whether there is a σ threshold.
    pub has_sigma: bool,
    /// The names of keys.
    pub key: KeyNames<'k>,
}

/// The input of a view of lines.
pub struct LinesContext<'m> {
    /// The log and the state of the index, once known.
    pub activity: Option<&'m Activity>,
    /// The indexer's state, once known.
    pub progress: Option<&'m Progress>,
    /// Columns of the screen.
    pub width: u16,
    /// The first visible line.
    pub first: usize,
}

/// A view of lines, which can only be scrolled.
pub struct LinesSpec {
    /// The common part.
    pub view: ViewSpec,
    /// The request for its content.
    pub request: fn() -> Request,
    /// The number of lines.
    pub count: fn(&LinesContext) -> usize,
    /// Draws the visible lines.
    pub draw: fn(&mut Canvas, Rect, &LinesContext),
    /// The action of Enter.
    pub enter: A,
}

/// The number of rows in the first request; more are requested when the selection comes near the last one.
pub(crate) const FIRST_ROWS: usize = 200;

/// A link to other rows.
pub struct RowLink {
    /// The rows.
    pub view: View,
    /// The row to select, if not the first.
    pub selected: Option<ItemId>,
}

/// The first request of a view of a subject.
pub(crate) fn view_of(of: Subject) -> View {
    let sort = Sort::ways(of).first().copied().unwrap_or_default();
    // What is taboo in a change is a state of its rows like the others.
    View { of, sort, show_taboo: of.is_from_review(), wanted: FIRST_ROWS, ..View::default() }
}

/// The documents that pass a filter, which is of a row.
pub(crate) fn documents_with(filter: String, row: &Item) -> RowLink {
    // What only this text makes duplicated is not hidden with it.
    let view = View { filter, show_taboo: row.is_taboo(), ..view_of(Subject::Documents) };
    RowLink { view, selected: None }
}

/// A column.
#[derive(Clone, Copy)]
pub struct Column {
    /// Its name in `config.toml`, and its heading.
    pub name: &'static str,
    /// The sort order that belongs to it.
    pub sort: Option<Sort>,
    /// The least width of the text beside it.
    pub least: usize,
    /// Its number, given the index of the row.
    pub number: fn(usize, &Item) -> u64,
    /// The number in words.
    pub words: fn(u64, &Item) -> String,
    /// It has words, left-aligned, instead of numbers.
    pub is_text: bool,
    /// It is not shown for these rows, because it is the same or empty for all.
    pub is_blank: fn(&[Item]) -> bool,
}

/// A column of numbers.
pub(crate) const fn column(
    name: &'static str,
    sort: Option<Sort>,
    least: usize,
    number: fn(usize, &Item) -> u64,
) -> Column {
    Column {
        name,
        sort,
        least,
        number,
        words: |number, _| grouped(number),
        is_text: false,
        is_blank: |_| false,
    }
}

/// A column of whole percentages.
pub(crate) const fn percent(
    name: &'static str,
    sort: Option<Sort>,
    least: usize,
    number: fn(usize, &Item) -> u64,
) -> Column {
    Column { words: |number, _| format!("{number} %"), ..column(name, sort, least, number) }
}

/// The rank of the row.
pub(crate) const RANK: Column = column("#", None, 26, |rank, _| rank as u64 + 1);
/// The number of documents.
pub(crate) const DOCUMENTS: Column =
    Column { words: counted, ..column("docs", Some(Sort::Documents), 10, |_, row| row.documents()) };
/// The number of tokens.
pub(crate) const TOKENS: Column = column("tokens", Some(Sort::Tokens), 12, |_, row| row.tokens());
/// The number of copies.
pub(crate) const COPIES: Column = Column {
    // A plus says that not all were counted.
    words: |number, row| {
        counted(number, row) + if row.copies().is_none() && row.is_text() { "+" } else { "" }
    },
    ..column("copies", Some(Sort::Copies), 10, |_, row| row.copies().unwrap_or_else(|| row.documents()))
};
/// The duplicated share, rounded down: text with differences is never 100 %.
pub(crate) const SHARE: Column =
    percent("share", Some(Sort::Share), 10, |_, row| (row.share().unwrap_or(0.0) * 100.0) as u64);

/// The number of rows from which column widths are computed; later rows are rarely wider.
pub(crate) const MEASURED: usize = 4096;

/// A number, if it is known: what a taboo entry hides is counted in the background.
pub(crate) fn counted(number: u64, row: &Item) -> String {
    match row {
        Item::Taboo(taboo) if taboo.hides.is_none() => "…".to_owned(),
        _ => grouped(number),
    }
}
