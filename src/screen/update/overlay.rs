//! Keys while an overlay is shown. Changes in the form for what counts as a passage are tried in the background before they
//! are applied.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::action::Action;
use crate::event::Effect;
use crate::input_line::InputLine;
use crate::keys::lookup::matching_actions;
use crate::model::{CRITERIA, CriteriaForm, HelpPage, Menu, Model, Overlay};
use crate::update::actions::act;
use crate::update::decisions;
use crate::update::decisions::decide;
use crate::update::prompt::leaves;
use crate::update::rows::{reverse_order, set_filter, set_order};
use crate::update::scrolling::go_to_line;
use crate::view::popup::count;
use crate::view::{help, overlay};
use dupi_base::config::PassageCriteria;
use dupi_session::{Request, Sort, TrialState};

/// Processes a key.
pub(crate) fn on_overlay(model: &mut Model, key: KeyEvent) {
    let Some(overlay) = model.dialogue.overlay.take() else { return };
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    let action = model.settings.keymap.action_of(key, model.key_context());
    match (action, is_control) {
        (Some(Action::Quit), true) => return model.effects.push(Effect::Quit),
        (Some(Action::Suspend), _) => model.effects.push(Effect::Suspend),
        (Some(Action::Redraw), _) => model.effects.push(Effect::Redraw),
        _ => {
            model.dialogue.overlay = after(model, overlay, key, action);
            return;
        }
    }
    model.dialogue.overlay = Some(overlay);
}

/// Shows the next waiting overlay, unless a prompt or overlay is open.
pub(crate) fn show_next_overlay(model: &mut Model) {
    if model.dialogue.prompt.is_none()
        && model.dialogue.overlay.is_none()
        && !model.dialogue.waiting.is_empty()
    {
        model.dialogue.overlay = Some(model.dialogue.waiting.remove(0));
    }
}

