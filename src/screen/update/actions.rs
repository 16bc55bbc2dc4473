//! Performs actions.

use crate::action::{Action, ActionScope};
use crate::event::Effect;
use crate::input_line::InputLine;
use crate::model::{Ask, CriteriaForm, Focus, HelpPage, Menu, Model, NO_ROW, NOT_YET, Overlay, PlacesTask};
use crate::reader::CopyTask;
use crate::update::decisions::{
    accept, edit_entry, has_text, mark, mark_range, move_entry, preview_taboo, remove_entry, toggle_taboo,
};
use crate::update::dragging::{split_by, toggle_zoom};
use crate::update::held_keys::awaits_rows;
use crate::update::preview::{go_to_copy, leave_beside, toggle_beside, toggle_pin};
use crate::update::prompt::{ask, ask_export, ask_filter};
use crate::update::rows::{
    ask_decision, ask_order, ask_rows_anew, asks_again, choose, next_sigma, select, set_filter,
};
use crate::update::scrolling::{
    begin_search, go_to_difference, go_to_stretch, scroll, scroll_sideways, search_next, toggle_wrap,
};
use crate::update::tasks::{ask_for, ask_places, exclude};
use crate::update::views::{
    back_in_history, blots_of, enter_folder, files_of, leave_folder, passages_of, show,
};
use crate::update::{decisions, tasks, views};
use dupi_session::{Item, Request, View};

/// Steps of scrolling sideways and of moving the divider, in columns.
const SIDEWAYS: isize = 8;
const WIDER: i16 = 2;

