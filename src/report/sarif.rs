//! SARIF 2.1.0, for code scanning: a result for each row, at its first place, with the others as related locations. GitHub
//! reads at most [`RESULTS`] results of a run and [`LOCATIONS`] locations of a result; what is beyond is counted in a
//! notification. Results are written as they come.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::finding::{Finding, Place, Rule};
use super::format::{Format, Report, ReportSettings};
use super::json::json as json_of;
use crate::words::{Part, uri_of};

/// SARIF 2.1.0.
pub(super) const FORMAT: Format =
    Format::of_findings("sarif", Some("sarif"), "SARIF 2.1.0, for code scanning", |settings| {
        Box::new(Sarif::new(settings.clone()))
    });

/// How much results matter.
const LEVELS: [&str; 2] = ["note", "warning"];
/// The most results of a run.
const RESULTS: u64 = 25_000;
/// The most locations of a result.
const LOCATIONS: usize = 1_000;
/// The most places that the message of a result names.
const NAMED: usize = 5;
/// The longest text that is quoted, in bytes.
const QUOTED: usize = 4_000;

struct Sarif {
    settings: ReportSettings,
    results: u64,
    /// Results that are not written, and places of written ones.
    omitted: [u64; 2],
    rules: Vec<&'static Rule>,
}

impl Sarif {
    fn new(settings: ReportSettings) -> Self {
        Self { settings, results: 0, omitted: [0, 0], rules: Vec::new() }
    }

    /// A location: a physical one with a region where only a part of a document is meant.
    fn location(&self, place: &Place, id: Option<usize>, text: Option<&str>) -> Value {
        let path = place.below(&self.settings.base);
        let mut artifact = json!({"uri": uri_of(&path)});
        if path.is_relative() {
            artifact["uriBaseId"] = "%SRCROOT%".into();
        }
        let mut location = json!({"physicalLocation": {"artifactLocation": artifact}});
        if let Some(part) = place.part {
            location["physicalLocation"]["region"] = region(&part, text);
        }
        if let Some(id) = id {
            location["id"] = id.into();
            let note = place.note.as_ref().map(|note| format!(" in {}", note.trim())).unwrap_or_default();
            location["message"] =
                json!({"text": escaped(&format!("Copy {}{}{note}", id + 1, place.alike()))});
        }
        location
    }

    fn result(&mut self, finding: &Finding) -> Value {
        let places = &finding.places[..finding.places.len().min(LOCATIONS)];
        self.omitted[1] += finding.copies.saturating_sub(places.len() as u64);
        let text = (!finding.text.is_empty() && finding.text.len() <= QUOTED).then_some(finding.text);
        let mut result = json!({
            "ruleId": finding.rule.id,
            "level": finding.rule.level.word(LEVELS),
            "message": {"text": message(finding)},
            "partialFingerprints": {"dupiContent/v1": finding.id},
        });
        if let Some((first, others)) = places.split_first() {
            result["locations"] = json!([self.location(first, None, text)]);
            let others = others.iter().enumerate();
            let related: Vec<Value> =
                others.map(|(number, place)| self.location(place, Some(number + 1), None)).collect();
            if !related.is_empty() {
                result["relatedLocations"] = related.into();
            }
        }
        result["properties"] = json!({"copies": finding.copies});
        for (name, value) in [("tokens", finding.tokens), ("worth", finding.worth)] {
            if let Some(value) = value {
                result["properties"][name] = value.into();
            }
        }
        if let Some(kind) = finding.kind {
            result["properties"]["kind"] = kind.into();
        }
        if let Some(share) = finding.share {
            result["properties"]["share"] = share.into();
        }
        result
    }

    /// What the limits left out, in a sentence.
    fn notification(&self) -> Option<String> {
        let [results, places] = self.omitted;
        let results = (results > 0).then(|| format!("{results} results beyond the first {RESULTS}"));
        let places = (places > 0).then(|| format!("{places} places of the results"));
        let parts: Vec<String> = results.into_iter().chain(places).collect();
        (!parts.is_empty()).then(|| format!("Not in this report: {}.", parts.join(" and ")))
    }
}

