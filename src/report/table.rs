//! Rows for people, in columns: numbers to the right, the rest to the left.

use unicode_width::UnicodeWidthStr;

/// No column but the last is padded wider than this.
const WIDEST: usize = 60;

/// Lines up rows under their headings; a heading that begins with `>` is one over numbers.
pub(super) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let heads: Vec<String> =
        headings.iter().map(|heading| heading.trim_start_matches('>').to_owned()).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&heads]).map(|row| row[column].width());
        cells.max().unwrap_or(0).min(WIDEST)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let mut text = String::new();
    for row in [&heads].into_iter().chain(rows) {
        let mut line = String::new();
        for ((cell, heading), width) in row.iter().zip(headings).zip(&widths) {
            let space = " ".repeat(width.saturating_sub(cell.width()));
            let (before, behind) = if heading.starts_with('>') { (&*space, "") } else { ("", &*space) };
            line.extend([before, cell, behind, "  "]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
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
        let text = table(&[">tokens", "name", "more"], &rows);
        assert_eq!(text, "tokens  name  more\n     7  漢字\n  1234  a     b\n");
    }
}
