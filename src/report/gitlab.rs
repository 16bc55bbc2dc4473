//! GitLab's Code Quality report: a JSON array with an issue for each copy. GitLab compares the fingerprints of two
//! branches, so they are made from the text and the path and stay the same when lines move.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::json;
use xxhash_rust::xxh3::xxh3_128;

use super::finding::{Finding, Level};
use super::format::{Format, Report, ReportSettings};
use super::json::json as json_of;
use dupi_base::storage::spelled;

/// GitLab's Code Quality report.
pub(super) const FORMAT: Format = Format {
    name: "gitlab",
    ending: Some("gitlab.json"),
    about: "GitLab's Code Quality report, an issue for each copy",
    is_of_findings: true,
    needs_texts: false,
    report: |settings| Box::new(CodeQuality { settings: settings.clone(), is_begun: false }),
};

/// So many other places are named in a description.
const NAMED: usize = 3;

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
            let elsewhere = order.elsewhere(NAMED);
            let also = if elsewhere.is_empty() { String::new() } else { format!("; also in {elsewhere}") };
            let issue = json!({
                "description": format!("{}: {}{also}", finding.rule.title, finding.summary),
                "check_name": finding.rule.id,
                "fingerprint": format!("{:032x}", xxh3_128(of.as_bytes())),
                "severity": severity(finding.rule.level),
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

fn severity(level: Level) -> &'static str {
    match level {
        Level::Note => "info",
        Level::Warning => "minor",
        Level::Error => "major",
    }
}
