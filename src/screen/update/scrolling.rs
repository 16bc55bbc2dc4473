//! Moves in the document: by rows and columns, to a line, to duplicated text, to a position in the overview strip, and to
//! the matches of a search.

use crate::action::Action;
use crate::document::{Document, RowStart, Rows, Scroll, column_of, line, seek};
use crate::model::Model;
use crate::reader::search::{SearchStep, SearchTarget, TextSearch};
use crate::text::grouped;
use crate::view::beside;
use crate::view::document::{StripScale, target};

/// The rows of a document as it is shown.
fn rows_of<'d>(model: &Model, document: &'d Document) -> Rows<'d> {
    Rows::new(document, model.text_width(document), model.wraps())
}

/// Scrolls so that a byte is a third down from the top; `goes_on` if the target spans several lines.
fn place(model: &mut Model, byte: usize, goes_on: bool) {
    let Some(document) = model.reader.preview.document.clone() else { return };
    let (width, wraps) = (model.text_width(&document), model.wraps());
    let area = model.layout().document;
    // A hidden document is scrolled once it is visible.
    model.reader.unplaced = area.is_empty().then_some((byte, goes_on));
    let rows = rows_of(model, &document);
    let row = rows.row_at(byte);
    let (start, text) = line(&document, row.line);
    let column = if wraps { 0 } else { column_of(text, byte.saturating_sub(start)) };
    // Later lines of such a target usually begin at the left.
    let is_seen = column < width * 3 / 4 || (goes_on && column < width * 3);
    let column = if is_seen { 0 } else { column - width / 3 };
    model.reader.scroll = Scroll { line: row.line, byte: row.byte, column };
    rows.scroll(&mut model.reader.scroll, -(area.height as isize / 3));
    // The first row begins a line, if the target is then still seen with some rows below it.
    let top = model.reader.scroll;
    let near = usize::from(area.height) * 2 / 3;
    let is_near = |from: &Scroll| rows.from(*from).take(near).any(|shown| shown == row);
    let lines = [top.line, top.line + 1].map(|line| Scroll { line, byte: 0, ..top });
    if top.byte > 0 {
        model.reader.scroll = lines.into_iter().find(is_near).unwrap_or(top);
    }
}

/// Rows that another copy has beside this one can push a byte off the screen: then its row becomes the first one.
fn place_beside(model: &mut Model, byte: usize) {
    if model.beside.is_none() || is_on_screen(model, byte) {
        return;
    }
    let Some(document) = model.document().filter(|_| !model.layout().document.is_empty()) else { return };
    let row = rows_of(model, document).row_at(byte);
    (model.reader.scroll.line, model.reader.scroll.byte) = (row.line, row.byte);
}

/// The same, and continues from that byte when looking for the next match or stretch.
pub(crate) fn jump_to(model: &mut Model, byte: usize, goes_on: bool) {
    place(model, byte, goes_on);
    place_beside(model, byte);
    model.reader.jumped = Some((model.reader.scroll, byte));
}

/// Repeats a jump that was requested while the document was hidden.
pub(crate) fn retry_jump(model: &mut Model) {
    if let Some((byte, goes_on)) = model.reader.unplaced.filter(|_| !model.layout().document.is_empty()) {
        jump_to(model, byte, goes_on);
    }
}

/// Makes a byte visible, and continues from there when looking for the next match or stretch.
pub(crate) fn jump(model: &mut Model, byte: usize) {
    if !is_on_screen(model, byte) {
        place(model, byte, false);
        place_beside(model, byte);
    }
    model.reader.jumped = Some((model.reader.scroll, byte));
}

fn is_on_screen(model: &Model, byte: usize) -> bool {
    let Some(document) = model.reader.preview.document.as_ref() else { return false };
    let (width, wraps) = (model.text_width(document), model.wraps());
    let rows = rows_of(model, document);
    let row = rows.row_at(byte);
    let height = usize::from(model.layout().document.height);
    let (start, text) = line(document, row.line);
    let is_column_seen = || {
        let column = column_of(text, byte.saturating_sub(start));
        (model.reader.scroll.column..model.reader.scroll.column + width).contains(&column)
    };
    let is_shown = match beside::own_rows(&model.layout(), model) {
        Some(aligned) => aligned.contains(&Some(row)),
        None => rows.from(model.reader.scroll).take(height).any(|shown| shown == row),
    };
    is_shown && (wraps || is_column_seen())
}

/// The reader's position: the target of the last jump, or after scrolling the first visible byte.
pub(crate) fn reached(model: &Model) -> usize {
    match (model.reader.jumped, model.reader.preview.document.as_ref()) {
        (Some((then, byte)), _) if then == model.reader.scroll => byte,
        (_, Some(document)) => {
            let rows = rows_of(model, document);
            rows.from(model.reader.scroll).next().map_or(0, |row| rows.start_of(row))
        }
        (_, None) => 0,
    }
}

