//! Draws framed boxes with lines in the middle of the screen: plain ones, menus, and the form for what counts as a passage.

use ratatui::buffer::CellWidth;
use ratatui::layout::{Margin, Rect};
use ratatui::widgets::{Block, Clear, Widget};

use crate::cells;
use crate::model::{CriteriaForm, ExcludeChoice, Menu, Model};
use crate::text::{Canvas, grouped, row_of};
use crate::theme::glyphs;
use crate::view::columns::is_reversed;
use dupi_base::config::Kind;
use dupi_base::storage::shown;
use dupi_session::{Sort, TrialState};

/// Clears an area and a column on each side of it.
fn clear(canvas: &mut Canvas, screen: Rect, area: Rect) {
    let left = area.x.saturating_sub(1).max(screen.x);
    let apart = Rect { x: left, width: area.right() + 1 - left, ..area }.intersection(screen);
    // A wide character before it would overlap it.
    for y in apart.top()..apart.bottom() {
        let before = left.checked_sub(1).and_then(|x| canvas.buffer.cell_mut((x, y)));
        if let Some(cell) = before.filter(|cell| cell.cell_width() > 1) {
            cell.set_symbol(" ");
        }
    }
    Clear.render(apart, canvas.buffer);
    canvas.buffer.set_style(apart, canvas.theme.text);
}

/// Draws a list with one line chosen.
fn draw_choice(canvas: &mut Canvas, screen: Rect, title: &str, lines: &[String], chosen: usize) {
    let room = usize::from(screen.height.saturating_sub(2)).max(1);
    let first = chosen.saturating_sub(room - 1);
    let area = draw_list(canvas, screen, title, lines, first);
    canvas.buffer.set_style(row_of(area, (chosen - first) as u16).intersection(area), canvas.theme.selected);
}

/// Says at the lower edge that there are more lines, and how to see them.
pub(crate) fn say_more(canvas: &mut Canvas, within: Rect) {
    let is_ascii = canvas.theme.is_ascii();
    let words = if is_ascii { " more below: Down, PgDn " } else { " more below: ↓ PgDn " };
    canvas.put_right(Rect { y: within.bottom(), height: 1, ..within }, words, canvas.theme.quiet);
}

/// Draws lines in a box in the middle of the screen; returns the area inside.
pub(crate) fn draw_list(
    canvas: &mut Canvas,
    screen: Rect,
    title: &str,
    lines: &[String],
    first: usize,
) -> Rect {
    let theme = canvas.theme;
    let widest = lines.iter().map(|line| cells::width(line)).max().unwrap_or(0);
    let width = widest.max(title.len() + 4) + 4;
    // Use the full width if little would be left.
    let width = if width + 16 > usize::from(screen.width) { screen.width } else { width as u16 };
    let height = (lines.len() + 2).min(usize::from(screen.height)) as u16;
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    clear(canvas, screen, area);
    Block::bordered().border_style(theme.quiet).render(area, canvas.buffer);
    let within = area.inner(Margin::new(2, 1));
    canvas.put(Rect { y: area.y, ..within }, &format!(" {title} "), theme.accent);
    let room = usize::from(within.height);
    let first = first.min(lines.len().saturating_sub(room));
    canvas.put_lines(within, &lines[first..], theme.text);
    if first + room < lines.len() {
        say_more(canvas, within);
    }
    within
}

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
pub(crate) fn draw_menu(canvas: &mut Canvas, screen: Rect, model: &Model, menu: &Menu, chosen: usize) {
    let (title, lines) = match menu {
        Menu::Filters => filters(model),
        Menu::Kinds(rows) => kinds(rows.len()),
        Menu::Orders => orders(model),
        Menu::Exclude(choices) => excluded(model, choices),
    };
    draw_choice(canvas, screen, &title, &lines, chosen);
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
fn orders(model: &Model) -> (String, Vec<String>) {
    let (of, sort) = (model.list.view.of, model.list.view.sort);
    let mark = glyphs::SORTED[usize::from(is_reversed(model))];
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

/// The width of what a line says, before its value.
const WORDS: usize = 34;
/// The widest value.
const VALUE: usize = 20;
/// The least width of a screen for the long list of keys.
const KEYS_FROM: u16 = 64;

/// Draws the form.
pub(crate) fn draw_criteria(canvas: &mut Canvas, screen: Rect, form: &CriteriaForm) {
    let line = |(words, value): (&str, String)| format!("{words:<WORDS$} {value:<VALUE$}");
    let mut lines: Vec<String> = form.words().map(line).into();
    let keys = if screen.width < KEYS_FROM {
        "←→ change, Enter applies"
    } else {
        "←→ - + change it, Del: as usual, Enter applies, Esc leaves"
    };
    let keys = if canvas.theme.is_ascii() { keys.replace("←→", "arrows") } else { keys.to_owned() };
    lines.extend([String::new(), told(form), keys]);
    draw_choice(canvas, screen, "what counts as a passage", &lines, form.line);
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
