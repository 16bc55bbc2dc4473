//! What a row tells: its fields to programs, its text to people, and the finding that it is to formats of other tools.

use serde::Serialize;

use super::finding::Finding;

/// A row of a report. Each verb has a type of rows, whose serialized fields are its JSON; a format writes every one of them.
pub trait ReportRow: Fields {
    /// The row for people.
    fn reading(&self) -> Reading;

    /// The row as a finding, if it is one.
    fn finding(&self) -> Option<Finding<'_>> {
        None
    }
}

/// The fields of a row for programs.
pub trait Fields {
    /// The fields as a JSON value in one line.
    ///
    /// # Errors
    /// When a field cannot be serialized.
    fn json(&self) -> serde_json::Result<String>;
}

impl<T: Serialize> Fields for T {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// A row for people. What it holds is not yet made printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// One line or more, each with its line end.
    Lines(String),
    /// A line of a table.
    Cells {
        /// The headings of the columns; one that begins with `>` is over numbers.
        headings: &'static [&'static str],
        /// A cell a column.
        cells: Vec<String>,
    },
}
