//! The columns of numbers before a row's text.
//!
//! Where it gets narrow they go one after the other. Of blots: the rank, then the copies. Of passages: the
//! rank, how alike the copies are, the score, the documents, the tokens; that by which they are sorted stays,
//! and so does the text.

use super::grouped;
use crate::session::{Item, PassageRow, Sort};

/// From these widths on, blots have the rank and the copies.
const RANK_FROM: u16 = 46;
const COPIES_FROM: u16 = 40;
/// The columns of a passage in the order in which they are left out, each with the least room for the text
/// beside it.
const LEFT_OUT: [(&str, usize); 6] =
    [(RANK, 24), (ALIKE, 18), (SCORE, 14), (DOCUMENTS, 10), (TOKENS, 10), (COPIES, 10)];

/// One column.
struct Column {
    head: &'static str,
    width: usize,
    number: fn(usize, &Item) -> u64,
    words: fn(u64, &Item) -> String,
}

/// The columns there is room for.
pub struct Columns {
    shown: Vec<Column>,
}

impl Columns {
    /// The columns for some rows in a list of some width.
    pub fn of(rows: &[Item], width: u16, sort: Sort) -> Self {
        let is_passages = matches!(rows.first(), Some(Item::Passage(_)));
        let mut shown = if is_passages { of_passages(rows) } else { of_blots(width) };
        for column in &mut shown {
            // There may be many rows: only the words of the widest are made.
            let numbered = rows.iter().enumerate().map(|(rank, row)| ((column.number)(rank, row), row));
            let widest =
                numbered.max_by_key(|(number, row)| (number.checked_ilog10(), row.copies().is_none()));
            let width = widest.map_or(0, |(number, row)| (column.words)(number, row).chars().count());
            column.width = width.max(column.head.len());
        }
        let mut columns = Self { shown };
        if is_passages {
            columns.make_room(usize::from(width).saturating_sub(2), sort);
        }
        columns
    }

    /// What stands above them.
    pub fn heads(&self) -> String {
        self.line(|column| column.head.to_owned()) + "text"
    }

    /// The numbers of a row.
    pub fn counts(&self, number: usize, row: &Item) -> String {
        self.line(|column| (column.words)((column.number)(number, row), row))
    }

    /// Values in their columns, each to the right and with two spaces behind it.
    fn line(&self, value: impl Fn(&Column) -> String) -> String {
        self.shown.iter().map(|column| format!("{:>1$}  ", value(column), column.width)).collect()
    }

    fn make_room(&mut self, width: usize, sort: Sort) {
        let kept = head_of(sort);
        for (dropped, text) in LEFT_OUT {
            let taken: usize = self.shown.iter().map(|column| column.width + 2).sum();
            if taken + text > width && dropped != kept && self.shown.len() > 1 {
                self.shown.retain(|column| column.head != dropped);
            }
        }
    }
}

const RANK: &str = "#";
const COPIES: &str = "copies";
const DOCUMENTS: &str = "docs";
const TOKENS: &str = "tokens";
const SCORE: &str = "score";
const ALIKE: &str = "alike";

fn head_of(sort: Sort) -> &'static str {
    match sort {
        Sort::Tokens => TOKENS,
        Sort::Score => SCORE,
        Sort::Documents => DOCUMENTS,
        _ => COPIES,
    }
}

/// A column of plain numbers.
fn column(head: &'static str, number: fn(usize, &Item) -> u64) -> Column {
    Column { head, width: 0, number, words: |number, _| grouped(number) }
}

/// The number of copies; with a plus when there are more than were counted.
fn copies() -> Column {
    let number = |_, row: &Item| row.copies().unwrap_or_else(|| row.documents());
    let words = |number, row: &Item| grouped(number) + if row.copies().is_none() { "+" } else { "" };
    Column { words, ..column(COPIES, number) }
}

fn rank() -> Column {
    column(RANK, |rank, _| rank as u64 + 1)
}

fn documents() -> Column {
    column(DOCUMENTS, |_, row| row.documents())
}

fn of_blots(width: u16) -> Vec<Column> {
    let mut columns = vec![documents()];
    if width >= RANK_FROM {
        columns.insert(0, rank());
    }
    if width >= COPIES_FROM {
        columns.push(copies());
    }
    columns
}

fn of_passages(rows: &[Item]) -> Vec<Column> {
    let mut columns = vec![
        rank(),
        copies(),
        documents(),
        column(TOKENS, |_, row| row.tokens()),
        column(SCORE, |_, row| passage(row).map_or(0, |row| row.score)),
    ];
    // Rounded down: what differs is never 100 %.
    let alike = |_, row: &Item| passage(row).map_or(0, |row| (row.similarity * 100.0) as u64);
    if rows.iter().enumerate().any(|(rank, row)| alike(rank, row) < 100) {
        columns.push(Column { words: |share, _| format!("{share} %"), ..column(ALIKE, alike) });
    }
    columns
}

fn passage(row: &Item) -> Option<&PassageRow> {
    if let Item::Passage(row) = row { Some(row) } else { None }
}
