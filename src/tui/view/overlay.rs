//! What lies over the screen: keys, actions, the files left out, questions.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::typing::draw_line;
use super::{before, help};
use crate::corpus::Skipped;
use crate::session::Phase;
use crate::storage::shown;
use crate::tui::action::{BINDINGS, Binding};
use crate::tui::cells;
use crate::tui::line::Line;
use crate::tui::model::{Model, Overlay};
use crate::tui::text::{grouped, put, put_right, wrapped};
use crate::tui::theme::Theme;
use crate::tui::update::{fitting, none_fits};

/// The most lines that the palette shows at a time,
const PALETTE: usize = 14;
/// and how wide they are where there is room.
const PALETTE_WIDTH: usize = 98;
/// The widest that the keys in it are where there is little room.
const KEYS_LEAST: usize = 9;
/// From this width on the words stand beside the keys,
const WORDS_BESIDE_FROM: u16 = 72;
/// else they have so many lines.
const WORDS_BELOW: usize = 2;

/// Draws the overlay, if there is one.
pub fn draw(buffer: &mut Buffer, screen: Rect, model: &Model, theme: &Theme) {
    match &model.dialogue.overlay {
        None => {}
        Some(Overlay::Help(place, first)) => {
            let lines = vec![
                " ".repeat(help::width(model, *place, screen.width));
                help::count(model, *place, screen.width)
            ];
            let area = draw_list(buffer, screen, "keys", &lines, *first, theme);
            help::draw(buffer, area, model, *place, *first, theme);
        }
        Some(Overlay::Skipped(None, _)) => {
            draw_list(buffer, screen, "files left out", &["reading…".into()], 0, theme);
        }
        Some(Overlay::Skipped(Some(files), first)) => {
            let title = format!("{} left out", grouped(Skipped::count_all(files)));
            let height = usize::from(screen.height);
            let from = (*first).min(files.len().saturating_sub(1));
            let visible = files.iter().skip(from).take(height);
            let line = |left: &Skipped| {
                let more =
                    if left.more > 0 { format!(", and {} more", grouped(left.more)) } else { String::new() };
                format!("{}: {}{more}", shown(&left.path), left.reason)
            };
            let lines: Vec<String> = visible.map(line).collect();
            let lines = if files.is_empty() { vec!["No file was left out.".to_owned()] } else { lines };
            draw_list(buffer, screen, &title, &lines, 0, theme);
        }
        Some(Overlay::Mismatch(sentence)) => {
            let phase = model.progress.as_ref().map(|progress| &progress.phase);
            let (title, keep) = match phase {
                Some(Phase::Failed(_)) => {
                    ("an index that cannot be read", "k  leave it; nothing can be shown")
                }
                _ => ("another recipe", "k  keep it as it is"),
            };
            let lines = asked(screen, sentence, &["r  build the index anew", keep]);
            draw_list(buffer, screen, title, &lines, 0, theme);
        }
        Some(Overlay::Replace(_, file)) => {
            let sentence = format!("{} is there already.", shown(file));
            let lines = asked(screen, &sentence, &["y  write over it", "n  leave it"]);
            draw_list(buffer, screen, "replace", &lines, 0, theme);
        }
        Some(Overlay::Palette(line, chosen)) => draw_palette(buffer, screen, model, line, *chosen, theme),
        Some(Overlay::Filters(chosen)) => {
            let widest = model.settings.saved.names().map(str::len).max().unwrap_or(0) + 1;
            let lines: Vec<String> =
                model.settings.saved.iter().map(|(name, text)| format!("@{name:<widest$} {text}")).collect();
            draw_choice(
                buffer,
                screen,
                "saved filters: Enter takes one, d forgets it",
                &lines,
                *chosen,
                theme,
            );
        }
        Some(Overlay::Before(before)) => before::draw(buffer, screen, before, theme),
    }
}

/// A question and its answers.
fn asked(screen: Rect, sentence: &str, answers: &[&str]) -> Vec<String> {
    let width = usize::from(screen.width.saturating_sub(8)).clamp(10, 70);
    // The answers are seen, however long the question is.
    let room = usize::from(screen.height).saturating_sub(answers.len() + 3);
    let mut lines = wrapped(sentence, width, room);
    lines.push(String::new());
    lines.extend(answers.iter().map(|answer| (*answer).to_owned()));
    lines
}

