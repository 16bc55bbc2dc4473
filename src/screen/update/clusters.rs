//! Unfolds clusters in their place and folds them, and refuses actions that do not apply to folders.

use super::effect::Effect;
use super::rows::{ask_rows_anew, select};
use super::views::files_of;
use crate::action::Action;
use crate::model::{Focus, Model};
use crate::views::FIRST_ROWS;
use dupi_session::{Item, ItemId, ListedCluster};

/// Unfolds the selected cluster, or folds it; shows the files of a folder without differences. Returns whether it did.
pub(super) fn enter(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    match model.list.row().filter(|_| model.focus == Focus::Rows) {
        Some(Item::Cluster(_)) => toggle(model, effects),
        Some(Item::Member(row)) if row.is_folder && row.differences == 0 => files_of(model, effects),
        _ => return false,
    }
    true
}

/// Unfolds the cluster that is selected, or folds the one that is selected or has the selected member.
pub(super) fn toggle(model: &mut Model, effects: &mut Vec<Effect>) {
    if fold(model, effects) {
        return;
    }
    if let Some(Item::Cluster(row)) = model.list.row() {
        let (name, id) = (row.representative(), row.id);
        let view = &mut model.list.view;
        view.unfolded_clusters.push(name);
        view.wanted = view.wanted.max(FIRST_ROWS);
        model.list.opened = Some(ItemId::Cluster(id));
        ask_rows_anew(model, effects);
    }
}

/// Folds the unfolded cluster that is selected, or that has the selected member, and selects it. Returns whether there is
/// one.
pub(super) fn fold(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(selected) = model.list.selected_row() else { return false };
    let at = match &model.list.listing.rows[selected] {
        Item::Cluster(row) if row.is_open => selected,
        Item::Member(member) => {
            let is_its = |row: &Item| matches!(row, Item::Cluster(row) if row.id == member.cluster);
            let Some(at) = model.list.listing.rows[..selected].iter().rposition(is_its) else { return false };
            at
        }
        _ => return false,
    };
    if let Item::Cluster(row) = &model.list.listing.rows[at] {
        let folded: ListedCluster = ListedCluster::clone(row);
        select(model, at, effects);
        model.list.view.unfolded_clusters.retain(|name| !folded.members.contains(name));
        model.list.opened = None;
        ask_rows_anew(model, effects);
    }
    true
}

/// Says why an action about documents does not apply to the selected folders.
pub(super) fn say_are_folders(model: &mut Model) {
    let enter = model.settings.keymap.key_or_name(Action::Enter);
    model.say(match model.list.row() {
        Some(Item::Cluster(_)) => format!("These are folders; {enter} lists them, each with what differs."),
        _ => format!("This folder has the same files as the first one; {enter} shows them."),
    });
}

/// Says what can be done about documents, where a text was to be hidden. Returns whether it did.
pub(super) fn refuse_taboo(model: &mut Model, action: Action) -> bool {
    let is_cluster = matches!(model.list.row(), Some(Item::Cluster(_) | Item::Member(_)));
    let is_refused = is_cluster && matches!(action, Action::Taboo | Action::TabooBecause);
    if is_refused {
        let key = |action| model.settings.keymap.key_or_name(action);
        model.say(format!(
            "Only texts can be taboo, whole documents cannot: {} leaves a file out of the corpus, {} accepts a cluster.",
            key(Action::Exclude),
            key(Action::Accept)
        ));
    }
    is_refused
}
