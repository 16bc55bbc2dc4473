//! What keys mean in overlays and menus: letters, and moves by lines.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::action::Action;

/// The letter of a key without Ctrl and Alt.
pub(super) fn letter(key: KeyEvent) -> Option<char> {
    let is_held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    key.code.as_char().filter(|_| !is_held)
}

/// The number of lines that a key moves. Cursor keys always work, whatever they are bound to.
pub(super) fn moved(key: KeyEvent, action: Option<Action>, height: usize) -> isize {
    let page = (height as isize / 2).max(1);
    match (key.code, action) {
        (KeyCode::Down | KeyCode::Tab, _) => 1,
        (KeyCode::Up | KeyCode::BackTab, _) => -1,
        (KeyCode::PageDown, _) => page,
        (KeyCode::PageUp, _) => -page,
        (KeyCode::Home, _) => isize::MIN / 2,
        (KeyCode::End, _) => isize::MAX / 2,
        (_, Some(Action::Down)) => 1,
        (_, Some(Action::Up)) => -1,
        (_, Some(Action::PageDown)) => page,
        (_, Some(Action::PageUp)) => -page,
        (_, Some(Action::Top)) => isize::MIN / 2,
        (_, Some(Action::Bottom)) => isize::MAX / 2,
        _ => 0,
    }
}
