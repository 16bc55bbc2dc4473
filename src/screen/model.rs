//! The state of the terminal UI. [`super::update`] changes it; the main loop changes only messages and saved filters,
//! after effects. The views read it.

pub(crate) mod dialogue;
pub(crate) mod layout;
pub(crate) mod list;
pub(crate) mod marks;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::{Position, Rect};

use crate::action::{KeyContext, ViewPage};
use crate::document::{Document, gutter};
use crate::event::Effect;
use crate::model::dialogue::{Dialogue, HeldKeys};
use crate::model::list::RowList;
use crate::reader::ReaderState;
use crate::reader::search::TextSearch;
use crate::settings::UserSettings;
use crate::text::several;
use crate::views::{LinesContext, view_of};
pub(crate) use dialogue::{
    Ask, COMPARED_LATER, CRITERIA, CriteriaForm, ExcludeChoice, HelpPage, Menu, NO_ROW, NOT_YET, Overlay,
    Prompt, TabooDialog,
};
use dupi_index::query::filter::{self, Candidate, Values};
use dupi_session::{Activity, ItemId, Listing, Phase, Progress, Request, SearchState, Subject, View};
pub(crate) use layout::{Focus, Layout};
pub(crate) use list::Stretch;

/// The complete state of the terminal UI.
pub struct Model {
    /// The name of the corpus.
    pub title: String,
    /// Columns and lines of the terminal.
    pub size: (u16, u16),
    /// The user's settings.
    pub settings: UserSettings,
    /// The indexer's state, once it was reported.
    pub progress: Option<Progress>,
    /// What changed last in the corpus.
    pub changes: FolderChanges,
    /// The view on the screen.
    pub page: ViewPage,
    /// The list on the screen.
    pub list: RowList,
    /// The lists of the other views.
    pub other_lists: HashMap<ViewPage, ListState>,
    /// The lists that the user left by following links, for `Esc`.
    pub history: Vec<(ViewPage, ListState)>,
    /// The state of the search for passages.
    pub passage_search: SearchState,
    /// The state of the search for clusters.
    pub cluster_search: SearchState,
    /// The state of the review of a change.
    pub review_search: SearchState,
    /// The content of the activity view, while it is shown.
    pub activity: Option<Arc<Activity>>,
    /// The state of the document pane.
    pub reader: ReaderState,
    /// Keys that wait for rows.
    pub held_keys: HeldKeys,
    /// The rows whose places were asked for.
    pub awaited_places: Option<AwaitedPlaces>,
    /// The pane that receives keys.
    pub focus: Focus,
    /// While two copies are compared: the focus to return to.
    pub beside: Option<Focus>,
    /// The prompt, overlays and messages.
    pub dialogue: Dialogue,
    /// The number of decisions of this session that can be undone.
    pub undoable: usize,
    /// Cell and time of the last mouse press.
    pub pressed: Option<(Position, Duration)>,
    /// What the main loop has to do after this update, in order.
    pub(crate) effects: Vec<Effect>,
    /// Time since the start.
    pub now: Duration,
}

/// The state of a list that is not on the screen.
#[derive(Clone, Debug, Default)]
pub struct ListState {
    /// The request for its rows.
    pub view: View,
    /// Its rows.
    pub listing: Arc<Listing>,
    /// The selected row.
    pub selected: Option<ItemId>,
    /// Whether the user selected it.
    pub is_chosen: bool,
    /// The index of the topmost visible row.
    pub first_row: usize,
}

/// How long a message is shown.
const MESSAGE: Duration = Duration::from_secs(8);

