//! State of the document pane: the current copy, the search, line wrapping, mouse selection, and the split of the screen.

mod search;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

pub use search::{Matches, SearchStep, SearchTarget, TextSearch};

use ratatui::layout::Position;
use ratatui::style::Color;
use serde::{Deserialize, Serialize};

use super::document::{Document, Scroll};
use super::highlight::Highlighted;
use crate::query::Occurrence;
use crate::session::{DocumentView, ItemId, Preview};

/// The document that is read, and how.
#[derive(Default)]
pub struct ReaderState {
    /// The selected row's copies, as far as they are known.
    pub preview: Arc<Preview>,
    /// Which copy is wanted.
    pub current: usize,
    /// Where the document is scrolled to.
    pub scroll: Scroll,
    /// Colours of the document, when they are ready.
    pub colours: Option<Highlighted>,
    /// Which colours were asked for last.
    pub asked_colours: Option<(Document, Range<usize>)>,
    /// Whether long lines are wrapped, by kind of document: a language, or prose. Where nothing is said, prose
    /// is wrapped and code is not.
    pub wraps: BTreeMap<String, bool>,
    /// What is searched for in the document.
    pub search: Option<TextSearch>,
    /// Where it was jumped to last: to which byte, and how the document stood then.
    pub jumped: Option<(Scroll, usize)>,
    /// What could not be placed, because no document was seen: which byte, and whether it goes on below.
    pub unplaced: Option<(usize, bool)>,
    /// How the screen is divided.
    pub split: Split,
    /// The copy that is read: it stays the current one, whichever come and go beside it.
    pub copy: Option<Occurrence>,
    /// What is done at a copy as soon as it is known where that stands.
    pub pending: Option<PendingTask>,
    /// What the mouse holds.
    pub dragged: Option<DragHandle>,
    /// The text that the mouse selects, or has selected.
    pub selection: Option<TextSelection>,
}

/// Something to be done at a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingTask {
    /// Of which row.
    pub row: ItemId,
    /// Which copy of it.
    pub current: usize,
    /// What.
    pub task: CopyTask,
}

/// What is done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyTask {
    /// Open the editor.
    Edit,
    /// Send its path and line to the clipboard.
    CopyPlace,
}

/// How the panes share the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Split {
    /// How much of the width the list has, in thousandths; `None` for what is usual.
    pub list: Option<u16>,
    /// How many lines the copies have; `None` for what is usual.
    pub copies: Option<u16>,
    /// The document has the screen to itself, as long as keys go there.
    pub is_zoomed: bool,
}

/// What the mouse holds while its button is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragHandle {
    /// The line between the list and the document.
    Divider,
    /// The line between the copies and the document.
    Rule,
    /// The margin that maps the document.
    Strip,
}

/// Text that the mouse selects, or has selected.
#[derive(Clone, Debug)]
pub struct TextSelection {
    /// Of which document: its text.
    pub text: Arc<String>,
    /// Whether that is the one beside the document, with which it is compared.
    pub is_beside: bool,
    /// The bytes of the cell where the button was pressed.
    pub from: Range<usize>,
    /// The bytes that are selected; none as long as the mouse has not moved.
    pub span: Range<usize>,
    /// The mouse, while its button is down.
    pub pointer: Option<Pointer>,
}

/// Where the mouse is while it selects.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    /// The cell.
    pub at: Position,
    /// Whether more of the document comes there by itself: it is beyond the edge of it.
    pub is_beyond: bool,
    /// When the document was scrolled for it last.
    pub scrolled: Duration,
}

/// How often a document is scrolled while the mouse is held beyond its edge.
pub const PULL: Duration = Duration::from_millis(50);

impl ReaderState {
    /// Another copy is wanted, whichever was before.
    pub fn want_copy(&mut self, number: usize) {
        (self.current, self.copy) = (number, None);
    }

    /// The colours of a stretch of a line, when there are some.
    pub fn colours_of(&self, document: &Document, line: usize) -> Option<&[(usize, Color)]> {
        // The same text, whatever else has been found out about it since.
        let is_of = |colours: &&Highlighted| Arc::ptr_eq(&colours.document.text, &document.text);
        let colours = self.colours.as_ref().filter(is_of)?;
        colours.colours.get(line.checked_sub(colours.lines.start)?).map(Vec::as_slice)
    }

    /// The bytes of a document that are selected, in the place of the document or beside it.
    pub fn selected(&self, document: &DocumentView, is_beside: bool) -> Range<usize> {
        let is_of = |of: &&TextSelection| Arc::ptr_eq(&of.text, &document.text) && of.is_beside == is_beside;
        self.selection.as_ref().filter(is_of).map_or(0..0, |selection| selection.span.clone())
    }

    /// When the document is to be scrolled again for the mouse that is held beyond its edge.
    pub fn pulls_at(&self) -> Option<Duration> {
        let pointer = self.selection.as_ref()?.pointer.filter(|pointer| pointer.is_beyond)?;
        Some(pointer.scrolled + PULL)
    }

    /// Whether long lines of a document are wrapped.
    pub fn wraps(&self, document: &DocumentView) -> bool {
        self.wraps.get(kind(document)).copied().unwrap_or(document.language.is_none())
    }

    /// Wraps long lines of documents of a kind, or not.
    pub fn wrap(&mut self, document: &DocumentView, wraps: bool) {
        self.wraps.insert(kind(document).to_owned(), wraps);
    }

    /// What was found in a document.
    pub fn matches(&self, document: &DocumentView) -> Option<&Matches> {
        self.search.as_ref()?.matches(document)
    }
}

fn kind(document: &DocumentView) -> &str {
    document.language.unwrap_or("prose")
}
