//! Key contexts: the parts of the screen in which a key can have a meaning of its own.

use dupi_session::Subject;

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
    pub(super) const TEXTS: Self = Self::PASSAGES.or(Self::BLOTS).or(Self::REVIEW);
    /// The lists of documents, clusters and folders.
    pub(super) const PLACES: Self = Self::DOCUMENTS.or(Self::CLUSTERS).or(Self::FILES);
    /// All contexts of the document pane.
    pub const READING: Self = Self::DOCUMENT.or(Self::BESIDE).or(Self::FOUND);
    /// The contexts in which the screen is divided into panes.
    pub(super) const PANES: Self = Self::LISTS.or(Self::DOCUMENT).or(Self::FOUND);
    /// The contexts that show documents.
    pub const SPANS: Self = Self::LISTS.or(Self::READING);
    /// All contexts.
    pub(super) const EVERYWHERE: Self = Self::SPANS.or(Self(((1 << LINES) - 1) << LISTS));

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
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the two sets intersect.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
