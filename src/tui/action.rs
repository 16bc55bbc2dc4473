//! One table of all actions: the keymap, the footer, the help, the palette and the README are made from it.

pub mod key;
pub mod keymap;
mod preset;

use crate::session::Subject;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    Passages,
    Blots,
    Documents,
    Files,
    TabooList,
    Activity,
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

/// Where the keys go: what is shown, or several such places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u16);

impl Place {
    /// The list of passages.
    pub const PASSAGES: Self = Self(1);
    /// The list of blots.
    pub const BLOTS: Self = Self(1 << 1);
    /// The list of documents.
    pub const DOCUMENTS: Self = Self(1 << 2);
    /// A folder.
    pub const FILES: Self = Self(1 << 3);
    /// The taboo list.
    pub const TABOO: Self = Self(1 << 4);
    /// What goes on.
    pub const ACTIVITY: Self = Self(1 << 5);
    /// The text of a document.
    pub const DOCUMENT: Self = Self(1 << 6);
    /// Two copies side by side.
    pub const BESIDE: Self = Self(1 << 7);
    /// A text in which something is searched for.
    pub const FOUND: Self = Self(1 << 8);

    /// All of them by their names.
    pub const NAMED: [(&str, Self); 9] = [
        ("passages", Self::PASSAGES),
        ("blots", Self::BLOTS),
        ("documents", Self::DOCUMENTS),
        ("files", Self::FILES),
        ("taboo", Self::TABOO),
        ("activity", Self::ACTIVITY),
        ("document", Self::DOCUMENT),
        ("beside", Self::BESIDE),
        ("found", Self::FOUND),
    ];

    const TEXTS: Self = Self::PASSAGES.or(Self::BLOTS);
    const PLACES: Self = Self::DOCUMENTS.or(Self::FILES);
    /// All lists.
    pub const LISTS: Self = Self::TEXTS.or(Self::PLACES).or(Self::TABOO);
    /// Where keys go to a text.
    pub const READING: Self = Self::DOCUMENT.or(Self::BESIDE).or(Self::FOUND);
    const PANES: Self = Self::LISTS.or(Self::DOCUMENT).or(Self::FOUND);
    /// Where there are documents to look at.
    pub const SPANS: Self = Self::LISTS.or(Self::READING);
    const EVERYWHERE: Self = Self::SPANS.or(Self::ACTIVITY);

    /// The list of a subject.
    pub fn of(subject: Subject) -> Self {
        match subject {
            Subject::Passages => Self::PASSAGES,
            Subject::Blots => Self::BLOTS,
            Subject::Documents => Self::DOCUMENTS,
            Subject::Files => Self::FILES,
            Subject::Taboo => Self::TABOO,
        }
    }

    /// These and others.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether they have a place in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// An action with its usual keys and what it is for.
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// Its name in `config.toml`.
    pub id: &'static str,
    /// The usual keys, as [`key::Key`] reads them.
    pub keys: &'static [&'static str],
    /// Where it means something.
    pub places: Place,
    /// For the help: at most 50 characters.
    pub words: &'static str,
    /// For the footer: a word.
    pub short: &'static str,
}

const fn bind(
    action: Action,
    id: &'static str,
    keys: &'static [&'static str],
    places: Place,
    short: &'static str,
    words: &'static str,
) -> Binding {
    Binding { action, id, keys, places, words, short }
}

