//! Where keys go.

use crate::session::Subject;

/// Where the keys go: what is shown, or several such places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u16);

impl Place {
    /// The list of passages.
    pub const PASSAGES: Self = Self(1);
    /// The list of blots.
    pub const BLOTS: Self = Self(1 << 1);
    /// The list of documents.
    pub const DOCUMENTS: Self = Self(1 << 2);
    /// A folder.
    pub const FILES: Self = Self(1 << 3);
    /// The taboo list.
    pub const TABOO: Self = Self(1 << 4);
    /// What goes on.
    pub const ACTIVITY: Self = Self(1 << 5);
    /// The text of a document.
    pub const DOCUMENT: Self = Self(1 << 6);
    /// Two copies side by side.
    pub const BESIDE: Self = Self(1 << 7);
    /// A text in which something is searched for.
    pub const FOUND: Self = Self(1 << 8);

    /// All of them by their names.
    pub const NAMED: [(&str, Self); 9] = [
        ("passages", Self::PASSAGES),
        ("blots", Self::BLOTS),
        ("documents", Self::DOCUMENTS),
        ("files", Self::FILES),
        ("taboo", Self::TABOO),
        ("activity", Self::ACTIVITY),
        ("document", Self::DOCUMENT),
        ("beside", Self::BESIDE),
        ("found", Self::FOUND),
    ];

    /// The lists of texts.
    pub(super) const TEXTS: Self = Self::PASSAGES.or(Self::BLOTS);
    /// The lists of documents and folders.
    pub(super) const PLACES: Self = Self::DOCUMENTS.or(Self::FILES);
    /// All lists.
    pub const LISTS: Self = Self::TEXTS.or(Self::PLACES).or(Self::TABOO);
    /// Where keys go to a text.
    pub const READING: Self = Self::DOCUMENT.or(Self::BESIDE).or(Self::FOUND);
    /// Where the screen is divided in panes.
    pub(super) const PANES: Self = Self::LISTS.or(Self::DOCUMENT).or(Self::FOUND);
    /// Where there are documents to look at.
    pub const SPANS: Self = Self::LISTS.or(Self::READING);
    /// All places.
    pub(super) const EVERYWHERE: Self = Self::SPANS.or(Self::ACTIVITY);

    /// The list of a subject.
    pub fn of(subject: Subject) -> Self {
        match subject {
            Subject::Passages => Self::PASSAGES,
            Subject::Blots => Self::BLOTS,
            Subject::Documents => Self::DOCUMENTS,
            Subject::Files => Self::FILES,
            Subject::Taboo => Self::TABOO,
        }
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
