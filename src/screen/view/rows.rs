//! Draws the list: pointer, mark, columns, bar and text of each row; of an empty list why it is empty, and what can be done.

use ratatui::layout::{Position, Rect};

use crate::action::Action;
use crate::model::{Focus, Model};
use crate::text::{Canvas, bar, behind, below, wrapped};
use crate::theme::glyphs;
use crate::view::columns::{Columns, is_reversed, sort_of};
use crate::view::summary::draw_line;
use crate::views::{EmptyList, RowStyles, list_for_row, list_of};
use dupi_base::storage::shown;
use dupi_index::query::filter::ReviewState;
use dupi_session::{Item, Phase, SearchState, Sort};

/// The width of pointer and mark.
const LEAD: u16 = 2;
/// The widths of long and of short bars.
const BAR: [u16; 2] = [8, 5];

/// Draws the visible rows.
pub(crate) fn draw(canvas: &mut Canvas, head: Rect, area: Rect, model: &Model) {
    if area.is_empty() {
        return;
    }
    let (rows, theme) = (&model.list.listing.rows, canvas.theme);
    if rows.is_empty() {
        return draw_empty(canvas, area, model);
    }
    let (columns, taken) = columns_of(model, area.width);
    let bar_width = bar_width(model, area.width);
    draw_heads(canvas, head, model, &columns, taken - LEAD);
    let (sort, greatest) = (sort_of(model), greatest(model));
    let selected = model.list.selected_row();
    for (line, (number, row)) in area.rows().zip(rows.iter().enumerate().skip(model.list.first_row)) {
        let is_selected = selected == Some(number);
        let text = match (is_selected, model.focus, row.state()) {
            (true, Focus::Rows, _) => theme.selected,
            (true, Focus::Document, _) => theme.selected_away,
            (false, _, ReviewState::Taboo) => theme.taboo,
            (false, _, ReviewState::Accepted) => theme.quiet,
            (false, _, ReviewState::Open | ReviewState::Fix) => theme.text,
        };
        let patched = |style| if is_selected { text } else { text.patch(style) };
        canvas.buffer.set_style(line, text);
        let left = canvas.put(line, if is_selected { glyphs::POINTER } else { " " }, text);
        let mut room = behind(line, LEAD);
        if let Item::Aside(aside) = row {
            draw_line(canvas, room, aside, text);
            continue;
        }
        if model.list.marks.has(row.id()) {
            canvas.put(left, glyphs::MARKED, text);
        }
        room = canvas.put(room, &columns.counts(number, row), text);
        if bar_width > 0 {
            let bar = bar(weight(row, sort, greatest), bar_width);
            room = behind(canvas.put(room, &bar, patched(theme.bar)), 1);
        }
        let styles = RowStyles { text, accepted: patched(theme.added), fix: patched(theme.alarm) };
        (list_for_row(row).draw)(canvas, room, row, styles);
    }
}

/// The columns of a list of a width, and what pointer, mark and bar take of it.
fn columns_of(model: &Model, width: u16) -> (Columns, u16) {
    let bar_width = bar_width(model, width);
    let taken = LEAD + if bar_width > 0 { bar_width + 1 } else { 0 };
    (Columns::fit(model, width.saturating_sub(taken)), taken)
}

/// The sort order of the column whose heading is at a position.
pub(crate) fn sort_at(model: &Model, head: Rect, at: Position) -> Option<Sort> {
    let is_there = head.contains(at) && !model.list.listing.rows.is_empty();
    let x = at.x.checked_sub(head.x + LEAD).filter(|_| is_there)?;
    columns_of(model, head.width).0.sort_at(usize::from(x))
}

fn draw_heads(canvas: &mut Canvas, head: Rect, model: &Model, columns: &Columns, bar: u16) {
    let theme = canvas.theme;
    let mut room = behind(head, LEAD);
    for (words, is_sorted) in columns.heads() {
        room = canvas.put(room, &words, if is_sorted { theme.accent } else { theme.quiet });
    }
    room = behind(room, bar);
    let list = list_of(model.list.view.of);
    let sorted = match sort_of(model) {
        Sort::Path => ", by path",
        Sort::Worth if !columns.have_sorted() => ", by worth",
        Sort::Spread if !columns.have_sorted() => ", by folders",
        Sort::Recent if !columns.have_sorted() => ", the latest first",
        Sort::Partner if !columns.have_sorted() => ", each by its partner",
        _ => "",
    };
    let sorted = match (sorted, is_reversed(model)) {
        ("", _) | (_, false) => sorted.to_owned(),
        (", the latest first", true) => ", the oldest first".to_owned(),
        (sorted, true) => format!("{sorted}, reversed"),
    };
    if list.has_folders && !model.list.view.folder.as_os_str().is_empty() {
        let folder = format!("in {}/{sorted}", shown(&model.list.view.folder));
        canvas.put_end(room, &folder, theme.accent);
    } else {
        let style = if sorted.is_empty() { theme.quiet } else { theme.accent };
        canvas.put(room, &format!("{}{sorted}", list.head), style);
    }
}

/// The width of the bars in a list of a width; 0 if there are none.
pub(crate) fn bar_width(model: &Model, width: u16) -> u16 {
    let [long_from, short_from] = list_of(model.list.view.of).bars.from;
    match width {
        _ if !is_weighed(model) => 0,
        width if width >= long_from => BAR[0],
        width if width >= short_from => BAR[1],
        _ => 0,
    }
}

/// Whether rows have bars: always, or because they are sorted by a number.
fn is_weighed(model: &Model) -> bool {
    list_of(model.list.view.of).bars.always
        || !matches!(sort_of(model), Sort::Path | Sort::Recent | Sort::Spread)
}

