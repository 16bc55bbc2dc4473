//! A list without rows says why, and what to do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::put;
use crate::session::{Phase, Subject};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::theme::Theme;

/// Draws it.
pub fn draw_empty(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    let lines = lines(model);
    for (number, (y, line)) in (area.y + 1..area.bottom()).zip(&lines).enumerate() {
        let style = if number == 0 { theme.accent } else { theme.quiet };
        put(buffer, area.x + 2, y, area.width.saturating_sub(2), line, style);
    }
}

fn lines(model: &Model) -> Vec<String> {
    let listing = &model.listing;
    let is_filtered = !model.view.filter.is_empty();
    let key = |action| model.keymap.first(action);
    let say = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    match model.progress.as_ref().map(|progress| &progress.phase) {
        Some(Phase::Failed(_)) => return say(&["There is nothing to show.", "", "The lines above say why."]),
        _ if model.is_busy() && model.view.of != Subject::Taboo => {
            return say(&[
                "Reading your documents.",
                "",
                "What is written more than once",
                "appears here as it is found.",
            ]);
        }
        _ => {}
    }
    let needs_passages = matches!(model.view.of, Subject::Documents | Subject::Files);
    match model.view.of {
        _ if listing.is_provisional && needs_passages => say(&[
            "Looking for passages.",
            "",
            "Shares follow when they are found;",
            "the last line says how far it is.",
        ]),
        _ if is_filtered && !listing.complete => say(&["Looking for rows that match…"]),
        _ if !listing.complete => say(&["Looking…"]),
        _ if is_filtered => {
            vec![
                "No row matches the filter.".into(),
                String::new(),
                format!("{} drops it.", key(Action::Back)),
            ]
        }
        Subject::Passages if listing.hidden.is_empty() && !listing.is_provisional => vec![
            "Nothing long is written more".into(),
            "than once here.".into(),
            String::new(),
            format!("{} shows what is short.", key(Action::Blots)),
        ],
        Subject::Blots if model.view.sigma.is_some() => {
            vec![
                "No blot is that frequent.".into(),
                String::new(),
                format!("{} lowers σ.", key(Action::SigmaDown)),
            ]
        }
        Subject::Taboo => vec![
            "Nothing is taboo yet.".into(),
            String::new(),
            format!(
                "In {} or {}, {} hides a text",
                key(Action::Passages),
                key(Action::Blots),
                key(Action::Taboo)
            ),
            "wherever it stands.".into(),
        ],
        Subject::Documents if listing.hidden.is_empty() => {
            say(&["No document has text that", "stands elsewhere too."])
        }
        Subject::Files if listing.hidden.is_empty() => say(&["This folder has no documents."]),
        _ if !listing.hidden.is_empty() => vec![
            "All that is duplicated is taboo.".into(),
            String::new(),
            format!("{} shows it.", key(Action::ShowTaboo)),
        ],
        _ => vec![
            "Nothing is written more".into(),
            "than once here.".into(),
            String::new(),
            format!("{} lists the files left out.", key(Action::Skipped)),
        ],
    }
}