impl Model {
    /// The state before anything is known.
    pub fn new(title: String, size: (u16, u16)) -> Self {
        Self {
            title,
            size,
            settings: UserSettings::default(),
            progress: None,
            changes: FolderChanges::default(),
            page: ViewPage::List(Subject::Passages),
            list: RowList::new(view_of(Subject::Passages)),
            other_lists: HashMap::new(),
            history: Vec::new(),
            passage_search: SearchState::Idle,
            cluster_search: SearchState::Idle,
            review_search: SearchState::Idle,
            activity: None,
            reader: ReaderState::default(),
            held_keys: HeldKeys::default(),
            awaited_places: None,
            focus: Focus::Rows,
            beside: None,
            dialogue: Dialogue::default(),
            undoable: 0,
            pressed: None,
            effects: Vec::new(),
            now: Duration::ZERO,
        }
    }

    /// The context of the next key.
    pub fn key_context(&self) -> KeyContext {
        match self.focus {
            Focus::Document if self.reader.search.is_some() => KeyContext::FOUND,
            _ if self.beside.is_some() => KeyContext::BESIDE,
            Focus::Document => KeyContext::DOCUMENT,
            Focus::Rows => self.page.key_context(),
        }
    }

    /// The request for the rows of the current list.
    pub fn rows_request(&self) -> Request {
        let (saved, aside) = (Arc::clone(&self.settings.saved), self.settings.aside.clone());
        Request::Rows(View { saved, aside, ..self.list.view.clone() })
    }

    /// The first request to the session.
    pub fn first_request(&self) -> Request {
        self.page.lines().map_or_else(|| self.rows_request(), |lines| (lines.request)())
    }

    /// The layout of the screen.
    pub fn layout(&self) -> Layout {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let copies = self.list.copy_lines();
        let layout = Layout::new(area, self.focus, self.beside.is_some(), self.reader.split, copies);
        if self.page.lines().is_some() { layout.without_panes() } else { layout }
    }

    /// The state of the search that the rows of the current list are made from.
    pub fn search(&self) -> &SearchState {
        match self.list.view.of {
            of if of.is_from_clusters() => &self.cluster_search,
            of if of.is_from_review() => &self.review_search,
            _ => &self.passage_search,
        }
    }

    /// The input of a view of lines.
    pub fn lines_context(&self) -> LinesContext<'_> {
        LinesContext {
            activity: self.activity.as_deref(),
            progress: self.progress.as_ref(),
            width: self.size.0,
            first: self.list.first_row,
        }
    }

    /// The width of margin and line numbers; two compared copies share the larger one.
    pub fn gutter(&self, document: &Document) -> u16 {
        let beside = self.reader.preview.beside.as_ref().filter(|_| self.beside.is_some());
        beside.map_or(0, |beside| gutter(&beside.document)).max(gutter(document))
    }

    /// The width of the document's text.
    pub fn text_width(&self, document: &Document) -> usize {
        usize::from(self.layout().document.width.saturating_sub(self.gutter(document)))
    }

    /// The document of the preview, if the preview belongs to the selected row.
    pub fn document(&self) -> Option<&Document> {
        self.reader.preview.document.as_ref().filter(|_| self.is_previewed())
    }

    /// Whether the preview belongs to the selected row.
    pub fn is_previewed(&self) -> bool {
        self.reader.preview.row.as_ref().is_some_and(|row| Some(row.id()) == self.list.selected)
    }

    /// Whether long lines of the document are wrapped.
    pub fn wraps(&self) -> bool {
        self.reader.preview.document.as_ref().is_some_and(|document| self.reader.wraps(document))
    }

    /// The completions at the cursor of a filter prompt.
    pub fn candidates(&self, prompt: &Prompt) -> Vec<Candidate> {
        let values = Values {
            languages: &prompt.names.languages,
            extensions: &prompt.names.extensions,
            folders: &prompt.names.folders,
            saved: &self.settings.saved,
            lacking: self.list.view.of.lacks(),
        };
        filter::complete(prompt.line.text(), prompt.line.cursor(), &values)
    }

    /// Sends a request to the session.
    pub fn ask(&mut self, request: Request) {
        self.effects.push(Effect::Ask(request));
    }

    /// Shows a message.
    pub fn say(&mut self, sentence: impl Into<String>) {
        self.dialogue.message = Some((sentence.into(), self.now));
    }

    /// The current message, unless it has expired.
    pub fn said(&self) -> Option<&str> {
        let (sentence, at) = self.dialogue.message.as_ref()?;
        (self.now < *at + MESSAGE).then_some(sentence)
    }

    /// Whether the indexer is working.
    pub fn is_busy(&self) -> bool {
        self.progress
            .as_ref()
            .is_none_or(|progress| !matches!(progress.phase, Phase::Idle | Phase::Failed(_)))
    }

    /// The time until the state changes without an event, at most `longest`.
    pub fn patience(&self, longest: Duration) -> Duration {
        if self.reader.search.as_ref().is_some_and(TextSearch::is_under_way) {
            return Duration::ZERO;
        }
        let times = [
            self.reader.scrolls_next_at(),
            self.held_keys.said_at().filter(|at| *at > self.now),
            self.dialogue.message.as_ref().map(|(_, at)| *at + MESSAGE).filter(|at| *at > self.now),
        ];
        times.into_iter().flatten().map(|at| at.saturating_sub(self.now)).fold(longest, Duration::min)
    }
}

