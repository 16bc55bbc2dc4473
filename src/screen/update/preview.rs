//! The preview: takes it in, asks for it, moves between copies, and pins the copy that the others are compared with. Tells
//! whether a passage overlaps a copy.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::action::Action;
use crate::document::{Document, Scroll};
use crate::event::Effect;
use crate::highlight::HighlightJob;
use crate::model::{COMPARED_LATER, Focus, Model, NO_ROW};
use crate::reader::{CopyTask, PendingTask};
use crate::update::dragging::keep_selection;
use crate::update::scrolling::{jump_to, search_shown_documents};
use crate::view::beside;
use crate::view::copies::ALONE;
use crate::views::documents::is_of_folders;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_session::{Item, Preview, Request};

/// Lines outside the screen that are coloured too.
const MARGIN: usize = 200;

/// Takes in a preview of the selected row, unless it has less to show than the current one.
pub(crate) fn on_preview(model: &mut Model, preview: Arc<Preview>) {
    let is_of_selection = preview.row.as_ref().is_some_and(|row| Some(row.id()) == model.list.selected);
    // After a change the search for copies starts empty: keep showing the old preview until there is more.
    let begins_anew = preview.document.is_none() && preview.unread > 0 && model.document().is_some();
    if !is_of_selection || begins_anew {
        return;
    }
    if let Some(copy) = &model.reader.copy {
        match place_of(copy, &preview) {
            Some(at) if at != model.reader.current => {
                model.reader.current = at;
                return ask_preview(model);
            }
            None if can_still_arrive(copy, &preview) => return,
            _ => {}
        }
    }
    let place = |preview: &Preview| {
        let occurrence = preview.occurrences.get(preview.current)?;
        preview.document.is_some().then(|| (preview.row.as_ref().map(Item::id), occurrence.clone()))
    };
    let is_new = place(&preview).is_some() && place(&preview) != place(&model.reader.preview);
    let path = |preview: &Preview| preview.document.as_ref().map(|document| document.path.clone());
    let is_other_text = preview.document.is_some() && path(&preview) != path(&model.reader.preview);
    if preview.unread == 0 {
        model.reader.current = model.reader.current.min(preview.occurrences.len().saturating_sub(1));
    }
    let is_wanted = preview.document.is_some() && preview.current == model.reader.current;
    model.reader.copy = preview.occurrences.get(model.reader.current).filter(|_| is_wanted).cloned();
    model.reader.preview = preview;
    if is_new {
        scroll_to_current(model);
    } else {
        keep_selection(model);
        keep_to_text(model, is_other_text);
    }
    search_shown_documents(model);
}

/// The index of the copy nearest to an earlier one in the same document.
pub(crate) fn place_of(copy: &Occurrence, preview: &Preview) -> Option<usize> {
    let is_there = |(_, at): &(usize, &Occurrence)| (&at.path, at.record) == (&copy.path, copy.record);
    let there = preview.occurrences.iter().enumerate().filter(is_there);
    there.min_by_key(|(_, at)| at.text_span.start.abs_diff(copy.text_span.start)).map(|(at, _)| at)
}

/// Whether the document of a copy can still be read: documents are read in the order of their paths.
fn can_still_arrive(copy: &Occurrence, preview: &Preview) -> bool {
    preview.unread > 0 && preview.occurrences.last().is_none_or(|last| last.path < copy.path)
}

/// Without copies a document is shown from its beginning; a shortened file is not shown beyond its end.
fn keep_to_text(model: &mut Model, is_other_text: bool) {
    let Some(document) = &model.reader.preview.document else { return };
    if is_other_text && model.reader.preview.occurrences.is_empty() {
        model.reader.scroll = Scroll::default();
    } else if model.reader.scroll.line >= document.line_starts.len() {
        let line = document.line_starts.len().saturating_sub(1);
        model.reader.scroll = Scroll { line, byte: 0, ..model.reader.scroll };
    }
}

/// Scrolls so that the current copy is a third down from the top.
fn scroll_to_current(model: &mut Model) {
    let Some(occurrence) = model.reader.preview.occurrences.get(model.reader.preview.current).cloned() else {
        return;
    };
    let start = model.document().map_or(occurrence.text_span, |of| of.in_lines(occurrence.text_span).0).start;
    jump_to(model, start as usize, occurrence.end_line > occurrence.line);
}

/// Requests the preview of the selected row.
pub(crate) fn ask_preview(model: &mut Model) {
    if let Some(row) = model.list.row().cloned() {
        model.ask(Request::Preview { row, current: model.reader.current });
    }
}

