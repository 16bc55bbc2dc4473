//! Opens and folds rows that stand for others, kinds that are set aside and clusters, and refuses actions that do not apply
//! to them.

use crate::action::Action;
use crate::model::{Focus, Model};
use crate::update::rows::{ask_rows_anew, select};
use crate::update::views::files_of;
use crate::views::FIRST_ROWS;
use dupi_base::config::Kind;
use dupi_session::{Item, ItemId, ListedCluster};

/// Whether an action is about a text, so that it does not apply to the line of a kind.
fn needs_passage(model: &Model, action: Action) -> bool {
    use Action as A;
    match action {
        A::Mark => true,
        A::MarkRange => model.list.anchor.is_none(),
        A::Taboo | A::TabooBecause | A::Accept | A::SetKind | A::Export | A::CopyText => {
            model.list.marks.is_empty()
        }
        A::NextCopy | A::PreviousCopy | A::NextStretch | A::PreviousStretch => true,
        A::Beside | A::Pin | A::FilesOf | A::BlotsOf | A::CopyPlace | A::Edit | A::Exclude => true,
        _ => false,
    }
}

/// Refuses an action that does not apply to the line of a kind. Returns whether it did.
pub(crate) fn refuse_aside(model: &mut Model, action: Action) -> bool {
    let is_refused = selected_line(model).is_some() && needs_passage(model, action);
    if is_refused {
        let enter = model.settings.keymap.key_or_name(Action::Enter);
        model.say(format!(
            "This line stands for all passages of a kind; {enter} lists them, each to be decided about."
        ));
    }
    is_refused
}

/// The kind of the selected line, and whether it is open.
fn selected_line(model: &Model) -> Option<(Kind, bool)> {
    match model.list.row() {
        Some(Item::Aside(line)) if model.focus == Focus::Rows => Some((line.summary.kind, line.is_open)),
        _ => None,
    }
}

/// Opens the selected line, or folds it. Returns whether a line is selected.
pub(crate) fn toggle_aside(model: &mut Model) -> bool {
    let Some((kind, is_open)) = selected_line(model) else { return false };
    set_open(model, kind, !is_open);
    true
}

/// Folds the open line that is selected, or that the selected passage stands below, and selects it. Returns whether
/// there is such a line.
pub(crate) fn fold_aside(model: &mut Model) -> bool {
    let Some(at) = model.list.line_above() else { return false };
    let Item::Aside(line) = &model.list.listing.rows[at] else { return false };
    let (kind, is_open) = (line.summary.kind, line.is_open);
    if is_open {
        select(model, at);
        set_open(model, kind, false);
    }
    is_open
}

fn set_open(model: &mut Model, kind: Kind, is_open: bool) {
    let view = &mut model.list.view;
    view.open.retain(|open| *open != kind);
    if is_open {
        view.open.push(kind);
    }
    view.wanted = view.wanted.max(FIRST_ROWS);
    model.list.opened = is_open.then_some(ItemId::Aside(kind));
    ask_rows_anew(model);
}

/// Unfolds the selected cluster, or folds it; shows the files of a folder without differences. Returns whether it did.
pub(crate) fn enter_cluster(model: &mut Model) -> bool {
    match model.list.row().filter(|_| model.focus == Focus::Rows) {
        Some(Item::Cluster(_)) => toggle_cluster(model),
        Some(Item::Member(row)) if row.is_folder && row.differences == 0 => files_of(model),
        _ => return false,
    }
    true
}

/// Unfolds the cluster that is selected, or folds the one that is selected or has the selected member.
pub(crate) fn toggle_cluster(model: &mut Model) {
    if fold_cluster(model) {
        return;
    }
    if let Some(Item::Cluster(row)) = model.list.row() {
        let (name, id) = (row.representative(), row.id);
        let view = &mut model.list.view;
        view.unfolded_clusters.push(name);
        view.wanted = view.wanted.max(FIRST_ROWS);
        model.list.opened = Some(ItemId::Cluster(id));
        ask_rows_anew(model);
    }
}

/// Folds the unfolded cluster that is selected, or that has the selected member, and selects it. Returns whether there is
/// one.
pub(crate) fn fold_cluster(model: &mut Model) -> bool {
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
        select(model, at);
        model.list.view.unfolded_clusters.retain(|name| !folded.members.contains(name));
        model.list.opened = None;
        ask_rows_anew(model);
    }
    true
}

/// Says why an action about documents does not apply to the selected folders.
pub(crate) fn say_are_folders(model: &mut Model) {
    let enter = model.settings.keymap.key_or_name(Action::Enter);
    model.say(match model.list.row() {
        Some(Item::Cluster(_)) => format!("These are folders; {enter} lists them, each with what differs."),
        _ => format!("This folder has the same files as the first one; {enter} shows them."),
    });
}

/// Says what can be done about documents, where a text was to be hidden. Returns whether it did.
pub(crate) fn refuse_taboo(model: &mut Model, action: Action) -> bool {
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
