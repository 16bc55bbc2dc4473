//! The names and endings of formats, what they all write of the same rows, and what is read back from it.

mod limits;
mod parsed;
mod written;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::copies::CopyRow;
use super::near::{
    NearClusterRow, NearDifferenceRow, NearFolderRow, NearMemberRow, NearPairRow, NearTreesRow,
};
use super::passages::PassageRow;
use super::shares::{DocumentShareRow, FolderShareRow, PartnerRow};
use super::{DocumentName, FORMATS, ReportRow, ReportSettings, format_of};
use crate::index::SnippetRow;
use crate::words::{OccurrenceRow, Part};
use dupi_judge::kind::Kind;
use dupi_judge::location::CoveredLines;

/// A text that means something to every format.
const HOSTILE: &str =
    "</script><script>alert(1)</script> | `code` [a](1) {0}\n::error::%0A @ida \"#7\" \u{1b}[31m";

fn name(path: &[u8]) -> DocumentName {
    DocumentName::new(Path::new(OsStr::from_bytes(path)), None)
}

/// A copy of a passage; one that is not equal comes with its text.
fn copy(path: DocumentName, line: u32, similarity: f64) -> CopyRow {
    let (start, end) = (u64::from(line) * 100, u64::from(line) * 100 + 90);
    CopyRow {
        at: OccurrenceRow {
            path,
            part: Part { start, end, line, column: 3, end_line: line + 4, end_column: 9 },
        },
        lines: CoveredLines { first: line, last: line + 4, begins_inside: false, ends_inside: false },
        within: (similarity < 1.0).then(|| "fn <f>()".to_owned()),
        is_code: true,
        similarity,
        text: (similarity < 1.0).then(|| format!("other {HOSTILE}")),
        ..CopyRow::default()
    }
}

fn passage(id: u64, text: &str, occurrences: Vec<CopyRow>) -> PassageRow {
    let copies = occurrences.len();
    PassageRow {
        id: format!("{id:016x}"),
        unit: "passage",
        tokens: 30,
        copies,
        documents: copies as u32,
        folders: 1,
        similarity: 1.0,
        score: 30,
        deletable_lines: 3,
        worth: 1234,
        family: format!("{id:016x}"),
        members: Some(0),
        kind: Some(Kind::Code),
        text: text.to_owned(),
        occurrences,
        ..PassageRow::default()
    }
}

/// Rows with names and texts that are hard to write.
fn passages() -> Vec<Box<dyn ReportRow>> {
    let plain = vec![copy(name(b"src/a.c"), 3, 1.0), copy(name(b"src/b.c"), 70, 1.0)];
    let mut listed = passage(1, "int main(void)\n{\n\treturn 0;\n}", plain);
    listed.copies = 7;
    let hard = vec![
        copy(name(b"a,b \"q\".c"), 1, 1.0),
        copy(name(b"x\ny\x1b.c"), 2, 0.97),
        copy(name(b"\xff:3:4:.c"), 9, 1.0),
        copy(DocumentName::new(Path::new("mail.jsonl"), Some(2)), 5, 1.0),
    ];
    vec![Box::new(listed), Box::new(passage(2, HOSTILE, hard))]
}

/// Rows of the other verbs that find something.
fn others() -> Vec<Box<dyn ReportRow>> {
    let partner = PartnerRow { path: name(b"b.txt"), tokens: 40 };
    let share = DocumentShareRow {
        path: name(b"a.txt"),
        share: 0.5,
        duplicated: 50,
        tokens: 100,
        copies: 2,
        partner: Some(partner),
        language: None,
    };
    let folder = FolderShareRow {
        path: name(b"src"),
        is_folder: true,
        share: 0.25,
        duplicated: 25,
        tokens: 100,
        copies: 1,
        documents: 3,
    };
    let member =
        |path: &[u8], similarity| NearMemberRow { path: name(path), similarity, tokens: 9, bytes: 70 };
    let cluster = NearClusterRow {
        id: "00000000000000aa".into(),
        unit: "documents",
        documents: 2,
        least: Some(0.9),
        saving: 70,
        members: vec![member(b"a.txt", 1.0), member(b"c.txt", 0.9)],
        is_identical: false,
    };
    let pair = NearPairRow { similarity: 0.875, path: name(b"a.txt"), partner: name(b"c.txt") };
    let tree = |path: &[u8], differences| NearFolderRow {
        path: name(path),
        files: 3,
        bytes: 70,
        similarity: 0.9,
        differences,
    };
    let differing = NearDifferenceRow { path: name(b"x"), how: "changed" };
    let trees = NearTreesRow {
        id: "00000000000000bb".into(),
        unit: "folders",
        saving: 70,
        folders: vec![tree(b"old", Vec::new()), tree(b"new", vec![differing])],
    };
    let at = |path: &[u8]| copy(name(path), 1, 1.0).at;
    let snippet = SnippetRow {
        blot: "0badcafe".into(),
        text: "a tile".into(),
        occurrences: vec![at(b"a.txt"), at(b"b.txt")],
    };
    vec![
        Box::new(share),
        Box::new(folder),
        Box::new(cluster),
        Box::new(pair),
        Box::new(trees),
        Box::new(snippet),
    ]
}

/// What a format writes of some rows.
fn report(format: &str, rows: &[Box<dyn ReportRow>]) -> Vec<u8> {
    let format = FORMATS.iter().find(|known| known.name == format).unwrap();
    let settings = ReportSettings { base: "corpus".into(), ..ReportSettings::default() };
    let (mut report, mut out) = ((format.report)(&settings), Vec::new());
    report.begin(&mut out).unwrap();
    rows.iter().try_for_each(|row| report.row(&**row, &mut out)).unwrap();
    report.end(&mut out).unwrap();
    out
}

#[test]
fn formats_differ_in_name_and_in_ending() {
    for (number, format) in FORMATS.iter().enumerate() {
        for other in &FORMATS[..number] {
            assert_ne!(format.name, other.name);
            assert!(format.ending.is_none() || format.ending != other.ending, "{format:?} {other:?}");
        }
    }
}

#[test]
fn a_file_name_asks_for_a_format_by_its_ending() {
    for format in FORMATS.iter().filter(|format| format.ending.is_some()) {
        let ending = format.ending.unwrap();
        for name in [format!("a/rows.{ending}"), format!("ROWS.{}", ending.to_uppercase())] {
            assert_eq!(format_of(Path::new(&name)).unwrap(), *format, "{name}");
        }
    }
    assert_eq!(format_of(Path::new("a.csv")).unwrap().name, "csv");
    assert_eq!(format_of(Path::new("a.pairs.csv")).unwrap().name, "csv-pairs");
    for name in ["rows.pdf", "rows", ".jsonl", "jsonl", "rows.jsonl/x", "rows.jsonl.gz"] {
        let said = format_of(Path::new(name)).unwrap_err().to_string();
        assert!(said.contains(&format!("{name}: ")) && said.contains(" .jsonl"), "{said}");
    }
}
