//! A row of the list, whatever it is about: an adjacent run of blots, a passage, a document, a folder, or
//! an entry of the taboo list.

use std::borrow::Cow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::hidden::HiddenCounts;
use crate::blot::Blot;
use crate::passage::Row;
use crate::passage::found::PassageId;
use crate::query::filter::State;
use crate::report::{DocumentName, DocumentShareRow, FolderShareRow, PartnerRow, rounded};
use crate::storage::shown;
use crate::taboo::{AcceptedId, TabooEntry};

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
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
    /// How alike the copies are on average, 0 to 1.
    pub similarity: f64,
    /// The text of the representative (at most some hundred bytes of it).
    pub text: String,
    /// The name of the language of its document when it is source code.
    pub language: Option<String>,
    /// Whether the taboo list hides it.
    pub taboo: bool,
    /// With how many copies it was accepted, if it was; with more it is open again.
    pub accepted: Option<u64>,
}

impl PassageRow {
    /// What was decided about it; taboo goes before accepted.
    pub fn state(&self) -> State {
        State::of(self.taboo, self.accepted, self.copies)
    }
}

/// A document with how much of it stands elsewhere too.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentRow {
    /// Its file, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// How many tokens it has.
    pub tokens: u64,
    /// How many of them lie in passages.
    pub duplicated: u64,
    /// How many copies of passages stand in it, those not counted that lie within longer ones.
    pub copies: u64,
    /// The document that has the most of these tokens too.
    pub partner: Option<PartnerDocument>,
    /// Whether the list is sorted by partner and that document stands above this one.
    pub is_below: bool,
    /// The name of the language when it is source code.
    pub language: Option<String>,
}

impl DocumentRow {
    /// How much of it stands elsewhere too, 0 to 1.
    pub fn share(&self) -> f64 {
        part(self.duplicated, self.tokens)
    }
}

impl From<&DocumentRow> for DocumentShareRow {
    fn from(row: &DocumentRow) -> Self {
        let partner = |partner: &PartnerDocument| PartnerRow {
            path: DocumentName::new(&partner.path, partner.record),
            tokens: partner.tokens,
        };
        Self {
            path: DocumentName::new(&row.path, row.record),
            share: rounded(row.share()),
            duplicated: row.duplicated,
            tokens: row.tokens,
            copies: row.copies,
            partner: row.partner.as_ref().map(partner),
            language: row.language.clone(),
        }
    }
}

/// The document that shares the most with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerDocument {
    /// Its file, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// How many tokens of the other document lie in passages that both have.
    pub tokens: u64,
}

/// A folder, or a file in one, with how much of what lies in it stands elsewhere too.
#[derive(Clone, Debug, PartialEq)]
pub struct FolderRow {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// Whether it can be entered.
    pub is_folder: bool,
    /// How many documents lie in it.
    pub documents: u64,
    /// How many tokens they have.
    pub tokens: u64,
    /// How many of them lie in passages.
    pub duplicated: u64,
    /// How many copies of passages stand in it, those not counted that lie within longer ones.
    pub copies: u64,
}

impl FolderRow {
    /// How much of what lies in it stands elsewhere too, 0 to 1.
    pub fn share(&self) -> f64 {
        part(self.duplicated, self.tokens)
    }
}

impl From<&FolderRow> for FolderShareRow {
    fn from(row: &FolderRow) -> Self {
        Self {
            path: DocumentName::new(&row.path, None),
            is_folder: row.is_folder,
            share: rounded(row.share()),
            duplicated: row.duplicated,
            tokens: row.tokens,
            copies: row.copies,
            documents: row.documents,
        }
    }
}

/// What share of all a part is; of nothing none.
fn part(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// An entry of the taboo list.
#[derive(Clone, Debug, PartialEq)]
pub struct TabooRow {
    /// What was decided.
    pub entry: TabooEntry,
    /// How many tokens its text has.
    pub tokens: u32,
    /// What it hides now, in passages; in rows of blots where it hides no passage, and as long as passages are not
    /// known; `None` until it is counted. What is hidden by several entries together counts for each that it would be shown without.
    pub hides: Option<HiddenCounts>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Adjacent blots.
    Row(Arc<Row>),
    /// A passage.
    Passage(Arc<PassageRow>),
    /// A document.
    Document(Arc<DocumentRow>),
    /// A folder or a file in it.
    Folder(Arc<FolderRow>),
    /// A taboo text.
    Taboo(Arc<TabooRow>),
}

/// What a selection holds on to while rows come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ItemId {
    /// The first of adjacent blots.
    Blot(Blot),
    /// A passage.
    Passage(PassageId),
    /// A document, by what its path and record hash to.
    Document(u64),
    /// A folder or file, by what its path hashes to.
    Folder(u64),
    /// A taboo text, by what it hashes to.
    Taboo(u64),
}

impl ItemId {
    /// The identity of a folder or file.
    pub fn of_folder(path: &Path) -> Self {
        Self::Folder(xxh3_64(path.as_os_str().as_bytes()))
    }
}

impl Item {
    /// Its identity.
    pub fn id(&self) -> ItemId {
        match self {
            Self::Row(row) => ItemId::Blot(row.id()),
            Self::Passage(passage) => ItemId::Passage(passage.id),
            Self::Document(document) => {
                let record = u64::from(document.record.unwrap_or(0));
                ItemId::Document(xxh3_64_with_seed(document.path.as_os_str().as_bytes(), record))
            }
            Self::Folder(folder) => ItemId::of_folder(&folder.path),
            Self::Taboo(taboo) => ItemId::Taboo(xxh3_64(taboo.entry.text.as_bytes())),
        }
    }