/// All actions, in the order of the help.
#[rustfmt::skip]
pub static BINDINGS: &[Binding] = {
    use Action as A;
    use Place as P;
    &[
        bind(A::Passages, "passages", &["1"], P::EVERYWHERE, "", "passages: whole stretches with all their copies"),
        bind(A::Blots, "blots", &["2"], P::EVERYWHERE, "", "blots: what most documents have, however short"),
        bind(A::Documents, "documents", &["3"], P::EVERYWHERE, "", "documents: how much of each stands elsewhere"),
        bind(A::Files, "files", &["4"], P::EVERYWHERE, "", "folders and files, the most duplicated first"),
        bind(A::TabooList, "taboo-list", &["5"], P::EVERYWHERE, "", "the taboo list: what is hidden, and why"),
        bind(A::Activity, "activity", &["6"], P::EVERYWHERE, "", "what the program does: indexing, errors, log"),
        bind(A::NextView, "next-view", &["Tab"], P::EVERYWHERE, "view", "the next of these"),
        bind(A::PreviousView, "previous-view", &["Shift-Tab"], P::EVERYWHERE, "", "the one before"),
        bind(A::Down, "down", &["j", "Down"], P::EVERYWHERE, "", "next row, or line of the document"),
        bind(A::Up, "up", &["k", "Up"], P::EVERYWHERE, "", "previous row or line"),
        bind(A::PageDown, "page-down", &["PgDn", "Ctrl-d", "Ctrl-f"], P::EVERYWHERE, "", "a page down"),
        bind(A::PageUp, "page-up", &["PgUp", "Ctrl-u", "Ctrl-b"], P::EVERYWHERE, "", "a page up"),
        bind(A::Top, "top", &["g", "Home"], P::EVERYWHERE, "", "to the first"),
        bind(A::Bottom, "bottom", &["G", "End"], P::EVERYWHERE, "", "to the last that is loaded"),
        bind(A::Enter, "enter", &["Enter"], P::EVERYWHERE, "look", "deeper: a folder, the text, then the editor"),
        bind(A::Back, "back", &["Esc"], P::EVERYWHERE, "back", "back, step by step; drops marks and filters"),
        bind(A::Right, "right", &["l", "Right"], P::SPANS, "", "into the document; there: scroll right"),
        bind(A::Left, "left", &["h", "Left"], P::SPANS, "", "scroll left, then back to the list"),
        bind(A::NextMatch, "next-match", &["n"], P::FOUND, "next", "next place of what is searched for"),
        bind(A::PreviousMatch, "previous-match", &["N"], P::FOUND, "", "previous place of it"),
        bind(A::NextCopy, "next-copy", &["n", "."], P::SPANS, "next copy", "next copy of the text"),
        bind(A::PreviousCopy, "previous-copy", &["p", "N", ","], P::SPANS, "", "previous copy"),
        bind(A::NextStretch, "next-stretch", &["]"], P::SPANS, "", "to the next duplicated text in the document"),
        bind(A::PreviousStretch, "previous-stretch", &["["], P::SPANS, "", "to the one before"),
        bind(A::Beside, "beside", &["v"], P::SPANS, "beside", "two copies side by side, or the list again"),
        bind(A::FilesOf, "files-of", &["f"], P::TEXTS.or(P::PLACES), "files", "the documents that have this"),
        bind(A::BlotsOf, "blots-of", &["b"], P::PASSAGES.or(P::PLACES), "", "the blots of this"),
        bind(A::PassagesOf, "passages-of", &["P"], P::LISTS.without(P::PASSAGES), "passages", "the passages of this"),
        bind(A::Mark, "mark", &["Space"], P::LISTS, "mark", "mark the row, for what is done next"),
        bind(A::MarkRange, "mark-range", &["V"], P::LISTS, "", "mark all rows from here to where you go"),
        bind(A::Taboo, "taboo", &["t"], P::TEXTS.or(P::READING), "taboo", "hide this text (taboo), or show it again"),
        bind(A::TabooBecause, "taboo-because", &["B"], P::TEXTS.or(P::READING), "look, then taboo", "look what taboo would hide, say why, then hide it"),
        bind(A::Accept, "accept", &["a"], P::TEXTS.or(P::READING), "accept", "accept it as it is, or open it again"),
        bind(A::Undo, "undo", &["u"], P::EVERYWHERE, "undo", "undo the last decision, also of other days"),
        bind(A::Redo, "redo", &["Ctrl-r"], P::EVERYWHERE, "", "do again what was undone"),
        bind(A::ShowTaboo, "show-taboo", &["T"], P::LISTS.without(P::TABOO), "", "show or hide what is taboo"),
        bind(A::EditEntry, "edit-entry", &["e"], P::TABOO, "reason", "write why this is taboo"),
        bind(A::RemoveEntry, "remove-entry", &["d", "Del"], P::TABOO, "remove", "take it from the list"),
        bind(A::Import, "import", &["I"], P::TABOO, "", "add the entries of a file"),
        bind(A::Export, "export", &["x"], P::LISTS, "export", "write the marked rows to a file"),
        bind(A::CopyText, "copy-text", &["y"], P::SPANS, "", "the text to the clipboard"),
        bind(A::CopyPlace, "copy-place", &["Y"], P::SPANS, "", "its path and line to the clipboard"),
        bind(A::Filter, "filter", &["/"], P::LISTS, "filter", "only some rows; Tab says what can be asked"),
        bind(A::SavedFilters, "saved-filters", &["@"], P::LISTS, "", "filters that were saved"),
        bind(A::Search, "search", &["/"], P::READING, "search", "search in the document"),
        bind(A::GoToLine, "go-to-line", &["Ctrl-g"], P::READING, "", "to a line of the document"),
        bind(A::Sort, "sort", &["s"], P::LISTS, "sort", "sort in another way"),
        bind(A::SigmaUp, "sigma-up", &["+", "="], P::BLOTS, "", "only more frequent blots: raise σ"),
        bind(A::SigmaDown, "sigma-down", &["-"], P::BLOTS, "", "also less frequent blots: lower σ"),
        bind(A::Unfold, "unfold", &["F"], P::BLOTS, "", "one blot a row, or adjacent ones together"),
        bind(A::Wrap, "wrap", &["w"], P::SPANS, "", "wrap long lines, or not"),
        bind(A::Zoom, "zoom", &["z"], P::PANES, "", "the document alone, or all again"),
        bind(A::Wider, "wider", &[">"], P::PANES, "", "more room for the list"),
        bind(A::Narrower, "narrower", &["<"], P::PANES, "", "less room for the list"),
        bind(A::Edit, "editor", &["o"], P::SPANS, "editor", "open the document in the editor, at the line"),
        bind(A::Skipped, "skipped", &["S"], P::EVERYWHERE, "left out", "which files are left out, and why"),
        bind(A::Mouse, "mouse", &["M"], P::EVERYWHERE, "", "give the mouse to the terminal, or take it"),
        bind(A::Palette, "palette", &[":", "Ctrl-p"], P::EVERYWHERE, "actions", "all actions by name; a number goes to a line"),
        bind(A::Help, "help", &["?", "F1"], P::EVERYWHERE, "keys", "the keys of this view"),
        bind(A::Redraw, "redraw", &["Ctrl-l"], P::EVERYWHERE, "", "draw the screen anew"),
        bind(A::Suspend, "suspend", &["Ctrl-z"], P::EVERYWHERE, "", "to the shell; fg comes back"),
        bind(A::Quit, "quit", &["q", "Ctrl-c"], P::EVERYWHERE, "quit", "leave"),
    ]
};

/// Where the groups of the help begin, and what they are called.
pub const GROUPS: [(Action, &str); 6] = [
    (Action::Passages, "views"),
    (Action::Down, "going about"),
    (Action::NextMatch, "copies and where they are"),
    (Action::Mark, "deciding"),
    (Action::Filter, "finding and sorting"),
    (Action::Wrap, "the screen"),
];

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
    let keys = Place::NAMED.into_iter().flat_map(|(place, at)| {
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
