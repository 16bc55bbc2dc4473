//! What a front end may ask a session.

use std::path::PathBuf;

use super::view::View;
use crate::session::rows::Item;
use crate::taboo::Entry;

/// What a front end may ask. A later [`Request::Rows`] or [`Request::Preview`] overtakes an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Load rows; answered by [`Update::Rows`](super::Update::Rows), more than once while it loads or the index changes.
    Rows(View),
    /// Load the row's occurrences, and the document of the occurrence with this number (clamped);
    /// answered by [`Update::Preview`](super::Update::Preview), more than once while occurrences are found.
    Preview {
        /// The selected row.
        row: Item,
        /// Which occurrence's document is to be loaded.
        current: usize,
    },
    /// Put the texts of some rows on the taboo list. This and the other decisions are answered by
    /// [`Update::Decided`](super::Update::Decided) and new rows; each is one step that can be undone.
    Taboo {
        /// The rows to hide.
        rows: Vec<Item>,
        /// Why.
        reason: Option<String>,
    },
    /// Take from the taboo list the entries that hide the most of each of these rows. What many small entries
    /// hide together may still be hidden by the rest of them.
    ShowAgain {
        /// The rows to show again; taboo rows are the entries themselves.
        rows: Vec<Item>,
    },
    /// Some rows were reviewed and stay: they are open again when they gain copies.
    Accept {
        /// Passages or rows of blots.
        rows: Vec<Item>,
        /// Why.
        reason: Option<String>,
    },
    /// Some rows are not accepted any more.
    Reopen {
        /// Passages or rows of blots.
        rows: Vec<Item>,
    },
    /// Undo the last decision about this corpus that is not undone yet, whoever took it.
    Undo,
    /// Take the decision again that was undone last.
    Redo,
    /// Put an entry in the place of the one with this text.
    EditTaboo {
        /// The text of the entry as it is.
        text: String,
        /// The entry as it is to be.
        entry: Entry,
    },
    /// Take the entries with these texts from the taboo list.
    RemoveTaboo {
        /// The texts.
        texts: Vec<String>,
    },
    /// Add the entries of a file, as `taboo export` writes it, to the taboo list.
    ImportTaboo {
        /// The file.
        file: PathBuf,
    },
    /// Write the taboo list to a file, as `taboo export` does; answered by [`Update::Written`](super::Update::Written).
    ExportTaboo {
        /// The file.
        file: PathBuf,
        /// Only the entries with these texts.
        texts: Option<Vec<String>>,
        /// Write over a file that is there.
        replace: bool,
    },
    /// What else would vanish if the texts of these rows were taboo; answered by [`Update::WouldHide`](super::Update::WouldHide).
    WouldHide {
        /// The rows to hide.
        rows: Vec<Item>,
    },
    /// Write some rows with all their verified copies to a file, as `passages` and `unblot` print them in the format
    /// that the ending of its name asks for; answered by [`Update::Written`](super::Update::Written).
    Export {
        /// Passages or rows of blots.
        rows: Vec<Item>,
        /// The file.
        file: PathBuf,
        /// Write over a file that is there.
        replace: bool,
    },
    /// The whole texts of some rows; answered by [`Update::Text`](super::Update::Text).
    Text {
        /// The rows.
        rows: Vec<Item>,
    },
    /// What goes on and went on; answered by [`Update::Activity`](super::Update::Activity), again whenever it changes, until
    /// [`Request::Rows`] asks for rows.
    Activity,
    /// The files left out; answered by [`Update::Skipped`](super::Update::Skipped).
    Skipped,
    /// What files are called; answered by [`Update::Names`](super::Update::Names) once there is an index.
    Names,
    /// Build the index anew with the options of this session (after [`Update::Mismatch`](super::Update::Mismatch)).
    Rebuild,
    /// Keep what the index was built with (after [`Update::Mismatch`](super::Update::Mismatch)).
    KeepRecipe,
}
