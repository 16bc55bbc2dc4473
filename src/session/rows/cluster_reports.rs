//! Clusters in the form of reports.

use super::known_clusters::{ClusterRef, KnownClusters, Likeness};
use crate::report::{NearClusterRow, NearTreesRow, ReportRow};

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
