//! JSON lines, for programs: each row is one JSON object on a line of its own. All fields are exact.

use std::borrow::Cow;
use std::io::{self, Write};

use super::format::{Format, Report};
use crate::format::{Fields, ReportRow};
use dupi_base::storage::without_commands;

/// JSON lines.
pub const FORMAT: Format = Format {
    name: "json",
    ending: Some("jsonl"),
    about: "JSON lines, an object for each row, with exact fields",
    is_of_findings: false,
    needs_texts: false,
    report: |_| Box::new(JsonLines),
};

struct JsonLines;

impl Report for JsonLines {
    fn row(&mut self, row: &dyn ReportRow, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(uncommanded(&row.json()?).as_bytes())?;
        out.write_all(b"\n")
    }
}

/// A value as JSON in one line, in which no string [commands](without_commands) a workflow run.
pub(super) fn json(value: &impl Fields) -> io::Result<String> {
    Ok(uncommanded(&value.json()?).into_owned())
}

fn uncommanded(json: &str) -> Cow<'_, str> {
    without_commands(json, ":", r"\u0023")
}

/// Writes each array of numbers as a line of its own, as `[1, 2]`. Nothing is flushed.
pub fn write_arrays<A: AsRef<[u64]>>(
    arrays: impl IntoIterator<Item = A>,
    out: &mut dyn Write,
) -> io::Result<()> {
    arrays.into_iter().try_for_each(|array| writeln!(out, "{:?}", array.as_ref()))
}

/// Writes each number as a line of its own. Nothing is flushed.
pub fn write_numbers(numbers: &[u64], out: &mut dyn Write) -> io::Result<()> {
    numbers.iter().try_for_each(|number| writeln!(out, "{number}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decisions::FilterRow;
    use crate::format::ReportSettings;
    use crate::index::{BlotName, TileRow};

    #[test]
    fn each_row_is_a_line_with_its_exact_fields_in_order() {
        let rows: [&dyn ReportRow; 3] = [
            &FilterRow { name: "n".into(), filter: "\u{1b}[2J\n\"é\"##[a".into() },
            &TileRow { blot: "b".into(), start: 1, end: 9, with_offsets: false },
            &BlotName("b".into()),
        ];
        let (mut report, mut out) = ((FORMAT.report)(&ReportSettings::default()), Vec::new());
        report.begin(&mut out).unwrap();
        rows.iter().try_for_each(|row| report.row(*row, &mut out)).unwrap();
        report.end(&mut out).unwrap();
        let lines = [
            r##"{"name":"n","filter":"\u001b[2J\n\"é\"#\u0023[a"}"##,
            r#"{"blot":"b","start":1,"end":9}"#,
            r#""b""#,
            "",
        ];
        assert_eq!(String::from_utf8(out).unwrap(), lines.join("\n"));
    }

    proptest! {
        #[test]
        fn arrays_are_lines_of_json(
            arrays in prop::collection::vec(prop::collection::vec(prop_oneof![any::<u64>(), 0..1000_u64], 0..5), 0..20),
        ) {
            let mut text = Vec::new();
            write_arrays(&arrays, &mut text).unwrap();
            let lines: String = arrays.iter().map(|array| format!("{array:?}\n")).collect();
            prop_assert_eq!(String::from_utf8(text).unwrap(), lines);
            let mut text = Vec::new();
            let numbers = arrays.concat();
            write_numbers(&numbers, &mut text).unwrap();
            let lines: String = numbers.iter().map(|number| format!("{number}\n")).collect();
            prop_assert_eq!(String::from_utf8(text).unwrap(), lines);
        }
    }
}
