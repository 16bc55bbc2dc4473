//! Draws the header: the corpus, the state of the indexer, and the views.

use ratatui::layout::Rect;

use crate::action::ViewPage;
use crate::cells;
use crate::model::Model;
use crate::text::{Canvas, behind, row_of};
use crate::theme::glyphs;
use crate::views::activity::{draw_speeds, state};
use crate::views::{PAGES, list_of};
use dupi_base::storage::shown;
use dupi_session::{Phase, Progress};

/// The largest width of the sparkline of speeds.
const SPEEDS: usize = 24;
/// The least width of the path that is being read.
const LEAST_PATH: usize = 12;

/// Draws the two lines.
pub(crate) fn draw(canvas: &mut Canvas, area: Rect, model: &Model) {
    let (theme, first, second) = (canvas.theme, row_of(area, 0), row_of(area, 1));
    let progress = model.progress.clone().unwrap_or_default();
    match &progress.phase {
        // An empty list and the activity view show the failure themselves.
        Phase::Failed(sentence) if model.page.list().is_some() && !model.list.listing.rows.is_empty() => {
            draw_failure(canvas, first, model, sentence);
        }
        phase => {
            let changed = model.changes.words(model.now);
            let state = state(&progress, changed, usize::from(area.width) * 2 / 3);
            let style = match phase {
                Phase::Failed(_) => theme.alarm,
                _ if model.is_busy() => theme.accent,
                _ => theme.quiet,
            };
            let free = canvas.put_right(behind(first, area.width / 3), &state, style).right() - area.x;
            let name = cells::fit_end(&model.title, usize::from(free.saturating_sub(2)));
            canvas.put(Rect { width: free, ..first }, &name, theme.accent);
        }
    }
    draw_bar(canvas, second, &progress);
    let left = draw_views(canvas, area, model);
    if progress.phase == Phase::Indexing {
        draw_current(canvas, left, &progress);
    }
}

/// The name of a view in its tab. Where other rows stand in for those that are not found yet, it says so.
fn tab_name(model: &Model, page: ViewPage) -> String {
    let list = page.list().filter(|_| page == model.page && model.list.listing.has_stand_ins());
    match list.and_then(|list| list.stand_in) {
        Some(stand_in) => format!("{}, until {} are found", list_of(stand_in).view.name, page.name()),
        None => page.name().to_owned(),
    }
}

/// The names of the views with their keys and positions. If not all names fit, only the current view has its name; if
/// the keys of the others do not fit either, it is alone.
pub(crate) fn tabs(model: &Model, area: Rect) -> Vec<(ViewPage, String, Rect)> {
    let key = |page: ViewPage| model.settings.keymap.first(page.action());
    let long = |page: ViewPage| format!(" {} {} ", key(page), tab_name(model, page));
    let short = |page: ViewPage| if page == model.page { long(page) } else { format!(" {} ", key(page)) };
    let fits = |name: &dyn Fn(ViewPage) -> String| {
        let names = PAGES.iter().map(|page| name(*page).chars().count());
        let all: usize = names.filter(|width| *width > 0).map(|width| width + 1).sum();
        usize::from(area.width) > all
    };
    // Two views share the room of one name, if that is enough.
    let partner = |page: ViewPage| page.list()?.beside.map(ViewPage::List);
    let is_beside = |page: ViewPage| match partner(model.page) {
        Some(own) => page == own || (page != model.page && partner(page).is_some()),
        None => partner(page).is_some(),
    };
    let joined = |page: ViewPage| if is_beside(page) { short(page) } else { long(page) };
    let alone = |page: ViewPage| if is_beside(page) { String::new() } else { long(page) };
    let fewest = |page: ViewPage| if is_beside(page) { String::new() } else { short(page) };
    let names: [&dyn Fn(ViewPage) -> String; 5] = [&long, &joined, &alone, &short, &fewest];
    let name = names.into_iter().find(|name| fits(name)).unwrap_or(&fewest);
    let has_room = fits(name);
    let mut x = area.x + 1;
    let placed = |page: ViewPage| {
        let name = name(page);
        let width = area.right().saturating_sub(x).min(name.chars().count() as u16);
        let at = Rect { x, y: area.y + 1, width, height: 1 };
        x += if name.is_empty() { 0 } else { width + 1 };
        (page, name, at)
    };
    let tabs = PAGES.into_iter().filter(|page| has_room || *page == model.page).map(placed);
    tabs.filter(|(_, name, _)| !name.is_empty()).collect()
}