fn draw_palette(buffer: &mut Buffer, screen: Rect, model: &Model, line: &Line, chosen: usize, theme: &Theme) {
    let found = fitting(line.text());
    let place = model.place();
    // Where there is no room for the words of all, those of the chosen one stand below.
    let below = if screen.width < WORDS_BESIDE_FROM { WORDS_BELOW } else { 0 };
    let room = PALETTE.min(usize::from(screen.height.saturating_sub(4)).saturating_sub(below)).max(1);
    let first = chosen.saturating_sub(room - 1);
    // The box keeps its place while something is typed.
    let width = usize::from(screen.width.saturating_sub(4)).min(PALETTE_WIDTH);
    let mut lines = vec![" ".repeat(width)];
    let keys = |binding: &Binding| model.settings.keymap.words(binding.action, theme.glyphs.are_ascii());
    let widest = BINDINGS.iter().map(|binding| keys(binding).chars().count()).max().unwrap_or(0);
    let beside = if width < PALETTE_WIDTH { widest.min(KEYS_LEAST) } else { widest };
    let words = |binding: &Binding| {
        let elsewhere = if binding.places.meets(place) { "" } else { " (elsewhere)" };
        format!("{}{elsewhere}", binding.words)
    };
    for binding in found.iter().skip(first).take(room) {
        let name = binding.id.replace('-', " ");
        let keys = keys(binding);
        let keys = cells::fit_whole(&keys, beside);
        let words = if below == 0 { words(binding) } else { String::new() };
        lines.push(format!("{name:<16} {keys:<beside$} {words}"));
    }
    if found.is_empty() {
        let is_number = line.text().trim().parse::<usize>().is_ok();
        lines.push(if is_number {
            "Enter goes to this line.".into()
        } else {
            none_fits(line.text()).to_owned()
        });
    }
    lines.resize(room + 1, String::new());
    if let Some(binding) = found.get(chosen).filter(|_| below > 0) {
        lines.extend(wrapped(&words(binding), width, below));
    }
    lines.resize(room + 1 + below, String::new());
    let area = draw_list(buffer, screen, "actions", &lines, 0, theme);
    if area.is_empty() {
        return;
    }
    if first + room < found.len() {
        say_more(buffer, area, theme);
    }
    draw_line(buffer, Rect { height: 1, ..area }, line, &[], theme);
    let at = area.y + 1 + (chosen - first) as u16;
    if at < area.bottom() && !found.is_empty() {
        buffer.set_style(Rect { y: at, height: 1, ..area }, theme.selected);
    }
}

/// Blanks an area and a column on each side of it, so that what lies below does not touch the frame.
fn clear(buffer: &mut Buffer, screen: Rect, area: Rect, theme: &Theme) {
    let left = area.x.saturating_sub(1).max(screen.x);
    let apart = Rect { x: left, width: area.right() + 1 - left, ..area }.intersection(screen);
    // A wide letter before it would reach into it.
    for y in apart.top()..apart.bottom() {
        let before = left.checked_sub(1).and_then(|x| buffer.cell_mut((x, y)));
        if let Some(cell) = before.filter(|cell| cell.cell_width() > 1) {
            cell.set_symbol(" ");
        }
    }
    Clear.render(apart, buffer);
    buffer.set_style(apart, theme.text);
}

fn draw_frame(buffer: &mut Buffer, area: Rect, theme: &Theme) {
    let (glyphs, style) = (theme.glyphs, theme.quiet);
    let (right, bottom) = (area.right().saturating_sub(1), area.bottom().saturating_sub(1));
    for at in area.positions() {
        let is_side = at.x == area.x || at.x == right;
        let glyph = match (at.y == area.y, at.y == bottom, at.x == right) {
            (true, _, is_right) if is_side => glyphs.corners[usize::from(is_right)],
            (_, true, is_right) if is_side => glyphs.corners[2 + usize::from(is_right)],
            (false, false, _) if is_side => glyphs.vertical,
            (false, false, _) => continue,
            _ => glyphs.horizontal,
        };
        buffer.set_string(at.x, at.y, glyph, style);
    }
}

/// A list with one line chosen.
fn draw_choice(
    buffer: &mut Buffer,
    screen: Rect,
    title: &str,
    lines: &[String],
    chosen: usize,
    theme: &Theme,
) {
    let room = usize::from(screen.height.saturating_sub(2)).max(1);
    let first = chosen.saturating_sub(room - 1);
    let area = draw_list(buffer, screen, title, lines, first, theme);
    let at = area.y + (chosen - first) as u16;
    if at < area.bottom() {
        buffer.set_style(Rect { y: at, height: 1, ..area }, theme.selected);
    }
}

/// Says at the lower edge of a box that there is more than what is seen within it, and how to see that.
pub fn say_more(buffer: &mut Buffer, within: Rect, theme: &Theme) {
    let words = if theme.glyphs.are_ascii() { " more below: Down, PgDn " } else { " more below: ↓ PgDn " };
    put_right(buffer, Rect { y: within.bottom(), height: 1, ..within }, words, theme.quiet);
}

/// Draws lines in a box in the middle; returns what is within the box.
pub fn draw_list(
    buffer: &mut Buffer,
    screen: Rect,
    title: &str,
    lines: &[String],
    first: usize,
    theme: &Theme,
) -> Rect {
    let widest =
        lines.iter().map(|line| cells::cells(line).map(|cell| cell.width).sum::<usize>()).max().unwrap_or(0);
    let width = widest.max(title.len() + 4) + 4;
    // No slivers of what lies below.
    let width = if width + 16 > usize::from(screen.width) { screen.width } else { width as u16 };
    let height = (lines.len() + 2).min(usize::from(screen.height)) as u16;
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    clear(buffer, screen, area, theme);
    draw_frame(buffer, area, theme);
    put(buffer, area.x + 2, area.y, width.saturating_sub(4), &format!(" {title} "), theme.accent);
    let room = usize::from(height.saturating_sub(2));
    let first = first.min(lines.len().saturating_sub(room));
    for (y, line) in (area.y + 1..area.bottom() - 1).zip(&lines[first..]) {
        put(buffer, area.x + 2, y, width.saturating_sub(4), line, theme.text);
    }
    let within = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: width.saturating_sub(4),
        height: height.saturating_sub(2),
    };
    if first + room < lines.len() {
        say_more(buffer, within, theme);
    }
    within
}
