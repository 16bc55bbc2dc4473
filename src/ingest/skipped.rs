//! The list of skipped files, updated while the index is brought up to date.

use std::collections::HashSet;
use std::path::Path;

use super::plan::Plan;
use dupi_base::corpus::{PathScope, SkipReason, Skipped};
use dupi_index::index::snapshot::Snapshot;

/// The list of skipped files and records.
pub(super) struct SkippedFiles {
    list: Vec<Skipped>,
}

impl SkippedFiles {
    /// What the walk skipped, and the entries of the old list that are still valid: files outside of `scope`, and
    /// those that were skipped because of their content and did not change.
    pub(super) fn new(
        snapshot: &Snapshot,
        walked: Vec<Skipped>,
        scope: Option<&PathScope>,
        plan: &Plan,
    ) -> Self {
        let by_content = |entry: &Skipped| matches!(entry.reason, SkipReason::BadRecord(_));
        let old = &snapshot.manifest().skipped;
        let known: HashSet<&Path> = match old.iter().any(by_content) {
            true => snapshot.files().map(|file| snapshot.path(file)).collect(),
            false => HashSet::new(),
        };
        let is_read_anew =
            |entry: &Skipped| plan.read.binary_search_by(|file| file.path.cmp(&entry.path)).is_ok();
        let holds = |entry: &&Skipped| {
            let is_outside = scope.is_some_and(|scope| !scope.contains(&entry.path));
            is_outside || (by_content(entry) && !is_read_anew(entry) && known.contains(entry.path.as_path()))
        };
        let mut list = walked;
        list.extend(old.iter().filter(holds).cloned());
        Self { list }
    }

    /// Adds what was skipped when files were read.
    pub(super) fn extend(&mut self, skipped: Vec<Skipped>) {
        self.list.extend(skipped);
    }

    /// The list, if it differs from the snapshot's.
    pub(super) fn if_changed(&mut self, snapshot: &Snapshot) -> Option<Vec<Skipped>> {
        self.list = listed(std::mem::take(&mut self.list));
        (self.list != snapshot.manifest().skipped).then(|| self.list.clone())
    }
}

/// The list in the order and form in which an index keeps it.
pub(super) fn listed(mut list: Vec<Skipped>) -> Vec<Skipped> {
    let line = |reason: &SkipReason| if let SkipReason::BadRecord(line) = reason { *line } else { 0 };
    list.sort_by_cached_key(|entry| (entry.path.clone(), line(&entry.reason), entry.reason.to_string()));
    list.dedup();
    Skipped::first_of_each(list)
}
