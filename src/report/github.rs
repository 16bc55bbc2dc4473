//! Annotations of GitHub's workflow runs: commands such as `::warning file=a.c,line=3::words`, one for each row at its
//! first place. GitHub shows [`SHOWN`] of each type in a step; the others are counted in the last line.

use std::io::{self, Write};

use super::finding::{Finding, Level};
use super::format::{Format, Report, ReportSettings};
use dupi_base::storage::{printable, shown};

/// Annotations of GitHub's workflow runs.
pub(super) const FORMAT: Format = Format {
    name: "github",
    ending: None,
    about: "annotations of a GitHub workflow run, the first 10 of each type as GitHub shows them",
    is_of_findings: true,
    needs_texts: false,
    report: |settings| Box::new(Annotations { settings: settings.clone(), written: [0; 3], omitted: 0 }),
};

/// How many annotations of a type GitHub shows in a step.
const SHOWN: u64 = 10;
/// So many other places are named.
const NAMED: usize = 5;
/// The first characters of a text that are shown.
const TEXT: usize = 120;

struct Annotations {
    settings: ReportSettings,
    /// How many were written of each level.
    written: [u64; 3],
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
        write!(out, "::{} file={}", command(level), property(&shown(&path).text()))?;
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

fn command(level: Level) -> &'static str {
    match level {
        Level::Note => "notice",
        Level::Warning => "warning",
        Level::Error => "error",
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
