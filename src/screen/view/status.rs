//! Parts of the status line: how far the searches are that the rows are made from; the distribution of document frequencies
//! of all blots as a sparkline, with a line at the σ threshold and the excluded part dimmed; and the prompt with its cursor,
//! for a filter also with coloured terms, completions and problems.

use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};

use crate::cells;
use crate::input_line::InputLine;
use crate::model::{Ask, Model, Prompt};
use crate::text::{Canvas, behind, grouped, several};
use crate::theme::{Theme, glyphs};
use crate::views::{list_for_row, list_of};
use dupi_index::query::filter::{Problem, SyntaxKind, parse_for, syntax};
use dupi_session::{ClusterFacts, Comparison, Listing, ReviewFacts, SearchState};

/// The progress of the search for passages, and what is shown meanwhile.
pub(crate) fn search(model: &Model) -> Option<String> {
    let (is_provisional, of) = (model.list.listing.is_provisional, model.list.view.of);
    let stand_in =
        list_of(of).stand_in.map(|of| list_of(of).view.name).filter(|_| model.list.listing.has_stand_ins());
    let meanwhile = match stand_in {
        Some(name) => format!("; until then {name}"),
        None if model.list.listing.is_first_look => "; these are some of them".to_owned(),
        None => String::new(),
    };
    match &model.passage_search {
        _ if of.is_from_clusters() => compared(model),
        _ if of.is_from_review() => reviewed(model),
        _ if !of.needs_passages() => None,
        SearchState::At(share) => {
            Some(format!("looking for passages: {:.0} %{meanwhile}", (share * 100.0).floor()))
        }
        _ if !is_provisional => None,
        SearchState::Failed(_) => Some(
            stand_in
                .map_or_else(|| "no passages".to_owned(), |name| format!("no passages: these are {name}")),
        ),
        SearchState::Idle if model.is_busy() => Some(format!("passages follow when all is read{meanwhile}")),
        SearchState::Idle => Some(format!("passages follow{meanwhile}")),
    }
}

/// How far the review is, and what was reviewed.
fn reviewed(model: &Model) -> Option<String> {
    let facts = model.list.listing.review;
    let mut words = match &model.review_search {
        SearchState::At(share) => vec![format!("reviewing: {:.0} %", (share * 100.0).floor())],
        _ if facts.is_none() && model.is_busy() => vec!["the review follows when all is read".to_owned()],
        _ => Vec::new(),
    };
    if let Some(ReviewFacts { files, added, left_out, moved }) = facts {
        words.push(format!("{} changed, {} added", several(files, "file"), several(added, "line")));
        words.extend((left_out > 0).then(|| format!("{} left out", grouped(left_out))));
        words.extend((moved > 0).then(|| format!("{} moved or edited", grouped(moved))));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}

/// How documents are compared, how far that is, and what was found.
fn compared(model: &Model) -> Option<String> {
    let facts = model.list.listing.clusters;
    let mut words = match &model.cluster_search {
        SearchState::At(share) => vec![format!("comparing documents: {:.0} %", (share * 100.0).floor())],
        SearchState::Failed(_) if facts.is_none_or(|facts| facts.compared.is_none()) => {
            vec!["similar documents were not found".to_owned()]
        }
        _ if facts.is_none() && model.is_busy() => vec!["clusters follow when all is read".to_owned()],
        _ => Vec::new(),
    };
    if let Some(ClusterFacts { compared, trees, identical, similar, .. }) = facts {
        let by = compared.map(|Comparison { method, threshold }| format!("{method} ≥ {threshold}"));
        words.extend(by.or_else(|| words.is_empty().then(|| "identical only".to_owned())));
        let counts = [(trees, "trees"), (identical, "identical"), (similar, "similar")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{what} {}", grouped(count))).collect();
        words.extend((!counts.is_empty()).then(|| counts.join(", ")));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}

/// Draws the distribution at the right end of a line if there is room.
pub(crate) fn draw_spread(canvas: &mut Canvas, area: Rect, listing: &Listing) {
    let theme = canvas.theme;
    // Blots that occur once are no rows, and by far the most.
    let classes = listing.spread.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    let classes = listing.spread.get(1..classes).unwrap_or_default();
    let ends = grouped(u64::from(listing.greatest));
    let cut = listing.cut.and_then(|cut| place_of(cut, classes.len()));
    let width = (classes.len() + usize::from(cut.is_some()) + ends.len() + "docs 2  ".len()) as u16;
    if classes.len() < 2 || width + 2 > area.width {
        return;
    }
    let mut left = canvas.put(behind(area, area.width - width), "docs 2 ", theme.quiet);
    for (class, &count) in classes.iter().enumerate() {
        if cut == Some(class) {
            left = canvas.put(left, glyphs::VERTICAL, theme.text);
        }
        let style = if cut.is_some_and(|cut| class < cut) { theme.quiet } else { theme.accent };
        left = canvas.put(left, level(count, classes), style);
    }
    if cut == Some(classes.len()) {
        left = canvas.put(left, glyphs::VERTICAL, theme.text);
    }
    canvas.put(behind(left, 1), &ends, theme.quiet);
}

/// The class before which the σ line is drawn: the nearest boundary if the threshold lies within a class. The first
/// class is that of 2 and 3 documents. `None` if nothing is excluded.
fn place_of(cut: u32, classes: usize) -> Option<usize> {
    let nearest = f64::from(cut).log2().round() as usize;
    (cut > 2).then(|| (nearest - 1).min(classes))
}

/// The block for a count. Counts fall tenfold with each class, so the height is logarithmic.
fn level(count: u64, among: &[u64]) -> &'static str {
    let most = among.iter().copied().max().unwrap_or(1);
    let height = |count: u64| ((count + 1) as f64).ln();
    let last = glyphs::BLOCKS.len() - 1;
    let level = (height(count) / height(most).max(f64::MIN_POSITIVE) * last as f64).round() as usize;
    if count == 0 { " " } else { glyphs::BLOCKS[level.min(last)] }
}

/// The number of visible completions.
const CANDIDATES: usize = 6;

/// Draws a prompt.
pub(super) fn draw_prompt(canvas: &mut Canvas, area: Rect, model: &Model, prompt: &Prompt) {
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
    use crate::theme::{Charset, Theme};

    fn drawn(cut: Option<u32>, theme: &Theme) -> String {
        let spread = std::array::from_fn(|class| if class < 5 { 100 >> class } else { 0 });
        let listing = Listing { cut, spread, greatest: 19, ..Listing::default() };
        let area = Rect::new(0, 0, 30, 1);
        let mut buffer = Buffer::empty(area);
        draw_spread(&mut Canvas { buffer: &mut buffer, theme }, area, &listing);
        theme.finish(&mut buffer);
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim().to_owned()
    }

    #[test]
    fn a_line_stands_where_sigma_cuts() {
        let theme = Theme::colourless(Charset::Unicode);
        assert_eq!(drawn(None, &theme), "docs 2 █▇▆▄ 19");
        assert_eq!(drawn(Some(2), &theme), drawn(None, &theme));
        assert_eq!(drawn(Some(3), &theme), "docs 2 █│▇▆▄ 19");
        assert_eq!(drawn(Some(5), &theme), "docs 2 █│▇▆▄ 19");
        assert_eq!(drawn(Some(8), &theme), "docs 2 █▇│▆▄ 19");
        assert_eq!(drawn(Some(900), &theme), "docs 2 █▇▆▄│ 19");
        assert!(drawn(Some(8), &Theme::colourless(Charset::Ascii)).contains('|'));
    }

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
