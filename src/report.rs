//! What is found, as rows that programs read and people too, and the formats that write them. The names and the order
//! of the fields are part of the program's interface.
//!
//! Verbs and the screen's export make [rows](ReportRow) and hand them to a [`Report`]; they write no format
//! themselves. Each row says beside its fields how it reads for people. A new format is a file of its own and a line of
//! [`FORMATS`].

mod blots;
mod decisions;
mod format;
mod index;
mod json;
mod like;
mod name;
mod passages;
mod readable;
mod row;
mod shares;
mod table;
mod text;

use std::path::{Path, PathBuf};

pub use blots::{BlotName, BlotRow, OccurrenceRow, SnippetRow, TileRow};
pub use decisions::{AcceptedRow, DecisionRow, FilterRow, TabooRow};
pub use format::{Format, Report};
pub use index::{InspectionRow, SkippedRow, SummaryRow};
pub use json::FORMAT as JSON;
pub use like::{LikeRow, LikeSpan};
pub use name::DocumentName;
pub use passages::{CopyRow, EditRow, PassageRow};
pub use readable::{Readable, Reading};
pub use row::ReportRow;
pub use shares::{DocumentShareRow, FolderShareRow, PartnerRow, rounded};
pub use text::FORMAT as TEXT;

use crate::storage::shown;

/// All formats.
pub const FORMATS: &[Format] = &[text::FORMAT, json::FORMAT];

/// The name of a file ends like that of no format that rows are exported in.
#[derive(Debug, thiserror::Error)]
#[error("cannot export to {}: the name of the file must end in {}", shown(.0), endings())]
pub struct UnknownEnding(PathBuf);

/// The format that rows are exported in to a file, by the ending of its name.
pub fn format_of(file: &Path) -> Result<Format, UnknownEnding> {
    let is_of = |format: &&Format| {
        file.extension().zip(format.ending).is_some_and(|(given, ending)| given.eq_ignore_ascii_case(ending))
    };
    FORMATS.iter().find(is_of).copied().ok_or_else(|| UnknownEnding(file.to_owned()))
}

/// What the names of files end in that rows can be exported to: `.a`, or `.a, .b or .c`.
fn endings() -> String {
    let endings: Vec<String> =
        FORMATS.iter().filter_map(|format| format.ending).map(|ending| format!(".{ending}")).collect();
    match endings.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
