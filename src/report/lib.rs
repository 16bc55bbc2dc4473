//! What is found, as rows that programs read and people too, and the formats that write them. The names and the order
//! of the fields are part of the program's interface.
//!
//! Verbs and the screen's export make [rows](ReportRow) and hand them to a [`Report`]; they write no format themselves. Each
//! row says beside its fields how it reads for people, and which [`Finding`] it is for formats of other tools. A new format is
//! a file of its own and a line of [`FORMATS`].
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod copies;
mod csv;
mod decisions;
mod dot;
mod finding;
mod forges;
mod format;

mod html;
mod hyperlink;
mod index;
mod json;
mod markdown;
mod near;
mod passages;
mod review;
mod sarif;
mod shares;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod vimgrep;
mod words;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub use copies::{CopyRow, EditRow};
pub use decisions::{
    AcceptedRow, DecisionRow, ExcludedRow, FilterRow, HiddenRow, HidingRow, KindRow, SuppressedRow, TabooRow,
    left_out, suppressed,
};
pub use finding::{Finding, Level, Place, Rule};
pub use format::{Fields, Format, Reading, Report, ReportRow, ReportSettings};
pub use hyperlink::{HyperlinkError, HyperlinkFormat, Hyperlinks};
pub use index::{
    BlotName, BlotRow, InspectionRow, LikeRow, LikeSpan, SkippedRow, SnippetRow, SummaryRow, TileRow,
};
pub use json::{FORMAT as JSON, write_arrays, write_numbers};
pub use near::{NearClusterRow, NearPairRow, NearTreesRow, name as name_of};
pub use passages::PassageRow;
pub use review::{ReviewCopyRow, ReviewRow};
pub use shares::{DocumentShareRow, FolderShareRow, HistoryRow, PartnerRow, trends};
pub use style::Style;
pub use text::FORMAT as TEXT;
pub use vimgrep::path_before_line;
pub use words::{DocumentName, OccurrenceRow, Part, in_short, rounded};

use dupi_base::storage::shown;
pub use dupi_review::change::blame::day;
use dupi_text::token::listed;

/// All formats.
pub const FORMATS: &[Format] = &[
    text::FORMAT,
    json::FORMAT,
    vimgrep::FORMAT,
    sarif::FORMAT,
    markdown::FORMAT,
    forges::GITHUB,
    forges::GITLAB,
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
