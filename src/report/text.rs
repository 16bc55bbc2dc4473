//! Text for people: lines, or a table when the rows have columns. Control characters are replaced by pictures, so
//! that no text of a document commands the terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use super::format::{Format, FormatRows, Report};
use super::hyperlink::{Hyperlinks, LinkedFiles};
use super::readable::{Readable, Reading};
use super::row::ReportRow;
use super::style::Style;
use super::table::table;
use dupi_base::storage::{printable, uncommanded};

/// Text for people.
pub const FORMAT: Format = Format {
    name: "text",
    ending: Some("txt"),
    about: "text for people",
    rows: FormatRows::All,
    needs_texts: false,
    report: |settings| {
        Box::new(Text {
            style: settings.style,
            links: settings.links.clone(),
            headings: &[],
            held: Vec::new(),
        })
    },
};

/// Columns are as wide as their widest cell, so the lines of a table are held back until it ends.
struct Text {
    style: Style,
    links: Hyperlinks,
    headings: &'static [&'static str],
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
        let text = printable(&table(self.headings, &rows, self.style.width));
        out.write_all(self.style.table(&self.safe(&text)).as_bytes())
    }
}

impl Report for Text {
    fn row(&mut self, row: &ReportRow, out: &mut dyn Write) -> io::Result<()> {
        match row.reading() {
            Reading::Lines(lines) => {
                self.write_table(out)?;
                let is_linked = self.style.is_coloured && !self.links.format.is_none();
                let finding = if is_linked { row.finding() } else { None };
                let files = finding.map(|finding| LinkedFiles::of(&self.links, &finding));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::FilterRow;
    use crate::format::ReportSettings;
    use crate::name::DocumentName;
    use crate::shares::{DocumentShareRow, FolderShareRow};
    use std::path::Path;

    fn written(rows: &[ReportRow]) -> String {
        let (mut report, mut out) = ((FORMAT.report)(&ReportSettings::default()), Vec::new());
        report.begin(&mut out).unwrap();
        rows.iter().try_for_each(|row| report.row(row, &mut out)).unwrap();
        report.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn filter(text: &str) -> ReportRow {
        ReportRow::Filter(FilterRow { name: "\u{1b}]0;x\u{7}".into(), filter: text.into() })
    }

    fn document(path: &str, duplicated: u64) -> ReportRow {
        let path = DocumentName::new(Path::new(path), None);
        let (partner, language) = (None, None);
        ReportRow::Document(DocumentShareRow {
            path,
            share: 0.5,
            duplicated,
            tokens: 3000,
            copies: 1,
            partner,
            language,
        })
    }

    fn folder(path: &str, is_folder: bool) -> ReportRow {
        let path = DocumentName::new(Path::new(path), None);
        ReportRow::Folder(FolderShareRow {
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
}
