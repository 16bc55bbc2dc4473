//! Positions of rows in a list, found by identity: the marked rows, and a cache for the position of one row.
//!
//! Marked rows are kept in the order in which they were marked; those of the range that is being marked come last, in list
//! order. When a range grows or shrinks, only the rows between its old and its new end change.
//!
//! Lists can be long, and a row is usually near the place where it, or another row, was found last.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Weak};

use dupi_session::{Item, ItemId, Listing};

/// The set of marked rows.
#[derive(Clone, Debug, Default)]
pub struct MarkedRows {
    rows: Vec<Item>,
    ids: HashSet<ItemId>,
    /// The rows of the current range that were not marked before.
    range: VecDeque<Item>,
    /// The indices of that range, and its list.
    at: Range<usize>,
    listing: Weak<Listing>,
}

impl MarkedRows {
    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &Item> {
        self.rows.iter().chain(&self.range)
    }

    /// Whether no row is marked.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The number of marked rows.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether a row is marked.
    pub fn has(&self, id: ItemId) -> bool {
        self.ids.contains(&id)
    }

    /// Marks or unmarks a row.
    pub fn toggle(&mut self, row: Item) {
        self.begin_range();
        let id = row.id();
        if self.ids.remove(&id) {
            self.rows.retain(|marked| marked.id() != id);
        } else {
            self.ids.insert(id);
            self.rows.push(row);
        }
    }

    /// Makes the current range permanent and starts a new one.
    pub fn begin_range(&mut self) {
        self.rows.extend(self.range.drain(..));
        (self.at, self.listing) = (0..0, Weak::new());
    }

    /// Sets the current range. In the same list it must overlap the previous one.
    pub fn set_range(&mut self, listing: &Arc<Listing>, range: Range<usize>) {
        if !is_same_listing(&self.listing, listing) {
            for row in self.range.drain(..) {
                self.ids.remove(&row.id());
            }
            (self.at, self.listing) = (range.start..range.start, Arc::downgrade(listing));
        }
        let rows = |range: Range<usize>| listing.rows.get(range).unwrap_or_default();
        let old = std::mem::replace(&mut self.at, range.clone());
        for row in rows(old.start..range.start.min(old.end)) {
            if let Some(row) = self.range.pop_front_if(|first| first.id() == row.id()) {
                self.ids.remove(&row.id());
            }
        }
        for row in rows(range.end.max(old.start)..old.end).iter().rev() {
            if let Some(row) = self.range.pop_back_if(|last| last.id() == row.id()) {
                self.ids.remove(&row.id());
            }
        }
        // The line of a kind is no text that can be marked.
        let is_text = |row: &&Item| !matches!(row, Item::Aside(_));
        for row in rows(range.start..old.start).iter().rev().filter(is_text) {
            if self.ids.insert(row.id()) {
                self.range.push_front(row.clone());
            }
        }
        for row in rows(old.end..range.end).iter().filter(is_text) {
            if self.ids.insert(row.id()) {
                self.range.push_back(row.clone());
            }
        }
    }

