//! One table of all actions: the keymap, the footer, the help and the README are made from it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Action {
    Up,
    Down,
    PageUp,
    PageDown,
    Top,
    Bottom,
    Left,
    Right,
    Passages,
    Blots,
    NextView,
    Sort,
    Beside,
    Enter,
    Back,
    NextCopy,
    PreviousCopy,
    Taboo,
    Undo,
    ShowTaboo,
    Filter,
    SigmaUp,
    SigmaDown,
    Unfold,
    Wrap,
    Edit,
    Skipped,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// An action with its keys and what it is for.
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// The keys, as [`parse`] reads them.
    keys: &'static [&'static str],
    /// For the help.
    pub words: &'static str,
    /// For the footer; empty for actions that are not shown there.
    pub short: &'static str,
}

const fn bind(
    action: Action,
    keys: &'static [&'static str],
    words: &'static str,
    short: &'static str,
) -> Binding {
    Binding { action, keys, words, short }
}

/// All actions, in the order of the help.
pub const BINDINGS: &[Binding] = &[
    bind(Action::Passages, &["1"], "passages: whole stretches with all their copies", ""),
    bind(Action::Blots, &["2"], "blots: what most documents have, however short", ""),
    bind(Action::NextView, &["Tab"], "the other of these", ""),
    bind(Action::Sort, &["S"], "sort passages: copies, tokens, score, documents", "sort"),
    bind(Action::Down, &["j", "Down"], "next row, or line of the document", ""),
    bind(Action::Up, &["k", "Up"], "previous row or line", ""),
    bind(Action::PageDown, &["PgDn", "Ctrl-d", "Ctrl-f", "Space"], "a page down", ""),
    bind(Action::PageUp, &["PgUp", "Ctrl-u", "Ctrl-b"], "a page up", ""),
    bind(Action::Top, &["g", "Home"], "to the first", ""),
    bind(Action::Bottom, &["G", "End"], "to the last that is loaded", ""),
    bind(Action::Enter, &["Enter"], "look into the document; there: open the editor", "look"),
    bind(Action::Back, &["Esc"], "back to the list; there: drop the filter", ""),
    bind(Action::Right, &["l", "Right"], "into the document; there: scroll right", ""),
    bind(Action::Left, &["h", "Left"], "scroll left, then back to the list", ""),
    bind(Action::NextCopy, &["n"], "next copy of the text", "next copy"),
    bind(Action::PreviousCopy, &["p", "N"], "previous copy", ""),
    bind(Action::Beside, &["v"], "two copies side by side, or the list again", "beside"),
    bind(Action::Taboo, &["t"], "hide this text (taboo), or show it again", "taboo"),
    bind(Action::Undo, &["u"], "undo the last such decision", "undo"),
    bind(Action::ShowTaboo, &["T"], "show or hide what is taboo", ""),
    bind(Action::Filter, &["/"], "only rows with this in their text or in a path", "filter"),
    bind(Action::SigmaUp, &["+", "="], "of blots, only more frequent ones: raise σ", ""),
    bind(Action::SigmaDown, &["-"], "of blots, also less frequent ones: lower σ", ""),
    bind(Action::Unfold, &["f"], "of blots, one a row, or adjacent ones together", ""),
    bind(Action::Wrap, &["w"], "wrap long lines, or not", ""),
    bind(Action::Edit, &["o"], "open the document in the editor, at the line", "editor"),
    bind(Action::Skipped, &["s"], "which files are left out, and why", ""),
    bind(Action::Help, &["?", "F1"], "all keys", "keys"),
    bind(Action::Redraw, &["Ctrl-l"], "draw the screen anew", ""),
    bind(Action::Suspend, &["Ctrl-z"], "to the shell; fg comes back", ""),
    bind(Action::Quit, &["q", "Ctrl-c"], "leave", "quit"),
];

impl Binding {
    /// The keys in words: `j ↓`.
    pub fn keys(&self) -> String {
        let shown = |key: &&'static str| match *key {
            "Down" => "↓",
            "Up" => "↑",
            "Right" => "→",
            "Left" => "←",
            key => key,
        };
        self.keys.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    /// The first of its keys.
    pub fn first_key(&self) -> &'static str {
        self.keys.first().copied().unwrap_or_default()
    }
}

/// The action of a key, if it has one.
pub fn action_of(key: KeyEvent) -> Option<Action> {
    // Shift is part of a character's identity already.
    let modifiers = key.modifiers - KeyModifiers::SHIFT;
    let bound =
        |binding: &&Binding| binding.keys.iter().any(|name| parse(name) == Some((key.code, modifiers)));
    BINDINGS.iter().find(bound).map(|binding| binding.action)
}

fn parse(name: &str) -> Option<(KeyCode, KeyModifiers)> {
    let (name, modifiers) = match name.strip_prefix("Ctrl-") {
        Some(rest) => (rest, KeyModifiers::CONTROL),
        None => (name, KeyModifiers::NONE),
    };
    let code = match name {
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Enter" => KeyCode::Enter,
        "Tab" => KeyCode::Tab,
        "Esc" => KeyCode::Esc,
        "Space" => KeyCode::Char(' '),
        "F1" => KeyCode::F(1),
        name => {
            let mut characters = name.chars();
            let character = characters.next()?;
            return characters.next().is_none().then_some((KeyCode::Char(character), modifiers));
        }
    };
    Some((code, modifiers))
}

/// The keys as a Markdown table, as the README has it.
pub fn key_table() -> String {
    let row = |binding: &Binding| {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
        format!("| {} | {} |\n", keys.join(" "), binding.words)
    };
    format!("| keys | what they do |\n| --- | --- |\n{}", BINDINGS.iter().map(row).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_pressed_and_does_one_thing() {
        let mut seen = Vec::new();
        for binding in BINDINGS {
            for name in binding.keys {
                let (code, modifiers) = parse(name).expect(name);
                assert!(!seen.contains(&(code, modifiers)), "{name} is bound twice");
                seen.push((code, modifiers));
                assert_eq!(action_of(KeyEvent::new(code, modifiers)), Some(binding.action));
            }
        }
        // So many columns does a screen of 80 leave.
        let too_long = BINDINGS.iter().map(|binding| binding.words).find(|words| words.chars().count() > 50);
        assert_eq!(too_long, None);
        assert_eq!(action_of(KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT)), Some(Action::Bottom));
        assert_eq!(action_of(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE)), None);
    }
}
