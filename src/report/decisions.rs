//! Rows of `taboo`, `accept`, `kind`, `exclude` and `filter`: what the user decided or saved; what a list of passages leaves out;
//! and what marks in the source suppress (`dupi:ignore`), in words and as rows of `taboo report`.

use serde::Serialize;

use crate::format::{Reading, ReportRow};
use crate::words::DocumentName;
use dupi_base::storage::{one_line, shown};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::{JournalStep, TabooScope, step_words};
use dupi_judge::aside::AsideSummary;
use dupi_judge::passages::SourceDocument;
use dupi_judge::suppressed::{SuppressedPassage, SuppressingMark, Suppressions};

/// `taboo list`: what is hidden.
#[derive(Debug, Serialize)]
pub struct TabooRow {
    /// Its number in the list, from 1.
    pub number: usize,
    /// When it was added.
    pub added: String,
    /// Why.
    pub reason: Option<String>,
    /// The text.
    pub text: String,
}

impl ReportRow for TabooRow {
    fn reading(&self) -> Reading {
        let (text, reason) = (one_line(&self.text, 100), in_brackets(self.reason.as_deref()));
        Reading::Lines(format!("{:>3} {} {text}{reason}\n", self.number, self.added))
    }
}

/// A reason, to stand behind a text; nothing when there is none.
fn in_brackets(reason: Option<&str>) -> String {
    reason.map(|reason| format!(" ({})", one_line(reason, 60))).unwrap_or_default()
}

/// `taboo log`: a decision. In JSON it has the fields of a line of the journal.
#[derive(Debug, Serialize)]
pub struct DecisionRow {
    /// The decision.
    #[serde(flatten)]
    step: JournalStep,
    /// Whether it applies to all corpora.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    all_corpora: bool,
}

impl DecisionRow {
    /// The row of a step in a journal.
    pub fn new(scope: TabooScope, step: JournalStep) -> Self {
        Self { step, all_corpora: scope == TabooScope::User }
    }
}

impl ReportRow for DecisionRow {
    fn reading(&self) -> Reading {
        let Self { step, all_corpora } = self;
        let scope = if *all_corpora { TabooScope::User } else { TabooScope::Corpus };
        let at = step.at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S");
        let undone = if step.undone { "undone: " } else { "" };
        Reading::Lines(format!("{at} {undone}{}\n", one_line(&step_words(scope, step), 100)))
    }
}

/// `accept list`: what was reviewed and stays.
#[derive(Debug, Serialize)]
pub struct AcceptedRow {
    /// Its number in the list, from 1.
    pub number: usize,
    /// What: `passage:` or `blot:` and its digits.
    pub of: String,
    /// When it was accepted.
    pub added: String,
    /// How many copies it had; with more it is open again.
    pub copies: u64,
    /// Whether it is not accepted, but to be fixed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fix: bool,
    /// Why.
    pub reason: Option<String>,
    /// The first words of its text.
    pub text: String,
}

impl ReportRow for AcceptedRow {
    fn reading(&self) -> Reading {
        let Self { number, of, added, copies, .. } = self;
        let (text, reason) = (one_line(&self.text, 100), in_brackets(self.reason.as_deref()));
        let of = if self.fix { format!("to fix: {of}") } else { of.clone() };
        Reading::Lines(format!("{number:>3} {added} {of} with {copies} copies: {text}{reason}\n"))
    }
}

/// `kind list`: what a text is, or whether a kind is set aside.
#[derive(Debug, Serialize)]
pub struct KindRow {
    /// Its number in the list, from 1.
    pub number: usize,
    /// Of what: `passage:` and its digits, or `kind:` and its name.
    pub of: String,
    /// The kind of the text; of a kind, `aside` or `listed`.
    pub is: String,
    /// When this was decided.
    pub added: String,
    /// The first words of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl ReportRow for KindRow {
    fn reading(&self) -> Reading {
        let Self { number, of, is, added, text } = self;
        let text = text.as_ref().map(|text| format!(": {}", one_line(text, 100))).unwrap_or_default();
        Reading::Lines(format!("{number:>3} {added} {of} is {is}{text}\n"))
    }
}

