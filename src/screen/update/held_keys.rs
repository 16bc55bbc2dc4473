//! Keys that are pressed before the rows they refer to have arrived. They are held and replayed in order when the rows
//! are there.
//!
//! A replayed key acts on the same row as if it had been pressed later. Decisions are neither held nor replayed,
//! because the user has not seen the row: they are refused, and all held keys are dropped. An action that opens a
//! prompt (for a reason or a file name) is held with all keys after it, because the letters that follow are not
//! commands. Only the user who sees the prompt can answer it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::action::{Action, ActionScope, KeyContext};
use crate::model::{Ask, Focus, Menu, Model, NOT_YET, Overlay, Prompt};
use crate::update::rows::{FARTHEST, answers_request};
use dupi_session::{Phase, SearchState};

/// Whether a key would refer to rows that have not arrived. A row that the user has chosen can be acted on even if its
/// list is about to be replaced.
pub(super) fn awaits_rows(model: &Model) -> bool {
    let listing = &model.list.listing;
    let is_list = model.page.list().is_some() && model.focus == Focus::Rows;
    let is_theirs = answers_request(model, listing);
    let are_there = match listing.rows.is_empty() {
        true => is_theirs && listing.complete && !listing.is_provisional,
        false => is_theirs || model.list.is_chosen,
    };
    // The target row of a link can be farther down.
    let is_near = listing.rows.len() < FARTHEST;
    let may_come = model.list.sought.is_some() && is_near && !listing.complete && !listing.is_provisional;
    let is_sought = !model.held_keys.is_empty() && may_come && model.list.lost_at.is_none();
    is_list && (is_sought || !are_there) && !has_failed(model)
}

/// Whether no rows will arrive for now.
fn has_failed(model: &Model) -> bool {
    let is_stopped =
        model.progress.as_ref().is_some_and(|progress| matches!(progress.phase, Phase::Failed(_)));
    let has_none = matches!(model.search(), SearchState::Failed(_)) && model.list.listing.is_provisional;
    is_stopped || has_none
}

/// Handles a key that arrives before its rows: holds it, refuses it, or drops all held keys. Returns whether it did.
pub(super) fn hold(model: &mut Model, key: KeyEvent, action: Option<Action>) -> bool {
    if !awaits_rows(model) {
        return false;
    }
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    let leads = match action {
        Some(Action::Back) if !model.held_keys.is_empty() => {
            model.held_keys.take();
            model.say("The waiting keys were discarded.");
            return true;
        }
        Some(Action::Quit | Action::Suspend | Action::Redraw) if is_control => return false,
        _ if model.held_keys.is_typed => true,
        Some(action) if decides(action) => {
            model.held_keys.take();
            model.say(NOT_YET);
            return true;
        }
        Some(action) if action.binding().scope == ActionScope::Program => false,
        // Keys that do not refer to rows are held only behind others.
        Some(action) => action.binding().scope.needs_rows() || !model.held_keys.is_empty(),
        None => !model.held_keys.is_empty(),
    };
    if leads {
        // A held key can enter the document, where this key has another meaning.
        let mut actions = [model.key_context(), KeyContext::DOCUMENT]
            .map(|place| model.settings.keymap.action_of(key, place))
            .into_iter();
        model.held_keys.is_typed |= actions.any(|action| action.is_some_and(|action| action.binding().asks));
        model.held_keys.add(key, model.now);
    }
    leads
}

/// Whether a key would take a decision, or answer a question that the user has not seen.
pub(super) fn confirms(model: &Model, key: KeyEvent) -> bool {
    let is_enter = key.code == KeyCode::Enter;
    match (&model.dialogue.overlay, &model.dialogue.prompt) {
        (
            Some(
                Overlay::Before(_)
                | Overlay::Criteria(_)
                | Overlay::Menu(Menu::Kinds(_) | Menu::Exclude(_), _),
            ),
            _,
        ) => is_enter,
        (Some(Overlay::Replace(..)), _) => true,
        (_, Some(Prompt { ask: Ask::Reason(..) | Ask::Export(_) | Ask::Import, .. })) => is_enter,
        (None, None) => model.settings.keymap.action_of(key, model.key_context()).is_some_and(decides),
        _ => false,
    }
}

fn decides(action: Action) -> bool {
    action.binding().scope == ActionScope::Decision
}
