//! Key contexts: the parts of the screen in which a key can have a meaning of its own.

use crate::session::Subject;

/// Where the keys go: what is shown, or several such places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyContext(u32);

/// So many bits are those of lists, by the numbers of their subjects.
const LISTS: u32 = 16;

impl KeyContext {
    /// The list of passages.
    pub const PASSAGES: Self = Self::list(Subject::Passages);
    /// The list of blots.
    pub const BLOTS: Self = Self::list(Subject::Blots);
    /// The list of documents.
    pub const DOCUMENTS: Self = Self::list(Subject::Documents);
    /// A folder.
    pub const FILES: Self = Self::list(Subject::Files);
    /// The taboo list.
    pub const TABOO: Self = Self::list(Subject::Taboo);
    /// All lists, also those that are not named here.
    pub const LISTS: Self = Self((1 << LISTS) - 1);
    /// What goes on.
    pub const ACTIVITY: Self = Self(1 << LISTS);
    /// The text of a document.
    pub const DOCUMENT: Self = Self(1 << 29);
    /// Two copies side by side.
    pub const BESIDE: Self = Self(1 << 30);
    /// A text in which something is searched for.
    pub const FOUND: Self = Self(1 << 31);

    /// The lists of texts.
    pub(super) const TEXTS: Self = Self::PASSAGES.or(Self::BLOTS);
    /// The lists of documents and folders.
    pub(super) const PLACES: Self = Self::DOCUMENTS.or(Self::FILES);
    /// Where keys go to a text.
    pub const READING: Self = Self::DOCUMENT.or(Self::BESIDE).or(Self::FOUND);
    /// Where the screen is divided in panes.
    pub(super) const PANES: Self = Self::LISTS.or(Self::DOCUMENT).or(Self::FOUND);
    /// Where there are documents to look at.
    pub const SPANS: Self = Self::LISTS.or(Self::READING);
    /// All places.
    pub(super) const EVERYWHERE: Self = Self::SPANS.or(Self::ACTIVITY);

    /// The list of a subject.
    pub const fn list(of: Subject) -> Self {
        Self(1 << of as u32)
    }

    /// These and others.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These but for others.
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether they have a place in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