/// The number that the bar of a row without a share stands for.
fn number(row: &Item, sort: Sort) -> u64 {
    (list_for_row(row).bars.number)(row, sort)
}

/// The greatest of these numbers in the list.
fn greatest(model: &Model) -> u64 {
    let (rows, sort) = (&model.list.listing.rows, sort_of(model));
    let looked_at = if list_of(model.list.view.of).bars.compares_all { rows.len() } else { 1 };
    let rows = rows.iter().filter(|row| !matches!(row, Item::Aside(_)));
    rows.take(looked_at).map(|row| number(row, sort)).max().unwrap_or(0)
}

/// The length of a row's bar from 0 to 1: its share, or its number relative to the greatest.
fn weight(row: &Item, sort: Sort, greatest: u64) -> f64 {
    row.share().unwrap_or_else(|| {
        let number = number(row, sort);
        number as f64 / greatest.max(number).max(1) as f64
    })
}

/// Draws the message of an empty list.
fn draw_empty(canvas: &mut Canvas, area: Rect, model: &Model) {
    let room = (area.width.saturating_sub(3), area.height.saturating_sub(3));
    let lines = lines(model, (usize::from(room.0), usize::from(room.1)));
    let area = behind(below(area, 1), 2);
    canvas.put_lines(area, &lines[..1], canvas.theme.accent);
    canvas.put_lines(below(area, 1), &lines[1..], canvas.theme.quiet);
}

/// The message: first the fact, then the reason or the remedy. Long sentences are wrapped to the given size.
fn lines(model: &Model, (width, height): (usize, usize)) -> Vec<String> {
    let listing = &model.list.listing;
    let is_filtered = !model.list.view.filter.is_empty();
    let key = |action| model.settings.keymap.first(action);
    let say = |text: &str| -> Vec<String> { text.split('\n').map(str::to_owned).collect() };
    let list = list_of(model.list.view.of);
    let needs_passages = model.list.view.of.is_from_passages() && list.stand_in.is_none();
    let failed = match model.progress.as_ref().map(|progress| &progress.phase) {
        Some(Phase::Failed(sentence)) => Some(sentence),
        _ => listing.trouble.as_ref(),
    };
    if let Some(sentence) = failed {
        return [say("There is nothing to show.\n"), wrapped(sentence, width, height)].concat();
    }
    let is_of_clusters = model.list.view.of.is_from_clusters();
    let none_found = match model.search() {
        SearchState::Failed(sentence) if listing.is_provisional => Some(sentence),
        _ => None,
    };
    // Blots stand in for passages: that none match says nothing about passages.
    let is_looked_for = listing.is_provisional && none_found.is_none();
    let is_answered = listing.complete && !is_looked_for && !(listing.is_provisional && needs_passages);
    let is_of_review = model.list.view.of.is_from_review();
    let what = if is_of_clusters { "clusters" } else { "passages" };
    if is_filtered && is_answered && listing.hides_matches {
        let (show, back) = (key(Action::ShowTaboo), key(Action::Back));
        return say(&format!("All that matches is taboo.\n\n{show} shows it,\n{back} drops the filter."));
    }
    if is_filtered && is_answered {
        return say(&format!("No row matches the filter.\n\n{} drops it.", key(Action::Back)));
    }
    if model.is_busy() && list.reads_documents {
        return say(
            "Reading your documents.\n\nWhat is written more than once\nappears here as it is found.",
        );
    }
    if is_of_clusters && matches!(model.cluster_search, SearchState::At(_)) && !listing.is_provisional {
        return say("No two documents are the same.\n\nLooking for similar ones…");
    }
    let about = EmptyList {
        hides_rows: !listing.hidden.is_empty(),
        has_sigma: model.list.view.sigma.is_some(),
        key: &key,
    };
    let skipped = format!("{} lists the files left out.", key(Action::Skipped));
    match () {
        () if let Some(sentence) = none_found => {
            [say(&format!("No {what} could be found.\n")), wrapped(sentence, width, height)].concat()
        }
        () if listing.is_provisional && is_of_clusters => say(
            "Comparing your documents.\n\nThose that are the same come first;\nthe last line says how far it is.",
        ),
        () if listing.is_provisional && is_of_review => say(
            "Reviewing the change.\n\nWhat it copies, and what it changes\non one side only, appears here.",
        ),
        () if listing.is_provisional && needs_passages => say(
            "Looking for passages.\n\nShares follow when they are found;\nthe last line says how far it is.",
        ),
        () if is_filtered && (!listing.complete || is_looked_for) => say("Looking for rows that match…"),
        () if !listing.complete || (is_looked_for && !has_no_documents(model)) => say("Looking…"),
        () if list.reads_documents
            && has_no_documents(model)
            && let Some(sentence) = model.progress.as_ref().and_then(|progress| progress.lack.as_ref()) =>
        {
            let none = say("There is no document here yet.\n");
            [none, wrapped(sentence, width, height), say(&format!("\n{skipped}"))].concat()
        }
        () if list.reads_documents && has_no_documents(model) => {
            let none = "There is no document here yet.\n\nWhat is put into the folder\nappears by itself.";
            say(&format!("{none}\n{skipped}"))
        }
        () if let Some(own) = (list.empty)(&about) => say(&own),
        () if !listing.hidden.is_empty() => {
            let (show, undo) = (key(Action::ShowTaboo), key(Action::Undo));
            say(&format!(
                "All that is duplicated is taboo.\n\n{show} shows it, {undo} undoes the last\ndecision."
            ))
        }
        () => say(&format!("Nothing is written more\nthan once here.\n\n{skipped}")),
    }
}

/// Whether the corpus was read completely and has no documents.
fn has_no_documents(model: &Model) -> bool {
    model.progress.as_ref().is_some_and(|progress| progress.phase == Phase::Idle && progress.documents == 0)
}
