//! Draws the prompt: the typed line with its cursor; for a filter also coloured terms, completions and problems.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::cells;
use crate::input_line::InputLine;
use crate::model::{Ask, Model, Prompt};
use crate::text::{put, put_right};
use crate::theme::Theme;
use crate::views::list_for_row;
use dupi_index::query::filter::{Problem, SyntaxKind, parse_for, syntax};

/// The number of visible completions.
const CANDIDATES: usize = 6;

/// Draws a prompt.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, prompt: &Prompt, theme: &Theme) {
    let head = match &prompt.ask {
        Ask::Filter => "filter: ",
        Ask::Search => "search: ",
        Ask::GoToLine => "line: ",
        Ask::Reason(..) => "reason: ",
        Ask::Export(_) => "write to: ",
        Ask::Import => "entries from: ",
        Ask::SaveFilter(_) => "save as: @",
    };
    let x = put(buffer, area.x, area.y, area.width, head, theme.accent);
    let room = Rect { x, width: area.right().saturating_sub(x), ..area };
    if let Some(search) = model.reader.search.as_ref().filter(|_| prompt.ask == Ask::Search) {
        let end = put_right(buffer, room, &search.count(), theme.quiet);
        return draw_line(
            buffer,
            Rect { width: end.saturating_sub(room.x), ..room },
            &prompt.line,
            &[],
            theme,
        );
    }
    if let Some(problem) = prompt.ask.problem(prompt.line.text()) {
        let end = put_right(buffer, room, problem, theme.alarm);
        let room = Rect { width: end.saturating_sub(room.x + 1), ..room };
        return draw_line(buffer, room, &prompt.line, &[], theme);
    }
    if let Ask::Export(rows) = &prompt.ask
        && let Some(endings) = rows.first().map(|row| list_for_row(row).export.endings)
        && !endings.is_empty()
    {
        let lines = endings.iter().map(|line| ((*line).to_owned(), theme.text)).collect();
        draw_above(buffer, area, lines, theme);
    }
    if prompt.ask != Ask::Filter {
        return draw_line(buffer, room, &prompt.line, &[], theme);
    }
    let text = prompt.line.text();
    let problems = parse_for(text, &model.settings.saved, model.list.view.of.lacks()).1;
    let styles: Vec<(usize, Style)> =
        syntax(text, &problems).into_iter().map(|(span, mark)| (span.start, style_of(mark, theme))).collect();
    draw_line(buffer, room, &prompt.line, &styles, theme);
    draw_help(buffer, area, model, prompt, &problems, theme);
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
pub(super) fn draw_line(
    buffer: &mut Buffer,
    area: Rect,
    line: &InputLine,
    styles: &[(usize, Style)],
    theme: &Theme,
) {
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
    let mut x = area.x;
    for cell in cells::cells(&text[first..]) {
        let byte = first + cell.byte;
        if byte == line.cursor() {
            x = put(buffer, x, area.y, area.right().saturating_sub(x), theme.glyphs.caret, theme.accent);
        }
        let style = styles[..styles.partition_point(|(start, _)| *start <= byte)].last();
        let style = style.map_or(theme.text, |(_, style)| *style);
        if x + cell.width as u16 > area.right() {
            return;
        }
        buffer.set_stringn(x, area.y, &cell.symbol, cell.width, style);
        x += cell.width as u16;
    }
    if line.cursor() == text.len() {
        put(buffer, x, area.y, area.right().saturating_sub(x), theme.glyphs.caret, theme.accent);
    }
}

/// Draws problems and completions above the line.
fn draw_help(
    buffer: &mut Buffer,
    area: Rect,
    model: &Model,
    prompt: &Prompt,
    problems: &[Problem],
    theme: &Theme,
) {
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
    lines.extend(
        problems
            .iter()
            .filter(|problem| !is_typed(problem))
            .map(|problem| (problem.to_string(), theme.alarm)),
    );
    draw_above(buffer, area, lines, theme);
}

/// Draws lines above the typed one.
fn draw_above(buffer: &mut Buffer, area: Rect, mut lines: Vec<(String, Style)>, theme: &Theme) {
    lines.truncate(usize::from(area.y.saturating_sub(4)));
    let widest = lines.iter().map(|(line, _)| cells::cells(line).map(|cell| cell.width).sum::<usize>()).max();
    let width = (widest.unwrap_or(0) + 2).min(usize::from(area.width)) as u16;
    let top = area.y - lines.len() as u16;
    for (y, (line, style)) in (top..area.y).zip(lines) {
        // Problems use the full width, so that the list behind them does not show.
        let width = if style == theme.alarm { area.width } else { width };
        let at = Rect { x: area.x, y, width, height: 1 };
        at.positions().for_each(|at| buffer[at].reset());
        buffer.set_style(at, theme.selected_away.patch(style));
        put(buffer, at.x + 1, y, width.saturating_sub(2), &line, theme.selected_away.patch(style));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::UNICODE;

    #[test]
    fn of_a_line_that_is_too_long_the_part_before_the_cursor_is_seen() {
        let area = Rect::new(0, 0, 12, 1);
        let mut buffer = Buffer::empty(area);
        let line = InputLine::new(format!("{}港口 end", "x".repeat(100_000)));
        draw_line(&mut buffer, area, &line, &[], &Theme::colourless(UNICODE));
        let shown: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(shown, "x港 口  end▏  ");
    }
}
