//! The state of the terminal UI. Changed by [`super::update`], and by the loop only where it performs effects: what
//! is said of them, and the saved filters. Read by the views.

mod early;
mod prompt;

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::{Position, Rect};
use ratatui::style::Color;

use super::Document;
use super::action::Place;
use super::action::keymap::Keymap;
use super::found::Found;
use super::highlight::Highlighted;
use super::line::Line;
use super::marks::Marks;
use super::reading::{Reading, Search};
use super::view::before::Before;
use super::view::columns::ColumnChoice;
use super::view::document::gutter;
use super::view::layout::Layout;
use super::views::Page;
use crate::config::SavedFilters;
use crate::corpus::Skipped;
use crate::session::{
    Activity, Item, ItemId, Listing, PassageSearch, Phase, Preview, Progress, Request, Sort, Subject, View,
};

use early::Early;
pub use prompt::{Ask, Prompt};

/// Rows that are asked for at first, and more of when the selection comes near the end of what is loaded.
pub const FIRST_ROWS: usize = 200;

/// Everything there is to show.
pub struct Model {
    /// The corpus, as people know it.
    pub title: String,
    /// Columns and lines of the terminal.
    pub size: (u16, u16),
    /// Which key does what.
    pub keymap: Keymap,
    /// Which columns the lists have.
    pub columns: ColumnChoice,
    /// How wide the columns of the list are.
    pub widths: Vec<usize>,
    /// The indexer's state, once it told.
    pub progress: Option<Progress>,
    /// What fills the screen.
    pub page: Page,
    /// The rows that were asked for last.
    pub view: View,
    /// The rows.
    pub listing: Arc<Listing>,
    /// The selected row, by its identity.
    pub selected: Option<ItemId>,
    /// The row that is to be selected as soon as it comes.
    pub sought: Option<ItemId>,
    /// Where that row stood when it was lost; `None` for one that was never there.
    pub lost_at: Option<usize>,
    /// Where it was found last.
    selected_at: Found,
    /// The user has chosen it; until then the first row is selected, whichever it is.
    pub is_chosen: bool,
    /// Which row stands on top of the list.
    pub first_row: usize,
    /// The folder that files are written to unless another is named; empty for the one that the program was started in.
    pub files_in: PathBuf,
    /// What `~/` stands for where a file is named.
    pub home: Option<PathBuf>,
    /// The rows that are marked for what is done next.
    pub marks: Marks,
    /// Where a range of marks began.
    pub anchor: Option<ItemId>,
    /// Where that was found last.
    anchor_at: Found,
    /// The lists of the other views, as they were left.
    pub kept: HashMap<Page, Kept>,
    /// Where deeper steps came from.
    pub history: Vec<(Page, Kept)>,
    /// How the search for passages stands.
    pub passage_search: PassageSearch,
    /// What goes on, while that is shown.
    pub activity: Option<Arc<Activity>>,
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
    /// Keys that wait for rows.
    pub early: Early,
    /// Where keys go.
    pub focus: Focus,
    /// While two copies stand side by side: where keys went before.
    pub beside: Option<Focus>,
    /// What is being typed.
    pub prompt: Option<Prompt>,
    /// What was asked for last to be written to a file, in words that write over what is there.
    pub writing: Option<Request>,
    /// What lies over the screen.
    pub overlay: Option<Overlay>,
    /// What is laid there as soon as nothing is typed and nothing else lies there.
    pub waiting: Vec<Overlay>,
    /// The last thing that was said, and when.
    pub message: Option<(String, Duration)>,
    /// How many decisions of here can be undone.
    pub undoable: usize,
    /// The filters that were saved, by name.
    pub saved: Arc<SavedFilters>,
    /// Whether the mouse is ours.
    pub has_mouse: bool,
    /// Where and when the mouse was pressed last.
    pub pressed: Option<(Position, Duration)>,
    /// How long the program has been running.
    pub now: Duration,
}

/// A list that is not shown now.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// What was asked for.
    pub view: View,
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
    /// The keys of a place, scrolled by so many lines.
    Help(Place, usize),
    /// The files left out, scrolled by so many lines; `None` until they are known.
    Skipped(Option<Arc<Vec<Skipped>>>, usize),
    /// The index does not fit the options: a sentence.
    Mismatch(String),
    /// Actions by name: what is typed, and which of those that fit is chosen.
    Palette(Line, usize),
    /// Saved filters, and which one is chosen.
    Filters(usize),
    /// What a taboo decision would hide, before it is taken.
    Before(Before),
    /// A file is there already: write over it?
    Replace(Request, PathBuf),
}

