//! The corpus, and what the indexer does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::config::Size;
use crate::session::{Phase, Progress, Watching};
use crate::storage::shown;
use crate::tui::cells;
use crate::tui::model::Model;
use crate::tui::text::{grouped, put, put_right, several};
use crate::tui::theme::Theme;
use crate::tui::views::{PAGES, Page};

/// At the most so wide is the sparkline of speeds.
const SPEEDS: usize = 24;
/// So much of the path that is being read is worth showing.
const LEAST_PATH: usize = 12;

/// Draws the two lines.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    let first = Rect { height: 1, ..area };
    let progress = model.progress.clone().unwrap_or_default();
    match &progress.phase {
        // Without rows the list has room to say it, as has the activity.
        Phase::Failed(sentence) if model.page.list().is_some() && !model.list.listing.rows.is_empty() => {
            draw_failure(buffer, first, model, sentence, theme);
        }
        phase => {
            let state = state(&progress, usize::from(area.width) * 2 / 3);
            let style = match phase {
                Phase::Failed(_) => theme.alarm,
                _ if model.is_busy() => theme.accent,
                _ => theme.quiet,
            };
            let state_room = Rect { x: area.x + area.width / 3, width: area.width - area.width / 3, ..first };
            let free = put_right(buffer, state_room, &state, style);
            let name = cells::fit_end(&model.title, usize::from(free.saturating_sub(area.x + 2)));
            put(buffer, area.x, area.y, free.saturating_sub(area.x), &name, theme.accent);
        }
    }
    let second = Rect { y: area.y + 1, height: 1, ..area };
    draw_bar(buffer, second, &progress, theme);
    let end = draw_views(buffer, area, model, theme);
    if progress.phase == Phase::Indexing {
        draw_current(
            buffer,
            Rect { x: end, width: area.right().saturating_sub(end), ..second },
            &progress,
            theme,
        );
    }
}

/// The views by their keys, each with its place. Where there is no room for all names, only the one that is shown
/// has its own, and where there is none for the keys of the others either, it is alone.
pub fn tabs(model: &Model, area: Rect) -> Vec<(Page, String, Rect)> {
    let key = |page: Page| model.settings.keymap.first(page.action());
    let long = |page: Page| format!(" {} {} ", key(page), page.name());
    let short = |page: Page| if page == model.page { long(page) } else { format!(" {} ", key(page)) };
    let fits = |name: &dyn Fn(Page) -> String| {
        let all: usize = PAGES.iter().map(|page| name(*page).chars().count() + 1).sum();
        usize::from(area.width) > all
    };
    let name: &dyn Fn(Page) -> String = if fits(&long) { &long } else { &short };
    let has_room = fits(name);
    let mut x = area.x + 1;
    let placed = |page: Page| {
        let name = name(page);
        let width = area.right().saturating_sub(x).min(name.chars().count() as u16);
        let at = Rect { x, y: area.y + 1, width, height: 1 };
        x += width + 1;
        (page, name, at)
    };
    PAGES.into_iter().filter(|page| has_room || *page == model.page).map(placed).collect()
}

/// Draws them; returns the column behind the last one.
fn draw_views(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) -> u16 {
    let mut end = area.x;
    for (page, name, at) in tabs(model, area) {
        let style = if page == model.page { theme.accent } else { theme.quiet };
        // Nothing of the bar behind it shines through.
        at.positions().for_each(|at| buffer[at].reset());
        put(buffer, at.x, at.y, at.width, &name, style);
        end = at.right();
    }
    end
}

/// Says what failed, and what to do; where there is no room for all of that, which key shows the rest.
fn draw_failure(buffer: &mut Buffer, line: Rect, model: &Model, sentence: &str, theme: &Theme) {
    let is_whole = cells::cells(sentence).map(|cell| cell.width).sum::<usize>() <= usize::from(line.width);
    let more = match model.settings.keymap.first(Page::Activity.action()) {
        key if is_whole || key.is_empty() => String::new(),
        key => format!(" {key} says all"),
    };
    let end = put_right(buffer, line, &more, theme.accent);
    put(buffer, line.x, line.y, end.saturating_sub(line.x), sentence, theme.alarm);
}

