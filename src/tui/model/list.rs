//! The list on the screen: its rows, the selection and the marks.

use std::sync::Arc;

use crate::session::{Item, ItemId, Listing, View};
use crate::tui::marked_rows::MarkedRows;
use crate::tui::row_cache::RowCache;

/// The list on the screen.
pub struct RowList {
    /// The last request.
    pub view: View,
    /// The rows.
    pub listing: Arc<Listing>,
    /// The widths of the columns.
    pub widths: Vec<usize>,
    /// The selected row.
    pub selected: Option<ItemId>,
    /// The row to select as soon as it arrives.
    pub sought: Option<ItemId>,
    /// The last index of that row; `None` if it was never there.
    pub lost_at: Option<usize>,
    /// Cache of its index.
    selected_cache: RowCache,
    /// Whether the user selected it; until then the first row is selected, whichever it is.
    pub is_chosen: bool,
    /// The index of the topmost visible row.
    pub first_row: usize,
    /// The marked rows.
    pub marks: MarkedRows,
    /// The row where the range of marks begins.
    pub anchor: Option<ItemId>,
    /// Cache of its index.
    anchor_cache: RowCache,
}

impl RowList {
    /// An empty list that waits for rows.
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

    /// The rows that an action applies to: the marked ones, else the selected one.
    pub fn chosen(&self) -> Vec<Item> {
        self.chosen_rows().cloned().collect()
    }

    /// The same, borrowed.
    pub fn chosen_rows(&self) -> impl Iterator<Item = &Item> {
        self.marks.rows().chain(self.row().filter(|_| self.marks.is_empty()))
    }

    /// The index of the selected row.
    pub fn selected_row(&self) -> Option<usize> {
        self.selected_cache.position(&self.listing, self.selected?)
    }

    /// The index of the row where the range of marks begins.
    pub fn anchor_row(&self) -> Option<usize> {
        self.anchor_cache.position(&self.listing, self.anchor?)
    }

    /// The index of the selected row, or its last index if it was lost.
    pub fn place_in_list(&self) -> Option<usize> {
        self.selected_row().or(self.lost_at)
    }

    /// The selected row.
    pub fn row(&self) -> Option<&Item> {
        self.listing.rows.get(self.selected_row()?)
    }

    /// The number of lines that the copies of the selected row need: one each, one for their summary, and one for the
    /// partner of a document.
    pub fn copy_lines(&self) -> u16 {
        let Some(row) = self.row() else { return 0 };
        // Copies that were not counted can be many.
        let copies = row.copies().unwrap_or(u64::MAX).saturating_add(1);
        let head = matches!(row, Item::Document(document) if document.partner.is_some());
        copies.saturating_add(u64::from(head)).min(u64::from(u16::MAX)) as u16
    }

    /// While a range is being marked: marks the rows between its beginning and the selected row, in addition to earlier
    /// marks.
    pub fn extend_range(&mut self) {
        if let (Some(begun), Some(at)) = (self.anchor_row(), self.selected_row()) {
            self.marks.set_range(&self.listing, begun.min(at)..begun.max(at) + 1);
        }
    }
}