/// Rows whose places were asked for, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedPlaces {
    /// The rows.
    pub of: Vec<ItemId>,
    /// What is done with the places.
    pub task: PlacesTask,
}

/// What is done with places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacesTask {
    /// Leave, and print them.
    Print,
    /// Copy all of them to the clipboard.
    Copy,
    /// Open all of them in the editor.
    Edit,
    /// Run the user's command with this number, at this path and line; without one, at the first place.
    Command(usize, Option<(PathBuf, u32)>),
}

/// The last change of the corpus.
#[derive(Default)]
pub struct FolderChanges {
    /// Whether the index was brought up to date once: what is read before that is no change.
    is_followed: bool,
    /// How many files changed, and when; several commits in a row are one change.
    last: Option<(u64, Duration)>,
    /// Whether the last change is complete.
    is_over: bool,
}

impl FolderChanges {
    /// Adds files that changed.
    pub fn add(&mut self, files: u64, now: Duration) {
        if files > 0 && self.is_followed {
            let before = self.last.filter(|_| !self.is_over).map_or(0, |(before, _)| before);
            (self.last, self.is_over) = (Some((before + files, now)), false);
        }
    }

    /// The index is up to date.
    pub fn end(&mut self) {
        (self.is_followed, self.is_over) = (true, true);
    }

    /// In words: `3 files changed 2 min ago`.
    pub fn words(&self, now: Duration) -> Option<String> {
        let (files, at) = self.last?;
        let minutes = now.saturating_sub(at).as_secs() / 60;
        let when = match minutes {
            0 => "just now".to_owned(),
            1..60 => format!("{minutes} min ago"),
            60..2880 => format!("{} h ago", minutes / 60),
            _ => format!("{} days ago", minutes / 1440),
        };
        Some(format!("{} changed {when}", several(files, "file")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_said_and_when() {
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        let mut changes = FolderChanges::default();
        changes.add(12_000, minutes(0));
        assert_eq!(changes.words(minutes(1)), None, "the first reading is no change");
        changes.end();
        changes.add(1, minutes(1));
        assert_eq!(changes.words(minutes(1)).as_deref(), Some("1 file changed just now"));
        changes.add(2, minutes(2));
        changes.end();
        assert_eq!(changes.words(minutes(4)).as_deref(), Some("3 files changed 2 min ago"));
        assert_eq!(changes.words(minutes(302)).as_deref(), Some("3 files changed 5 h ago"));
        assert_eq!(changes.words(minutes(10_000)).as_deref(), Some("3 files changed 6 days ago"));
        changes.add(1_500, minutes(10_001));
        assert_eq!(changes.words(minutes(10_001)).as_deref(), Some("1,500 files changed just now"));
    }
}
