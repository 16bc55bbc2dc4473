//! Performs the action that was chosen in the palette.

use super::actions::act;
use super::effect::Effect;
use super::scrolling::go_to_line;
use crate::action::{Action, matching_actions};
use crate::model::Model;

/// Performs the chosen action, or goes to a line if a number is typed.
pub(super) fn choose(model: &mut Model, typed: &str, chosen: usize, effects: &mut Vec<Effect>) {
    if let Ok(number) = typed.trim().parse::<usize>() {
        return go_to_line(model, number);
    }
    let Some(binding) = matching_actions(typed).get(chosen).copied() else { return };
    if binding.contexts.meets(model.key_context()) || binding.action == Action::Palette {
        act(model, binding.action, effects);
    } else {
        model.say(format!("`{}` means nothing in this view.", binding.id));
    }
}