impl Report for Sarif {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let schema = "https://json.schemastore.org/sarif-2.1.0.json";
        write!(out, "{{\"$schema\":\"{schema}\",\"version\":\"2.1.0\",\"runs\":[{{\"results\":[")
    }

    fn finding(&mut self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        if self.results == RESULTS {
            self.omitted[0] += 1;
            return Ok(());
        }
        if !self.rules.contains(&finding.rule) {
            self.rules.push(finding.rule);
        }
        let result = self.result(finding);
        out.write_all(if self.results == 0 { b"\n" } else { b",\n" })?;
        self.results += 1;
        out.write_all(json_of(&result)?.as_bytes())
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rules: Vec<Value> = self.rules.iter().map(|rule| rule_of(rule)).collect();
        let driver = json!({
            "name": "dupi-tui",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        let mut invocation = json!({"executionSuccessful": true});
        if let Some(told) = self.notification() {
            let notification = json!({"level": "warning", "message": {"text": told}});
            invocation["toolExecutionNotifications"] = json!([notification]);
        }
        out.write_all(b"\n],\"columnKind\":\"unicodeCodePoints\",\"tool\":")?;
        out.write_all(json_of(&json!({"driver": driver}))?.as_bytes())?;
        out.write_all(b",\"invocations\":")?;
        out.write_all(json_of(&json!([invocation]))?.as_bytes())?;
        out.write_all(b"}]}\n")
    }
}

fn region(part: &Part, text: Option<&str>) -> Value {
    let mut region = json!({
        "startLine": part.line,
        "startColumn": part.column,
        "endLine": part.end_line,
        "endColumn": part.end_column,
        "byteOffset": part.start,
        "byteLength": part.end.saturating_sub(part.start),
    });
    if let Some(text) = text {
        region["snippet"] = json!({"text": text});
    }
    region
}

fn rule_of(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.help},
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": rule.level.word(LEVELS)},
        "properties": {"tags": ["duplication", "maintainability"]},
    })
}

/// What was found, with links to the first other places.
fn message(finding: &Finding) -> String {
    let link = |number, place: &Place| format!("[{}]({number})", escaped(&place.in_words()));
    let (others, more) = finding.others(NAMED, link);
    let others = if others.is_empty() { others } else { format!("; also in {others}") };
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{others}{more}.", escaped(&finding.summary))
}

/// A text in which nothing reads as a link or a placeholder.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\\' | '[' | ']' => escaped.extend(['\\', character]),
            '{' | '}' => escaped.extend([character, character]),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::PASSAGE;
    use crate::words::DocumentName;

    #[test]
    fn results_beyond_what_github_reads_are_counted() {
        let name = DocumentName::new("a.c".as_ref(), None);
        let places = vec![Place::whole(&name), Place::whole(&name)];
        let finding = Finding { copies: 2, places, ..Finding::new(&PASSAGE, "7", "2 copies".into()) };
        let mut sarif = Sarif::new(ReportSettings::default());
        let mut out = Vec::new();
        sarif.begin(&mut out).unwrap();
        sarif.results = RESULTS - 2;
        let before = out.len();
        // As if the first result stood here already.
        for _ in 0..5 {
            sarif.finding(&finding, &mut out).unwrap();
        }
        sarif.end(&mut out).unwrap();
        let written = String::from_utf8(out.split_off(before)).unwrap();
        assert_eq!(written.matches("\"ruleId\"").count(), 2);
        assert!(written.contains("Not in this report: 3 results beyond the first 25000."), "{written}");
    }

    #[test]
    fn a_text_of_a_message_is_neither_link_nor_placeholder() {
        assert_eq!(escaped("[a](1) {0} \\"), "\\[a\\](1) {{0}} \\\\");
    }
}
