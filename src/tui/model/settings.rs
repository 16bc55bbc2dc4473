//! User settings: from the settings file, or changed since the start.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::SavedFilters;
use crate::tui::action::keymap::Keymap;
use crate::tui::views::ColumnChoice;

/// What the user has set.
pub struct UserSettings {
    /// Which key does what.
    pub keymap: Keymap,
    /// Which columns the lists have.
    pub columns: ColumnChoice,
    /// The folder that files are written to unless another is named; empty for the one that the program was started in.
    pub files_in: PathBuf,
    /// What `~/` stands for where a file is named.
    pub home: Option<PathBuf>,
    /// The filters that were saved, by name.
    pub saved: Arc<SavedFilters>,
    /// Whether the mouse is ours.
    pub has_mouse: bool,
}

impl Default for UserSettings {
    fn default() -> Self {
        Self {
            keymap: Keymap::default(),
            columns: ColumnChoice::default(),
            files_in: PathBuf::new(),
            home: None,
            saved: Arc::default(),
            has_mouse: true,
        }
    }
}
