//! Changes of the list of files and folders that are left out.

use std::path::PathBuf;

use super::decision_outcome::DecisionOutcome;
use super::lists::Decisions;
use crate::protocol::{DecisionResult, counted};
use dupi_base::corpus::PathScope;
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::{ExcludedEntry, TabooError, today};

/// Leaves files and folders, relative to the corpus's base, out of the corpus.
pub(super) fn exclude(
    decisions: &mut Decisions,
    snapshot: &Snapshot,
    paths: &[PathBuf],
) -> Result<DecisionOutcome, TabooError> {
    let entries: Vec<ExcludedEntry> =
        paths.iter().filter_map(|path| ExcludedEntry::new(path, today(), None)).collect();
    let new = decisions.edit::<ExcludedEntry, _>(|list| list.exclude(entries))?;
    let these = match paths {
        [path] => shown(path).to_string(),
        paths => format!("{} files and folders", paths.len()),
    };
    if new == 0 {
        return Ok((format!("Left out already: {these}."), DecisionResult::Nothing));
    }
    let scope = PathScope::new(paths.iter().map(PathBuf::as_path));
    let files = snapshot.texts().filter(|&file| scope.contains(snapshot.path(file))).count() as u64;
    let files = counted(files, ["file", "files"]);
    Ok((format!("Left out of this corpus from now on: {these} ({files})"), DecisionResult::Done))
}