/// `exclude list`: a file or folder that is left out.
#[derive(Debug, Serialize)]
pub struct ExcludedRow {
    /// Its number in the list, from 1.
    pub number: usize,
    /// When it was left out.
    pub added: String,
    /// The file or folder.
    pub path: DocumentName,
    /// Why.
    pub reason: Option<String>,
}

impl ReportRow for ExcludedRow {
    fn reading(&self) -> Reading {
        let Self { number, added, path, reason } = self;
        Reading::Lines(format!("{number:>3} {added} {path}{}\n", in_brackets(reason.as_deref())))
    }
}

/// `filter list`: a saved filter.
#[derive(Debug, Serialize)]
pub struct FilterRow {
    /// Its name.
    pub name: String,
    /// Its text.
    pub filter: String,
}

impl ReportRow for FilterRow {
    fn reading(&self) -> Reading {
        Reading::Lines(format!("@{} {}\n", self.name, one_line(&self.filter, 200)))
    }
}

/// `taboo report`: what all entries hide together.
#[derive(Debug, Serialize)]
pub struct HiddenRow {
    /// How many passages are hidden.
    pub hidden: u64,
    /// How many there are, hidden ones too.
    pub passages: u64,
    /// How many copies the hidden ones have.
    pub copies: u64,
    /// In how many documents these stand.
    pub documents: u64,
    /// How many entries the lists have.
    pub entries: usize,
    /// How many further passages marks in the source suppress.
    pub suppressed: u64,
}

impl ReportRow for HiddenRow {
    fn reading(&self) -> Reading {
        let Self { hidden, passages, copies, documents, entries, suppressed } = self;
        let by_marks = match suppressed {
            0 => String::new(),
            count => format!("; {count} more are suppressed by dupi:ignore"),
        };
        let texts = if *entries == 1 { "text" } else { "texts" };
        Reading::Lines(format!(
            "{hidden} of {passages} passages are hidden, with {copies} copies in {documents} documents, by {entries} \
             {texts} of the taboo list{by_marks}\n"
        ))
    }
}

/// `taboo report`: what an entry hides: alone, or as one without which a passage would not be hidden.
#[derive(Debug, Serialize)]
pub struct HidingRow {
    /// Its number in its list, from 1.
    pub number: usize,
    /// Whether it is an entry for all corpora.
    pub all_corpora: bool,
    /// When it was added.
    pub since: String,
    /// Why.
    pub reason: Option<String>,
    /// How many passages it hides.
    pub hidden: u64,
    /// How many copies these have.
    pub copies: u64,
    /// In how many documents these stand.
    pub documents: u64,
    /// Its text.
    pub text: String,
}

impl ReportRow for HidingRow {
    fn reading(&self) -> Reading {
        Reading::cells([
            (">hidden", &self.hidden),
            (">copies", &self.copies),
            (">documents", &self.documents),
            ("since", &self.since),
            ("list", &if self.all_corpora { "all corpora" } else { "this corpus" }),
            (">number", &self.number),
            ("text", &one_line(&self.text, 60)),
            ("reason", &one_line(self.reason.as_deref().unwrap_or_default(), 60)),
        ])
    }
}

/// The most starts without an end that are named.
const NAMED: usize = 8;

/// A mark in the source, and what it hides.
#[derive(Debug, Serialize)]
pub struct SuppressedRow {
    /// The document.
    pub path: DocumentName,
    /// The line of the mark, from 1.
    pub line: u32,
    /// Whether it holds to the end of the document, because it is a start without an end.
    pub is_open: bool,
    /// How many copies it suppresses.
    pub copies: u64,
    /// How many passages are not listed because of them.
    pub hidden: u64,
}

impl ReportRow for SuppressedRow {
    fn reading(&self) -> Reading {
        Reading::cells([
            (">hidden", &self.hidden),
            (">copies", &self.copies),
            (">line", &self.line),
            ("suppressed in the source", &self.path),
            ("", &if self.is_open { "to the end of the file" } else { "" }),
        ])
    }
}

