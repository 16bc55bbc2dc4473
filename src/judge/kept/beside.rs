//! Small files beside the kept passages. One has which passages the taboo list hides, for the last state of the list: so they are
//! listed without their texts, which are not kept. The other has what the passages were when the screen was left: so it is known
//! at the next visit which are new, and which have gained copies.

use std::sync::Arc;

use rayon::prelude::*;

use crate::kept::documents::Ascending;
use crate::kept::files;
use crate::kept::files::Content;
use crate::known::Visit;
use crate::known::{HiddenRows, fingerprint};
use crate::passages::{Passage, SourceDocument};
use crate::search::{Passages, SearchSettings};
use dupi_base::storage::sealed::FileKind;
use dupi_base::storage::{Folder, StorageError};
use dupi_index::index::home::{VISIT, hidden_name};
use dupi_index::index::snapshot::{FileId, Snapshot};
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
    let name = hidden_name(crate::kept::files::of_settings(snapshot, settings) as u64);
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

/// The kind of the file.
const SEEN: FileKind = FileKind {
    name: "the file of the last visit",
    magic: b"dupi vis",
    version: 1,
    remedy: "it is replaced at the next visit",
};

/// The most bytes of the file: some hundred million files and texts.
const LARGEST: u64 = 1 << 30;

impl Visit {
    /// The passages of a snapshot.
    pub fn new(snapshot: &Snapshot, passages: &Passages) -> Self {
        let mut files: Vec<u64> =
            Content::from_snapshot(snapshot).files.into_iter().map(|(fingerprint, _)| fingerprint).collect();
        files.par_sort_unstable();
        let of_passage = |passage: &Passage| {
            let copies = passage.copies.len() as u32;
            let others = passages.copy_texts.others(passage.id).iter().copied();
            others.chain([passage.id.0]).map(move |text| (text, copies)).collect::<Vec<_>>()
        };
        let mut texts: Vec<(u64, u32)> = passages.found.par_iter().flat_map_iter(of_passage).collect();
        texts.par_sort_unstable_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
        texts.dedup_by_key(|(text, _)| *text);
        Self { files, texts }
    }

    /// The last visit to the corpus of an index; `None` if there was none, or nothing is known of it.
    pub fn load(folder: &Folder) -> Option<Self> {
        let (files, texts, copies) = SEEN
            .read::<(Ascending, Ascending, Vec<u32>)>(folder, VISIT, LARGEST)
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "what is new since the last visit is not known");
                None
            })?;
        let (files, texts) = (files.numbers()?, texts.numbers()?);
        (texts.len() == copies.len()).then(|| Self { files, texts: texts.into_iter().zip(copies).collect() })
    }

    /// Remembers the visit in the folder of the index.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn save(&self, folder: &Folder) -> Result<(), StorageError> {
        let files = Ascending::new(self.files.iter().copied());
        let (texts, copies): (Vec<u64>, Vec<u32>) = self.texts.iter().copied().unzip();
        SEEN.write(folder, VISIT, &(files, Ascending::new(texts), copies))
    }
}

/// Compares the passages of a snapshot with those of a visit, unless they were compared already.
pub fn compare_with(visit: &Arc<Visit>, snapshot: &Snapshot, passages: &Passages) {
    passages.since_visit.remember(visit, || {
        let files = Content::from_snapshot(snapshot).files.into_par_iter();
        let is_unknown = |fingerprint: u64| visit.files.binary_search(&fingerprint).is_err();
        let new = files.filter(|(fingerprint, _)| is_unknown(*fingerprint)).map(|(_, file)| file);
        let mut new: Vec<FileId> = new.collect();
        new.sort_unstable();
        let is_new = |source: &SourceDocument| new.binary_search(&snapshot.file_of(source.id)).is_ok();
        passages.sources.par_iter().map(is_new).collect()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_visit_is_read_back(files: Vec<u64>, texts: Vec<(u64, u32)>, at: usize) {
            let (mut files, mut texts) = (files, texts);
            files.sort_unstable();
            texts.sort_unstable();
            texts.dedup_by_key(|(text, _)| *text);
            let visit = Visit { files, texts };
            let place = tempfile::tempdir().unwrap();
            let folder = Folder::new(place.path());
            prop_assert_eq!(Visit::load(&folder), None);
            visit.save(&folder).unwrap();
            prop_assert_eq!(Visit::load(&folder), Some(visit));
            let path = place.path().join(VISIT);
            let mut bytes = std::fs::read(&path).unwrap();
            let at = at % bytes.len();
            bytes[at] ^= 4;
            std::fs::write(&path, bytes).unwrap();
            prop_assert_eq!(Visit::load(&folder), None, "damaged");
        }
    }
}
