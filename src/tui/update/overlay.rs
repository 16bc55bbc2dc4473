//! Keys while something lies over the screen, or a filter is typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Effect;
use super::rows::{apply_filter, set_filter};
use crate::session::Request;
use crate::tui::action::{Action, action_of};
use crate::tui::model::{Model, Overlay};

/// Typing the filter; `false` for keys that mean what they always do.
pub(super) fn on_typing(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) -> bool {
    let Some(typing) = &mut model.typing else { return false };
    match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return false,
        KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => typing.clear(),
        KeyCode::Char(character) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
            typing.push(character);
        }
        KeyCode::Backspace if typing.pop().is_none() => model.typing = None,
        KeyCode::Backspace => {}
        KeyCode::Enter => {
            model.typing = None;
            return true;
        }
        KeyCode::Esc => {
            model.typing = None;
            set_filter(model, String::new(), effects);
            return true;
        }
        KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => return false,
        _ => return true,
    }
    apply_filter(model, effects);
    true
}

/// The answer to a question about the index.
pub(super) fn on_mismatch(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    match (key.code, action_of(key)) {
        (KeyCode::Char('r'), _) => {
            model.overlay = None;
            effects.push(Effect::Ask(Request::Rebuild));
        }
        (KeyCode::Char('k'), _) | (_, Some(Action::Back)) => {
            model.overlay = None;
            effects.push(Effect::Ask(Request::KeepRecipe));
        }
        (_, Some(Action::Quit)) => effects.push(Effect::Quit),
        _ => {}
    }
}

/// Scrolling and leaving a list.
pub(super) fn on_overlay(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let height = usize::from(model.size.1);
    let (Some(Overlay::Help(first)) | Some(Overlay::Skipped(_, first))) = &mut model.overlay else { return };
    match action {
        Action::Down => *first += 1,
        Action::Up => *first = first.saturating_sub(1),
        Action::PageDown => *first += height / 2,
        Action::PageUp => *first = first.saturating_sub(height / 2),
        Action::Top => *first = 0,
        Action::Bottom => *first = usize::MAX / 2,
        Action::Quit | Action::Back | Action::Help | Action::Skipped | Action::Enter => model.overlay = None,
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Redraw => effects.push(Effect::Redraw),
        _ => {}
    }
}
