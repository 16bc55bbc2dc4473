//! Rows of `passages`.

use std::collections::HashSet;
use std::path::Path;

use serde::Serialize;

use super::copies::{CopyRow, EditRow, copy_text};
use super::finding::{DOCUMENTS, FOLDERS, Finding, PASSAGE, Place};
use super::words::{in_short, rounded};
use crate::format::{Reading, ReportRow};
use crate::words::{DocumentName, OccurrenceRow};
use dupi_base::storage::one_line;
use dupi_judge::copies::Edit;
use dupi_judge::kind::Kind;
use dupi_judge::location::{LocatedCopy, LocatedPassage};
use dupi_judge::passages::Passage;
use dupi_passage::unit::{Tree, Unit};

/// `passages`: a duplicated stretch with all its copies.
#[derive(Debug, Default, Serialize)]
pub struct PassageRow {
    /// Its name, which the same text always has.
    pub id: String,
    /// What its copies are: stretches of documents, whole documents, or folders.
    pub unit: &'static str,
    /// How many tokens long it is: its representative, when copies differ.
    pub tokens: u32,
    /// How many copies there are.
    pub copies: usize,
    /// In how many documents.
    pub documents: u32,
    /// In how many folders.
    pub folders: usize,
    /// How alike the copies are on average, 0 to 1.
    pub similarity: f64,
    /// Tokens saved if one copy were kept.
    pub score: u64,
    /// How many whole lines could be deleted if one copy were kept.
    pub deletable_lines: u64,
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
    /// A longer passage that holds it.
    pub parent: Option<String>,
    /// The head of its family: the passage that a list shows for it.
    pub family: String,
    /// How many other passages its family has, if it is the head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u64>,
    /// The folders, if its copies are folders: `occurrences` are those of one document in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trees: Option<TreeRow>,
    /// What its text is, if one of the first copies could be read.
    pub kind: Option<Kind>,
    /// The text of the representative.
    pub text: String,
    /// What people see before and behind this text: the rest of its lines.
    #[serde(skip)]
    pub around: [String; 2],
    /// The copies.
    pub occurrences: Vec<CopyRow>,
}

impl PassageRow {
    /// A passage as it stands in its files now, with its kind, with the edits of each copy when they are wanted, and with the [texts](dupi_judge::copies::texts) of its copies for a format that needs them.
    pub fn new(
        passage: &Passage,
        kind: Option<Kind>,
        located: LocatedPassage,
        mut edits: Option<Vec<Vec<Edit>>>,
        mut texts: Option<Vec<Option<String>>>,
    ) -> Self {
        let mut of_copy = |number: usize| {
            let edits = std::mem::take(&mut edits.as_mut()?[number]);
            Some(edits.into_iter().map(EditRow::from).collect())
        };
        let copy = |copy: LocatedCopy| {
            let (before, after) = copy.context.unzip();
            CopyRow {
                at: OccurrenceRow::from(&copy.occurrence),
                lines: copy.lines,
                within: copy.within,
                is_code: copy.is_code,
                similarity: rounded(f64::from(passage.copies[copy.number].similarity)),
                before,
                after,
                edits: of_copy(copy.number),
                text: texts.as_mut().and_then(|texts| texts[copy.number].take()),
            }
        };
        let folders: HashSet<_> =
            located.copies.iter().map(|copy| copy.occurrence.path.parent().map(Path::to_owned)).collect();
        let tree = if let Unit::Folder(tree) = passage.unit { Some(tree) } else { None };
        Self {
            id: passage.id.to_string(),
            unit: passage.unit.name(),
            trees: tree.map(|tree| tree_row(&tree, &located)),
            tokens: passage.tokens(),
            copies: located.copies.len(),
            documents: located.documents,
            folders: folders.len(),
            similarity: rounded(passage.similarity()),
            score: passage.score(),
            deletable_lines: passage.lines,
            worth: passage.worth,
            parent: passage.parent.map(|parent| parent.to_string()),
            family: passage.family.to_string(),
            members: passage.is_head().then_some(passage.members),
            kind,
            text: located.text,
            around: located.around,
            occurrences: located.copies.into_iter().map(copy).collect(),
        }
    }

    /// How many copies there are, how long they are and what they are worth.
    fn summary(&self) -> String {
        let copies = match &self.trees {
            Some(trees) => format!("{} identical folders of {} documents", self.copies, trees.documents),
            None if self.unit == Unit::Document.name() => format!("{} identical documents", self.copies),
            None => format!("{} copies in {} documents", self.copies, self.documents),
        };
        format!("{copies}, {} tokens, {} bits", self.tokens, in_short(self.worth))
    }

    /// The row with at most this number of copies listed.
    #[must_use]
    pub fn listing(mut self, most: usize) -> Self {
        self.occurrences.truncate(most);
        if let Some(trees) = &mut self.trees {
            trees.folders.truncate(most);
        }
        self
    }
}

