//! The state of the terminal UI. Changed only by [`super::update`]; read by the views.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::style::Color;

use super::Document;
use super::highlight::Highlighted;
use super::reading::{Reading, Search};
use super::view::document::gutter;
use super::view::layout::Layout;
use crate::corpus::Skipped;
use crate::session::{Item, ItemId, Listing, Phase, Preview, Progress, Request, Subject, View};

/// Rows that are asked for at first, and more of when the selection comes near the end of what is loaded.
pub const FIRST_ROWS: usize = 200;

/// Everything there is to show.
pub struct Model {
    /// The corpus, as people know it.
    pub title: String,
    /// Columns and lines of the terminal.
    pub size: (u16, u16),
    /// The indexer's state, once it told.
    pub progress: Option<Progress>,
    /// The view that was asked for last.
    pub view: View,
    /// The rows.
    pub listing: Arc<Listing>,
    /// The selected row, by its identity.
    pub selected: Option<ItemId>,
    /// The user has chosen it; until then the first row is selected, whichever it is.
    pub is_chosen: bool,
    /// Which row stands on top of the list.
    pub first_row: usize,
    /// The list of the other view, as it was left.
    pub kept: Kept,
    /// How far the search for passages is, while it goes on.
    pub searching: Option<f64>,
    /// The selected row's copies, as far as they are known.
    pub preview: Arc<Preview>,
    /// Which copy is wanted.
    pub current: usize,
    /// Where the document is scrolled to.
    pub scroll: Scroll,
    /// How documents are read.
    pub reading: Reading,
    /// Colours of the document, when they are ready.
    pub colours: Option<Highlighted>,
    /// Which colours were asked for last.
    pub asked_colours: Option<(Document, Range<usize>)>,
    /// Where keys go.
    pub focus: Focus,
    /// While two copies stand side by side: where keys went before.
    pub beside: Option<Focus>,
    /// The filter while it is typed.
    pub typing: Option<String>,
    /// What lies over the screen.
    pub overlay: Option<Overlay>,
    /// The last thing that was said, and when.
    pub message: Option<(String, Duration)>,
    /// How long the program has been running.
    pub now: Duration,
}

/// A list that is not shown now.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Its rows.
    pub listing: Arc<Listing>,
    /// The selected one.
    pub selected: Option<ItemId>,
    /// Whether the user has chosen it.
    pub is_chosen: bool,
    /// Which row stands on top.
    pub first_row: usize,
}

/// Where keys go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list of rows.
    #[default]
    Rows,
    /// The document.
    Document,
}

/// What part of a document is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scroll {
    /// The line on top, from 0.
    pub line: usize,
    /// Where in that line the top begins, in bytes, when lines are wrapped.
    pub byte: usize,
    /// The first column, when lines are not wrapped.
    pub column: usize,
}

/// What lies over the screen.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// All keys, scrolled by so many lines.
    Help(usize),
    /// The files left out, scrolled by so many lines; `None` until they are known.
    Skipped(Option<Arc<Vec<Skipped>>>, usize),
    /// The index does not fit the options: a sentence.
    Mismatch(String),
}

/// How long a message stays.
const MESSAGE: Duration = Duration::from_secs(8);

impl Model {
    /// Nothing known yet.
    pub fn new(title: String, size: (u16, u16)) -> Self {
        Self {
            title,
            size,
            progress: None,
            view: View { of: Subject::Passages, wanted: FIRST_ROWS, ..View::default() },
            listing: Arc::default(),
            selected: None,
            is_chosen: false,
            first_row: 0,
            kept: Kept::default(),
            searching: None,
            preview: Arc::default(),
            current: 0,
            scroll: Scroll::default(),
            reading: Reading::default(),
            colours: None,
            asked_colours: None,
            focus: Focus::Rows,
            beside: None,
            typing: None,
            overlay: None,
            message: None,
            now: Duration::ZERO,
        }
    }

    /// The request for the rows that are wanted.
    pub fn rows_request(&self) -> Request {
        Request::Rows(self.view.clone())
    }

    /// Where everything is on the screen.
    pub fn layout(&self) -> Layout {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        Layout::of(area, self.focus, self.beside.is_some(), self.reading.split)
    }

    /// The width of the margin and the line numbers: side by side, the same for both.
    pub fn gutter(&self, document: &Document) -> u16 {
        let beside = self.preview.beside.as_ref().filter(|_| self.beside.is_some());
        beside.map_or(0, |beside| gutter(&beside.document)).max(gutter(document))
    }

    /// How wide the text of the document is.
    pub fn text_width(&self, document: &Document) -> usize {
        usize::from(self.layout().document.width.saturating_sub(self.gutter(document)))
    }

    /// The number of the selected row.
    pub fn selected_row(&self) -> Option<usize> {
        let selected = self.selected?;
        self.listing.rows.iter().position(|row| row.id() == selected)
    }

    /// The selected row.
    pub fn row(&self) -> Option<&Item> {
        self.listing.rows.get(self.selected_row()?)
    }

    /// The document of the preview, when it is that of the selected row.
    pub fn document(&self) -> Option<&Document> {
        self.preview.document.as_ref().filter(|_| self.is_previewed())
    }

    /// Whether the preview is that of the selected row.
    pub fn is_previewed(&self) -> bool {
        self.preview.row.as_ref().is_some_and(|row| Some(row.id()) == self.selected)
    }

    /// Whether long lines of the document are wrapped.
    pub fn wraps(&self) -> bool {
        self.preview.document.as_ref().is_some_and(|document| self.reading.wraps(document))
    }

    /// The colours of a stretch of a line, when there are some.
    pub fn colours_of(&self, document: &Document, line: usize) -> Option<&[(usize, Color)]> {
        // The same text, whatever else has been found out about it since.
        let is_of = |colours: &&Highlighted| Arc::ptr_eq(&colours.document.text, &document.text);
        let colours = self.colours.as_ref().filter(is_of)?;
        colours.colours.get(line.checked_sub(colours.lines.start)?).map(Vec::as_slice)
    }

    /// Says something.
    pub fn say(&mut self, sentence: impl Into<String>) {
        self.message = Some((sentence.into(), self.now));
    }

    /// What was said lately.
    pub fn said(&self) -> Option<&str> {
        let (sentence, at) = self.message.as_ref()?;
        (self.now < *at + MESSAGE).then_some(sentence)
    }

    /// Whether the indexer is at work.
    pub fn is_busy(&self) -> bool {
        self.progress
            .as_ref()
            .is_none_or(|progress| !matches!(progress.phase, Phase::Idle | Phase::Failed(_)))
    }

    /// How long nothing will change by itself, at most `longest`.
    pub fn patience(&self, longest: Duration) -> Duration {
        if self.reading.search.as_ref().is_some_and(Search::is_under_way) {
            return Duration::ZERO;
        }
        match &self.message {
            Some((_, at)) if self.now < *at + MESSAGE => (*at + MESSAGE - self.now).min(longest),
            _ => longest,
        }
    }
}