/// Scrolls the document by a number of rows.
pub(crate) fn scroll(model: &mut Model, by: isize) {
    let Some(document) = model.document().cloned() else { return };
    let height = usize::from(model.layout().document.height);
    let rows = rows_of(model, &document);
    rows.scroll(&mut model.reader.scroll, by);
    if by > 0 {
        // No empty rows below the last line.
        let reached = model.reader.scroll.row();
        let shown = rows.from(model.reader.scroll).take(height).count();
        rows.scroll(&mut model.reader.scroll, shown as isize - height as isize);
        // Rows of another copy beside it take up a part of the screen.
        let last = rows.row_at(document.text.len());
        let is_cut = |model: &Model| {
            beside::own_rows(&model.layout(), model).is_some_and(|aligned| !aligned.contains(&Some(last)))
        };
        while model.reader.scroll.row() < reached && is_cut(model) {
            rows.scroll(&mut model.reader.scroll, 1);
        }
    }
}

/// Scrolls the document sideways, not beyond the longest visible line.
pub(crate) fn scroll_sideways(model: &mut Model, by: isize) {
    let Some(document) = model.document().cloned() else { return };
    if model.wraps() {
        let wrap = model.settings.keymap.key_or_name(Action::Wrap);
        return model.say(format!("Lines are wrapped; {wrap} shows them whole."));
    }
    let (width, height) = (model.text_width(&document), usize::from(model.layout().document.height));
    let rows = Rows::new(&document, width, false);
    let column = model.reader.scroll.column.saturating_add_signed(by);
    let goes_on = |row: RowStart| {
        let (_, text) = line(&document, row.line);
        column_of(text, text.len()) > model.reader.scroll.column + width
    };
    if by < 0 || rows.from(model.reader.scroll).take(height).any(goes_on) {
        model.reader.scroll.column = column;
    }
}

/// Switches line wrapping for this kind of document; the first visible text stays.
pub(crate) fn toggle_wrap(model: &mut Model) {
    let Some(document) = model.document().cloned() else { return };
    let (width, wraps) = (model.text_width(&document), !model.wraps());
    let (start, text) = line(&document, model.reader.scroll.line);
    let byte = if wraps { seek(text, model.reader.scroll.column).0 } else { model.reader.scroll.byte };
    model.reader.wrap(&document, wraps);
    let row = Rows::new(&document, width, wraps).row_at(start + byte);
    let column = if wraps { 0 } else { column_of(text, byte) };
    let column = if column < width { 0 } else { column };
    model.reader.scroll = Scroll { line: row.line, byte: row.byte, column };
}

/// Goes to a line by its number, from 1.
pub(crate) fn go_to_line(model: &mut Model, number: usize) {
    let Some(document) = model.document().cloned() else { return };
    let count = document.line_starts.len();
    if number > count {
        model.say(format!("The document has {count} lines."));
    }
    let line = number.clamp(1, count.max(1)) - 1;
    jump_to(model, document.line_starts.get(line).map_or(0, |&start| start as usize), true);
}

/// The index of the next or previous of some ascending positions, and whether it is found around the end.
fn neighbour(positions: &[u64], at: u64, is_forward: bool) -> Option<(usize, bool)> {
    let last = positions.len().checked_sub(1)?;
    let next = match is_forward {
        true => Some(positions.partition_point(|&position| position <= at)).filter(|next| *next <= last),
        false => positions.partition_point(|&position| position < at).checked_sub(1),
    };
    Some(next.map_or((if is_forward { 0 } else { last }, true), |next| (next, false)))
}

/// Goes to the next or previous duplicated stretch that is not taboo.
pub(crate) fn go_to_stretch(model: &mut Model, is_forward: bool) {
    let Some(document) = model.document().cloned() else { return };
    let runs = document.duplicated.iter().filter(|run| !run.taboo).map(|run| run.span.start);
    let copies = model.reader.preview.copies.iter().map(|span| span.start);
    let mut starts: Vec<u64> = runs.chain(copies).collect();
    starts.sort_unstable();
    let Some((next, is_around)) = neighbour(&starts, reached(model) as u64, is_forward) else {
        return model.say("Nothing duplicated is known in this document.");
    };
    if is_around {
        let examined = document.examined;
        let is_known =
            if is_forward { examined.end >= document.text.len() as u64 } else { examined.start == 0 };
        model.say(match (is_known, is_forward) {
            (false, _) => "What lies beyond is not looked through; on from the other side.",
            (true, true) => "The first duplicated stretch again.",
            (true, false) => "The last duplicated stretch.",
        });
    }
    jump(model, starts[next] as usize);
}

