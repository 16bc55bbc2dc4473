//! Keys in the prompt: a filter, a search, a line number, a reason or a file name.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::action::Action;
use crate::event::Effect;
use crate::filters::FilterOutcome;
use crate::input_line::InputLine;
use crate::model::{Ask, Model, NO_ROW, Overlay, Prompt};
use crate::update::rows::{ask_decision, set_filter};
use crate::update::scrolling::{cancel_search, go_to_line, search_for};
use crate::views::list_for_row;
use dupi_base::storage::{shown, unspelled};
use dupi_index::taboo::TabooEntry;
use dupi_session::{Item, Request};

/// Opens a prompt.
pub(crate) fn ask(model: &mut Model, ask: Ask, text: &str) {
    model.dialogue.prompt = Some(Prompt::new(ask, InputLine::new(text)));
}

/// Opens the filter prompt with the current filter.
pub(crate) fn ask_filter(model: &mut Model) {
    let filter = model.list.view.filter.clone();
    let line = if filter.is_empty() { filter } else { filter + " " };
    model.dialogue.prompt = Some(Prompt::new(Ask::Filter, InputLine::new(line)));
    model.ask(Request::Names);
}

/// Opens the prompt for the export file.
pub(crate) fn ask_export(model: &mut Model) {
    // Of a review all that is shown is one report.
    let is_whole = model.list.view.of.is_from_review() && model.list.marks.is_empty();
    let rows = if is_whole { model.list.listing.rows.clone() } else { model.list.chosen() };
    if rows.is_empty() {
        return model.say(NO_ROW);
    }
    let file = model.settings.files_in.join(list_for_row(&rows[0]).export.file);
    ask(model, Ask::Export(rows), &shown(&file).text());
}

/// Closes the prompt after a click elsewhere, if its text has taken effect already.
pub(crate) fn on_click(model: &mut Model, is_on_tab: bool) {
    let shows_at_once = |prompt: &Prompt| matches!(prompt.ask, Ask::Filter | Ask::Search | Ask::GoToLine);
    if let Some(closed) = model.dialogue.prompt.take_if(|prompt| is_on_tab || shows_at_once(prompt))
        && closed.ask == Ask::Filter
    {
        model.dialogue.filters.add(closed.line.text());
    }
}

/// Whether a key closes a prompt or a question. Other keys can be part of the text.
pub(crate) fn leaves(key: KeyEvent, action: Option<Action>) -> bool {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    key.code == KeyCode::Esc || (is_control && action == Some(Action::Back))
}

/// Processes a key; `false` if it has its usual meaning.
pub(crate) fn on_prompt(model: &mut Model, key: KeyEvent) -> bool {
    let action = model.settings.keymap.action_of(key, model.key_context());
    let Some(prompt) = &mut model.dialogue.prompt else { return false };
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if is_control => return false,
        _ if is_control && matches!(action, Some(Action::Suspend | Action::Redraw)) => return false,
        _ if leaves(key, action) => cancel(model),
        KeyCode::Char('s') if is_control && prompt.ask == Ask::Filter => {
            let filter = prompt.line.text().trim().to_owned();
            if !filter.is_empty() {
                model.dialogue.filters.add(&filter);
                ask(model, Ask::SaveFilter(filter), "");
            }
        }
        KeyCode::Tab if prompt.ask == Ask::Filter => complete(model),
        KeyCode::Up | KeyCode::Down if prompt.ask == Ask::Filter => {
            recall(model, key.code == KeyCode::Up);
        }
        KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => {
            return !matches!(prompt.ask, Ask::Filter | Ask::Search);
        }
        KeyCode::Enter => answer(model),
        KeyCode::Backspace if prompt.line.text().is_empty() => cancel(model),
        _ => {
            if prompt.line.take(key) {
                typed(model);
            }
        }
    }
    true
}

/// Inserts pasted text.
pub(crate) fn on_paste(model: &mut Model, text: &str) {
    let is_whole = match (&mut model.dialogue.prompt, &mut model.dialogue.overlay) {
        (Some(prompt), _) => {
            let is_whole = prompt.line.insert(text);
            typed(model);
            is_whole
        }
        (None, Some(Overlay::Palette(line, _))) => line.insert(text),
        (None, Some(Overlay::Before(before))) => before.reason.insert(text),
        _ => true,
    };
    if !is_whole {
        model.say(format!(
            "A line holds at most {} bytes; the rest of the pasted text was omitted.",
            InputLine::MOST
        ));
    }
}

/// Shows the next older or newer of the earlier filters, and below the newest the typed text.
fn recall(model: &mut Model, is_older: bool) {
    let Some(prompt) = &mut model.dialogue.prompt else { return };
    let step = model.dialogue.filters.step(prompt.walk.as_ref(), prompt.line.text(), is_older);
    if let Some((text, walk)) = step {
        (prompt.line, prompt.walk) = (InputLine::new(text), Some(walk));
        apply(model);
    }
}

/// Takes in that the text was edited: it is what the user has typed from now on.
fn typed(model: &mut Model) {
    if let Some(prompt) = &mut model.dialogue.prompt {
        prompt.walk = None;
    }
    apply(model);
}

