//! Dispatches a key: to the prompt, else to the overlay, else to the action it is bound to.

use crossterm::event::{KeyCode, KeyEvent};

use super::actions::act;
use super::effect::Effect;
use super::held_keys::hold;
use super::overlay::on_overlay;
use super::pending::run_command;
use super::prompt::on_prompt;
use crate::action::key_press::KeyPress;
use crate::action::{Action, KeyContext};
use crate::model::Model;

/// Processes a key.
pub(super) fn on_key(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    model.reader.selection = None;
    if model.dialogue.prompt.is_some() && on_prompt(model, key, effects) {
        return;
    }
    model.dialogue.message = None;
    if model.dialogue.overlay.is_some() {
        return on_overlay(model, key, effects);
    }
    let action = model.settings.keymap.action_of(key, model.key_context());
    if hold(model, key, action) {
        return;
    }
    let context = model.key_context();
    if action.is_none()
        && context.meets(KeyContext::SPANS)
        && let Some(number) = model.settings.commands.number_of(KeyPress::from(key))
    {
        return run_command(model, number, effects);
    }
    match action {
        Some(action) => act(model, action, effects),
        None if matches!(key.code, KeyCode::Char(_) | KeyCode::F(_)) => {
            let help = model.settings.keymap.first(Action::Help);
            model.say(format!("{} means nothing here; {help} shows the keys.", KeyPress::from(key)));
        }
        None => {}
    }
}
