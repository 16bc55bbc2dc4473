//! Rows for people, in columns: numbers to the right, the rest to the left.

use unicode_width::UnicodeWidthStr;

/// The space between two columns.
const SPACE: usize = 2;
/// No column but the last is padded wider than this.
const WIDEST: usize = 60;

/// The fewest columns that a cell of words is cut to.
const NARROWEST: usize = 12;

/// Lines up rows under their headings; a heading that begins with `>` is one over numbers. In a table for a terminal of
/// some `width`, the widest columns of words are narrowed until it fits, and their cells keep their ends: those of paths
/// tell more.
pub(super) fn table(headings: &[&str], rows: &[Vec<String>], width: Option<usize>) -> String {
    let heads: Vec<String> =
        headings.iter().map(|heading| heading.trim_start_matches('>').to_owned()).collect();
    let widest = |column: usize| {
        let cells = rows.iter().chain([&heads]).map(|row| row[column].width());
        cells.max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..heads.len()).map(widest).collect();
    let mut narrowed = Vec::new();
    if let Some(width) = width {
        let words = || (0..heads.len()).filter(|&column| !headings[column].starts_with('>'));
        while widths.iter().map(|width| width + SPACE).sum::<usize>() > width + SPACE {
            let wide =
                words().filter(|&column| widths[column] > NARROWEST).max_by_key(|&column| widths[column]);
            let Some(column) = wide else { break };
            widths[column] -= 1;
        }
        let rows = rows
            .iter()
            .map(|row| row.iter().zip(&widths).map(|(cell, &width)| ending(cell, width)).collect());
        narrowed = rows.collect::<Vec<Vec<String>>>();
    }
    let rows = if width.is_some() { &narrowed[..] } else { rows };
    widths.iter_mut().for_each(|width| *width = (*width).min(WIDEST));
    let mut text = String::new();
    for row in [&heads].into_iter().chain(rows) {
        let mut line = String::new();
        for ((cell, heading), width) in row.iter().zip(headings).zip(&widths) {
            let space = " ".repeat(width.saturating_sub(cell.width()));
            let (before, behind) = if heading.starts_with('>') { (&*space, "") } else { ("", &*space) };
            line.extend([before, cell, behind, &" ".repeat(SPACE)]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A cell, or as much of its end as has room behind an ellipsis.
fn ending(cell: &str, width: usize) -> String {
    if cell.width() <= width {
        return cell.to_owned();
    }
    let mut start = cell.len();
    for (at, _) in cell.char_indices().rev() {
        if cell[at..].width() + 1 > width {
            break;
        }
        start = at;
    }
    format!("…{}", &cell[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_under_each_other_and_no_line_ends_in_space() {
        let rows = [
            vec!["7".to_owned(), "漢字".to_owned(), String::new()],
            vec!["1234".to_owned(), "a".to_owned(), "b".to_owned()],
        ];
        let text = table(&[">tokens", "name", "more"], &rows, None);
        assert_eq!(text, "tokens  name  more\n     7  漢字\n  1234  a     b\n");
    }
    #[test]
    fn on_a_terminal_words_are_narrowed_and_numbers_are_not() {
        let rows = [vec!["1234".to_owned(), "a/very/long/path/to.txt".to_owned(), "b".to_owned()]];
        let narrow = table(&[">tokens", "name", "more"], &rows, Some(28));
        assert_eq!(narrow, "tokens  name            more\n  1234  …g/path/to.txt  b\n");
        assert!(narrow.lines().all(|line| line.width() <= 28));
        let narrowest = table(&[">tokens", "name", "more"], &rows, Some(5));
        assert!(narrowest.ends_with("  1234  …path/to.txt  b\n"), "{narrowest}");
        let wide = table(&[">tokens", "name", "more"], &rows, Some(80));
        assert_eq!(wide, table(&[">tokens", "name", "more"], &rows, None));
    }
}
