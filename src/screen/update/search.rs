//! Search in the document: while the pattern is typed, to the next or previous match, and its end.

use super::scrolling::{jump, reached};
use crate::model::Model;
use crate::reader::{SearchStep, SearchTarget, TextSearch};

/// Searches for a pattern from the position where the search began; called after every typed letter.
pub(super) fn search(model: &mut Model, pattern: &str) {
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
pub(super) fn begin_search(model: &mut Model) {
    if let Some(search) = &mut model.reader.search {
        search.origin = model.reader.scroll;
    }
}

/// Goes to the next or previous match.
pub(super) fn search_next(model: &mut Model, is_forward: bool) {
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

/// Ends the search.
pub(super) fn stop_search(model: &mut Model) {
    model.reader.search = None;
}

/// Ends the search and returns to where it began.
pub(super) fn cancel_search(model: &mut Model) {
    if let Some(search) = model.reader.search.take() {
        model.reader.scroll = search.origin;
    }
}

/// Applies the search to the documents that are shown now.
pub(super) fn search_shown_documents(model: &mut Model) {
    let Some(document) = model.document().cloned() else { return };
    let beside = model.reader.preview.beside.as_ref().map(|beside| beside.document.clone());
    let is_itself = |beside: &std::sync::Arc<_>| std::sync::Arc::ptr_eq(beside, &document);
    if let Some(search) = &mut model.reader.search {
        search.turn_to(&document, beside.filter(|beside| !is_itself(beside)).as_deref(), model.reader.scroll);
    }
}

/// Searches one more slice.
pub(super) fn advance_search(model: &mut Model) {
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
