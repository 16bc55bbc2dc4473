//! What forges show beside a change.
//!
//! GitHub: annotations of workflow runs, commands such as `::warning file=a.c,line=3::words`, one for each row at its first place.
//! It shows [`SHOWN`] of each type in a step; the others are counted in the last line.
//!
//! GitLab: the Code Quality report, a JSON array with an issue for each copy. GitLab compares the fingerprints of two branches, so
//! they are made from the text and the path and stay the same when lines move.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::json;
use xxhash_rust::xxh3::xxh3_128;

use crate::finding::{Finding, Level};
use crate::format::{Format, Report, ReportSettings};
use crate::json::json as json_of;
use dupi_base::storage::{printable, shown, spelled};

/// Annotations of GitHub's workflow runs.
pub(super) const GITHUB: Format = Format::of_findings(
    "github",
    None,
    "annotations of a GitHub workflow run, the first 10 of each type as GitHub shows them",
    |settings| Box::new(Annotations { settings: settings.clone(), written: [0; 2], omitted: 0 }),
);

/// How many annotations of a type GitHub shows in a step.
const SHOWN: u64 = 10;
/// The most other places that are named.
const NAMED: usize = 5;
/// The first characters of a text that are shown.
const TEXT: usize = 120;

struct Annotations {
    settings: ReportSettings,
    /// How many were written of each level.
    written: [u64; 2],
    omitted: u64,
}

impl Report for Annotations {
    fn finding(&mut self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        let Some(first) = finding.places.first() else { return Ok(()) };
        let level = finding.rule.level;
        // One notice is left for the line that counts the others.
        let most = if level == Level::Note { SHOWN - 1 } else { SHOWN };
        let written = &mut self.written[level as usize];
        if *written == most {
            self.omitted += 1;
            return Ok(());
        }
        *written += 1;
        let path = first.below(&self.settings.base);
        let command = level.word(["notice", "warning"]);
        write!(out, "::{command} file={}", property(&shown(&path).text()))?;
        if let Some(part) = first.part {
            write!(out, ",line={},endLine={}", part.line, part.end_line)?;
            // GitHub takes columns of one line only.
            if part.line == part.end_line {
                write!(out, ",col={},endColumn={}", part.column, part.end_column)?;
            }
        }
        let elsewhere = finding.elsewhere(NAMED);
        let also = if elsewhere.is_empty() { String::new() } else { format!("\nAlso in {elsewhere}") };
        let message = format!("{}{also}", printable(&finding.headline(TEXT)));
        writeln!(out, ",title={}::{}", property(finding.rule.title), data(&message))
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.omitted {
            0 => Ok(()),
            more => writeln!(
                out,
                "::notice title=dupi-tui::{more} more are not shown here: GitHub shows {SHOWN} annotations of each type"
            ),
        }
    }
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// GitLab's Code Quality report.
pub(super) const GITLAB: Format = Format::of_findings(
    "gitlab",
    Some("gitlab.json"),
    "GitLab's Code Quality report, an issue for each copy",
    |settings| Box::new(CodeQuality { settings: settings.clone(), is_begun: false }),
);

/// The most other places that a description names.
const NAMED_IN_ISSUE: usize = 3;

struct CodeQuality {
    settings: ReportSettings,
    is_begun: bool,
}

impl Report for CodeQuality {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[")
    }

    fn finding(&mut self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        // How many copies of this text came before in the same document.
        let mut before: HashMap<&str, u64> = HashMap::new();
        for (number, place) in finding.places.iter().enumerate() {
            let path = place.below(&self.settings.base);
            let path = spelled(&path);
            let count = before.entry(place.path.spelled()).or_insert(0);
            let of =
                [finding.rule.id, &finding.id, &path, place.path.spelled(), &count.to_string()].join("\0");
            *count += 1;
            let mut order = finding.clone();
            order.places.swap(0, number);
            let elsewhere = order.elsewhere(NAMED_IN_ISSUE);
            let also = if elsewhere.is_empty() { String::new() } else { format!("; also in {elsewhere}") };
            let issue = json!({
                "description": format!("{}: {}{also}", finding.rule.title, finding.summary),
                "check_name": finding.rule.id,
                "fingerprint": format!("{:032x}", xxh3_128(of.as_bytes())),
                "severity": finding.rule.level.word(["info", "minor"]),
                "location": {"path": path, "lines": {"begin": place.line()}},
            });
            out.write_all(if self.is_begun { b",\n" } else { b"\n" })?;
            self.is_begun = true;
            out.write_all(json_of(&issue)?.as_bytes())?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\n]\n")
    }
}