    /// Whether it is what another row was, perhaps grown or shrunk.
    pub fn continues(&self, old: &Self) -> bool {
        match (self, old) {
            (Self::Row(row), Self::Row(old)) => row.blots.iter().any(|blot| old.blots.contains(blot)),
            _ => self.id() == old.id(),
        }
    }

    /// The beginning of its text; of documents and folders the path.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Row(row) => row.text.as_str().into(),
            Self::Passage(passage) => passage.text.as_str().into(),
            Self::Document(document) => shown(&document.path).text(),
            Self::Folder(folder) => shown(&folder.path).text(),
            Self::Taboo(taboo) => taboo.entry.text.as_str().into(),
        }
    }

    /// How many tokens it has; of documents and folders, how many that lie in passages.
    pub fn tokens(&self) -> u64 {
        match self {
            Self::Row(row) => u64::from(row.tokens),
            Self::Passage(passage) => u64::from(passage.tokens),
            Self::Document(document) => document.duplicated,
            Self::Folder(folder) => folder.duplicated,
            Self::Taboo(taboo) => u64::from(taboo.tokens),
        }
    }

    /// In how many documents it stands, or how many it holds or hides.
    pub fn documents(&self) -> u64 {
        match self {
            Self::Row(row) => u64::from(row.documents),
            Self::Passage(passage) => u64::from(passage.documents),
            Self::Document(_) => 1,
            Self::Folder(folder) => folder.documents,
            Self::Taboo(taboo) => taboo.hides.map_or(0, |hides| hides.documents),
        }
    }

    /// How many copies it has, holds or hides, if they were counted.
    pub fn copies(&self) -> Option<u64> {
        match self {
            Self::Row(row) => row.copies,
            Self::Passage(passage) => Some(passage.copies),
            Self::Document(document) => Some(document.copies),
            Self::Folder(folder) => Some(folder.copies),
            Self::Taboo(taboo) => taboo.hides.map(|hides| hides.copies),
        }
    }

    /// How much of a document or folder lies in passages, 0 to 1.
    pub fn share(&self) -> Option<f64> {
        match self {
            Self::Document(document) => Some(document.share()),
            Self::Folder(folder) => Some(folder.share()),
            Self::Row(_) | Self::Passage(_) | Self::Taboo(_) => None,
        }
    }

    /// The language of the document that its text was taken from, when it is source code.
    pub fn language(&self) -> Option<&str> {
        match self {
            Self::Row(row) => row.language.as_deref(),
            Self::Passage(passage) => passage.language.as_deref(),
            Self::Document(document) => document.language.as_deref(),
            Self::Folder(_) => None,
            Self::Taboo(taboo) => taboo.entry.language.as_deref(),
        }
    }

    /// Whether it is a text that can be decided about.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Row(_) | Self::Passage(_))
    }

    /// Whether the taboo list hides it.
    pub fn is_taboo(&self) -> bool {
        match self {
            Self::Row(row) => row.taboo,
            Self::Passage(passage) => passage.taboo,
            Self::Document(_) | Self::Folder(_) | Self::Taboo(_) => false,
        }
    }

    /// Whether it was reviewed and stays, and has no more copies than it had then.
    pub fn is_accepted(&self) -> bool {
        self.state() == State::Accepted
    }

    /// With how many copies it was accepted, when it has more now and so is open again.
    pub fn outgrown(&self) -> Option<u64> {
        self.accepted_with().filter(|copies| self.reviewed_copies() > *copies)
    }

    /// What was decided about it; taboo goes before accepted.
    pub fn state(&self) -> State {
        match self {
            Self::Row(row) => row.state(),
            Self::Passage(passage) => passage.state(),
            Self::Document(_) | Self::Folder(_) | Self::Taboo(_) => State::Open,
        }
    }

    fn accepted_with(&self) -> Option<u64> {
        match self {
            Self::Row(row) => row.accepted,
            Self::Passage(passage) => passage.accepted,
            Self::Document(_) | Self::Folder(_) | Self::Taboo(_) => None,
        }
    }

    /// What acceptance goes by: a passage's copies, a row's documents, which are always counted.
    pub(crate) fn reviewed_copies(&self) -> u64 {
        match self {
            Self::Passage(passage) => passage.copies,
            _ => self.documents(),
        }
    }

    /// What it is accepted as; `None` where there is nothing to accept.
    pub(crate) fn accepted_as(&self) -> Option<AcceptedId> {
        match self {
            Self::Row(row) => Some(AcceptedId::Blot(row.id())),
            Self::Passage(passage) => Some(AcceptedId::Passage(passage.id.0)),
            Self::Document(_) | Self::Folder(_) | Self::Taboo(_) => None,
        }
    }
}

impl Item {
    /// The names under which this, or a part of it, may have been accepted.
    pub(crate) fn accepted_by(&self) -> Vec<AcceptedId> {
        match self {
            Self::Row(row) => row.blots.iter().copied().map(AcceptedId::Blot).collect(),
            _ => self.accepted_as().into_iter().collect(),
        }
    }
}