/// Performs an action.
pub(super) fn act(model: &mut Model, action: Action) {
    let scope = action.binding().scope;
    if scope.needs_rows() && (awaits_rows(model) || !model.held_keys.is_empty()) {
        // Chosen by name in the palette.
        return model.say(NOT_YET);
    }
    if scope.is_row() {
        choose(model);
    }
    if let Some(sentence) = views::refusal(model, action) {
        return model.say(sentence);
    }
    if scope == ActionScope::Decision {
        if asks_again(model, action) {
            return;
        }
    } else if scope.is_row() {
        model.list.replaced_at = None;
    }
    match action {
        Action::Show(page) => show(model, page),
        Action::NextView => show(model, model.page.turned(1)),
        Action::PreviousView => show(model, model.page.turned(-1)),
        Action::Up => go(model, -1),
        Action::Down => go(model, 1),
        Action::PageUp => go(model, -page(model)),
        Action::PageDown => go(model, page(model)),
        Action::Top => go(model, isize::MIN / 2),
        Action::Bottom => go(model, isize::MAX / 2),
        Action::Enter => enter(model),
        Action::Print => print(model),
        Action::Back => back(model),
        Action::Right if model.focus == Focus::Rows => enter(model),
        Action::Right => scroll_sideways(model, SIDEWAYS),
        Action::Left => left(model),
        Action::NextCopy => go_to_copy(model, 1),
        Action::PreviousCopy => go_to_copy(model, -1),
        Action::Beside => toggle_beside(model),
        Action::Pin => toggle_pin(model),
        Action::FilesOf => files_of(model),
        Action::BlotsOf => blots_of(model),
        Action::PassagesOf => passages_of(model),
        Action::Mark => mark(model),
        Action::MarkRange => mark_range(model),
        Action::Taboo => toggle_taboo(model),
        Action::TabooBecause => preview_taboo(model),
        Action::Accept => accept(model),
        Action::NextState => tasks::next_state(model),
        Action::ShowTaboo => toggle_shown(
            model,
            |view| &mut view.show_taboo,
            ["Taboo rows are shown.", "Taboo rows are hidden."],
        ),
        Action::ShowAside => toggle_shown(
            model,
            |view| &mut view.show_aside,
            [
                "All kinds and all members of families are shown.",
                "Each family is one row; some kinds are set aside.",
            ],
        ),
        Action::SetAside => decisions::set_aside(model),
        Action::SetKind => decisions::ask_kind(model),
        Action::Exclude => exclude(model),
        Action::Undo => ask_decision(model, Request::Undo),
        Action::Redo => ask_decision(model, Request::Redo),
        Action::EditEntry => edit_entry(model),
        Action::RemoveEntry => remove_entry(model),
        Action::MoveEntry => move_entry(model),
        Action::Import => ask(model, Ask::Import, ""),
        Action::Export => ask_export(model),
        Action::CopyText => {
            let rows = model.list.chosen();
            if !rows.iter().all(has_text) {
                let paths: Vec<_> = rows.iter().map(Item::text).collect();
                model.effects.push(Effect::Copy(paths.join("\n")));
            } else if rows.is_empty() {
                model.say(NO_ROW);
            } else {
                model.ask(Request::Text { rows });
            }
        }
        Action::CopyPlaces => ask_places(model, model.list.chosen(), PlacesTask::Copy),
        Action::CopyPlace => ask_for(model, CopyTask::CopyPlace),
        Action::Filter => ask_filter(model),
        Action::SavedFilters if model.settings.saved.names().next().is_none() => {
            let filter = model.settings.keymap.first(Action::Filter);
            model.say(format!("No filter is saved yet; {filter} filters, and there Ctrl-s saves."));
        }
        Action::SavedFilters => model.dialogue.overlay = Some(Overlay::Menu(Menu::Filters, 0)),
        Action::Criteria => {
            let form = CriteriaForm::new(model.settings.criteria, model.settings.usual_overlap);
            model.dialogue.overlay = Some(Overlay::Criteria(form));
        }
        Action::Search => {
            begin_search(model);
            ask(model, Ask::Search, "");
        }
        Action::NextMatch => search_next(model, true),
        Action::PreviousMatch => search_next(model, false),
        Action::NextStretch if model.beside.is_some() => go_to_difference(model, true),
        Action::PreviousStretch if model.beside.is_some() => go_to_difference(model, false),
        Action::NextStretch => go_to_stretch(model, true),
        Action::PreviousStretch => go_to_stretch(model, false),
        Action::GoToLine => ask(model, Ask::GoToLine, ""),
        Action::Sort => ask_order(model),
        Action::SigmaUp | Action::SigmaDown => {
            model.list.view.sigma = next_sigma(model.list.view.sigma, action == Action::SigmaUp);
            ask_rows_anew(model);
        }
        Action::Unfold if model.list.view.of.is_from_clusters() => views::toggle_cluster(model),
        Action::Unfold => {
            model.list.view.unfolded = !model.list.view.unfolded;
            ask_rows_anew(model);
        }
        Action::Wrap => toggle_wrap(model),
        Action::Zoom if views::toggle_aside(model) => {}
        Action::Zoom => toggle_zoom(model),
        Action::Wider => split_by(model, WIDER),
        Action::Narrower => split_by(model, -WIDER),
        Action::Edit => ask_for(model, CopyTask::Edit),
        Action::EditAll => {
            ask_places(model, model.list.row().cloned().into_iter().collect(), PlacesTask::Edit);
        }
        Action::Blame => tasks::ask_blame(model),
        Action::Skipped => {
            model.dialogue.overlay = Some(Overlay::Skipped(None, 0));
            model.ask(Request::Skipped);
        }
        Action::Mouse => {
            model.settings.has_mouse = !model.settings.has_mouse;
            model.effects.push(Effect::Mouse(model.settings.has_mouse));
            model.say(if model.settings.has_mouse {
                "The program uses the mouse: click, wheel, drag to copy."
            } else {
                "The terminal uses the mouse: select and copy as elsewhere."
            });
        }
        Action::Palette => {
            model.dialogue.overlay = Some(Overlay::Palette(InputLine::default(), 0));
        }
        Action::Help => model.dialogue.overlay = Some(Overlay::Help(HelpPage::new(model.key_context()))),
        Action::Redraw => model.effects.push(Effect::Redraw),
        Action::Suspend => model.effects.push(Effect::Suspend),
        Action::Quit => model.effects.push(Effect::Quit),
    }
}

