//! Columns of lists: their type, and the columns that several views share.

use crate::text::grouped;
use dupi_session::{Item, Sort};

/// A column.
#[derive(Clone, Copy)]
pub struct Column {
    /// Its name in `config.toml`, and its heading.
    pub name: &'static str,
    /// The sort order that belongs to it.
    pub sort: Option<Sort>,
    /// The least width of the text beside it.
    pub least: usize,
    /// Its number, given the index of the row.
    pub number: fn(usize, &Item) -> u64,
    /// The number in words.
    pub words: fn(u64, &Item) -> String,
    /// It has words, left-aligned, instead of numbers.
    pub is_text: bool,
    /// It is not shown for these rows, because it is the same or empty for all.
    pub is_blank: fn(&[Item]) -> bool,
}

/// A column of numbers.
pub(crate) const fn column(
    name: &'static str,
    sort: Option<Sort>,
    least: usize,
    number: fn(usize, &Item) -> u64,
) -> Column {
    Column {
        name,
        sort,
        least,
        number,
        words: |number, _| grouped(number),
        is_text: false,
        is_blank: |_| false,
    }
}

/// A column of whole percentages.
pub(crate) const fn percent(
    name: &'static str,
    sort: Option<Sort>,
    least: usize,
    number: fn(usize, &Item) -> u64,
) -> Column {
    Column { words: |number, _| format!("{number} %"), ..column(name, sort, least, number) }
}

/// The rank of the row.
pub(crate) const RANK: Column = column("#", None, 26, |rank, _| rank as u64 + 1);
/// The number of documents.
pub(crate) const DOCUMENTS: Column =
    Column { words: counted, ..column("docs", Some(Sort::Documents), 10, |_, row| row.documents()) };
/// The number of tokens.
pub(crate) const TOKENS: Column = column("tokens", Some(Sort::Tokens), 12, |_, row| row.tokens());
/// The number of copies.
pub(crate) const COPIES: Column = Column {
    // A plus says that not all were counted.
    words: |number, row| {
        counted(number, row) + if row.copies().is_none() && row.is_text() { "+" } else { "" }
    },
    ..column("copies", Some(Sort::Copies), 10, |_, row| row.copies().unwrap_or_else(|| row.documents()))
};
/// The duplicated share, rounded down: text with differences is never 100 %.
pub(crate) const SHARE: Column =
    percent("share", Some(Sort::Share), 10, |_, row| (row.share().unwrap_or(0.0) * 100.0) as u64);

/// The number of rows from which column widths are computed; later rows are rarely wider.
pub(crate) const MEASURED: usize = 4096;

/// A number, if it is known: what a taboo entry hides is counted in the background.
pub(crate) fn counted(number: u64, row: &Item) -> String {
    match row {
        Item::Taboo(taboo) if taboo.hides.is_none() => "…".to_owned(),
        _ => grouped(number),
    }
}
