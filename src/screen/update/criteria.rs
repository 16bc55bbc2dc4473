//! The form that changes what counts as a passage: each change is tried in the background, and told before it is applied.

use crossterm::event::{KeyCode, KeyEvent};

use super::effect::Effect;
use super::overlay_keys::letter;
use super::prompt::leaves;
use crate::action::Action;
use crate::model::{CRITERIA, CriteriaForm, Model, Overlay};
use dupi_base::config::PassageCriteria;
use dupi_session::{Request, TrialState};

/// Opens the form.
pub(super) fn ask_criteria(model: &mut Model) {
    let (criteria, usual_overlap) = (model.settings.criteria, model.settings.usual_overlap);
    model.dialogue.overlay = Some(Overlay::Criteria(CriteriaForm::new(criteria, usual_overlap)));
}

/// Processes a key. `moved` is the number of lines that it moves.
pub(super) fn on_criteria(
    model: &mut Model,
    mut form: CriteriaForm,
    key: KeyEvent,
    action: Option<Action>,
    moved: isize,
    effects: &mut Vec<Effect>,
) -> Option<Overlay> {
    let before = form.criteria;
    match key.code {
        _ if leaves(key, action) || letter(key) == Some('q') => {
            if form.trial.is_some() {
                effects.push(Effect::Ask(Request::TryCriteria(None)));
            }
            return None;
        }
        KeyCode::Enter => {
            apply(model, form.criteria, effects);
            return None;
        }
        KeyCode::Left => form.step(-1),
        KeyCode::Right => form.step(1),
        KeyCode::Char('-') => form.step(-10),
        KeyCode::Char('+' | '=') => form.step(10),
        KeyCode::Char(' ') => form.step(1),
        KeyCode::Backspace | KeyCode::Delete => form.clear(),
        _ => form.line = form.line.saturating_add_signed(moved).min(CRITERIA.len() - 1),
    }
    if form.criteria != before {
        let is_new = form.criteria != model.settings.criteria;
        form.trial = is_new.then_some(TrialState::At(0.0));
        effects.push(Effect::Ask(Request::TryCriteria(is_new.then_some(form.criteria))));
    }
    Some(Overlay::Criteria(form))
}

/// Applies criteria, and remembers for this corpus those that were changed.
fn apply(model: &mut Model, criteria: PassageCriteria, effects: &mut Vec<Effect>) {
    let was = model.settings.criteria;
    if criteria != was {
        // The rest is said by options, for once, or by the settings, which may change.
        model.settings.chosen_criteria = model.settings.chosen_criteria.changed(was, criteria);
        model.settings.criteria = criteria;
        effects.push(Effect::Ask(Request::Criteria(criteria)));
    }
}

/// Shows how far a search with other criteria is.
pub(super) fn on_trial(model: &mut Model, of: PassageCriteria, state: TrialState) {
    if let Some(Overlay::Criteria(form)) = &mut model.dialogue.overlay
        && form.criteria == of
        && form.trial.is_some()
    {
        form.trial = Some(state);
    }
}