/// Changes whether rows that are left out are shown, says so, and lists the rows anew. `words` are for shown and for
/// hidden.
fn toggle_shown(model: &mut Model, shown: fn(&mut View) -> &mut bool, words: [&'static str; 2]) {
    let shown = shown(&mut model.list.view);
    *shown = !*shown;
    let said = if *shown { words[0] } else { words[1] };
    model.say(said);
    ask_rows_anew(model);
}

/// Lines per page; one line stays visible.
fn page(model: &Model) -> isize {
    let layout = model.layout();
    let height = match model.focus {
        Focus::Rows if model.page.lines().is_some() => layout.body().height,
        Focus::Rows => layout.rows.height,
        Focus::Document => layout.document.height,
    };
    (height as isize - 1).max(1)
}

/// Moves the selection, or scrolls the document, by a number of lines.
pub(super) fn go(model: &mut Model, by: isize) {
    match (model.focus, model.page.lines()) {
        (Focus::Document, _) => scroll(model, by),
        (Focus::Rows, Some(_)) => model.list.first_row = model.list.first_row.saturating_add_signed(by),
        (Focus::Rows, None) => {
            let at = model.list.place_in_list().unwrap_or(0);
            let at = at.saturating_add_signed(by).min(model.list.last_within_reach(by));
            select(model, at);
        }
    }
}

/// Leaves, and prints the marked rows, or the current copy of the selected one.
fn print(model: &mut Model) {
    let is_line = matches!(model.list.row(), Some(Item::Aside(_))) && model.list.marks.is_empty();
    if model.page.lines().is_some() || is_line {
        enter(model);
    } else if !model.settings.prints {
        model.say("Rows are printed on leaving when the program was started with --print.");
    } else if model.list.marks.is_empty() {
        ask_for(model, CopyTask::Print);
    } else {
        ask_places(model, model.list.chosen(), PlacesTask::Print);
    }
}

/// Enters the selected row: a folder, the line of a kind, the document, then the editor.
pub(super) fn enter(model: &mut Model) {
    if views::enter_cluster(model) {
        return;
    }
    match (model.focus, model.list.row()) {
        (Focus::Document, _) => ask_for(model, CopyTask::Edit),
        (Focus::Rows, Some(Item::Aside(_))) => {
            views::toggle_aside(model);
        }
        (Focus::Rows, Some(Item::Folder(folder))) if folder.is_folder => enter_folder(model),
        (Focus::Rows, Some(_)) => model.focus = Focus::Document,
        (Focus::Rows, None) => match model.page.lines() {
            Some(lines) => act(model, lines.enter),
            None => model.say(NO_ROW),
        },
    }
}

/// Moves left: scrolls, then back to the list, then to the parent folder.
fn left(model: &mut Model) {
    match model.focus {
        Focus::Document if model.reader.scroll.column > 0 => scroll_sideways(model, -SIDEWAYS),
        _ if model.beside.is_some() => leave_beside(model),
        Focus::Document => model.focus = Focus::Rows,
        Focus::Rows => {
            if !views::fold_aside(model) && !views::fold_cluster(model) {
                leave_folder(model);
            }
        }
    }
}

/// One step back: ends the search, leaves the document, clears marks, returns from a link, clears the filter.
fn back(model: &mut Model) {
    (model.reader.pending, model.awaited_places) = (None, None);
    if model.focus == Focus::Document && model.reader.search.is_some() {
        model.reader.search = None;
    } else if model.beside.is_some() {
        leave_beside(model);
    } else if model.focus == Focus::Document {
        model.focus = Focus::Rows;
    } else if !model.list.marks.is_empty() || model.list.anchor.is_some() {
        model.list.marks.clear();
        model.list.anchor = None;
    } else if !back_in_history(model) {
        set_filter(model, String::new());
    }
}
