//! Where things live, and what a user set once and for all.

mod filters;
mod log;
mod place;
mod settings;
mod size;

use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use crate::storage::Folder;

pub use filters::{FiltersError, SavedFilters};
pub use log::{LogFilterError, LogLevel, log_to_file};
pub use place::{Malformed, from_toml};
pub use settings::{KeyPreset, KeySettings, SettingProblem, Settings, SettingsFile, ThemeName};
pub use size::{Size, SizeError};

/// There is no home folder to keep anything in.
#[derive(Debug, thiserror::Error)]
#[error("there is no home folder to keep indexes in; set HOME, or name a folder with --index")]
pub struct Homeless;

/// The folders of the program, as the system wants them.
pub struct Places(ProjectDirs);

impl Places {
    /// Finds them.
    pub fn find() -> Result<Self, Homeless> {
        ProjectDirs::from("", "", "dupi-tui").map(Self).ok_or(Homeless)
    }

    /// The folder that holds the index folders of all corpora.
    pub fn indexes(&self) -> PathBuf {
        self.0.data_dir().join("indexes")
    }

    /// The folder in which the demo corpus is laid out.
    pub fn demo(&self) -> PathBuf {
        self.0.data_dir().join("demo")
    }

    /// The folder of what a user set once and for all.
    pub fn user(&self) -> Folder {
        Folder::new(self.0.config_dir())
    }

    /// The settings file.
    pub fn settings(&self) -> PathBuf {
        self.0.config_dir().join("config.toml")
    }

    /// The folder for what is written about the program's own doings.
    pub fn state(&self) -> &Path {
        self.0.state_dir().unwrap_or_else(|| self.0.cache_dir())
    }

    /// The log file.
    pub fn log(&self) -> PathBuf {
        self.state().join("dupi-tui.log")
    }
}
