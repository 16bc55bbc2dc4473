//! Draws what stands beside the list for a row without copies: a kind that is set aside, a folder, or identical folders.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action;
use crate::cells;
use crate::model::Model;
use crate::text::{bar, grouped, put, put_lines, several};
use crate::theme::Theme;
use crate::views::clusters::bytes_in_short;
use dupi_base::storage::shown;
use dupi_report::in_short;
use dupi_session::{ClusterFolder, ListedAside, ListedCluster, ListedFolder, ListedMember};

/// Draws the line of a kind: its name and as many of its counts as fit.
pub(crate) fn draw_line(buffer: &mut Buffer, room: Rect, row: &ListedAside, style: Style, theme: &Theme) {
    let summary = &row.summary;
    let fold = theme.glyphs.folds[usize::from(row.is_open)];
    let counts = [several(summary.passages, "passage"), copies(summary.copies), tokens(summary.tokens)];
    let said = |counts: &[String]| format!("{fold} {}  {}", summary.kind, counts.join(" · "));
    let widths = (1..=counts.len()).rev().map(|most| said(&counts[..most]));
    let fits = |words: &String| words.chars().count() <= usize::from(room.width);
    let words = widths.into_iter().find(fits).unwrap_or_else(|| format!("{fold} {}", summary.kind));
    put(buffer, room.x, room.y, room.width, &words, style);
}

/// A number of copies.
fn copies(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "copy" } else { "copies" })
}

/// A number of tokens in few characters.
fn tokens(number: u64) -> String {
    format!("{} token{}", in_short(number), if number == 1 { "" } else { "s" })
}

/// Draws what the line stands for, and its keys.
pub(crate) fn draw_aside(buffer: &mut Buffer, area: Rect, model: &Model, row: &ListedAside, theme: &Theme) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let summary = &row.summary;
    let key = |action| model.settings.keymap.key_or_name(action);
    let opens = if row.is_open { "folds" } else { "opens" };
    let said = [
        (format!("{}, set aside", summary.kind), theme.accent),
        (String::new(), theme.text),
        (format!("{} with {}", several(summary.passages, "passage"), copies(summary.copies)), theme.text),
        (format!("all copies together: {}", several(summary.tokens, "token")), theme.text),
        (String::new(), theme.text),
        (format!("{} {opens} it.", key(Action::Enter)), theme.quiet),
        (format!("{} always lists this kind in this corpus.", key(Action::SetAside)), theme.quiet),
        (format!("{} shows all kinds, and all members of families.", key(Action::ShowAside)), theme.quiet),
    ];
    put_lines(buffer, area, &said);
}

/// The width of its bar.
const BAR: u16 = 24;

/// Draws the folder.
pub(crate) fn draw_folder(buffer: &mut Buffer, area: Rect, model: &Model, row: &ListedFolder, theme: &Theme) {
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

/// Draws a row of folders.
pub(crate) fn draw_cluster(
    buffer: &mut Buffer,
    area: Rect,
    model: &Model,
    row: &ListedCluster,
    theme: &Theme,
) {
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
pub(crate) fn draw_member(buffer: &mut Buffer, area: Rect, model: &Model, row: &ListedMember, theme: &Theme) {
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
