//! The columns of numbers before a row's text.
//!
//! Where it gets narrow they go one after the other. Of blots: the rank, then the copies. Of passages: the
//! rank, how alike the copies are, the score, the documents, the tokens; that by which they are sorted stays,
//! and so does the text.

use super::grouped;
use crate::passage::found::Order;
use crate::session::{Item, PassageRow};

/// From these widths on, blots have the rank and the copies.
const RANK_FROM: u16 = 46;
const COPIES_FROM: u16 = 40;
/// The text of a passage has so many columns, or more while there is something to leave out.
const TEXT: usize = 20;

/// One column.
struct Column {
    head: &'static str,
    width: usize,
    value: fn(usize, &Item) -> String,
}

/// The columns there is room for.
pub struct Columns {
    shown: Vec<Column>,
}

impl Columns {
    /// The columns for some rows in a list of some width.
    pub fn of(rows: &[Item], width: u16, order: Order) -> Self {
        let is_passages = matches!(rows.first(), Some(Item::Passage(_)));
        let mut shown = if is_passages { of_passages(rows) } else { of_blots(width) };
        for column in &mut shown {
            let rank = rows.len().saturating_sub(1);
            let values = rows.iter().map(|row| (column.value)(rank, row).chars().count());
            column.width = values.max().unwrap_or(0).max(column.head.len());
        }
        let mut columns = Self { shown };
        if is_passages {
            columns.make_room(usize::from(width).saturating_sub(2), order);
        }
        columns
    }

    /// What stands above them.
    pub fn heads(&self) -> String {
        self.line(|column| column.head.to_owned()) + "text"
    }

    /// The numbers of a row.
    pub fn counts(&self, number: usize, row: &Item) -> String {
        self.line(|column| (column.value)(number, row))
    }

    /// Values in their columns, each to the right and with two spaces behind it.
    fn line(&self, value: impl Fn(&Column) -> String) -> String {
        self.shown.iter().map(|column| format!("{:>1$}  ", value(column), column.width)).collect()
    }

    fn make_room(&mut self, width: usize, order: Order) {
        let kept = head_of(order);
        for dropped in [RANK, ALIKE, SCORE, DOCUMENTS, TOKENS, COPIES] {
            let taken: usize = self.shown.iter().map(|column| column.width + 2).sum();
            if taken + TEXT > width && dropped != kept && self.shown.len() > 1 {
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

fn head_of(order: Order) -> &'static str {
    match order {
        Order::Copies => COPIES,
        Order::Tokens => TOKENS,
        Order::Score => SCORE,
        Order::Documents => DOCUMENTS,
    }
}

fn column(head: &'static str, value: fn(usize, &Item) -> String) -> Column {
    Column { head, width: 0, value }
}

fn of_blots(width: u16) -> Vec<Column> {
    let mut columns = vec![column(DOCUMENTS, |_, row| grouped(u64::from(row.documents())))];
    if width >= RANK_FROM {
        columns.insert(0, column(RANK, rank));
    }
    if width >= COPIES_FROM {
        columns.push(column(COPIES, copies));
    }
    columns
}

fn of_passages(rows: &[Item]) -> Vec<Column> {
    let mut columns = vec![
        column(RANK, rank),
        column(COPIES, copies),
        column(DOCUMENTS, |_, row| grouped(u64::from(row.documents()))),
        column(TOKENS, |_, row| grouped(u64::from(row.tokens()))),
        column(SCORE, |_, row| passage(row).map_or_else(String::new, |row| grouped(row.score))),
    ];
    if rows.iter().filter_map(passage).any(|row| row.similarity < 1.0) {
        // Rounded down: what differs is never 100 %.
        columns.push(column(ALIKE, |_, row| {
            passage(row).map_or_else(String::new, |row| format!("{:.0} %", (row.similarity * 100.0).floor()))
        }));
    }
    columns
}

fn passage(row: &Item) -> Option<&PassageRow> {
    if let Item::Passage(row) = row { Some(row) } else { None }
}

fn rank(number: usize, _: &Item) -> String {
    grouped(number as u64 + 1)
}

/// The number of copies; with a plus when there are more than were counted.
fn copies(_: usize, row: &Item) -> String {
    row.copies().map_or_else(|| format!("{}+", grouped(u64::from(row.documents()))), grouped)
}