/// What goes on, in words; the last of them go where there is no room.
pub fn state(progress: &Progress, room: usize) -> String {
    let documents = |count: u64| several(count, "document");
    let mut words = match &progress.phase {
        Phase::Opening => vec!["opening…".to_owned()],
        Phase::Walking => vec!["looking for changes…".to_owned()],
        Phase::Indexing => vec![
            format!("indexing {} of {} files", grouped(progress.files.0), grouped(progress.files.1)),
            format!("{}/s", Size(progress.speed as u64)),
            documents(progress.documents),
        ],
        Phase::Idle => vec![documents(progress.documents)],
        Phase::Failed(_) => vec!["stopped".to_owned()],
    };
    if matches!(progress.phase, Phase::Idle | Phase::Indexing) {
        // Who may not write need not look for changes of the folder: the one who writes does.
        words.extend(match progress.watching {
            Watching::Events => Some("watching".to_owned()),
            Watching::Polling(every) => Some(format!("looking every {} s", every.as_secs_f64())),
            // The folder is followed once it was read.
            Watching::Off if progress.read_only.is_some() => None,
            Watching::Off => (progress.phase == Phase::Idle).then(|| "not watching".to_owned()),
        });
        if progress.skipped > 0 {
            words.push(format!("{} left out", grouped(progress.skipped)));
        }
        words.push(format!("generation {}", progress.generation));
    }
    if let Some(holder) = &progress.read_only {
        words.insert(0, format!("read only: {holder} writes this index"));
        words.insert(1, "what it commits is shown".to_owned());
    }
    let is_too_long = |words: &[String]| words.join(" · ").chars().count() > room;
    while words.len() > 1 && is_too_long(&words) {
        words.pop();
    }
    if progress.read_only.is_some() && is_too_long(&words) {
        words = vec!["read only".to_owned()];
    }
    words.join(" · ")
}

/// How far indexing is; else only a line.
fn draw_bar(buffer: &mut Buffer, area: Rect, progress: &Progress, theme: &Theme) {
    let [full, empty] = theme.glyphs.bar;
    let share = match progress.phase {
        Phase::Indexing if progress.bytes.1 > 0 => progress.bytes.0 as f64 / progress.bytes.1 as f64,
        _ => 0.0,
    };
    let reached = (f64::from(area.width) * share.clamp(0.0, 1.0)) as u16;
    for x in 0..area.width {
        let (glyph, style) = if x < reached { (full, theme.accent) } else { (empty, theme.quiet) };
        buffer.set_string(area.x + x, area.y, glyph, style);
    }
}

/// The speed of indexing over time, and where there is room for it what is being read.
fn draw_current(buffer: &mut Buffer, area: Rect, progress: &Progress, theme: &Theme) {
    // The line goes on behind the names of the views.
    let room = usize::from(area.width).saturating_sub(2);
    let speeds = progress.speeds.len().min(SPEEDS).min(if room > 2 * LEAST_PATH { room / 2 } else { room });
    let right = Rect { x: area.right() - speeds as u16, width: speeds as u16, ..area };
    draw_speeds(buffer, right, speeds, &progress.speeds, theme);
    let left = room.saturating_sub(speeds + 2);
    if let Some(path) = progress.current.as_ref().filter(|_| left >= LEAST_PATH) {
        let name = cells::fit_end(&shown(path).text(), left);
        let before = Rect { width: area.width - speeds as u16, ..area };
        put_right(buffer, before, &format!(" {name} "), theme.quiet);
    }
}

/// Draws the last speeds as a sparkline; returns how many.
pub fn draw_speeds(buffer: &mut Buffer, area: Rect, room: usize, speeds: &[u64], theme: &Theme) -> u16 {
    let shown = &speeds[speeds.len() - speeds.len().min(room)..];
    let most = shown.iter().copied().max().unwrap_or(0).max(1);
    let last = theme.glyphs.blocks.len() - 1;
    for (x, &speed) in (area.x..).zip(shown) {
        let level = (speed as f64 / most as f64 * last as f64).round() as usize;
        put(buffer, x, area.y, 1, theme.glyphs.blocks[level.min(last)], theme.accent);
    }
    shown.len() as u16
}
