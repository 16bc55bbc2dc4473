//! Rows of clusters: folders that are the same, identical documents, or similar ones.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cluster_reports::{kept_groups, report_of};
use super::known_clusters::{ClusterRef, KnownClusters, Likeness, place};
use super::list_row::{FILE_IS_UNREADABLE, ListRow, PlaceSource, RowReaders, RowSource};
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::ItemId;
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::AcceptedId;
use dupi_near::kept_files::KeptGroup;
use dupi_near::trees::TreeFolder;
use dupi_report::ReportRow;

/// How many folders a row names.
const NAMED: usize = 100;

/// A row of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedCluster {
    /// Its name, made from the text of the representative.
    pub id: u64,
    /// What its members have in common.
    pub likeness: Likeness,
    /// How many members it has.
    pub copies: u64,
    /// The bytes that keeping one of them would save.
    pub wasted: u64,
    /// The mean similarity of the others to the representative, 0 to 1.
    pub mean: f32,
    /// The smallest similarity of two members, as far as it is known, 0 to 1.
    pub least: f32,
    /// The representative: a document or folder, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// How many tokens the representative has; 0 for a folder.
    pub tokens: u64,
    /// The bytes of the representative.
    pub bytes: u64,
    /// How many files lie in the first folder; 0 for documents.
    pub files: u64,
    /// The folders, as far as they are named.
    pub folders: Arc<Vec<ClusterFolder>>,
    /// The names of all members, the representative first.
    pub members: Arc<Vec<u64>>,
    /// Whether its members are listed below it.
    pub is_open: bool,
    /// With how many members it was accepted, if it was.
    pub accepted: Option<u64>,
}

/// A folder of a row of folders.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterFolder {
    /// Its path, relative to the corpus's base.
    pub path: PathBuf,
    /// Which share of its documents and those of the first folder are the same, 0 to 1.
    pub share: f32,
    /// How many documents differ from the first folder.
    pub differences: u64,
}

impl From<&TreeFolder> for ClusterFolder {
    fn from(of: &TreeFolder) -> Self {
        Self { path: of.path.clone(), share: of.share, differences: of.differences.len() as u64 }
    }
}

impl ListedCluster {
    /// The row of the cluster with a number, folded and without decisions.
    pub(super) fn new(known: &KnownClusters, number: u32) -> Self {
        let entry = known.entries()[number as usize];
        let cluster = known.cluster(number);
        let (path, record, tokens, bytes, files, folders) = match cluster {
            ClusterRef::Trees(tree) => {
                let first = &tree.folders[0];
                let folders = tree.folders.iter().take(NAMED).map(ClusterFolder::from).collect();
                (first.path.clone(), None, 0, first.bytes, u64::from(first.files), folders)
            }
            ClusterRef::Documents(found, cluster) => {
                let first = &found.documents[cluster.members[0].document as usize];
                let (path, record) = place(&known.snapshot, first);
                (path.to_owned(), record, u64::from(first.tokens), first.bytes, 0, Vec::new())
            }
        };
        Self {
            id: entry.id,
            likeness: entry.likeness,
            copies: cluster.copies(),
            wasted: cluster.wasted(),
            mean: cluster.mean(),
            least: cluster.least(),
            path,
            record,
            tokens,
            bytes,
            files,
            folders: Arc::new(folders),
            members: Arc::new(cluster.members(&known.snapshot)),
            is_open: false,
            accepted: None,
        }
    }

    /// The name of the representative, by which the row is unfolded (see
    /// [`View::unfolded_clusters`](crate::View::unfolded_clusters)).
    pub fn representative(&self) -> u64 {
        self.members.first().copied().unwrap_or_default()
    }

    /// Whether it has what another cluster was about, though it may have another representative by now.
    pub(super) fn continues(&self, old: &Self) -> bool {
        self.id == old.id || self.members.contains(&old.representative())
    }
}

impl ListRow for ListedCluster {
    fn id(&self) -> ItemId {
        ItemId::Cluster(self.id)
    }

    fn text(&self) -> Cow<'_, str> {
        shown(&self.path).text()
    }

    fn place(&self) -> Option<(&Path, bool)> {
        Some((&self.path, self.likeness == Likeness::Trees))
    }

    fn token_count(&self) -> u64 {
        self.tokens
    }

    fn documents(&self) -> u64 {
        self.copies
    }

    fn copies(&self) -> Option<u64> {
        Some(self.copies)
    }

    fn state(&self) -> ReviewState {
        match self.accepted {
            Some(copies) if self.copies <= copies => ReviewState::Accepted,
            _ => ReviewState::Open,
        }
    }

    fn accepted(&self) -> Option<u64> {
        self.accepted
    }

    fn reviewed_copies(&self) -> u64 {
        self.copies
    }

    fn accepted_as(&self) -> Option<AcceptedId> {
        Some(AcceptedId::Cluster(self.id))
    }

    fn is_text(&self) -> bool {
        false
    }

    fn is_from_clusters(&self) -> bool {
        true
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        Ok(CopyPlaces::of_cluster(source.clusters, self.id))
    }

    fn why_empty(&self) -> Option<&'static str> {
        (self.likeness != Likeness::Trees).then_some(FILE_IS_UNREADABLE)
    }

    fn kept_groups(&self, source: &RowSource) -> Option<Vec<KeptGroup>> {
        let known = source.clusters?;
        Some(kept_groups(known, known.number(self.id)?, None))
    }

    fn export(&self, source: &RowSource, _: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        let number = source.clusters.and_then(|known| Some((known, known.number(self.id)?)));
        Ok(number.map(|(known, number)| report_of(known, number)).into_iter().collect())
    }
}
