//! Which of the kept passages the taboo list hides: so a list is shown without the texts of the passages, which are not
//! kept. It is in a small file beside the passages, for the last state of the taboo list.

use super::files;
use crate::kept_as::{HiddenRows, fingerprint};
use crate::search::{Passages, SearchSettings};
use dupi_base::storage::sealed::FileKind;
use dupi_index::index::home::hidden_name;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::TabooSet;

/// The kind of these files.
const HIDDEN: FileKind = FileKind {
    name: "the file of hidden passages",
    magic: b"dupi hid",
    version: 1,
    remedy: "it is replaced by the next search",
};

/// Finds out which passages a taboo list hides, if that is not known, and keeps it when the passages are kept.
pub fn know_hidden(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    passages: &Passages,
    taboo: &TabooSet,
    least: u32,
) {
    if !taboo.is_empty() && passages.kept.file.get().is_some() && passages.kept.hidden(taboo, least).is_none()
    {
        let hidden = passages.hidden(least, taboo, &snapshot.manifest().recipe);
        keep_hidden(snapshot, settings, passages, taboo, (least, &hidden));
    }
}

/// Keeps which passages a taboo list hides, with the fewest tokens that must be left of them. Nothing is written if the
/// passages are not kept, if it is known already, and if the text of a passage could not be read: then it is known only as
/// long as these passages are in memory.
pub fn keep_hidden(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    passages: &Passages,
    taboo: &TabooSet,
    (least, hidden): (u32, &[bool]),
) {
    let Some(&of) = passages.kept.file.get() else { return };
    if taboo.is_empty() || passages.kept.hidden(taboo, least).is_some() {
        return;
    }
    let rows = HiddenRows { taboo: fingerprint(taboo), least, hidden: hidden.to_vec() };
    if passages.texts.are_read() {
        write(snapshot, settings, &rows, of);
    }
    passages.kept.remember(rows);
}

fn write(snapshot: &Snapshot, settings: &SearchSettings, rows: &HiddenRows, of: u64) {
    let name = hidden_name(super::identity::of_settings(snapshot, settings) as u64);
    if let Err(error) = HIDDEN.write(snapshot.folder(), &name, &(of, rows)) {
        tracing::info!(name, %error, "what the taboo list hides is not kept");
    }
}

/// What is kept for the passages of a file; `None` if nothing is.
pub(super) fn load(snapshot: &Snapshot, settings: u128, of: u64, passages: usize) -> Option<HiddenRows> {
    let name = hidden_name(settings as u64);
    let read = HIDDEN.read::<(u64, HiddenRows)>(snapshot.folder(), &name, files::most_bytes(snapshot));
    let (own, rows) = read.unwrap_or_else(|error| {
        tracing::warn!(%error, "what it has is found out again");
        None
    })?;
    (own == of && rows.hidden.len() == passages).then_some(rows)
}
