//! Columns of lists: their type, and the columns that several views share.

use crate::session::{Item, Sort};
use crate::tui::text::grouped;

/// One column.
#[derive(Clone, Copy)]
pub struct Column {
    /// Its name in `config.toml`, and what stands above it.
    pub name: &'static str,
    /// The rows are sorted by it.
    pub sort: Option<Sort>,
    /// The least room for the text beside it.
    pub least: usize,
    /// What it shows of a row with a rank, as a number.
    pub number: fn(usize, &Item) -> u64,
    /// The number in words.
    pub words: fn(u64, &Item) -> String,
    /// It has words rather than numbers, which begin at its left edge.
    pub is_text: bool,
    /// It says nothing about these rows, and so is not shown.
    pub is_blank: fn(&[Item]) -> bool,
}

/// A column of numbers.
pub const fn column(
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

/// A column of whole percent.
pub const fn percent(
    name: &'static str,
    sort: Option<Sort>,
    least: usize,
    number: fn(usize, &Item) -> u64,
) -> Column {
    Column { words: |number, _| format!("{number} %"), ..column(name, sort, least, number) }
}

/// The number of the row.
pub const RANK: Column = column("#", None, 26, |rank, _| rank as u64 + 1);
/// In how many documents it stands.
pub const DOCUMENTS: Column =
    Column { words: counted, ..column("docs", Some(Sort::Documents), 10, |_, row| row.documents()) };
/// How many tokens it has.
pub const TOKENS: Column = column("tokens", Some(Sort::Tokens), 12, |_, row| row.tokens());
/// How many copies it has.
pub const COPIES: Column = Column {
    // With a plus when there are more than were counted.
    words: |number, row| {
        counted(number, row) + if row.copies().is_none() && row.is_text() { "+" } else { "" }
    },
    ..column("copies", Some(Sort::Copies), 10, |_, row| row.copies().unwrap_or_else(|| row.documents()))
};
/// How much of it is duplicated, rounded down: what differs is never 100 %.
pub const SHARE: Column =
    percent("share", Some(Sort::Share), 10, |_, row| (row.share().unwrap_or(0.0) * 100.0) as u64);

/// From so many rows the widths are taken: beyond them numbers are hardly ever wider.
pub const MEASURED: usize = 4096;

/// A number that is known; what an entry of the taboo list hides is counted later than it is shown.
pub fn counted(number: u64, row: &Item) -> String {
    match row {
        Item::Taboo(taboo) if taboo.hides.is_none() => "…".to_owned(),
        _ => grouped(number),
    }
}
