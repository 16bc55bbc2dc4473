//! Keys while a menu is shown: the saved filters, the kinds, the sort orders, or what can be left out.

use crossterm::event::{KeyCode, KeyEvent};

use super::effect::Effect;
use super::overlay_keys::{letter, moved};
use super::rows::{reverse_order, set_filter, set_order};
use super::{exclude, kinds};
use crate::action::Action;
use crate::model::{Menu, Model, Overlay};
use crate::view::menu::count;
use dupi_session::Sort;

/// Processes a key; returns the menu if it stays open.
pub(super) fn on_menu(
    model: &mut Model,
    menu: Menu,
    chosen: usize,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) -> Option<Overlay> {
    let last = count(model, &menu).checked_sub(1)?;
    let action = model.settings.keymap.action_of(key, model.key_context());
    let moved = moved(key, action, usize::from(model.size.1));
    if key.code == KeyCode::Enter {
        take(model, menu, chosen, effects);
        return None;
    }
    match &menu {
        Menu::Filters if key.code == KeyCode::Delete || letter(key) == Some('d') => {
            let name = model.settings.saved.names().nth(chosen)?.to_owned();
            effects.push(Effect::SaveFilter(name, None));
            return (last > 0).then(|| Overlay::Menu(menu, chosen.min(last - 1)));
        }
        Menu::Orders if letter(key) == Some('r') => {
            reverse_order(model, order(model, chosen), effects);
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
fn take(model: &mut Model, menu: Menu, chosen: usize, effects: &mut Vec<Effect>) {
    match menu {
        Menu::Filters => {
            let filter = model.settings.saved.names().nth(chosen).map(|name| format!("@{name}"));
            if let Some(filter) = filter {
                set_filter(model, filter, effects);
            }
        }
        Menu::Kinds(rows) => kinds::set(model, rows, chosen, effects),
        Menu::Exclude(choices) => exclude::set(model, choices, chosen, effects),
        Menu::Orders => set_order(model, order(model, chosen), effects),
    }
}

/// The sort order of a line.
fn order(model: &Model, chosen: usize) -> Sort {
    let ways = Sort::ways(model.list.view.of);
    ways.get(chosen).copied().unwrap_or_default()
}
