//! What is found, as rows that scripts can read and people too. The names and the order of the fields are
//! part of the program's interface.

use std::collections::HashSet;
use std::fmt::{self, Display};
use std::path::Path;

use serde::Serialize;
use serde::ser::Serializer;

use crate::passage::edits::Edit;
use crate::passage::found::Passage;
use crate::passage::located::{Located, LocatedCopy};
use crate::query::Occurrence;
use crate::storage::{shown_spelling, spelled};

/// A document, as reports name it: a path, or when it is a record of a file, `path#record`. JSON has the exact
/// [spelling](spelled), people see what a terminal shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentName(String);

impl DocumentName {
    /// The name of a file, or of a record of it.
    pub fn new(path: &Path, record: Option<u32>) -> Self {
        let path = spelled(path);
        Self(match record {
            Some(record) => format!("{path}#{record}"),
            None => path.into_owned(),
        })
    }
}

impl Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown_spelling(&self.0))
    }
}

impl Serialize for DocumentName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// `extract`: a repeated blot.
#[derive(Debug, Serialize)]
pub struct BlotRow {
    /// The blot.
    pub blot: String,
    /// In how many documents it stands.
    pub df: usize,
    /// Which these are.
    pub documents: Vec<DocumentName>,
}

/// `blot`: a kept tile of a file.
#[derive(Debug, Serialize)]
pub struct TileRow {
    /// Its blot.
    pub blot: String,
    /// Its first byte.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
}

/// `unblot`: a text and its copies.
#[derive(Debug, Serialize)]
pub struct SnippetRow {
    /// The blot it was asked for by.
    pub blot: String,
    /// The text, as its first copy has it.
    pub text: String,
    /// Its copies.
    pub occurrences: Vec<OccurrenceRow>,
}

/// One copy.
#[derive(Debug, Serialize)]
pub struct OccurrenceRow {
    /// The document.
    pub path: DocumentName,
    /// Its first byte in the file.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
    /// Line of its first character, from 1.
    pub line: u32,
    /// Column of its first character, from 1.
    pub column: u32,
    /// Line of its last character.
    pub end_line: u32,
    /// Column behind its last character.
    pub end_column: u32,
}

impl From<&Occurrence> for OccurrenceRow {
    fn from(found: &Occurrence) -> Self {
        Self {
            path: DocumentName::new(&found.path, found.record),
            start: found.span.start,
            end: found.span.end,
            line: found.line,
            column: found.column,
            end_line: found.end_line,
            end_column: found.end_column,
        }
    }
}

/// `passages`: a duplicated stretch with all its copies.
#[derive(Debug, Serialize)]
pub struct PassageRow {
    /// Its name, which the same text always has.
    pub id: String,
    /// How many tokens long it is: its representative, when copies differ.
    pub tokens: u32,
    /// How many copies there are.
    pub copies: usize,
    /// In how many documents.
    pub documents: u32,
    /// Over how many folders.
    pub folders: usize,
    /// How alike the copies are on average, 0 to 1.
    pub similarity: f64,
    /// Tokens saved if one copy were kept.
    pub score: u64,
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
    /// A longer passage that holds it.
    pub parent: Option<String>,
    /// The text of the representative.
    pub text: String,
    /// The copies.
    pub occurrences: Vec<CopyRow>,
}

impl PassageRow {
    /// A passage as it stands in its files now, with the edits of each copy when they are wanted.
    pub fn new(passage: &Passage, located: Located, mut edits: Option<Vec<Vec<Edit>>>) -> Self {
        let mut of_copy = |number: usize| {
            let edits = std::mem::take(&mut edits.as_mut()?[number]);
            Some(edits.into_iter().map(EditRow::from).collect())
        };
        let copy = |copy: LocatedCopy| {
            let (before, after) = copy.context.unzip();
            CopyRow {
                at: OccurrenceRow::from(&copy.occurrence),
                similarity: rounded(f64::from(passage.copies[copy.number].similarity)),
                before,
                after,
                edits: of_copy(copy.number),
            }
        };
        let folders: HashSet<_> =
            located.copies.iter().map(|copy| copy.occurrence.path.parent().map(Path::to_owned)).collect();
        Self {
            id: passage.id.to_string(),
            tokens: passage.tokens(),
            copies: located.copies.len(),
            documents: located.documents,
            folders: folders.len(),
            similarity: rounded(passage.similarity()),
            score: passage.score(),
            worth: passage.worth,
            parent: passage.parent.map(|parent| parent.to_string()),
            text: located.text,
            occurrences: located.copies.into_iter().map(copy).collect(),
        }
    }
}