/// Draws the names of the views; returns what is left of their line.
fn draw_views(canvas: &mut Canvas, area: Rect, model: &Model) -> Rect {
    let mut left = row_of(area, 1);
    for (page, name, at) in tabs(model, area) {
        let style = if page == model.page { canvas.theme.accent } else { canvas.theme.quiet };
        // Clear the progress bar behind the name.
        canvas.clear(at);
        canvas.put(at, &name, style);
        left = behind(left, at.right() - left.x);
    }
    left
}

/// Draws a failure; if it does not fit, with the key of the view that shows all of it.
fn draw_failure(canvas: &mut Canvas, line: Rect, model: &Model, sentence: &str) {
    let is_whole = cells::width(sentence) <= usize::from(line.width);
    let more = match model.settings.keymap.first(ViewPage::Activity.action()) {
        key if is_whole || key.is_empty() => String::new(),
        key => format!(" {key} says all"),
    };
    let left = canvas.put_right(line, &more, canvas.theme.accent);
    canvas.put(left, sentence, canvas.theme.alarm);
}

/// Draws the progress bar, or else a plain line.
fn draw_bar(canvas: &mut Canvas, area: Rect, progress: &Progress) {
    let theme = canvas.theme;
    let [full, empty] = glyphs::BAR;
    let share = match progress.phase {
        Phase::Indexing if progress.bytes.1 > 0 => progress.bytes.0 as f64 / progress.bytes.1 as f64,
        _ => 0.0,
    };
    let reached = (f64::from(area.width) * share.clamp(0.0, 1.0)) as usize;
    let left = canvas.put(area, &full.repeat(reached), theme.accent);
    canvas.put(left, &empty.repeat(usize::from(left.width)), theme.quiet);
}

/// Draws the speed of indexing and, if there is room, the path that is being read.
fn draw_current(canvas: &mut Canvas, area: Rect, progress: &Progress) {
    // The line continues after the names of the views.
    let room = usize::from(area.width).saturating_sub(2);
    let speeds = progress.speeds.len().min(SPEEDS).min(if room > 2 * LEAST_PATH { room / 2 } else { room });
    let before = Rect { width: area.width - speeds as u16, ..area };
    draw_speeds(canvas, behind(area, before.width), speeds, &progress.speeds);
    let left = room.saturating_sub(speeds + 2);
    if let Some(path) = progress.current.as_ref().filter(|_| left >= LEAST_PATH) {
        let name = cells::fit_end(&shown(path).text(), left);
        canvas.put_right(before, &format!(" {name} "), canvas.theme.quiet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::model_of;
    use dupi_session::{Listing, Subject};

    #[test]
    fn the_tab_of_passages_says_that_blots_stand_in_for_them() {
        let mut model = model_of(Subject::Passages, 120, 30);
        let names = |model: &Model, width: u16| -> String {
            tabs(model, Rect::new(0, 0, width, 2)).into_iter().map(|(_, name, _)| name).collect()
        };
        assert!(names(&model, 120).starts_with(" 1 passages  2 blots "));
        model.list.listing = Listing { is_provisional: true, ..(*model.list.listing).clone() }.into();
        for width in [120, 80] {
            let said = names(&model, width);
            assert!(said.starts_with(" 1 blots, until passages are found  2 "), "{said}");
            assert_eq!(
                said.contains("taboo"),
                width == 120,
                "the others are short where there is little room"
            );
        }
    }
}
