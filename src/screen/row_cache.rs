//! Caches the position of a row in a list. Lists can be long, and a row is usually near the place where it, or another
//! row, was found last.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use dupi_session::{Item, ItemId, Listing};

/// The position found last.
#[derive(Default)]
pub(super) struct RowCache {
    last: RefCell<Option<CachedRow>>,
}

struct CachedRow {
    listing: Weak<Listing>,
    id: ItemId,
    at: Option<usize>,
}

impl RowCache {
    /// The index of a row in a list.
    pub(super) fn position(&self, listing: &Arc<Listing>, id: ItemId) -> Option<usize> {
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
pub(super) fn is_same_listing(known: &Weak<Listing>, listing: &Arc<Listing>) -> bool {
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
    use crate::fixture::passage;
    use crate::tests::live::processor_time;

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