impl ReportRow for PassageRow {
    fn reading(&self) -> Reading {
        let members = match self.members {
            None | Some(0) => String::new(),
            Some(members) => format!(" + {members} in its family"),
        };
        let [before, behind] = &self.around;
        let text = match &self.trees {
            Some(trees) => trees.name(),
            None => one_line(&format!("{before}{}{behind}", self.text), 120),
        };
        let more = match self.copies - self.occurrences.len() {
            0 => String::new(),
            more => format!("\tand {more} more; --copies all lists them\n"),
        };
        Reading::Lines(format!(
            "{} {}{members}: {text}\n{}{more}",
            self.id,
            self.summary(),
            match &self.trees {
                Some(trees) => {
                    trees.folders.iter().map(|folder| format!("\t{folder}/\n")).collect::<String>()
                }
                None => self.occurrences.iter().map(copy_text).collect(),
            }
        ))
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let rule = match &self.trees {
            Some(_) => &FOLDERS,
            None if self.unit == Unit::Document.name() => &DOCUMENTS,
            None => &PASSAGE,
        };
        let folder = |path| Place { is_folder: true, similarity: Some(1.0), ..Place::whole(path) };
        Some(Finding {
            text: &self.text,
            kind: self.kind.map(Kind::name),
            tokens: Some(u64::from(self.tokens)),
            worth: Some(self.worth),
            copies: self.copies as u64,
            places: match &self.trees {
                Some(trees) => trees.folders.iter().map(folder).collect(),
                None => self.occurrences.iter().map(CopyRow::place).collect(),
            },
            ..Finding::new(rule, &self.id, self.summary())
        })
    }
}

/// Some identical folders.
#[derive(Debug, Serialize)]
pub struct TreeRow {
    /// Their paths.
    pub folders: Vec<DocumentName>,
    /// How many documents each of them holds.
    pub documents: u32,
}

impl TreeRow {
    /// The name of the first folder.
    fn name(&self) -> String {
        let path = self.folders.first().map(ToString::to_string).unwrap_or_default();
        format!("{}/", path.rsplit('/').next().unwrap_or_default())
    }
}

/// The folders that hold the copies of the document that is shown of them.
fn tree_row(tree: &Tree, located: &LocatedPassage) -> TreeRow {
    let folder = |copy: &LocatedCopy| DocumentName::new(tree.folder(&copy.occurrence.path), None);
    TreeRow { folders: located.copies.iter().map(folder).collect(), documents: tree.documents }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Part;
    use dupi_judge::location::CoveredLines;
    use std::path::Path;

    #[test]
    fn a_copy_is_told_with_its_place_its_context_and_its_edits() {
        let place = |path: &str, line| OccurrenceRow {
            path: DocumentName::new(Path::new(path), None),
            part: Part { start: 0, end: 9, line, column: 2, end_line: line, end_column: 11 },
        };
        let edit = |text: &str, instead_of: &str| EditRow {
            start: 3,
            end: 5,
            line: 8,
            column: 5,
            text: text.into(),
            instead_of: instead_of.into(),
        };
        let copy = |at: OccurrenceRow, similarity| CopyRow {
            lines: CoveredLines {
                first: at.part.line,
                last: at.part.end_line,
                begins_inside: true,
                ends_inside: false,
            },
            at,
            similarity,
            ..CopyRow::default()
        };
        let near = CopyRow {
            before: Some("just\nbefore".into()),
            after: Some("behind".into()),
            edits: Some(vec![edit("new", "old"), edit("", "gone")]),
            ..copy(place("b", 7), 0.999)
        };
        let code = |first, last, begins_inside, ends_inside| CopyRow {
            lines: CoveredLines { first, last, begins_inside, ends_inside },
            is_code: true,
            within: begins_inside.then(|| "fn\tf()".to_owned()),
            ..copy(place("c.rs", first), 1.0)
        };
        let of_code = [
            code(3, 9, false, false),
            code(3, 9, true, false),
            code(3, 9, false, true),
            code(5, 5, false, false),
            code(5, 5, true, true),
        ];
        let row = PassageRow {
            id: "0123".into(),
            unit: "passage",
            tokens: 30,
            copies: 2,
            documents: 2,
            worth: 1234,
            members: Some(3),
            text: "some\n  text".into(),
            around: ["…".into(), ";".into()],
            occurrences: vec![copy(place("a", 1), 1.0), near],
            ..PassageRow::default()
        };
        let lines = "0123 2 copies in 2 documents, 30 tokens, 1.2k bits + 3 in its family: …some text;\n\ta:1:2\n\
                     \t\t… just before\n\tb:7:2 (99 %)\n\t\t8:5 [-old-]{+new+}\n\t\t8:5 [-gone-]\n\t\t↵ behind\n";
        assert_eq!(row.reading(), Reading::Lines(lines.into()));
        let row = PassageRow { copies: 7, occurrences: of_code.into(), ..row };
        let Reading::Lines(lines) = row.reading() else { unreachable!() };
        let copies: Vec<&str> = lines.lines().skip(1).collect();
        let expected = [
            "\tc.rs:3-9",
            "\tc.rs:3:2-9 in fn f()",
            "\tc.rs:3-9:11",
            "\tc.rs:5",
            "\tc.rs:5:2-5:11 in fn f()",
            "\tand 2 more; --copies all lists them",
        ];
        assert_eq!(copies, expected);
        let Reading::Lines(lines) = row.listing(1).reading() else { unreachable!() };
        assert!(lines.ends_with("\tc.rs:3-9\n\tand 6 more; --copies all lists them\n"), "{lines}");
    }
}
