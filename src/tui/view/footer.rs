//! What was said last, the filter, and the keys that matter now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{grouped, put, put_right};
use crate::session::Subject;
use crate::tui::action::{Action, BINDINGS};
use crate::tui::cells;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Theme;

/// Draws the two lines.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    let (first, second) = (Rect { height: 1, ..area }, Rect { y: area.y + 1, height: 1, ..area });
    let place = place(model);
    let room = area.width.saturating_sub(place.chars().count() as u16 + 1);
    let is_long =
        |sentence: &str| cells::cells(sentence).map(|cell| cell.width).sum::<usize>() > usize::from(room);
    match (&model.typing, model.said()) {
        // What was said matters more than where one is.
        (None, Some(sentence)) if is_long(sentence) => {
            put(buffer, area.x, area.y, area.width, sentence, theme.accent);
        }
        (typing, said) => {
            put_right(buffer, first, &place, theme.quiet);
            if let Some(typing) = typing {
                let x = put(buffer, area.x, area.y, room, "filter: ", theme.accent);
                let x = put(buffer, x, area.y, room.saturating_sub(8), typing, theme.text);
                put(buffer, x, area.y, 1, "▏", theme.accent);
            } else if let Some(sentence) = said {
                put(buffer, area.x, area.y, room, sentence, theme.accent);
            } else {
                put(buffer, area.x, area.y, room, &applied(model), theme.text);
            }
        }
    }
    let mut x = second.x;
    for action in keys(model) {
        let Some(binding) = BINDINGS.iter().find(|binding| binding.action == *action) else { continue };
        let width = (binding.first_key().len() + binding.short.len() + 1) as u16;
        if x + width > second.right() {
            break;
        }
        x = put(buffer, x, second.y, second.right() - x, binding.first_key(), theme.accent) + 1;
        x = put(buffer, x, second.y, second.right().saturating_sub(x), binding.short, theme.quiet) + 2;
    }
}

/// The keys that matter now.
fn keys(model: &Model) -> &'static [Action] {
    use Action as A;
    match model.focus {
        Focus::Rows => {
            &[A::Enter, A::NextCopy, A::Beside, A::Taboo, A::Undo, A::Filter, A::Help, A::Quit, A::Sort]
        }
        Focus::Document => &[A::NextCopy, A::Beside, A::Edit, A::Taboo, A::Undo, A::Help, A::Quit],
    }
}

/// Which row is selected, of how many.
fn place(model: &Model) -> String {
    let loaded = model.listing.rows.len();
    match model.selected_row() {
        Some(row) => {
            let more = if model.listing.complete { "" } else { "+" };
            format!("row {} of {}{more}", grouped(row as u64 + 1), grouped(loaded as u64))
        }
        None => String::new(),
    }
}

fn is_passages(model: &Model) -> bool {
    model.view.of == Subject::Passages && !model.listing.is_provisional
}

/// How far the search for passages is, and what is shown meanwhile.
fn search(model: &Model) -> Option<String> {
    let far = model.searching.map(|share| format!("looking for passages: {:.0} %", (share * 100.0).floor()));
    match far {
        _ if model.view.of == Subject::Blots => None,
        Some(far) if model.listing.is_provisional => Some(format!("{far}; until then blots")),
        Some(far) => Some(far),
        None if !model.listing.is_provisional => None,
        None if model.is_busy() => Some("passages follow when all is read; until then blots".to_owned()),
        None => Some("passages follow; until then blots".to_owned()),
    }
}

/// The filter, σ and what is hidden.
fn applied(model: &Model) -> String {
    let listing = &model.listing;
    let mut words: Vec<String> = search(model).into_iter().collect();
    if !model.view.filter.is_empty() {
        let searched = if listing.complete {
            String::new()
        } else {
            format!(" ({:.0} % searched)", listing.searched * 100.0)
        };
        words.push(format!("filter: {}{searched}", model.view.filter));
    }
    if let Some(sigma) = model.view.sigma.filter(|_| !is_passages(model)) {
        let cut = listing
            .cut
            .map(|cut| format!(": {} documents or more", grouped(u64::from(cut))))
            .unwrap_or_default();
        words.push(format!("σ ≥ {sigma}{cut}"));
    }
    if model.view.unfolded && !is_passages(model) {
        words.push("unfolded".to_owned());
    }
    if listing.hidden.rows > 0 {
        let verb = if model.view.show_taboo { "taboo" } else { "hidden as taboo" };
        let rows = if is_passages(model) { "passages" } else { "rows" };
        words.push(format!("{} {rows} {verb}", grouped(listing.hidden.rows)));
    }
    words.join(" · ")
}
