//! The rows that are marked for what is done next, in the order of marking; whether one of them is, is known at once.

use std::collections::HashSet;

use crate::session::{Item, ItemId};

/// Marked rows.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    rows: Vec<Item>,
    ids: HashSet<ItemId>,
    /// How many of them were marked before the range that is being marked.
    before: usize,
}

impl Marks {
    /// The rows.
    pub fn rows(&self) -> &[Item] {
        &self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a row is among them.
    pub fn has(&self, id: ItemId) -> bool {
        self.ids.contains(&id)
    }

    /// Marks a row, or takes its mark away.
    pub fn toggle(&mut self, row: Item) {
        let id = row.id();
        if self.ids.remove(&id) {
            self.rows.retain(|marked| marked.id() != id);
        } else {
            self.add(row);
        }
    }

    /// What is marked so far stays, whichever range is marked next.
    pub fn begin_range(&mut self) {
        self.before = self.rows.len();
    }

    /// The range that is being marked is this one.
    pub fn set_range(&mut self, rows: &[Item]) {
        for row in self.rows.drain(self.before.min(self.rows.len())..) {
            self.ids.remove(&row.id());
        }
        for row in rows {
            self.add(row.clone());
        }
    }

    /// No row is marked.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn add(&mut self, row: Item) {
        if self.ids.insert(row.id()) {
            self.rows.push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture::row;

    #[test]
    fn a_range_that_shrinks_leaves_what_was_marked_before_it() {
        let rows: Vec<Item> = (0..6).map(|number| row(number, "text")).collect();
        let mut marks = Marks::default();
        marks.toggle(rows[0].clone());
        marks.toggle(rows[2].clone());
        marks.begin_range();
        marks.set_range(&rows[1..=4]);
        assert_eq!(marks.rows(), [0, 2, 1, 3, 4].map(|at| rows[at].clone()));
        marks.set_range(&rows[1..=1]);
        let has = [0, 1, 2, 3].map(|at| marks.has(rows[at].id()));
        assert_eq!((marks.len(), has), (3, [true, true, true, false]));
        marks.toggle(rows[2].clone());
        assert_eq!(marks.rows(), [0, 1].map(|at| rows[at].clone()));
    }
}
