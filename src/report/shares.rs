//! Rows of `documents`, `files` and `history`: which share of a document, a folder or a commit is duplicated.

use serde::Serialize;

use super::finding::{Finding, Place, SHARE};
use super::words::{in_short, percent};
use crate::format::{Reading, ReportRow};
use crate::words::DocumentName;
use dupi_base::storage::one_line;

/// `documents`: a document with how much of it stands elsewhere too.
#[derive(Debug, Serialize)]
pub struct DocumentShareRow {
    /// The document.
    pub path: DocumentName,
    /// The share of its tokens that lie in passages.
    pub share: f64,
    /// How many tokens these are.
    pub duplicated: u64,
    /// How many tokens it has.
    pub tokens: u64,
    /// How many copies of passages stand in it, those not counted that lie within longer ones.
    pub copies: u64,
    /// The document that has the most of these tokens too.
    pub partner: Option<PartnerRow>,
    /// The language of source code.
    pub language: Option<String>,
}

impl ReportRow for DocumentShareRow {
    fn reading(&self) -> Reading {
        let partner = self.partner.as_ref();
        Reading::cells([
            (">share", &percent(self.duplicated, self.tokens)),
            (">duplicated", &self.duplicated),
            (">tokens", &self.tokens),
            (">copies", &self.copies),
            ("document", &self.path),
            (">shared", &partner.map(|partner| partner.tokens.to_string()).unwrap_or_default()),
            ("partner", &partner.map(|partner| partner.path.to_string()).unwrap_or_default()),
        ])
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let place = |path, tokens| Place { tokens: Some(tokens), ..Place::whole(path) };
        let partner = self.partner.as_ref().map(|partner| place(&partner.path, partner.tokens));
        let places = [Some(place(&self.path, self.duplicated)), partner].into_iter().flatten().collect();
        Some(share(&self.path, self.duplicated, self.tokens, self.share, places))
    }
}

/// A document that shares passages with another.
#[derive(Debug, Serialize)]
pub struct PartnerRow {
    /// The document.
    pub path: DocumentName,
    /// How many tokens of the other document lie in passages that both have.
    pub tokens: u64,
}

/// `files`: a folder or file with how much of it stands elsewhere too.
#[derive(Debug, Serialize)]
pub struct FolderShareRow {
    /// Where it lies; the whole corpus is the empty path.
    pub path: DocumentName,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// The share of its tokens that lie in passages.
    pub share: f64,
    /// How many tokens these are.
    pub duplicated: u64,
    /// How many tokens it has.
    pub tokens: u64,
    /// How many copies of passages stand in it, those not counted that lie within longer ones.
    pub copies: u64,
    /// How many documents lie in it.
    pub documents: u64,
}

impl ReportRow for FolderShareRow {
    fn reading(&self) -> Reading {
        let name = self.path.to_string();
        let name =
            if name.is_empty() { ".".to_owned() } else { name + if self.is_folder { "/" } else { "" } };
        Reading::cells([
            (">share", &percent(self.duplicated, self.tokens)),
            (">duplicated", &self.duplicated),
            (">tokens", &self.tokens),
            (">copies", &self.copies),
            (">documents", &self.documents),
            ("path", &name),
        ])
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let is_folder = self.is_folder;
        let own = Place { tokens: Some(self.duplicated), is_folder, ..Place::whole(&self.path) };
        Some(share(&self.path, self.duplicated, self.tokens, self.share, vec![own]))
    }
}

/// How much of a document or folder is duplicated, as a finding.
fn share<'a>(
    path: &DocumentName,
    duplicated: u64,
    tokens: u64,
    share: f64,
    places: Vec<Place<'a>>,
) -> Finding<'a> {
    let summary = format!("{} of {tokens} tokens are duplicated", percent(duplicated, tokens));
    Finding {
        tokens: Some(tokens),
        share: Some(share),
        copies: places.len() as u64,
        places,
        ..Finding::new(&SHARE, SHARE.id_of(&[path]), summary)
    }
}

/// `history`: a commit with how much of it is duplicated.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryRow {
    /// The begin of its name.
    pub commit: String,
    /// The day of the commit, in UTC: `2026-03-01`.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
    /// How many documents it has.
    pub documents: u64,
    /// How many tokens they have.
    pub tokens: u64,
    /// How many of these lie in passages.
    pub duplicated: u64,
    /// Which share that is.
    pub share: f64,
    /// How many passages are listed: one of each family, and none of the kinds that are set aside.
    pub passages: u64,
    /// The information, in bits, that keeping one copy of each of them would save.
    pub worth: u64,
}

impl ReportRow for HistoryRow {
    fn reading(&self) -> Reading {
        Reading::cells([
            (">share", &percent(self.duplicated, self.tokens)),
            (">duplicated", &self.duplicated),
            (">tokens", &self.tokens),
            (">documents", &self.documents),
            (">passages", &self.passages),
            (">worth", &in_short(self.worth)),
            ("date", &self.date),
            ("commit", &self.commit),
            ("subject", &one_line(&self.subject, 60)),
        ])
    }
}

/// How share and worth went on, as sparklines with the numbers at both ends; `None` of fewer than two commits.
pub fn trends(rows: &[HistoryRow]) -> Option<String> {
    let [first, .., last] = rows else { return None };
    let shares: Vec<f64> = rows.iter().map(|row| row.share).collect();
    let worths: Vec<f64> = rows.iter().map(|row| row.worth as f64).collect();
    let share = |row: &HistoryRow| percent(row.duplicated, row.tokens);
    let bits = |row: &HistoryRow| in_short(row.worth);
    Some(format!(
        "share {} {} to {}\nworth {} {} to {} bits\n",
        sparkline(&shares),
        share(first),
        share(last),
        sparkline(&worths),
        bits(first),
        bits(last),
    ))
}

/// Numbers as bars, from the least to the greatest of them.
fn sparkline(numbers: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let range = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    let bar = |number: &f64| {
        let part = if range > 0.0 { (number - least) / range } else { 0.0 };
        BARS[(part * (BARS.len() - 1) as f64).round() as usize]
    };
    numbers.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(duplicated: u64, worth: u64) -> HistoryRow {
        HistoryRow {
            commit: "0123456789ab".into(),
            date: "2026-03-01".into(),
            subject: "A \u{1b}[2J\n change".into(),
            documents: 2,
            tokens: 200,
            duplicated,
            share: duplicated as f64 / 200.0,
            passages: 1,
            worth,
        }
    }

    #[test]
    fn a_sparkline_goes_from_the_least_to_the_greatest() {
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&[0.5, 0.25, 0.25]), "█▁▁");
        assert_eq!(sparkline(&[3.0, 3.0]), "▁▁", "nothing changed");
        assert_eq!(sparkline(&[]), "");
    }

    #[test]
    fn trends_have_the_numbers_at_both_ends() {
        let rows = [row(20, 1_500), row(60, 0), row(40, 3_000)];
        let said = "share ▁█▅ 10.0 % to 20.0 %\nworth ▅▁█ 1.5k to 3.0k bits\n";
        assert_eq!(trends(&rows).as_deref(), Some(said));
        assert_eq!(trends(&rows[..1]), None);
        let Reading::Cells { headings, cells } = rows[0].reading() else { panic!("a table") };
        assert_eq!(headings.len(), cells.len());
        assert_eq!(cells[0], "10.0 %");
    }
}