/// A number as people read it where there is little room: 950, `1.2k`, `34k`, `5.6M`.
pub fn in_short(number: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    // What rounds to a thousand of a unit is one of the next.
    let unit = UNITS.iter().find(|(unit, _)| number.saturating_mul(2_000) >= unit.saturating_mul(1_999));
    match unit {
        None => number.to_string(),
        Some((unit, sign)) => {
            let tenths = (u128::from(number) * 10 + u128::from(*unit) / 2) / u128::from(*unit);
            if tenths < 100 {
                format!("{}.{}{sign}", tenths / 10, tenths % 10)
            } else {
                format!("{}{sign}", (u128::from(number) + u128::from(*unit) / 2) / u128::from(*unit))
            }
        }
    }
}

/// A share, to four digits.
pub fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// One copy of a passage.
#[derive(Debug, Serialize)]
pub struct CopyRow {
    /// Where it stands.
    #[serde(flatten)]
    pub at: OccurrenceRow,
    /// How much of it and of the representative agree, 0 to 1.
    pub similarity: f64,
    /// The words before it, when they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The words behind it, when they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// How it differs from the representative, when that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<Vec<EditRow>>,
}

/// A difference of a copy from the representative.
#[derive(Debug, Serialize)]
pub struct EditRow {
    /// Its first byte in the file.
    pub start: u64,
    /// One past its last byte; its first one where something was left out.
    pub end: u64,
    /// Line of its first character, from 1.
    pub line: u32,
    /// Column of its first character, from 1.
    pub column: u32,
    /// What stands there.
    pub text: String,
    /// What stands in the representative.
    pub instead_of: String,
}

impl From<Edit> for EditRow {
    fn from(edit: Edit) -> Self {
        let Edit { at, text, instead_of } = edit;
        Self { start: at.span.start, end: at.span.end, line: at.line, column: at.column, text, instead_of }
    }
}

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

/// `like`: a document that shares text.
#[derive(Debug, Serialize)]
pub struct LikeRow {
    /// The document.
    pub path: DocumentName,
    /// The share of the text's tokens that stand in it too.
    pub covered: f64,
    /// The share of the blots of either that both have.
    pub resemblance: f64,
    /// The shared runs.
    pub spans: Vec<LikeSpan>,
}

/// A run of tokens that a text and a document share.
#[derive(Debug, Serialize)]
pub struct LikeSpan {
    /// Its first byte in the text.
    pub start: u64,
    /// One past its last byte in the text.
    pub end: u64,
    /// How many tokens of the text it has.
    pub tokens: u32,
    /// How much of it and of what stands in the document agrees, 0 to 1.
    pub similarity: f64,
    /// Where it stands in the document.
    pub at: OccurrenceRow,
}

/// `inspect --skipped`: a file that is left out.
#[derive(Debug, Serialize)]
pub struct SkippedRow {
    /// The file.
    pub path: DocumentName,
    /// Why.
    pub reason: String,
    /// How many more of its lines are left out like it, and not listed.
    #[serde(skip_serializing_if = "is_none")]
    pub more: u64,
}

fn is_none(more: &u64) -> bool {
    *more == 0
}

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
    /// Why.
    pub reason: Option<String>,
    /// The first words of its text.
    pub text: String,
}

/// `filter list`: a saved filter.
#[derive(Debug, Serialize)]
pub struct FilterRow {
    /// Its name.
    pub name: String,
    /// Its text.
    pub filter: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_told_in_short() {
        let told = |numbers: &[u64]| numbers.iter().map(|&number| in_short(number)).collect::<Vec<_>>();
        assert_eq!(told(&[0, 7, 998, 1_000, 1_249]), ["0", "7", "998", "1.0k", "1.2k"]);
        assert_eq!(told(&[9_949, 9_999, 10_499, 345_678]), ["9.9k", "10k", "10k", "346k"]);
        assert_eq!(told(&[999_499, 999_900, 1_250_000]), ["999k", "1.0M", "1.3M"]);
        assert_eq!(told(&[u64::MAX]), ["18446744T"]);
    }

    #[test]
    fn a_record_is_named_with_its_file() {
        assert_eq!(DocumentName::new(Path::new("a/b"), None).to_string(), "a/b");
        assert_eq!(DocumentName::new(Path::new("a/b"), Some(3)).to_string(), "a/b#3");
    }
}
