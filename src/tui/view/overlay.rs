//! What lies over the screen: all keys, the files left out, a question.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::{grouped, put};
use crate::tui::action::BINDINGS;
use crate::tui::cells;
use crate::tui::model::{Model, Overlay};
use crate::tui::theme::Theme;

/// Draws the overlay, if there is one.
pub fn draw(buffer: &mut Buffer, screen: Rect, model: &Model, theme: &Theme) {
    match &model.overlay {
        None => {}
        Some(Overlay::Help(first)) => {
            let widest = BINDINGS.iter().map(|binding| binding.keys().chars().count()).max().unwrap_or(0);
            let lines: Vec<String> = BINDINGS
                .iter()
                .map(|binding| format!("{:<widest$}  {}", binding.keys(), binding.words))
                .collect();
            draw_list(buffer, screen, "keys", &lines, *first, theme);
        }
        Some(Overlay::Skipped(None, _)) => {
            draw_list(buffer, screen, "files left out", &["reading…".into()], 0, theme)
        }
        Some(Overlay::Skipped(Some(files), first)) => {
            let title = format!("{} left out", grouped(files.len() as u64));
            let height = usize::from(screen.height);
            let from = (*first).min(files.len().saturating_sub(1));
            let shown = files.iter().skip(from).take(height);
            let lines: Vec<String> =
                shown.map(|left| format!("{}: {}", left.path.to_string_lossy(), left.reason)).collect();
            let lines = if files.is_empty() { vec!["No file was left out.".to_owned()] } else { lines };
            draw_list(buffer, screen, &title, &lines, 0, theme);
        }
        Some(Overlay::Mismatch(sentence)) => {
            let width = usize::from(screen.width.saturating_sub(8)).clamp(10, 70);
            let mut lines = wrapped(sentence, width);
            lines.push(String::new());
            lines.push("r  build the index anew".to_owned());
            lines.push("k  keep it as it is".to_owned());
            draw_list(buffer, screen, "another recipe", &lines, 0, theme);
        }
    }
}

fn draw_list(buffer: &mut Buffer, screen: Rect, title: &str, lines: &[String], first: usize, theme: &Theme) {
    let widest =
        lines.iter().map(|line| cells::cells(line).map(|cell| cell.width).sum::<usize>()).max().unwrap_or(0);
    let width = widest.max(title.len() + 4) as u16 + 4;
    // No slivers of what lies below.
    let width = if width + 8 > screen.width { screen.width } else { width };
    let height = (lines.len() as u16 + 2).min(screen.height);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    let glyphs = theme.glyphs;
    for x in area.x..area.right() {
        buffer.set_string(x, area.y, glyphs.horizontal, theme.quiet);
        buffer.set_string(x, area.bottom() - 1, glyphs.horizontal, theme.quiet);
    }
    put(buffer, area.x + 2, area.y, width.saturating_sub(4), &format!(" {title} "), theme.accent);
    let room = usize::from(height.saturating_sub(2));
    let first = first.min(lines.len().saturating_sub(room));
    for (y, line) in (area.y + 1..area.bottom() - 1).zip(&lines[first..]) {
        put(buffer, area.x + 2, y, width.saturating_sub(4), line, theme.text);
    }
}

/// Text in lines of at most `width` characters, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let length = lines[last].chars().count();
        if length > 0 && length + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if length > 0 {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}
