//! JSON lines, for programs: each row is one JSON object on a line of its own. All fields are exact.

use std::io::{self, Write};

use super::format::{Format, Report};
use super::row::ReportRow;

/// JSON lines.
pub const FORMAT: Format = Format {
    name: "json",
    about: "one JSON object a line",
    ending: Some("jsonl"),
    report: || Box::new(JsonLines),
};

struct JsonLines;

impl Report for JsonLines {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, row: &ReportRow, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, row)?;
        out.write_all(b"\n")
    }

    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
