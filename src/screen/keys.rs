//! The table of actions, with their names, default keys, contexts and help texts.

pub(crate) mod key_press;
pub(crate) mod keymap;
pub(crate) mod lookup;

use std::sync::LazyLock;

use crate::action::{Action, ActionScope, KeyContext, ViewPage};
use crate::views::PAGES;

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

const fn bind(
    action: Action,
    id: &'static str,
    keys: &'static [&'static str],
    contexts: KeyContext,
    scope: ActionScope,
    short: &'static str,
    words: &'static str,
) -> Binding {
    Binding { action, id, keys, contexts, scope, asks: false, needs_text: false, words, short, also: "" }
}

impl Binding {
    const fn asks(self) -> Self {
        Self { asks: true, ..self }
    }

    const fn needs_text(self) -> Self {
        Self { needs_text: true, ..self }
    }

    const fn also(self, also: &'static str) -> Self {
        Self { also, ..self }
    }
}

/// All actions, in the order of the help: those that show the views, then the others.
pub(crate) static BINDINGS: LazyLock<Vec<Binding>> =
    LazyLock::new(|| PAGES.into_iter().map(show).chain(OTHERS.iter().copied()).collect());

/// The action that shows a view.
fn show(page: ViewPage) -> Binding {
    let view = page.spec();
    bind(Action::Show(page), view.id, view.keys, KeyContext::EVERYWHERE, ActionScope::Program, "", view.words)
        .also(view.also)
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

/// Those that show no view.
#[rustfmt::skip]
const OTHERS: &[Binding] = {
    use Action as A;
    use KeyContext as P;
    use ActionScope as S;
    &[
        bind(A::NextView, "next-view", &["Tab"], P::EVERYWHERE, S::Program, "view", "next view"),
        bind(A::PreviousView, "previous-view", &["Shift-Tab"], P::EVERYWHERE, S::Program, "", "previous view"),
        bind(A::Down, "down", &["j", "Down"], P::EVERYWHERE, S::Row, "", "next row, or line of the document"),
        bind(A::Up, "up", &["k", "Up"], P::EVERYWHERE, S::Row, "", "previous row or line"),
        bind(A::PageDown, "page-down", &["PgDn", "Ctrl-d", "Ctrl-f"], P::EVERYWHERE, S::Row, "", "a page down"),
        bind(A::PageUp, "page-up", &["PgUp", "Ctrl-u", "Ctrl-b"], P::EVERYWHERE, S::Row, "", "a page up"),
        bind(A::Top, "top", &["g", "Home"], P::EVERYWHERE, S::Row, "", "first row or line"),
        bind(A::Bottom, "bottom", &["G", "End"], P::EVERYWHERE, S::Row, "", "last line, or last row that is loaded"),
        bind(A::Enter, "enter", &["Enter"], P::EVERYWHERE, S::Row, "look", "open: folder, kind, cluster, document, the editor"),
        bind(A::Print, "print", &["Enter"], P::EVERYWHERE, S::Decision, "print", "with --print: print marked rows or this one; leave")
            .also("pick choose accept"),
        bind(A::Back, "back", &["Esc"], P::EVERYWHERE, S::List, "back", "back, step by step; drops marks and filters"),
        bind(A::Right, "right", &["l", "Right"], P::SPANS, S::Row, "", "into the document; there: scroll right"),
        bind(A::Left, "left", &["h", "Left"], P::SPANS, S::Parent, "", "scroll left, then back to the list"),
        bind(A::NextMatch, "next-match", &["n"], P::FOUND, S::Row, "next", "next match of the search"),
        bind(A::PreviousMatch, "previous-match", &["N"], P::FOUND, S::Row, "", "previous match"),
        bind(A::NextCopy, "next-copy", &["n", "."], P::SPANS, S::Row, "next copy", "next copy of the text"),
        bind(A::PreviousCopy, "previous-copy", &["p", "N", ","], P::SPANS, S::Row, "", "previous copy"),
        bind(A::NextStretch, "next-stretch", &["]"], P::SPANS, S::Row, "stretch", "next duplicated text; side by side: difference"),
        bind(A::PreviousStretch, "previous-stretch", &["["], P::SPANS, S::Row, "", "previous duplicated text, or difference"),
        bind(A::Beside, "beside", &["v"], P::SPANS, S::Row, "beside", "two copies side by side, or the list again")
            .also("diff compare split"),
        bind(A::Pin, "pin", &["c"], P::PASSAGES.or(P::READING), S::Row, "", "compare the others with this copy, or as before")
            .also("base representative reference"),
        bind(A::FilesOf, "files-of", &["f"], P::TEXTS.or(P::PLACES), S::Row, "files", "the documents that contain this"),
        bind(A::BlotsOf, "blots-of", &["b"], P::PASSAGES.or(P::PLACES), S::Row, "", "the blots of this"),
        bind(A::PassagesOf, "passages-of", &["P"], P::LISTS.without(P::PASSAGES), S::Row, "passages", "the passages of this"),
        bind(A::Mark, "mark", &["Space"], P::LISTS, S::Row, "mark", "mark the row for the next action")
            .also("select"),
        bind(A::MarkRange, "mark-range", &["V"], P::LISTS, S::Row, "", "mark a range of rows, from here on"),
        bind(A::Taboo, "taboo", &["t"], P::TEXTS.or(P::CLUSTERS).or(P::READING), S::Decision, "taboo", "hide this text (taboo), or show it again").needs_text()
            .also("licence license boilerplate silence ignore mute"),
        bind(A::TabooBecause, "taboo-because", &["B"], P::TEXTS.or(P::CLUSTERS).or(P::READING), S::Row, "preview taboo", "preview what taboo would hide, give a reason").asks().needs_text()
            .also("licence license boilerplate silence ignore preview"),
        bind(A::Accept, "accept", &["a"], P::TEXTS.or(P::CLUSTERS).or(P::READING), S::Decision, "accept", "accept it as it is, or open it again").needs_text()
            .also("keep reviewed"),
        bind(A::NextState, "next-state", &["r"], P::PASSAGES.or(P::REVIEW).or(P::READING), S::Decision, "state", "its next state: open, to fix, accepted, taboo")
            .also("review triage todo fix"),
        bind(A::Undo, "undo", &["u"], P::EVERYWHERE, S::Program, "undo", "undo the last decision, of this or earlier days"),
        bind(A::Redo, "redo", &["Ctrl-r"], P::EVERYWHERE, S::Program, "", "redo the decision that was undone"),
        bind(A::ShowTaboo, "show-taboo", &["T"], P::LISTS.without(P::TABOO.or(P::CLUSTERS)), S::List, "", "show or hide what is taboo"),
        bind(A::ShowAside, "show-aside", &["A"], P::PASSAGES, S::List, "", "show or hide what is aside, and families")
            .also("kind licence license imports data generated markup members"),
        bind(A::SetAside, "set-aside", &["Z"], P::PASSAGES, S::Decision, "", "always list passages of this kind, or never")
            .also("kind licence license imports data generated markup"),
        bind(A::SetKind, "set-kind", &["K"], P::PASSAGES, S::Row, "", "correct what kind of text this is").asks().needs_text()
            .also("classify licence license code prose"),
        bind(A::Exclude, "exclude", &["L"], P::SPANS, S::Row, "leave out", "leave this file, or its folder, out from now on").asks()
            .also("ignore skip remove delete directory"),
        bind(A::EditEntry, "edit-entry", &["e"], P::TABOO, S::Row, "reason", "edit the reason of this entry").asks(),
        bind(A::RemoveEntry, "remove-entry", &["d", "Del"], P::TABOO, S::Decision, "remove", "remove it from the list"),
        bind(A::MoveEntry, "move-entry", &["m"], P::TABOO, S::Decision, "move", "move it to the list for all corpora, or back")
            .also("everywhere user global"),
        bind(A::Import, "import", &["I"], P::TABOO, S::List, "", "import the entries of a file").asks(),
        bind(A::Export, "export", &["x"], P::LISTS, S::Row, "export", "export the marked rows to a file").asks()
            .also("save json"),
        bind(A::CopyText, "copy-text", &["y"], P::SPANS.without(P::REVIEW), S::Row, "copy", "the text to the clipboard")
            .also("yank"),
        bind(A::CopyPlaces, "copy-places", &["y"], P::REVIEW, S::Row, "places", "path and line of all copies to the clipboard")
            .also("yank"),
        bind(A::CopyPlace, "copy-place", &["Y"], P::SPANS, S::Row, "", "its path and line to the clipboard"),
        bind(A::Filter, "filter", &["/"], P::LISTS, S::List, "filter", "filter the rows; Tab completes, ↑ brings earlier").asks()
            .also("query only"),
        bind(A::SavedFilters, "saved-filters", &["@"], P::LISTS, S::List, "", "saved filters").asks(),
        bind(A::Search, "search", &["/"], P::READING, S::Row, "search", "search in the document").asks()
            .also("find grep"),
        bind(A::GoToLine, "go-to-line", &["Ctrl-g"], P::READING, S::Row, "", "to a line of the document").asks(),
        bind(A::Sort, "sort", &["s"], P::LISTS, S::List, "sort", "sort in another order, or in reverse").asks()
            .also("order direction"),
        bind(A::Criteria, "criteria", &["W"], P::PASSAGES.or(P::PLACES), S::List, "", "what counts as a passage: length, gaps, likeness").asks()
            .also("min-tokens min-overlap across minimum similarity"),
        bind(A::SigmaUp, "sigma-up", &["+", "="], P::BLOTS, S::List, "", "only more frequent blots: raise σ"),
        bind(A::SigmaDown, "sigma-down", &["-"], P::BLOTS, S::List, "", "also less frequent blots: lower σ"),
        bind(A::Unfold, "unfold", &["F"], P::BLOTS.or(P::CLUSTERS), S::List, "", "unfold or fold: joined blots, or this cluster"),
        bind(A::Wrap, "wrap", &["w"], P::SPANS, S::List, "", "wrap long lines, or not"),
        bind(A::Zoom, "zoom", &["z"], P::PANES, S::Row, "", "only the document, or all panes again")
            .also("maximize fullscreen"),
        bind(A::Wider, "wider", &[">"], P::PANES, S::List, "", "widen the list"),
        bind(A::Narrower, "narrower", &["<"], P::PANES, S::List, "", "narrow the list"),
        bind(A::Edit, "editor", &["o"], P::SPANS, S::Row, "editor", "open the document in the editor, at the line")
            .also("vim"),
        bind(A::EditAll, "editor-all", &["O"], P::SPANS, S::Row, "", "open all copies in the editor, one by one"),
        bind(A::Blame, "blame", &["b"], P::REVIEW.or(P::READING), S::Row, "blame", "which commits the lines of this copy come from")
            .also("git author history who annotate"),
        bind(A::Skipped, "skipped", &["S"], P::EVERYWHERE, S::Program, "left out", "which files are left out, and why")
            .also("excluded ignored"),
        bind(A::Mouse, "mouse", &["M"], P::EVERYWHERE, S::Program, "", "release the mouse to the terminal, or capture it"),
        bind(A::Palette, "palette", &[":", "Ctrl-p"], P::EVERYWHERE, S::Program, "actions", "all actions by name; a number goes to a line"),
        bind(A::Help, "help", &["?", "F1"], P::EVERYWHERE, S::Program, "keys", "the keys, signs and words of this view")
            .also("shortcuts bindings"),
        bind(A::Redraw, "redraw", &["Ctrl-l"], P::EVERYWHERE, S::Program, "", "redraw the screen"),
        bind(A::Suspend, "suspend", &["Ctrl-z"], P::EVERYWHERE, S::Program, "", "suspend to the shell; fg returns"),
        bind(A::Quit, "quit", &["q", "Ctrl-c"], P::EVERYWHERE, S::Program, "quit", "quit")
            .also("exit close"),
    ]
};

/// Where the groups of the help begin, and what they are called.
pub(crate) const GROUPS: [(Action, &str); 6] = [
    (Action::Show(PAGES[0]), "views"),
    (Action::Down, "navigation"),
    (Action::NextMatch, "copies and matches"),
    (Action::Mark, "decisions"),
    (Action::Filter, "search and sort"),
    (Action::Wrap, "the screen"),
];

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
