//! Keys while an overlay is shown.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::criteria::on_criteria;
use super::decisions::decide;
use super::effect::Effect;
use super::menu::on_menu;
use super::overlay_keys::{letter, moved};
use super::palette::choose;
use super::prompt::leaves;
use crate::action::{Action, matching_actions};
use crate::input_line::InputLine;
use crate::model::{HelpPage, Model, Overlay};
use crate::view::{blame, help, taboo_dialog};
use dupi_session::Request;

/// Processes a key.
pub(super) fn on_overlay(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    let Some(overlay) = model.dialogue.overlay.take() else { return };
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    let action = model.settings.keymap.action_of(key, model.key_context());
    match (action, is_control) {
        (Some(Action::Quit), true) => return effects.push(Effect::Quit),
        (Some(Action::Suspend), _) => effects.push(Effect::Suspend),
        (Some(Action::Redraw), _) => effects.push(Effect::Redraw),
        _ => {
            model.dialogue.overlay = after(model, overlay, key, action, effects);
            return;
        }
    }
    model.dialogue.overlay = Some(overlay);
}

/// Shows the next waiting overlay, unless a prompt or overlay is open.
pub(super) fn show_next_overlay(model: &mut Model) {
    if model.dialogue.prompt.is_none()
        && model.dialogue.overlay.is_none()
        && !model.dialogue.waiting.is_empty()
    {
        model.dialogue.overlay = Some(model.dialogue.waiting.remove(0));
    }
}

/// The overlay after a key.
fn after(
    model: &mut Model,
    overlay: Overlay,
    key: KeyEvent,
    action: Option<Action>,
    effects: &mut Vec<Effect>,
) -> Option<Overlay> {
    let moved = moved(key, action, usize::from(model.size.1));
    match overlay {
        Overlay::Help(mut help) => {
            if let Some(search) = &mut help.search {
                match key.code {
                    _ if leaves(key, action) => help.search = None,
                    KeyCode::Backspace if search.text().is_empty() => help.search = None,
                    _ if search.take(key) => help.first = 0,
                    _ => help.first = scrolled_help(model, &help, None, moved)?,
                }
            } else if letter(key) == Some('/') {
                help.search = Some(InputLine::default());
            } else {
                help.first = scrolled_help(model, &help, action, moved)?;
            }
            Some(Overlay::Help(help))
        }
        Overlay::Skipped(files, first) => {
            let room = usize::from(model.size.1.saturating_sub(2));
            let lines = files.as_ref().map_or(1, |files| files.len()).saturating_sub(room) + 1;
            let first = scrolled(first, action, moved, lines)?;
            Some(Overlay::Skipped(files, first))
        }
        Overlay::Blame(at, answer, first) => {
            let room = usize::from(model.size.1.saturating_sub(2));
            let lines = blame::lines(answer.as_deref(), usize::from(model.size.0)).len();
            let Some(first) = scrolled(first, action, moved, lines.saturating_sub(room) + 1) else {
                effects.push(Effect::Ask(Request::Blame(None)));
                return None;
            };
            Some(Overlay::Blame(at, answer, first))
        }
        Overlay::Mismatch(sentence) => answered(sentence, key, action, effects),
        Overlay::Palette(mut line, mut chosen) => {
            match key.code {
                _ if leaves(key, action) => return None,
                KeyCode::Enter => {
                    choose(model, line.text(), chosen, effects);
                    // Some actions open an overlay themselves.
                    return model.dialogue.overlay.take();
                }
                KeyCode::Backspace if line.text().is_empty() => return None,
                _ if line.take(key) => chosen = 0,
                _ => {
                    let last = matching_actions(line.text()).len().saturating_sub(1);
                    chosen = chosen.saturating_add_signed(moved).min(last);
                }
            }
            Some(Overlay::Palette(line, chosen))
        }
        Overlay::Menu(menu, chosen) => on_menu(model, menu, chosen, key, effects),
        Overlay::Before(mut asked) => {
            match key.code {
                _ if leaves(key, action) => return None,
                KeyCode::Enter => {
                    decide(model, asked, effects);
                    return None;
                }
                KeyCode::Tab | KeyCode::BackTab => asked.turn_scope(),
                _ if asked.reason.take(key) => {}
                _ => {
                    let farthest = taboo_dialog::farthest(&asked, model.size);
                    asked.first = asked.first.saturating_add_signed(moved).min(farthest);
                }
            }
            Some(Overlay::Before(asked))
        }
        Overlay::Criteria(form) => on_criteria(model, form, key, action, moved, effects),
        Overlay::Replace(request, file) => match letter(key) {
            Some('y') => {
                effects.push(Effect::Ask(request));
                None
            }
            Some('n' | 'q') => None,
            _ if leaves(key, action) => None,
            _ => Some(Overlay::Replace(request, file)),
        },
    }
}

/// The first visible line of the help after a key; `None` closes it.
fn scrolled_help(model: &Model, help: &HelpPage, action: Option<Action>, moved: isize) -> Option<usize> {
    let room = usize::from(model.size.1.saturating_sub(2));
    let lines = help::count(model, help, model.size.0).saturating_sub(room) + 1;
    scrolled(help.first, action, moved, lines)
}

/// The first visible line after a key; `None` closes the overlay.
fn scrolled(first: usize, action: Option<Action>, moved: isize, lines: usize) -> Option<usize> {
    let leaves = matches!(
        action,
        Some(
            Action::Quit
                | Action::Back
                | Action::Help
                | Action::Skipped
                | Action::Blame
                | Action::Enter
                | Action::Left
        )
    );
    (moved != 0 || !leaves).then(|| first.saturating_add_signed(moved).min(lines.saturating_sub(1)))
}

/// Processes the answer to a question about the index.
fn answered(
    sentence: String,
    key: KeyEvent,
    action: Option<Action>,
    effects: &mut Vec<Effect>,
) -> Option<Overlay> {
    let request = match (letter(key), action) {
        (Some('r'), _) => Request::Rebuild,
        (Some('k'), _) | (_, Some(Action::Back)) => Request::KeepRecipe,
        (_, Some(Action::Quit)) => {
            effects.push(Effect::Quit);
            return None;
        }
        _ => return Some(Overlay::Mismatch(sentence)),
    };
    effects.push(Effect::Ask(request));
    None
}
