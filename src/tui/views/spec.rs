//! The types that describe a view.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::column::Column;
use super::row_link::RowLink;
use crate::session::{Activity, Item, Progress, Request, Subject};
use crate::tui::action::Action as A;
use crate::tui::theme::Theme;

/// What every view has.
pub struct ViewSpec {
    /// Its name, in the header and in the settings.
    pub name: &'static str,
    /// The name in `config.toml` of the action that shows it.
    pub id: &'static str,
    /// The usual keys of that action.
    pub keys: &'static [&'static str],
    /// What it is, for the help: at most 50 characters.
    pub words: &'static str,
    /// What people call it otherwise, for the palette.
    pub also: &'static str,
    /// The keys on the last line.
    pub footer: FooterSpec,
}

/// The keys on the last line of a view.
pub struct FooterSpec {
    /// Those that matter, the most important first.
    pub keys: &'static [A],
    /// The same, while rows are marked.
    pub marked: &'static [A],
    /// Words for actions that mean something special in this view.
    pub words: &'static [(A, &'static str)],
}

impl FooterSpec {
    /// The keys of a list of texts.
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

/// The usual keys while rows are marked.
pub const MARKED: &[A] = &[A::Taboo, A::Accept, A::Export, A::Back, A::Help, A::CopyText];

/// A view of rows.
pub struct ListSpec {
    /// What every view has.
    pub view: ViewSpec,
    /// What stands above the text of the rows.
    pub head: &'static str,
    /// Its rows lie in a folder, which is named above them and can be left.
    pub has_folders: bool,
    /// The columns that its rows can have.
    pub columns: &'static [Column],
    /// The bars of its rows.
    pub bars: Bars,
    /// Its rows come from the documents: while these are read, or when there are none, an empty list says so.
    pub reads_documents: bool,
    /// What is listed in its place until passages are found, if anything is.
    pub stand_in: Option<Subject>,
    /// It can leave out rare rows (σ) and unfold them: the last line says so, and shows how document frequencies are
    /// spread.
    pub has_sigma: bool,
    /// One of its rows, as the last line counts those that are hidden.
    pub unit: &'static str,
    /// What is said when the user wants to sort rows that have one order only.
    pub one_order: Option<fn(KeyNames) -> String>,
    /// What an empty list says in this view, once all was looked through and nothing is filtered.
    pub empty: fn(&EmptyList) -> Option<Vec<String>>,
    /// Its rows are texts, not places where texts are.
    pub has_text: bool,
    /// Draws the text of a row, in what is left of its line.
    pub draw: fn(&mut Buffer, Rect, &Item, RowStyles, &Theme),
    /// A filter for what belongs to a row.
    pub filter: fn(&Item) -> Option<String>,
    /// The documents that have a row, or the folder of a document.
    pub files: fn(&Item) -> Option<RowLink>,
    /// A made-up row, with a number of its own and some text.
    #[cfg(test)]
    pub example: fn(u64, &str) -> Item,
}

/// The bars between the columns and the texts of rows.
#[derive(Clone, Copy)]
pub struct Bars {
    /// The least widths of a list for long bars and for short ones; on a narrower one there are none.
    pub from: [u16; 2],
    /// Rows have them even if they are sorted by no number.
    pub always: bool,
    /// The longest is that of the greatest number in the list; otherwise the first row has it.
    pub compares_all: bool,
}

impl Bars {
    /// Bars of numbers that rows are sorted by.
    pub const SORTED: Self = Self { from: [64, 50], always: false, compares_all: false };
}

/// How the text of a row is drawn.
#[derive(Clone, Copy)]
pub struct RowStyles {
    /// The text itself.
    pub text: Style,
    /// The mark of a row that was accepted.
    pub accepted: Style,
}

/// The name of the first key of an action, for sentences; empty when it has none.
pub type KeyNames<'k> = &'k dyn Fn(A) -> String;

/// What an empty list knows of itself.
pub struct EmptyList<'k> {
    /// Whether taboo rows are hidden.
    pub hides_rows: bool,
    /// Whether rare rows are left out (σ).
    pub has_sigma: bool,
    /// The keys.
    pub key: KeyNames<'k>,
}

/// What a view of lines is made from.
pub struct LinesContext<'m> {
    /// What went on, once it is known.
    pub activity: Option<&'m Activity>,
    /// The indexer's state, once it is known.
    pub progress: Option<&'m Progress>,
    /// Columns of the screen.
    pub width: u16,
    /// The line that it is scrolled to.
    pub first: usize,
}

/// A view of lines, which can only be scrolled.
pub struct LinesSpec {
    /// What every view has.
    pub view: ViewSpec,
    /// What is asked of the session for it.
    pub request: fn() -> Request,
    /// How many lines there are.
    pub count: fn(&LinesContext) -> usize,
    /// Draws them, from the line on that it is scrolled to.
    pub draw: fn(&mut Buffer, Rect, &LinesContext, &Theme),
    /// What Enter does.
    pub enter: A,
}
