//! Places of rows that were asked for.

use std::path::PathBuf;

use dupi_session::ItemId;

/// Rows whose places were asked for, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedPlaces {
    /// The rows.
    pub of: Vec<ItemId>,
    /// What is done with the places.
    pub task: PlacesTask,
}

/// What is done with places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacesTask {
    /// Leave, and print them.
    Print,
    /// Copy all of them to the clipboard.
    Copy,
    /// Open all of them in the editor.
    Edit,
    /// Run the user's command with this number, at this path and line; without one, at the first place.
    Command(usize, Option<(PathBuf, u32)>),
}
