//! Effects: what the main loop has to do after an update.

use std::path::PathBuf;
use std::sync::Arc;

use crate::highlight::HighlightJob;
use crate::user_commands::{CommandPlace, UserCommand};
use dupi_session::{Request, RowPlace};

/// An effect.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// Send a request to the session.
    Ask(Request),
    /// Request syntax colours of what is on the screen.
    Highlight(Vec<HighlightJob>),
    /// Open the editor.
    Edit {
        /// The file, relative to the corpus's base.
        path: PathBuf,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// Run a command of the user.
    Run {
        /// The command.
        command: Arc<UserCommand>,
        /// Where it is run.
        place: CommandPlace,
    },
    /// Quit, and print places.
    Print {
        /// The places.
        places: Vec<RowPlace>,
        /// How many of the rows had none any more.
        left_out: usize,
    },
    /// Copy text to the clipboard.
    Copy(String),
    /// Capture the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Save a filter under a name; `None` deletes it.
    SaveFilter(String, Option<String>),
    /// Suspend the process.
    Suspend,
    /// Take over the terminal again after a stop.
    Take,
    /// Redraw the whole screen.
    Redraw,
    /// Quit.
    Quit,
}
