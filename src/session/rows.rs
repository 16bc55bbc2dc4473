//! The rows of lists. A kind of row is one file: the type of its rows, their facts, previews and exports
//! ([`ListRow`](list_row::ListRow)), and how their lists are made ([`ListMaker`](list_maker::ListMaker)); long list
//! makers have a file of their own. This file lists all kinds. The kinds use the known passages, the shares of
//! documents in these, and the filters of files.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

pub use aside::ListedAside;
pub use cluster_members::ListedMember;
pub use cluster_search::cluster_of;
pub use clusters::{ClusterFolder, ListedCluster};
pub use documents::{ListedDocument, PartnerDocument};
pub use folders::ListedFolder;
pub use hiding::Hiding;
pub use known_clusters::Likeness;
pub use overview::Overview;
pub use passages::ListedPassage;
pub use reviews::ListedReview;
pub use taboo::ListedTaboo;

use self::blot_lists::BlotListMaker;
use self::cluster_lists::ClusterListMaker;
use self::documents::DocumentListMaker;
use self::folders::FolderListMaker;
use self::list_maker::ListMaker;
use self::list_row::ListRow;
use self::passage_lists::PassageListMaker;
use self::review_lists::ReviewListMaker;
use self::taboo::TabooListMaker;
use super::protocol::{ItemId, RowList, Subject};
use dupi_index::query::filter::ReviewState;
use dupi_passage::BlotRun;
use dupi_text::blot::Blot;

mod aside;
pub(super) mod blot_lists;
mod blots;
mod cluster_filter;
mod cluster_lists;
mod cluster_members;
mod cluster_reports;
pub(crate) mod cluster_search;
mod clusters;
mod documents;
mod file_filter;
mod folders;
mod hiding;
pub(super) mod known_clusters;
pub(super) mod known_passages;
pub(super) mod known_review;
pub(super) mod list_maker;
pub(super) mod list_row;
mod overview;
mod passage_lists;
mod passages;
pub(super) mod ranking_cache;
mod review_filter;
mod review_lists;
pub(super) mod review_rows;
pub(super) mod review_stand;
mod reviews;
pub(super) mod shares;
mod taboo;
pub(super) mod whole_texts;

/// Defines what depends on the list of all kinds: the enum of rows, and the list maker of each subject. Where lists
/// have rows of several kinds, the first one names their maker.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident($row:ty) on lists of $subject:ident $(made by $maker:ty)?;)*) => {
        /// A row.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Item {
            $($(#[$doc])* $kind(Arc<$row>),)*
        }

        impl Item {
            /// The row, whatever its kind.
            pub(super) fn row(&self) -> &dyn ListRow {
                match self {
                    $(Self::$kind(row) => &**row,)*
                }
            }

            /// The subject of the lists that have such rows.
            pub fn subject(&self) -> Subject {
                match self {
                    $(Self::$kind(_) => Subject::$subject,)*
                }
            }
        }

        $(impl From<Arc<$row>> for Item {
            fn from(row: Arc<$row>) -> Self {
                Self::$kind(row)
            }
        })*

        /// What makes the lists of a subject.
        pub(super) fn list_maker(of: Subject) -> Box<dyn ListMaker<Item>> {
            match of {
                $($(Subject::$subject => Box::<$maker>::default(),)?)*
            }
        }
    };
}

kinds! {
    /// Adjacent blots.
    Row(BlotRun) on lists of Blots made by BlotListMaker;
    /// A passage.
    Passage(ListedPassage) on lists of Passages made by PassageListMaker;
    /// The line of a kind that is set aside.
    Aside(ListedAside) on lists of Passages;
    /// A document.
    Document(ListedDocument) on lists of Documents made by DocumentListMaker;
    /// A cluster of documents or folders.
    Cluster(ListedCluster) on lists of Clusters made by ClusterListMaker;
    /// A member of a cluster.
    Member(ListedMember) on lists of Clusters;
    /// What a change copies, or changes on one side only.
    Review(ListedReview) on lists of Review made by ReviewListMaker;
    /// A folder or a file in it.
    Folder(ListedFolder) on lists of Files made by FolderListMaker;
    /// A taboo text.
    Taboo(ListedTaboo) on lists of Taboo made by TabooListMaker;
}

/// The rows of a view, as far as they are loaded.
pub type Listing = RowList<Item>;

impl Item {
    /// Its identity.
    pub fn id(&self) -> ItemId {
        self.row().id()
    }

    /// Whether it is what another row was, perhaps grown or shrunk.
    pub fn continues(&self, old: &Self) -> bool {
        if let (Self::Cluster(own), Self::Cluster(old)) = (self, old) {
            return own.continues(old);
        }
        let has = |blot: &Blot| old.row().blots().contains(blot);
        self.id() == old.id() || self.row().blots().iter().any(has)
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
        if self.row().is_of_documents() { self.headline() } else { self.text() }
    }

    /// The file or folder that it is, or that it is shown from, and whether it is a folder; of a cluster that of the
    /// representative.
    pub fn place(&self) -> Option<(&Path, bool)> {
        self.row().place()
    }

    /// How many tokens it has; of documents and folders, how many of them lie in passages.
    pub fn tokens(&self) -> u64 {
        self.row().token_count()
    }

    /// In how many documents it occurs, or how many it holds or hides.
    pub fn documents(&self) -> u64 {
        self.row().documents()
    }

    /// How many copies it has, holds or hides; `None` if they were not counted.
    pub fn copies(&self) -> Option<u64> {
        self.row().copies()
    }

    /// How much of a document or folder lies in passages, 0 to 1.
    pub fn share(&self) -> Option<f64> {
        self.row().share()
    }

    /// The language of the document that its text was taken from, when it is source code.
    pub fn language(&self) -> Option<&str> {
        self.row().language()
    }

    /// Whether it is a text that can be decided about.
    pub fn is_text(&self) -> bool {
        self.row().is_text()
    }

    /// Whether it can be accepted: a text, or a cluster.
    pub fn can_be_accepted(&self) -> bool {
        self.row().accepted_as().is_some()
    }

    /// What was decided about it; taboo takes precedence over accepted.
    pub fn state(&self) -> ReviewState {
        self.row().state()
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
        self.row().accepted().filter(|copies| self.row().reviewed_copies() > *copies)
    }
}
