//! The rows of lists. A kind of row is one file: its facts and its export ([`ListRow`]), and how its lists are made
//! ([`ListMaker`]); the lists of passages are made in a file of their own. This file lists all kinds.

use std::borrow::Cow;
use std::path::Path;

pub use clusters::cluster_of;
pub use overview::Overview;

use self::blots::BlotListMaker;
use self::clusters::ClusterListMaker;
use self::list_row::ListMaker;
use self::list_row::ListRow;
use self::overview::ShareListMaker;
use self::passage_lists::PassageListMaker;
use self::reviews::ReviewListMaker;
use self::taboo::TabooListMaker;
use crate::protocol::{Item, ItemId, Subject};
use dupi_index::query::filter::ReviewState;

mod blots;
pub(super) mod clusters;
mod documents;
pub(super) mod list_row;
mod overview;
mod passage_lists;
mod passages;
pub(super) mod reviews;
mod taboo;

/// What makes the lists of a subject.
pub(super) fn list_maker(of: Subject) -> Box<dyn ListMaker> {
    match of {
        Subject::Blots => Box::<BlotListMaker>::default(),
        Subject::Passages => Box::<PassageListMaker>::default(),
        Subject::Documents | Subject::Files => Box::<ShareListMaker>::default(),
        Subject::Clusters => Box::<ClusterListMaker>::default(),
        Subject::Review => Box::<ReviewListMaker>::default(),
        Subject::Taboo => Box::<TabooListMaker>::default(),
    }
}

impl Item {
    /// The row, whatever its kind.
    pub(super) fn row(&self) -> &dyn ListRow {
        match self {
            Self::Row(row) => &**row,
            Self::Passage(row) => &**row,
            Self::Aside(row) => &**row,
            Self::Document(row) => &**row,
            Self::Cluster(row) => &**row,
            Self::Member(row) => &**row,
            Self::Review(row) => &**row,
            Self::Folder(row) => &**row,
            Self::Taboo(row) => &**row,
        }
    }

    /// Its identity.
    pub fn id(&self) -> ItemId {
        self.row().id()
    }

    /// Whether it is what another row was, perhaps grown or shrunk.
    pub fn continues(&self, old: &Self) -> bool {
        if let (Self::Cluster(own), Self::Cluster(old)) = (self, old) {
            return own.continues(old);
        }
        let (own, old_facts) = (self.row().facts(), old.row().facts());
        self.id() == old.id() || own.blots().iter().any(|blot| old_facts.blots().contains(blot))
    }

    /// The beginning of its text; of documents and folders the path.
    pub fn text(&self) -> Cow<'_, str> {
        self.row().text()
    }

    /// What a list shows of its text: the line that tells most about a passage, else the beginning.
    pub fn headline(&self) -> Cow<'_, str> {
        match self {
            Self::Passage(passage) => passage.headline.as_str().into(),
            Self::Review(row) => row.headline.as_str().into(),
            _ => self.text(),
        }
    }

    /// What tells people what a decision is about: the beginning of its text, or the name of folders.
    pub fn decided_text(&self) -> Cow<'_, str> {
        if self.row().facts().is_of_documents { self.headline() } else { self.text() }
    }

    /// The file or folder that it is, or that it is shown from, and whether it is a folder; of a cluster that of the
    /// representative.
    pub fn place(&self) -> Option<(&Path, bool)> {
        self.row().facts().place
    }

    /// How many tokens it has; of documents and folders, how many of them lie in passages.
    pub fn tokens(&self) -> u64 {
        self.row().facts().tokens
    }

    /// In how many documents it occurs, or how many it holds or hides.
    pub fn documents(&self) -> u64 {
        self.row().facts().documents
    }

    /// How many copies it has, holds or hides; `None` if they were not counted.
    pub fn copies(&self) -> Option<u64> {
        self.row().facts().copies
    }

    /// How much of a document or folder lies in passages, 0 to 1.
    pub fn share(&self) -> Option<f64> {
        self.row().facts().share
    }

    /// The language of the document that its text was taken from, when it is source code.
    pub fn language(&self) -> Option<&str> {
        self.row().facts().language
    }

    /// Whether it is a text that can be decided about.
    pub fn is_text(&self) -> bool {
        self.row().facts().is_text
    }

    /// Whether it can be accepted: a text, or a cluster.
    pub fn can_be_accepted(&self) -> bool {
        self.row().facts().accepted_as.is_some()
    }

    /// What was decided about it; taboo takes precedence over accepted.
    pub fn state(&self) -> ReviewState {
        self.row().facts().state
    }

    /// Whether the taboo list hides it.
    pub fn is_taboo(&self) -> bool {
        self.state() == ReviewState::Taboo
    }

    /// Whether it was reviewed and stays, and has no more copies than it had then.
    pub fn is_accepted(&self) -> bool {
        self.state() == ReviewState::Accepted
    }

    /// With how many copies it was accepted, when it has more now and so is open again.
    pub fn outgrown(&self) -> Option<u64> {
        let facts = self.row().facts();
        facts.accepted.filter(|copies| facts.reviewed_copies > *copies)
    }
}