/// How long a message stays.
const MESSAGE: Duration = Duration::from_secs(8);

impl Model {
    /// Nothing known yet.
    pub fn new(title: String, size: (u16, u16)) -> Self {
        Self {
            title,
            size,
            keymap: Keymap::default(),
            columns: ColumnChoice::default(),
            widths: Vec::new(),
            progress: None,
            page: Page::List(Subject::Passages),
            view: view_of(Subject::Passages),
            listing: Arc::default(),
            selected: None,
            sought: None,
            lost_at: None,
            selected_at: Found::default(),
            is_chosen: false,
            first_row: 0,
            files_in: PathBuf::new(),
            home: None,
            marks: Marks::default(),
            anchor: None,
            anchor_at: Found::default(),
            kept: HashMap::new(),
            history: Vec::new(),
            passage_search: PassageSearch::Idle,
            activity: None,
            preview: Arc::default(),
            current: 0,
            scroll: Scroll::default(),
            reading: Reading::default(),
            colours: None,
            asked_colours: None,
            early: Early::default(),
            focus: Focus::Rows,
            beside: None,
            prompt: None,
            writing: None,
            overlay: None,
            waiting: Vec::new(),
            message: None,
            undoable: 0,
            saved: Arc::default(),
            has_mouse: true,
            pressed: None,
            now: Duration::ZERO,
        }
    }

    /// Where keys go now.
    pub fn place(&self) -> Place {
        match self.focus {
            Focus::Document if self.reading.search.is_some() => Place::FOUND,
            _ if self.beside.is_some() => Place::BESIDE,
            Focus::Document => Place::DOCUMENT,
            Focus::Rows => self.page.place(),
        }
    }

    /// The rows that something is done with: those that are marked, else the selected one.
    pub fn chosen(&self) -> Vec<Item> {
        self.chosen_rows().cloned().collect()
    }

    /// The same, to be looked at.
    pub fn chosen_rows(&self) -> impl Iterator<Item = &Item> {
        self.marks.rows().chain(self.row().filter(|_| self.marks.is_empty()))
    }

    /// Another copy is wanted, whichever was before.
    pub fn want_copy(&mut self, number: usize) {
        (self.current, self.reading.copy) = (number, None);
    }

    /// The request for the rows that are wanted.
    pub fn rows_request(&self) -> Request {
        Request::Rows(View { saved: Arc::clone(&self.saved), ..self.view.clone() })
    }

    /// What is asked of the session at first.
    pub fn first_request(&self) -> Request {
        self.page.lines().map_or_else(|| self.rows_request(), |lines| (lines.request)())
    }

    /// Where everything is on the screen.
    pub fn layout(&self) -> Layout {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let layout = Layout::of(area, self.focus, self.beside.is_some(), self.reading.split);
        if self.page.lines().is_some() { layout.without_panes() } else { layout }
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
        self.selected_at.place(&self.listing, self.selected?)
    }

    /// The number of the row where the range began that is being marked.
    pub fn anchor_row(&self) -> Option<usize> {
        self.anchor_at.place(&self.listing, self.anchor?)
    }

    /// The number of the selected row, or the one it had when it was lost.
    pub fn place_in_list(&self) -> Option<usize> {
        self.selected_row().or(self.lost_at)
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
        let longest = self.reading.pulls_at().map_or(longest, |at| at.saturating_sub(self.now).min(longest));
        let said_at = self.early.said_at().filter(|at| *at > self.now);
        let longest = said_at.map_or(longest, |at| (at - self.now).min(longest));
        match &self.message {
            Some((_, at)) if self.now < *at + MESSAGE => (*at + MESSAGE - self.now).min(longest),
            _ => longest,
        }
    }
}

/// The rows of a subject, as they are asked for at first.
pub fn view_of(of: Subject) -> View {
    let sort = Sort::ways(of).first().copied().unwrap_or_default();
    View { of, sort, wanted: FIRST_ROWS, ..View::default() }
}
