//! The only place where the state changes: takes an event, returns effects, does no input or output.

pub(crate) mod actions;
pub(crate) mod decisions;
pub(crate) mod dragging;
pub(crate) mod held_keys;
pub(crate) mod input;
pub(crate) mod overlay;
pub(crate) mod preview;
pub(crate) mod prompt;
pub(crate) mod rows;
pub(crate) mod scrolling;
pub(crate) mod tasks;
pub(crate) mod views;

use std::path::Path;
use std::time::Duration;

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent};
use crate::model::{Model, NOT_YET, Overlay};
use crate::update::input::on_mouse;
use crate::update::preview::{on_preview, settle, want_colours};
use crate::update::rows::{keep_in_view, on_rows, settle_selection, want_more_rows};
use crate::update::scrolling::retry_jump;
use dupi_session::{Phase, Progress, Request, Update, WriteResult};

/// Shows a view before the first event; the first request to the session asks for its rows.
pub(super) fn begin_at(model: &mut Model, page: ViewPage) {
    views::show(model, page);
    model.effects.clear();
    // What was filtered in an earlier review says nothing of this one.
    model.list.view.filter = String::new();
}

/// Processes an event and returns the effects to perform.
pub(super) fn update(model: &mut Model, event: TuiEvent, now: Duration) -> Vec<Effect> {
    model.now = now;
    match event {
        TuiEvent::Read(_, event) => return update(model, *event, now),
        TuiEvent::Key(key) => input::on_key(model, key),
        TuiEvent::Mouse(mouse) => {
            let (said, before) =
                (model.dialogue.message.clone(), (model.page, model.list.selected, model.reader.current));
            on_mouse(model, mouse);
            // As with a key, an older message is removed.
            if before != (model.page, model.list.selected, model.reader.current)
                && model.dialogue.message == said
            {
                model.dialogue.message = None;
            }
        }
        TuiEvent::Paste(text) => prompt::on_paste(model, &text),
        TuiEvent::Resize(columns, lines) => model.size = (columns, lines),
        TuiEvent::Session(update) => on_update(model, update),
        TuiEvent::Highlighted(colours) => model.reader.colour(colours),
        TuiEvent::FilterOutcome(kept) => {
            if let Some(request) = prompt::on_filter_outcome(model, kept) {
                model.ask(request);
            }
        }
        TuiEvent::Copied(sentence) => model.say(sentence),
        TuiEvent::Terminate => model.effects.push(Effect::Quit),
        TuiEvent::Stop => model.effects.push(Effect::Suspend),
        TuiEvent::Continued => model.effects.push(Effect::Take),
        // Colours depend on the background.
        TuiEvent::Background(_) => {
            (model.reader.colours, model.reader.asked_colours) = ([None, None], Vec::new());
        }
        TuiEvent::Tick | TuiEvent::UpdatesWaiting | TuiEvent::Returned => {}
    }
    play_held_keys(model);
    settle(model);
    tasks::run_pending(model);
    overlay::show_next_overlay(model);
    scrolling::advance_search(model);
    dragging::keep_scrolling(model);
    keep_in_view(model);
    retry_jump(model);
    want_more_rows(model);
    want_colours(model);
    std::mem::take(&mut model.effects)
}

/// Replays held keys once the rows are there; after a while without rows, says that keys are waiting.
fn play_held_keys(model: &mut Model) {
    let is_free = model.dialogue.prompt.is_none() && model.dialogue.overlay.is_none();
    if !model.held_keys.is_empty() && !held_keys::awaits_rows(model) && is_free {
        model.dialogue.message = None;
        for key in model.held_keys.take() {
            if held_keys::confirms(model, key) {
                model.say(NOT_YET);
                break;
            }
            // A key that leads to other rows makes the remaining keys wait for these.
            model.effects = update(model, TuiEvent::Key(key), model.now);
        }
    }
    if model.held_keys.said_at().is_some_and(|at: Duration| at <= model.now) && model.said().is_none() {
        model.say(model.held_keys.words());
    }
}

fn on_update(model: &mut Model, update: Update) {
    match update {
        Update::Progress(progress) => on_progress(model, progress),
        Update::Changed(files) => return model.changes.add(files, model.now),
        Update::Rows(listing) => on_rows(model, listing),
        Update::Searching(search) => model.passage_search = search,
        Update::Comparing(search) => model.cluster_search = search,
        Update::Reviewing(search) => model.review_search = search,
        answer => return on_answer(model, answer),
    }
    settle_selection(model);
}

/// Takes in the answer to a request.
fn on_answer(model: &mut Model, answer: Update) {
    match (answer, &mut model.dialogue.overlay) {
        // An answer about another copy, about other rows or other criteria is ignored.
        (Update::Blame(answer), Some(Overlay::Blame(at, known, _))) if *at == answer.at => {
            *known = Some(answer);
        }
        (Update::TabooPreview(hides), Some(Overlay::Before(before))) if before.rows == hides.rows => {
            before.hides = Some(hides);
        }
        (Update::Tried(of, state), Some(Overlay::Criteria(form)))
            if form.criteria == of && form.trial.is_some() =>
        {
            form.trial = Some(state);
        }
        (Update::Skipped(files), Some(Overlay::Skipped(known, _))) => *known = Some(files),
        (Update::Preview(preview), _) => on_preview(model, preview),
        (Update::Decided { sentence, result }, _) => decisions::report_decision(model, &sentence, result),
        (Update::Notice(sentence), _) => model.say(sentence),
        (Update::Written(WriteResult::Exists(file)), _)
            if is_last_export(model.dialogue.writing.as_ref(), &file) =>
        {
            let question = model.dialogue.writing.take().map(|request| Overlay::Replace(request, file));
            model.dialogue.waiting.extend(question);
        }
        (Update::Written(written), _) => model.say(written.to_string()),
        (Update::Text(text), _) => model.effects.push(Effect::Copy(text)),
        (Update::Places(answer), _) => tasks::on_places(model, &answer),
        (Update::Activity(activity), _) => model.activity = Some(activity),
        (Update::Names(names), _) => {
            if let Some(prompt) = &mut model.dialogue.prompt {
                prompt.names = names;
            }
        }
        (Update::Mismatch(sentence), Some(Overlay::Mismatch(asked))) => *asked = sentence,
        (Update::Mismatch(sentence), _) => {
            model.dialogue.waiting.retain(|question| !matches!(question, Overlay::Mismatch(_)));
            model.dialogue.waiting.push(Overlay::Mismatch(sentence));
        }
        _ => {}
    }
}

/// Whether the last export was requested for this file.
fn is_last_export(last: Option<&Request>, file: &Path) -> bool {
    matches!(last, Some(Request::Export { file: asked, .. } | Request::ExportTaboo { file: asked, .. }) if asked == file)
}

/// Reports when another process becomes the writer of the index, or ceases to be.
fn on_progress(model: &mut Model, progress: Progress) {
    let before = model.progress.as_ref().and_then(|before| before.read_only.clone());
    match &progress.read_only {
        Some(holder) if before.as_ref() != Some(holder) => model.say(format!(
            "Read only: {holder} writes this index. What it commits is shown here, and what you decide is kept."
        )),
        None if before.is_some() => model.say("The index is free again: changes are followed from here."),
        _ => {}
    }
    if progress.phase == Phase::Idle {
        model.changes.end();
    }
    model.progress = Some(progress);
}
