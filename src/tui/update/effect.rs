//! Effects: what the main loop has to do after an update.

use std::path::PathBuf;

use crate::session::Request;
use crate::tui::highlight::HighlightJob;

/// Something to be done outside of the state.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Ask the session.
    Ask(Request),
    /// Ask for colours.
    Highlight(HighlightJob),
    /// Open the editor.
    Edit {
        /// Which file, relative to the corpus's base.
        path: PathBuf,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// Send text to the clipboard.
    Copy(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Keep a filter under a name; `None` forgets it.
    SaveFilter(String, Option<String>),
    /// To the shell.
    Suspend,
    /// Take the terminal over once more, whatever was done to it.
    Take,
    /// Draw everything anew.
    Redraw,
    /// Leave.
    Quit,
}
