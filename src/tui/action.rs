//! One table of all actions: the keymap, the footer, the help, the palette and the README are made from it.

pub mod key;
pub mod keymap;
mod place;
mod preset;
mod table;

pub use place::Place;
pub use table::{BINDINGS, GROUPS};

use super::views::Page;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    Show(Page),
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
pub enum Scope {
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

impl Scope {
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
    /// The usual keys, as [`key::Key`] reads them.
    pub keys: &'static [&'static str],
    /// Where it means something.
    pub places: Place,
    /// What it is about.
    pub scope: Scope,
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

impl Action {
    /// Its row of the table.
    pub fn binding(self) -> &'static Binding {
        // The table has a row for each, as a test sees to.
        BINDINGS.iter().find(|binding| binding.action == self).unwrap_or(&BINDINGS[0])
    }

    /// The action with a name of `config.toml`.
    pub fn from_id(id: &str) -> Option<Self> {
        BINDINGS.iter().find(|binding| binding.id == id).map(|binding| binding.action)
    }
}

/// The keys as a Markdown table, as the README has it.
pub fn key_table() -> String {
    let row = |binding: &Binding| {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
        format!("| {} | {} |\n", keys.join(" "), binding.words)
    };
    format!("| keys | what they do |\n| --- | --- |\n{}", BINDINGS.iter().map(row).collect::<String>())
}

/// A key in a place, as `?` shows it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOfPlace {
    /// The name of the place: a view, `document`, two copies `beside` each other, or a text where something is `found`.
    pub place: &'static str,
    /// The key.
    pub key: &'static str,
    /// The name of what it does.
    pub action: &'static str,
}

/// The usual keys of all places.
pub fn keys_of_places() -> Vec<KeyOfPlace> {
    let usual = keymap::Keymap::default();
    let keys = Place::named().flat_map(|(place, at)| {
        let here = BINDINGS.iter().filter(move |binding| binding.places.meets(at));
        here.flat_map(move |binding| binding.keys.iter().map(move |key| (place, at, binding, *key)))
    });
    // Some keys mean something else where a search goes on.
    let means = |at, key: &str, action| {
        key.parse::<key::Key>().is_ok_and(|key| usual.action_of(key.pressed(), at) == Some(action))
    };
    keys.filter(|(_, at, binding, key)| means(*at, key, binding.action))
        .map(|(place, _, binding, key)| KeyOfPlace { place, key, action: binding.id })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_one_name_and_words_that_fit_a_screen_of_80() {
        for (number, binding) in BINDINGS.iter().enumerate() {
            let earlier = &BINDINGS[..number];
            assert!(earlier.iter().all(|other| other.id != binding.id && other.action != binding.action));
            assert_eq!(Action::from_id(binding.id), Some(binding.action));
            assert!(std::ptr::eq(binding.action.binding(), binding));
            assert!(binding.words.chars().count() <= 50, "{}", binding.words);
        }
    }
}