/// Goes to the next or previous difference from the copy that is shown beside the current one.
pub(crate) fn go_to_difference(model: &mut Model, is_forward: bool) {
    if model.reader.preview.beside.is_none() {
        return model.say("The two copies are not compared now.");
    }
    let all = model.reader.preview.differences();
    let Some((next, is_around)) = neighbour(&all, reached(model) as u64, is_forward) else {
        return model.say("The two copies have the same words.");
    };
    jump(model, all[next] as usize);
    let [number, all] = [next + 1, all.len()].map(|number| grouped(number as u64));
    let around = match (is_around, is_forward) {
        (false, _) => "",
        (true, true) => ", the first one again",
        (true, false) => ", the last one",
    };
    model.say(format!("Difference {number} of {all}{around}."));
}

/// Goes to the part of the document that a cell of the overview strip stands for.
pub(crate) fn go_to_cell(model: &mut Model, cell: usize) {
    let Some(document) = model.document().cloned() else { return };
    let height = usize::from(model.layout().strip.height);
    let scale = StripScale::new(&document, model.text_width(&document), height, model.wraps());
    let current = model.reader.preview.occurrences.get(model.reader.preview.current);
    let current = current.map(|at| document.in_lines(at.text_span).0);
    let byte = target(&scale, current, &model.reader.preview.copies, cell);
    jump_to(model, byte, false);
}

/// Searches for a pattern from the position where the search began; called after every typed letter.
pub(crate) fn search_for(model: &mut Model, pattern: &str) {
    let Some(document) = model.document().cloned() else { return };
    if model.reader.search.as_ref().is_some_and(|search| search.pattern == pattern) {
        return;
    }
    let origin = model.reader.search.take().map_or(model.reader.scroll, |search| search.origin);
    (model.reader.scroll, model.reader.jumped, model.dialogue.message) = (origin, None, None);
    let byte = reached(model);
    let mut search = TextSearch::new(pattern, &document, byte, origin);
    search.target = Some(SearchTarget { byte, is_forward: true });
    model.reader.search = Some(search);
    search_shown_documents(model);
}

/// Starts a new search here; the old matches stay until something is typed.
pub(crate) fn begin_search(model: &mut Model) {
    if let Some(search) = &mut model.reader.search {
        search.origin = model.reader.scroll;
    }
}

/// Goes to the next or previous match.
pub(crate) fn search_next(model: &mut Model, is_forward: bool) {
    let from = reached(model);
    let Some(search) = &mut model.reader.search else {
        return model.say("There is no search in this document.");
    };
    let byte = match search.current {
        Some(current) if is_forward => current.start as usize + 1,
        Some(current) => current.start as usize,
        None => from,
    };
    search.target = Some(SearchTarget { byte, is_forward });
    // Cancelling no longer returns to where the search began.
    search.origin = model.reader.scroll;
    go_to_wanted(model, true);
}

/// Ends the search and returns to where it began.
pub(crate) fn cancel_search(model: &mut Model) {
    if let Some(search) = model.reader.search.take() {
        model.reader.scroll = search.origin;
    }
}

/// Applies the search to the documents that are shown now.
pub(crate) fn search_shown_documents(model: &mut Model) {
    let Some(document) = model.document().cloned() else { return };
    let beside = model.reader.preview.beside.as_ref().map(|beside| beside.document.clone());
    let is_itself = |beside: &std::sync::Arc<_>| std::sync::Arc::ptr_eq(beside, &document);
    if let Some(search) = &mut model.reader.search {
        search.turn_to(&document, beside.filter(|beside| !is_itself(beside)).as_deref(), model.reader.scroll);
    }
}

/// Searches one more slice.
pub(crate) fn advance_search(model: &mut Model) {
    if let Some(search) = &mut model.reader.search {
        search.advance();
        go_to_wanted(model, false);
    }
}

/// Goes to the wanted match once it is found.
fn go_to_wanted(model: &mut Model, is_told: bool) {
    let Some(search) = &mut model.reader.search else { return };
    let Some(target) = search.target else { return };
    match search.next(target) {
        SearchStep::Match(span, is_around) => {
            search.target = None;
            search.stand_on(span);
            jump(model, span.start as usize);
            if is_around {
                model.say(if target.is_forward { "The first match again." } else { "The last match." });
            }
        }
        SearchStep::NotYet if is_told => model.say("Searching…"),
        SearchStep::NotYet => {}
        SearchStep::Nothing => {
            search.target = None;
            if is_told {
                model.say("Nothing was found.");
            }
        }
    }
}
