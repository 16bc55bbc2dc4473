//! Clusters in the form of reports, and in that of documents to keep and to drop.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::known_clusters::{ClusterRef, KnownClusters, Likeness, place};
use crate::protocol::member_hash;
use dupi_near::document::Document;
use dupi_near::found::Member;
use dupi_near::kept_files::KeptGroup;
use dupi_near::settings::Identity;
use dupi_near::trees::{DifferenceKind, TreeCluster, TreeFolder};
use dupi_report::{NearClusterRow, NearTreesRow, ReportRow};

/// A cluster as the verb `near` prints it.
pub(super) fn report_of(known: &KnownClusters, number: u32) -> ReportRow {
    match known.cluster(number) {
        ClusterRef::Trees(tree) => ReportRow::NearTrees(NearTreesRow::from(tree)),
        ClusterRef::Documents(found, cluster) => {
            let is_identical = known.entries()[number as usize].likeness == Likeness::Identical;
            ReportRow::NearCluster(NearClusterRow::new(&known.snapshot, found, cluster, is_identical))
        }
    }
}

/// Which documents of the cluster with a number are kept, and which are not: of all members, or of the one with a name
/// (see [`member_hash`]). Of folders these are the documents that are the same as in the first one.
pub(super) fn kept_groups(known: &KnownClusters, number: u32, member: Option<u64>) -> Vec<KeptGroup> {
    let is_meant = |path: &Path, record| member.is_none_or(|name| name == member_hash(path, record));
    match known.cluster(number) {
        ClusterRef::Trees(tree) => groups_of_trees(known, tree, |folder| is_meant(&folder.path, None)),
        ClusterRef::Documents(found, cluster) => {
            let document = |of: &Member| &found.documents[of.document as usize];
            let is_other = |of: &&Member| {
                let (path, record) = place(&known.snapshot, document(of));
                is_meant(path, record)
            };
            let is_identical = known.entries()[number as usize].likeness == Likeness::Identical;
            vec![KeptGroup {
                kept: document(&cluster.members[0]).id,
                others: cluster.members[1..].iter().filter(is_other).map(|of| document(of).id).collect(),
                identity: is_identical.then_some(Identity::Tokens),
            }]
        }
    }
}

/// The documents of the first folder, each with those that are the same at the same place in others that are meant.
fn groups_of_trees(
    known: &KnownClusters,
    tree: &TreeCluster,
    is_meant: impl Fn(&TreeFolder) -> bool,
) -> Vec<KeptGroup> {
    let first = &tree.folders[0];
    let below = |document: &Document, folder: &TreeFolder| {
        let (path, record) = place(&known.snapshot, document);
        Some((path.strip_prefix(&folder.path).ok()?.to_owned(), record))
    };
    let group =
        |of: &Document| KeptGroup { kept: of.id, others: Vec::new(), identity: Some(Identity::Tokens) };
    let mut groups: Vec<KeptGroup> = known.lying_in(first).iter().map(group).collect();
    let places = known.lying_in(first).iter().enumerate();
    let places: HashMap<_, usize> =
        places.filter_map(|(at, document)| Some((below(document, first)?, at))).collect();
    for folder in tree.folders[1..].iter().filter(|folder| is_meant(folder)) {
        let differing = folder.differences.iter().filter(|of| of.kind != DifferenceKind::Missing);
        let differing: HashSet<(&Path, Option<u32>)> =
            differing.map(|of| (of.path.as_path(), of.record)).collect();
        for document in known.lying_in(folder) {
            let Some(place) = below(document, folder) else { continue };
            if let Some(&at) = places.get(&place)
                && !differing.contains(&(place.0.as_path(), place.1))
            {
                groups[at].others.push(document.id);
            }
        }
    }
    groups
}
