//! Actions: what a key can do. One table of them feeds the keymap, the footer, the help, the palette and the README.

mod key_context;
pub mod key_press;
pub mod keymap;
mod preset;
mod reference;
mod search;
mod table;

pub use key_context::KeyContext;
pub use reference::{ContextKey, key_table, keys_by_context};
pub use search::{fitting, none_fits};
pub use table::{BINDINGS, GROUPS};

use super::views::ViewPage;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    Show(ViewPage),
    NextView,
    PreviousView,
    Down,
    Up,
    PageDown,
    PageUp,
    Top,
    Bottom,
    Right,
    Left,
    Enter,
    Back,
    NextCopy,
    PreviousCopy,
    NextMatch,
    PreviousMatch,
    NextStretch,
    PreviousStretch,
    Beside,
    FilesOf,
    BlotsOf,
    PassagesOf,
    Mark,
    MarkRange,
    Taboo,
    TabooBecause,
    Accept,
    ShowTaboo,
    Undo,
    Redo,
    EditEntry,
    RemoveEntry,
    Import,
    Export,
    CopyText,
    CopyPlace,
    Filter,
    SavedFilters,
    Search,
    GoToLine,
    Sort,
    SigmaUp,
    SigmaDown,
    Unfold,
    Wrap,
    Zoom,
    Wider,
    Narrower,
    Edit,
    Skipped,
    Mouse,
    Palette,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// What an action is about, and so what becomes of a key that comes before the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionScope {
    /// The selected row, or others from there on: the key waits for the rows.
    Row,
    /// The selected row, which is changed or removed at once: the key is refused, since nobody has seen that row.
    Decision,
    /// The list above that of the selected row: the key waits behind others only.
    Parent,
    /// Which rows are shown, or how: the key waits behind others only.
    List,
    /// None of these rows: it is done at once.
    Program,
}

impl ActionScope {
    /// Whether who does it means the selected row.
    pub fn is_row(self) -> bool {
        matches!(self, Self::Row | Self::Decision | Self::Parent)
    }

    /// Whether it cannot be done without the rows.
    pub fn needs_rows(self) -> bool {
        matches!(self, Self::Row | Self::Decision)
    }
}

/// An action with its usual keys and what it is for.
#[derive(Clone, Copy)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// Its name in `config.toml`.
    pub id: &'static str,
    /// The usual keys, as [`key::KeyPress`] reads them.
    pub keys: &'static [&'static str],
    /// Where it means something.
    pub contexts: KeyContext,
    /// What it is about.
    pub scope: ActionScope,
    /// It asks for something: the keys behind it may be letters, or an answer.
    pub asks: bool,
    /// It does nothing unless a text to decide about is chosen.
    pub needs_text: bool,
    /// For the help: at most 50 characters.
    pub words: &'static str,
    /// For the footer: a word.
    pub short: &'static str,
    /// What people call it otherwise, for the palette.
    pub also: &'static str,
}
