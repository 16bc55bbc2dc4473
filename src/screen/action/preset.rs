//! Key presets: which keys they change in the action table.

use super::Action;
use dupi_base::config::KeyPreset;

/// The actions that a preset gives other keys.
pub(super) fn changes(preset: KeyPreset) -> &'static [(Action, &'static [&'static str])] {
    use Action as A;
    match preset {
        KeyPreset::Default => &[],
        KeyPreset::Vim => &[
            (A::Down, &["j", "Down", "Ctrl-n", "Ctrl-e"]),
            (A::Up, &["k", "Up", "Ctrl-p", "Ctrl-y"]),
            (A::Palette, &[":"]),
            (A::Back, &["Esc", "Ctrl-o"]),
            (A::Top, &["g", "Home"]),
            (A::Bottom, &["G", "End"]),
            (A::Taboo, &["t", "d"]),
            (A::RemoveEntry, &["x", "Del"]),
            (A::Export, &["X"]),
        ],
        KeyPreset::Emacs => &[
            (A::Down, &["Ctrl-n", "Down", "j"]),
            (A::Up, &["Ctrl-p", "Up", "k"]),
            (A::Right, &["Ctrl-f", "Right", "l"]),
            (A::Left, &["Ctrl-b", "Left", "h"]),
            (A::PageDown, &["Ctrl-v", "PgDn"]),
            (A::PageUp, &["Alt-v", "PgUp"]),
            (A::Top, &["Alt-<", "Home"]),
            (A::Bottom, &["Alt->", "End"]),
            (A::Back, &["Ctrl-g", "Esc"]),
            (A::Filter, &["Ctrl-s", "/"]),
            (A::Search, &["Ctrl-s", "/"]),
            (A::GoToLine, &["Alt-g"]),
            (A::Mark, &["Ctrl-Space", "Space"]),
            (A::CopyText, &["Alt-w", "y"]),
            (A::Undo, &["Ctrl-/", "u"]),
            (A::Redo, &["Alt-_", "Ctrl-r"]),
            (A::Palette, &["Alt-x", ":"]),
        ],
    }
}
