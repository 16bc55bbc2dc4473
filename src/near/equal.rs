//! Until the fast search is there.

use std::collections::HashMap;

use super::features::FeatureSets;

/// Documents with equal features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Equal {
    /// The first document of each set of features that occurs, ascending.
    pub distinct: Vec<u32>,
    /// The documents of each set that more than one of them has, ascending, and the groups by their first document.
    pub groups: Vec<Vec<u32>>,
}

impl Equal {
    /// Groups the documents.
    pub fn find(sets: &FeatureSets) -> Self {
        let mut groups: HashMap<(&[u64], &[u32]), Vec<u32>> = HashMap::new();
        for document in (0..sets.len()).filter(|&document| !sets.of(document).is_empty()) {
            groups.entry((sets.of(document), sets.counts(document))).or_default().push(document as u32);
        }
        let mut groups: Vec<Vec<u32>> = groups.into_values().collect();
        groups.sort();
        let distinct = groups.iter().map(|group| group[0]).collect();
        groups.retain(|group| group.len() > 1);
        Self { distinct, groups }
    }
}
