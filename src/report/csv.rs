//! Comma-separated values (RFC 4180): a record for each copy, or for each pair of copies. Paths are relative to the corpus
//! and in their exact [spelling](dupi_base::storage::spelled), as in JSON. A pair's similarity is there where it is known: all
//! copies of a passage are compared with its representative only. Names and texts that begin with `=`, `+`, `-`, `@`, a tab
//! or a return have an apostrophe before them, so that a spreadsheet takes them for text.

use std::io::{self, Write};

use super::finding::{Finding, Place};
use super::format::{Format, Report};
use dupi_base::storage::without_commands;

/// A record for each copy.
pub(super) const COPIES: Format = Format::of_findings(
    "csv",
    Some("csv"),
    "comma-separated values, a record for each copy; an apostrophe stands before what a spreadsheet would calculate",
    |_| Box::new(Copies),
);

/// A record for each pair of copies.
pub(super) const PAIRS: Format = Format::of_findings(
    "csv-pairs",
    Some("pairs.csv"),
    "comma-separated values, a record for each pair of copies; apostrophes as in csv",
    |_| Box::new(Pairs),
);

struct Copies;

impl Report for Copies {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let names = "id,rule,copy,copies,path,line,column,end_line,end_column,start,end,similarity,\
                     tokens,shared,share,worth,kind,text";
        write!(out, "{names}\r\n")
    }

    fn finding(&mut self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        for (number, place) in finding.places.iter().enumerate() {
            let part = place.part;
            let lines = part.map(|part| [part.line, part.column, part.end_line, part.end_column]);
            let [line, column, end_line, end_column] =
                lines.map_or_else(Default::default, |lines| lines.map(|number| number.to_string()));
            let fields = [
                finding.id.clone().into_owned(),
                finding.rule.id.to_owned(),
                (number + 1).to_string(),
                finding.copies.to_string(),
                name(place),
                line,
                column,
                end_line,
                end_column,
                or_empty(part.map(|part| part.start)),
                or_empty(part.map(|part| part.end)),
                or_empty(place.similarity),
                or_empty(finding.tokens),
                or_empty(place.tokens),
                or_empty(finding.share),
                or_empty(finding.worth),
                finding.kind.unwrap_or_default().to_owned(),
                finding.text.to_owned(),
            ];
            record(fields, out)?;
        }
        Ok(())
    }
}

struct Pairs;

impl Report for Pairs {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let names = "id,rule,path,line,end_line,partner,partner_line,partner_end_line,tokens,similarity";
        write!(out, "{names}\r\n")
    }

    fn finding(&mut self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        for (number, one) in finding.places.iter().enumerate() {
            for other in &finding.places[number + 1..] {
                let similarity = match (one.similarity, other.similarity) {
                    (Some(1.0), Some(1.0)) => Some(1.0),
                    (Some(1.0), Some(alike)) if finding.places.len() == 2 => Some(alike),
                    (Some(alike), Some(1.0)) if finding.places.len() == 2 => Some(alike),
                    _ => None,
                };
                let lines = |place: &Place| {
                    [place.part.map(|part| part.line), place.part.map(|part| part.end_line)].map(or_empty)
                };
                let ([line, end_line], [partner_line, partner_end_line]) = (lines(one), lines(other));
                let fields = [
                    finding.id.clone().into_owned(),
                    finding.rule.id.to_owned(),
                    name(one),
                    line,
                    end_line,
                    name(other),
                    partner_line,
                    partner_end_line,
                    or_empty(if finding.text.is_empty() { other.tokens } else { finding.tokens }),
                    or_empty(similarity),
                ];
                record(fields, out)?;
            }
        }
        Ok(())
    }
}

/// The exact name of a document or folder.
fn name(place: &Place) -> String {
    place.path.spelled().to_owned()
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Writes a record. A field with a comma, a quote or a line break stands in quotes, and quotes in it are doubled. Before a
/// field that a spreadsheet would take for a formula, and in what would command a workflow run, stands an apostrophe. Numbers
/// of ours begin with a digit.
fn record<const N: usize>(fields: [String; N], out: &mut dyn Write) -> io::Result<()> {
    for (number, field) in fields.iter().enumerate() {
        if number > 0 {
            out.write_all(b",")?;
        }
        let mut field = without_commands(field, "':", "'#");
        if field.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']) {
            field = format!("'{field}").into();
        }
        if field.contains([',', '"', '\n', '\r']) {
            write!(out, "\"{}\"", field.replace('"', "\"\""))?;
        } else {
            out.write_all(field.as_bytes())?;
        }
    }
    out.write_all(b"\r\n")
}
