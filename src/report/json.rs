//! JSON lines, for programs: each row is one JSON object on a line of its own. All fields are exact.

use std::borrow::Cow;
use std::io::{self, Write};

use super::format::{Format, Report};
use super::row::{Fields, ReportRow};
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

/// So many bytes are gathered before they are written.
const AT_ONCE: usize = 64 << 10;
/// The most digits of a number.
const DIGITS: usize = 20;

/// Writes each array of numbers as a line of its own, as `[1, 2]`: there may be millions of them. Nothing is flushed.
pub fn write_arrays<A: AsRef<[u64]>>(
    arrays: impl IntoIterator<Item = A>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::with_capacity(2 * AT_ONCE);
    for array in arrays {
        text.push(b'[');
        for (at, &number) in array.as_ref().iter().enumerate() {
            if at > 0 {
                text.extend_from_slice(b", ");
            }
            push_number(number, &mut text);
            if text.len() >= AT_ONCE {
                out.write_all(&text)?;
                text.clear();
            }
        }
        text.extend_from_slice(b"]\n");
    }
    out.write_all(&text)
}

/// Writes each number as a line of its own. Nothing is flushed.
pub fn write_numbers(numbers: &[u64], out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::with_capacity(2 * AT_ONCE);
    for some in numbers.chunks(AT_ONCE / DIGITS) {
        text.clear();
        for &number in some {
            push_number(number, &mut text);
            text.push(b'\n');
        }
        out.write_all(&text)?;
    }
    Ok(())
}

/// Appends the decimal digits of a number, made two at a time from the last ones.
fn push_number(mut number: u64, text: &mut Vec<u8>) {
    let mut digits = [0; DIGITS];
    let mut start = DIGITS;
    let digit = |value: u64| b'0' + value as u8;
    while number >= 10 {
        start -= 2;
        let two = number % 100;
        number /= 100;
        digits[start..start + 2].copy_from_slice(&[digit(two / 10), digit(two % 10)]);
    }
    if number > 0 || start == DIGITS {
        start -= 1;
        digits[start] = digit(number);
    }
    text.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::blots::{BlotName, TileRow};
    use crate::decisions::FilterRow;
    use crate::format::ReportSettings;

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

    #[test]
    fn many_numbers_are_written_in_parts() {
        let numbers: Vec<u64> = (0..40_000).map(|number| number * 1_000_003).collect();
        let (mut arrays, mut lines) = (Vec::new(), Vec::new());
        write_arrays([&numbers], &mut arrays).unwrap();
        write_numbers(&numbers, &mut lines).unwrap();
        assert!(arrays.len() > 4 * AT_ONCE);
        assert_eq!(String::from_utf8(arrays).unwrap(), format!("{numbers:?}\n"));
        let expected: String = numbers.iter().map(|number| format!("{number}\n")).collect();
        assert_eq!(String::from_utf8(lines).unwrap(), expected);
    }
}
