//! Navigation between views, to linked rows and back; opens and folds rows that stand for others, kinds that are set aside
//! and clusters, and refuses actions that do not apply to them.

use std::path::Path;

use crate::action::{Action, ViewPage};
use crate::model::{Focus, ListState, Model, NO_ROW};
use crate::saved_screen::own_list_position;
use crate::update::preview::ask_preview;
use crate::update::rows::{ask_rows_anew, fit_columns, select};
use crate::views::documents::is_of_folders;
use crate::views::{FIRST_ROWS, RowLink, list_for_row, list_of, view_of};
use dupi_base::config::Kind;
use dupi_session::{Item, ItemId, ListedCluster, Subject, View};

/// The longest history.
const STEPS: usize = 100;

/// Shows another view; its list is as it was left until newer rows arrive.
pub(super) fn show(model: &mut Model, page: ViewPage) {
    model.held_keys.take();
    model.focus = Focus::Rows;
    model.beside = None;
    let is_same = model.page == page;
    if is_same && model.history.is_empty() {
        return;
    }
    let own = own_list_position(model);
    let mut steps = std::mem::take(&mut model.history);
    let is_own = own == steps.len();
    // Saves the list of the view itself, not those reached by links.
    if !is_own || is_same {
        let (from, state) = steps.swap_remove(if is_own { 0 } else { own });
        model.other_lists.insert(from, state);
    }
    let state = model.other_lists.remove(&page).unwrap_or_else(|| initial_state(page));
    let left = put(model, page, state);
    if is_own && !is_same {
        model.other_lists.insert(left.0, left.1);
    }
    ask(model);
}

fn initial_state(page: ViewPage) -> ListState {
    let view = match page {
        ViewPage::List(of) => view_of(of),
        _ => View::default(),
    };
    ListState { view, ..ListState::default() }
}

/// Puts a list on the screen; returns the previous one.
fn put(model: &mut Model, page: ViewPage, state: ListState) -> (ViewPage, ListState) {
    // A row that was never found is looked for again.
    let sought = model.list.sought.filter(|_| model.list.lost_at.is_none());
    let left = ListState {
        view: std::mem::replace(&mut model.list.view, state.view),
        listing: std::mem::replace(&mut model.list.listing, state.listing),
        selected: sought.or(std::mem::replace(&mut model.list.selected, state.selected)),
        is_chosen: std::mem::replace(&mut model.list.is_chosen, state.is_chosen) || sought.is_some(),
        first_row: std::mem::replace(&mut model.list.first_row, state.first_row),
    };
    (model.list.is_settled, model.list.replaced_at, model.list.returns) = (false, None, false);
    (model.list.awaits_other, model.list.opened) = (false, None);
    model.list.view.wanted = model.list.listing.rows.len().max(FIRST_ROWS);
    model.list.marks.clear();
    model.list.anchor = None;
    model.reader.pending = None;
    model.reader.want_copy(0);
    model.list.sought = model.list.selected.filter(|_| model.list.selected_row().is_none());
    model.list.lost_at = None;
    fit_columns(model);
    (std::mem::replace(&mut model.page, page), left)
}

/// Requests the content of the view.
pub(super) fn ask(model: &mut Model) {
    match model.page.lines() {
        Some(lines) => model.ask((lines.request)()),
        None => {
            ask_rows_anew(model);
            ask_preview(model);
        }
    }
}

/// Follows a link to other rows; `Esc` returns.
fn follow_link(model: &mut Model, view: View, selected: Option<ItemId>) {
    let page = ViewPage::List(view.of);
    let is_chosen = selected.is_some();
    let step = put(model, page, ListState { view, selected, is_chosen, ..ListState::default() });
    if model.history.len() == STEPS {
        model.history.remove(0);
    }
    model.history.push(step);
    (model.focus, model.beside) = (Focus::Rows, None);
    ask(model);
}

/// Returns from a link, if one was followed.
pub(super) fn back_in_history(model: &mut Model) -> bool {
    let Some((page, state)) = model.history.pop() else { return false };
    put(model, page, state);
    ask(model);
    true
}

/// Shows the content of the selected folder.
pub(super) fn enter_folder(model: &mut Model) {
    let Some(Item::Folder(folder)) = model.list.row() else { return };
    let view = View { folder: folder.path.clone(), wanted: FIRST_ROWS, ..model.list.view.clone() };
    follow_link(model, view, None);
}

