//! Actions, the contexts in which a key can have a meaning of its own, and the identifiers of the views.
//!
//! The table of [`BINDINGS`](crate::keys::BINDINGS) gives each action its keys and words.

use dupi_session::Subject;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Show(ViewPage),
    NextView,
    PreviousView,
    Down,
    Up,
    PageDown,
    PageUp,
    Top,
    Bottom,
    Right,
    Left,
    Enter,
    Print,
    Back,
    NextCopy,
    PreviousCopy,
    NextMatch,
    PreviousMatch,
    NextStretch,
    PreviousStretch,
    Beside,
    Pin,
    FilesOf,
    BlotsOf,
    PassagesOf,
    Mark,
    MarkRange,
    Taboo,
    TabooBecause,
    Accept,
    NextState,
    ShowTaboo,
    ShowAside,
    SetAside,
    SetKind,
    Exclude,
    Undo,
    Redo,
    EditEntry,
    RemoveEntry,
    MoveEntry,
    Import,
    Export,
    CopyText,
    CopyPlaces,
    CopyPlace,
    Filter,
    SavedFilters,
    Search,
    GoToLine,
    Sort,
    Criteria,
    SigmaUp,
    SigmaDown,
    Unfold,
    Wrap,
    Zoom,
    Wider,
    Narrower,
    Edit,
    EditAll,
    Blame,
    Skipped,
    Mouse,
    Palette,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// What an action refers to. It decides what happens to its key while the rows have not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionScope {
    /// The selected row, or rows relative to it: the key is held until the rows arrive.
    Row,
    /// The selected row, which is changed or removed at once: the key is refused, because the user has not seen the
    /// row.
    Decision,
    /// The parent of the selected row's list: the key is held only if others are held before it.
    Parent,
    /// Which rows are shown, or how: the key is held only if others are held before it.
    List,
    /// No row: the action is performed at once.
    Program,
}

impl ActionScope {
    /// Whether the action confirms the selected row as the user's choice.
    pub fn is_row(self) -> bool {
        matches!(self, Self::Row | Self::Decision | Self::Parent)
    }

    /// Whether the action requires the rows.
    pub fn needs_rows(self) -> bool {
        matches!(self, Self::Row | Self::Decision)
    }
}

/// A set of key contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyContext(u32);

/// The number of bits for lists, one per subject.
const LISTS: u32 = 16;
/// The number of bits for views of lines, behind those.
const LINES: u32 = 8;

impl KeyContext {
    /// The list of passages.
    pub const PASSAGES: Self = Self::list(Subject::Passages);
    /// The list of blots.
    pub const BLOTS: Self = Self::list(Subject::Blots);
    /// The list of documents.
    pub const DOCUMENTS: Self = Self::list(Subject::Documents);
    /// The list of clusters.
    pub const CLUSTERS: Self = Self::list(Subject::Clusters);
    /// The list of a review.
    pub const REVIEW: Self = Self::list(Subject::Review);
    /// The list of a folder.
    pub const FILES: Self = Self::list(Subject::Files);
    /// The taboo list.
    pub const TABOO: Self = Self::list(Subject::Taboo);
    /// All lists.
    pub const LISTS: Self = Self((1 << LISTS) - 1);
    /// The activity view.
    pub const ACTIVITY: Self = Self::lines(0);
    /// The document pane.
    pub const DOCUMENT: Self = Self(1 << 29);
    /// Two compared copies.
    pub const BESIDE: Self = Self(1 << 30);
    /// The document pane during a search.
    pub const FOUND: Self = Self(1 << 31);

    /// The lists of texts.
    pub(crate) const TEXTS: Self = Self::PASSAGES.or(Self::BLOTS).or(Self::REVIEW);
    /// The lists of documents, clusters and folders.
    pub(crate) const PLACES: Self = Self::DOCUMENTS.or(Self::CLUSTERS).or(Self::FILES);
    /// All contexts of the document pane.
    pub const READING: Self = Self::DOCUMENT.or(Self::BESIDE).or(Self::FOUND);
    /// The contexts in which the screen is divided into panes.
    pub(crate) const PANES: Self = Self::LISTS.or(Self::DOCUMENT).or(Self::FOUND);
    /// The contexts that show documents.
    pub const SPANS: Self = Self::LISTS.or(Self::READING);
    /// All contexts.
    pub(crate) const EVERYWHERE: Self = Self::SPANS.or(Self(((1 << LINES) - 1) << LISTS));

    /// The list of a subject.
    pub const fn list(of: Subject) -> Self {
        Self(1 << of as u32)
    }

    /// The view of lines with a number.
    pub const fn lines(number: u32) -> Self {
        Self(1 << (LISTS + number))
    }

    /// The union with others.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The difference from others.
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the two sets intersect.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewPage {
    /// The rows of a subject, with a preview of the selected one.
    List(Subject),
    /// The activity of the program.
    Activity,
}

impl ViewPage {
    /// The key context of the view.
    pub fn key_context(self) -> KeyContext {
        match self {
            Self::List(of) => KeyContext::list(of),
            Self::Activity => KeyContext::ACTIVITY,
        }
    }
}