/// Moves to another copy, relative to the wanted one.
pub(crate) fn go_to_copy(model: &mut Model, by: isize) {
    let is_known = model.is_previewed()
        && (model.reader.preview.unread == 0 || !model.reader.preview.occurrences.is_empty());
    if !is_known {
        // The copies of the row are not known yet.
        model.reader.want_copy(model.reader.current.saturating_add_signed(by));
        return ask_preview(model);
    }
    let known = model.reader.preview.occurrences.len();
    if known == 0 {
        return;
    }
    // Relative to the wanted copy; the shown one may be older.
    let is_read = model.reader.preview.unread == 0;
    let from = |at: isize| match usize::try_from(at) {
        Err(_) => (known - 1, Some("The last copy that is known.")),
        Ok(at) if at < known => (at, None),
        Ok(at) if !is_read => (at, Some("More copies are being read.")),
        Ok(_) => (0, Some("The first copy again.")),
    };
    let (mut wanted, mut words) = from(model.reader.current as isize + by);
    if is_reference(model, wanted) {
        // It is beside all others: there is nothing to compare it with.
        let (behind, more) = from(wanted as isize + by.signum());
        if behind == model.reader.current {
            return model.say("There are no other copies than these two.");
        }
        (wanted, words) = (behind, words.or(more));
    }
    if let Some(words) = words {
        model.say(words);
    }
    model.reader.want_copy(wanted);
    ask_preview(model);
}

/// Whether a copy is the one that others are compared with, side by side.
fn is_reference(model: &Model, number: usize) -> bool {
    let preview = &model.reader.preview;
    let reference = preview.beside.as_ref().filter(|_| model.beside.is_some() && !is_itself(preview));
    reference.is_some_and(|beside| preview.occurrences.get(number) == Some(&beside.at))
}

/// Requests colours if visible lines have none.
pub(crate) fn want_colours(model: &mut Model) {
    let shown = shown_lines(model);
    let asked = &model.reader.asked_colours;
    let known = |lines: &HighlightJob| asked.iter().find(|asked| asked.covers(lines)).cloned();
    if !shown.iter().all(|lines| known(lines).is_some()) {
        let wider = |of: HighlightJob| {
            let end = (of.lines.end + MARGIN).min(of.document.line_starts.len());
            HighlightJob { lines: of.lines.start.saturating_sub(MARGIN)..end, ..of }
        };
        // All that is shown, because the request replaces one that may not be answered yet. What was requested before
        // is requested with the same lines, so that its colours are in the cache.
        model.reader.asked_colours =
            shown.into_iter().map(|lines| known(&lines).unwrap_or_else(|| wider(lines))).collect();
        model.effects.push(Effect::Highlight(model.reader.asked_colours.clone()));
    }
}

/// The lines on the screen: those of the document, then those of the copy that is shown beside it.
fn shown_lines(model: &Model) -> Vec<HighlightJob> {
    let Some(document) = model.document() else { return Vec::new() };
    let layout = model.layout();
    let lines = |document: &Document, from: usize, area: Rect, is_beside| {
        let count = document.line_starts.len();
        let lines = from.min(count)..(from + usize::from(area.height)).min(count);
        HighlightJob { document: Arc::clone(document), lines, is_beside }
    };
    let own = lines(document, model.reader.scroll.line, layout.document, false);
    let panes = model.beside.and_then(|_| beside::panes(&layout, model));
    let other = panes.map(|[_, pane]| lines(pane.document, pane.scroll.line, pane.area, true));
    std::iter::once(own).chain(other).collect()
}

/// Compares the current copy with the reference copy, or ends the comparison. From the reference copy itself it moves
/// to another copy first. Until two copies are read, the comparison is pending.
pub(crate) fn toggle_beside(model: &mut Model) {
    if model.beside.is_some() {
        return leave_beside(model);
    }
    if model.list.row().is_none() {
        return model.say(NO_ROW);
    }
    if has_no_copies(model) {
        return model.say(ALONE);
    }
    if !can_compare(model) {
        let row = model.list.row().map(Item::id);
        let current = model.reader.current;
        model.reader.pending = row.map(|row| PendingTask { row, current, task: CopyTask::Compare });
        return model.say(COMPARED_LATER);
    }
    let (is_itself, number) = (is_itself(&model.reader.preview), model.reader.preview.current);
    let known = model.reader.preview.occurrences.len();
    if is_itself && known < 2 {
        return model.say("Its other copies cannot be read now.");
    }
    model.beside = Some(model.focus);
    model.focus = Focus::Document;
    if is_itself {
        go_to_copy(model, if number + 1 < known { 1 } else { -1 });
    } else {
        scroll_to_current(model);
    }
}

/// Whether enough is known of the selected row to compare two copies, or to say that there are none.
pub(crate) fn can_compare(model: &Model) -> bool {
    let preview = &model.reader.preview;
    let is_alone = is_itself(preview) && preview.occurrences.len() < 2 && preview.unread > 0;
    has_no_copies(model) || (model.is_previewed() && preview.is_compared && !is_alone)
}

/// Whether the current copy is the reference copy.
fn is_itself(preview: &Preview) -> bool {
    let current = preview.occurrences.get(preview.current);
    preview.beside.as_ref().is_some_and(|beside| Some(&beside.at) == current)
}

/// Whether it is certain that the selected row has no copies to compare.
fn has_no_copies(model: &Model) -> bool {
    let preview = &model.reader.preview;
    let is_known = preview.document.is_some() || preview.problem.is_some();
    model.is_previewed() && is_known && preview.unread == 0 && preview.occurrences.is_empty()
}

