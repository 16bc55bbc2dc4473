//! State of the document pane: the current copy, the search, line wrapping, mouse selection, and the split of the
//! screen.

pub(crate) mod search;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Position;
use ratatui::style::Color;
use serde::{Deserialize, Serialize};

use crate::document::Scroll;
use crate::highlight::{HighlightJob, Highlighted};
use crate::reader::search::{Matches, TextSearch};
use dupi_index::query::Occurrence;
use dupi_session::{DocumentView, ItemId, Preview};

/// The state of the document pane.
#[derive(Default)]
pub struct ReaderState {
    /// The copies of the selected row, as far as they are known.
    pub preview: Arc<Preview>,
    /// The index of the wanted copy.
    pub current: usize,
    /// The visible part of the document.
    pub scroll: Scroll,
    /// The syntax colours, once they are ready: of the document, and of the reference copy of a comparison.
    pub colours: [Option<Highlighted>; 2],
    /// The lines whose colours were requested last.
    pub asked_colours: Vec<HighlightJob>,
    /// Whether long lines are wrapped, by kind of document: a language, or prose. By default prose is wrapped and code
    /// is not.
    pub wraps: BTreeMap<String, bool>,
    /// The search in the document.
    pub search: Option<TextSearch>,
    /// The last jump: the scroll position after it, and its target byte.
    pub jumped: Option<(Scroll, usize)>,
    /// A jump that had no effect because the document was not visible: its target byte, and whether the target spans
    /// several lines.
    pub unplaced: Option<(usize, bool)>,
    /// The split of the screen.
    pub split: Split,
    /// The copy on the screen: it stays the current one while others appear and disappear.
    pub copy: Option<Occurrence>,
    /// A task to run as soon as the position of a copy is known.
    pub pending: Option<PendingTask>,
    /// What the mouse is dragging.
    pub dragged: Option<DragHandle>,
    /// The text selected with the mouse.
    pub selection: Option<TextSelection>,
}

/// A task at a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingTask {
    /// The row.
    pub row: ItemId,
    /// The index of the copy.
    pub current: usize,
    /// The kind of task.
    pub task: CopyTask,
}

/// The kind of a task at a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyTask {
    /// Open the editor.
    Edit,
    /// Copy its path and line to the clipboard.
    CopyPlace,
    /// Compare it with the reference copy, or another copy with that.
    Compare,
    /// Leave, and print its path and line.
    Print,
    /// Run the user's command with this number there.
    Command(usize),
    /// Ask whether to leave its file, or a folder above it, out.
    Exclude,
}

/// How the panes divide the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Split {
    /// The list's share of the width in thousandths; `None` for the default.
    pub list: Option<u16>,
    /// The height of the list of copies; `None` for the default.
    pub copies: Option<u16>,
    /// The document fills the screen until the focus leaves it.
    #[serde(skip)]
    pub is_zoomed: bool,
}

/// What the mouse is dragging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragHandle {
    /// The divider between the list and the document.
    Divider,
    /// The line between the copies and the document.
    Rule,
    /// The overview strip.
    Strip,
}

/// Text that is or was selected with the mouse.
#[derive(Clone, Debug)]
pub struct TextSelection {
    /// The text of the document.
    pub text: Arc<String>,
    /// Whether it is the reference copy of a comparison.
    pub is_beside: bool,
    /// The bytes of the cell where the button was pressed.
    pub from: Range<usize>,
    /// The selected bytes; empty until the mouse moves.
    pub span: Range<usize>,
    /// The mouse, while its button is down.
    pub pointer: Option<Pointer>,
}

/// The position of the mouse during a selection.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    /// The cell.
    pub at: Position,
    /// Whether it is beyond the edge, so that the document scrolls.
    pub is_beyond: bool,
    /// The time of the last such scrolling.
    pub scrolled: Duration,
}

/// The interval of scrolling while the mouse is beyond the edge.
pub(super) const SCROLL_INTERVAL: Duration = Duration::from_millis(50);

impl ReaderState {
    /// Selects a copy by its index.
    pub fn want_copy(&mut self, number: usize) {
        (self.current, self.copy) = (number, None);
    }

    /// The syntax colours of a line, if they are known; none otherwise. `is_beside` for the reference copy of a
    /// comparison.
    pub fn colours_of(&self, document: &DocumentView, is_beside: bool, line: usize) -> &[(usize, Color)] {
        // Newer versions of the document share the text.
        let is_of = |known: &&Highlighted| Arc::ptr_eq(&known.job.document.text, &document.text);
        let known = self.colours[usize::from(is_beside)].as_ref().filter(is_of);
        let line = known.and_then(|known| known.colours.get(line.checked_sub(known.job.lines.start)?));
        line.map_or(&[], Vec::as_slice)
    }

    /// Takes in syntax colours.
    pub fn colour(&mut self, known: Highlighted) {
        let is_beside = known.job.is_beside;
        self.colours[usize::from(is_beside)] = Some(known);
    }

    /// The selected bytes of a document; `is_beside` for the reference copy of a comparison.
    pub fn selected(&self, document: &DocumentView, is_beside: bool) -> Range<usize> {
        let is_of = |of: &&TextSelection| Arc::ptr_eq(&of.text, &document.text) && of.is_beside == is_beside;
        self.selection.as_ref().filter(is_of).map_or(0..0, |selection| selection.span.clone())
    }

    /// The next time to scroll for a mouse beyond the edge.
    pub fn scrolls_next_at(&self) -> Option<Duration> {
        let pointer = self.selection.as_ref()?.pointer.filter(|pointer| pointer.is_beyond)?;
        Some(pointer.scrolled + SCROLL_INTERVAL)
    }

    /// Whether long lines of a document are wrapped.
    pub fn wraps(&self, document: &DocumentView) -> bool {
        self.wraps.get(kind(document)).copied().unwrap_or(document.language.is_none())
    }

    /// Sets whether long lines are wrapped in documents of this kind.
    pub fn wrap(&mut self, document: &DocumentView, wraps: bool) {
        self.wraps.insert(kind(document).to_owned(), wraps);
    }

    /// The matches of the search in a document.
    pub fn matches(&self, document: &DocumentView) -> Option<&Matches> {
        self.search.as_ref()?.matches(document)
    }
}

fn kind(document: &DocumentView) -> &str {
    document.language.unwrap_or("prose")
}
