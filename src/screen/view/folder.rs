//! Draws the summary of the selected folder.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::cells;
use crate::model::Model;
use crate::text::{bar, grouped, put, put_lines, several};
use crate::theme::Theme;
use dupi_base::storage::shown;
use dupi_session::ListedFolder;

/// The width of its bar.
const BAR: u16 = 24;

/// Draws the folder.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, row: &ListedFolder, theme: &Theme) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if area.is_empty() {
        return;
    }
    let name = cells::fit_end(&format!("{}/", shown(&row.path)), usize::from(area.width));
    put(buffer, area.x, area.y, area.width, &name, theme.accent);
    let share = row.share();
    let width = BAR.min(area.width);
    if area.height > 2 {
        put(buffer, area.x, area.y + 1, width, &bar(share, width, theme.glyphs), theme.bar);
    }
    let key = |action| model.settings.keymap.first(action);
    let said = [
        (format!("{} with {}", several(row.documents, "document"), several(row.tokens, "token")), theme.text),
        (format!("{} % of them duplicated: {}", (share * 100.0) as u64, grouped(row.duplicated)), theme.text),
        (format!("copies of passages in it: {}", grouped(row.copies)), theme.text),
        (String::new(), theme.text),
        (format!("{} opens it.", key(Action::Enter)), theme.quiet),
        (
            format!(
                "{} lists its documents, {} its passages.",
                key(Action::FilesOf),
                key(Action::PassagesOf)
            ),
            theme.quiet,
        ),
    ];
    let below = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    put_lines(buffer, below, &said);
}
