//! Rows of the members of a cluster, listed below it when it is unfolded.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::cluster_reports::{kept_groups, report_of};
use super::known_clusters::{ClusterRef, KnownClusters, place};
use super::list_row::{FILE_IS_UNREADABLE, ListRow, PlaceSource, RowReaders, RowSource};
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::{ItemId, member_hash};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_near::found::Member;
use dupi_near::kept_files::KeptGroup;
use dupi_near::trees::TreeFolder;
use dupi_report::{NearPairRow, ReportRow, name_of};

/// A document or folder of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedMember {
    /// The name of the cluster.
    pub cluster: u64,
    /// Its path, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file or a folder.
    pub record: Option<u32>,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it represents the cluster.
    pub is_representative: bool,
    /// Its similarity to the representative, 0 to 1.
    pub similarity: f32,
    /// How many tokens it has; 0 for a folder.
    pub tokens: u64,
    /// Its bytes.
    pub bytes: u64,
    /// How many files lie in it; 0 for a document.
    pub files: u64,
    /// For a folder, how many documents differ from the first one.
    pub differences: u64,
}

/// The rows of the members of the cluster with a number.
pub(super) fn members(known: &KnownClusters, number: u32) -> Vec<ListedMember> {
    let cluster = known.entries()[number as usize].id;
    match known.cluster(number) {
        ClusterRef::Trees(tree) => {
            let row = |(at, folder): (usize, &TreeFolder)| ListedMember {
                cluster,
                path: folder.path.clone(),
                record: None,
                is_folder: true,
                is_representative: at == 0,
                similarity: folder.share,
                tokens: 0,
                bytes: folder.bytes,
                files: u64::from(folder.files),
                differences: folder.differences.len() as u64,
            };
            tree.folders.iter().enumerate().map(row).collect()
        }
        ClusterRef::Documents(found, of) => {
            let row = |(at, member): (usize, &Member)| {
                let document = &found.documents[member.document as usize];
                let (path, record) = place(&known.snapshot, document);
                ListedMember {
                    cluster,
                    path: path.to_owned(),
                    record,
                    is_folder: false,
                    is_representative: at == 0,
                    similarity: member.similarity,
                    tokens: u64::from(document.tokens),
                    bytes: document.bytes,
                    files: 0,
                    differences: 0,
                }
            };
            of.members.iter().enumerate().map(row).collect()
        }
    }
}

impl ListedMember {
    /// What names it among all members (see [`member_hash`]).
    pub fn name(&self) -> u64 {
        member_hash(&self.path, self.record)
    }
}

impl ListRow for ListedMember {
    fn id(&self) -> ItemId {
        ItemId::of_member(&self.path, self.record)
    }

    fn text(&self) -> Cow<'_, str> {
        shown(&self.path).text()
    }

    fn place(&self) -> Option<(&Path, bool)> {
        Some((&self.path, self.is_folder))
    }

    fn token_count(&self) -> u64 {
        self.tokens
    }

    fn documents(&self) -> u64 {
        1
    }

    fn copies(&self) -> Option<u64> {
        Some(if self.is_folder { self.differences } else { 1 })
    }

    fn is_from_clusters(&self) -> bool {
        true
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        Ok(CopyPlaces::of_member(source.clusters, self.cluster, self.name()))
    }

    fn why_empty(&self) -> Option<&'static str> {
        (!self.is_folder).then_some(FILE_IS_UNREADABLE)
    }

    fn kept_groups(&self, source: &RowSource) -> Option<Vec<KeptGroup>> {
        let known = source.clusters?;
        Some(kept_groups(known, known.number(self.cluster)?, Some(self.name())))
    }

    fn export(&self, source: &RowSource, _: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        let number = source.clusters.and_then(|known| Some((known, known.number(self.cluster)?)));
        let Some((known, number)) = number else { return Ok(Vec::new()) };
        let ClusterRef::Documents(found, cluster) = known.cluster(number) else {
            return Ok(vec![report_of(known, number)]);
        };
        let document = |of: &Member| &found.documents[of.document as usize];
        let is_own = |of: &&Member| {
            let (path, record) = place(&known.snapshot, document(of));
            path == self.path && record == self.record
        };
        let own = cluster.members.iter().find(is_own);
        let name = |of: &Member| name_of(&known.snapshot, document(of));
        let row = own.map(|own| NearPairRow::new(own.similarity, name(own), name(&cluster.members[0])));
        Ok(row.map(ReportRow::NearPair).into_iter().collect())
    }
}
