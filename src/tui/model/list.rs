//! The list on the screen: its rows, the selection and the marks.

use std::sync::Arc;

use crate::session::{Item, ItemId, Listing, View};
use crate::tui::marked_rows::MarkedRows;
use crate::tui::row_cache::RowCache;

/// The list that is shown.
pub struct RowList {
    /// The rows that were asked for last.
    pub view: View,
    /// The rows.
    pub listing: Arc<Listing>,
    /// How wide its columns are.
    pub widths: Vec<usize>,
    /// The selected row, by its identity.
    pub selected: Option<ItemId>,
    /// The row that is to be selected as soon as it comes.
    pub sought: Option<ItemId>,
    /// Where that row stood when it was lost; `None` for one that was never there.
    pub lost_at: Option<usize>,
    /// Where it was found last.
    selected_cache: RowCache,
    /// The user has chosen it; until then the first row is selected, whichever it is.
    pub is_chosen: bool,
    /// Which row stands on top of the list.
    pub first_row: usize,
    /// The rows that are marked for what is done next.
    pub marks: MarkedRows,
    /// Where a range of marks began.
    pub anchor: Option<ItemId>,
    /// Where that was found last.
    anchor_cache: RowCache,
}

impl RowList {
    /// No rows yet of those that are asked for.
    pub fn new(view: View) -> Self {
        Self {
            view,
            listing: Arc::default(),
            widths: Vec::new(),
            selected: None,
            sought: None,
            lost_at: None,
            selected_cache: RowCache::default(),
            is_chosen: false,
            first_row: 0,
            marks: MarkedRows::default(),
            anchor: None,
            anchor_cache: RowCache::default(),
        }
    }

    /// The rows that something is done with: those that are marked, else the selected one.
    pub fn chosen(&self) -> Vec<Item> {
        self.chosen_rows().cloned().collect()
    }

    /// The same, to be looked at.
    pub fn chosen_rows(&self) -> impl Iterator<Item = &Item> {
        self.marks.rows().chain(self.row().filter(|_| self.marks.is_empty()))
    }

    /// The number of the selected row.
    pub fn selected_row(&self) -> Option<usize> {
        self.selected_cache.position(&self.listing, self.selected?)
    }

    /// The number of the row where the range began that is being marked.
    pub fn anchor_row(&self) -> Option<usize> {
        self.anchor_cache.position(&self.listing, self.anchor?)
    }

    /// The number of the selected row, or the one it had when it was lost.
    pub fn place_in_list(&self) -> Option<usize> {
        self.selected_row().or(self.lost_at)
    }

    /// The selected row.
    pub fn row(&self) -> Option<&Item> {
        self.listing.rows.get(self.selected_row()?)
    }

    /// While a range is marked: marks all rows between where it began and the selected one, beside what was marked
    /// before.
    pub fn mark_passed(&mut self) {
        if let (Some(begun), Some(at)) = (self.anchor_row(), self.selected_row()) {
            self.marks.set_range(&self.listing, begun.min(at)..begun.max(at) + 1);
        }
    }
}
