//! Text for people: lines, or a table when the rows have columns. Control characters are replaced by pictures, so
//! that no text of a document commands the terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use super::format::{Format, Report};
use super::hyperlink::{Hyperlinks, LinkedFiles};
use super::style::Style;
use crate::format::{Reading, ReportRow};
use dupi_base::storage::{printable, uncommanded};
use unicode_width::UnicodeWidthStr;

/// Text for people.
pub const FORMAT: Format = Format {
    name: "text",
    ending: Some("txt"),
    about: "text for people",
    is_of_findings: false,
    needs_texts: false,
    report: |settings| {
        Box::new(Text {
            style: settings.style,
            links: settings.links.clone(),
            headings: Vec::new(),
            held: Vec::new(),
        })
    },
};

/// Columns are as wide as their widest cell, so the lines of a table are held back until it ends.
struct Text {
    style: Style,
    links: Hyperlinks,
    headings: Vec<&'static str>,
    held: Vec<Vec<String>>,
}

impl Text {
    /// Printable text that is not for a terminal may be read as a log of a workflow run.
    fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.style.width.is_some() { text.into() } else { uncommanded(text) }
    }

    fn write_table(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.held);
        let text = printable(&table(&self.headings, &rows, self.style.width));
        out.write_all(self.style.table(&self.safe(&text)).as_bytes())
    }
}

impl Report for Text {
    fn row(&mut self, row: &dyn ReportRow, out: &mut dyn Write) -> io::Result<()> {
        match row.reading() {
            Reading::Lines(lines) => {
                self.write_table(out)?;
                let is_linked = self.style.is_coloured && !self.links.format.is_none();
                let finding = if is_linked { row.finding() } else { None };
                let files = finding.map(|finding| LinkedFiles::for_finding(&self.links, &finding));
                let text = printable(&lines);
                out.write_all(self.style.lines(&self.safe(&text), files.as_ref()).as_bytes())
            }
            Reading::Cells { headings, cells } => {
                if headings != self.headings {
                    self.write_table(out)?;
                    self.headings = headings;
                }
                self.held.push(cells);
                Ok(())
            }
        }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write_table(out)
    }
}

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
    use crate::decisions::FilterRow;
    use crate::format::ReportSettings;
    use crate::shares::{DocumentShareRow, FolderShareRow};
    use crate::words::DocumentName;
    use std::path::Path;

    fn written(rows: &[Box<dyn ReportRow>]) -> String {
        let (mut report, mut out) = ((FORMAT.report)(&ReportSettings::default()), Vec::new());
        report.begin(&mut out).unwrap();
        rows.iter().try_for_each(|row| report.row(&**row, &mut out)).unwrap();
        report.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn filter(text: &str) -> Box<dyn ReportRow> {
        Box::new(FilterRow { name: "\u{1b}]0;x\u{7}".into(), filter: text.into() })
    }

    fn document(path: &str, duplicated: u64) -> Box<dyn ReportRow> {
        let path = DocumentName::new(Path::new(path), None);
        let (partner, language) = (None, None);
        Box::new(DocumentShareRow {
            path,
            share: 0.5,
            duplicated,
            tokens: 3000,
            copies: 1,
            partner,
            language,
        })
    }

    fn folder(path: &str, is_folder: bool) -> Box<dyn ReportRow> {
        let path = DocumentName::new(Path::new(path), None);
        Box::new(FolderShareRow {
            path,
            is_folder,
            share: 0.0,
            duplicated: 0,
            tokens: 0,
            copies: 0,
            documents: 1,
        })
    }

    #[test]
    fn no_line_commands_the_terminal() {
        assert_eq!(written(&[filter("a\u{9b}31m")]), "@␛]0;x␇ a\u{fffd}31m\n");
        assert_eq!(written(&[]), "");
    }

    #[test]
    fn rows_with_the_same_columns_are_one_table_and_stand_where_they_came() {
        let rows = [
            document("a", 1500),
            document("b\nc", 2999),
            filter("x"),
            folder("", true),
            folder("d", true),
            folder("f", false),
        ];
        let lines = [
            " share  duplicated  tokens  copies  document  shared  partner",
            "50.0 %        1500    3000       1  a",
            "99.9 %        2999    3000       1  b\\x0ac",
            "@␛]0;x␇ x",
            "share  duplicated  tokens  copies  documents  path",
            "0.0 %           0       0       0          1  .",
            "0.0 %           0       0       0          1  d/",
            "0.0 %           0       0       0          1  f",
            "",
        ];
        assert_eq!(written(&rows), lines.join("\n"));
    }

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