/// The overlay after a key.
fn after(model: &mut Model, overlay: Overlay, key: KeyEvent, action: Option<Action>) -> Option<Overlay> {
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
            let lines = overlay::blame_lines(answer.as_deref(), usize::from(model.size.0)).len();
            let Some(first) = scrolled(first, action, moved, lines.saturating_sub(room) + 1) else {
                model.ask(Request::Blame(None));
                return None;
            };
            Some(Overlay::Blame(at, answer, first))
        }
        Overlay::Mismatch(sentence) => answered(model, sentence, key, action),
        Overlay::Palette(mut line, mut chosen) => {
            match key.code {
                _ if leaves(key, action) => return None,
                KeyCode::Enter => {
                    choose(model, line.text(), chosen);
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
        Overlay::Menu(menu, chosen) => on_menu(model, menu, chosen, key),
        Overlay::Before(mut asked) => {
            match key.code {
                _ if leaves(key, action) => return None,
                KeyCode::Enter => {
                    decide(model, asked);
                    return None;
                }
                KeyCode::Tab | KeyCode::BackTab => asked.turn_scope(),
                _ if asked.reason.take(key) => {}
                _ => {
                    let farthest = overlay::farthest(&asked, model.size);
                    asked.first = asked.first.saturating_add_signed(moved).min(farthest);
                }
            }
            Some(Overlay::Before(asked))
        }
        Overlay::Criteria(form) => on_criteria(model, form, key, action, moved),
        Overlay::Replace(request, file) => match letter(key) {
            Some('y') => {
                model.ask(request);
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
fn answered(model: &mut Model, sentence: String, key: KeyEvent, action: Option<Action>) -> Option<Overlay> {
    match (letter(key), action) {
        (Some('r'), _) => model.ask(Request::Rebuild),
        // The index stays as it is.
        (Some('k'), _) | (_, Some(Action::Back)) => {}
        (_, Some(Action::Quit)) => model.effects.push(Effect::Quit),
        _ => return Some(Overlay::Mismatch(sentence)),
    }
    None
}

/// Processes a key; returns the menu if it stays open.
fn on_menu(model: &mut Model, menu: Menu, chosen: usize, key: KeyEvent) -> Option<Overlay> {
    let last = count(model, &menu).checked_sub(1)?;
    let action = model.settings.keymap.action_of(key, model.key_context());
    let moved = moved(key, action, usize::from(model.size.1));
    if key.code == KeyCode::Enter {
        take(model, menu, chosen);
        return None;
    }
    match &menu {
        Menu::Filters if key.code == KeyCode::Delete || letter(key) == Some('d') => {
            let name = model.settings.saved.names().nth(chosen)?.to_owned();
            model.effects.push(Effect::SaveFilter(name, None));
            return (last > 0).then(|| Overlay::Menu(menu, chosen.min(last - 1)));
        }
        Menu::Orders if letter(key) == Some('r') => {
            reverse_order(model, order(model, chosen));
            return None;
        }
        _ => {}
    }
    let opens = match menu {
        Menu::Filters => Action::SavedFilters,
        Menu::Kinds(_) => Action::SetKind,
        Menu::Orders => Action::Sort,
        Menu::Exclude(_) => Action::Exclude,
    };
    let leaves = matches!(action, Some(Action::Quit | Action::Back)) || action == Some(opens);
    (moved != 0 || !leaves).then(|| Overlay::Menu(menu, chosen.saturating_add_signed(moved).min(last)))
}

/// Takes a line of a menu.
fn take(model: &mut Model, menu: Menu, chosen: usize) {
    match menu {
        Menu::Filters => {
            let filter = model.settings.saved.names().nth(chosen).map(|name| format!("@{name}"));
            if let Some(filter) = filter {
                set_filter(model, filter);
            }
        }
        Menu::Kinds(rows) => decisions::set_kind(model, rows, chosen),
        Menu::Exclude(choices) => decisions::set_excluded(model, choices, chosen),
        Menu::Orders => set_order(model, order(model, chosen)),
    }
}

/// The sort order of a line.
fn order(model: &Model, chosen: usize) -> Sort {
    let ways = Sort::ways(model.list.view.of);
    ways.get(chosen).copied().unwrap_or_default()
}

/// Processes a key. `moved` is the number of lines that it moves.
fn on_criteria(
    model: &mut Model,
    mut form: CriteriaForm,
    key: KeyEvent,
    action: Option<Action>,
    moved: isize,
) -> Option<Overlay> {
    let before = form.criteria;
    match key.code {
        _ if leaves(key, action) || letter(key) == Some('q') => {
            if form.trial.is_some() {
                model.ask(Request::TryCriteria(None));
            }
            return None;
        }
        KeyCode::Enter => {
            apply(model, form.criteria);
            return None;
        }
        KeyCode::Left => form.step(-1),
        KeyCode::Right => form.step(1),
        KeyCode::Char('-') => form.step(-10),
        KeyCode::Char('+' | '=') => form.step(10),
        KeyCode::Char(' ') => form.step(1),
        KeyCode::Backspace | KeyCode::Delete => form.clear(),
        _ => form.line = form.line.saturating_add_signed(moved).min(CRITERIA - 1),
    }
    if form.criteria != before {
        let is_new = form.criteria != model.settings.criteria;
        form.trial = is_new.then_some(TrialState::At(0.0));
        model.ask(Request::TryCriteria(is_new.then_some(form.criteria)));
    }
    Some(Overlay::Criteria(form))
}

/// Applies criteria, and remembers for this corpus those that were changed.
fn apply(model: &mut Model, criteria: PassageCriteria) {
    let was = model.settings.criteria;
    if criteria != was {
        // The rest is said by options, for once, or by the settings, which may change.
        model.settings.chosen_criteria = model.settings.chosen_criteria.changed(was, criteria);
        model.settings.criteria = criteria;
        model.ask(Request::Criteria(criteria));
    }
}

/// Performs the chosen action, or goes to a line if a number is typed.
pub(crate) fn choose(model: &mut Model, typed: &str, chosen: usize) {
    if let Ok(number) = typed.trim().parse::<usize>() {
        return go_to_line(model, number);
    }
    let Some(binding) = matching_actions(typed).get(chosen).copied() else { return };
    if binding.contexts.meets(model.key_context()) || binding.action == Action::Palette {
        act(model, binding.action);
    } else {
        model.say(format!("`{}` means nothing in this view.", binding.id));
    }
}

/// The letter of a key without Ctrl and Alt.
pub(crate) fn letter(key: KeyEvent) -> Option<char> {
    let is_held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    key.code.as_char().filter(|_| !is_held)
}

/// The number of lines that a key moves. Cursor keys always work, whatever they are bound to.
pub(crate) fn moved(key: KeyEvent, action: Option<Action>, height: usize) -> isize {
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
