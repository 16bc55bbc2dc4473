//! One page of HTML with everything in it: rows, style and script. It refers to nothing outside. Rows stand in it as JSON
//! in which no `<` is left, and the script sets every text as text, so nothing in a document is read as markup.

use std::io::{self, Write};

use serde::Serialize;

use super::finding::{Finding, Place};
use super::format::{Format, Report};
use super::json::json;
use dupi_base::storage::printable;

/// One page of HTML.
pub(super) const FORMAT: Format = Format {
    needs_texts: true,
    ..Format::of_findings(
        "html",
        Some("html"),
        "one page of HTML with a filter, groups that unfold, and copies side by side",
        |_| Box::new(Html { is_begun: false }),
    )
};

/// The page, with a word where rows, style and script are put.
const PAGE: &str = include_str!("html/page.html");
const STYLE: (&str, &str) = ("@STYLE@", include_str!("html/page.css"));
const SCRIPT: (&str, &str) = ("@SCRIPT@", include_str!("html/page.js"));
const ROWS: &str = "@ROWS@";

struct Html {
    is_begun: bool,
}

/// A row of the page.
#[derive(Serialize)]
struct PageRow<'a> {
    id: &'a str,
    rule: &'a str,
    summary: &'a str,
    kind: &'a str,
    text: &'a str,
    copies: u64,
    places: Vec<PagePlace<'a>>,
}

/// A place of a row.
#[derive(Serialize)]
struct PagePlace<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    alike: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

impl<'a> From<&'a Place<'_>> for PagePlace<'a> {
    fn from(place: &'a Place) -> Self {
        let lines = |first, last| if first == last { format!("{first}") } else { format!("{first}-{last}") };
        Self {
            path: place.name(),
            line: place.part.map(|part| lines(part.line, part.end_line)),
            alike: place.alike(),
            note: place.note.as_deref().map(|note| printable(note.trim())),
            text: place.text,
        }
    }
}

impl Report for Html {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let (before, _) = PAGE.split_once(ROWS).unwrap_or((PAGE, ""));
        out.write_all(before.replace(STYLE.0, STYLE.1).as_bytes())?;
        out.write_all(b"[")
    }

    fn finding(&mut self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        let row = PageRow {
            id: &finding.id,
            rule: finding.rule.title,
            summary: &finding.summary,
            kind: finding.kind.unwrap_or_default(),
            text: finding.text,
            copies: finding.copies,
            places: finding.places.iter().map(PagePlace::from).collect(),
        };
        let json = json(&row)?;
        out.write_all(if self.is_begun { b",\n" } else { b"\n" })?;
        self.is_begun = true;
        // In JSON these signs stand in strings only.
        out.write_all(json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026").as_bytes())
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let (_, behind) = PAGE.split_once(ROWS).unwrap_or((PAGE, ""));
        out.write_all(b"\n]")?;
        out.write_all(behind.replace(SCRIPT.0, SCRIPT.1).as_bytes())
    }
}