impl SuppressedRow {
    /// The marks that suppress something and the starts without an end, sorted by path and line.
    pub fn all(snapshot: &Snapshot, sources: &[SourceDocument], of: &Suppressions) -> Vec<Self> {
        let mut counts = vec![(0, 0); of.marks.len()];
        for passage in &of.passages {
            let mut marks: Vec<usize> = passage.copies.iter().filter_map(|copy| of.mark_of(copy)).collect();
            marks.iter().for_each(|&mark| counts[mark].0 += 1);
            marks.sort_unstable();
            marks.dedup();
            let gone = u64::from(passage.is_gone);
            marks.into_iter().for_each(|mark| counts[mark].1 += gone);
        }
        let row = |(mark, (copies, hidden)): (&SuppressingMark, (u64, u64))| {
            let SuppressingMark { source, line, is_open } = *mark;
            let path = snapshot.path(snapshot.file_of(sources[source as usize].id));
            Self { path: DocumentName::new(path, None), line, is_open, copies, hidden }
        };
        let rows = of.marks.iter().zip(counts).map(row);
        rows.filter(|row| row.is_open || row.copies > 0).collect()
    }
}

/// Says what marks suppress: how many passages and copies, and which starts have no end.
pub fn suppressed(snapshot: &Snapshot, sources: &[SourceDocument], of: &Suppressions) -> Vec<String> {
    let gone = of.gone();
    let others = of.passages.iter().filter(|passage| !passage.is_gone);
    let copies: usize = others.map(SuppressedPassage::suppressed).sum();
    let number = |count: u64, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let parts = [
        number(gone, "passage", "passages"),
        number(copies as u64, "copy of a listed passage", "copies of listed passages"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let count = format!(
        "{} suppressed by dupi:ignore (`dupi-tui taboo report` lists the marks)",
        parts.join(" and ")
    );
    let mut sentences = if parts.is_empty() { Vec::new() } else { vec![count] };
    let open: Vec<_> = of.marks.iter().filter(|mark| mark.is_open).collect();
    sentences.extend(open.iter().take(NAMED).map(|mark| {
        let path = shown(snapshot.path(snapshot.file_of(sources[mark.source as usize].id)));
        format!(
            "{path}:{}: dupi:ignore-start has no dupi:ignore-end; it holds to the end of the file",
            mark.line
        )
    }));
    if let Some(more) = number(open.len().saturating_sub(NAMED) as u64, "more start", "more starts") {
        sentences.push(format!("{more} without dupi:ignore-end (`dupi-tui taboo report` lists them)"));
    }
    sentences
}

/// Tells what is left out: how many passages of each kind, and how many members of families. `None` if nothing is.
pub fn left_out(aside: &[AsideSummary], members: u64) -> Option<String> {
    let kinds: Vec<String> = aside.iter().map(|sum| format!("{} {}", sum.passages, sum.kind)).collect();
    let kinds = (!kinds.is_empty()).then(|| format!("{} (--aside none shows them)", kinds.join(", ")));
    let members =
        (members > 0).then(|| format!("{members} in the families of others (--members shows them)"));
    let parts: Vec<String> = kinds.into_iter().chain(members).collect();
    (!parts.is_empty()).then(|| format!("aside: {}", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_judge::kind::Kind;

    #[test]
    fn a_reason_stands_apart_from_the_text() {
        let row = |reason: Option<&str>| TabooRow {
            number: 7,
            added: "2026-01-31".into(),
            reason: reason.map(str::to_owned),
            text: "all\n rights".into(),
        };
        let line = |line: &str| Reading::Lines(line.to_owned());
        assert_eq!(row(None).reading(), line("  7 2026-01-31 all rights\n"));
        assert_eq!(row(Some(" our\nlicence")).reading(), line("  7 2026-01-31 all rights (our licence)\n"));
    }

    #[test]
    fn what_is_left_out_is_told_with_the_way_to_see_it() {
        let sum =
            |kind, passages| AsideSummary { kind, passages, copies: 2 * passages, tokens: 50 * passages };
        let aside = [sum(Kind::Licence, 120), sum(Kind::Data, 40)];
        assert_eq!(left_out(&[], 0), None);
        assert_eq!(left_out(&aside, 0).unwrap(), "aside: 120 licence, 40 data (--aside none shows them)");
        let members = "311 in the families of others (--members shows them)";
        assert_eq!(left_out(&[], 311).unwrap(), format!("aside: {members}"));
        let both = format!("aside: 120 licence, 40 data (--aside none shows them); {members}");
        assert_eq!(left_out(&aside, 311).unwrap(), both);
    }
}