/// Applies the text at once where that is fast.
fn apply(model: &mut Model) {
    let Some(Prompt { ask, line, .. }) = &model.dialogue.prompt else { return };
    let text = line.text().trim().to_owned();
    match ask {
        Ask::Filter => set_filter(model, text),
        Ask::Search => search_for(model, &text),
        _ => {}
    }
}

/// Inserts the first completion.
fn complete(model: &mut Model) {
    let Some(prompt) = &model.dialogue.prompt else { return };
    let found = model.candidates(prompt);
    if let (Some(first), Some(prompt)) = (found.into_iter().next(), &mut model.dialogue.prompt) {
        prompt.line.replace(first.span, &first.text);
        typed(model);
    }
}

fn cancel(model: &mut Model) {
    match model.dialogue.prompt.take().map(|prompt| prompt.ask) {
        Some(Ask::Filter) => set_filter(model, String::new()),
        Some(Ask::Search) => cancel_search(model),
        _ => {}
    }
}

/// Processes Enter.
fn answer(model: &mut Model) {
    // The prompt stays open until the problem is solved.
    let is_wrong = |prompt: &mut Prompt| prompt.ask.problem(prompt.line.text()).is_some();
    let Some(Prompt { ask, line, .. }) = model.dialogue.prompt.take_if(|prompt| !is_wrong(prompt)) else {
        return;
    };
    let text = line.text().trim().to_owned();
    match ask {
        Ask::Search if text.is_empty() => cancel_search(model),
        // Both take effect while they are typed.
        Ask::Filter => model.dialogue.filters.add(&text),
        Ask::Search => {}
        Ask::GoToLine => match text.parse::<usize>() {
            Ok(number) => go_to_line(model, number),
            Err(_) if text.is_empty() => {}
            Err(_) => model.say(format!("`{text}` is not a line number.")),
        },
        Ask::Reason(scope, entry) => {
            let reason = Some(text).filter(|reason| !reason.is_empty());
            let entry = TabooEntry { reason, ..entry };
            ask_decision(model, Request::EditTaboo { scope, text: entry.text.clone(), entry });
        }
        Ask::Export(_) | Ask::Import | Ask::SaveFilter(_) if text.is_empty() => {}
        Ask::Export(rows) => {
            let file = file_of(model, &text);
            model.dialogue.writing = Some(exported(rows.clone(), file.clone(), true));
            model.ask(exported(rows, file, false));
        }
        Ask::Import => {
            let file = file_of(model, &text);
            ask_decision(model, Request::ImportTaboo { file });
        }
        Ask::SaveFilter(filter) => {
            let name = text.trim_start_matches('@').to_owned();
            model.effects.push(Effect::SaveFilter(name, Some(filter)));
        }
    }
}

/// The path for a typed file name.
fn file_of(model: &Model, name: &str) -> PathBuf {
    let in_home = name.strip_prefix("~/").zip(model.settings.home.as_ref());
    in_home.map_or_else(|| unspelled(name.as_ref()), |(below, home)| home.join(unspelled(below.as_ref())))
}

/// The request to export rows to a file.
fn exported(rows: Vec<Item>, file: PathBuf, replace: bool) -> Request {
    let texts: Option<Vec<String>> = rows
        .iter()
        .map(|row| if let Item::Taboo(taboo) = row { Some(taboo.entry.text.clone()) } else { None })
        .collect();
    match texts {
        Some(texts) => Request::ExportTaboo { file, texts: Some(texts), replace },
        None => Request::Export { rows, file, replace },
    }
}

/// Takes in and reports a result. Returns a request if the current rows depend on a saved filter.
pub(crate) fn on_filter_outcome(model: &mut Model, kept: FilterOutcome) -> Option<Request> {
    model.say(kept.sentence);
    model.settings.saved = kept.saved?;
    let is_asked = model.page.list().is_some() && model.list.view.filter.contains('@');
    is_asked.then(|| model.rows_request())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::keep;
    use crate::fixture::model_of;
    use dupi_base::storage::Folder;
    use dupi_session::Subject;

    fn save(user: Option<&Folder>, model: &mut Model, name: &str, text: Option<&str>) -> Option<Request> {
        on_filter_outcome(model, keep(user, name, text))
    }

    #[test]
    fn rows_that_a_saved_filter_chose_are_asked_for_again_when_it_is_another_or_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path());
        let mut model = model_of(Subject::Passages, 120, 30);
        assert_eq!(save(Some(&user), &mut model, "mine", Some("tokens:>5")), None, "nobody asks for it");
        model.list.view.filter = "-@mine".into();
        for text in [Some("tokens:>9"), None] {
            let Some(Request::Rows(view)) = save(Some(&user), &mut model, "mine", text) else {
                panic!("the rows are as they were: {:?}", model.said())
            };
            assert_eq!((view.filter.as_str(), view.saved.get("mine")), ("-@mine", text));
        }
    }

    #[test]
    fn without_a_home_folder_it_is_said_why_a_filter_cannot_be_kept() {
        let mut model = model_of(Subject::Passages, 120, 30);
        assert_eq!(save(None, &mut model, "mine", Some("tokens:>5")), None);
        assert!(model.said().is_some_and(|said| said.contains("no home folder")), "{:?}", model.said());
    }
}