/// Shows the parent folder with the left one selected.
pub(super) fn leave_folder(model: &mut Model) {
    let folder = model.list.view.folder.clone();
    let Some(above) = folder.parent().filter(|_| list_of(model.list.view.of).has_folders).map(Path::to_owned)
    else {
        return;
    };
    let came_from_there = model.history.last().is_some_and(|(page, state)| {
        *page == model.page && state.view.folder == above && state.view.filter == model.list.view.filter
    });
    if came_from_there {
        back_in_history(model);
        return;
    }
    let view = View { folder: above, ..model.list.view.clone() };
    let selected = Some(ItemId::of_folder(&folder));
    put(model, model.page, ListState { view, selected, is_chosen: true, ..ListState::default() });
    ask(model);
}

/// Shows the documents of the selected passage or blots, or the folder of the selected document.
pub(super) fn files_of(model: &mut Model) {
    let Some(RowLink { view, selected }) = model.list.row().and_then(|row| (list_for_row(row).files)(row))
    else {
        return model.say(NO_ROW);
    };
    follow_link(model, view, selected);
}

/// Shows the blots of the selected passage, document or folder.
pub(super) fn blots_of(model: &mut Model) {
    let Some(filter) = filter_of(model.list.row()) else { return model.say(NO_ROW) };
    follow_link(model, View { filter, ..view_of(Subject::Blots) }, None);
}

/// Shows the passages of the selected blots, document or folder; for a taboo text including taboo passages. From a
/// document it opens at the passage of the current copy, and shows that copy.
pub(super) fn passages_of(model: &mut Model) {
    let Some(filter) = filter_of(model.list.row()) else { return model.say(NO_ROW) };
    let is_taboo = matches!(model.list.row(), Some(Item::Taboo(_)));
    let preview = Some(&model.reader.preview).filter(|_| model.is_previewed());
    let stretch = preview.and_then(|preview| {
        let (passage, _) = preview.stretch?;
        Some((passage, preview.occurrences.get(preview.current)?.clone()))
    });
    let view = View {
        filter,
        show_taboo: is_taboo || (stretch.is_some() && model.list.view.show_taboo),
        // The passage can be of any kind, and any member of its family.
        show_aside: stretch.is_some(),
        ..view_of(Subject::Passages)
    };
    let selected = stretch.as_ref().map(|(passage, _)| ItemId::Passage(*passage));
    follow_link(model, view, selected);
    model.reader.copy = stretch.map(|(_, copy)| copy);
}

/// The filter for what belongs to a row.
fn filter_of(row: Option<&Item>) -> Option<String> {
    row.and_then(|row| (list_for_row(row).filter)(row))
}

/// Why an action does not apply to the selected row, as a sentence.
pub(super) fn refusal(model: &Model, action: Action) -> Option<String> {
    use Action as A;
    let key = |action| model.settings.keymap.key_or_name(action);
    let (row, is_in_list, has_marks) =
        (model.list.row()?, model.focus == Focus::Rows, !model.list.marks.is_empty());
    let is_about_copies =
        matches!(action, A::Beside | A::NextCopy | A::PreviousCopy | A::NextStretch | A::PreviousStretch);
    let is_about_text = match action {
        A::MarkRange => model.list.anchor.is_none(),
        A::Taboo | A::TabooBecause | A::Accept | A::SetKind | A::Export | A::CopyText => !has_marks,
        A::Mark | A::Pin | A::FilesOf | A::BlotsOf | A::CopyPlace | A::Edit | A::Exclude => true,
        _ => is_about_copies,
    };
    match row {
        Item::Aside(_) if is_in_list && is_about_text => Some(format!(
            "This line stands for all passages of a kind; {} lists them, each to be decided about.",
            key(A::Enter)
        )),
        _ if is_in_list && is_about_copies && is_of_folders(Some(row)) => Some(match row {
            Item::Cluster(_) => {
                format!("These are folders; {} lists them, each with what differs.", key(A::Enter))
            }
            _ => format!("This folder has the same files as the first one; {} shows them.", key(A::Enter)),
        }),
        Item::Folder(folder) if is_in_list && is_about_copies && folder.is_folder => Some(is_folder(model)),
        Item::Cluster(_) | Item::Member(_) if matches!(action, A::Taboo | A::TabooBecause) => Some(format!(
            "Only texts can be taboo, whole documents cannot: {} leaves a file out of the corpus, {} accepts a cluster.",
            key(A::Exclude),
            key(A::Accept)
        )),
        _ => None,
    }
}

/// The sentence that a row is a folder.
pub(super) fn is_folder(model: &Model) -> String {
    let enter = model.settings.keymap.key_or_name(Action::Enter);
    format!("This is a folder, not a document; {enter} shows its content.")
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
