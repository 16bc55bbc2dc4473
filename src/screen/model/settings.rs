//! User settings: from the settings file, or changed since the start.

use std::path::PathBuf;
use std::sync::Arc;

use crate::keys::keymap::Keymap;
use crate::settings::ColumnChoice;
use crate::user_commands::UserCommands;
use dupi_base::config::{ChosenCriteria, Kind, PassageCriteria, SavedFilters};

/// The user's settings.
pub struct UserSettings {
    /// The keymap.
    pub keymap: Keymap,
    /// The commands of the user.
    pub commands: UserCommands,
    /// Whether the program prints the chosen rows when it is left.
    pub prints: bool,
    /// The columns of the lists.
    pub columns: ColumnChoice,
    /// The default folder for files that the user names; empty for the current folder.
    pub files_in: PathBuf,
    /// The folder that `~/` stands for in a file name.
    pub home: Option<PathBuf>,
    /// The kinds of passages that are set aside; `None` for the usual ones.
    pub aside: Option<Vec<Kind>>,
    /// What counts as a passage.
    pub criteria: PassageCriteria,
    /// The usual least similarity of copies in this corpus, in percent; it depends on the recipe of the index.
    pub usual_overlap: u32,
    /// What the user chose to count as a passage in this corpus, today or earlier.
    pub chosen_criteria: ChosenCriteria,
    /// The saved filters.
    pub saved: Arc<SavedFilters>,
    /// Whether the program captures the mouse.
    pub has_mouse: bool,
}

impl Default for UserSettings {
    fn default() -> Self {
        Self {
            keymap: Keymap::default(),
            commands: UserCommands::default(),
            prints: false,
            columns: ColumnChoice::default(),
            files_in: PathBuf::new(),
            home: None,
            aside: None,
            criteria: PassageCriteria::default(),
            usual_overlap: 60,
            chosen_criteria: ChosenCriteria::default(),
            saved: Arc::default(),
            has_mouse: true,
        }
    }
}
