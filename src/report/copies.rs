//! The copies of a passage in its row: their places, and how they differ.

use serde::Serialize;

use super::finding::Place;
use super::words::alike;
use crate::words::OccurrenceRow;
use dupi_base::storage::one_line;
use dupi_judge::copies::Edit;
use dupi_judge::location::CoveredLines;

/// One copy of a passage.
#[derive(Debug, Default, Serialize)]
pub struct CopyRow {
    /// Where it stands.
    #[serde(flatten)]
    pub at: OccurrenceRow,
    /// The lines that it covers, whole or in part.
    pub lines: CoveredLines,
    /// The line that names the function or section in which it begins: its first line or one above, if there is such a
    /// line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Whether people see its lines: it is source code.
    #[serde(skip)]
    pub is_code: bool,
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
    /// Its text, when it differs from the representative and a format needs it.
    #[serde(skip)]
    pub text: Option<String>,
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

impl CopyRow {
    /// Its place in a finding.
    pub(super) fn place(&self) -> Place<'_> {
        Place {
            similarity: Some(self.similarity),
            note: self.within.as_deref().map(Into::into),
            text: self.text.as_deref(),
            ..Place::of(&self.at)
        }
    }
}

/// The lines of a copy: its place, what it lies in, the words around it and the edits where they were asked for.
pub(super) fn copy_text(copy: &CopyRow) -> String {
    let alike = alike(copy.similarity);
    let within = copy.within.as_ref().map(|line| format!(" in {}", one_line(line, 80))).unwrap_or_default();
    let context = |words: &Option<String>, mark: &str| {
        let words = words.as_ref().map(|words| format!("\t\t{mark} {}\n", one_line(words, 400)));
        words.unwrap_or_default()
    };
    let (before, after) = (context(&copy.before, "…"), context(&copy.after, "↵"));
    let edits: String = copy.edits.iter().flatten().map(edit_text).collect();
    format!("{before}\t{}{alike}{within}\n{edits}{after}", place_in_words(copy))
}

/// The place of a copy: of source code its lines, with a column where it begins or ends inside one.
pub(super) fn place_in_words(copy: &CopyRow) -> String {
    let OccurrenceRow { path, part } = &copy.at;
    let CoveredLines { first, last, begins_inside, ends_inside } = copy.lines;
    if !copy.is_code {
        return format!("{path}:{first}:{}", part.column);
    }
    let inside = |is: bool, column: u32| if is { format!(":{column}") } else { String::new() };
    let (begin, end) = (inside(begins_inside, part.column), inside(ends_inside, part.end_column));
    if first == last && begin.is_empty() && end.is_empty() {
        return format!("{path}:{first}");
    }
    format!("{path}:{first}{begin}-{last}{end}")
}

/// An edit, as `wdiff` writes it.
fn edit_text(edit: &EditRow) -> String {
    let part = |open: &str, text: &str, close: &str| {
        let text = one_line(text, 200);
        if text.is_empty() { String::new() } else { format!("{open}{text}{close}") }
    };
    let (old, new) = (part("[-", &edit.instead_of, "-]"), part("{+", &edit.text, "+}"));
    format!("\t\t{}:{} {old}{new}\n", edit.line, edit.column)
}
