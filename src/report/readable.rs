//! How a row reads for people, before a format writes it.

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

/// A row that people can read.
pub trait Readable {
    /// The row for people.
    fn reading(&self) -> Reading;
}
