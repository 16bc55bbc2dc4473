//! Draws what stands beside the list for a row without copies: a kind that is set aside, a folder, or identical folders.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action;
use crate::cells;
use crate::model::Model;
use crate::text::{Canvas, bar, below, grouped, row_of, several};
use crate::theme::glyphs;
use crate::views::documents::bytes_in_short;
use dupi_base::storage::shown;
use dupi_report::in_short;
use dupi_session::{ClusterFolder, Item, ListedAside, ListedCluster, ListedFolder, ListedMember};

/// Draws the line of a kind: its name and as many of its counts as fit.
pub(crate) fn draw_line(canvas: &mut Canvas, room: Rect, row: &ListedAside, style: Style) {
    let summary = &row.summary;
    let fold = glyphs::FOLDS[usize::from(row.is_open)];
    let counts = [several(summary.passages, "passage"), copies(summary.copies), tokens(summary.tokens)];
    let said = |counts: &[String]| format!("{fold} {}  {}", summary.kind, counts.join(" · "));
    let widths = (1..=counts.len()).rev().map(|most| said(&counts[..most]));
    let fits = |words: &String| words.chars().count() <= usize::from(room.width);
    let words = widths.into_iter().find(fits).unwrap_or_else(|| format!("{fold} {}", summary.kind));
    canvas.put(room, &words, style);
}

/// A number of copies.
fn copies(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "copy" } else { "copies" })
}

/// A number of tokens in few characters.
fn tokens(number: u64) -> String {
    format!("{} token{}", in_short(number), if number == 1 { "" } else { "s" })
}

/// Draws what a row without copies stands for.
pub(crate) fn draw(canvas: &mut Canvas, area: Rect, model: &Model, row: &Item) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    match row {
        Item::Folder(row) => draw_folder(canvas, inner, model, row),
        Item::Aside(row) => draw_aside(canvas, inner, model, row),
        Item::Cluster(row) => draw_cluster(canvas, inner, model, row),
        Item::Member(row) => draw_member(canvas, inner, model, row),
        _ => {}
    }
}

/// Draws what the line stands for, and its keys.
fn draw_aside(canvas: &mut Canvas, area: Rect, model: &Model, row: &ListedAside) {
    let theme = canvas.theme;
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
    canvas.put_texts(area, &said);
}

/// The width of its bar.
const BAR: u16 = 24;

/// Draws the folder.
fn draw_folder(canvas: &mut Canvas, area: Rect, model: &Model, row: &ListedFolder) {
    if area.is_empty() {
        return;
    }
    let theme = canvas.theme;
    canvas.put_end(area, &format!("{}/", shown(&row.path)), theme.accent);
    let share = row.share();
    if area.height > 2 {
        let line = row_of(area, 1);
        canvas.put(line, &bar(share, BAR.min(line.width)), theme.bar);
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
    canvas.put_texts(below(area, 2), &said);
}

/// Draws a row of folders.
fn draw_cluster(canvas: &mut Canvas, area: Rect, model: &Model, row: &ListedCluster) {
    let theme = canvas.theme;
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
        let room = usize::from(area.width).saturating_sub(differs.chars().count());
        (format!("{}{differs}", cells::fit_end(&format!("{}/", shown(&of.path)), room)), theme.text)
    };
    said.extend(row.folders.iter().map(folder));
    said.extend([
        (String::new(), theme.text),
        (format!("{} {fold} them.", key(Action::Enter)), theme.quiet),
        (format!("{} shows the files of the first one.", key(Action::FilesOf)), theme.quiet),
    ]);
    canvas.put_texts(area, &said);
}

/// Draws one of the folders, which does not differ from the first one.
fn draw_member(canvas: &mut Canvas, area: Rect, model: &Model, row: &ListedMember) {
    let theme = canvas.theme;
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
    canvas.put_texts(area, &said);
}
