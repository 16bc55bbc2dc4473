//! Actions: what a key can do. One table of them feeds the keymap, the footer, the help and the palette.

mod key_context;
pub(super) mod key_press;
pub(super) mod keymap;
mod preset;
mod reference;
mod search;
mod table;

pub(super) use key_context::KeyContext;
pub use reference::{ContextKey, key_table, keys_by_context};
pub(super) use search::{matching_actions, no_match_hint};
pub(super) use table::{BINDINGS, GROUPS};

use super::views::ViewPage;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    Print,
    Back,
    NextCopy,
    PreviousCopy,
    NextMatch,
    PreviousMatch,
    NextStretch,
    PreviousStretch,
    Beside,
    Pin,
    FilesOf,
    BlotsOf,
    PassagesOf,
    Mark,
    MarkRange,
    Taboo,
    TabooBecause,
    Accept,
    NextState,
    ShowTaboo,
    ShowAside,
    SetAside,
    SetKind,
    Exclude,
    Undo,
    Redo,
    EditEntry,
    RemoveEntry,
    MoveEntry,
    Import,
    Export,
    CopyText,
    CopyPlaces,
    CopyPlace,
    Filter,
    SavedFilters,
    Search,
    GoToLine,
    Sort,
    Criteria,
    SigmaUp,
    SigmaDown,
    Unfold,
    Wrap,
    Zoom,
    Wider,
    Narrower,
    Edit,
    EditAll,
    Blame,
    Skipped,
    Mouse,
    Palette,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// What an action refers to. It decides what happens to its key while the rows have not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionScope {
    /// The selected row, or rows relative to it: the key is held until the rows arrive.
    Row,
    /// The selected row, which is changed or removed at once: the key is refused, because the user has not seen the
    /// row.
    Decision,
    /// The parent of the selected row's list: the key is held only if others are held before it.
    Parent,
    /// Which rows are shown, or how: the key is held only if others are held before it.
    List,
    /// No row: the action is performed at once.
    Program,
}

impl ActionScope {
    /// Whether the action confirms the selected row as the user's choice.
    pub fn is_row(self) -> bool {
        matches!(self, Self::Row | Self::Decision | Self::Parent)
    }

    /// Whether the action requires the rows.
    pub fn needs_rows(self) -> bool {
        matches!(self, Self::Row | Self::Decision)
    }
}

/// An action with its default keys and descriptions.
#[derive(Clone, Copy)]
pub struct Binding {
    /// The action.
    pub action: Action,
    /// Its name in `config.toml`.
    pub id: &'static str,
    /// The default keys, in the syntax of [`KeyPress`](key_press::KeyPress).
    pub keys: &'static [&'static str],
    /// The contexts in which it is available.
    pub contexts: KeyContext,
    /// What it refers to.
    pub scope: ActionScope,
    /// It opens a prompt: the keys after it can be text, or an answer.
    pub asks: bool,
    /// It requires a chosen row that has text.
    pub needs_text: bool,
    /// Description for the help, at most 50 characters.
    pub words: &'static str,
    /// One word for the footer.
    pub short: &'static str,
    /// Synonyms, for the palette.
    pub also: &'static str,
}
