//! JSON lines, for programs: each row is one JSON object on a line of its own. All fields are exact.

use std::io::{self, Write};

use serde::Serialize;

use super::format::{Format, FormatRows, Report};
use super::row::ReportRow;
use dupi_base::storage::without_commands;

/// JSON lines.
pub const FORMAT: Format = Format {
    name: "json",
    ending: Some("jsonl"),
    about: "JSON lines, an object for each row, with exact fields",
    rows: FormatRows::All,
    needs_texts: false,
    report: |_| Box::new(JsonLines),
};

struct JsonLines;

impl Report for JsonLines {
    fn row(&mut self, row: &ReportRow, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(json(row)?.as_bytes())?;
        out.write_all(b"\n")
    }
}

/// A value as JSON in one line, in which no string [commands](without_commands) a workflow run.
pub(super) fn json(value: &(impl Serialize + ?Sized)) -> io::Result<String> {
    Ok(without_commands(&serde_json::to_string(value)?, ":", r"\u0023").into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blots::{BlotName, TileRow};
    use crate::decisions::FilterRow;
    use crate::format::ReportSettings;

    #[test]
    fn each_row_is_a_line_with_its_exact_fields_in_order() {
        let rows = [
            ReportRow::Filter(FilterRow { name: "n".into(), filter: "\u{1b}[2J\n\"é\"##[a".into() }),
            ReportRow::Tile(TileRow { blot: "b".into(), start: 1, end: 9, with_offsets: false }),
            ReportRow::BlotName(BlotName("b".into())),
        ];
        let (mut report, mut out) = ((FORMAT.report)(&ReportSettings::default()), Vec::new());
        report.begin(&mut out).unwrap();
        rows.iter().try_for_each(|row| report.row(row, &mut out)).unwrap();
        report.end(&mut out).unwrap();
        let lines = [
            r##"{"name":"n","filter":"\u001b[2J\n\"é\"#\u0023[a"}"##,
            r#"{"blot":"b","start":1,"end":9}"#,
            r#""b""#,
            "",
        ];
        assert_eq!(String::from_utf8(out).unwrap(), lines.join("\n"));
    }
}
