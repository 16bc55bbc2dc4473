//! What a list of passages leaves out, and what marks in the source suppress (`dupi:ignore`): in words, and as rows of
//! `taboo report`.

use serde::Serialize;

use super::name::DocumentName;
use super::row::{Reading, ReportRow};
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_judge::aside::AsideSummary;
use dupi_judge::passages::SourceDocument;
use dupi_judge::suppressed::{SuppressedPassage, SuppressingMark, Suppressions};

/// So many starts without an end are named.
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
        Reading::Cells {
            headings: &[">hidden", ">copies", ">line", "suppressed in the source", ""],
            cells: vec![
                self.hidden.to_string(),
                self.copies.to_string(),
                self.line.to_string(),
                self.path.to_string(),
                if self.is_open { "to the end of the file" } else { "" }.to_owned(),
            ],
        }
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
