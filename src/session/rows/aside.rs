//! Rows of what is set aside: one line for all passages of a kind, at the end of the list of passages. An open line is
//! followed by its passages.

use std::borrow::Cow;

use super::list_row::{ListRow, PlaceSource};
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::ItemId;
use dupi_index::index::IndexError;
use dupi_passage::aside::AsideSummary;

/// The line of a kind that is set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAside {
    /// The kind, with its counts.
    pub summary: AsideSummary,
    /// Whether its passages are listed below the line.
    pub is_open: bool,
    /// Whether all passages to be listed below it are loaded.
    pub is_whole: bool,
}

impl ListRow for ListedAside {
    fn id(&self) -> ItemId {
        ItemId::Aside(self.summary.kind)
    }

    fn text(&self) -> Cow<'_, str> {
        self.summary.kind.name().into()
    }

    fn token_count(&self) -> u64 {
        self.summary.tokens
    }

    fn documents(&self) -> u64 {
        0
    }

    fn copies(&self) -> Option<u64> {
        Some(self.summary.copies)
    }

    fn is_from_passages(&self) -> bool {
        true
    }

    fn places(&self, _: PlaceSource) -> Result<CopyPlaces, IndexError> {
        Ok(CopyPlaces::Nowhere)
    }

    fn why_empty(&self) -> Option<&'static str> {
        None
    }
}
