//! What is found, as rows that programs read and people too, and the formats that write them. The names and the order
//! of the fields are part of the program's interface.
//!
//! Verbs and the screen's export make [rows](ReportRow) and hand them to a [`Report`]; they write no format
//! themselves. Each row says beside its fields how it reads for people, and if it is a [`Finding`], what formats for other
//! tools write of it. A new format is a file of its own and a line of [`FORMATS`].
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod arrays;
mod blame;
mod blots;
mod csv;
mod date;
mod decisions;
mod dot;
mod finding;
mod findings;
mod format;
mod github;
mod gitlab;
mod hidden;
mod history;
mod html;
mod hyperlink;
mod index;
mod json;
mod left_out;
mod like;
mod markdown;
mod name;
mod near;
mod passages;
mod readable;
mod review;
mod row;
mod sarif;
mod shares;
mod short;
mod style;
mod suppressed;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod uri;
mod vimgrep;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub use arrays::{write_arrays, write_numbers};
pub use blame::{BlameRow, BlamedRow};
pub use blots::{BlotName, BlotRow, OccurrenceRow, Part, SnippetRow, TileRow};
pub use date::day;
pub use decisions::{AcceptedRow, DecisionRow, ExcludedRow, FilterRow, KindRow, TabooRow};
pub use finding::{Finding, Level, Place, Rule};
pub use format::{Format, FormatRows, Report, ReportSettings};
pub use hidden::{HiddenRow, HidingRow};
pub use history::{HistoryRow, trends};
pub use hyperlink::{HyperlinkError, HyperlinkFormat, Hyperlinks};
pub use index::{InspectionRow, SkippedRow, SummaryRow};
pub use json::FORMAT as JSON;
pub use left_out::left_out;
pub use like::{LikeRow, LikeSpan};
pub use name::DocumentName;
pub use near::{NearClusterRow, NearPairRow, NearTreesRow, name as name_of};
pub use passages::{CopyRow, EditRow, LinesRow, PassageRow};
pub use readable::{Readable, Reading};
pub use review::{LineEditRow, ReviewCopyRow, ReviewRow};
pub use row::ReportRow;
pub use shares::{DocumentShareRow, FolderShareRow, PartnerRow, rounded};
pub use short::in_short;
pub use style::Style;
pub use suppressed::{SuppressedRow, suppressed};
pub use text::FORMAT as TEXT;
pub use vimgrep::path_before_line;

use dupi_base::storage::shown;
use dupi_text::token::listed;

/// All formats.
pub const FORMATS: &[Format] = &[
    text::FORMAT,
    json::FORMAT,
    vimgrep::FORMAT,
    sarif::FORMAT,
    markdown::FORMAT,
    github::FORMAT,
    gitlab::FORMAT,
    csv::COPIES,
    csv::PAIRS,
    dot::FORMAT,
    html::FORMAT,
];

/// The name of a file ends like that of no format that rows are exported in.
#[derive(Debug, thiserror::Error)]
#[error("cannot export to {}: the name of the file must end in {}", shown(.0), endings())]
pub struct UnknownEnding(PathBuf);

/// The format that rows are exported in to a file, by the ending of its name; the longest ending that fits.
pub fn format_of(file: &Path) -> Result<Format, UnknownEnding> {
    let name = file.file_name().map(|name| name.as_bytes().to_ascii_lowercase()).unwrap_or_default();
    let is_of = |ending: &str| {
        let stem = name.strip_suffix(ending.as_bytes()).and_then(|stem| stem.strip_suffix(b"."));
        stem.is_some_and(|stem| !stem.is_empty())
    };
    let fitting = FORMATS.iter().filter(|format| format.ending.is_some_and(is_of));
    let longest = fitting.max_by_key(|format| format.ending.map(str::len));
    longest.copied().ok_or_else(|| UnknownEnding(file.to_owned()))
}

/// What the names of files end in that rows can be exported to: `.a`, or `.a, .b or .c`.
fn endings() -> String {
    let endings = FORMATS.iter().filter_map(|format| format.ending).map(|ending| format!(".{ending}"));
    listed(endings.collect::<Vec<_>>())
}
