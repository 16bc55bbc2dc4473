//! Draws the form that changes what counts as a passage.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::draw_choice;
use crate::model::{CRITERIA, CriteriaForm};
use crate::text::grouped;
use crate::theme::Theme;
use dupi_session::TrialState;

/// The width of what a line says, before its value.
const WORDS: usize = 34;
/// The widest value.
const VALUE: usize = 20;
/// The least width of a screen for the long list of keys.
const KEYS_FROM: u16 = 64;

/// Draws the form.
pub(super) fn draw(buffer: &mut Buffer, screen: Rect, form: &CriteriaForm, theme: &Theme) {
    let line = |criterion| {
        let (words, value) = form.words(criterion);
        format!("{words:<WORDS$} {value:<VALUE$}")
    };
    let mut lines: Vec<String> = CRITERIA.map(line).to_vec();
    let keys = if screen.width < KEYS_FROM {
        "←→ change, Enter applies"
    } else {
        "←→ - + change it, Del: as usual, Enter applies, Esc leaves"
    };
    let keys = if theme.glyphs.are_ascii() { keys.replace("←→", "arrows") } else { keys.to_owned() };
    lines.extend([String::new(), told(form), keys]);
    draw_choice(buffer, screen, "what counts as a passage", &lines, form.line, theme);
}

/// What a search with the criteria finds.
fn told(form: &CriteriaForm) -> String {
    match &form.trial {
        None => "This is how it is now.".to_owned(),
        Some(TrialState::At(share)) => format!("Searching with these: {:.0} %", share * 100.0),
        Some(TrialState::Found { passages, families }) => {
            let counted = |count: u64, one: &str, more: &str| {
                format!("{} {}", grouped(count), if count == 1 { one } else { more })
            };
            let passages = counted(*passages, "passage", "passages");
            format!("With these: {passages} in {}.", counted(*families, "family", "families"))
        }
        Some(TrialState::Failed(why)) => format!("The search failed: {why}"),
    }
}
