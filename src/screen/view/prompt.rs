//! Draws the prompt: the typed line with its cursor; for a filter also coloured terms, completions and problems.

use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};

use crate::cells;
use crate::input_line::InputLine;
use crate::model::{Ask, Model, Prompt};
use crate::text::{Canvas, behind};
use crate::theme::{Theme, glyphs};
use crate::views::list_for_row;
use dupi_index::query::filter::{Problem, SyntaxKind, parse_for, syntax};

/// The number of visible completions.
const CANDIDATES: usize = 6;

/// Draws a prompt.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, model: &Model, prompt: &Prompt) {
    let theme = canvas.theme;
    let head = match &prompt.ask {
        Ask::Filter => "filter: ",
        Ask::Search => "search: ",
        Ask::GoToLine => "line: ",
        Ask::Reason(..) => "reason: ",
        Ask::Export(_) => "write to: ",
        Ask::Import => "entries from: ",
        Ask::SaveFilter(_) => "save as: @",
    };
    let room = canvas.put(area, head, theme.accent);
    if let Some(search) = model.reader.search.as_ref().filter(|_| prompt.ask == Ask::Search) {
        let room = canvas.put_right(room, &search.count(), theme.quiet);
        return draw_line(canvas, room, &prompt.line, &[]);
    }
    if let Some(problem) = prompt.ask.problem(prompt.line.text()) {
        let room = canvas.put_right(room, problem, theme.alarm);
        let room = Rect { width: room.width.saturating_sub(1), ..room };
        return draw_line(canvas, room, &prompt.line, &[]);
    }
    if let Ask::Export(rows) = &prompt.ask
        && let Some(endings) = rows.first().map(|row| list_for_row(row).export.endings)
        && !endings.is_empty()
    {
        let lines = endings.iter().map(|line| ((*line).to_owned(), theme.text)).collect();
        draw_above(canvas, area, lines);
    }
    if prompt.ask != Ask::Filter {
        return draw_line(canvas, room, &prompt.line, &[]);
    }
    let text = prompt.line.text();
    let problems = parse_for(text, &model.settings.saved, model.list.view.of.lacks()).1;
    let styles: Vec<(usize, Style)> =
        syntax(text, &problems).into_iter().map(|(span, mark)| (span.start, style_of(mark, theme))).collect();
    draw_line(canvas, room, &prompt.line, &styles);
    draw_help(canvas, area, model, prompt, &problems);
}

fn style_of(mark: SyntaxKind, theme: &Theme) -> Style {
    match mark {
        SyntaxKind::Name | SyntaxKind::Saved => theme.accent,
        SyntaxKind::Minus | SyntaxKind::Wrong => theme.alarm,
        SyntaxKind::Exact => theme.text.add_modifier(Modifier::UNDERLINED),
        SyntaxKind::Value | SyntaxKind::Word => theme.text,
    }
}

/// Draws a typed line, or the part around its cursor. `styles` are given with their first bytes.
pub(super) fn draw_line(canvas: &mut Canvas, area: Rect, line: &InputLine, styles: &[(usize, Style)]) {
    let theme = canvas.theme;
    let text = line.text();
    let room = usize::from(area.width).saturating_sub(2);
    // As much as fits before the cursor.
    let before: Vec<(usize, usize)> =
        cells::cells(&text[..line.cursor()]).map(|cell| (cell.byte, cell.width)).collect();
    let mut taken = 0;
    let fits = before.iter().rev().take_while(|(_, width)| {
        taken += width;
        taken < room.max(1)
    });
    let first = fits.last().map_or(line.cursor(), |(byte, _)| *byte);
    let mut left = Rect { height: 1, ..area };
    for cell in cells::cells(&text[first..]) {
        let byte = first + cell.byte;
        if byte == line.cursor() {
            left = canvas.put(left, glyphs::CARET, theme.accent);
        }
        let style = styles[..styles.partition_point(|(start, _)| *start <= byte)].last();
        let style = style.map_or(theme.text, |(_, style)| *style);
        if cell.width > usize::from(left.width) {
            return;
        }
        canvas.buffer.set_stringn(left.x, left.y, &cell.symbol, cell.width, style);
        left = behind(left, cell.width as u16);
    }
    if line.cursor() == text.len() {
        canvas.put(left, glyphs::CARET, theme.accent);
    }
}

/// Draws problems and completions above the line.
fn draw_help(canvas: &mut Canvas, area: Rect, model: &Model, prompt: &Prompt, problems: &[Problem]) {
    let theme = canvas.theme;
    let found = model.candidates(prompt);
    // An incomplete term is not wrong yet.
    let is_typed = |problem: &&Problem| problem.span.end >= prompt.line.cursor() && !found.is_empty();
    let mut lines: Vec<(String, Style)> = found
        .iter()
        .take(CANDIDATES)
        .enumerate()
        .map(|(number, candidate)| {
            let style = if number == 0 { theme.selected } else { theme.text };
            (format!("{:<16} {}", candidate.text, candidate.about), style)
        })
        .collect();
    let told = problems.iter().filter(|problem| !is_typed(problem));
    lines.extend(told.map(|problem| (problem.to_string(), theme.alarm)));
    draw_above(canvas, area, lines);
}

/// Draws lines above the typed one.
fn draw_above(canvas: &mut Canvas, area: Rect, mut lines: Vec<(String, Style)>) {
    lines.truncate(usize::from(area.y.saturating_sub(4)));
    let widest = lines.iter().map(|(line, _)| cells::width(line)).max().unwrap_or(0);
    let width = (widest + 2).min(usize::from(area.width)) as u16;
    let lines_above = Rect { y: area.y - lines.len() as u16, height: lines.len() as u16, ..area };
    for (row, (line, style)) in lines_above.rows().zip(lines) {
        // Problems use the full width, so that the list behind them does not show.
        let row = if style == canvas.theme.alarm { row } else { Rect { width, ..row } };
        let style = canvas.theme.selected_away.patch(style);
        canvas.clear(row);
        canvas.buffer.set_style(row, style);
        canvas.put(row.inner(Margin::new(1, 0)), &line, style);
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::theme::Charset;

    #[test]
    fn of_a_line_that_is_too_long_the_part_before_the_cursor_is_seen() {
        let area = Rect::new(0, 0, 12, 1);
        let mut buffer = Buffer::empty(area);
        let line = InputLine::new(format!("{}港口 end", "x".repeat(100_000)));
        let theme = Theme::colourless(Charset::Unicode);
        draw_line(&mut Canvas { buffer: &mut buffer, theme: &theme }, area, &line, &[]);
        let shown: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(shown, "x港 口  end▏  ");
    }
}
