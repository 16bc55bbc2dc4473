//! Draws menus: the saved filters, the kinds, the sort orders, or what can be left out.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::columns::is_reversed;
use super::popup::draw_choice;
use crate::model::{ExcludeChoice, Menu, Model};
use crate::text::grouped;
use crate::theme::Theme;
use dupi_base::config::Kind;
use dupi_base::storage::shown;
use dupi_session::Sort;

/// The number of lines of a menu.
pub(crate) fn count(model: &Model, menu: &Menu) -> usize {
    match menu {
        Menu::Filters => model.settings.saved.names().count(),
        // The last line stands for what the rules say.
        Menu::Kinds(_) => Kind::ALL.len() + 1,
        Menu::Orders => Sort::ways(model.list.view.of).len(),
        Menu::Exclude(choices) => choices.len(),
    }
}

/// Draws a menu.
pub(super) fn draw(
    buffer: &mut Buffer,
    screen: Rect,
    model: &Model,
    menu: &Menu,
    chosen: usize,
    theme: &Theme,
) {
    let (title, lines) = match menu {
        Menu::Filters => filters(model),
        Menu::Kinds(rows) => kinds(rows.len()),
        Menu::Orders => orders(model, theme),
        Menu::Exclude(choices) => excluded(model, choices),
    };
    draw_choice(buffer, screen, &title, &lines, chosen, theme);
}

fn filters(model: &Model) -> (String, Vec<String>) {
    let widest = model.settings.saved.names().map(str::len).max().unwrap_or(0) + 1;
    let lines = model.settings.saved.iter().map(|(name, text)| format!("@{name:<widest$} {text}"));
    ("saved filters: Enter takes one, d forgets it".to_owned(), lines.collect())
}

fn kinds(rows: usize) -> (String, Vec<String>) {
    let title = match rows {
        1 => "what this is: Enter sets it".to_owned(),
        many => format!("what these {} are: Enter sets it", grouped(many as u64)),
    };
    let kinds = Kind::ALL.map(|kind| kind.name().to_owned()).into_iter();
    (title, kinds.chain(["what the rules say".to_owned()]).collect())
}

/// The sort orders; beside the present one, its direction.
fn orders(model: &Model, theme: &Theme) -> (String, Vec<String>) {
    let (of, sort) = (model.list.view.of, model.list.view.sort);
    let mark = theme.glyphs.sorted[usize::from(is_reversed(model))];
    let line = |way: &Sort| {
        let mark = if *way == sort.or_usual(of) { mark } else { "" };
        format!("{:<12}{mark}", way.name())
    };
    ("sort: Enter takes one, r its reverse".to_owned(), Sort::ways(of).iter().map(line).collect())
}

fn excluded(model: &Model, choices: &[ExcludeChoice]) -> (String, Vec<String>) {
    let line = |choice: &ExcludeChoice| {
        let paths: Vec<String> = choice.paths.iter().map(|path| shown(path).to_string()).collect();
        let [all, folders] = [paths.len(), choice.folders].map(|count| grouped(count as u64));
        match (&paths[..], choice.folders, choice.has_records) {
            ([path], 1, _) => format!("folder  {path}"),
            ([path], _, true) => format!("file    {path}, all its documents"),
            ([path], ..) => format!("file    {path}"),
            (paths, 0, _) => format!("all {all} files: {}", paths.join(", ")),
            (paths, some, _) if some == paths.len() => format!("all {folders} folders: {}", paths.join(", ")),
            (paths, ..) => format!("all {all} files and folders: {}", paths.join(", ")),
        }
    };
    let marked = model.list.marks.rows().count();
    let of = match marked {
        0 => String::new(),
        _ if model.list.marked_places().is_empty() => ", for this copy only".to_owned(),
        1 => ", for the marked row".to_owned(),
        many => format!(", for the {} marked rows", grouped(many as u64)),
    };
    (format!("leave out from now on{of}: Enter takes one"), choices.iter().map(line).collect())
}
