//! A row of the list, whatever it is about: an adjacent run of blots, or a passage.

use std::sync::Arc;

use crate::blot::Blot;
use crate::passage::Row;
use crate::passage::found::PassageId;

/// A passage as a row.
#[derive(Clone, Debug, PartialEq)]
pub struct PassageRow {
    /// Its identity.
    pub id: PassageId,
    /// How many copies it has.
    pub copies: u64,
    /// In how many documents.
    pub documents: u32,
    /// How long it is.
    pub tokens: u32,
    /// Tokens saved if one copy were kept.
    pub score: u64,
    /// How alike the copies are on average, 0 to 1.
    pub similarity: f64,
    /// The text of the representative (at most some hundred bytes of it).
    pub text: String,
    /// The language (tokei's name) of its document when it is source code.
    pub language: Option<String>,
    /// Whether the taboo list hides it.
    pub taboo: bool,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Adjacent blots.
    Row(Arc<Row>),
    /// A passage.
    Passage(Arc<PassageRow>),
}

/// What a selection holds on to while rows come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemId {
    /// The first of adjacent blots.
    Blot(Blot),
    /// A passage.
    Passage(PassageId),
}

impl Item {
    /// Its identity.
    pub fn id(&self) -> ItemId {
        match self {
            Self::Row(row) => ItemId::Blot(row.id()),
            Self::Passage(passage) => ItemId::Passage(passage.id),
        }
    }

    /// Whether it is what another row was, perhaps grown or shrunk.
    pub fn continues(&self, old: &Self) -> bool {
        match (self, old) {
            (Self::Row(row), Self::Row(old)) => row.blots.iter().any(|blot| old.blots.contains(blot)),
            _ => self.id() == old.id(),
        }
    }

    /// The beginning of its text.
    pub fn text(&self) -> &str {
        match self {
            Self::Row(row) => &row.text,
            Self::Passage(passage) => &passage.text,
        }
    }

    /// How many tokens it has.
    pub fn tokens(&self) -> u32 {
        match self {
            Self::Row(row) => row.tokens,
            Self::Passage(passage) => passage.tokens,
        }
    }

    /// In how many documents it stands.
    pub fn documents(&self) -> u32 {
        match self {
            Self::Row(row) => row.documents,
            Self::Passage(passage) => passage.documents,
        }
    }

    /// How many copies it has, if they were counted.
    pub fn copies(&self) -> Option<u64> {
        match self {
            Self::Row(row) => row.copies,
            Self::Passage(passage) => Some(passage.copies),
        }
    }

    /// The language of the document that its text was taken from, when it is source code.
    pub fn language(&self) -> Option<&str> {
        match self {
            Self::Row(row) => row.language.as_deref(),
            Self::Passage(passage) => passage.language.as_deref(),
        }
    }

    /// Whether the taboo list hides it.
    pub fn is_taboo(&self) -> bool {
        match self {
            Self::Row(row) => row.taboo,
            Self::Passage(passage) => passage.taboo,
        }
    }
}
