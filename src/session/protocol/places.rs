//! The places of rows: what a front end prints, or hands to another program.

use std::path::PathBuf;

use super::subject::ItemId;

/// A row with its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlaces {
    /// Its name, as reports print it.
    pub id: String,
    /// Its copies, or the documents and folders that it is about, the most important first.
    pub places: Vec<RowPlace>,
}

/// A place of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// The file or folder, relative to the corpus's base.
    pub path: PathBuf,
    /// The first line, from 1; `None` for a folder.
    pub line: Option<u32>,
}

/// The places of some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacesAnswer {
    /// The rows that were asked about.
    pub of: Vec<ItemId>,
    /// Those that have places, in this order.
    pub rows: Vec<RowPlaces>,
}