    /// Unmarks all rows.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The position found last.
#[derive(Default)]
pub(crate) struct RowCache {
    last: RefCell<Option<CachedRow>>,
}

struct CachedRow {
    listing: Weak<Listing>,
    id: ItemId,
    at: Option<usize>,
}

impl RowCache {
    /// The index of a row in a list.
    pub(crate) fn position(&self, listing: &Arc<Listing>, id: ItemId) -> Option<usize> {
        let mut last = self.last.borrow_mut();
        let from = match &*last {
            Some(last) if last.id == id && is_same_listing(&last.listing, listing) => return last.at,
            last => last.as_ref().and_then(|last| last.at).unwrap_or(0),
        };
        let at = nearest(&listing.rows, id, from);
        *last = Some(CachedRow { listing: Arc::downgrade(listing), id, at });
        at
    }
}

/// Whether two lists are the same allocation.
fn is_same_listing(known: &Weak<Listing>, listing: &Arc<Listing>) -> bool {
    std::ptr::eq(known.as_ptr(), Arc::as_ptr(listing))
}

/// Searches outwards from an index in both directions.
fn nearest(rows: &[Item], id: ItemId, from: usize) -> Option<usize> {
    let from = from.min(rows.len().saturating_sub(1));
    let farther = (0..rows.len()).flat_map(|by| [from.checked_add(by), from.checked_sub(by)]);
    farther.flatten().find(|at| rows.get(*at).is_some_and(|row| row.id() == id))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture::processor_time;
    use crate::fixture::rows::{passage, row};

    fn listing(rows: impl IntoIterator<Item = Item>) -> Arc<Listing> {
        Arc::new(Listing { rows: rows.into_iter().collect(), ..Listing::default() })
    }

    #[test]
    fn a_range_that_shrinks_leaves_what_was_marked_before_it() {
        let listing = listing((0..6).map(|number| row(number, "text")));
        let rows = &listing.rows;
        let marked = |marks: &MarkedRows| marks.rows().cloned().collect::<Vec<_>>();
        let mut marks = MarkedRows::default();
        marks.toggle(rows[0].clone());
        marks.toggle(rows[2].clone());
        marks.begin_range();
        marks.set_range(&listing, 1..5);
        assert_eq!(marked(&marks), [0, 2, 1, 3, 4].map(|at| rows[at].clone()));
        marks.set_range(&listing, 1..2);
        let has = [0, 1, 2, 3].map(|at| marks.has(rows[at].id()));
        assert_eq!((marks.len(), has), (3, [true, true, true, false]));
        marks.toggle(rows[2].clone());
        assert_eq!(marked(&marks), [0, 1].map(|at| rows[at].clone()));
    }

    #[test]
    fn a_range_goes_to_either_side_of_where_it_began_and_into_another_list() {
        let all = listing((0..9).map(|number| row(number, "text")));
        let numbers = |marks: &MarkedRows| {
            let at = |row: &Item| all.rows.iter().position(|other| other.id() == row.id());
            marks.rows().filter_map(at).collect::<Vec<_>>()
        };
        let mut marks = MarkedRows::default();
        marks.toggle(all.rows[2].clone());
        marks.begin_range();
        for (range, expected) in [
            (4..5, &[2, 4][..]),
            (4..7, &[2, 4, 5, 6]),
            (1..5, &[2, 1, 3, 4]),
            (3..5, &[2, 3, 4]),
            (4..9, &[2, 4, 5, 6, 7, 8]),
        ] {
            marks.set_range(&all, range.clone());
            assert_eq!(numbers(&marks), expected, "{range:?}");
            assert_eq!((marks.len(), marks.has(all.rows[2].id())), (expected.len(), true));
        }
        let fewer = listing(all.rows[3..].iter().cloned());
        marks.set_range(&fewer, 1..3);
        assert_eq!(numbers(&marks), [2, 4, 5]);
    }

    #[test]
    fn a_step_of_a_long_range_costs_no_more_than_one_of_a_short_one() {
        let listing = listing((0..20_000).map(|number| passage(number, "text")));
        let mut marks = MarkedRows::default();
        let begun = processor_time();
        for end in (1..20_000).chain((1..20_000).rev()) {
            marks.set_range(&listing, 0..end);
        }
        assert_eq!(marks.len(), 1);
        // To mark all of the range anew each time takes minutes.
        assert!(processor_time() - begun < Duration::from_secs(5));
    }

    #[test]
    fn a_row_is_found_wherever_it_stands_and_once_it_is_gone_it_is_not() {
        let listing = |numbers: std::ops::Range<u64>| {
            let rows = numbers.map(|number| passage(number, "text")).collect();
            Arc::new(Listing { rows, ..Listing::default() })
        };
        let (all, rest, none) = (listing(0..100), listing(40..100), listing(0..0));
        let id = |number| passage(number, "text").id();
        let cache = RowCache::default();
        for number in [0, 99, 50, 51, 49, 0] {
            assert_eq!(cache.position(&all, id(number)), Some(number as usize));
        }
        assert_eq!(cache.position(&rest, id(0)), None);
        assert_eq!(cache.position(&rest, id(40)), Some(0));
        assert_eq!(cache.position(&none, id(40)), None);
        assert_eq!(cache.position(&all, id(40)), Some(40));
    }

    #[test]
    fn the_next_row_is_found_at_once_and_one_that_is_missing_is_looked_for_once() {
        let rows = (0..200_000).map(|number| passage(number, "text")).collect();
        let listing = Arc::new(Listing { rows, ..Listing::default() });
        let cache = RowCache::default();
        let begun = processor_time();
        for (at, row) in listing.rows.iter().enumerate() {
            assert_eq!(cache.position(&listing, row.id()), Some(at));
        }
        let missing = passage(300_000, "text").id();
        for _ in 0..10_000 {
            assert_eq!(cache.position(&listing, missing), None);
        }
        // To look through all rows each time takes minutes.
        assert!(processor_time() - begun < Duration::from_secs(5));
    }
}
