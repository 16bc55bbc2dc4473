//! The list on the screen: its rows, the selection and the marks.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::model::marks::{MarkedRows, RowCache};
use dupi_session::{Item, ItemId, Listing, View};

/// Rows that are loaded together: those of a list before its lines, or those below an open line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Their indices.
    pub rows: Range<usize>,
    /// Whether all of them are loaded.
    pub is_whole: bool,
}

/// The list on the screen.
#[derive(Default)]
pub struct RowList {
    /// The last request.
    pub view: View,
    /// The rows.
    pub listing: Arc<Listing>,
    /// The widths of the columns.
    pub widths: Vec<usize>,
    /// The indices of the lines of kinds that are set aside.
    pub lines: Vec<usize>,
    /// The selected row.
    pub selected: Option<ItemId>,
    /// The row to select as soon as it arrives.
    pub sought: Option<ItemId>,
    /// The last index of that row; `None` if it was never there.
    pub lost_at: Option<usize>,
    /// Cache of its index.
    selected_cache: RowCache,
    /// Whether the user selected it; until then, and until it is settled, the first row is selected, whichever it is.
    pub is_chosen: bool,
    /// Whether the list was complete while nothing was read: then the selected row is held as if the user had selected
    /// it.
    pub is_settled: bool,
    /// When another row was selected in the place of the selected one, though the user did nothing.
    pub replaced_at: Option<Duration>,
    /// Whether a list of other rows was asked for and is not there yet.
    pub awaits_other: bool,
    /// How many decisions are not confirmed yet. A change of the list that they cause is expected.
    pub deciding: usize,
    /// Whether the last of them takes a decision back: then the row that returns is selected.
    pub returns: bool,
    /// The index of the topmost visible row.
    pub first_row: usize,
    /// The line of a kind or the cluster that was just opened, until the first rows below it are on the screen.
    pub opened: Option<ItemId>,
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
        Self { view, ..Self::default() }
    }

    /// The rows that an action applies to: the marked ones, else the selected one.
    pub fn chosen(&self) -> Vec<Item> {
        self.chosen_rows().cloned().collect()
    }

    /// The rows that an action applies to, borrowed.
    pub fn chosen_rows(&self) -> impl Iterator<Item = &Item> {
        self.marks.rows().chain(self.row().filter(|_| self.marks.is_empty()))
    }

    /// The files and folders of the marked rows, sorted, and whether each is a folder: of a passage or a blot those that
    /// its row is shown from. Rows of taboo texts have none.
    pub fn marked_places(&self) -> BTreeMap<&Path, bool> {
        self.marks.rows().filter_map(Item::place).collect()
    }

    /// The index of the selected row.
    pub fn selected_row(&self) -> Option<usize> {
        self.selected_cache.position(&self.listing, self.selected?)
    }

    /// The index of the row where the range of marks begins.
    pub fn anchor_row(&self) -> Option<usize> {
        self.anchor_cache.position(&self.listing, self.anchor?)
    }

    /// Whether the selected row stays selected when rows come and go.
    pub fn is_held(&self) -> bool {
        self.is_chosen || self.is_settled
    }

    /// Selects the first row of the next list, whichever it is.
    pub fn release(&mut self) {
        (self.is_chosen, self.is_settled, self.replaced_at) = (false, false, None);
        (self.sought, self.lost_at) = (None, None);
    }

    /// The index of the selected row, or its last index if it was lost.
    pub fn place_in_list(&self) -> Option<usize> {
        self.selected_row().or(self.lost_at)
    }

    /// The selected row.
    pub fn row(&self) -> Option<&Item> {
        self.listing.rows.get(self.selected_row()?)
    }

    /// The index of the line above the selected row, or of the selected line, if there is one.
    pub fn line_above(&self) -> Option<usize> {
        let selected = self.selected_row()?;
        self.lines.iter().copied().rfind(|line| *line <= selected)
    }

    /// The rows around the selected one that are loaded together.
    pub fn stretch(&self) -> Stretch {
        self.stretch_below(self.line_above())
    }

    /// The number of loaded rows in the shortest part of the list that is not loaded whole: before its lines, or below
    /// one that is open.
    pub fn shortest_part(&self) -> Option<usize> {
        let below = std::iter::once(None).chain(self.lines.iter().copied().map(Some));
        let parts = below.map(|line| self.stretch_below(line)).filter(|part| !part.is_whole);
        parts.map(|part| part.rows.len()).min()
    }

    /// The rows below a line, or those before all lines.
    fn stretch_below(&self, above: Option<usize>) -> Stretch {
        let rows = &self.listing.rows;
        let from = above.map_or(0, |line| line + 1);
        let end = self.lines.iter().copied().find(|line| *line >= from).unwrap_or(rows.len());
        let is_whole = match above.and_then(|line| rows.get(line)) {
            Some(Item::Aside(line)) => line.is_whole,
            // Other lists have no lines.
            _ if end == rows.len() => self.listing.complete,
            _ => self.listing.searched >= 1.0,
        };
        Stretch { rows: from..end, is_whole }
    }

    /// The last row that a movement by a number of rows may reach. Who goes on row by row does not leave the loaded
    /// rows while more of them can come; who goes to the end does.
    pub fn last_within_reach(&self, by: isize) -> usize {
        let all = self.listing.rows.len();
        let stretch = self.stretch();
        let is_jump = by.unsigned_abs() > all;
        let last = if stretch.is_whole || is_jump { all } else { stretch.rows.end };
        last.saturating_sub(1)
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
