//! The program's folders, the user's settings, saved filters, the kinds of passages by name, and the log.

mod criteria;
mod filters;
mod kind;
mod log;
mod malformed;
mod settings;

use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use crate::storage::Folder;

pub use criteria::{ChosenCriteria, PassageCriteria, UsualCriteria};
pub use filters::{FiltersError, SavedFilters};
pub use kind::{Kind, KindCondition, KindRule, KindRules, ParseKindError, Texts};
pub use log::{LogFilterError, log_level, log_to_file};
pub use malformed::{Malformed, Size, SizeError, from_toml};
pub use settings::{KeyPreset, KeySettings, SettingProblem, Settings, SettingsFile, ThemeName};

/// The user has no home folder.
#[derive(Debug, thiserror::Error)]
#[error("there is no home folder for indexes; set HOME, or name a folder with --index")]
pub struct NoHomeFolder;

/// The program's folders, by the conventions of the system.
pub struct ProgramFolders(ProjectDirs);

impl ProgramFolders {
    /// Finds the folders.
    pub fn find() -> Result<Self, NoHomeFolder> {
        ProjectDirs::from("", "", "dupi-tui").map(Self).ok_or(NoHomeFolder)
    }

    /// The folder that holds the index folders of all corpora.
    pub fn indexes(&self) -> PathBuf {
        self.0.data_dir().join("indexes")
    }

    /// The folder of the demo corpus.
    pub fn demo(&self) -> PathBuf {
        self.0.data_dir().join("demo")
    }

    /// The folder of the user's settings.
    pub fn user(&self) -> Folder {
        Folder::new(self.0.config_dir())
    }

    /// The settings file.
    pub fn settings(&self) -> PathBuf {
        self.0.config_dir().join("config.toml")
    }

    /// The folder of the program's state, such as its log.
    pub fn state(&self) -> &Path {
        self.0.state_dir().unwrap_or_else(|| self.0.cache_dir())
    }

    /// The log file.
    pub fn log(&self) -> PathBuf {
        self.state().join("dupi-tui.log")
    }
}