/// Without rows the list has the focus, and without copies there is no comparison. Only the document that is read fills
/// the screen: who leaves it sees all panes, then and later.
pub(crate) fn settle(model: &mut Model) {
    if model.list.listing.complete && model.list.listing.rows.is_empty() {
        (model.beside, model.focus) = (None, Focus::Rows);
    } else if model.beside.is_some() && has_no_copies(model) {
        leave_beside(model);
        model.say(ALONE);
    } else if matches!(model.list.row(), Some(Item::Aside(_))) || is_of_folders(model.list.row()) {
        // The line of a kind has no document, and folders as a whole have none.
        (model.beside, model.focus) = (None, Focus::Rows);
    }
    model.reader.split.is_zoomed &= model.focus == Focus::Document;
}

/// Ends the comparison and returns to the list.
pub(crate) fn leave_beside(model: &mut Model) {
    if let Some(focus) = model.beside.take() {
        model.focus = focus;
        scroll_to_current(model);
    }
}

/// Compares the other copies of the selected passage with the current one; if they are, with the representative again.
pub(crate) fn toggle_pin(model: &mut Model) {
    let passage = match model.list.row() {
        None => return model.say(NO_ROW),
        Some(Item::Passage(passage)) => passage,
        Some(_) => {
            let key = model.settings.keymap.key_or_name(Action::PassagesOf);
            return model.say(format!("This works on passages only: {key} shows the passages of this row."));
        }
    };
    let preview = &model.reader.preview;
    let copy = preview.occurrences.get(model.reader.current).filter(|_| model.is_previewed());
    let Some(copy) = copy.cloned() else { return model.say("This copy is not read yet.") };
    let key = model.settings.keymap.key_or_name(Action::Pin);
    let id = passage.id;
    let request = match (passage.is_base(&copy), passage.pinned) {
        (true, false) => return model.say("The other copies are compared with this one already."),
        (true, true) => {
            model.say("The copies are compared with the most typical one again.");
            Request::Pin { id, copy: None }
        }
        (false, _) => {
            let is_swapped = swap_sides(model);
            model.say(match is_swapped {
                true => format!(
                    "The other copies are compared with the left one now; {key} swaps the sides back."
                ),
                false => {
                    format!("The other copies are compared with this one now; {key} on it again ends that.")
                }
            });
            Request::Pin { id, copy: Some(copy) }
        }
    };
    model.ask(request);
}

/// Side by side, makes the reference copy the current one, as the current one becomes the reference. Returns whether it
/// did.
fn swap_sides(model: &mut Model) -> bool {
    let preview = &model.reader.preview;
    let reference = preview.beside.as_ref().filter(|_| model.beside.is_some()).map(|beside| &beside.at);
    let number = reference.and_then(|at| place_of(at, preview));
    let Some(number) = number else { return false };
    model.reader.want_copy(number);
    ask_preview(model);
    true
}

/// For each file its stretches by their first bytes: this byte, and the farthest end up to this stretch.
pub(super) struct Stretches<'a>(HashMap<&'a Path, Vec<(u64, u64)>>);

impl<'a> Stretches<'a> {
    /// Where some copies stand.
    pub(super) fn from_copies(copies: &[&'a Occurrence]) -> Self {
        let mut files: HashMap<&Path, Vec<(u64, u64)>> = HashMap::new();
        for copy in copies {
            files.entry(&copy.path).or_default().push((copy.text_span.start, copy.text_span.end));
        }
        for stretches in files.values_mut() {
            stretches.sort_unstable();
            let mut farthest = 0;
            for (_, end) in stretches {
                farthest = farthest.max(*end);
                *end = farthest;
            }
        }
        Self(files)
    }

    /// Whether one of them overlaps a stretch of a file.
    pub(super) fn overlap(&self, path: &Path, span: ByteSpan) -> bool {
        let Some(stretches) = self.0.get(path) else { return false };
        let before = stretches.partition_point(|(start, _)| *start < span.end);
        before.checked_sub(1).is_some_and(|last| span.start < stretches[last].1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn occurrence(path: &str, span: ByteSpan) -> Occurrence {
        Occurrence {
            path: path.into(),
            record: None,
            span,
            text_span: span,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
        }
    }

    proptest! {
        #[test]
        fn overlaps_are_those_of_a_naive_search(
            copies in prop::collection::vec(("[ab]", 0..40_u64, 0..9_u64), 0..12),
            start in 0..40_u64,
            length in 0..9_u64,
        ) {
            let copies: Vec<Occurrence> = copies
                .into_iter()
                .map(|(path, start, length)| occurrence(&path, ByteSpan { start, end: start + length }))
                .collect();
            let span = ByteSpan { start, end: start + length };
            let naive = copies.iter().any(|copy| {
                let own = copy.text_span;
                own.start < span.end && span.start < own.end && copy.path == Path::new("a")
            });
            let copies: Vec<&Occurrence> = copies.iter().collect();
            prop_assert_eq!(Stretches::from_copies(&copies).overlap(Path::new("a"), span), naive);
        }
    }
}
