//! Draws the summary of folders that are the same, or of one of them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action;
use crate::cells;
use crate::model::Model;
use crate::text::{grouped, put_lines, several};
use crate::theme::Theme;
use crate::views::clusters::bytes_in_short;
use dupi_base::storage::shown;
use dupi_session::{ClusterFolder, ListedCluster, ListedMember};

/// Draws a row of folders.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, row: &ListedCluster, theme: &Theme) {
    let is_same = row.least >= 1.0;
    let how = if is_same { "the same" } else { "almost the same" };
    let (trees, files) = (several(row.copies, "tree"), several(row.files, "file"));
    let key = |action| model.settings.keymap.first(action);
    let fold = if row.is_open { "folds" } else { "lists" };
    let mut said = vec![
        (format!("These {trees} are {how}: {files}, {}.", bytes_in_short(row.bytes)), theme.accent),
        (format!("Keeping one of them would save {}.", bytes_in_short(row.wasted)), theme.text),
        (String::new(), theme.text),
    ];
    let folder = |of: &ClusterFolder| {
        let differs = match of.differences {
            0 => String::new(),
            count => format!("  {} %, {} differ", (of.share * 100.0) as u64, grouped(count)),
        };
        let room = usize::from(area.width).saturating_sub(2 + differs.chars().count());
        (format!("{}{differs}", cells::fit_end(&format!("{}/", shown(&of.path)), room)), theme.text)
    };
    said.extend(row.folders.iter().map(folder));
    said.extend([
        (String::new(), theme.text),
        (format!("{} {fold} them.", key(Action::Enter)), theme.quiet),
        (format!("{} shows the files of the first one.", key(Action::FilesOf)), theme.quiet),
    ]);
    draw_lines(buffer, area, &said);
}

/// Draws one of the folders, which does not differ from the first one.
pub(super) fn draw_folder(buffer: &mut Buffer, area: Rect, model: &Model, row: &ListedMember, theme: &Theme) {
    let key = model.settings.keymap.first(Action::FilesOf);
    let how = match row.is_representative {
        true => "The others are compared with this folder.",
        false => "All files are the same as in the first folder.",
    };
    let said = [
        (format!("{}/", shown(&row.path)), theme.accent),
        (format!("{}, {}", several(row.files, "file"), bytes_in_short(row.bytes)), theme.text),
        (how.to_owned(), theme.text),
        (String::new(), theme.text),
        (format!("{key} shows its files."), theme.quiet),
    ];
    draw_lines(buffer, area, &said);
}

fn draw_lines(buffer: &mut Buffer, area: Rect, said: &[(String, Style)]) {
    put_lines(buffer, Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }, said);
}
