//! The terminal UI.
//!
//! ```text
//!  input thread ─┐                          ┌─ requests ─→ session
//!  signals ──────┼→ one channel → update ───┼─ jobs ─────→ highlighter
//!  session ──────┤      ↓ (Model)           ├─ filters ──→ filter store
//!  highlighter ──┤    view → frame          └─ editor, suspend, quit
//!  filter store ─┘
//! ```
//!
//! `update` is the only place that changes the `Model`, except for messages about effects; it does no input or output.
//! Nothing on this thread waits for a disk, a lock or another program, except for the editor, which has the terminal
//! meanwhile. Views only read. Text of files goes through `cells`, never to the terminal unchanged. The loop draws when
//! something has changed, after it has processed all waiting events.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod action;
mod backend;
mod cells;
mod clipboard;
mod document;
mod editor;
mod event;
mod filters;
#[cfg(test)]
mod fixture;
mod foreground;
mod gate;
mod highlight;
mod input;
mod input_line;
mod keys;
mod main_loop;
mod model;
mod reader;
mod saved_screen;
mod settings;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod update;
mod user_commands;
mod view;
mod views;

use std::path::PathBuf;

use dupi_base::config::ThemeName;
use dupi_base::storage::Folder;
use dupi_session::RowPlace;

pub use crate::keys::keymap::Keymap;
pub use crate::keys::lookup::{ContextKey, key_table, keys_by_context};
pub use crate::main_loop::run;
pub use crate::saved_screen::SavedScreen;
pub use crate::settings::read as settings;
pub use crate::settings::{ColumnChoice, UserSettings, default_keys};
pub use crate::terminal::TuiError;
pub use crate::theme::colours::Colours;
pub use crate::user_commands::{CommandPlace, UserCommand, UserCommands};

/// Options of the terminal UI.
#[derive(Clone, Debug)]
pub struct TuiOptions {
    /// The name of the folder, for the header.
    pub title: String,
    /// The corpus folder; paths of documents are relative to it.
    pub base: PathBuf,
    /// The theme.
    pub theme: ThemeName,
    /// The editor command; takes precedence over `$VISUAL` and `$EDITOR`.
    pub editor: Option<String>,
    /// The user's changes to the theme.
    pub colours: Colours,
    /// The settings that can change while the program runs. If the chosen rows are printed at the end, the screen is drawn
    /// on the terminal even if standard output is none.
    pub settings: UserSettings,
    /// The folder where filters are saved; `None` without a home folder.
    pub user: Option<Folder>,
    /// The state of the screen at the end of the last session.
    pub remembered: SavedScreen,
    /// Whether it begins with the view of the review, whatever was shown last.
    pub shows_review: bool,
    /// The file for frame and key times.
    pub frame_log: Option<PathBuf>,
    /// The problems found in the settings, one sentence each.
    pub problems: Vec<String>,
    /// The folder for panic reports.
    pub reports: Option<PathBuf>,
}

/// The result of a run of the terminal UI.
#[derive(Debug)]
pub struct TuiExit {
    /// The state of the screen at the end.
    pub remembered: SavedScreen,
    /// Failures of the user's last requests that were not shown any more, one sentence each.
    pub unread: Vec<String>,
    /// The places to print; `None` if the user left without choosing any.
    pub printed: Option<Vec<RowPlace>>,
}
